// Convolutions by Winograd's algorithm give the results of plain loops. The machines are fast at everything but multiplications, so that the algorithm
// is chosen for small images, too: `own` gives each thread blocks of its own, `shared` lets the threads share each block, `blocks` has a small L2 and so
// small blocks.
// RUN: split-file %s %t
// DEFINE: %{run} = tpp-run %t/model.mlir --check=reference --rtol=2e-5
// DEFINE: %{check} = FileCheck %t/model.mlir --check-prefixes=CHECK
// RUN: %{run} --entry=sizes --threads=1 --target=%t/own.txt | %{check},R7
// RUN: %{run} --entry=sizes --threads=3 --target=%t/shared.txt | %{check},R7
// RUN: %{run} --entry=sizes --threads=2 --target=%t/blocks.txt | %{check},R7
// RUN: %{run} --entry=long --threads=3 --target=%t/shared.txt | %{check},R3
// RUN: %{run} --entry=padded --threads=3 --target=%t/own.txt | %{check},R2
// RUN: %{run} --entry=residual --threads=2 --target=%t/own.txt | %{check},R1
// RUN: %{run} --entry=residual --threads=3 --target=%t/shared.txt | %{check},R1
// RUN: %{run} --entry=post_ops --threads=2 --target=%t/shared.txt | %{check},R2
// RUN: %{run} --entry=post_ops --threads=1 --target=%t/blocks.txt | %{check},R2
// RUN: %{run} --entry=dense --threads=2 --target=%t/own.txt | %{check},R2
// RUN: %{run} --entry=transposed --threads=3 --target=%t/own.txt | %{check},R3
// RUN: %{run} --entry=chain --threads=2 --target=%t/shared.txt | %{check},R1
// RUN: %{run} --entry=filters --threads=2 --target=%t/own.txt | %{check},R6
// RUN: %{run} --entry=stride_2_dilation_2 --threads=1 --target=%t/own.txt | %{check},R1
// RUN: %{run} --entry=dilations --threads=2 --target=%t/own.txt | %{check},R3
// RUN: %{run} --entry=dilations --threads=3 --target=%t/shared.txt | %{check},R3
// RUN: %{run} --entry=spread --threads=2 --target=%t/own.txt | %{check},R1
// Without pinned figures: the choice of this machine, with the threads of a test.
// RUN: %{run} --entry=residual --threads=2 | FileCheck %t/model.mlir --check-prefix=EQUAL
// The reference kernels.
// RUN: %{run} --entry=residual --threads=2 --provider=reference --target=%t/own.txt | FileCheck %t/model.mlir --check-prefix=REFERENCE
// Images of bf16, multiplied in f32: results that differ before they are rounded may differ by one step.
// RUN: sed -E 's/f32/bf16/g; s/winograd_([a-z]+)_bf16/winograd_\1_f32/' %t/model.mlir > %t/bf16.mlir
// DEFINE: %{lowrun} = tpp-run --check=reference --rtol=8e-3
// RUN: %{lowrun} %t/bf16.mlir --entry=sizes --threads=3 --target=%t/shared.txt | FileCheck %t/bf16.mlir --check-prefixes=CHECK,R7
// RUN: %{lowrun} %t/bf16.mlir --entry=padded --threads=2 --target=%t/own.txt | FileCheck %t/bf16.mlir --check-prefixes=CHECK,R2
// RUN: %{lowrun} %t/bf16.mlir --entry=residual --threads=2 --target=%t/own.txt | FileCheck %t/bf16.mlir --check-prefixes=CHECK,R1
// RUN: %{lowrun} %t/bf16.mlir --entry=chain --threads=2 --target=%t/shared.txt | FileCheck %t/bf16.mlir --check-prefixes=CHECK,R1
// RUN: %{lowrun} %t/bf16.mlir --entry=post_ops --threads=1 --target=%t/own.txt | FileCheck %t/bf16.mlir --check-prefixes=CHECK,R2
// The same on request, for weights and images of f32.
// RUN: tpp-run %t/model.mlir --check=reference --rtol=2e-2 --entry=residual --threads=2 --target=%t/own.txt --precision=bf16 | %{check},R1
// Without the algorithm.
// RUN: %{run} --entry=residual --threads=2 --winograd=off --target=%t/own.txt | FileCheck %t/model.mlir --check-prefix=OFF

//--- own.txt

name = host
fma_per_cycle = 0.01
bf16_dot_per_cycle = 0.01
bf16_tile_per_cycle = 0.00004
memory_gbs = 100000
barrier_ns = 1000000000

