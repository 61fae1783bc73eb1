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

// -----

// A function of the program, not the one that computes weights.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @f_prepack(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// expected-error @+1 {{has the name of the function that computes the weights of @f, but is called or does not return one result for each of its 0 weights: rename it}}
func.func private @f_prepack(%x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  return %x : tensor<4xf32>
}

// -----

// As many results as weights, but called.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  call @f_prepack() : () -> ()
  return %x : tensor<4xf32>
}
// expected-error @+1 {{but is called}}
func.func private @f_prepack() attributes {no_inline} {
  return
}

// -----

// Not called, and as many results as weights (none): still a function of the program.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{has the name of the function that computes the weights of @f}}
func.func @f_prepack() {
  return
}
