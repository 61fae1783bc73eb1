// A depthwise convolution whose pixels are written two apart, between zeros: the last pixel of a row ends where the next row begins.
// RUN: tpp-run %s --threads=1 --check=reference | FileCheck %s
// RUN: tpp-run %s --threads=2 --check=reference | FileCheck %s

// CHECK: kernel {{.*}}grouped_conv_f32
// CHECK: result #0 equals the reference
func.func @main(%x: tensor<1x5x20x3xf32>, %w: tensor<2x7x3xf32> {tpp.prepack}) -> tensor<1x7x27x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x14x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x14x3xf32>) -> tensor<1x4x14x3xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x5x20x3xf32>, tensor<2x7x3xf32>) outs(%z : tensor<1x4x14x3xf32>) -> tensor<1x4x14x3xf32>
  %ez = tensor.empty() : tensor<1x7x27x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%ez : tensor<1x7x27x3xf32>) -> tensor<1x7x27x3xf32>
  %r = tensor.insert_slice %y into %zeros[0, 1, 0, 0] [1, 4, 14, 3] [1, 1, 2, 1] : tensor<1x4x14x3xf32> into tensor<1x7x27x3xf32>
  return %r : tensor<1x7x27x3xf32>
}
