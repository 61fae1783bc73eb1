// The task order chosen for a target's caches. 4096 x 4096 x 1024: A and B have 16 MiB each.
// RUN: tpp-opt %s --tpp-tile-contractions --canonicalize --split-input-file | FileCheck %s

// L2 of 2 MiB holds 256 rows of A, and L3 holds all of B: the simplest order, all panels for a block of rows.
// CHECK-LABEL: @large_caches(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (16, 64) {
// CHECK: tpp.brgemm sizes = [256, 64, 1024]
#a = affine_map<(m, n, k, i) -> (m, k)>
#b = affine_map<(m, n, k, i) -> (n, k, i)>
#c = affine_map<(m, n, k, i) -> (m, n * 64 + i)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 2097152, 110100480], cores = 2>} {
func.func @large_caches(%a: memref<4096x1024xf32>, %b: memref<64x1024x64xf32>, %c: memref<4096x4096xf32>) {
  tpp.contract ins(%a, %b : memref<4096x1024xf32>, memref<64x1024x64xf32>) outs(%c : memref<4096x4096xf32>) {beta = 0 : i64, extents = array<i64: 4096, 64, 1024, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}
}

// -----

// L2 of 256 KiB, L3 of 4 MiB: tasks of 32 rows, in groups of 16 blocks that stay in half of L3 for all panels.
// CHECK-LABEL: @small_third_level(
// CHECK: scf.forall (%[[TASK:.*]]) in (8192) {
// CHECK: arith.divui %[[TASK]], %c1024
// CHECK: arith.muli %{{.*}}, %c16
// CHECK: tpp.brgemm sizes = [32, 64, 1024]
#a = affine_map<(m, n, k, i) -> (m, k)>
#b = affine_map<(m, n, k, i) -> (n, k, i)>
#c = affine_map<(m, n, k, i) -> (m, n * 64 + i)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 262144, 4194304], cores = 2>} {
func.func @small_third_level(%a: memref<4096x1024xf32>, %b: memref<64x1024x64xf32>, %c: memref<4096x4096xf32>) {
  tpp.contract ins(%a, %b : memref<4096x1024xf32>, memref<64x1024x64xf32>) outs(%c : memref<4096x4096xf32>) {beta = 0 : i64, extents = array<i64: 4096, 64, 1024, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}
}

// -----

// No L3: A is read from memory once per panel (64 times), instead of B once per block of 32 rows (128 times).
// CHECK-LABEL: @no_third_level(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (64, 128) {
#a = affine_map<(m, n, k, i) -> (m, k)>
#b = affine_map<(m, n, k, i) -> (n, k, i)>
#c = affine_map<(m, n, k, i) -> (m, n * 64 + i)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 262144], cores = 2>} {
func.func @no_third_level(%a: memref<4096x1024xf32>, %b: memref<64x1024x64xf32>, %c: memref<4096x4096xf32>) {
  tpp.contract ins(%a, %b : memref<4096x1024xf32>, memref<64x1024x64xf32>) outs(%c : memref<4096x4096xf32>) {beta = 0 : i64, extents = array<i64: 4096, 64, 1024, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}
}

// -----

// A requested order is used. A curve of more tasks than a table may have becomes blocks, with a remark
// (tile-contractions-invalid.mlir).
// CHECK: memref.global "private" constant @tpp_tasks_0 : memref<1024xi32>
// CHECK-LABEL: @asked(
// CHECK: scf.forall (%{{.*}}) in (1024) {
#a = affine_map<(m, n, k, i) -> (m, k)>
#b = affine_map<(m, n, k, i) -> (n, k, i)>
#c = affine_map<(m, n, k, i) -> (m, n * 64 + i)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 2097152, 110100480], cores = 2>} {
func.func @asked(%a: memref<4096x1024xf32>, %b: memref<64x1024x64xf32>, %c: memref<4096x4096xf32>) {
  tpp.contract ins(%a, %b : memref<4096x1024xf32>, memref<64x1024x64xf32>) outs(%c : memref<4096x4096xf32>) {beta = 0 : i64, extents = array<i64: 4096, 64, 1024, 64>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 64, order = curve>}
  return
}
}
