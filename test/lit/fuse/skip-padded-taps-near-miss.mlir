// Near misses: pads that stay, because nothing would be saved or because not all readers can skip the padding.
// RUN: tpp-opt %s --tpp-skip-padded-taps --split-input-file | FileCheck %s

// The source is computed, so it is computed directly into the middle of the pad.
// CHECK-LABEL: @computed(
// CHECK: %[[X:.*]] = linalg.generic
// CHECK: %[[P:.*]] = tensor.insert_slice %[[X]] into
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: tpp.contract
#id = affine_map<(c, w) -> (c, w)>
#row = affine_map<(o, n, c, t) -> (c, o + t)>
#taps = affine_map<(o, n, c, t) -> (c, t, n)>
#out = affine_map<(o, n, c, t) -> (o, n)>
func.func @computed(%x: tensor<4x8xf32>, %w: tensor<4x3x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %empty = tensor.empty() : tensor<4x10xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x10xf32>) -> tensor<4x10xf32>
  %padded = tensor.insert_slice %exp into %zeros[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x10xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<4x10xf32>, tensor<4x3x16xf32>) outs(%e : tensor<8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 16, 4, 3>, indexing_maps = [#row, #taps, #out], post_ops = []} -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// Padding with ones instead of zeros.
// CHECK-LABEL: @ones(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
#row = affine_map<(o, n, c, t) -> (c, o + t)>
#taps = affine_map<(o, n, c, t) -> (c, t, n)>
#out = affine_map<(o, n, c, t) -> (o, n)>
func.func @ones(%x: tensor<4x8xf32>, %w: tensor<4x3x16xf32>) -> tensor<8x16xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<4x10xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<4x10xf32>) -> tensor<4x10xf32>
  %padded = tensor.insert_slice %x into %ones[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x10xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<4x10xf32>, tensor<4x3x16xf32>) outs(%e : tensor<8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 16, 4, 3>, indexing_maps = [#row, #taps, #out], post_ops = []} -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// Another user needs the padded value.
// CHECK-LABEL: @returned(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
#row = affine_map<(o, n, c, t) -> (c, o + t)>
#taps = affine_map<(o, n, c, t) -> (c, t, n)>
#out = affine_map<(o, n, c, t) -> (o, n)>
func.func @returned(%x: tensor<4x8xf32>, %w: tensor<4x3x16xf32>) -> (tensor<8x16xf32>, tensor<4x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x10xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x10xf32>) -> tensor<4x10xf32>
  %padded = tensor.insert_slice %x into %zeros[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x10xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<4x10xf32>, tensor<4x3x16xf32>) outs(%e : tensor<8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 16, 4, 3>, indexing_maps = [#row, #taps, #out], post_ops = []} -> tensor<8x16xf32>
  return %0, %padded : tensor<8x16xf32>, tensor<4x10xf32>
}

// -----

// A pointwise convolution: the outer results are sums over padding only.
// CHECK-LABEL: @pointwise(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
#row = affine_map<(o, n, c) -> (c, o)>
#taps = affine_map<(o, n, c) -> (c, n)>
#out = affine_map<(o, n, c) -> (o, n)>
func.func @pointwise(%x: tensor<4x8xf32>, %w: tensor<4x16xf32>) -> tensor<10x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x10xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x10xf32>) -> tensor<4x10xf32>
  %padded = tensor.insert_slice %x into %zeros[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x10xf32>
  %e = tensor.empty() : tensor<10x16xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<4x10xf32>, tensor<4x16xf32>) outs(%e : tensor<10x16xf32>)
    {beta = 0 : i64, extents = array<i64: 10, 16, 4>, indexing_maps = [#row, #taps, #out], post_ops = []} -> tensor<10x16xf32>
  return %0 : tensor<10x16xf32>
}

// -----

// Rows and columns of the result are one dimension: a range of columns would not be a slice.
// CHECK-LABEL: @collapsed(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
#image = affine_map<(h, w, n, c, t) -> (c, h, w + t)>
#taps = affine_map<(h, w, n, c, t) -> (c, t, n)>
#out = affine_map<(h, w, n, c, t) -> (h * 8 + w, n)>
func.func @collapsed(%x: tensor<4x6x8xf32>, %w: tensor<4x3x16xf32>) -> tensor<48x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6x10xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
  %padded = tensor.insert_slice %x into %zeros[0, 0, 1] [4, 6, 8] [1, 1, 1] : tensor<4x6x8xf32> into tensor<4x6x10xf32>
  %e = tensor.empty() : tensor<48x16xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<4x6x10xf32>, tensor<4x3x16xf32>) outs(%e : tensor<48x16xf32>)
    {beta = 0 : i64, extents = array<i64: 6, 8, 16, 4, 3>, indexing_maps = [#image, #taps, #out], post_ops = []} -> tensor<48x16xf32>
  return %0 : tensor<48x16xf32>
}

// -----

// Elements that are inserted in the reverse order.
// CHECK-LABEL: @backwards(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
#row = affine_map<(o, n, t, c) -> (o + t, c)>
#taps = affine_map<(o, n, t, c) -> (t, c, n)>
#out = affine_map<(o, n, t, c) -> (o, n)>
func.func @backwards(%x: tensor<3x8xf32>, %w: tensor<3x8x16xf32>) -> tensor<6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %padded = tensor.insert_slice %x into %zeros[5, 0] [3, 8] [-2, 1] : tensor<3x8xf32> into tensor<8x8xf32>
  %e = tensor.empty() : tensor<6x16xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<8x8xf32>, tensor<3x8x16xf32>) outs(%e : tensor<6x16xf32>)
    {beta = 0 : i64, extents = array<i64: 6, 16, 3, 8>, indexing_maps = [#row, #taps, #out], post_ops = []} -> tensor<6x16xf32>
  return %0 : tensor<6x16xf32>
}
