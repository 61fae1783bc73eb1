// Chains of contractions that are computed in bands give the results of plain loops, for a machine whose L2 holds few rows and whose L3 is slow. Each function says which values
// it computes in bands.
// RUN: split-file %s %t
// RUN: echo 'name = host' > %t/machine.txt
// RUN: echo 'l2_bytes = 24576' >> %t/machine.txt
// RUN: echo 'l3_gbs = 0.1' >> %t/machine.txt
// DEFINE: %{run} = tpp-run %t/model.mlir --check=reference --rtol=1e-5 --target=%t/machine.txt
// RUN: tpp-opt %t/model.mlir --tpp-default=target=%t/machine.txt --mlir-print-ir-after=tpp-fuse-bands -o /dev/null 2>&1 | FileCheck %t/model.mlir
// RUN: %{run} --entry=residual --threads=1 | FileCheck %t/model.mlir --check-prefix=CALLS
// RUN: %{run} --entry=residual --threads=2
// RUN: %{run} --entry=residual --threads=7
// RUN: %{run} --entry=steps --threads=1
// RUN: %{run} --entry=steps --threads=2
// RUN: %{run} --entry=dilated --threads=1
// RUN: %{run} --entry=dilated --threads=3
// RUN: %{run} --entry=images --threads=1
// RUN: %{run} --entry=images --threads=2
// RUN: %{run} --entry=products --threads=1
// RUN: %{run} --entry=products --threads=2
// RUN: %{run} --entry=long --threads=1
// RUN: %{run} --entry=long --threads=2

//--- model.mlir

// Twelve bands; the first and the last have kernels of their own.
// CALLS: kernel {{.*}}grouped_conv{{.*}}, 12 calls

// An inverted residual: the input is added to the result.
// CHECK-LABEL: @residual(
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x12x32xf32>
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x12x32xf32>
// CHECK: scf.for
func.func @residual(%x: tensor<1x24x12x8xf32>, %w0: tensor<1x1x8x32xf32> {tpp.prepack}, %w1: tensor<3x3x32xf32> {tpp.prepack}, %w2: tensor<1x1x32x8xf32> {tpp.prepack}) -> tensor<1x24x12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x24x12x32xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x24x12x32xf32>) -> tensor<1x24x12x32xf32>
  %v3 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x24x12x8xf32>, tensor<1x1x8x32xf32>) outs(%v2 : tensor<1x24x12x32xf32>) -> tensor<1x24x12x32xf32>
  %v4 = tensor.empty() : tensor<1x24x12x32xf32>
  %v5 = linalg.max ins(%v3, %v2 : tensor<1x24x12x32xf32>, tensor<1x24x12x32xf32>) outs(%v4 : tensor<1x24x12x32xf32>) -> tensor<1x24x12x32xf32>
  %v6 = tensor.pad %v5 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x24x12x32xf32> to tensor<1x26x14x32xf32>
  %v7 = tensor.empty() : tensor<1x24x12x32xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<1x24x12x32xf32>) -> tensor<1x24x12x32xf32>
  %v9 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v6, %w1 : tensor<1x26x14x32xf32>, tensor<3x3x32xf32>) outs(%v8 : tensor<1x24x12x32xf32>) -> tensor<1x24x12x32xf32>
  %v10 = tensor.empty() : tensor<1x24x12x32xf32>
  %v11 = linalg.max ins(%v9, %v8 : tensor<1x24x12x32xf32>, tensor<1x24x12x32xf32>) outs(%v10 : tensor<1x24x12x32xf32>) -> tensor<1x24x12x32xf32>
  %v12 = tensor.empty() : tensor<1x24x12x8xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x24x12x8xf32>) -> tensor<1x24x12x8xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf ins(%v11, %w2 : tensor<1x24x12x32xf32>, tensor<1x1x32x8xf32>) outs(%v13 : tensor<1x24x12x8xf32>) -> tensor<1x24x12x8xf32>
  %v15 = tensor.empty() : tensor<1x24x12x8xf32>
  %v16 = linalg.add ins(%v14, %x : tensor<1x24x12x8xf32>, tensor<1x24x12x8xf32>) outs(%v15 : tensor<1x24x12x8xf32>) -> tensor<1x24x12x8xf32>
  return %v16 : tensor<1x24x12x8xf32>
}