//--- shared.txt

name = host
fma_per_cycle = 0.01
bf16_dot_per_cycle = 0.01
bf16_tile_per_cycle = 0.00004
memory_gbs = 100000
l3_gbs = 100000
fork_ns = 0.01
barrier_ns = 0.01

//--- blocks.txt

name = host
fma_per_cycle = 0.01
bf16_dot_per_cycle = 0.01
bf16_tile_per_cycle = 0.00004
memory_gbs = 100000
l3_gbs = 1
l2_bytes = 16384
barrier_ns = 1000000000

//--- model.mlir

// CHECK-NOT: {{scalar|DIFFERS}}
// CHECK: kernel {{.*}}winograd_input_f32_{{[24]}}
// CHECK: kernel {{.*}}winograd_output_f32_{{[24]}}
// R1: result #0 equals the reference
// R2: result #1 equals the reference
// R3: result #2 equals the reference
// R6: result #5 equals the reference
// R7: result #6 equals the reference
// CHECK-NOT: DIFFERS
// EQUAL-NOT: {{scalar|DIFFERS}}
// EQUAL: result #0 equals the reference
// REFERENCE: kernel {{.*}}winograd_input_reference
// REFERENCE: kernel {{.*}}winograd_output_reference
// REFERENCE: result #0 equals the reference
// OFF-NOT: winograd_
// OFF: result #0 equals the reference

// Heights and widths from 2 to 17, and channels that are no multiples of a vector. Panels that do not divide the filters.
func.func @sizes(%x0: tensor<1x4x4x16xf32>, %w0: tensor<3x3x16x17xf32> {tpp.prepack}, %x1: tensor<1x5x7x17xf32>, %w1: tensor<40x3x3x17xf32> {tpp.prepack}, %x2: tensor<2x6x6x3xf32>, %w2: tensor<3x3x3x16xf32> {tpp.prepack}, %x3: tensor<1x19x8x40xf32>, %w3: tensor<3x3x40x72xf32> {tpp.prepack}, %x4: tensor<2x9x11x72xf32>, %w4: tensor<3x3x3x72xf32> {tpp.prepack}, %x5: tensor<1x15x18x2xf32>, %w5: tensor<3x3x2x2xf32> {tpp.prepack}, %x6: tensor<3x7x10x20xf32>, %w6: tensor<3x3x20x33xf32> {tpp.prepack})
    -> (tensor<1x2x2x17xf32>, tensor<1x3x5x40xf32>, tensor<2x4x4x16xf32>, tensor<1x17x6x72xf32>, tensor<2x7x9x3xf32>, tensor<1x13x16x2xf32>, tensor<3x5x8x33xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<1x2x2x17xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x2x2x17xf32>) -> tensor<1x2x2x17xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %w0 : tensor<1x4x4x16xf32>, tensor<3x3x16x17xf32>) outs(%1 : tensor<1x2x2x17xf32>) -> tensor<1x2x2x17xf32>
  %3 = tensor.empty() : tensor<1x3x5x40xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<1x3x5x40xf32>) -> tensor<1x3x5x40xf32>
  %5 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x1, %w1 : tensor<1x5x7x17xf32>, tensor<40x3x3x17xf32>) outs(%4 : tensor<1x3x5x40xf32>) -> tensor<1x3x5x40xf32>
  %6 = tensor.empty() : tensor<2x4x4x16xf32>
  %7 = linalg.fill ins(%zero : f32) outs(%6 : tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
  %8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x2, %w2 : tensor<2x6x6x3xf32>, tensor<3x3x3x16xf32>) outs(%7 : tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
  %9 = tensor.empty() : tensor<1x17x6x72xf32>
  %10 = linalg.fill ins(%zero : f32) outs(%9 : tensor<1x17x6x72xf32>) -> tensor<1x17x6x72xf32>
  %11 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x3, %w3 : tensor<1x19x8x40xf32>, tensor<3x3x40x72xf32>) outs(%10 : tensor<1x17x6x72xf32>) -> tensor<1x17x6x72xf32>
  %12 = tensor.empty() : tensor<2x7x9x3xf32>
  %13 = linalg.fill ins(%zero : f32) outs(%12 : tensor<2x7x9x3xf32>) -> tensor<2x7x9x3xf32>
  %14 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x4, %w4 : tensor<2x9x11x72xf32>, tensor<3x3x3x72xf32>) outs(%13 : tensor<2x7x9x3xf32>) -> tensor<2x7x9x3xf32>
  %15 = tensor.empty() : tensor<1x13x16x2xf32>
  %16 = linalg.fill ins(%zero : f32) outs(%15 : tensor<1x13x16x2xf32>) -> tensor<1x13x16x2xf32>
  %17 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x5, %w5 : tensor<1x15x18x2xf32>, tensor<3x3x2x2xf32>) outs(%16 : tensor<1x13x16x2xf32>) -> tensor<1x13x16x2xf32>
  %18 = tensor.empty() : tensor<3x5x8x33xf32>
  %19 = linalg.fill ins(%zero : f32) outs(%18 : tensor<3x5x8x33xf32>) -> tensor<3x5x8x33xf32>
  %20 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x6, %w6 : tensor<3x7x10x20xf32>, tensor<3x3x20x33xf32>) outs(%19 : tensor<3x5x8x33xf32>) -> tensor<3x5x8x33xf32>
  return %2, %5, %8, %11, %14, %17, %20 : tensor<1x2x2x17xf32>, tensor<1x3x5x40xf32>, tensor<2x4x4x16xf32>, tensor<1x17x6x72xf32>, tensor<2x7x9x3xf32>, tensor<1x13x16x2xf32>, tensor<3x5x8x33xf32>
}

