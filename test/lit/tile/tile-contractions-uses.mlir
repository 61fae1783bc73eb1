// Tiles of several rows of an image use the same columns of B: the kernel is told how many there are, and which one this is. L2 has 128 KiB here.
// RUN: tpp-opt %s --tpp-target=avx512 "--tpp-tile-contractions=l2-bytes=131072" --canonicalize --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-target=avx512 "--tpp-tile-contractions=l2-bytes=131072" --tpp-bind-kernels --split-input-file | FileCheck %s --check-prefix=BIND

// The rows of two images, of which C has a border. L2 holds few of all columns of B: those of a tile are used by all rows, then the next ones.
// CHECK: #[[NUMBER:.*]] = affine_map<()[s0, s1] -> (s0 * 7 + s1)>
// CHECK-LABEL: @images(
// CHECK: scf.forall (%{{.*}}, %[[IMAGE:.*]], %[[ROW:.*]]) in (4, 2, 7) {
// CHECK: %[[USE:.*]] = affine.apply #[[NUMBER]](){{\[}}%[[IMAGE]], %[[ROW]]]
// CHECK-NEXT: tpp.brgemm sizes = [7, 64, 256] ins({{.*}}) outs({{.*}}) b_use(%[[USE]] of 14)
// BIND-LABEL: @images(
// BIND: tpp.dispatch {{.*}}b_uses = 14
// BIND: tpp.invoke {{.*}} b_use(%{{.*}}) outs
#a = affine_map<(i, y, x, n, k) -> (i, y, x, k)>
#b = affine_map<(i, y, x, n, k) -> (k, n)>
#c = affine_map<(i, y, x, n, k) -> (i, y, x, n)>
func.func @images(%a: memref<2x7x7x256xf32>, %b: memref<256x256xf32>, %c: memref<2x7x7x256xf32, strided<[20736, 2304, 256, 1], offset: 2560>>) {
  tpp.contract ins(%a, %b : memref<2x7x7x256xf32>, memref<256x256xf32>) outs(%c : memref<2x7x7x256xf32, strided<[20736, 2304, 256, 1], offset: 2560>>) {beta = 0 : i64, extents = array<i64: 2, 7, 7, 256, 256>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// -----

// L2 holds all of B: it is used by each row.
// CHECK-LABEL: @small(
// CHECK: scf.forall (%[[ROW:.*]], %{{.*}}) in (7, 2) {
// CHECK: tpp.brgemm {{.*}} b_use(%[[ROW]] of 7)
#a = affine_map<(y, x, n, k) -> (y, x, k)>
#b = affine_map<(y, x, n, k) -> (k, n)>
#c = affine_map<(y, x, n, k) -> (y, x, n)>
func.func @small(%a: memref<7x7x32xf32>, %b: memref<32x128xf32>, %c: memref<7x7x128xf32, strided<[1152, 128, 1], offset: 1280>>) {
  tpp.contract ins(%a, %b : memref<7x7x32xf32>, memref<32x128xf32>) outs(%c : memref<7x7x128xf32, strided<[1152, 128, 1], offset: 1280>>) {beta = 0 : i64, extents = array<i64: 7, 7, 128, 32>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// -----

// One block of rows, and columns of B that L2 does not hold until the next row: no hint.
// CHECK-LABEL: @used_once(
// CHECK: tpp.brgemm
// CHECK-NOT: b_use
// CHECK-LABEL: @in_the_order_of_rows(
// CHECK: tpp.brgemm
// CHECK-NOT: b_use
// CHECK: return
#a = affine_map<(y, x, n, k) -> (y, x, k)>
#b = affine_map<(y, x, n, k) -> (k, n)>
#c = affine_map<(y, x, n, k) -> (y, x, n)>
func.func @used_once(%a: memref<1x7x256xf32>, %b: memref<256x256xf32>, %c: memref<1x7x256xf32>) {
  tpp.contract ins(%a, %b : memref<1x7x256xf32>, memref<256x256xf32>) outs(%c : memref<1x7x256xf32>) {beta = 0 : i64, extents = array<i64: 1, 7, 256, 256>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}
func.func @in_the_order_of_rows(%a: memref<7x7x256xf32>, %b: memref<256x256xf32>, %c: memref<7x7x256xf32, strided<[2304, 256, 1], offset: 2560>>) {
  tpp.contract ins(%a, %b : memref<7x7x256xf32>, memref<256x256xf32>) outs(%c : memref<7x7x256xf32, strided<[2304, 256, 1], offset: 2560>>) {beta = 0 : i64, extents = array<i64: 7, 7, 256, 256>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, order = rows>}
  return
}
