// Offset tables count bytes of a contiguous operand: a slice with other strides is rejected.
// RUN: tpp-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -verify-diagnostics

func.func @offsets_of_slice(%a: tensor<99x128xf32>, %b: tensor<99x32xf32>, %t: tensor<9xi64>, %c: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %s = tensor.extract_slice %a[0, 64] [99, 64] [1, 1] : tensor<99x128xf32> to tensor<99x64xf32>
  // expected-error @below {{failed to bufferize op}}
  // expected-error @below {{offset tables need operands in contiguous buffers, got 'memref<99x64xf32, strided<[128, 1], offset: 64>>'}}
  %0 = tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%s, %b : tensor<99x64xf32>, tensor<99x32xf32>)
    offsets(%t, %t : tensor<9xi64>, tensor<9xi64>) outs(%c : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
