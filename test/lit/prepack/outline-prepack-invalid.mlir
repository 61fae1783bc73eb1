// RUN: tpp-opt %s --tpp-outline-prepack --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 1 of type 'memref<4xf32>' cannot have the attribute tpp.prepack: only tensors of static shape can}}
func.func @written(%x: tensor<4xf32>, %m: memref<4xf32> {tpp.prepack}) {
  return
}

// -----

// expected-error @+1 {{argument 0 of type 'tensor<?xf32>' cannot have the attribute tpp.prepack: only tensors of static shape can}}
func.func @dynamic(%x: tensor<?xf32> {tpp.prepack}) {
  return
}

// -----

// The program has a function of that name.
func.func @main(%x: tensor<512xf32>) -> tensor<512xf32> {
  %w = arith.constant dense_resource<w> : tensor<512xf32>
  %e = tensor.empty() : tensor<512xf32>
  %y = linalg.add ins(%x, %w : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  return %y : tensor<512xf32>
}
// expected-error @+1 {{has the name of the function that computes the weights of @main, @main_prepack: rename it}}
func.func @main_prepack(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// The program has another symbol of that name.
func.func @main(%x: tensor<512xf32> {tpp.prepack}) -> tensor<512xf32> {
  return %x : tensor<512xf32>
}
// expected-error @+1 {{has the name of the function that computes the weights of @main, @main_prepack: rename it}}
memref.global "private" @main_prepack : memref<4xf32>
