// Bad input: ops that are still on tensors, and a provider that does not exist.
// RUN: tpp-opt %s --tpp-bind-kernels -verify-diagnostics
// RUN: not tpp-opt %s --tpp-bind-kernels=provider=fastest 2>&1 | FileCheck %s --check-prefix=PROVIDER

// PROVIDER: 'fastest' is not a provider: use auto, xsmm, native or reference
func.func @on_tensors(%x: tensor<13x32xf32>) -> tensor<13x32xf32> {
  // expected-error @below {{is on tensors; bufferize before binding kernels}}
  %0 = tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%x : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
