// The pass does not change its own result.
// RUN: tpp-opt %s --tpp-target=avx512 --tpp-propagate-layouts -o %t
// RUN: tpp-opt %t --tpp-propagate-layouts | diff %t -
// RUN: FileCheck %s < %t

#x = affine_map<(n, o, h, w, c, r, s) -> (n, c, h + r, w + s)>
#w = affine_map<(n, o, h, w, c, r, s) -> (o, c, r, s)>
#y = affine_map<(n, o, h, w, c, r, s) -> (n, o, h, w)>

// Two consecutive moves, where one choice of an innermost dimension is not enough.
// CHECK-LABEL: @two_moves(
// CHECK: %[[LAST:.*]] = tpp.contract {{.*}} -> tensor<8x5x5x2xf32>
// CHECK: linalg.transpose ins(%[[LAST]] {{.*}} permutation = [3, 0, 1, 2]
// CHECK-NOT: linalg.transpose
func.func @two_moves(%x: tensor<2x3x6x6xf32>, %w0: tensor<8x3x1x1xf32>, %w1: tensor<64x8x1x1xf32>, %w2: tensor<8x64x2x2xf32>) -> tensor<2x8x5x5xf32> {
  %e0 = tensor.empty() : tensor<2x8x6x6xf32>
  %0 = tpp.contract ins(%x, %w0 : tensor<2x3x6x6xf32>, tensor<8x3x1x1xf32>) outs(%e0 : tensor<2x8x6x6xf32>) {beta = 0 : i64, extents = array<i64: 2, 8, 6, 6, 3, 1, 1>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<2x8x6x6xf32>
  %e1 = tensor.empty() : tensor<2x64x6x6xf32>
  %1 = tpp.contract ins(%0, %w1 : tensor<2x8x6x6xf32>, tensor<64x8x1x1xf32>) outs(%e1 : tensor<2x64x6x6xf32>) {beta = 0 : i64, extents = array<i64: 2, 64, 6, 6, 8, 1, 1>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<2x64x6x6xf32>
  %e2 = tensor.empty() : tensor<2x8x5x5xf32>
  %2 = tpp.contract ins(%1, %w2 : tensor<2x64x6x6xf32>, tensor<8x64x2x2xf32>) outs(%e2 : tensor<2x8x5x5xf32>) {beta = 0 : i64, extents = array<i64: 2, 8, 5, 5, 64, 2, 2>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<2x8x5x5xf32>
  return %2 : tensor<2x8x5x5xf32>
}
