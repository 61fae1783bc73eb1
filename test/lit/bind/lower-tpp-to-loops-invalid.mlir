// Bad input: ops that are still on tensors, and a convolution that reads outside of its image.
// RUN: tpp-opt %s --tpp-lower-tpp-to-loops -verify-diagnostics --split-input-file

func.func @on_tensors(%x: tensor<13x32xf32>) -> tensor<13x32xf32> {
  // expected-error @below {{is on tensors; bufferize before lowering to loops}}
  %0 = tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%x : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// -----

func.func @padded(%a: memref<1x4x4x16xf32>, %b: memref<3x3x16xf32>, %c: memref<1x4x4x16xf32>) {
  // expected-error @below {{reads outside of its image: tpp-tile-grouped-convs first}}
  tpp.contract ins(%a, %b : memref<1x4x4x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x4x4x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 4, 16, 3, 3>, grouped, padded, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r - 1, x + s - 1, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>]}
  return
}
