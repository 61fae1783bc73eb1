// RUN: tpp-opt %s --tpp-outline-prepack --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 1 of type 'memref<4xf32>' cannot be given once (tpp.prepack): only tensors of static shape can}}
func.func @written(%x: tensor<4xf32>, %m: memref<4xf32> {tpp.prepack}) {
  return
}

// -----

// expected-error @+1 {{argument 0 of type 'tensor<?xf32>' cannot be given once (tpp.prepack): only tensors of static shape can}}
func.func @dynamic(%x: tensor<?xf32> {tpp.prepack}) {
  return
}
