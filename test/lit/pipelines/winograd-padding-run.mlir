// Convolutions by Winograd's algorithm on padded images, which they read without the padding, give the results of plain loops. For the machines, see
// winograd-run.mlir.
// RUN: split-file %s %t
// DEFINE: %{run} = tpp-run %t/model.mlir --check=reference --rtol=2e-5 --winograd=always
// DEFINE: %{check} = FileCheck %t/model.mlir --check-prefixes=CHECK
// RUN: tpp-opt %t/model.mlir --tpp-default-tensors="target=zen4 winograd=always" | FileCheck %t/model.mlir --check-prefix=PADDED
// RUN: %{run} --entry=borders --threads=1 --target=%t/blocks.txt | %{check},WINOGRAD,R5
// RUN: %{run} --entry=borders --threads=2 --target=%t/own.txt | %{check},WINOGRAD,R5
// RUN: %{run} --entry=borders --threads=3 --target=%t/shared.txt | %{check},WINOGRAD,R5
// RUN: %{run} --entry=beyond --threads=1 --target=%t/blocks.txt | %{check},WINOGRAD,R4
// RUN: %{run} --entry=beyond --threads=2 --target=%t/own.txt | %{check},WINOGRAD,R4
// RUN: %{run} --entry=beyond --threads=3 --target=%t/shared.txt | %{check},WINOGRAD,R4
// RUN: %{run} --entry=channels_first --threads=1 --target=%t/blocks.txt | %{check},R2
// RUN: %{run} --entry=channels_first --threads=2 --target=%t/own.txt | %{check},R2
// RUN: %{run} --entry=channels_first --threads=3 --target=%t/shared.txt | %{check},R2
// RUN: %{run} --entry=chain --threads=1 --target=%t/blocks.txt | %{check},WINOGRAD,R1
// RUN: %{run} --entry=chain --threads=2 --target=%t/own.txt | %{check},WINOGRAD,R1
// RUN: %{run} --entry=chain --threads=3 --target=%t/shared.txt | %{check},WINOGRAD,R1
// RUN: %{run} --entry=one_column --threads=1 --target=%t/blocks.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=one_column --threads=2 --target=%t/own.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=one_column --threads=3 --target=%t/shared.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=one_row --threads=1 --target=%t/blocks.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=one_row --threads=2 --target=%t/own.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=one_row --threads=3 --target=%t/shared.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=every_second_pixel --threads=1 --target=%t/blocks.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=every_second_pixel --threads=2 --target=%t/own.txt | %{check},WINOGRAD,R2
// RUN: %{run} --entry=every_second_pixel --threads=3 --target=%t/shared.txt | %{check},WINOGRAD,R2

//--- own.txt

name = host
fma_per_cycle = 0.01
memory_gbs = 100000
barrier_ns = 1000000000

//--- shared.txt

name = host
fma_per_cycle = 0.01
memory_gbs = 100000
l3_gbs = 100000
fork_ns = 0.01
barrier_ns = 0.01

//--- blocks.txt

name = host
fma_per_cycle = 0.01
memory_gbs = 100000
l3_gbs = 1
l2_bytes = 16384
barrier_ns = 1000000000

//--- model.mlir

// CHECK-NOT: {{scalar|DIFFERS}}
// WINOGRAD: kernel {{.*}}winograd_input_f32_{{[24]}}
// WINOGRAD: kernel {{.*}}winograd_output_f32_{{[24]}}
// R1: result #0 equals the reference
// R2: result #1 equals the reference
// R4: result #3 equals the reference
// R5: result #4 equals the reference
// CHECK-NOT: DIFFERS

