// Bad input: contractions on tensors, dynamic strides, empty sums written by hand; invalid options.
// RUN: tpp-opt %s --tpp-tile-contractions --split-input-file -verify-diagnostics
// RUN: not tpp-opt %s --tpp-tile-contractions=threads=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=THREADS

// THREADS: threads must be at least 1
func.func @on_tensors(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{'tpp.contract' op is on tensors: bufferize first}}
  %0 = tpp.contract ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) {beta = 1 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []} -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

func.func @dynamic_strides(%a: memref<8x4xf32, strided<[?, 1]>>, %b: memref<4x16xf32>, %c: memref<8x16xf32>) {
  // expected-error @below {{'tpp.contract' op has an operand of dynamic shape or strides}}
  tpp.contract ins(%a, %b : memref<8x4xf32, strided<[?, 1]>>, memref<4x16xf32>) outs(%c : memref<8x16xf32>) {beta = 1 : i64, extents = array<i64: 8, 16, 4>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

// More tasks than the table of a curve may have: they are ordered in blocks, with a remark.
func.func @long_curve(%a: memref<65537x16xf32>, %b: memref<16x32xf32>, %c: memref<65537x32xf32>) {
  // expected-remark @below {{a curve over 131074 tasks needs a table of more than 65536 positions: tasks are ordered in blocks instead}}
  tpp.contract ins(%a, %b : memref<65537x16xf32>, memref<16x32xf32>) outs(%c : memref<65537x32xf32>) {beta = 0 : i64, extents = array<i64: 65537, 32, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, mc = 1, nc = 16, order = curve>}
  return
}
