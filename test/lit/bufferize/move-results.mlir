// RUN: tpp-opt %s --tpp-move-results --split-input-file | FileCheck %s

// An allocation that is returned is replaced by the result argument.
// CHECK-LABEL: func.func @allocation
// CHECK-SAME: (%[[A:[^:]*]]: memref<4x8xf32>, %[[R:[^:]*]]: memref<4x8xf32> {tpp.result}) {
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp ins(%[[A]] : memref<4x8xf32>) outs(%[[R]] : memref<4x8xf32>)
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @allocation(%a: memref<4x8xf32>) -> memref<4x8xf32> {
  %0 = memref.alloc() : memref<4x8xf32>
  linalg.exp ins(%a : memref<4x8xf32>) outs(%0 : memref<4x8xf32>)
  return %0 : memref<4x8xf32>
}

// -----

// The same for a reshaped allocation: the inverse reshapes are applied to the argument.
// CHECK-LABEL: func.func @reshaped
// CHECK-SAME: %[[R:[^:]*]]: memref<2x16xf32> {tpp.result}
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[R]] {{\[\[}}0, 1]] : memref<2x16xf32> into memref<32xf32>
// CHECK: %[[OWN:.*]] = memref.expand_shape %[[FLAT]] {{\[\[}}0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp {{.*}} outs(%[[OWN]] : memref<4x8xf32>)
// CHECK-NOT: memref.copy
func.func @reshaped(%a: memref<4x8xf32>) -> memref<2x16xf32> {
  %0 = memref.alloc() : memref<4x8xf32>
  linalg.exp ins(%a : memref<4x8xf32>) outs(%0 : memref<4x8xf32>)
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %2 = memref.expand_shape %1 [[0, 1]] output_shape [2, 16] : memref<32xf32> into memref<2x16xf32>
  return %2 : memref<2x16xf32>
}

// -----

// Near misses: an argument, a result that is returned twice, and an allocation inside a branch are copied.
// CHECK-LABEL: func.func @copies
// CHECK-SAME: (%[[A:[^:]*]]: memref<4xf32>, %[[C:[^:]*]]: i1, %[[R0:[^:]*]]: memref<4xf32> {tpp.result}, %[[R1:[^:]*]]: memref<4xf32> {tpp.result}, %[[R2:[^:]*]]: memref<4xf32> {tpp.result}, %[[R3:[^:]*]]: memref<4xf32> {tpp.result})
// CHECK: linalg.exp {{.*}} outs(%[[R1]] : memref<4xf32>)
// CHECK: %[[IF:.*]] = scf.if
// CHECK-DAG: memref.copy %[[A]], %[[R0]]
// CHECK-DAG: memref.copy %[[R1]], %[[R2]]
// CHECK-DAG: memref.copy %[[IF]], %[[R3]]
// CHECK: return{{$}}
func.func @copies(%a: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%0 : memref<4xf32>)
  %1 = scf.if %c -> memref<4xf32> {
    %2 = memref.alloc() : memref<4xf32>
    linalg.exp ins(%0 : memref<4xf32>) outs(%2 : memref<4xf32>)
    scf.yield %2 : memref<4xf32>
  } else {
    scf.yield %0 : memref<4xf32>
  }
  return %a, %0, %0, %1 : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// -----

// Scalars stay results.
// CHECK-LABEL: func.func @scalar
// CHECK-SAME: %{{.*}}: f32, %{{.*}}: memref<4xf32> {tpp.result}) -> f32
func.func @scalar(%x: f32) -> (f32, memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<4xf32>)
  return %x, %0 : f32, memref<4xf32>
}