// Borders of one pixel, of different widths on each side, and of up to two before the image.
// PADDED-LABEL: @borders(
// PADDED-COUNT-5: padded, {{.*}}winograd =
// PADDED-NOT: padded,
func.func @borders(%a0: tensor<1x14x14x16xf32>, %a1: tensor<3x3x16x20xf32> {tpp.prepack}, %a2: tensor<2x7x9x17xf32>, %a3: tensor<3x3x17x16xf32> {tpp.prepack}, %a4: tensor<1x5x21x8xf32>, %a5: tensor<3x3x8x40xf32> {tpp.prepack}, %a6: tensor<40xf32>, %a7: tensor<3x6x6x16xf32>, %a8: tensor<3x3x16x8xf32> {tpp.prepack}, %a9: tensor<1x30x5x16xf32>, %a10: tensor<3x3x16x16xf32> {tpp.prepack}, %a11: tensor<1x32x7x16xf32>) -> (tensor<1x14x14x20xf32>, tensor<2x7x9x16xf32>, tensor<1x6x22x40xf32>, tensor<3x5x4x8xf32>, tensor<1x32x7x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x16xf32> to tensor<1x16x16x16xf32>
  %v2 = tensor.empty() : tensor<1x14x14x20xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x14x14x20xf32>) -> tensor<1x14x14x20xf32>
  %v4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x16x16x16xf32>, tensor<3x3x16x20xf32>) outs(%v3 : tensor<1x14x14x20xf32>) -> tensor<1x14x14x20xf32>
  %v5 = tensor.pad %a2 low[0, 0, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x7x9x17xf32> to tensor<2x9x11x17xf32>
  %v6 = tensor.empty() : tensor<2x7x9x16xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x7x9x16xf32>) -> tensor<2x7x9x16xf32>
  %v8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x9x11x17xf32>, tensor<3x3x17x16xf32>) outs(%v7 : tensor<2x7x9x16xf32>) -> tensor<2x7x9x16xf32>
  %v9 = tensor.pad %a4 low[0, 2, 1, 0] high[0, 1, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x5x21x8xf32> to tensor<1x8x24x8xf32>
  %v10 = tensor.empty() : tensor<1x6x22x40xf32>
  %v11 = linalg.broadcast ins(%a6 : tensor<40xf32>) outs(%v10 : tensor<1x6x22x40xf32>) dimensions = [0, 1, 2]
  %v12 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v9, %a5 : tensor<1x8x24x8xf32>, tensor<3x3x8x40xf32>) outs(%v11 : tensor<1x6x22x40xf32>) -> tensor<1x6x22x40xf32>
  %v13 = tensor.pad %a7 low[0, 1, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<3x6x6x16xf32> to tensor<3x7x6x16xf32>
  %v14 = tensor.empty() : tensor<3x5x4x8xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<3x5x4x8xf32>) -> tensor<3x5x4x8xf32>
  %v16 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v13, %a8 : tensor<3x7x6x16xf32>, tensor<3x3x16x8xf32>) outs(%v15 : tensor<3x5x4x8xf32>) -> tensor<3x5x4x8xf32>
  %v17 = tensor.pad %a9 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x30x5x16xf32> to tensor<1x34x9x16xf32>
  %v18 = tensor.empty() : tensor<1x32x7x16xf32>
  %v19 = linalg.fill ins(%zero : f32) outs(%v18 : tensor<1x32x7x16xf32>) -> tensor<1x32x7x16xf32>
  %v20 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v17, %a10 : tensor<1x34x9x16xf32>, tensor<3x3x16x16xf32>) outs(%v19 : tensor<1x32x7x16xf32>) -> tensor<1x32x7x16xf32>
  %v21 = tensor.empty() : tensor<1x32x7x16xf32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v20, %a11 : tensor<1x32x7x16xf32>, tensor<1x32x7x16xf32>) outs(%v21 : tensor<1x32x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %q = arith.addf %p0, %p1 : f32
    %r = arith.maximumf %q, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x32x7x16xf32>
  return %v4, %v8, %v12, %v16, %v22 : tensor<1x14x14x20xf32>, tensor<2x7x9x16xf32>, tensor<1x6x22x40xf32>, tensor<3x5x4x8xf32>, tensor<1x32x7x16xf32>
}

