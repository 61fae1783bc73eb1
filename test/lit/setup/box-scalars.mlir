// RUN: tpp-opt %s --tpp-box-scalars --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[S:.*]]: tensor<f32> {tpp.prepack}, %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<index>) -> (tensor<f32>, tensor<4xf32>, tensor<i1>)
// CHECK-DAG: %[[SV:.*]] = tensor.extract %[[S]][] : tensor<f32>
// CHECK-DAG: %[[NV:.*]] = tensor.extract %[[N]][] : tensor<index>
// CHECK: %[[R:.*]] = tensor.extract %[[X]][%[[NV]]]
// CHECK: %[[C:.*]] = arith.cmpf olt, %[[R]], %[[SV]]
// CHECK-DAG: %[[RT:.*]] = tensor.from_elements %[[R]] : tensor<f32>
// CHECK-DAG: %[[CT:.*]] = tensor.from_elements %[[C]] : tensor<i1>
// CHECK: return %[[RT]], %[[X]], %[[CT]]
func.func @scalars(%s: f32 {tpp.prepack}, %x: tensor<4xf32>, %n: index) -> (f32, tensor<4xf32>, i1) {
  %r = tensor.extract %x[%n] : tensor<4xf32>
  %c = arith.cmpf olt, %r, %s : f32
  return %r, %x, %c : f32, tensor<4xf32>, i1
}

// A function that is not an entry keeps its type, and so do tensors and memrefs.
// CHECK-LABEL: func.func private @private(%{{.*}}: f32) -> f32
func.func private @private(%s: f32) -> f32 {
  return %s : f32
}

// CHECK-LABEL: func.func @without(%{{.*}}: tensor<2xi8>, %{{.*}}: memref<3xf32>) -> tensor<2xi8>
func.func @without(%x: tensor<2xi8>, %y: memref<3xf32>) -> tensor<2xi8> {
  return %x : tensor<2xi8>
}

// -----

// expected-error@+1 {{has scalar arguments or results and is called within the module; call a private copy of it}}
func.func @called(%s: f32) -> f32 {
  return %s : f32
}
func.func private @caller(%s: f32) -> f32 {
  %0 = call @called(%s) : (f32) -> f32
  return %0 : f32
}
