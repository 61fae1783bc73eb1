// RUN: tpp-opt %s --tpp-check-ops --verify-diagnostics
// RUN: not tpp-opt %s --tpp-default 2>&1 | FileCheck %s
// RUN: not tpp-opt %s --tpp-loops 2>&1 | FileCheck %s

// CHECK: check-ops.mlir:[[# @LINE + 3]]:8: error: 'tensor.gather' op is not supported: nothing lowers it to loops or kernels
func.func @gather(%x: tensor<4x6xf32>, %i: tensor<3x1xindex>) -> tensor<3x1x6xf32> {
  // expected-error @+1 {{is not supported: nothing lowers it to loops or kernels}}
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x6xf32>, tensor<3x1xindex>) -> tensor<3x1x6xf32>
  return %0 : tensor<3x1x6xf32>
}
