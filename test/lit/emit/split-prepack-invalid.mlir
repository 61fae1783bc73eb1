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
// expected-error @+1 {{must be one block}}
func.func @f_prepack(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tensor<4xf32>
^bb2:
  return %a : tensor<4xf32>
}
