// One test for each message of tpp.contract's verifier.
// RUN: tpp-opt %s -split-input-file -verify-diagnostics

func.func @mixed(%a: tensor<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{operands must be all tensors or all memrefs}}
  tpp.contract ins(%a, %b : tensor<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @result(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) {
  // expected-error @below {{has one result on tensors and none on memrefs}}
  tpp.contract ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @result_type(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) {
  // expected-error @below {{result type 'tensor<6x4xf32>' must be that of the init operand, 'tensor<4x6xf32>'}}
  %0 = tpp.contract ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]} -> tensor<6x4xf32>
  return
}

// -----

func.func @beta(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{beta must be 0 or 1, not 2}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 2 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @extents(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{extents must not be negative}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, -5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @post_operands(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{has 1 binary post-ops but 0 post operands}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [#tpp.post_op<binary add>], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @map_count(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{needs an indexing map for each of 3 operands, has 2}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>]}
  return
}

// -----

func.func @map_dims(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{indexing map 1 must have 3 dimensions and no symbols}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(k, n) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @map_results(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{indexing map 1 must have a result for each dimension of 'memref<5x6xf32>'}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @map_linear(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{indexing map 0 must be linear}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k mod 2)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @map_bounds(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @below {{indexing map 0 leaves dimension 1 of 'memref<4x5xf32>': reaches 1 to 5}}
  tpp.contract ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [], indexing_maps = [affine_map<(m, n, k) -> (m, k + 1)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @mixed_inputs(%a: tensor<4x8xf32>, %b: tensor<8x4xbf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has element types 'f32' x 'bf16' -> 'f32'; both inputs need one type}}
  %0 = tpp.contract ins(%a, %b : tensor<4x8xf32>, tensor<8x4xbf16>) outs(%c : tensor<4x4xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 8>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []} -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @narrow_accumulator(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  // expected-error @+1 {{has element types 'f32' x 'f32' -> 'bf16'}}
  %0 = tpp.contract ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xbf16>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 8>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []} -> tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}

// -----

func.func @integers_and_floats(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %c: tensor<4x4xi32>, %p: tensor<4xf32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{has a post operand of 'f32' beside an accumulator of 'i32'}}
  %0 = tpp.contract ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%c : tensor<4x4xi32>) post(%p : tensor<4xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 8>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (n)>],
     post_ops = [#tpp.post_op<binary add>]} -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----

func.func @unsigned_i32(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @below {{c_unsigned needs a result of i8, got 'i32'}}
  %0 = tpp.contract ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%c : tensor<4x4xi32>)
    {c_unsigned, beta = 0 : i64, extents = array<i64: 4, 4, 8>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]} -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----

func.func @unsigned_floats(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{has unsigned operands of a floating-point type, 'f32'}}
  %0 = tpp.contract ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>)
    {b_unsigned, beta = 0 : i64, extents = array<i64: 4, 4, 8>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
    -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @vnni_group(%a: memref<4x7xbf16>, %b: memref<4x4x3xbf16>, %c: memref<4x4xf32>) {
  // expected-error @below {{indexing map 1 needs groups of at least 2 elements in the last dimension of 'memref<4x4x3xbf16>', reads 2}}
  tpp.contract ins(%a, %b : memref<4x7xbf16>, memref<4x4x3xbf16>) outs(%c : memref<4x4xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 7>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k floordiv 2, n, k mod 2)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @vnni_groups(%a: memref<4x7xbf16>, %b: memref<3x4x2xbf16>, %c: memref<4x4xf32>) {
  // expected-error @below {{indexing map 1 needs 4 groups in dimension 0 of 'memref<3x4x2xbf16>'}}
  tpp.contract ins(%a, %b : memref<4x7xbf16>, memref<3x4x2xbf16>) outs(%c : memref<4x4xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 7>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k floordiv 2, n, k mod 2)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @vnni_result(%a: memref<4x7xbf16>, %b: memref<7x4xbf16>, %c: memref<4x2x2xf32>) {
  // expected-error @below {{indexing map 2 reads an operand in VNNI form; only a and b can have it}}
  tpp.contract ins(%a, %b : memref<4x7xbf16>, memref<7x4xbf16>) outs(%c : memref<4x2x2xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 7>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n floordiv 2, n mod 2)>]}
  return
}

// -----

func.func @vnni_factors(%a: memref<4x7xbf16>, %b: memref<4x4x2xbf16>, %c: memref<4x4xf32>) {
  // expected-error @below {{indexing map 1 must be linear}}
  tpp.contract ins(%a, %b : memref<4x7xbf16>, memref<4x4x2xbf16>) outs(%c : memref<4x4xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 7>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k floordiv 3, n, k mod 2)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @converted_types(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi32>) {
  // expected-error @below {{has element types 'i8' x 'i8' -> 'i32'; with the post-op convert, i8 x i8 -> f32, bf16, f16 or i8 is possible}}
  tpp.contract ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 8>, post_ops = [#tpp.post_op<unary convert>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @converted_beta(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi8>) {
  // expected-error @below {{converts sums that start with the init; beta must be 0}}
  tpp.contract ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi8>)
    {beta = 1 : i64, extents = array<i64: 4, 4, 8>, post_ops = [#tpp.post_op<unary convert>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @converted_twice(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi8>) {
  // expected-error @below {{converts twice}}
  tpp.contract ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi8>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 8>, post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<unary convert>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

func.func @converted_operand(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi8>, %p: memref<4xf32>) {
  // expected-error @below {{has a post operand of 'f32' before the conversion to f32}}
  tpp.contract ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi8>) post(%p : memref<4xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 8>, post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary convert>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (n)>]}
  return
}

// -----

func.func @converted_operand_after(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi8>, %p: memref<4xf64>) {
  // expected-error @below {{has a post operand of 'f64' after the conversion to f32}}
  tpp.contract ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi8>) post(%p : memref<4xf64>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 8>, post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<binary add>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (n)>]}
  return
}

// -----

func.func @winograd_tile(%a: memref<1x9x9x5xf32>, %b: memref<25x2x5x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile of 3; it must be 2 or 4}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<25x2x5x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 3 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_filters(%a: memref<1x9x9x5xbf16>, %b: memref<16x2x5x8xbf16>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile and filters of 'memref<16x2x5x8xbf16>'; they must be of f32}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xbf16>, memref<16x2x5x8xbf16>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_images(%a: memref<1x9x9x5xf64>, %b: memref<16x2x5x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile and an image of 'memref<1x9x9x5xf64>'; it must be of f32 or bf16}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf64>, memref<16x2x5x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_beta(%a: memref<1x9x9x5xf32>, %b: memref<16x2x5x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile, so beta must be 0}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x2x5x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 1 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_unpacked(%a: memref<1x9x9x5xf32>, %b: memref<16x5x10xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile, so b must be read at (0, n floordiv panel, k, n mod panel)}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x5x10xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, k, n)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_taps(%a: memref<1x9x9x5xf32>, %b: memref<16x2x5x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile, so b must be read at (0, n floordiv panel, k, n mod panel)}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x2x5x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (r * 3 + s, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_order(%a: memref<1x9x9x5xf32>, %b: memref<16x5x2x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile, so b must be read at (0, n floordiv panel, k, n mod panel)}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x5x2x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, k, n floordiv 8, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_points(%a: memref<1x9x9x5xf32>, %b: memref<16x2x5x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile of 4, so b must have 36 points and 5 channels, got 'memref<16x2x5x8xf32>'}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x2x5x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_channels(%a: memref<1x9x9x5xf32>, %b: memref<16x2x6x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{has a Winograd tile of 2, so b must have 16 points and 5 channels, got 'memref<16x2x6x8xf32>'}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x2x6x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_panels(%a: memref<1x9x9x5xf32>, %b: memref<16x1x5x8xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{indexing map 1 needs 2 groups in dimension 1 of 'memref<16x1x5x8xf32>'}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x1x5x8xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @winograd_panel(%a: memref<1x9x9x5xf32>, %b: memref<16x2x5x7xf32>, %c: memref<1x7x7x10xf32>) {
  // expected-error @below {{indexing map 1 needs groups of at least 2 elements in the last dimension of 'memref<16x2x5x7xf32>', reads 8}}
  tpp.contract ins(%a, %b : memref<1x9x9x5xf32>, memref<16x2x5x7xf32>) outs(%c : memref<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @padded(%a: memref<1x9x9x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{is padded: only a convolution with 'winograd' or 'grouped' can be}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, padded, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @grouped_accumulates(%a: memref<1x9x9x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{is grouped, so it can have no Winograd tile, and beta must be 0}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 1 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @grouped_winograd(%a: memref<1x9x9x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{is grouped, so it can have no Winograd tile, and beta must be 0}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, winograd = 2 : i64, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @grouped_inputs(%a: memref<1x9x9x16xf16>, %b: memref<3x3x16xf16>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{is grouped with element types 'f16' x 'f16' -> 'f32'; possible are f32 x f32 -> f32, bf16 x bf16 -> f32 or bf16, i8 x i8 -> i32}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf16>, memref<3x3x16xf16>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @grouped_result(%a: memref<1x9x9x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x7x7x16xf64>) {
  // expected-error @below {{is grouped with element types 'f32' x 'f32' -> 'f64'; possible are}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x7x16xf64>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @border_of_floats(%a: memref<1x9x9x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{has a border: only with 'grouped', 'padded' and operand a of i8 it can have one}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 0 : i64, border = 1 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, padded, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @large_border(%a: memref<1x9x9x16xi8>, %b: memref<3x3x16xi8>, %c: memref<1x7x7x16xi32>) {
  // expected-error @below {{has a border of 128; it must be from -128 to 127}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xi8>, memref<3x3x16xi8>) outs(%c : memref<1x7x7x16xi32>)
    {beta = 0 : i64, border = 128 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, padded, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @grouped_leaves_image(%a: memref<1x9x9x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{indexing map 0 leaves dimension 1 of 'memref<1x9x9x16xf32>': reaches -1 to 7}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r - 1, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}

// -----

func.func @padded_leaves_filters(%a: memref<1x9x9x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{indexing map 1 leaves dimension 0 of 'memref<3x3x16xf32>': reaches 1 to 3}}
  tpp.contract ins(%a, %b : memref<1x9x9x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3>, grouped, padded, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r + 1, s, c)>,
                      affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}
