// Convolutions on NCHW, with all ops between them, become channels-last in one step. Data is moved only at the function's
// arguments and results.
// RUN: tpp-opt %s --tpp-propagate-layouts --split-input-file | FileCheck %s

// The input is moved once. Bias, pad, residual (a second user of %1), pooling and the flattened head take the layout.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5, d3 + d6, d4)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: @block(
// CHECK-SAME: %[[X:.*]]: tensor<1x64x56x56xf32>, %[[BIAS:.*]]: tensor<64xf32>
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[XT]], %{{.*}} : tensor<1x56x56x64xf32>, tensor<64x64x3x3xf32>) {{.*}} indexing_maps = [#[[IMAGE]], #{{.*}}, #[[OUT]]]
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[LAST]], #[[ID]]], {{.*}} ins(%[[C0]], %[[BIAS]] : tensor<1x54x54x64xf32>, tensor<64xf32>)
// CHECK: %[[PAD:.*]] = tensor.insert_slice %[[SUM]] into %{{.*}}[0, 1, 1, 0] [1, 54, 54, 64] [1, 1, 1, 1]
// CHECK: %[[C1:.*]] = tpp.contract ins(%[[PAD]],
// CHECK: %[[RES:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], {{.*}} ins(%[[C1]], %[[SUM]] :
// CHECK: linalg.generic {{.*}} "reduction", "reduction"]} ins(%[[RES]], %{{.*}} : tensor<1x54x54x64xf32>, tensor<54x54xf32>) outs(%{{.*}} : tensor<1x1x1x64xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2, 3]] : tensor<1x1x1x64xf32> into tensor<1x64xf32>
// CHECK-NOT: linalg.transpose
// CHECK: return
#x = affine_map<(n, o, h, w, c, r, s) -> (n, c, h + r, w + s)>
#w = affine_map<(n, o, h, w, c, r, s) -> (o, c, r, s)>
#y = affine_map<(n, o, h, w, c, r, s) -> (n, o, h, w)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @block(%x: tensor<1x64x56x56xf32>, %bias: tensor<64xf32>) -> tensor<1x64xf32> {
  %w0 = arith.constant dense_resource<w0> : tensor<64x64x3x3xf32>
  %w1 = arith.constant dense_resource<w1> : tensor<64x64x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x64x54x54xf32>
  %0 = tpp.contract ins(%x, %w0 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e0 : tensor<1x64x54x54xf32>) {beta = 0 : i64, extents = array<i64: 1, 64, 54, 54, 64, 3, 3>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x64x54x54xf32>
  %e1 = tensor.empty() : tensor<1x64x54x54xf32>
  %1 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %bias : tensor<1x64x54x54xf32>, tensor<64xf32>) outs(%e1 : tensor<1x64x54x54xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x64x54x54xf32>
  %e2 = tensor.empty() : tensor<1x64x56x56xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %2 = tensor.insert_slice %1 into %f2[0, 0, 1, 1] [1, 64, 54, 54] [1, 1, 1, 1] : tensor<1x64x54x54xf32> into tensor<1x64x56x56xf32>
  %e3 = tensor.empty() : tensor<1x64x54x54xf32>
  %3 = tpp.contract ins(%2, %w1 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e3 : tensor<1x64x54x54xf32>) {beta = 0 : i64, extents = array<i64: 1, 64, 54, 54, 64, 3, 3>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x64x54x54xf32>
  %e4 = tensor.empty() : tensor<1x64x54x54xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %1 : tensor<1x64x54x54xf32>, tensor<1x64x54x54xf32>) outs(%e4 : tensor<1x64x54x54xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x64x54x54xf32>
  %e5 = tensor.empty() : tensor<1x64x1x1xf32>
  %f5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32>
  %window = tensor.empty() : tensor<54x54xf32>
  %5 = linalg.pooling_nchw_max ins(%4, %window : tensor<1x64x54x54xf32>, tensor<54x54xf32>) outs(%f5 : tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32>
  %6 = tensor.collapse_shape %5 [[0], [1, 2, 3]] : tensor<1x64x1x1xf32> into tensor<1x64xf32>
  return %6 : tensor<1x64xf32>
}

// -----

// Near miss: a matmul's operands have the best layout already.
// CHECK-LABEL: @matmul(
// CHECK-NOT: linalg.transpose
// CHECK: tpp.contract ins(%{{.*}}, %{{.*}} : tensor<128x256xf32>, tensor<256x512xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: return
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @matmul(%x: tensor<128x256xf32>) -> tensor<128x512xf32> {
  %w = arith.constant dense_resource<w> : tensor<256x512xf32>
  %e = tensor.empty() : tensor<128x512xf32>
  %0 = tpp.contract ins(%x, %w : tensor<128x256xf32>, tensor<256x512xf32>) outs(%e : tensor<128x512xf32>) {beta = 0 : i64, extents = array<i64: 128, 512, 256>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<128x512xf32>
  return %0 : tensor<128x512xf32>
}

// -----

// Transposes between NHWC and NCHW disappear: the convolution is computed in NHWC.
#x = affine_map<(n, o, h, w, c, r, s) -> (n, c, h + r, w + s)>
#w = affine_map<(n, o, h, w, c, r, s) -> (o, c, r, s)>
#y = affine_map<(n, o, h, w, c, r, s) -> (n, o, h, w)>
// CHECK-LABEL: @back_to_nhwc(
// CHECK-SAME: %[[X:.*]]: tensor<1x56x56x64xf32>
// CHECK-NOT: linalg.transpose
// CHECK: %[[C:.*]] = tpp.contract ins(%[[X]], %{{.*}} : tensor<1x56x56x64xf32>, tensor<64x64x3x3xf32>) outs({{.*}} : tensor<1x54x54x64xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: return %[[C]]
func.func @back_to_nhwc(%x: tensor<1x56x56x64xf32>) -> tensor<1x54x54x64xf32> {
  %w = arith.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %t = tensor.empty() : tensor<1x64x56x56xf32>
  %nchw = linalg.transpose ins(%x : tensor<1x56x56x64xf32>) outs(%t : tensor<1x64x56x56xf32>) permutation = [0, 3, 1, 2]
  %e = tensor.empty() : tensor<1x64x54x54xf32>
  %0 = tpp.contract ins(%nchw, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x64x54x54xf32>) {beta = 0 : i64, extents = array<i64: 1, 64, 54, 54, 64, 3, 3>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x64x54x54xf32>
  %u = tensor.empty() : tensor<1x54x54x64xf32>
  %1 = linalg.transpose ins(%0 : tensor<1x64x54x54xf32>) outs(%u : tensor<1x54x54x64xf32>) permutation = [0, 2, 3, 1]
  return %1 : tensor<1x54x54x64xf32>
}

// -----

// An op that cannot follow gets the value in its original layout: a reshape that mixes channels with pixels. linalg.index is
// adapted to the new order of loops. A constant operand takes the layout of its user (it is moved once, in prepack).
#x = affine_map<(n, o, h, w, c, r, s) -> (n, c, h + r, w + s)>
#w = affine_map<(n, o, h, w, c, r, s) -> (o, c, r, s)>
#y = affine_map<(n, o, h, w, c, r, s) -> (n, o, h, w)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @mixed(
// CHECK: %[[CT:.*]] = linalg.transpose ins(%{{.*}} : tensor<1x64x54x54xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[G:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[CT]] : tensor<1x54x54x64xf32>, tensor<1x54x54x64xf32>)
// CHECK: %[[CHANNEL:.*]] = linalg.index 3
// CHECK: arith.index_cast %[[CHANNEL]]
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[G]] : tensor<1x54x54x64xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK: tensor.collapse_shape %[[BACK]]
func.func @mixed(%x: tensor<1x64x56x56xf32>) -> tensor<1x186624xf32> {
  %w = arith.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %k = arith.constant dense_resource<k> : tensor<1x64x54x54xf32>
  %e = tensor.empty() : tensor<1x64x54x54xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x64x54x54xf32>) {beta = 0 : i64, extents = array<i64: 1, 64, 54, 54, 64, 3, 3>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x64x54x54xf32>
  %e1 = tensor.empty() : tensor<1x64x54x54xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %k : tensor<1x64x54x54xf32>, tensor<1x64x54x54xf32>) outs(%e1 : tensor<1x64x54x54xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %f : f32
    linalg.yield %t : f32
  } -> tensor<1x64x54x54xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2, 3]] : tensor<1x64x54x54xf32> into tensor<1x186624xf32>
  return %2 : tensor<1x186624xf32>
}

