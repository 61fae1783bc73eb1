// The fields of a packing that describe tasks: from tpp-assign-layouts, or from the strategy if the program was on buffers from
// the start.
// RUN: tpp-opt %s --tpp-tile-contractions --split-input-file -verify-diagnostics | FileCheck %s

// Rows, columns and order. K in four KC blocks of 16; the last one applies the post-ops.
// CHECK-LABEL: @chosen(
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (4, 2, 7) {
// CHECK: tpp.brgemm sizes = [10, 32, 16] ins
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c3{{.*}} step %c1
// CHECK-NEXT: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (4, 2, 7) {
// CHECK: tpp.brgemm sizes = [10, 32, 16] beta = 1 ins
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (4, 2, 7) {
// CHECK: tpp.brgemm sizes = [10, 32, 16] beta = 1 ins{{.*}} post_ops = [#tpp.post_op<unary relu>]
#a = affine_map<(m, n, k, i) -> (m, k)>
#b = affine_map<(m, n, k, i) -> (n, k, i)>
#c = affine_map<(m, n, k, i) -> (m, n * 64 + i)>
func.func @chosen(%a: memref<70x64xf32>, %b: memref<4x64x64xf32>, %c: memref<70x256xf32>) {
  tpp.contract ins(%a, %b : memref<70x64xf32>, memref<4x64x64xf32>) outs(%c : memref<70x256xf32>) {beta = 0 : i64, extents = array<i64: 70, 4, 64, 64>, indexing_maps = [#a, #b, #c], post_ops = [#tpp.post_op<unary relu>],
    tpp.chosen_packing = #tpp.packing<panel = 64, kc = 16, mc = 10, nc = 32, order = columns>}
  return
}

// -----

// The other order. If there are fewer rows than a task may have, they are one task.
// CHECK-LABEL: @rows_first(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 4) {
// CHECK: scf.forall (%{{.*}}) in (4) {
// CHECK: tpp.brgemm sizes = [70, 64, 64]
#a = affine_map<(m, n, k, i) -> (m, k)>
#b = affine_map<(m, n, k, i) -> (n, k, i)>
#c = affine_map<(m, n, k, i) -> (m, n * 64 + i)>
func.func @rows_first(%a: memref<70x64xf32>, %b: memref<4x64x64xf32>, %c: memref<70x256xf32>) {
  tpp.contract ins(%a, %b : memref<70x64xf32>, memref<4x64x64xf32>) outs(%c : memref<70x256xf32>) {beta = 0 : i64, extents = array<i64: 70, 4, 64, 64>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 64, mc = 35, nc = 64, order = rows>}
  tpp.contract ins(%a, %b : memref<70x64xf32>, memref<4x64x64xf32>) outs(%c : memref<70x256xf32>) {beta = 0 : i64, extents = array<i64: 70, 4, 64, 64>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 64, kc = 64, mc = 512, nc = 64, order = rows>}
  return
}

// -----

// On buffers from the start.
// CHECK-LABEL: @asked(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (5, 2) {
// CHECK: tpp.brgemm sizes = [14, 16, 64]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @asked(%a: memref<70x64xf32>, %b: memref<64x32xf32>, %c: memref<70x32xf32>) attributes {tpp.packing = #tpp.packing_fixed<panel = 0, mc = 14, nc = 16, order = rows>} {
  tpp.contract ins(%a, %b : memref<70x64xf32>, memref<64x32xf32>) outs(%c : memref<70x32xf32>) {beta = 0 : i64, extents = array<i64: 70, 32, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// -----

// The target's L2, 64 KiB, holds two blocks of 32 rows and no more.
// CHECK-LABEL: @small_cache(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 4) {
// CHECK: tpp.brgemm sizes = [32, 64, 256]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 65536], cores = 1>} {
func.func @small_cache(%a: memref<128x256xf32>, %b: memref<256x128xf32>, %c: memref<128x128xf32>) {
  tpp.contract ins(%a, %b : memref<128x256xf32>, memref<256x128xf32>) outs(%c : memref<128x128xf32>) {beta = 0 : i64, extents = array<i64: 128, 128, 256>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}
}

// -----

// K is not one contiguous run: a divisor of K need not divide the run.
#a = affine_map<(m, n, r, k) -> (m, r, k)>
#b = affine_map<(m, n, r, k) -> (r, k, n)>
#c = affine_map<(m, n, r, k) -> (m, n)>
func.func @parts(%a: memref<8x2x20xf32, strided<[80, 40, 1]>>, %b: memref<2x20x32xf32>, %c: memref<8x32xf32>) {
  // expected-error @below {{'tpp.contract' op cannot be split into KC blocks: kc = 8 does not divide the contiguous run of 20 steps}}
  tpp.contract ins(%a, %b : memref<8x2x20xf32, strided<[80, 40, 1]>>, memref<2x20x32xf32>) outs(%c : memref<8x32xf32>) {beta = 0 : i64, extents = array<i64: 8, 32, 2, 20>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, kc = 8>}
  return
}

// -----

// B is packed by KC blocks: two blocks of 32, without a batch.
// CHECK-LABEL: @passes(
// CHECK: tpp.brgemm sizes = [70, 64, 32] ins
// CHECK: tpp.brgemm sizes = [70, 64, 32] beta = 1 ins
#a = affine_map<(m, n, p, k, i) -> (m, p * 32 + k)>
#b = affine_map<(m, n, p, k, i) -> (p, n, k, i)>
#c = affine_map<(m, n, p, k, i) -> (m, n * 64 + i)>
func.func @passes(%a: memref<70x64xf32>, %b: memref<2x4x32x64xf32>, %c: memref<70x256xf32>) {
  tpp.contract ins(%a, %b : memref<70x64xf32>, memref<2x4x32x64xf32>) outs(%c : memref<70x256xf32>) {beta = 0 : i64, extents = array<i64: 70, 4, 2, 32, 64>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 64, kc = 32, nc = 64>}
  return
}