// Windows of 5 x 5 at every second pixel, of an image with odd sizes.
// CHECK-LABEL: @steps(
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x11x32xf32>
// CHECK: scf.for
func.func @steps(%x: tensor<1x27x11x8xf32>, %w0: tensor<1x1x8x32xf32> {tpp.prepack}, %w1: tensor<5x5x32xf32> {tpp.prepack}, %w2: tensor<1x1x32x12xf32> {tpp.prepack}) -> tensor<1x14x6x12xf32> {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x27x11x32xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x27x11x32xf32>) -> tensor<1x27x11x32xf32>
  %v3 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x27x11x8xf32>, tensor<1x1x8x32xf32>) outs(%v2 : tensor<1x27x11x32xf32>) -> tensor<1x27x11x32xf32>
  %v4 = tensor.empty() : tensor<1x27x11x32xf32>
  %v5 = linalg.max ins(%v3, %v2 : tensor<1x27x11x32xf32>, tensor<1x27x11x32xf32>) outs(%v4 : tensor<1x27x11x32xf32>) -> tensor<1x27x11x32xf32>
  %v6 = tensor.pad %v5 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x27x11x32xf32> to tensor<1x31x15x32xf32>
  %v7 = tensor.empty() : tensor<1x14x6x32xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<1x14x6x32xf32>) -> tensor<1x14x6x32xf32>
  %v9 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%v6, %w1 : tensor<1x31x15x32xf32>, tensor<5x5x32xf32>) outs(%v8 : tensor<1x14x6x32xf32>) -> tensor<1x14x6x32xf32>
  %v10 = tensor.empty() : tensor<1x14x6x32xf32>
  %v11 = linalg.max ins(%v9, %v8 : tensor<1x14x6x32xf32>, tensor<1x14x6x32xf32>) outs(%v10 : tensor<1x14x6x32xf32>) -> tensor<1x14x6x32xf32>
  %v12 = tensor.empty() : tensor<1x14x6x12xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x14x6x12xf32>) -> tensor<1x14x6x12xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf ins(%v11, %w2 : tensor<1x14x6x32xf32>, tensor<1x1x32x12xf32>) outs(%v13 : tensor<1x14x6x12xf32>) -> tensor<1x14x6x12xf32>
  return %v14 : tensor<1x14x6x12xf32>
}

// Windows of pixels that are two apart.
// CHECK-LABEL: @dilated(
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x9x24xf32>
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x9x24xf32>
// CHECK: scf.for
func.func @dilated(%x: tensor<1x30x9x8xf32>, %w0: tensor<1x1x8x24xf32> {tpp.prepack}, %w1: tensor<3x3x24xf32> {tpp.prepack}, %w2: tensor<1x1x24x8xf32> {tpp.prepack}) -> tensor<1x30x9x8xf32> {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x30x9x24xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x30x9x24xf32>) -> tensor<1x30x9x24xf32>
  %v3 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x30x9x8xf32>, tensor<1x1x8x24xf32>) outs(%v2 : tensor<1x30x9x24xf32>) -> tensor<1x30x9x24xf32>
  %v4 = tensor.empty() : tensor<1x30x9x24xf32>
  %v5 = linalg.max ins(%v3, %v2 : tensor<1x30x9x24xf32>, tensor<1x30x9x24xf32>) outs(%v4 : tensor<1x30x9x24xf32>) -> tensor<1x30x9x24xf32>
  %v6 = tensor.pad %v5 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x30x9x24xf32> to tensor<1x34x13x24xf32>
  %v7 = tensor.empty() : tensor<1x30x9x24xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<1x30x9x24xf32>) -> tensor<1x30x9x24xf32>
  %v9 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v6, %w1 : tensor<1x34x13x24xf32>, tensor<3x3x24xf32>) outs(%v8 : tensor<1x30x9x24xf32>) -> tensor<1x30x9x24xf32>
  %v10 = tensor.empty() : tensor<1x30x9x24xf32>
  %v11 = linalg.max ins(%v9, %v8 : tensor<1x30x9x24xf32>, tensor<1x30x9x24xf32>) outs(%v10 : tensor<1x30x9x24xf32>) -> tensor<1x30x9x24xf32>
  %v12 = tensor.empty() : tensor<1x30x9x8xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x30x9x8xf32>) -> tensor<1x30x9x8xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf ins(%v11, %w2 : tensor<1x30x9x24xf32>, tensor<1x1x24x8xf32>) outs(%v13 : tensor<1x30x9x8xf32>) -> tensor<1x30x9x8xf32>
  return %v14 : tensor<1x30x9x8xf32>
}