// -----

// Queries and keys of attention, two parts of one projection in bf16, of which heads are separated and scaled. The projection is not computed
// transposed: the scaling reads the heads where they are, so that separating them costs nothing.
// CHECK-LABEL: @heads(
// CHECK: tpp.contract {{.*}} -> tensor<197x1536xf32>
// CHECK: tpp.contract ins({{.*}} : tensor<12x197x64xbf16>, tensor<12x197x64xbf16>)
#id3 = affine_map<(a, b, c) -> (a, b, c)>
func.func @heads(%x: tensor<197x768xbf16>) -> tensor<12x197x197xf32> {
  %w = arith.constant dense_resource<w4> : tensor<1536x768xbf16>
  %scale = arith.constant 0.5 : f32
  %e0 = tensor.empty() : tensor<197x1536xf32>
  %0 = tpp.contract ins(%x, %w : tensor<197x768xbf16>, tensor<1536x768xbf16>) outs(%e0 : tensor<197x1536xf32>) {beta = 0 : i64, extents = array<i64: 197, 1536, 768>,
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []} -> tensor<197x1536xf32>
  %parts = tensor.expand_shape %0 [[0], [1, 2, 3]] output_shape [197, 2, 12, 64] : tensor<197x1536xf32> into tensor<197x2x12x64xf32>
  %e1 = tensor.empty() : tensor<2x12x197x64xf32>
  %t = linalg.transpose ins(%parts : tensor<197x2x12x64xf32>) outs(%e1 : tensor<2x12x197x64xf32>) permutation = [1, 2, 0, 3]
  %q = tensor.extract_slice %t[0, 0, 0, 0] [1, 12, 197, 64] [1, 1, 1, 1] : tensor<2x12x197x64xf32> to tensor<12x197x64xf32>
  %k = tensor.extract_slice %t[1, 0, 0, 0] [1, 12, 197, 64] [1, 1, 1, 1] : tensor<2x12x197x64xf32> to tensor<12x197x64xf32>
  %e2 = tensor.empty() : tensor<12x64x197xf32>
  %kt = linalg.transpose ins(%k : tensor<12x197x64xf32>) outs(%e2 : tensor<12x64x197xf32>) permutation = [0, 2, 1]
  %e3 = tensor.empty() : tensor<12x197x64xbf16>
  %qs = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<12x197x64xf32>) outs(%e3 : tensor<12x197x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %s = arith.mulf %a, %scale : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<12x197x64xbf16>
  %e4 = tensor.empty() : tensor<12x64x197xbf16>
  %ks = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kt : tensor<12x64x197xf32>) outs(%e4 : tensor<12x64x197xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %s = arith.mulf %a, %scale : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<12x64x197xbf16>
  %e5 = tensor.empty() : tensor<12x197x197xf32>
  %1 = tpp.contract ins(%qs, %ks : tensor<12x197x64xbf16>, tensor<12x64x197xbf16>) outs(%e5 : tensor<12x197x197xf32>) {beta = 0 : i64, extents = array<i64: 12, 197, 197, 64>,
    indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>], post_ops = []} -> tensor<12x197x197xf32>
  return %1 : tensor<12x197x197xf32>
}