// Extreme aspect ratios, and more images than threads.
func.func @long(%x0: tensor<1x4x502x16xf32>, %w0: tensor<3x3x16x8xf32> {tpp.prepack}, %x1: tensor<1x502x5x5xf32>, %w1: tensor<3x3x5x16xf32> {tpp.prepack}, %x2: tensor<7x4x5x8xf32>, %w2: tensor<3x3x8x24xf32> {tpp.prepack})
    -> (tensor<1x2x500x8xf32>, tensor<1x500x3x16xf32>, tensor<7x2x3x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<1x2x500x8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x2x500x8xf32>) -> tensor<1x2x500x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %w0 : tensor<1x4x502x16xf32>, tensor<3x3x16x8xf32>) outs(%1 : tensor<1x2x500x8xf32>) -> tensor<1x2x500x8xf32>
  %3 = tensor.empty() : tensor<1x500x3x16xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<1x500x3x16xf32>) -> tensor<1x500x3x16xf32>
  %5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x1, %w1 : tensor<1x502x5x5xf32>, tensor<3x3x5x16xf32>) outs(%4 : tensor<1x500x3x16xf32>) -> tensor<1x500x3x16xf32>
  %6 = tensor.empty() : tensor<7x2x3x24xf32>
  %7 = linalg.fill ins(%zero : f32) outs(%6 : tensor<7x2x3x24xf32>) -> tensor<7x2x3x24xf32>
  %8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x2, %w2 : tensor<7x4x5x8xf32>, tensor<3x3x8x24xf32>) outs(%7 : tensor<7x2x3x24xf32>) -> tensor<7x2x3x24xf32>
  return %2, %5, %8 : tensor<1x2x500x8xf32>, tensor<1x500x3x16xf32>, tensor<7x2x3x24xf32>
}

// Layers as exporters write them: a padded image, also with unequal borders, a broadcast bias as the initial value, relu.
func.func @padded(%x: tensor<2x7x9x16xf32>, %bias0: tensor<40xf32>, %bias1: tensor<17xf32>, %w: tensor<3x3x16x40xf32> {tpp.prepack}, %v: tensor<3x3x16x17xf32> {tpp.prepack})
    -> (tensor<2x7x9x40xf32>, tensor<2x7x10x17xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x7x9x16xf32> to tensor<2x9x11x16xf32>
  %1 = tensor.empty() : tensor<2x7x9x40xf32>
  %2 = linalg.broadcast ins(%bias0 : tensor<40xf32>) outs(%1 : tensor<2x7x9x40xf32>) dimensions = [0, 1, 2]
  %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%0, %w : tensor<2x9x11x16xf32>, tensor<3x3x16x40xf32>) outs(%2 : tensor<2x7x9x40xf32>) -> tensor<2x7x9x40xf32>
  %4 = tensor.empty() : tensor<2x7x9x40xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%3 : tensor<2x7x9x40xf32>) outs(%4 : tensor<2x7x9x40xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x7x9x40xf32>
  %6 = tensor.pad %x low[0, 2, 0, 0] high[0, 0, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x7x9x16xf32> to tensor<2x9x12x16xf32>
  %7 = tensor.empty() : tensor<2x7x10x17xf32>
  %8 = linalg.broadcast ins(%bias1 : tensor<17xf32>) outs(%7 : tensor<2x7x10x17xf32>) dimensions = [0, 1, 2]
  %9 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%6, %v : tensor<2x9x12x16xf32>, tensor<3x3x16x17xf32>) outs(%8 : tensor<2x7x10x17xf32>) -> tensor<2x7x10x17xf32>
  %10 = tensor.empty() : tensor<2x7x10x17xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%9 : tensor<2x7x10x17xf32>) outs(%10 : tensor<2x7x10x17xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x7x10x17xf32>
  return %5, %11 : tensor<2x7x9x40xf32>, tensor<2x7x10x17xf32>
}

