// A sum over neighbouring channels (local response normalization, as torch-mlir writes it: a pool of videos whose frames are the channels) between two
// convolutions: only the image and the result are moved.
// RUN: tpp-opt %s --tpp-default-tensors=target=zen4 | FileCheck %s

// CHECK-LABEL: func.func @windows(
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// CHECK: tpp.contract {{.*}} winograd
// CHECK-NOT: linalg.transpose
// CHECK: tpp.contract {{.*}} winograd
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @windows(%x: tensor<1x64x34x34xf32>) -> tensor<1x64x30x30xf32> {
  %w = arith.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x34x34xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  %v = tensor.expand_shape %y [[0], [1], [2], [3, 4]] output_shape [1, 64, 32, 32, 1] : tensor<1x64x32x32xf32> into tensor<1x64x32x32x1xf32>
  %p = tensor.pad %v low[0, 2, 0, 0, 0] high[0, 2, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index, %i: index):
    tensor.yield %zero : f32
  } : tensor<1x64x32x32x1xf32> to tensor<1x68x32x32x1xf32>
  %window = tensor.empty() : tensor<5x1x1xf32>
  %pe = tensor.empty() : tensor<1x64x32x32x1xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<1x64x32x32x1xf32>) -> tensor<1x64x32x32x1xf32>
  %s = linalg.pooling_ndhwc_sum ins(%p, %window : tensor<1x68x32x32x1xf32>, tensor<5x1x1xf32>) outs(%pf : tensor<1x64x32x32x1xf32>) -> tensor<1x64x32x32x1xf32>
  %n = tensor.collapse_shape %s [[0], [1], [2], [3, 4]] : tensor<1x64x32x32x1xf32> into tensor<1x64x32x32xf32>
  %re = tensor.empty() : tensor<1x64x30x30xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<1x64x30x30xf32>) -> tensor<1x64x30x30xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%n, %w : tensor<1x64x32x32xf32>, tensor<64x64x3x3xf32>) outs(%rf : tensor<1x64x30x30xf32>) -> tensor<1x64x30x30xf32>
  return %r : tensor<1x64x30x30xf32>
}
