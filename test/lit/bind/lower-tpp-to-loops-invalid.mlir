// Bad input: ops that are still on tensors.
// RUN: tpp-opt %s --tpp-lower-tpp-to-loops -verify-diagnostics

func.func @on_tensors(%x: tensor<13x32xf32>) -> tensor<13x32xf32> {
  // expected-error @below {{is on tensors; bufferize before lowering to loops}}
  %0 = tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%x : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
