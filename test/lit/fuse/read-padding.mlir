// Winograd's convolutions, and those of groups of channels, read the source of a zero pad: their maps leave the image by the width of the border.
// RUN: tpp-opt %s --pass-pipeline='builtin.module(tpp-target{target=zen4},func.func(tpp-read-padding))' --split-input-file | FileCheck %s

// Borders of different widths. The post operand's map stays.
// CHECK: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4 - 1, d2 + d5 - 2, d6)>
// CHECK: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @winograd(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x16xf32>, %[[U:.*]]: tensor<36x1x16x16xf32>, %[[R:.*]]: tensor<1x7x8x16xf32>)
// CHECK-NOT: tensor.insert_slice
// CHECK: tpp.contract ins(%[[X]], %[[U]] : {{.*}}) outs({{.*}}) post(%[[R]] : {{.*}}) {{.*}}indexing_maps = [#[[IMAGE]], #{{.*}}, #[[RESULT]], #[[RESULT]]], padded, {{.*}}winograd = 4 : i64}
#image = affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>
#filters = affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>
#result = affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>
func.func @winograd(%x: tensor<1x8x8x16xf32>, %u: tensor<36x1x16x16xf32>, %r: tensor<1x7x8x16xf32>) -> tensor<1x7x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x9x10x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32>
  %p = tensor.insert_slice %x into %zeros[0, 1, 2, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x9x10x16xf32>
  %e = tensor.empty() : tensor<1x7x8x16xf32>
  %0 = tpp.contract ins(%p, %u : tensor<1x9x10x16xf32>, tensor<36x1x16x16xf32>) outs(%e : tensor<1x7x8x16xf32>) post(%r : tensor<1x7x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 8, 16, 3, 3, 16>, indexing_maps = [#image, #filters, #result, #result], post_ops = [#tpp.post_op<binary add>], winograd = 4 : i64} -> tensor<1x7x8x16xf32>
  return %0 : tensor<1x7x8x16xf32>
}

// -----

// Steps and dilations stay. A wide border is no obstacle for a convolution of groups. Two convolutions read the pad.
// CHECK-DAG: #[[THREE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4 - 5, d2 * 2 + d5 * 3 - 4, d3)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 - 5, d2 - 4, d3)>
// CHECK-LABEL: @grouped(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x8x16xf32>,
// CHECK-NOT: tensor.insert_slice
// CHECK: tpp.contract ins(%[[X]], {{.*}}grouped, indexing_maps = [#[[THREE]], {{.*}}, padded,
// CHECK: tpp.contract ins(%[[X]], {{.*}}grouped, indexing_maps = [#[[ONE]], {{.*}}, padded,
#image = affine_map<(i, y, x, c, r, s) -> (i, 2 * y + r, 2 * x + 3 * s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
#pixels = affine_map<(i, y, x, c) -> (i, y, x, c)>
#factors = affine_map<(i, y, x, c) -> (c)>
func.func @grouped(%x: tensor<2x8x8x16xf32>, %w: tensor<3x3x16xf32>, %v: tensor<16xf32>) -> (tensor<2x6x5x16xf32>, tensor<2x14x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x14x16x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x14x16x16xf32>) -> tensor<2x14x16x16xf32>
  %p = tensor.insert_slice %x into %zeros[0, 5, 4, 0] [2, 8, 8, 16] [1, 1, 1, 1] : tensor<2x8x8x16xf32> into tensor<2x14x16x16xf32>
  %e = tensor.empty() : tensor<2x6x5x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<2x14x16x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<2x6x5x16xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 6, 5, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<2x6x5x16xf32>
  %e1 = tensor.empty() : tensor<2x14x16x16xf32>
  %1 = tpp.contract ins(%p, %v : tensor<2x14x16x16xf32>, tensor<16xf32>) outs(%e1 : tensor<2x14x16x16xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 14, 16, 16>, grouped, indexing_maps = [#pixels, #factors, #pixels], post_ops = []} -> tensor<2x14x16x16xf32>
  return %0, %1 : tensor<2x6x5x16xf32>, tensor<2x14x16x16xf32>
}

// -----

// The convolution reads the padded image from its second pixel on, so the border is as wide as Winograd's kernels allow.
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4 - 2, d2 + d5, d6)>
// CHECK-LABEL: @offset(
// CHECK-NOT: tensor.insert_slice
// CHECK: padded,
#image = affine_map<(i, y, x, n, r, s, k) -> (i, y + r + 1, x + s, k)>
#filters = affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>
#result = affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>
func.func @offset(%x: tensor<1x8x8x16xf32>, %u: tensor<16x1x16x16xf32>) -> tensor<1x8x6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x11x8x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x11x8x16xf32>) -> tensor<1x11x8x16xf32>
  %p = tensor.insert_slice %x into %zeros[0, 3, 0, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x11x8x16xf32>
  %e = tensor.empty() : tensor<1x8x6x16xf32>
  %0 = tpp.contract ins(%p, %u : tensor<1x11x8x16xf32>, tensor<16x1x16x16xf32>) outs(%e : tensor<1x8x6x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 6, 16, 3, 3, 16>, indexing_maps = [#image, #filters, #result], post_ops = [], winograd = 2 : i64} -> tensor<1x8x6x16xf32>
  return %0 : tensor<1x8x6x16xf32>
}

// -----

// The pad of a quantized image is its zero point. i8 constants are signed, and the image is not.
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4 - 1, d2 + d5 - 1, d3)>
// CHECK-LABEL: @quantized(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x8x16xi8>,
// CHECK-NOT: tensor.insert_slice
// CHECK: tpp.contract ins(%[[X]], {{.*}}border = 131 : i64, {{.*}}grouped, {{.*}}padded,
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @quantized(%x: tensor<2x8x8x16xi8>, %w: tensor<3x3x16xi8>) -> tensor<2x8x8x16xi32> {
  %zero = arith.constant -125 : i8
  %empty = tensor.empty() : tensor<2x10x10x16xi8>
  %zeros = linalg.fill ins(%zero : i8) outs(%empty : tensor<2x10x10x16xi8>) -> tensor<2x10x10x16xi8>
  %p = tensor.insert_slice %x into %zeros[0, 1, 1, 0] [2, 8, 8, 16] [1, 1, 1, 1] : tensor<2x8x8x16xi8> into tensor<2x10x10x16xi8>
  %e = tensor.empty() : tensor<2x8x8x16xi32>
  %0 = tpp.contract ins(%p, %w : tensor<2x10x10x16xi8>, tensor<3x3x16xi8>) outs(%e : tensor<2x8x8x16xi32>)
    {a_unsigned, beta = 0 : i64, extents = array<i64: 2, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<2x8x8x16xi32>
  return %0 : tensor<2x8x8x16xi32>
}
