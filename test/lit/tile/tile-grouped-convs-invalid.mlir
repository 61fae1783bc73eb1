// Bad input: contractions on tensors, operands that the kernels of groups cannot read, passes that do not lower grouped convolutions, invalid options.
// RUN: split-file %s %t
// RUN: tpp-opt %t/tile.mlir --tpp-tile-grouped-convs -split-input-file -verify-diagnostics
// RUN: not tpp-opt %t/tile.mlir --tpp-tile-grouped-convs=threads=0 -split-input-file 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: tpp-opt %t/others.mlir --tpp-tile-contractions -verify-diagnostics=only-expected
// THREADS: threads must be at least 1

//--- tile.mlir

func.func @on_tensors(%x: tensor<1x16x16x24xf32>, %w: tensor<3x3x24xf32>, %c: tensor<1x14x14x24xf32>) {
  // expected-error @below {{is on tensors: bufferize first}}
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x24xf32>, tensor<3x3x24xf32>) outs(%c : tensor<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x24xf32>
  return
}

// -----

func.func @matmul(%x: memref<16x8xf32>, %w: memref<8x16xf32>, %c: memref<16x16xf32>) {
  // expected-error @below {{is grouped, but is no convolution of groups with contiguous channels and rows of filters}}
  tpp.contract ins(%x, %w : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
    {beta = 0 : i64, extents = array<i64: 16, 16, 8>, grouped, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

func.func @channels_first(%x: memref<1x24x16x16xf32>, %w: memref<24x3x3xf32>, %c: memref<1x24x14x14xf32>) {
  // expected-error @below {{is grouped, but is no convolution of groups with contiguous channels and rows of filters}}
  tpp.contract ins(%x, %w : memref<1x24x16x16xf32>, memref<24x3x3xf32>) outs(%c : memref<1x24x14x14xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 24, 14, 14, 3, 3>, grouped, indexing_maps = [affine_map<(i, c, y, x, r, s) -> (i, c, y + r, x + s)>, affine_map<(i, c, y, x, r, s) -> (c, r, s)>, affine_map<(i, c, y, x, r, s) -> (i, c, y, x)>], post_ops = []}
  return
}

// -----

func.func @result_transposed(%x: memref<1x16x16x24xf32>, %w: memref<3x3x24xf32>, %c: memref<1x14x14x24xf32>) {
  // expected-error @below {{is grouped, but is no convolution of groups with contiguous channels and rows of filters}}
  tpp.contract ins(%x, %w : memref<1x16x16x24xf32>, memref<3x3x24xf32>) outs(%c : memref<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, x, y, c)>], post_ops = []}
  return
}

// -----

func.func @filters_exchanged(%x: memref<1x16x16x24xf32>, %w: memref<3x3x24xf32>, %c: memref<1x14x14x24xf32>) {
  // expected-error @below {{is grouped, but is no convolution of groups with contiguous channels and rows of filters}}
  tpp.contract ins(%x, %w : memref<1x16x16x24xf32>, memref<3x3x24xf32>) outs(%c : memref<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (s, r, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []}
  return
}

// -----

func.func @filters_interleaved(%x: memref<1x10x10x32xf32>, %w: memref<8x3x3x4x4xf32>, %c: memref<1x8x8x32xf32>) {
  // expected-error @below {{is grouped, but is no convolution of groups with contiguous channels and rows of filters}}
  tpp.contract ins(%x, %w : memref<1x10x10x32xf32>, memref<8x3x3x4x4xf32>) outs(%c : memref<1x8x8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 4, 3, 3, 4>, grouped, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 4 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, r, s, f, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 4 + f)>], post_ops = []}
  return
}

// -----

func.func @three_taps(%x: memref<6x8x8x16xf32>, %w: memref<3x3x3x16xf32>, %c: memref<4x6x6x16xf32>) {
  // expected-error @below {{is grouped, but is no convolution of groups with contiguous channels and rows of filters}}
  tpp.contract ins(%x, %w : memref<6x8x8x16xf32>, memref<3x3x3x16xf32>) outs(%c : memref<4x6x6x16xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 6, 16, 3, 3, 3>, grouped, indexing_maps = [affine_map<(z, y, x, c, q, r, s) -> (z + q, y + r, x + s, c)>, affine_map<(z, y, x, c, q, r, s) -> (q, r, s, c)>, affine_map<(z, y, x, c, q, r, s) -> (z, y, x, c)>], post_ops = []}
  return
}

// -----

func.func @dynamic_image(%x: memref<1x16x16x24xf32, strided<[?, 384, 24, 1]>>, %w: memref<3x3x24xf32>, %c: memref<1x14x14x24xf32>) {
  // expected-error @below {{is grouped, but is no convolution of groups with contiguous channels and rows of filters}}
  tpp.contract ins(%x, %w : memref<1x16x16x24xf32, strided<[?, 384, 24, 1]>>, memref<3x3x24xf32>) outs(%c : memref<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []}
  return
}

//--- others.mlir

func.func @others(%x: memref<1x16x16x24xf32>, %w: memref<3x3x24xf32>, %c: memref<1x14x14x24xf32>) {
  // expected-error @below {{is grouped: tpp-tile-grouped-convs first}}
  tpp.contract ins(%x, %w : memref<1x16x16x24xf32>, memref<3x3x24xf32>) outs(%c : memref<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []}
  return
}
