// RUN: tpp-opt %s --tpp-split-prepack=entry=f --split-input-file --verify-diagnostics

// expected-error @+1 {{has no function @f}}
module {
  func.func @g() {
    return
  }
}

// -----

func.func @f() {
  return
}
// expected-error @+1 {{must be one block without arguments}}
func.func @f_prepack(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