// Wide borders after the image, so that whole tiles read nothing but padding, and one of three pixels before it, which stays.
// PADDED-LABEL: @beyond(
// PADDED-COUNT-3: padded, {{.*}}winograd =
// PADDED-NOT: padded,
func.func @beyond(%a0: tensor<1x3x4x16xf32>, %a1: tensor<3x3x16x20xf32> {tpp.prepack}, %a2: tensor<2x2x6x8xf32>, %a3: tensor<3x3x8x16xf32> {tpp.prepack}, %a4: tensor<1x9x9x16xf32>, %a5: tensor<3x3x16x16xf32> {tpp.prepack}, %a6: tensor<1x2x2x16xf32>, %a7: tensor<3x3x16x16xf32> {tpp.prepack}) -> (tensor<1x11x15x20xf32>, tensor<2x11x5x16xf32>, tensor<1x11x9x16xf32>, tensor<1x7x2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 9, 12, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x4x16xf32> to tensor<1x13x17x16xf32>
  %v2 = tensor.empty() : tensor<1x11x15x20xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x11x15x20xf32>) -> tensor<1x11x15x20xf32>
  %v4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x13x17x16xf32>, tensor<3x3x16x20xf32>) outs(%v3 : tensor<1x11x15x20xf32>) -> tensor<1x11x15x20xf32>
  %v5 = tensor.pad %a2 low[0, 0, 0, 0] high[0, 11, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x2x6x8xf32> to tensor<2x13x7x8xf32>
  %v6 = tensor.empty() : tensor<2x11x5x16xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x11x5x16xf32>) -> tensor<2x11x5x16xf32>
  %v8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x13x7x8xf32>, tensor<3x3x8x16xf32>) outs(%v7 : tensor<2x11x5x16xf32>) -> tensor<2x11x5x16xf32>
  %v9 = tensor.pad %a4 low[0, 3, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x16xf32> to tensor<1x13x11x16xf32>
  %v10 = tensor.empty() : tensor<1x11x9x16xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x11x9x16xf32>) -> tensor<1x11x9x16xf32>
  %v12 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v9, %a5 : tensor<1x13x11x16xf32>, tensor<3x3x16x16xf32>) outs(%v11 : tensor<1x11x9x16xf32>) -> tensor<1x11x9x16xf32>
  %v13 = tensor.pad %a6 low[0, 2, 2, 0] high[0, 5, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x2x2x16xf32> to tensor<1x9x4x16xf32>
  %v14 = tensor.empty() : tensor<1x7x2x16xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<1x7x2x16xf32>) -> tensor<1x7x2x16xf32>
  %v16 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v13, %a7 : tensor<1x9x4x16xf32>, tensor<3x3x16x16xf32>) outs(%v15 : tensor<1x7x2x16xf32>) -> tensor<1x7x2x16xf32>
  return %v4, %v8, %v12, %v16 : tensor<1x11x15x20xf32>, tensor<2x11x5x16xf32>, tensor<1x11x9x16xf32>, tensor<1x7x2x16xf32>
}

