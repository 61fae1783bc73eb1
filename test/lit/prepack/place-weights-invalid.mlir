// RUN: tpp-opt %s --tpp-place-weights --split-input-file --verify-diagnostics

// expected-error @+1 {{has no argument that is weight 0}}
func.func @gap(%a: memref<4xf32> {tpp.weight = 1 : i64}, %b: memref<4xf32>) {
  return
}

// -----

// expected-error @+1 {{has two arguments of different sizes that are both weight 0}}
func.func @twice(%a: memref<4xf32> {tpp.weight = 0 : i64}, %b: memref<5xf32> {tpp.weight = 0 : i64}) {
  return
}

// -----

// expected-error @+1 {{argument 0 cannot be weight 0 of type 'memref<?xf32>'}}
func.func @dynamic(%a: memref<?xf32> {tpp.weight = 0 : i64}) {
  return
}

// -----

// expected-error @+1 {{argument 0 is a weight but not a buffer with the identity layout}}
func.func @tensor(%a: tensor<4xf32> {tpp.weight = 0 : i64}) {
  return
}
