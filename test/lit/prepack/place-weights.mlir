// RUN: tpp-opt %s --tpp-place-weights --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[R:.*]]: memref<4xf32> {tpp.result}, %[[WEIGHTS:.*]]: memref<192xi8> {tpp.weights})
// CHECK-SAME: tpp.weights_bytes = 192
// CHECK-DAG: %[[O0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[O1:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[A:.*]] = memref.view %[[WEIGHTS]][%[[O0]]][] : memref<192xi8> to memref<17xf32>
// CHECK-DAG: %[[B:.*]] = memref.view %[[WEIGHTS]][%[[O1]]][] : memref<192xi8> to memref<4xf32>
// CHECK: linalg.add ins(%[[X]], %[[B]]
func.func @f(%x: memref<4xf32>, %b: memref<4xf32> {tpp.weight = 1 : i64}, %a: memref<17xf32> {tpp.weight = 0 : i64},
             %r: memref<4xf32> {tpp.result}) {
  linalg.add ins(%x, %b : memref<4xf32>, memref<4xf32>) outs(%r : memref<4xf32>)
  return
}

// -----

// A function without weights does not change.
// CHECK-LABEL: func.func @none(%{{.*}}: memref<4xf32>) attributes {tpp.weights_bytes = 0 : i64}
func.func @none(%x: memref<4xf32>) {
  return
}
