// A program for another machine's tiles runs here, on code for this machine: NAME_create must not ask for the other machine's features.
// RUN: tpp-run %s --target='#tpp.target<isa = "portable", cpu = "bdver4", vector_bits = 128, registers = 16, caches = [32768], cores = 1>' --check=reference | FileCheck %s
// CHECK: result #0 equals the reference
func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
