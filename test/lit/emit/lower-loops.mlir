// Loops test at their end whether they go on; before the first iteration only if it may not exist.
// RUN: tpp-opt %s --tpp-lower-loops | FileCheck %s

// CHECK-LABEL: func @constant_bounds
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[TEN:.*]] = arith.constant 10 : index
// CHECK: cf.br ^[[BODY:bb[0-9]+]](%[[ZERO]], %{{.*}} : index, f32)
// CHECK: ^[[BODY]](%[[I:.*]]: index, %[[SUM:.*]]: f32):
// CHECK: %[[NEXT_SUM:.*]] = arith.addf %[[SUM]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]],
// CHECK: %[[AGAIN:.*]] = arith.cmpi slt, %[[NEXT]], %[[TEN]]
// CHECK: cf.cond_br %[[AGAIN]], ^[[BODY]](%[[NEXT]], %[[NEXT_SUM]] : index, f32), ^[[AFTER:bb[0-9]+]](%[[NEXT_SUM]] : f32)
// CHECK: ^[[AFTER]](%[[RESULT:.*]]: f32):
// CHECK: return %[[RESULT]]
func.func @constant_bounds(%x: memref<10xf32>, %sum: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %sum) -> f32 {
    %e = memref.load %x[%i] : memref<10xf32>
    %n = arith.addf %s, %e : f32
    scf.yield %n : f32
  }
  return %r : f32
}

// CHECK-LABEL: func @other_bounds
// CHECK-SAME: %[[FIRST:.*]]: i32, %[[END:.*]]: i32, %[[STEP:.*]]: i32, %[[SUM:.*]]: i32
// CHECK: %[[ENTERED:.*]] = arith.cmpi ult, %[[FIRST]], %[[END]]
// CHECK: cf.cond_br %[[ENTERED]], ^[[BODY:bb[0-9]+]](%[[FIRST]], %[[SUM]] : i32, i32), ^[[AFTER:bb[0-9]+]](%[[SUM]] : i32)
// CHECK: ^[[BODY]](
// CHECK: arith.cmpi ult, %{{.*}}, %[[END]]
func.func @other_bounds(%first: i32, %end: i32, %step: i32, %sum: i32) -> i32 {
  %r = scf.for unsigned %i = %first to %end step %step iter_args(%s = %sum) -> i32 : i32 {
    %n = arith.addi %s, %i : i32
    scf.yield %n : i32
  }
  return %r : i32
}

// Loops in branches, and branches in loops.
// CHECK-LABEL: func @nested
// CHECK-NOT: scf.
// CHECK: cf.cond_br
// CHECK-COUNT-2: arith.cmpi slt
// CHECK: return
func.func @nested(%x: memref<?xf32>, %n: index, %c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
        memref.store %v, %x[%i] : memref<?xf32>
      }
    }
  }
  return
}