// Residuals: an argument, and an intermediate value whose last use this is, so that the result is computed in its buffer.
func.func @residual(%x: tensor<2x9x6x17xf32>, %residual: tensor<2x9x6x40xf32>, %w0: tensor<3x3x17x40xf32> {tpp.prepack}, %w1: tensor<3x3x40x40xf32> {tpp.prepack}, %w2: tensor<3x3x40x40xf32> {tpp.prepack})
    -> tensor<2x9x6x40xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x9x6x17xf32> to tensor<2x11x8x17xf32>
  %1 = tensor.empty() : tensor<2x9x6x40xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<2x9x6x40xf32>) -> tensor<2x9x6x40xf32>
  %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%0, %w0 : tensor<2x11x8x17xf32>, tensor<3x3x17x40xf32>) outs(%2 : tensor<2x9x6x40xf32>) -> tensor<2x9x6x40xf32>
  %4 = tensor.empty() : tensor<2x9x6x40xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%3, %residual : tensor<2x9x6x40xf32>, tensor<2x9x6x40xf32>) outs(%4 : tensor<2x9x6x40xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x9x6x40xf32>
  %6 = tensor.empty() : tensor<2x9x6x40xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%5 : tensor<2x9x6x40xf32>) outs(%6 : tensor<2x9x6x40xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x9x6x40xf32>
  %8 = tensor.pad %7 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x9x6x40xf32> to tensor<2x11x8x40xf32>
  %9 = tensor.empty() : tensor<2x9x6x40xf32>
  %10 = linalg.fill ins(%zero : f32) outs(%9 : tensor<2x9x6x40xf32>) -> tensor<2x9x6x40xf32>
  %11 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%8, %w1 : tensor<2x11x8x40xf32>, tensor<3x3x40x40xf32>) outs(%10 : tensor<2x9x6x40xf32>) -> tensor<2x9x6x40xf32>
  %12 = tensor.empty() : tensor<2x9x6x40xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%11 : tensor<2x9x6x40xf32>) outs(%12 : tensor<2x9x6x40xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x9x6x40xf32>
  %14 = tensor.pad %13 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x9x6x40xf32> to tensor<2x11x8x40xf32>
  %15 = tensor.empty() : tensor<2x9x6x40xf32>
  %16 = linalg.fill ins(%zero : f32) outs(%15 : tensor<2x9x6x40xf32>) -> tensor<2x9x6x40xf32>
  %17 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%14, %w2 : tensor<2x11x8x40xf32>, tensor<3x3x40x40xf32>) outs(%16 : tensor<2x9x6x40xf32>) -> tensor<2x9x6x40xf32>
  %18 = tensor.empty() : tensor<2x9x6x40xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%17, %7 : tensor<2x9x6x40xf32>, tensor<2x9x6x40xf32>) outs(%18 : tensor<2x9x6x40xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x9x6x40xf32>
  %20 = tensor.empty() : tensor<2x9x6x40xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%19 : tensor<2x9x6x40xf32>) outs(%20 : tensor<2x9x6x40xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x9x6x40xf32>
  return %21 : tensor<2x9x6x40xf32>
}

