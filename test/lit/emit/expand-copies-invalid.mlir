// RUN: tpp-opt %s --tpp-expand-copies --verify-diagnostics

func.func @tensors(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has not been bufferized}}
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