// Channels first: these may stay with brgemm.
// PADDED-LABEL: @channels_first(
func.func @channels_first(%a0: tensor<1x16x14x12xf32>, %a1: tensor<16x16x3x3xf32> {tpp.prepack}, %a2: tensor<2x20x7x9xf32>, %a3: tensor<16x20x3x3xf32> {tpp.prepack}, %a4: tensor<2x16x7x8xf32>) -> (tensor<1x16x14x12xf32>, tensor<2x16x7x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x16x14x12xf32> to tensor<1x16x16x14xf32>
  %v2 = tensor.empty() : tensor<1x16x14x12xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x16x14x12xf32>) -> tensor<1x16x14x12xf32>
  %v4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x16x16x14xf32>, tensor<16x16x3x3xf32>) outs(%v3 : tensor<1x16x14x12xf32>) -> tensor<1x16x14x12xf32>
  %v5 = tensor.pad %a2 low[0, 0, 2, 0] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x20x7x9xf32> to tensor<2x20x9x10xf32>
  %v6 = tensor.empty() : tensor<2x16x7x8xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x16x7x8xf32>) -> tensor<2x16x7x8xf32>
  %v8 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x20x9x10xf32>, tensor<16x20x3x3xf32>) outs(%v7 : tensor<2x16x7x8xf32>) -> tensor<2x16x7x8xf32>
  %v9 = tensor.empty() : tensor<2x16x7x8xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v8, %a4 : tensor<2x16x7x8xf32>, tensor<2x16x7x8xf32>) outs(%v9 : tensor<2x16x7x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %q = arith.addf %p0, %p1 : f32
    %r = arith.maximumf %q, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x16x7x8xf32>
  return %v4, %v10 : tensor<1x16x14x12xf32>, tensor<2x16x7x8xf32>
}

// Convolutions that follow one another, with a residual.
// PADDED-LABEL: @chain(
// PADDED-COUNT-3: padded, {{.*}}winograd =
// PADDED-NOT: padded,
func.func @chain(%a0: tensor<2x13x11x16xf32>, %a1: tensor<3x3x16x16xf32> {tpp.prepack}, %a2: tensor<16xf32>, %a3: tensor<3x3x16x16xf32> {tpp.prepack}, %a4: tensor<3x3x16x24xf32> {tpp.prepack}) -> (tensor<2x13x11x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x13x11x16xf32> to tensor<2x15x13x16xf32>
  %v2 = tensor.empty() : tensor<2x13x11x16xf32>
  %v3 = linalg.broadcast ins(%a2 : tensor<16xf32>) outs(%v2 : tensor<2x13x11x16xf32>) dimensions = [0, 1, 2]
  %v4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v1, %a1 : tensor<2x15x13x16xf32>, tensor<3x3x16x16xf32>) outs(%v3 : tensor<2x13x11x16xf32>) -> tensor<2x13x11x16xf32>
  %v5 = tensor.pad %v4 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x13x11x16xf32> to tensor<2x15x13x16xf32>
  %v6 = tensor.empty() : tensor<2x13x11x16xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x13x11x16xf32>) -> tensor<2x13x11x16xf32>
  %v8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x15x13x16xf32>, tensor<3x3x16x16xf32>) outs(%v7 : tensor<2x13x11x16xf32>) -> tensor<2x13x11x16xf32>
  %v9 = tensor.empty() : tensor<2x13x11x16xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v8, %a0 : tensor<2x13x11x16xf32>, tensor<2x13x11x16xf32>) outs(%v9 : tensor<2x13x11x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %q = arith.addf %p0, %p1 : f32
    %r = arith.maximumf %q, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x13x11x16xf32>
  %v11 = tensor.pad %v10 low[0, 2, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x13x11x16xf32> to tensor<2x15x13x16xf32>
  %v12 = tensor.empty() : tensor<2x13x11x24xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<2x13x11x24xf32>) -> tensor<2x13x11x24xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v11, %a4 : tensor<2x15x13x16xf32>, tensor<3x3x16x24xf32>) outs(%v13 : tensor<2x13x11x24xf32>) -> tensor<2x13x11x24xf32>
  return %v14 : tensor<2x13x11x24xf32>
}