// Post-ops with an operand for each pixel, channel, row, column, image, or one element.
func.func @post_ops(%x: tensor<2x8x12x16xf32>, %mask: tensor<6x10xf32>, %images: tensor<2xf32>, %scalar: tensor<f32>, %rows: tensor<6x17xf32>, %columns: tensor<10x17xf32>, %pixels: tensor<2x6x10xf32>, %bias: tensor<17xf32>, %w: tensor<3x3x16x17xf32> {tpp.prepack}, %v: tensor<3x3x16x40xf32> {tpp.prepack}, %turned: tensor<40x10x6x2xf32>)
    -> (tensor<2x6x10x17xf32>, tensor<2x6x10x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x6x10x17xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x6x10x17xf32>) -> tensor<2x6x10x17xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x8x12x16xf32>, tensor<3x3x16x17xf32>) outs(%1 : tensor<2x6x10x17xf32>) -> tensor<2x6x10x17xf32>
  %3 = tensor.empty() : tensor<2x6x10x17xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%2, %bias : tensor<2x6x10x17xf32>, tensor<17xf32>) outs(%3 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %5 = tensor.empty() : tensor<2x6x10x17xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%4 : tensor<2x6x10x17xf32>) outs(%5 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.707106769 : f32
    %one = arith.constant 1.0 : f32
    %m = arith.mulf %p0, %root : f32
    %e = math.erf %m : f32
    %s = arith.addf %e, %one : f32
    %h = arith.mulf %p0, %half : f32
    %r = arith.mulf %h, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %7 = tensor.empty() : tensor<2x6x10x17xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b, c)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%6, %mask : tensor<2x6x10x17xf32>, tensor<6x10xf32>) outs(%7 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %9 = tensor.empty() : tensor<2x6x10x17xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%8, %images : tensor<2x6x10x17xf32>, tensor<2xf32>) outs(%9 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %11 = tensor.empty() : tensor<2x6x10x17xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> ()>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%10, %scalar : tensor<2x6x10x17xf32>, tensor<f32>) outs(%11 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %13 = tensor.empty() : tensor<2x6x10x17xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%12, %rows : tensor<2x6x10x17xf32>, tensor<6x17xf32>) outs(%13 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %15 = tensor.empty() : tensor<2x6x10x17xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%14, %columns : tensor<2x6x10x17xf32>, tensor<10x17xf32>) outs(%15 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.subf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %17 = tensor.empty() : tensor<2x6x10x17xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%16, %pixels : tensor<2x6x10x17xf32>, tensor<2x6x10xf32>) outs(%17 : tensor<2x6x10x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.maximumf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x17xf32>
  %19 = tensor.empty() : tensor<2x6x10x40xf32>
  %20 = linalg.fill ins(%zero : f32) outs(%19 : tensor<2x6x10x40xf32>) -> tensor<2x6x10x40xf32>
  %21 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %v : tensor<2x8x12x16xf32>, tensor<3x3x16x40xf32>) outs(%20 : tensor<2x6x10x40xf32>) -> tensor<2x6x10x40xf32>
  %22 = tensor.empty() : tensor<2x6x10x40xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d, c, b, a)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%21, %turned : tensor<2x6x10x40xf32>, tensor<40x10x6x2xf32>) outs(%22 : tensor<2x6x10x40xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x10x40xf32>
  return %18, %23 : tensor<2x6x10x17xf32>, tensor<2x6x10x40xf32>
}

// Results that are parts of a concatenation (DenseNet), and of a larger image.
func.func @dense(%x: tensor<2x7x7x40xf32>, %w0: tensor<3x3x40x32xf32> {tpp.prepack}, %w1: tensor<3x3x72x33xf32> {tpp.prepack}, %image: tensor<2x12x9x40xf32>, %w2: tensor<3x3x105x40xf32> {tpp.prepack})
    -> (tensor<2x7x7x105xf32>, tensor<2x12x9x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x7x7x40xf32> to tensor<2x9x9x40xf32>
  %1 = tensor.empty() : tensor<2x7x7x32xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<2x7x7x32xf32>) -> tensor<2x7x7x32xf32>
  %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%0, %w0 : tensor<2x9x9x40xf32>, tensor<3x3x40x32xf32>) outs(%2 : tensor<2x7x7x32xf32>) -> tensor<2x7x7x32xf32>
  %4 = tensor.empty() : tensor<2x7x7x32xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%3 : tensor<2x7x7x32xf32>) outs(%4 : tensor<2x7x7x32xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7x32xf32>
  %6 = tensor.concat dim(3) %x, %5 : (tensor<2x7x7x40xf32>, tensor<2x7x7x32xf32>) -> tensor<2x7x7x72xf32>
  %7 = tensor.pad %6 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x7x7x72xf32> to tensor<2x9x9x72xf32>
  %8 = tensor.empty() : tensor<2x7x7x33xf32>
  %9 = linalg.fill ins(%zero : f32) outs(%8 : tensor<2x7x7x33xf32>) -> tensor<2x7x7x33xf32>
  %10 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%7, %w1 : tensor<2x9x9x72xf32>, tensor<3x3x72x33xf32>) outs(%9 : tensor<2x7x7x33xf32>) -> tensor<2x7x7x33xf32>
  %11 = tensor.empty() : tensor<2x7x7x33xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%10 : tensor<2x7x7x33xf32>) outs(%11 : tensor<2x7x7x33xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7x33xf32>
  %13 = tensor.concat dim(3) %6, %12 : (tensor<2x7x7x72xf32>, tensor<2x7x7x33xf32>) -> tensor<2x7x7x105xf32>
  %14 = tensor.pad %13 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x7x7x105xf32> to tensor<2x9x9x105xf32>
  %15 = tensor.empty() : tensor<2x7x7x40xf32>
  %16 = linalg.fill ins(%zero : f32) outs(%15 : tensor<2x7x7x40xf32>) -> tensor<2x7x7x40xf32>
  %17 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%14, %w2 : tensor<2x9x9x105xf32>, tensor<3x3x105x40xf32>) outs(%16 : tensor<2x7x7x40xf32>) -> tensor<2x7x7x40xf32>
  %18 = tensor.insert_slice %17 into %image[0, 3, 1, 0] [2, 7, 7, 40] [1, 1, 1, 1] : tensor<2x7x7x40xf32> into tensor<2x12x9x40xf32>
  return %13, %18 : tensor<2x7x7x105xf32>, tensor<2x12x9x40xf32>
}