// Three images, one at a time (tpp-split-batch). Each is computed in bands.
// CHECK-LABEL: @images(
// CHECK: scf.for
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x16x24xf32>
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x16x24xf32>
// CHECK: scf.for
func.func @images(%x: tensor<3x16x16x8xf32>, %w0: tensor<1x1x8x24xf32> {tpp.prepack}, %w1: tensor<3x3x24xf32> {tpp.prepack}, %w2: tensor<1x1x24x8xf32> {tpp.prepack}) -> tensor<3x16x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<3x16x16x24xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<3x16x16x24xf32>) -> tensor<3x16x16x24xf32>
  %v3 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<3x16x16x8xf32>, tensor<1x1x8x24xf32>) outs(%v2 : tensor<3x16x16x24xf32>) -> tensor<3x16x16x24xf32>
  %v4 = tensor.empty() : tensor<3x16x16x24xf32>
  %v5 = linalg.max ins(%v3, %v2 : tensor<3x16x16x24xf32>, tensor<3x16x16x24xf32>) outs(%v4 : tensor<3x16x16x24xf32>) -> tensor<3x16x16x24xf32>
  %v6 = tensor.pad %v5 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<3x16x16x24xf32> to tensor<3x18x18x24xf32>
  %v7 = tensor.empty() : tensor<3x16x16x24xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<3x16x16x24xf32>) -> tensor<3x16x16x24xf32>
  %v9 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v6, %w1 : tensor<3x18x18x24xf32>, tensor<3x3x24xf32>) outs(%v8 : tensor<3x16x16x24xf32>) -> tensor<3x16x16x24xf32>
  %v10 = tensor.empty() : tensor<3x16x16x24xf32>
  %v11 = linalg.max ins(%v9, %v8 : tensor<3x16x16x24xf32>, tensor<3x16x16x24xf32>) outs(%v10 : tensor<3x16x16x24xf32>) -> tensor<3x16x16x24xf32>
  %v12 = tensor.empty() : tensor<3x16x16x8xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<3x16x16x8xf32>) -> tensor<3x16x16x8xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf ins(%v11, %w2 : tensor<3x16x16x24xf32>, tensor<1x1x24x8xf32>) outs(%v13 : tensor<3x16x16x8xf32>) -> tensor<3x16x16x8xf32>
  %v15 = tensor.empty() : tensor<3x16x16x8xf32>
  %v16 = linalg.add ins(%v14, %x : tensor<3x16x16x8xf32>, tensor<3x16x16x8xf32>) outs(%v15 : tensor<3x16x16x8xf32>) -> tensor<3x16x16x8xf32>
  return %v16 : tensor<3x16x16x8xf32>
}

// Rows of the first product are those of the second.
// CHECK-LABEL: @products(
// CHECK: memref.alloc() {{.*}} : memref<1x1x{{[1-9][0-9]}}x32xf32>
// CHECK: scf.for
func.func @products(%x: tensor<1x1x600x16xf32>, %w0: tensor<1x1x16x32xf32> {tpp.prepack}, %w1: tensor<1x1x32x16xf32> {tpp.prepack}) -> tensor<1x1x600x16xf32> {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x1x600x32xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x1x600x32xf32>) -> tensor<1x1x600x32xf32>
  %v3 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x1x600x16xf32>, tensor<1x1x16x32xf32>) outs(%v2 : tensor<1x1x600x32xf32>) -> tensor<1x1x600x32xf32>
  %v4 = tensor.empty() : tensor<1x1x600x32xf32>
  %v5 = linalg.max ins(%v3, %v2 : tensor<1x1x600x32xf32>, tensor<1x1x600x32xf32>) outs(%v4 : tensor<1x1x600x32xf32>) -> tensor<1x1x600x32xf32>
  %v6 = tensor.empty() : tensor<1x1x600x16xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<1x1x600x16xf32>) -> tensor<1x1x600x16xf32>
  %v8 = linalg.conv_2d_nhwc_hwcf ins(%v5, %w1 : tensor<1x1x600x32xf32>, tensor<1x1x32x16xf32>) outs(%v7 : tensor<1x1x600x16xf32>) -> tensor<1x1x600x16xf32>
  return %v8 : tensor<1x1x600x16xf32>
}