// Images of one column: the strides of rows and columns are equal.
// PADDED-LABEL: @one_column(
// PADDED-COUNT-2: padded, {{.*}}winograd =
// PADDED-NOT: padded,
func.func @one_column(%a0: tensor<1x8x1x16xf32>, %a1: tensor<3x3x16x16xf32> {tpp.prepack}, %a2: tensor<2x5x1x8xf32>, %a3: tensor<3x3x8x20xf32> {tpp.prepack}) -> (tensor<1x8x3x16xf32>, tensor<2x4x2x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 2, 0] high[0, 1, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x8x1x16xf32> to tensor<1x10x5x16xf32>
  %v2 = tensor.empty() : tensor<1x8x3x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x8x3x16xf32>) -> tensor<1x8x3x16xf32>
  %v4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x10x5x16xf32>, tensor<3x3x16x16xf32>) outs(%v3 : tensor<1x8x3x16xf32>) -> tensor<1x8x3x16xf32>
  %v5 = tensor.pad %a2 low[0, 0, 1, 0] high[0, 1, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x5x1x8xf32> to tensor<2x6x4x8xf32>
  %v6 = tensor.empty() : tensor<2x4x2x20xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x4x2x20xf32>) -> tensor<2x4x2x20xf32>
  %v8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x6x4x8xf32>, tensor<3x3x8x20xf32>) outs(%v7 : tensor<2x4x2x20xf32>) -> tensor<2x4x2x20xf32>
  return %v4, %v8 : tensor<1x8x3x16xf32>, tensor<2x4x2x20xf32>
}

// Images of one row: the strides of rows and of images are equal.
// PADDED-LABEL: @one_row(
func.func @one_row(%a0: tensor<2x1x4x8xf32>, %a1: tensor<3x3x8x16xf32> {tpp.prepack}, %a2: tensor<2x1x11x8xf32>, %a3: tensor<3x3x8x20xf32> {tpp.prepack}) -> (tensor<2x2x2x16xf32>, tensor<2x2x19x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 2, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x1x4x8xf32> to tensor<2x4x4x8xf32>
  %v2 = tensor.empty() : tensor<2x2x2x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
  %v4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v1, %a1 : tensor<2x4x4x8xf32>, tensor<3x3x8x16xf32>) outs(%v3 : tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
  %v5 = tensor.pad %a2 low[0, 2, 2, 0] high[0, 1, 8, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x1x11x8xf32> to tensor<2x4x21x8xf32>
  %v6 = tensor.empty() : tensor<2x2x19x20xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x2x19x20xf32>) -> tensor<2x2x19x20xf32>
  %v8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x4x21x8xf32>, tensor<3x3x8x20xf32>) outs(%v7 : tensor<2x2x19x20xf32>) -> tensor<2x2x19x20xf32>
  return %v4, %v8 : tensor<2x2x2x16xf32>, tensor<2x2x19x20xf32>
}

// Steps and dilations of two pixels: what borders cover depends on the step.
// PADDED-LABEL: @every_second_pixel(
func.func @every_second_pixel(%a0: tensor<1x21x17x16xf32>, %a1: tensor<3x3x16x16xf32> {tpp.prepack}, %a2: tensor<2x14x15x16xf32>, %a3: tensor<3x3x16x20xf32> {tpp.prepack}) -> (tensor<1x11x9x16xf32>, tensor<2x7x6x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x21x17x16xf32> to tensor<1x25x21x16xf32>
  %v2 = tensor.empty() : tensor<1x11x9x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x11x9x16xf32>) -> tensor<1x11x9x16xf32>
  %v4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x25x21x16xf32>, tensor<3x3x16x16xf32>) outs(%v3 : tensor<1x11x9x16xf32>) -> tensor<1x11x9x16xf32>
  %v5 = tensor.pad %a2 low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x14x15x16xf32> to tensor<2x17x16x16xf32>
  %v6 = tensor.empty() : tensor<2x7x6x20xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x7x6x20xf32>) -> tensor<2x7x6x20xf32>
  %v8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x17x16x16xf32>, tensor<3x3x16x20xf32>) outs(%v7 : tensor<2x7x6x20xf32>) -> tensor<2x7x6x20xf32>
  return %v4, %v8 : tensor<1x11x9x16xf32>, tensor<2x7x6x20xf32>
}