// The result in other orders of dimensions.
func.func @transposed(%x: tensor<2x9x8x16xf32>, %w: tensor<3x3x16x20xf32> {tpp.prepack}, %v: tensor<3x3x16x24xf32> {tpp.prepack}, %u: tensor<3x3x16x40xf32> {tpp.prepack})
    -> (tensor<2x20x7x6xf32>, tensor<2x6x7x24xf32>, tensor<84x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x7x6x20xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x7x6x20xf32>) -> tensor<2x7x6x20xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x9x8x16xf32>, tensor<3x3x16x20xf32>) outs(%1 : tensor<2x7x6x20xf32>) -> tensor<2x7x6x20xf32>
  %3 = tensor.empty() : tensor<2x20x7x6xf32>
  %4 = linalg.transpose ins(%2 : tensor<2x7x6x20xf32>) outs(%3 : tensor<2x20x7x6xf32>) permutation = [0, 3, 1, 2]
  %5 = tensor.empty() : tensor<2x7x6x24xf32>
  %6 = linalg.fill ins(%zero : f32) outs(%5 : tensor<2x7x6x24xf32>) -> tensor<2x7x6x24xf32>
  %7 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %v : tensor<2x9x8x16xf32>, tensor<3x3x16x24xf32>) outs(%6 : tensor<2x7x6x24xf32>) -> tensor<2x7x6x24xf32>
  %8 = tensor.empty() : tensor<2x7x6x24xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%7 : tensor<2x7x6x24xf32>) outs(%8 : tensor<2x7x6x24xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x7x6x24xf32>
  %10 = tensor.empty() : tensor<2x6x7x24xf32>
  %11 = linalg.transpose ins(%9 : tensor<2x7x6x24xf32>) outs(%10 : tensor<2x6x7x24xf32>) permutation = [0, 2, 1, 3]
  %12 = tensor.empty() : tensor<2x7x6x40xf32>
  %13 = linalg.fill ins(%zero : f32) outs(%12 : tensor<2x7x6x40xf32>) -> tensor<2x7x6x40xf32>
  %14 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %u : tensor<2x9x8x16xf32>, tensor<3x3x16x40xf32>) outs(%13 : tensor<2x7x6x40xf32>) -> tensor<2x7x6x40xf32>
  %15 = tensor.collapse_shape %14 [[0, 1, 2], [3]] : tensor<2x7x6x40xf32> into tensor<84x40xf32>
  return %4, %11, %15 : tensor<2x20x7x6xf32>, tensor<2x6x7x24xf32>, tensor<84x40xf32>
}

