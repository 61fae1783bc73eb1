// Task orders that are one loop: the task number is converted to a row and a column of tasks, by arithmetic or by a table. Tails
// get kernels of their own size; batches stay outermost.
// RUN: tpp-opt %s --tpp-tile-contractions --canonicalize --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-tile-contractions --tpp-bind-kernels --split-input-file -o /dev/null

// Three blocks of rows, five of columns; the last of each is smaller. Columns in groups of three and two: 9 tasks, then 6.
// CHECK-LABEL: @blocked(
// CHECK: scf.forall (%[[TASK:.*]]) in (15) {
// CHECK: %[[GROUP:.*]] = arith.divui %[[TASK]], %c9
// CHECK: %[[REST:.*]] = arith.remui %[[TASK]], %c9
// CHECK: %[[FIRST:.*]] = arith.muli %[[GROUP]], %c3
// CHECK: %[[LEFT:.*]] = arith.subi %c5, %[[FIRST]]
// CHECK: %[[SIZE:.*]] = arith.minui %[[LEFT]], %c3
// CHECK: %[[ROW:.*]] = arith.divui %[[REST]], %[[SIZE]]
// CHECK: %[[INNER:.*]] = arith.remui %[[REST]], %[[SIZE]]
// CHECK: %[[COLUMN:.*]] = arith.addi %[[FIRST]], %[[INNER]]
// CHECK: arith.cmpi eq, %[[ROW]], %c2
// CHECK: arith.cmpi eq, %[[COLUMN]], %c4
// CHECK: tpp.brgemm sizes = [30, 8, 16]
// CHECK: tpp.brgemm sizes = [30, 16, 16]
// CHECK: arith.cmpi eq, %[[COLUMN]], %c4
// CHECK: tpp.brgemm sizes = [35, 8, 16]
// CHECK: tpp.brgemm sizes = [35, 16, 16]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @blocked(%a: memref<100x16xf32>, %b: memref<16x72xf32>, %c: memref<100x72xf32>) {
  tpp.contract ins(%a, %b : memref<100x16xf32>, memref<16x72xf32>) outs(%c : memref<100x72xf32>) {beta = 0 : i64, extents = array<i64: 100, 72, 16>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, mc = 35, nc = 16, order = blocked>}
  return
}

// -----

// A curve over 3 x 4 tasks: it goes right along the lower rows and returns along the upper rows.
// CHECK: memref.global "private" constant @tpp_tasks_0 : memref<12xi32> = dense<[0, 1, 5, 4, 8, 9, 10, 11, 7, 6, 2, 3]>
// CHECK-LABEL: @curve(
// CHECK: %[[TABLE:.*]] = memref.get_global @tpp_tasks_0
// CHECK: scf.forall (%[[BATCH:.*]], %[[TASK:.*]]) in (2, 12) {
// CHECK: %[[ENTRY:.*]] = memref.load %[[TABLE]][%[[TASK]]]
// CHECK: %[[PLACE:.*]] = arith.index_castui %[[ENTRY]] : i32 to index
// CHECK: arith.divui %[[PLACE]], %c4
// CHECK: arith.remui %[[PLACE]], %c4
// CHECK: tpp.brgemm sizes = [20, 16, 16]
#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @curve(%a: memref<2x60x16xf32>, %b: memref<2x16x64xf32>, %c: memref<2x60x64xf32>) {
  tpp.contract ins(%a, %b : memref<2x60x16xf32>, memref<2x16x64xf32>) outs(%c : memref<2x60x64xf32>) {beta = 0 : i64, extents = array<i64: 2, 60, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, mc = 20, nc = 16, order = curve>}
  return
}

// -----

// Rows of tasks are rows of an image (7) times blocks of its pixels (3). Two equal contractions share one table.
// CHECK-COUNT-1: memref.global "private" constant @tpp_tasks_
// CHECK-NOT: memref.global
// CHECK-LABEL: @image(
// CHECK: scf.forall (%{{.*}}) in (84) {
// CHECK: tpp.brgemm sizes = [1, 16, 16]
// CHECK: tpp.brgemm sizes = [4, 16, 16]
// CHECK: scf.forall (%{{.*}}) in (84) {
#a = affine_map<(h, w, n, k) -> (h * 2, w * 2, k)>
#b = affine_map<(h, w, n, k) -> (k, n)>
#c = affine_map<(h, w, n, k) -> (h, w, n)>
func.func @image(%a: memref<14x18x16xf32>, %b: memref<16x64xf32>, %c: memref<7x9x64xf32>, %d: memref<7x9x64xf32>) {
  tpp.contract ins(%a, %b : memref<14x18x16xf32>, memref<16x64xf32>) outs(%c : memref<7x9x64xf32>) {beta = 0 : i64, extents = array<i64: 7, 9, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, mc = 4, nc = 16, order = curve>}
  tpp.contract ins(%a, %b : memref<14x18x16xf32>, memref<16x64xf32>) outs(%d : memref<7x9x64xf32>) {beta = 0 : i64, extents = array<i64: 7, 9, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, mc = 4, nc = 16, order = curve>}
  return
}

// -----

// Near miss: one block of rows has only one order.
// CHECK-NOT: memref.global
// CHECK-LABEL: @one_row(
// CHECK: scf.forall (%[[J:.*]]) in (4) {
// CHECK-NOT: arith.divui
// CHECK: tpp.brgemm sizes = [60, 16, 16]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @one_row(%a: memref<60x16xf32>, %b: memref<16x64xf32>, %c: memref<60x64xf32>) {
  tpp.contract ins(%a, %b : memref<60x16xf32>, memref<16x64xf32>) outs(%c : memref<60x64xf32>) {beta = 0 : i64, extents = array<i64: 60, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = [],
    tpp.chosen_packing = #tpp.packing<panel = 0, mc = 60, nc = 16, order = curve>}
  return
}
