// B is packed in panels if it is constant or if enough rows share it. It is transposed if brgemm could not read its rows. A is
// read unpacked.
// RUN: tpp-opt %s --tpp-target=avx512 --tpp-assign-layouts --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-packing=none --tpp-target=avx512 --tpp-assign-layouts --split-input-file | FileCheck %s --check-prefix=NONE

// Panel width: the widest of 64, 32 and 16 that divides N. Layout: [N/panel][K][panel].
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
// CHECK-DAG: #[[C64:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 64 + d3)>
// CHECK-DAG: #[[C32:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 32 + d3)>
// CHECK-LABEL: @constant_panels(
// CHECK: %[[P64:.*]] = linalg.pack %{{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] {{.*}} -> tensor<2x4x64xf32>
// CHECK: tpp.contract ins(%{{.*}}, %[[P64]] : {{.*}}) {{.*}} extents = array<i64: 8, 2, 4, 64>, indexing_maps = [#[[A]], #[[B]], #[[C64]]]
// CHECK: %[[P32:.*]] = linalg.pack %{{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] {{.*}} -> tensor<3x4x32xf32>
// CHECK: tpp.contract ins(%{{.*}}, %[[P32]] : {{.*}}) {{.*}} extents = array<i64: 8, 3, 4, 32>, indexing_maps = [#[[A]], #[[B]], #[[C32]]]
// NONE-LABEL: @constant_panels(
// NONE-NOT: linalg.pack
// NONE: return
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @constant_panels(%a: tensor<8x4xf32>) -> (tensor<8x128xf32>, tensor<8x96xf32>) {
  %w = arith.constant dense_resource<w128> : tensor<4x128xf32>
  %v = tensor.extract_slice %w[0, 0] [4, 96] [1, 1] : tensor<4x128xf32> to tensor<4x96xf32>
  %e = tensor.empty() : tensor<8x128xf32>
  %f = tensor.empty() : tensor<8x96xf32>
  %0 = tpp.contract ins(%a, %w : tensor<8x4xf32>, tensor<4x128xf32>) outs(%e : tensor<8x128xf32>) {beta = 0 : i64, extents = array<i64: 8, 128, 4>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x128xf32>
  %1 = tpp.contract ins(%a, %v : tensor<8x4xf32>, tensor<4x96xf32>) outs(%f : tensor<8x96xf32>) {beta = 0 : i64, extents = array<i64: 8, 96, 4>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x96xf32>
  return %0, %1 : tensor<8x128xf32>, tensor<8x96xf32>
}

// -----

// Stored as [N][K] (a transposed weight) it becomes the same panels.
// CHECK-LABEL: @constant_transposed(
// CHECK: linalg.pack %{{.*}} outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [64] {{.*}} -> tensor<2x4x64xf32>
// CHECK: extents = array<i64: 8, 2, 4, 64>
// NONE-LABEL: @constant_transposed(
// NONE: %[[T:.*]] = linalg.transpose ins({{.*}} : tensor<128x4xf32>) outs({{.*}} : tensor<4x128xf32>) permutation = [1, 0]
// NONE: tpp.contract ins(%{{.*}}, %[[T]] :
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @constant_transposed(%a: tensor<8x4xf32>) -> tensor<8x128xf32> {
  %w = arith.constant dense_resource<w128> : tensor<128x4xf32>
  %e = tensor.empty() : tensor<8x128xf32>
  %0 = tpp.contract ins(%a, %w : tensor<8x4xf32>, tensor<128x4xf32>) outs(%e : tensor<8x128xf32>) {beta = 0 : i64, extents = array<i64: 8, 128, 4>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// -----

// The order of the factors does not matter: B is the operand with the contiguous dimension of C. Post-op operands are read along
// n in panels.
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 * 64 + d3)>
// CHECK-LABEL: @swapped(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[BIAS:.*]]: tensor<128xf32>
// CHECK: %[[P:.*]] = linalg.pack
// CHECK: tpp.contract ins(%[[A]], %[[P]] : {{.*}}) {{.*}} post(%[[BIAS]] : tensor<128xf32>) {{.*}} indexing_maps = [{{.*}}, #[[B]], {{.*}}, #[[ROW]]], post_ops = [#tpp.post_op<binary add>]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @swapped(%a: tensor<8x4xf32>, %bias: tensor<128xf32>) -> tensor<8x128xf32> {
  %w = arith.constant dense_resource<w128> : tensor<4x128xf32>
  %e = tensor.empty() : tensor<8x128xf32>
  %0 = tpp.contract ins(%w, %a : tensor<4x128xf32>, tensor<8x4xf32>) outs(%e : tensor<8x128xf32>) post(%bias : tensor<128xf32>) {beta = 0 : i64, extents = array<i64: 8, 128, 4>, indexing_maps = [#b, #a, #c, affine_map<(m, n, k) -> (n)>], post_ops = [#tpp.post_op<binary add>]} -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// -----

// A long K shared by many rows: KC blocks of 2048, and B is packed by KC blocks.
// CHECK-DAG: #[[BMAP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d3, d4)>
// CHECK-LABEL: @passes(
// CHECK: linalg.pack {{.*}} outer_dims_perm = [0, 2, 1] inner_dims_pos = [2] inner_tiles = [64] {{.*}} -> tensor<2x2x2048x64xf32>
// CHECK: tpp.contract {{.*}} #[[BMAP]]{{.*}} tpp.chosen_packing = #tpp.packing<panel = 64, kc = 2048, by = "cost model">
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @passes(%x: tensor<512x4096xf32>) -> tensor<512x128xf32> {
  %w = arith.constant dense_resource<w> : tensor<4096x128xf32>
  %e = tensor.empty() : tensor<512x128xf32>
  %0 = tpp.contract ins(%x, %w : tensor<512x4096xf32>, tensor<4096x128xf32>) outs(%e : tensor<512x128xf32>) {beta = 0 : i64, extents = array<i64: 512, 128, 4096>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<512x128xf32>
  return %0 : tensor<512x128xf32>
}

// -----

// Few columns are one panel: B is read in place if its columns are contiguous, otherwise packed.
// CHECK-LABEL: @odd_width(
// CHECK-SAME: %[[A:.*]]: tensor<200x4xf32>, %[[B:.*]]: tensor<4x37xf32>, %[[BT:.*]]: tensor<37x4xf32>)
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract ins(%[[A]], %[[B]] :
// CHECK: %[[T:.*]] = linalg.pack %[[BT]] {{.*}} inner_tiles = [37] {{.*}} : tensor<37x4xf32> -> tensor<1x4x37xf32>
// CHECK: tpp.contract ins(%[[A]], %[[T]] :
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @odd_width(%a: tensor<200x4xf32>, %b: tensor<4x37xf32>, %bt: tensor<37x4xf32>) -> (tensor<200x37xf32>, tensor<200x37xf32>) {
  %e = tensor.empty() : tensor<200x37xf32>
  %f = tensor.empty() : tensor<200x37xf32>
  %0 = tpp.contract ins(%a, %b : tensor<200x4xf32>, tensor<4x37xf32>) outs(%e : tensor<200x37xf32>) {beta = 0 : i64, extents = array<i64: 200, 37, 4>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<200x37xf32>
  %1 = tpp.contract ins(%a, %bt : tensor<200x4xf32>, tensor<37x4xf32>) outs(%f : tensor<200x37xf32>) {beta = 0 : i64, extents = array<i64: 200, 37, 4>, indexing_maps = [#a, #bt, #c], post_ops = []} -> tensor<200x37xf32>
  return %0, %1 : tensor<200x37xf32>, tensor<200x37xf32>
}

// -----

// N is not a multiple of the panel: full panels, and a rest of at least one vector, each write a slice of the result. Post-op
// operands are read at the columns of the whole.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 * 64 + d3)>
// CHECK-DAG: #[[REST:.*]] = affine_map<(d0, d1, d2) -> (d1 + 960)>
// CHECK-LABEL: @ragged(
// CHECK-SAME: %[[A:.*]]: tensor<1000x1100xf32>, %[[B:.*]]: tensor<1100x1025xf32>, %[[BIAS:.*]]: tensor<1025xf32>)
// CHECK: %[[B0:.*]] = tensor.extract_slice %[[B]][0, 0] [1100, 960]
// CHECK: %[[P:.*]] = linalg.pack %[[B0]] {{.*}} -> tensor<15x1100x64xf32>
// CHECK: tpp.contract ins(%[[A]], %[[P]] : {{.*}} post(%[[BIAS]] : tensor<1025xf32>) {{.*}} #[[FIRST]]]
// CHECK: tensor.insert_slice %{{.*}}[0, 0] [1000, 960]
// CHECK: %[[B1:.*]] = tensor.extract_slice %[[B]][0, 960] [1100, 65]
// CHECK: tpp.contract ins(%[[A]], %[[B1]] : {{.*}} post(%[[BIAS]] : tensor<1025xf32>) {{.*}} #[[REST]]]
// CHECK: tensor.insert_slice %{{.*}}[0, 960] [1000, 65]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @ragged(%a: tensor<1000x1100xf32>, %b: tensor<1100x1025xf32>, %bias: tensor<1025xf32>) -> tensor<1000x1025xf32> {
  %e = tensor.empty() : tensor<1000x1025xf32>
  %0 = tpp.contract ins(%a, %b : tensor<1000x1100xf32>, tensor<1100x1025xf32>) outs(%e : tensor<1000x1025xf32>) post(%bias : tensor<1025xf32>) {beta = 0 : i64, extents = array<i64: 1000, 1025, 1100>, indexing_maps = [#a, #b, #c, affine_map<(m, n, k) -> (n)>], post_ops = [#tpp.post_op<binary add>]} -> tensor<1000x1025xf32>
  return %0 : tensor<1000x1025xf32>
}

// -----

// NCHW, stride 1: rows of the image are B, read in place. The constant filter is A; it is transposed to taps outside, channels
// inside.
// CHECK-LABEL: @nchw(
// CHECK: %[[W:.*]] = linalg.transpose ins({{.*}} : tensor<16x8x2x2xf32>) outs({{.*}} : tensor<{{.*}}8xf32>)
// CHECK: tpp.contract ins(%[[W]], %{{.*}} : {{.*}}, tensor<1x8x5x5xf32>) outs({{.*}} : tensor<1x16x4x4xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @nchw(%x: tensor<1x8x5x5xf32>) -> tensor<1x16x4x4xf32> {
  %w = arith.constant dense_resource<w128> : tensor<16x8x2x2xf32>
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x8x5x5xf32>, tensor<16x8x2x2xf32>) outs(%e : tensor<1x16x4x4xf32>) {beta = 0 : i64, extents = array<i64: 1, 16, 4, 4, 8, 2, 2>,
    indexing_maps = [affine_map<(n, f, y, x, c, r, s) -> (n, c, y + r, x + s)>, affine_map<(n, f, y, x, c, r, s) -> (f, c, r, s)>, affine_map<(n, f, y, x, c, r, s) -> (n, f, y, x)>], post_ops = []} -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// NCHW, stride 2: neighbours in the output are not neighbours in the image, so the result is computed channels-last and
// transposed.
// CHECK-LABEL: @nchw_stride_2(
// CHECK: %[[P:.*]] = linalg.pack {{.*}} inner_tiles = [16] {{.*}} : tensor<16x8x2x2xf32> -> tensor<1x2x2x8x16xf32>
// CHECK: %[[R:.*]] = tpp.contract ins({{.*}}, %[[P]] : tensor<1x8x8x8xf32>, tensor<1x2x2x8x16xf32>) outs({{.*}} : tensor<1x4x4x16xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<1x4x4x16xf32>) outs({{.*}} : tensor<1x16x4x4xf32>) permutation = [0, 3, 1, 2]
// CHECK: return %[[T]]
func.func @nchw_stride_2(%x: tensor<1x8x8x8xf32>) -> tensor<1x16x4x4xf32> {
  %w = arith.constant dense_resource<w128> : tensor<16x8x2x2xf32>
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x8x8x8xf32>, tensor<16x8x2x2xf32>) outs(%e : tensor<1x16x4x4xf32>) {beta = 0 : i64, extents = array<i64: 1, 16, 4, 4, 8, 2, 2>,
    indexing_maps = [affine_map<(n, f, y, x, c, r, s) -> (n, c, y * 2 + r, x * 2 + s)>, affine_map<(n, f, y, x, c, r, s) -> (f, c, r, s)>, affine_map<(n, f, y, x, c, r, s) -> (n, f, y, x)>], post_ops = []} -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// Near miss: if the accumulator is read, the output keeps its layout.
// CHECK-LABEL: @nchw_stride_2_accumulated(
// CHECK: tpp.contract {{.*}} outs({{.*}} : tensor<1x16x4x4xf32>)
// CHECK-NEXT: return
func.func @nchw_stride_2_accumulated(%x: tensor<1x8x8x8xf32>, %w: tensor<16x8x2x2xf32>, %c: tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %0 = tpp.contract ins(%x, %w : tensor<1x8x8x8xf32>, tensor<16x8x2x2xf32>) outs(%c : tensor<1x16x4x4xf32>) {beta = 1 : i64, extents = array<i64: 1, 16, 4, 4, 8, 2, 2>,
    indexing_maps = [affine_map<(n, f, y, x, c, r, s) -> (n, c, y * 2 + r, x * 2 + s)>, affine_map<(n, f, y, x, c, r, s) -> (f, c, r, s)>, affine_map<(n, f, y, x, c, r, s) -> (n, f, y, x)>], post_ops = []} -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// A dimension of B that several loops index (a head and its channels) is reshaped, so that each loop has its own dimension. A
// constant is then packed in panels; no panel crosses a head.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 * 64 + d4)>
// CHECK-LABEL: @constant_heads(
// CHECK: %[[H:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [96, 3, 64] : tensor<96x192xf32> into tensor<96x3x64xf32>
// CHECK: %[[P:.*]] = linalg.pack %[[H]] outer_dims_perm = [1, 2, 0] inner_dims_pos = [2] inner_tiles = [64] {{.*}} -> tensor<3x1x96x64xf32>
// CHECK: tpp.contract ins(%{{.*}}, %[[P]] : {{.*}}) outs({{.*}} : tensor<3x8x64xf32>) {{.*}} extents = array<i64: 3, 8, 1, 96, 64>, indexing_maps = [#[[X]], #[[W]], #[[Y]]]
// NONE-LABEL: @constant_heads(
// NONE-NOT: linalg.pack
// NONE-NOT: linalg.transpose
// NONE: return
func.func @constant_heads(%x: tensor<8x96xf32>) -> tensor<3x8x64xf32> {
  %w = arith.constant dense_resource<w128> : tensor<96x192xf32>
  %e = tensor.empty() : tensor<3x8x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x96xf32>, tensor<96x192xf32>) outs(%e : tensor<3x8x64xf32>) {beta = 0 : i64, extents = array<i64: 3, 8, 64, 96>,
    indexing_maps = [affine_map<(h, s, d, k) -> (s, k)>, affine_map<(h, s, d, k) -> (k, h * 64 + d)>, affine_map<(h, s, d, k) -> (h, s, d)>], post_ops = []} -> tensor<3x8x64xf32>
  return %0 : tensor<3x8x64xf32>
}

// -----

// The same weight stored by rows of outputs, as Linear layers store it.
// CHECK-LABEL: @constant_heads_transposed(
// CHECK: %[[H:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [3, 64, 96] : tensor<192x96xf32> into tensor<3x64x96xf32>
// CHECK: linalg.pack %[[H]] outer_dims_perm = [0, 1, 2] inner_dims_pos = [1] inner_tiles = [64] {{.*}} -> tensor<3x1x96x64xf32>
func.func @constant_heads_transposed(%x: tensor<8x96xf32>) -> tensor<3x8x64xf32> {
  %w = arith.constant dense_resource<w128> : tensor<192x96xf32>
  %e = tensor.empty() : tensor<3x8x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x96xf32>, tensor<192x96xf32>) outs(%e : tensor<3x8x64xf32>) {beta = 0 : i64, extents = array<i64: 3, 8, 64, 96>,
    indexing_maps = [affine_map<(h, s, d, k) -> (s, k)>, affine_map<(h, s, d, k) -> (h * 64 + d, k)>, affine_map<(h, s, d, k) -> (h, s, d)>], post_ops = []} -> tensor<3x8x64xf32>
  return %0 : tensor<3x8x64xf32>
}

// -----

// A variable operand (queries times keys, heads side by side in rows): it is packed head by head if enough rows share it.
// CHECK-LABEL: @keys(
// CHECK-SAME: %[[Q:.*]]: tensor<256x192xf32>, %[[K:.*]]: tensor<256x192xf32>)
// CHECK: %[[H:.*]] = tensor.expand_shape %[[K]] {{\[\[}}0], [1, 2]] output_shape [256, 3, 64]
// CHECK: %[[P:.*]] = linalg.pack %[[H]] outer_dims_perm = [1, 0, 2] inner_dims_pos = [0] inner_tiles = [64] {{.*}} -> tensor<3x4x64x64xf32>
// CHECK: tpp.contract ins(%[[Q]], %[[P]] : tensor<256x192xf32>, tensor<3x4x64x64xf32>)
func.func @keys(%q: tensor<256x192xf32>, %k: tensor<256x192xf32>) -> tensor<3x256x256xf32> {
  %e = tensor.empty() : tensor<3x256x256xf32>
  %0 = tpp.contract ins(%q, %k : tensor<256x192xf32>, tensor<256x192xf32>) outs(%e : tensor<3x256x256xf32>) {beta = 0 : i64, extents = array<i64: 3, 256, 256, 64>,
    indexing_maps = [affine_map<(h, s, t, d) -> (s, h * 64 + d)>, affine_map<(h, s, t, d) -> (t, h * 64 + d)>, affine_map<(h, s, t, d) -> (h, s, t)>], post_ops = []} -> tensor<3x256x256xf32>
  return %0 : tensor<3x256x256xf32>
}

// Too few rows for panels to pay off: transposed.
// CHECK-LABEL: @few_keys(
// CHECK: %[[H:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [256, 3, 64]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[H]] : tensor<256x3x64xf32>) outs({{.*}} : tensor<3x64x256xf32>) permutation = [1, 2, 0]
// CHECK: tpp.contract ins(%{{.*}}, %[[T]] : tensor<1x192xf32>, tensor<3x64x256xf32>)
func.func @few_keys(%q: tensor<1x192xf32>, %k: tensor<256x192xf32>) -> tensor<3x1x256xf32> {
  %e = tensor.empty() : tensor<3x1x256xf32>
  %0 = tpp.contract ins(%q, %k : tensor<1x192xf32>, tensor<256x192xf32>) outs(%e : tensor<3x1x256xf32>) {beta = 0 : i64, extents = array<i64: 3, 1, 256, 64>,
    indexing_maps = [affine_map<(h, s, t, d) -> (s, h * 64 + d)>, affine_map<(h, s, t, d) -> (t, h * 64 + d)>, affine_map<(h, s, t, d) -> (h, s, t)>], post_ops = []} -> tensor<3x1x256xf32>
  return %0 : tensor<3x1x256xf32>
}

// -----

// Near miss: rows that are contiguous already (probabilities times values).
// CHECK-LABEL: @values(
// CHECK-SAME: %[[P:.*]]: tensor<3x16x16xf32>, %[[V:.*]]: tensor<16x192xf32>
// CHECK-NOT: tensor.expand_shape
// CHECK: tpp.contract ins(%[[P]], %[[V]] : tensor<3x16x16xf32>, tensor<16x192xf32>)
func.func @values(%p: tensor<3x16x16xf32>, %v: tensor<16x192xf32>) -> tensor<3x16x64xf32> {
  %e = tensor.empty() : tensor<3x16x64xf32>
  %0 = tpp.contract ins(%p, %v : tensor<3x16x16xf32>, tensor<16x192xf32>) outs(%e : tensor<3x16x64xf32>) {beta = 0 : i64, extents = array<i64: 3, 16, 64, 16>,
    indexing_maps = [affine_map<(h, s, d, t) -> (h, s, t)>, affine_map<(h, s, d, t) -> (t, h * 64 + d)>, affine_map<(h, s, d, t) -> (h, s, d)>], post_ops = []} -> tensor<3x16x64xf32>
  return %0 : tensor<3x16x64xf32>
}

// Loops that cover only a part of a dimension (the second third of a projection): the part is packed.
// CHECK-LABEL: @part_of_a_constant(
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 192] [96, 192] [1, 1]
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[PART]] {{.*}} output_shape [96, 3, 64]
// CHECK: linalg.pack %[[HEADS]] outer_dims_perm = [1, 2, 0] inner_dims_pos = [2] inner_tiles = [64] {{.*}} -> tensor<3x1x96x64xf32>
func.func @part_of_a_constant(%x: tensor<8x96xf32>) -> tensor<3x8x64xf32> {
  %w = arith.constant dense_resource<w128> : tensor<96x576xf32>
  %e = tensor.empty() : tensor<3x8x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x96xf32>, tensor<96x576xf32>) outs(%e : tensor<3x8x64xf32>) {beta = 0 : i64, extents = array<i64: 3, 8, 64, 96>,
    indexing_maps = [affine_map<(h, s, d, k) -> (s, k)>, affine_map<(h, s, d, k) -> (k, h * 64 + d + 192)>, affine_map<(h, s, d, k) -> (h, s, d)>], post_ops = []} -> tensor<3x8x64xf32>
  return %0 : tensor<3x8x64xf32>
}

// Values of attention that are stored with the channels outermost: the last third is packed, and C is computed as it is.
// CHECK-LABEL: @part_of_strided_values(
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[384, 0] [192, 128] [1, 1]
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[PART]] {{.*}} output_shape [3, 64, 128]
// CHECK: %[[B:.*]] = linalg.pack %[[HEADS]] {{.*}} -> tensor<3x1x128x64xf32>
// CHECK: tpp.contract ins(%{{.*}}, %[[B]] : tensor<3x128x128xf32>, tensor<3x1x128x64xf32>) outs(%{{.*}} : tensor<3x128x64xf32>)
func.func @part_of_strided_values(%p: tensor<3x128x128xf32>, %v: tensor<576x128xf32>) -> tensor<3x128x64xf32> {
  %e = tensor.empty() : tensor<3x128x64xf32>
  %0 = tpp.contract ins(%p, %v : tensor<3x128x128xf32>, tensor<576x128xf32>) outs(%e : tensor<3x128x64xf32>) {beta = 0 : i64, extents = array<i64: 3, 128, 64, 128>,
    indexing_maps = [affine_map<(h, s, d, t) -> (h, s, t)>, affine_map<(h, s, d, t) -> (h * 64 + d + 384, t)>, affine_map<(h, s, d, t) -> (h, s, d)>], post_ops = []} -> tensor<3x128x64xf32>
  return %0 : tensor<3x128x64xf32>
}

// -----

// A loop selects the matrices of a constant (the experts of a mixture): all are packed before the loop, once.
// CHECK-LABEL: @selected_by_a_loop(
// CHECK: %[[ALL:.*]] = linalg.pack %{{.*}} outer_dims_perm = [0, 1, 3, 2] inner_dims_pos = [3] inner_tiles = [64] {{.*}} : tensor<3x5x32x128xf32> -> tensor<3x5x2x32x64xf32>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args
// CHECK-NOT: linalg.pack
// CHECK: %[[ONE:.*]] = tensor.extract_slice %[[ALL]][2, %[[I]], 0, 0, 0] [1, 1, 2, 32, 64] [1, 1, 1, 1, 1] : tensor<3x5x2x32x64xf32> to tensor<2x32x64xf32>
// CHECK: tpp.contract ins(%{{.*}}, %[[ONE]] :
func.func @selected_by_a_loop(%x: tensor<8x32xf32>, %init: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %w = arith.constant dense_resource<experts> : tensor<3x5x32x128xf32>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%sum = %init) -> tensor<8x128xf32> {
    %m = tensor.extract_slice %w[2, %i, 0, 0] [1, 1, 32, 128] [1, 1, 1, 1] : tensor<3x5x32x128xf32> to tensor<32x128xf32>
    %n = tpp.contract ins(%x, %m : tensor<8x32xf32>, tensor<32x128xf32>) outs(%sum : tensor<8x128xf32>) {beta = 1 : i64, extents = array<i64: 8, 128, 32>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []} -> tensor<8x128xf32>
    scf.yield %n : tensor<8x128xf32>
  }
  return %r : tensor<8x128xf32>
}

// -----

// A pack with a padding that is no constant stays in the loop.
// CHECK-LABEL: @selected_and_padded(
// CHECK: scf.for
// CHECK: linalg.pack %{{.*}} padding_value(
func.func @selected_and_padded(%padding: f32, %n: index, %init: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.constant dense_resource<narrow> : tensor<5x4x15xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %init) -> tensor<2x4x8xf32> {
    %m = tensor.extract_slice %w[%i, 0, 0] [1, 4, 15] [1, 1, 1] : tensor<5x4x15xf32> to tensor<4x15xf32>
    %e = tensor.empty() : tensor<2x4x8xf32>
    %p = linalg.pack %m padding_value(%padding : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] into %e : tensor<4x15xf32> -> tensor<2x4x8xf32>
    scf.yield %p : tensor<2x4x8xf32>
  }
  return %r : tensor<2x4x8xf32>
}
