// RUN: tpp-opt %s --tpp-move-results --split-input-file --verify-diagnostics

// expected-error @+1 {{returns 'memref<?xf32>': a result must have static shape and the identity layout}}
func.func @dynamic(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

// expected-error @+1 {{returns 'memref<4xf32, strided<[2]>>': a result must have static shape and the identity layout}}
func.func @strided(%a: memref<8xf32>) -> memref<4xf32, strided<[2]>> {
  %0 = memref.subview %a[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  return %0 : memref<4xf32, strided<[2]>>
}

// -----

// expected-error @+1 {{has unstructured control flow: results cannot become arguments}}
func.func @branches(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<4xf32>
^bb2:
  return %a : memref<4xf32>
}

// -----

func.func private @callee(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func @caller(%a: memref<4xf32>) -> memref<4xf32> {
  // expected-error @+1 {{uses function @callee, whose results become arguments: only functions that can be inlined, thus no recursive ones, may return tensors}}
  %0 = call @callee(%a) : (memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}
