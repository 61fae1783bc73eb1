// Images come and leave channels-first. Winograd's algorithm, which needs channels-last images, is worth the
// transposition of the pixels; the direct convolution reads them as they are.
// RUN: tpp-opt %s --tpp-default-tensors=target=zen4 | FileCheck %s
// RUN: tpp-opt %s "--tpp-default-tensors=target=zen4 winograd=off" | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: func.func @convolution(
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<1x34x34x64xf32>) permutation = [0, 2, 3, 1]
// CHECK: tpp.contract {{.*}} winograd = 4
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<1x64x32x32xf32>) permutation = [0, 3, 1, 2]
// OFF-LABEL: func.func @convolution(
// OFF-SAME: %[[X:[a-z0-9]*]]: tensor<1x64x34x34xf32>
// OFF-NOT: linalg.transpose
// OFF: tpp.contract ins(%[[X]],
// OFF-NOT: winograd
// OFF: return
func.func @convolution(%x: tensor<1x64x34x34xf32>) -> tensor<1x64x32x32xf32> {
  %w = arith.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x34x34xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  return %y : tensor<1x64x32x32xf32>
}