// Five convolutions. At most four are one chain.
// CHECK-LABEL: @long(
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x12x32xf32>
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x12x32xf32>
// CHECK: memref.alloc() {{.*}} : memref<1x{{[1-9]}}x12x8xf32>
// CHECK: scf.for
func.func @long(%x: tensor<1x40x12x8xf32>, %w0: tensor<1x1x8x32xf32> {tpp.prepack}, %w1: tensor<3x3x32xf32> {tpp.prepack}, %w2: tensor<1x1x32x8xf32> {tpp.prepack}, %w3: tensor<1x1x8x32xf32> {tpp.prepack}, %w4: tensor<3x3x32xf32> {tpp.prepack}) -> tensor<1x20x6x32xf32> {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x40x12x32xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v3 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x40x12x8xf32>, tensor<1x1x8x32xf32>) outs(%v2 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v4 = tensor.empty() : tensor<1x40x12x32xf32>
  %v5 = linalg.max ins(%v3, %v2 : tensor<1x40x12x32xf32>, tensor<1x40x12x32xf32>) outs(%v4 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v6 = tensor.pad %v5 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x40x12x32xf32> to tensor<1x42x14x32xf32>
  %v7 = tensor.empty() : tensor<1x40x12x32xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v9 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v6, %w1 : tensor<1x42x14x32xf32>, tensor<3x3x32xf32>) outs(%v8 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v10 = tensor.empty() : tensor<1x40x12x32xf32>
  %v11 = linalg.max ins(%v9, %v8 : tensor<1x40x12x32xf32>, tensor<1x40x12x32xf32>) outs(%v10 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v12 = tensor.empty() : tensor<1x40x12x8xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x40x12x8xf32>) -> tensor<1x40x12x8xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf ins(%v11, %w2 : tensor<1x40x12x32xf32>, tensor<1x1x32x8xf32>) outs(%v13 : tensor<1x40x12x8xf32>) -> tensor<1x40x12x8xf32>
  %v15 = tensor.empty() : tensor<1x40x12x8xf32>
  %v16 = linalg.max ins(%v14, %v13 : tensor<1x40x12x8xf32>, tensor<1x40x12x8xf32>) outs(%v15 : tensor<1x40x12x8xf32>) -> tensor<1x40x12x8xf32>
  %v17 = tensor.empty() : tensor<1x40x12x32xf32>
  %v18 = linalg.fill ins(%zero : f32) outs(%v17 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v19 = linalg.conv_2d_nhwc_hwcf ins(%v16, %w3 : tensor<1x40x12x8xf32>, tensor<1x1x8x32xf32>) outs(%v18 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v20 = tensor.empty() : tensor<1x40x12x32xf32>
  %v21 = linalg.max ins(%v19, %v18 : tensor<1x40x12x32xf32>, tensor<1x40x12x32xf32>) outs(%v20 : tensor<1x40x12x32xf32>) -> tensor<1x40x12x32xf32>
  %v22 = tensor.pad %v21 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x40x12x32xf32> to tensor<1x42x14x32xf32>
  %v23 = tensor.empty() : tensor<1x20x6x32xf32>
  %v24 = linalg.fill ins(%zero : f32) outs(%v23 : tensor<1x20x6x32xf32>) -> tensor<1x20x6x32xf32>
  %v25 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%v22, %w4 : tensor<1x42x14x32xf32>, tensor<3x3x32xf32>) outs(%v24 : tensor<1x20x6x32xf32>) -> tensor<1x20x6x32xf32>
  return %v25 : tensor<1x20x6x32xf32>
}