// Two convolutions in a row of images in NCHW, which are computed channels-last.
func.func @chain(%x: tensor<2x16x11x11xf32>, %bias: tensor<72xf32>, %w0: tensor<72x16x3x3xf32> {tpp.prepack}, %w1: tensor<40x72x3x3xf32> {tpp.prepack})
    -> tensor<2x40x11x11xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x16x11x11xf32> to tensor<2x16x13x13xf32>
  %1 = tensor.empty() : tensor<2x72x11x11xf32>
  %2 = linalg.broadcast ins(%bias : tensor<72xf32>) outs(%1 : tensor<2x72x11x11xf32>) dimensions = [0, 2, 3]
  %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%0, %w0 : tensor<2x16x13x13xf32>, tensor<72x16x3x3xf32>) outs(%2 : tensor<2x72x11x11xf32>) -> tensor<2x72x11x11xf32>
  %4 = tensor.empty() : tensor<2x72x11x11xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%3 : tensor<2x72x11x11xf32>) outs(%4 : tensor<2x72x11x11xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x72x11x11xf32>
  %6 = tensor.pad %5 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x72x11x11xf32> to tensor<2x72x13x13xf32>
  %7 = tensor.empty() : tensor<2x40x11x11xf32>
  %8 = linalg.fill ins(%zero : f32) outs(%7 : tensor<2x40x11x11xf32>) -> tensor<2x40x11x11xf32>
  %9 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%6, %w1 : tensor<2x72x13x13xf32>, tensor<40x72x3x3xf32>) outs(%8 : tensor<2x40x11x11xf32>) -> tensor<2x40x11x11xf32>
  %10 = tensor.empty() : tensor<2x40x11x11xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%9 : tensor<2x40x11x11xf32>) outs(%10 : tensor<2x40x11x11xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %r = arith.maximumf %p0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x40x11x11xf32>
  return %11 : tensor<2x40x11x11xf32>
}

// Dilations: 2 on a padded image with a bias and a residual; 3 along the columns only, of which one is left; 4 with stride 2.
func.func @dilations(%x: tensor<2x12x16x16xf32>, %w: tensor<3x3x16x20xf32> {tpp.prepack}, %b: tensor<20xf32>, %r: tensor<2x12x16x20xf32>)
    -> (tensor<2x12x16x20xf32>, tensor<2x10x10x20xf32>, tensor<2x2x4x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x12x16x16xf32> to tensor<2x16x20x16xf32>
  %0 = tensor.empty() : tensor<2x12x16x20xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x12x16x20xf32>) -> tensor<2x12x16x20xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<2x16x20x16xf32>, tensor<3x3x16x20xf32>) outs(%1 : tensor<2x12x16x20xf32>) -> tensor<2x12x16x20xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %b, %r : tensor<2x12x16x20xf32>, tensor<20xf32>, tensor<2x12x16x20xf32>) outs(%0 : tensor<2x12x16x20xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32):
    %s0 = arith.addf %p0, %p1 : f32
    %s1 = arith.addf %s0, %p2 : f32
    linalg.yield %s1 : f32
  } -> tensor<2x12x16x20xf32>
  %4 = tensor.empty() : tensor<2x10x10x20xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<2x10x10x20xf32>) -> tensor<2x10x10x20xf32>
  %6 = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x12x16x16xf32>, tensor<3x3x16x20xf32>) outs(%5 : tensor<2x10x10x20xf32>) -> tensor<2x10x10x20xf32>
  %7 = tensor.empty() : tensor<2x2x4x20xf32>
  %8 = linalg.fill ins(%zero : f32) outs(%7 : tensor<2x2x4x20xf32>) -> tensor<2x2x4x20xf32>
  %d = tensor.extract_slice %p[0, 0, 0, 0] [2, 11, 15, 16] [1, 1, 1, 1] : tensor<2x16x20x16xf32> to tensor<2x11x15x16xf32>
  %9 = linalg.conv_2d_nhwc_hwcf {dilations = dense<4> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%d, %w : tensor<2x11x15x16xf32>, tensor<3x3x16x20xf32>) outs(%8 : tensor<2x2x4x20xf32>) -> tensor<2x2x4x20xf32>
  return %3, %6, %9 : tensor<2x12x16x20xf32>, tensor<2x10x10x20xf32>, tensor<2x2x4x20xf32>
}

// Stride 2 and dilation 2: a convolution of stride 1 on every second pixel.
func.func @stride_2_dilation_2(%x: tensor<1x17x20x16xf32>, %w: tensor<3x3x16x20xf32> {tpp.prepack})
    -> tensor<1x7x8x20xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<1x7x8x20xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x7x8x20xf32>) -> tensor<1x7x8x20xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x17x20x16xf32>, tensor<3x3x16x20xf32>) outs(%1 : tensor<1x7x8x20xf32>) -> tensor<1x7x8x20xf32>
  return %2 : tensor<1x7x8x20xf32>
}

