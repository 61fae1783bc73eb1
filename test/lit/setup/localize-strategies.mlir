// A function's strategy and target are copied to its contractions before it is inlined. A contraction's own attributes win. The
// entry keeps its attributes.
// RUN: tpp-opt %s --tpp-localize-strategies | FileCheck %s
// RUN: tpp-opt %s --tpp-default-tensors=entry=main | FileCheck %s --check-prefix=PIPELINE
// RUN: tpp-opt %s --tpp-localize-strategies -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING

// CHECK-LABEL: func.func private @layer(
// CHECK-NOT: attributes
// CHECK: linalg.fill ins
// CHECK: linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 32>}
// CHECK: linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 48>}
// PIPELINE-LABEL: @main(
// PIPELINE: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 32,
// PIPELINE: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 48,
func.func private @layer(%x: tensor<64x96xf32>, %w: tensor<96x96xf32>) -> tensor<64x96xf32> attributes {tpp.packing = #tpp.packing_fixed<panel = 32>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x96xf32>) outs(%z : tensor<64x96xf32>) -> tensor<64x96xf32>
  %1 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 48>} ins(%0, %w : tensor<64x96xf32>, tensor<96x96xf32>) outs(%z : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// CHECK: func.func @main({{.*}} attributes {tpp.packing = #tpp.packing_cost_model}
func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x96xf32>) -> tensor<64x96xf32> attributes {tpp.packing = #tpp.packing_cost_model} {
  %0 = call @layer(%x, %w) : (tensor<64x96xf32>, tensor<96x96xf32>) -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}

// WARNING: localize-strategies.mlir:[[#@LINE+1]]:1: warning: is private and contains TOSA: its tpp.packing does not reach the TOSA ops; set it on the caller or the module
func.func private @tosa(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tpp.packing = #tpp.packing_fixed<panel = 32>} {
  %0 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
