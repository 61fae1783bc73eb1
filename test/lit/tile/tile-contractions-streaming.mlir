// A result that does not fit L2 (32 and 64 KiB here) is written with non-temporal stores, unless the call accesses it elsewhere.
// RUN: tpp-opt %s --tpp-target=avx512 "--tpp-tile-contractions=l2-bytes=16384" --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-target=avx512 "--tpp-tile-contractions=l2-bytes=65536" --split-input-file | FileCheck %s --check-prefix=FITS

// FITS-NOT: streaming
// FITS: tpp.brgemm
// FITS-NOT: streaming

// CHECK-LABEL: @result(
// CHECK: tpp.brgemm sizes = [64, 64, 16] streaming ins
func.func @result(%a: memref<64x16xf32>, %b: memref<16x128xf32>, %c: memref<64x128xf32> {tpp.result}) {
  tpp.contract ins(%a, %b : memref<64x16xf32>, memref<16x128xf32>) outs(%c : memref<64x128xf32>) {beta = 0 : i64, extents = array<i64: 64, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

// A part of a result: the size of the whole result counts.
// CHECK-LABEL: @part(
// CHECK: tpp.brgemm sizes = [64, 64, 16] streaming ins
func.func @part(%a: memref<64x16xf32>, %b: memref<16x128xf32>, %r: memref<2x64x128xf32> {tpp.result}) {
  %c = memref.subview %r[1, 0, 0] [1, 64, 128] [1, 1, 1] : memref<2x64x128xf32> to memref<64x128xf32, strided<[128, 1], offset: 8192>>
  tpp.contract ins(%a, %b : memref<64x16xf32>, memref<16x128xf32>) outs(%c : memref<64x128xf32, strided<[128, 1], offset: 8192>>) {beta = 0 : i64, extents = array<i64: 64, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

// Accumulated: C is read.
// CHECK-LABEL: @added_to(
// CHECK-NOT: streaming
func.func @added_to(%a: memref<64x16xf32>, %b: memref<16x128xf32>, %c: memref<64x128xf32> {tpp.result}) {
  tpp.contract ins(%a, %b : memref<64x16xf32>, memref<16x128xf32>) outs(%c : memref<64x128xf32>) {beta = 1 : i64, extents = array<i64: 64, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

// Read by the next operation.
// CHECK-LABEL: @read(
// CHECK-NOT: streaming
func.func @read(%a: memref<64x16xf32>, %b: memref<16x128xf32>, %c: memref<64x128xf32> {tpp.result}, %d: memref<64x128xf32> {tpp.result}) {
  tpp.contract ins(%a, %b : memref<64x16xf32>, memref<16x128xf32>) outs(%c : memref<64x128xf32>) {beta = 0 : i64, extents = array<i64: 64, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  memref.copy %c, %d : memref<64x128xf32> to memref<64x128xf32>
  return
}

// -----

// In the workspace.
// CHECK-LABEL: @workspace(
// CHECK-NOT: streaming
func.func @workspace(%a: memref<64x16xf32>, %b: memref<16x128xf32>, %c: memref<64x128xf32>) {
  tpp.contract ins(%a, %b : memref<64x16xf32>, memref<16x128xf32>) outs(%c : memref<64x128xf32>) {beta = 0 : i64, extents = array<i64: 64, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

// Several KC blocks add to C, so it should stay in the caches.
// CHECK-LABEL: @passes(
// CHECK-NOT: streaming
func.func @passes(%a: memref<64x16xf32>, %b: memref<16x128xf32>, %c: memref<64x128xf32> {tpp.result}) {
  tpp.contract ins(%a, %b : memref<64x16xf32>, memref<16x128xf32>) outs(%c : memref<64x128xf32>) {tpp.chosen_packing = #tpp.packing<panel = 64, kc = 8>, beta = 0 : i64, extents = array<i64: 64, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}
