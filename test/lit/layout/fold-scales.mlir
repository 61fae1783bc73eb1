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
// CHECK: %[[SCALED:.*]] = linalg.generic {indexing_maps = [#[[FILTER]], #[[COLUMN]], #[[FILTER]]], {{.*}} ins(%{{.*}}, %[[SCALE]] : tensor<16x8x3x3xf32>, tensor<16xf32>)
// CHECK: %[[SHIFT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.addf
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

// A scale alone leaves no post-op.
// CHECK-LABEL: @no_shift(
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x16xf32>)
// CHECK: tpp.contract ins(%{{.*}}, %[[SCALED]] : tensor<8x4xf32>, tensor<4x16xf32>) outs({{[^)]*}}) {beta = 0 : i64, {{.*}}, post_ops = []}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = affine_map<(m, n, k) -> ()>
func.func @no_shift(%x: tensor<8x4xf32>) -> tensor<8x16xf32> {
  %w = arith.constant dense_resource<w> : tensor<4x16xf32>
  %v = arith.constant dense<0.125> : tensor<f32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%e : tensor<8x16xf32>) post(%v : tensor<f32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #s], post_ops = [#tpp.post_op<binary mul>]} -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
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

// -----

// A weight that is rounded to bf16 on request is scaled before it is rounded.
// CHECK-LABEL: @rounded(
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%cst{{.*}}, %{{.*}} : tensor<4x16xf32>, tensor<16xf32>)
// CHECK: arith.mulf
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[SCALED]] : tensor<4x16xf32>)
// CHECK: arith.truncf
// CHECK: tpp.contract ins(%{{.*}}, %[[B]] : tensor<8x4xbf16>, tensor<4x16xbf16>) {{.*}} post_ops = [#tpp.post_op<binary add>]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @rounded(%x: tensor<8x4xbf16>, %r: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  %w = arith.constant dense_resource<w> : tensor<4x16xf32>
  %v = arith.constant dense_resource<v> : tensor<16xf32>
  %we = tensor.empty() : tensor<4x16xbf16>
  %wb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x16xf32>) outs(%we : tensor<4x16xbf16>) {
  ^bb0(%i: f32, %o: bf16):
    %t = arith.truncf %i : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x16xbf16>
  %e = tensor.empty() : tensor<8x16xbf16>
  %0 = tpp.contract ins(%x, %wb : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%e : tensor<8x16xbf16>) post(%v, %r : tensor<16xf32>, tensor<8x16xbf16>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #c], post_ops = [#tpp.post_op<binary mul>, #tpp.post_op<binary add>]} -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// -----

// Weights that the program stores in 16 bits stay: a scaled one would be rounded again, and sums are f32.
// CHECK-LABEL: @weights_of_16_bits(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xbf16>)
// CHECK: tpp.contract ins(%[[X]], %[[W:cst.*]] : tensor<8x4xbf16>, tensor<4x16xbf16>) {{.*}} post_ops = [#tpp.post_op<binary mul>, #tpp.post_op<binary add>]} -> tensor<8x16xbf16>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
func.func @weights_of_16_bits(%x: tensor<8x4xbf16>) -> tensor<8x16xbf16> {
  %w = arith.constant dense_resource<w> : tensor<4x16xbf16>
  %v = arith.constant dense_resource<v> : tensor<16xbf16>
  %e = tensor.empty() : tensor<8x16xbf16>
  %0 = tpp.contract ins(%x, %w : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%e : tensor<8x16xbf16>) post(%v, %v : tensor<16xbf16>, tensor<16xbf16>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #n], post_ops = [#tpp.post_op<binary mul>, #tpp.post_op<binary add>]} -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// -----

// The scales of a dequantization and of the quantization after it become one, in prepack; not across another step, and not if the result has more than
// 8 bits.
// CHECK-LABEL: @merged(
// CHECK: %[[MERGED:.*]] = linalg.generic {{.*}} ins(%cst{{.*}}, %cst{{.*}} : tensor<16xf32>, tensor<f32>)
// CHECK: arith.divf
// CHECK: tpp.contract {{.*}} post(%[[MERGED]] : tensor<16xf32>) {{.*}} post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>]} -> tensor<8x16xi8>
// CHECK: post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<unary relu>, #tpp.post_op<binary div>]} -> tensor<8x16xi8>
// CHECK: post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<binary div>]} -> tensor<8x16xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
#s = affine_map<(m, n, k) -> ()>
func.func @merged(%x: tensor<8x4xi8>, %w: tensor<4x16xi8>) -> (tensor<8x16xi8>, tensor<8x16xi8>, tensor<8x16xf32>) {
  %v = arith.constant dense_resource<v> : tensor<16xf32>
  %u = arith.constant dense<3.0> : tensor<f32>
  %e = tensor.empty() : tensor<8x16xi8>
  %f = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%e : tensor<8x16xi8>) post(%v, %u : tensor<16xf32>, tensor<f32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #s], post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<binary div>]} -> tensor<8x16xi8>
  %1 = tpp.contract ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%e : tensor<8x16xi8>) post(%v, %u : tensor<16xf32>, tensor<f32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #s], post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<unary relu>, #tpp.post_op<binary div>]} -> tensor<8x16xi8>
  %2 = tpp.contract ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%f : tensor<8x16xf32>) post(%v, %u : tensor<16xf32>, tensor<f32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #s], post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<binary div>]} -> tensor<8x16xf32>
  return %0, %1, %2 : tensor<8x16xi8>, tensor<8x16xi8>, tensor<8x16xf32>
}

// -----

// A bias between the scales is scaled, too. What follows a rounding stays.
// CHECK-LABEL: @merged_with_bias(
// CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} ins(%cst{{.*}}, %cst{{.*}}, %cst{{.*}} : tensor<16xf32>, tensor<16xf32>, tensor<f32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK: %[[SHIFT:.*]] = linalg.generic {{.*}} ins(%cst{{.*}}, %cst{{.*}}, %cst{{.*}} : tensor<16xf32>, tensor<16xf32>, tensor<f32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK: tpp.contract {{.*}} post(%[[SCALE]], %[[SHIFT]], %{{.*}} : tensor<16xf32>, tensor<16xf32>, tensor<f32>) {{.*}} post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<unary round>, #tpp.post_op<binary add>]} -> tensor<8x16xi8>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
#s = affine_map<(m, n, k) -> ()>
func.func @merged_with_bias(%x: tensor<8x4xi8>, %w: tensor<4x16xi8>) -> tensor<8x16xi8> {
  %v = arith.constant dense_resource<v> : tensor<16xf32>
  %b = arith.constant dense_resource<b> : tensor<16xf32>
  %u = arith.constant dense<3.0> : tensor<f32>
  %e = tensor.empty() : tensor<8x16xi8>
  %0 = tpp.contract ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%e : tensor<8x16xi8>) post(%v, %b, %u, %u : tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #n, #s, #s], post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<binary div>, #tpp.post_op<unary round>, #tpp.post_op<binary add>]} -> tensor<8x16xi8>
  return %0 : tensor<8x16xi8>
}

// -----

// Batch normalization after a contraction with weights of bf16, some constants of which are bf16, too: three steps become two. Two steps stay, as do three before a store of f32.
// CHECK-LABEL: @merged_before_bf16(
// CHECK: arith.extf
// CHECK: tpp.contract {{.*}} post_ops = [#tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<8x16xbf16>
// CHECK: tpp.contract {{.*}} post(%cst{{.*}}, %cst{{.*}} : tensor<16xf32>, tensor<16xf32>) {{.*}} post_ops = [#tpp.post_op<binary sub>, #tpp.post_op<binary mul>]} -> tensor<8x16xbf16>
// CHECK: tpp.contract {{.*}} post_ops = [#tpp.post_op<binary sub>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<8x16xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
func.func @merged_before_bf16(%x: tensor<8x4xbf16>) -> (tensor<8x16xbf16>, tensor<8x16xbf16>, tensor<8x16xf32>) {
  %w = arith.constant dense_resource<w> : tensor<4x16xbf16>
  %v = arith.constant dense_resource<v> : tensor<16xf32>
  %b = arith.constant dense_resource<b> : tensor<16xf32>
  %c = arith.constant dense_resource<c> : tensor<16xbf16>
  %e = tensor.empty() : tensor<8x16xbf16>
  %f = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%e : tensor<8x16xbf16>) post(%b, %v, %c : tensor<16xf32>, tensor<16xf32>, tensor<16xbf16>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #n, #n], post_ops = [#tpp.post_op<binary sub>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<8x16xbf16>
  %1 = tpp.contract ins(%x, %w : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%e : tensor<8x16xbf16>) post(%b, %v : tensor<16xf32>, tensor<16xf32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #n], post_ops = [#tpp.post_op<binary sub>, #tpp.post_op<binary mul>]} -> tensor<8x16xbf16>
  %2 = tpp.contract ins(%x, %w : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%f : tensor<8x16xf32>) post(%b, %v, %b : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {beta = 0 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [#a, #b, #c, #n, #n, #n], post_ops = [#tpp.post_op<binary sub>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<8x16xf32>
  return %0, %1, %2 : tensor<8x16xbf16>, tensor<8x16xbf16>, tensor<8x16xf32>
}

// -----

// Squeeze-and-excitation: the image has 49 elements a channel, the weights 16. A constant scale is folded into weights of any size. The product has the
// summed dimension first.
// CHECK-DAG: #[[WEIGHT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (0, d0)>
// CHECK-DAG: #[[VECTOR:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d4, d3)>
// CHECK-LABEL: @scaled_operand(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x7x7x8xf32>, %[[S:[^:]*]]: tensor<1x8xf32>, %[[R:[^:]*]]: tensor<4x8xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[TRANSPOSED:.*]] = linalg.transpose ins(%{{.*}} : tensor<16x8xf32>) outs(%{{.*}} : tensor<8x16xf32>) permutation = [1, 0]
// CHECK: %[[PRODUCT:.*]] = linalg.generic {indexing_maps = [#[[WEIGHT]], #[[CHANNEL]], #[[WEIGHT]]], {{.*}} ins(%[[TRANSPOSED]], %[[S]] : tensor<8x16xf32>, tensor<1x8xf32>)
// CHECK: tpp.contract ins(%[[X]], %[[PRODUCT]] : {{.*}} indexing_maps = [#{{.*}}, #[[B]],
// CHECK: %[[CONSTANT:.*]] = linalg.generic {indexing_maps = [#[[WEIGHT]], #[[VECTOR]], #[[WEIGHT]]], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x16xf32>, tensor<8xf32>)
// CHECK: tpp.contract ins(%[[R]], %[[CONSTANT]] :
#x = affine_map<(n, h, w, o, c) -> (n, h, w, c)>
#w = affine_map<(n, h, w, o, c) -> (o, c)>
#y = affine_map<(n, h, w, o, c) -> (n, h, w, o)>
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#s = affine_map<(n, h, w, c) -> (n, c)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#matrix = affine_map<(m, n) -> (m, n)>
func.func @scaled_operand(%x: tensor<1x7x7x8xf32>, %s: tensor<1x8xf32>, %r: tensor<4x8xf32>) -> (tensor<1x7x7x16xf32>, tensor<4x16xf32>) {
  %w = arith.constant dense_resource<w> : tensor<16x8xf32>
  %gamma = arith.constant dense_resource<gamma> : tensor<8xf32>
  %ex = tensor.empty() : tensor<1x7x7x8xf32>
  %ey = tensor.empty() : tensor<1x7x7x16xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %ez = tensor.empty() : tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #s, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %s : tensor<1x7x7x8xf32>, tensor<1x8xf32>) outs(%ex : tensor<1x7x7x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x7x7x8xf32>
  %1 = tpp.contract ins(%0, %w : tensor<1x7x7x8xf32>, tensor<16x8xf32>) outs(%ey : tensor<1x7x7x16xf32>) {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 8>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x7x7x16xf32>
  %2 = linalg.generic {indexing_maps = [#row, #matrix, #matrix], iterator_types = ["parallel", "parallel"]} ins(%gamma, %r : tensor<8xf32>, tensor<4x8xf32>) outs(%er : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<4x8xf32>
  %3 = tpp.contract ins(%2, %w : tensor<4x8xf32>, tensor<16x8xf32>) outs(%ez : tensor<4x16xf32>) {beta = 0 : i64, extents = array<i64: 4, 16, 8>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<4x16xf32>
  return %1, %3 : tensor<1x7x7x16xf32>, tensor<4x16xf32>
}

// -----

// The weights are A: C is contiguous along pixels. They keep the order of their dimensions.
// CHECK-DAG: #[[WEIGHT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @scaled_b(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x49xf32>, %[[S:[^:]*]]: tensor<8xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[PRODUCT:.*]] = linalg.generic {indexing_maps = [#[[WEIGHT]], #[[CHANNEL]], #[[WEIGHT]]], {{.*}} : tensor<16x8xf32>, tensor<8xf32>)
// CHECK: tpp.contract ins(%[[PRODUCT]], %[[X]] :
// CHECK-NOT: linalg.generic
#a = affine_map<(o, p, c) -> (o, c)>
#b = affine_map<(o, p, c) -> (c, p)>
#c = affine_map<(o, p, c) -> (o, p)>
#id = affine_map<(c, p) -> (c, p)>
#s = affine_map<(c, p) -> (c)>
func.func @scaled_b(%x: tensor<8x49xf32>, %s: tensor<8xf32>) -> tensor<16x49xf32> {
  %w = arith.constant dense_resource<w> : tensor<16x8xf32>
  %ex = tensor.empty() : tensor<8x49xf32>
  %ey = tensor.empty() : tensor<16x49xf32>
  %0 = linalg.generic {indexing_maps = [#id, #s, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<8x49xf32>, tensor<8xf32>) outs(%ex : tensor<8x49xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<8x49xf32>
  %1 = tpp.contract ins(%w, %0 : tensor<16x8xf32>, tensor<8x49xf32>) outs(%ey : tensor<16x49xf32>) {beta = 0 : i64, extents = array<i64: 16, 49, 8>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<16x49xf32>
  return %1 : tensor<16x49xf32>
}

// -----

// Near misses: two thirds as many weights as elements of the image; a scale of each image of a batch; a scale of rows; a product with another reader; a filter
// of three taps.
// CHECK-LABEL: @scales_that_stay(
// CHECK: %[[FEW:.*]] = linalg.generic
// CHECK: tpp.contract ins(%[[FEW]],
// CHECK: %[[BATCH:.*]] = linalg.generic
// CHECK: tpp.contract ins(%[[BATCH]],
// CHECK: %[[ROWS:.*]] = linalg.generic
// CHECK: tpp.contract ins(%[[ROWS]],
// CHECK: %[[SHARED:.*]] = linalg.generic
// CHECK: tpp.contract ins(%[[SHARED]],
// CHECK: %[[TAPS:.*]] = linalg.generic
// CHECK: tpp.contract ins(%[[TAPS]],
#x = affine_map<(n, m, o, c) -> (n, m, c)>
#w = affine_map<(n, m, o, c) -> (o, c)>
#y = affine_map<(n, m, o, c) -> (n, m, o)>
#id = affine_map<(n, m, c) -> (n, m, c)>
#channel = affine_map<(n, m, c) -> (n, c)>
#row = affine_map<(n, m, c) -> (n, m)>
#x3 = affine_map<(n, m, o, c, r) -> (n, m + r, c)>
#w3 = affine_map<(n, m, o, c, r) -> (o, c, r)>
#y3 = affine_map<(n, m, o, c, r) -> (n, m, o)>
func.func @scales_that_stay(%few: tensor<1x24x8xf32>, %s: tensor<1x8xf32>, %two: tensor<2x32x8xf32>, %ss: tensor<2x8xf32>, %x: tensor<1x32x8xf32>, %r: tensor<1x32xf32>) -> (tensor<1x24x16xf32>, tensor<2x32x16xf32>, tensor<1x32x16xf32>, tensor<1x32x16xf32>, tensor<1x32x8xf32>, tensor<1x30x2xf32>) {
  %w = arith.constant dense_resource<w> : tensor<16x8xf32>
  %taps = arith.constant dense_resource<taps> : tensor<2x8x3xf32>
  %ex = tensor.empty() : tensor<1x32x8xf32>
  %e0 = tensor.empty() : tensor<1x24x8xf32>
  %e1 = tensor.empty() : tensor<1x24x16xf32>
  %e2 = tensor.empty() : tensor<2x32x8xf32>
  %e3 = tensor.empty() : tensor<2x32x16xf32>
  %e5 = tensor.empty() : tensor<1x32x16xf32>
  %e9 = tensor.empty() : tensor<1x30x2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%few, %s : tensor<1x24x8xf32>, tensor<1x8xf32>) outs(%e0 : tensor<1x24x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x24x8xf32>
  %1 = tpp.contract ins(%0, %w : tensor<1x24x8xf32>, tensor<16x8xf32>) outs(%e1 : tensor<1x24x16xf32>) {beta = 0 : i64, extents = array<i64: 1, 24, 16, 8>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x24x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%two, %ss : tensor<2x32x8xf32>, tensor<2x8xf32>) outs(%e2 : tensor<2x32x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<2x32x8xf32>
  %3 = tpp.contract ins(%2, %w : tensor<2x32x8xf32>, tensor<16x8xf32>) outs(%e3 : tensor<2x32x16xf32>) {beta = 0 : i64, extents = array<i64: 2, 32, 16, 8>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<2x32x16xf32>
  %4 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %r : tensor<1x32x8xf32>, tensor<1x32xf32>) outs(%ex : tensor<1x32x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x32x8xf32>
  %5 = tpp.contract ins(%4, %w : tensor<1x32x8xf32>, tensor<16x8xf32>) outs(%e5 : tensor<1x32x16xf32>) {beta = 0 : i64, extents = array<i64: 1, 32, 16, 8>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x32x16xf32>
  %6 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<1x32x8xf32>, tensor<1x8xf32>) outs(%ex : tensor<1x32x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x32x8xf32>
  %7 = tpp.contract ins(%6, %w : tensor<1x32x8xf32>, tensor<16x8xf32>) outs(%e5 : tensor<1x32x16xf32>) {beta = 0 : i64, extents = array<i64: 1, 32, 16, 8>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x32x16xf32>
  %8 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<1x32x8xf32>, tensor<1x8xf32>) outs(%ex : tensor<1x32x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x32x8xf32>
  %9 = tpp.contract ins(%8, %taps : tensor<1x32x8xf32>, tensor<2x8x3xf32>) outs(%e9 : tensor<1x30x2xf32>) {beta = 0 : i64, extents = array<i64: 1, 30, 2, 8, 3>, indexing_maps = [#x3, #w3, #y3], post_ops = []} -> tensor<1x30x2xf32>
  return %1, %3, %5, %7, %6, %9 : tensor<1x24x16xf32>, tensor<2x32x16xf32>, tensor<1x32x16xf32>, tensor<1x32x16xf32>, tensor<1x32x8xf32>, tensor<1x30x2xf32>
}
