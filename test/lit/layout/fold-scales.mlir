// Batch normalization after a convolution becomes a scaled filter and a bias. Scales along other dimensions and scales that are
// not constant stay.
// RUN: tpp-opt %s --tpp-fold-scales --split-input-file | FileCheck %s

// sub, mul, mul, add by constants along the output's columns. The residual addition and relu stay after the bias.
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0)>
// CHECK-DAG: #[[BIAS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1)>
// CHECK-LABEL: @batch_norm(
// CHECK-SAME: %[[X:.*]]: tensor<1x6x6x8xf32>, %[[R:.*]]: tensor<1x4x4x16xf32>
// CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK: %[[SHIFT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: %[[SCALED:.*]] = linalg.generic {indexing_maps = [#[[FILTER]], #[[COLUMN]], #[[FILTER]]], {{.*}} ins(%{{.*}}, %[[SCALE]] : tensor<16x8x3x3xf32>, tensor<16xf32>)
// CHECK: tpp.contract ins(%[[X]], %[[SCALED]] : {{.*}} post(%[[SHIFT]], %[[R]] : tensor<16xf32>, tensor<1x4x4x16xf32>)
// CHECK-SAME: #[[BIAS]], #{{.*}}], post_ops = [#tpp.post_op<binary add>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]
#x = affine_map<(n, o, h, w, c, r, s) -> (n, h + r, w + s, c)>
#w = affine_map<(n, o, h, w, c, r, s) -> (o, c, r, s)>
#y = affine_map<(n, o, h, w, c, r, s) -> (n, h, w, o)>
#o = affine_map<(n, o, h, w, c, r, s) -> (o)>
func.func @batch_norm(%x: tensor<1x6x6x8xf32>, %r: tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32> {
  %w = arith.constant dense_resource<w> : tensor<16x8x3x3xf32>
  %mean = arith.constant dense_resource<mean> : tensor<16xf32>
  %rstd = arith.constant dense_resource<rstd> : tensor<16xf32>
  %gamma = arith.constant dense_resource<gamma> : tensor<16xf32>
  %beta = arith.constant dense_resource<beta> : tensor<16xf32>
  %e = tensor.empty() : tensor<1x4x4x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x6x6x8xf32>, tensor<16x8x3x3xf32>) outs(%e : tensor<1x4x4x16xf32>) post(%mean, %rstd, %gamma, %beta, %r : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x4x4x16xf32>) {beta = 0 : i64, extents = array<i64: 1, 16, 4, 4, 8, 3, 3>, indexing_maps = [#x, #w, #y, #o, #o, #o, #o, #y], post_ops = [#tpp.post_op<binary sub>, #tpp.post_op<binary mul>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// -----

// Near misses: a bias alone; a scale after an activation; a scale of rows; a scale that is an argument.
// CHECK-LABEL: @stay(
// CHECK-NOT: linalg.generic
// CHECK: post_ops = [#tpp.post_op<binary add>]
// CHECK-NOT: linalg.generic
// CHECK: post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary mul>]
// CHECK-NOT: linalg.generic
// CHECK: post_ops = [#tpp.post_op<binary mul>]
// CHECK-NOT: linalg.generic
// CHECK: post_ops = [#tpp.post_op<binary mul>]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#m = affine_map<(m, n, k) -> (m)>
#n = affine_map<(m, n, k) -> (n)>
func.func @stay(%x: tensor<8x4xf32>, %arg: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %w = arith.constant dense_resource<w> : tensor<4x16xf32>
  %v = arith.constant dense_resource<v> : tensor<16xf32>
  %u = arith.constant dense_resource<u> : tensor<8xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%e : tensor<8x16xf32>) post(%v : tensor<16xf32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n], post_ops = [#tpp.post_op<binary add>]} -> tensor<8x16xf32>
  %1 = tpp.contract ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%e : tensor<8x16xf32>) post(%v : tensor<16xf32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n], post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary mul>]} -> tensor<8x16xf32>
  %2 = tpp.contract ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%e : tensor<8x16xf32>) post(%u : tensor<8xf32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #m], post_ops = [#tpp.post_op<binary mul>]} -> tensor<8x16xf32>
  %3 = tpp.contract ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%e : tensor<8x16xf32>) post(%arg : tensor<16xf32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n], post_ops = [#tpp.post_op<binary mul>]} -> tensor<8x16xf32>
  return %0, %1, %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
