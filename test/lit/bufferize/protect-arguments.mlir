// RUN: tpp-opt %s --tpp-protect-arguments | FileCheck %s
// RUN: tpp-opt %s --tpp-protect-arguments --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=COPY

// Tensor arguments are protected. Memref arguments are not: the caller passes them to be written.
// CHECK-LABEL: func.func @arguments
// CHECK-SAME: %{{.*}}: tensor<4xf32> {bufferization.writable = false}
// CHECK-SAME: %{{.*}}: memref<4xf32>, %{{.*}}: f32
// COPY-LABEL: func.func @arguments
// COPY-SAME: %[[A:.*]]: memref<4xf32>
// COPY: %[[FRESH:.*]] = memref.alloc
// COPY-NOT: linalg.fill {{.*}} outs(%[[A]]
// COPY: linalg.fill {{.*}} outs(%[[FRESH]]
func.func @arguments(%a: tensor<4xf32>, %b: memref<4xf32>, %c: f32) -> tensor<4xf32> {
  %0 = linalg.fill ins(%c : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: func.func private @external(tensor<4xf32>)
func.func private @external(tensor<4xf32>)
