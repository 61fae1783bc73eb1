// A convolution on NCHW becomes channels-last. If an op has no layout rule, or does not support this layout, the convolution's
// result is moved back.
// RUN: tpp-opt %s --tpp-default-tensors --tpp-layout-report=- -o /dev/null | FileCheck %s

// CHECK-LABEL: @rule: packs 0, unpacks 0, copies 2, 3098624 bytes read and written in a call
// CHECK-NEXT: what times
// CHECK-NEXT: transpose 1 1605632 1x64x56x56xf32 1x56x56x64xf32 layout-report-rules.mlir:[[#@LINE+7]]:8 edge argument 0 has the program's layout
// CHECK-NEXT: transpose 1 1492992 1x54x54x64xf32 1x64x54x54xf32 layout-report-rules.mlir:[[#@LINE+7]]:8 no rule tensor.gather has no layout rule
func.func @rule(%x: tensor<1x64x56x56xf32>, %i: tensor<9x4xindex>) -> (tensor<1x64x54x54xf32>, tensor<9xf32>) {
  %w = arith.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x54x54xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %1 = tensor.gather %0[%i] gather_dims([0, 1, 2, 3]) unique : (tensor<1x64x54x54xf32>, tensor<9x4xindex>) -> tensor<9xf32>
  return %0, %1 : tensor<1x64x54x54xf32>, tensor<9xf32>
}

// CHECK-LABEL: @mixed:
// CHECK: edge argument 0 has the program's layout
// CHECK-NEXT: 1x64x54x54xf32 layout-report-rules.mlir:[[#@LINE+7]]:8 no rule tensor.collapse_shape does not support this layout
func.func @mixed(%x: tensor<1x64x56x56xf32>) -> tensor<1x186624xf32> {
  %w = arith.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x54x54xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2, 3]] : tensor<1x64x54x54xf32> into tensor<1x186624xf32>
  return %1 : tensor<1x186624xf32>
}

// Results keep the program's layout.
// CHECK-LABEL: @result:
// CHECK: 1x64x54x54xf32 layout-report-rules.mlir:[[#@LINE+7]]:3 edge result 0 must have the program's layout
func.func @result(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x54x54xf32> {
  %w = arith.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x54x54xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  return %0 : tensor<1x64x54x54xf32>
}
