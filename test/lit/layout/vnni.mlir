// Operands of types below 32 bits: B is packed in panels of VNNI groups, and A becomes contiguous along the steps of a group.
// RUN: tpp-opt %s --tpp-target=avx512 --tpp-assign-layouts --split-input-file | FileCheck %s

// Pairs of bf16. An odd number of steps is padded.
// CHECK: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2 floordiv 2, d3, d2 mod 2)>
// CHECK-LABEL: @odd_steps(
// CHECK: %[[PACK:.*]] = linalg.pack %{{.*}} padding_value(%{{.*}} : bf16) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [64, 2]
// CHECK-SAME: tensor<47x128xbf16> -> tensor<2x24x64x2xbf16>
// CHECK: tpp.contract ins(%{{.*}}, %[[PACK]]
// CHECK-SAME: extents = array<i64: 13, 2, 47, 64>, indexing_maps = [#[[A]], #[[B]],
func.func @odd_steps(%a: tensor<13x47xbf16>, %b: tensor<47x128xbf16>) -> tensor<13x128xf32> {
  %e = tensor.empty() : tensor<13x128xf32>
  %0 = tpp.contract ins(%a, %b : tensor<13x47xbf16>, tensor<47x128xbf16>) outs(%e : tensor<13x128xf32>)
    {beta = 0 : i64, extents = array<i64: 13, 128, 47>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]} -> tensor<13x128xf32>
  return %0 : tensor<13x128xf32>
}

// -----

// Groups of four bytes, and A transposed.
// CHECK-LABEL: @transposed_a(
// CHECK: linalg.pack {{.*}} inner_tiles = [64, 4] into %{{.*}} : tensor<48x64xi8> -> tensor<1x12x64x4xi8>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<48x13xi8>) outs(%{{.*}} : tensor<13x48xi8>) permutation = [1, 0]
// CHECK: tpp.contract
// CHECK-SAME: a_unsigned
func.func @transposed_a(%a: tensor<48x13xi8>, %b: tensor<48x64xi8>) -> tensor<13x64xi32> {
  %e = tensor.empty() : tensor<13x64xi32>
  %0 = tpp.contract ins(%a, %b : tensor<48x13xi8>, tensor<48x64xi8>) outs(%e : tensor<13x64xi32>)
    {a_unsigned, beta = 0 : i64, extents = array<i64: 13, 64, 48>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]} -> tensor<13x64xi32>
  return %0 : tensor<13x64xi32>
}

// -----

// A convolution: the channels, along which the image is contiguous, form the groups. A strategy without panels gets one panel of all columns.
// CHECK-LABEL: @convolution(
// CHECK: linalg.pack {{.*}} inner_dims_pos = [3, 2] inner_tiles = [40, 2] into %{{.*}} : tensor<3x3x16x40xbf16> -> tensor<1x3x3x8x40x2xbf16>
// CHECK: tpp.contract
// CHECK-SAME: panel = 40
func.func @convolution(%x: tensor<8x9x16xbf16>, %w: tensor<3x3x16x40xbf16>) -> tensor<6x7x40xf32> {
  %e = tensor.empty() : tensor<6x7x40xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x9x16xbf16>, tensor<3x3x16x40xbf16>) outs(%e : tensor<6x7x40xf32>)
    {beta = 0 : i64, extents = array<i64: 6, 7, 40, 3, 3, 16>, post_ops = [], tpp.packing = #tpp.packing_fixed<panel = 0>,
     indexing_maps = [affine_map<(h, w, n, r, s, k) -> (h + r, w + s, k)>, affine_map<(h, w, n, r, s, k) -> (r, s, k, n)>,
                      affine_map<(h, w, n, r, s, k) -> (h, w, n)>]} -> tensor<6x7x40xf32>
  return %0 : tensor<6x7x40xf32>
}

// -----

// No loop of the sum alone indexes a dimension of A: the contraction stays, and tpp-generalize-contractions makes it vector code.
// CHECK-LABEL: @windows(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
func.func @windows(%x: tensor<40x2xbf16>, %w: tensor<3x64xbf16>) -> tensor<38x64xf32> {
  %e = tensor.empty() : tensor<38x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<40x2xbf16>, tensor<3x64xbf16>) outs(%e : tensor<38x64xf32>)
    {beta = 0 : i64, extents = array<i64: 38, 64, 3>, post_ops = [],
     indexing_maps = [affine_map<(h, n, r) -> (h + r, 0)>, affine_map<(h, n, r) -> (r, n)>, affine_map<(h, n, r) -> (h, n)>]} -> tensor<38x64xf32>
  return %0 : tensor<38x64xf32>
}
