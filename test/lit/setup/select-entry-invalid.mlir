// RUN: tpp-opt %s --tpp-select-entry --verify-diagnostics
// RUN: tpp-opt %s --tpp-select-entry=entry=f --verify-diagnostics
// RUN: tpp-opt %s --tpp-default-tensors --verify-diagnostics
// RUN: tpp-opt %s --tpp-loops-tensors --verify-diagnostics
// RUN: tpp-opt %s --tpp-default-buffers -o /dev/null
// RUN: tpp-opt %s --tpp-select-entry=entry=beside | FileCheck %s

// A packed model has passed these stages. Its @NAME_prepack is private and not called, so it would be dropped without a message.
// expected-error @+1 {{is packed already (tpp.packed): the stages on tensors have run; continue with tpp-default-buffers}}
func.func @f(%x: tensor<4xf32>, %w: tensor<4xf32> {tpp.weight = 0 : i64}) -> tensor<4xf32> attributes {tpp.packed} {
  return %x : tensor<4xf32>
}
func.func private @f_prepack() -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %w : tensor<4xf32>
}

// Another function of the module, which has no weights, is compiled as usual.
// CHECK: func.func private @f(
// CHECK: func.func @beside
func.func @beside(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
