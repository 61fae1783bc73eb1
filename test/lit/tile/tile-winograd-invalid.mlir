// Bad input: contractions on tensors, operands that Winograd's kernels cannot read, passes that do not lower Winograd's filters, invalid options.
// RUN: split-file %s %t
// RUN: tpp-opt %t/tile.mlir --tpp-tile-winograd -split-input-file -verify-diagnostics
// RUN: not tpp-opt %t/tile.mlir --tpp-tile-winograd=threads=0 -split-input-file 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: tpp-opt %t/others.mlir --tpp-tile-contractions -verify-diagnostics=only-expected
// RUN: not tpp-opt %t/others.mlir --tpp-lower-tpp-to-loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// THREADS: threads must be at least 1
// LOOPS: 'tpp.contract' op has Winograd's filters: tpp-tile-winograd first

//--- tile.mlir

func.func @on_tensors(%a: tensor<1x4x4x16xf32>, %b: tensor<16x1x16x16xf32>, %c: tensor<1x2x2x16xf32>) {
  // expected-error @below {{is on tensors: bufferize first}}
  %0 = tpp.contract ins(%a, %b : tensor<1x4x4x16xf32>, tensor<16x1x16x16xf32>) outs(%c : tensor<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]} -> tensor<1x2x2x16xf32>
  return
}

// -----

func.func @stride_2(%a: memref<1x5x5x16xf32>, %b: memref<16x1x16x16xf32>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x5x5x16xf32>, memref<16x1x16x16xf32>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, 2 * y + r, 2 * x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @dilation_2(%a: memref<1x6x6x16xf32>, %b: memref<16x1x16x16xf32>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x6x6x16xf32>, memref<16x1x16x16xf32>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + 2 * r, x + 2 * s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @channels_first(%a: memref<1x16x4x4xf32>, %b: memref<16x1x16x16xf32>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x16x4x4xf32>, memref<16x1x16x16xf32>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, k, y + r, x + s)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @result_channels_first(%a: memref<1x4x4x16xf32>, %b: memref<16x1x16x16xf32>, %c: memref<1x16x2x2xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x4x4x16xf32>, memref<16x1x16x16xf32>) outs(%c : memref<1x16x2x2xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, n, y, x)>]}
  return
}

// -----

func.func @result_transposed(%a: memref<1x4x4x16xf32>, %b: memref<16x1x16x16xf32>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x4x4x16xf32>, memref<16x1x16x16xf32>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, x, y, n)>]}
  return
}

// -----

func.func @taps_5(%a: memref<1x6x6x16xf32>, %b: memref<16x1x16x16xf32>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x6x6x16xf32>, memref<16x1x16x16xf32>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 5, 5, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @dynamic_image(%a: memref<1x4x4x16xf32, strided<[?, 64, 16, 1]>>, %b: memref<16x1x16x16xf32>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x4x4x16xf32, strided<[?, 64, 16, 1]>>, memref<16x1x16x16xf32>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @strided_filters(%a: memref<1x4x4x16xf32>, %b: memref<16x1x16x16xf32, strided<[512, 512, 32, 1]>>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters}}
  tpp.contract ins(%a, %b : memref<1x4x4x16xf32>, memref<16x1x16x16xf32, strided<[512, 512, 32, 1]>>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// -----

func.func @padded_every_second_pixel(%a: memref<1x15x15x16xf32>, %b: memref<36x1x16x16xf32>, %c: memref<1x7x7x16xf32>) {
  // expected-error @below {{is padded, but its outputs are not neighbouring pixels of an image with rows and columns}}
  tpp.contract ins(%a, %b : memref<1x15x15x16xf32>, memref<36x1x16x16xf32>) outs(%c : memref<1x7x7x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 16, 3, 3, 16>, padded, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, 2 * y + 2 * r - 2, 2 * x + 2 * s - 2, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

//--- others.mlir

func.func @others(%a: memref<1x4x4x16xf32>, %b: memref<16x1x16x16xf32>, %c: memref<1x2x2x16xf32>) {
  // expected-error @below {{has Winograd's filters: tpp-tile-winograd first}}
  tpp.contract ins(%a, %b : memref<1x4x4x16xf32>, memref<16x1x16x16xf32>) outs(%c : memref<1x2x2x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 2, 16, 3, 3, 16>, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}
