// RUN: tpp-opt %s --tpp-lower-to-llvm --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 0 of type 'memref<?xf32>' must have static shape and the identity layout}}
func.func @dynamic(%a: memref<?xf32>) {
  return
}

// -----

func.func @unplaced(%a: memref<4x8xf32>) {
  // expected-error @+1 {{has no slot; run tpp-place-kernels first}}
  %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 4, n = 8, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>>
  tpp.invoke %k ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  return
}