// The result is every second pixel of an image, whose rows end with a pixel of the result.
func.func @spread(%x: tensor<2x9x8x33xf32>, %w: tensor<3x3x33x8xf32> {tpp.prepack}) -> tensor<2x8x11x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x7x6x8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x7x6x8xf32>) -> tensor<2x7x6x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x9x8x33xf32>, tensor<3x3x33x8xf32>) outs(%1 : tensor<2x7x6x8xf32>) -> tensor<2x7x6x8xf32>
  %3 = tensor.empty() : tensor<2x8x11x8xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<2x8x11x8xf32>) -> tensor<2x8x11x8xf32>
  %5 = tensor.insert_slice %2 into %4[0, 0, 0, 0] [2, 7, 6, 8] [1, 1, 2, 1] : tensor<2x7x6x8xf32> into tensor<2x8x11x8xf32>
  return %5 : tensor<2x8x11x8xf32>
}

// Filters that are a part of a constant, flipped, or equal for all taps or channels.
func.func @filters(%x: tensor<1x8x9x16xf32>, %first: tensor<3x3x24x32xf32> {tpp.prepack}, %later: tensor<3x3x24x32xf32> {tpp.prepack}, %strided: tensor<3x3x32x40xf32> {tpp.prepack}, %taps: tensor<16x20xf32> {tpp.prepack}, %channels: tensor<3x3x20xf32> {tpp.prepack}, %flipped: tensor<3x3x16x20xf32> {tpp.prepack})
    -> (tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %first[0, 0, 0, 0] [3, 3, 16, 20] [1, 1, 1, 1] : tensor<3x3x24x32xf32> to tensor<3x3x16x20xf32>
  %1 = tensor.empty() : tensor<1x6x7x20xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %0 : tensor<1x8x9x16xf32>, tensor<3x3x16x20xf32>) outs(%2 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %4 = tensor.extract_slice %later[0, 0, 5, 7] [3, 3, 16, 20] [1, 1, 1, 1] : tensor<3x3x24x32xf32> to tensor<3x3x16x20xf32>
  %5 = tensor.empty() : tensor<1x6x7x20xf32>
  %6 = linalg.fill ins(%zero : f32) outs(%5 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %7 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %4 : tensor<1x8x9x16xf32>, tensor<3x3x16x20xf32>) outs(%6 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %8 = tensor.extract_slice %strided[0, 0, 1, 0] [3, 3, 16, 20] [1, 1, 2, 2] : tensor<3x3x32x40xf32> to tensor<3x3x16x20xf32>
  %9 = tensor.empty() : tensor<1x6x7x20xf32>
  %10 = linalg.fill ins(%zero : f32) outs(%9 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %11 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %8 : tensor<1x8x9x16xf32>, tensor<3x3x16x20xf32>) outs(%10 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %12 = tensor.empty() : tensor<3x3x16x20xf32>
  %13 = linalg.broadcast ins(%taps : tensor<16x20xf32>) outs(%12 : tensor<3x3x16x20xf32>) dimensions = [0, 1]
  %14 = tensor.empty() : tensor<1x6x7x20xf32>
  %15 = linalg.fill ins(%zero : f32) outs(%14 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %16 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %13 : tensor<1x8x9x16xf32>, tensor<3x3x16x20xf32>) outs(%15 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %17 = tensor.empty() : tensor<3x3x16x20xf32>
  %18 = linalg.broadcast ins(%channels : tensor<3x3x20xf32>) outs(%17 : tensor<3x3x16x20xf32>) dimensions = [2]
  %19 = tensor.empty() : tensor<1x6x7x20xf32>
  %20 = linalg.fill ins(%zero : f32) outs(%19 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %21 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %18 : tensor<1x8x9x16xf32>, tensor<3x3x16x20xf32>) outs(%20 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %22 = tensor.empty() : tensor<3x3x16x20xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (2 - a, 2 - b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%flipped : tensor<3x3x16x20xf32>) outs(%22 : tensor<3x3x16x20xf32>) {
  ^bb0(%p0: f32, %o: f32):
    linalg.yield %p0 : f32
  } -> tensor<3x3x16x20xf32>
  %24 = tensor.empty() : tensor<1x6x7x20xf32>
  %25 = linalg.fill ins(%zero : f32) outs(%24 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  %26 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %23 : tensor<1x8x9x16xf32>, tensor<3x3x16x20xf32>) outs(%25 : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  return %3, %7, %11, %16, %21, %26 : tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>, tensor<1x6x7x20xf32>
}
