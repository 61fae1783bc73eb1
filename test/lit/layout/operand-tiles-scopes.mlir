// Tiles of activations from the strategy of an op, a function or a module, from a strategy's regimes, and from tuning records.
// RUN: split-file %s %t
// RUN: tpp-opt %t/scopes.mlir --tpp-normalize-contractions --tpp-propagate-layouts | FileCheck %t/scopes.mlir
// RUN: tpp-run %t/scopes.mlir --entry=module --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %t/scopes.mlir --entry=function --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %t/scopes.mlir --entry=op --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %t/scopes.mlir --entry=regimes --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: cd %S && tpp-opt %t/tuned.mlir --tpp-packing=Inputs/tiles.json --tpp-normalize-contractions --tpp-propagate-layouts | FileCheck %t/tuned.mlir
// RUN: tpp-run %t/tuned.mlir --packing=%S/Inputs/tiles.json --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-opt %t/tuned.mlir --tpp-normalize-contractions --tpp-propagate-layouts | FileCheck %t/tuned.mlir --check-prefix=NONE
// EQUAL: equals the reference

//--- scopes.mlir
module attributes {tpp.packing = #tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>} {
// CHECK-LABEL: @module(
// CHECK: tpp.contract ins(%{{.*}} : tensor<2x3x32x32xf32>, {{.*}} outs(%{{.*}} : tensor<2x4x32x32xf32>) {{.*}} tpp.chosen_packing = #tpp.packing<panel = 32, a = [32, 32], c = [32, 32], by = "fixed sizes">, tpp.tiled}
// CHECK: tpp.contract ins(%{{.*}} : tensor<2x4x32x32xf32>,
func.func @module(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// CHECK-LABEL: @function(
// CHECK: tpp.contract ins(%{{.*}} : tensor<6x64x16xf32>, {{.*}} outs(%{{.*}} : tensor<8x64x16xf32>)
// CHECK: tpp.contract ins(%{{.*}} : tensor<8x64x16xf32>,
func.func @function(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 16, a = [0, 16], c = [0, 16]>} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// The first op's own strategy asks for blocks of 16 x 32 for C, the second op's for blocks of 32 x 16 for A. C has the tiles of its reader,
// which saves a move.
// CHECK-LABEL: @op(
// CHECK: %[[C0:.*]] = tpp.contract ins(%arg0, {{.*}} outs(%{{.*}} : tensor<2x8x32x16xf32>) {{.*}} #tpp.packing<panel = 32, c = [16, 32], by = "fixed sizes">, tpp.packing = {{.*}} tpp.tiled}
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[C0]], {{.*}} #tpp.packing<panel = 32, a = [32, 16], by = "fixed sizes">
func.func @op(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 32, c = [16, 32]>} ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 32, a = [32, 16]>} ins(%0, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// The regimes of one strategy: 64 rows are in blocks, and one row is as the program has it.
// CHECK-LABEL: @regimes(
// CHECK: linalg.pack %arg0
// CHECK: tpp.contract ins(%{{.*}} : tensor<2x3x32x32xf32>,
// CHECK: tpp.contract ins(%arg1, %{{.*}} : tensor<1x96xf32>, {{.*}} post_ops = []}
func.func @regimes(%x: tensor<64x96xf32>, %y: tensor<1x96xf32>, %w: tensor<96x128xf32> {tpp.prepack}) -> (tensor<64x128xf32>, tensor<1x128xf32>)
    attributes {tpp.packing = #tpp.packing_fixed<panel = 32, a = [32, 32], matrix_vector = <panel = 0>>} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<1x128xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x128xf32>) -> tensor<1x128xf32>
  %1 = linalg.matmul ins(%y, %w : tensor<1x96xf32>, tensor<96x128xf32>) outs(%z1 : tensor<1x128xf32>) -> tensor<1x128xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<1x128xf32>
}
}

//--- tuned.mlir
// Each contraction has the tiles of its record.
// CHECK-LABEL: @tuned(
// CHECK: linalg.pack {{.*}} -> tensor<2x3x32x32xf32>
// CHECK: tpp.contract ins(%{{.*}} : tensor<2x3x32x32xf32>, {{.*}} #tpp.packing<panel = 32, a = [32, 32], c = [16, 32], by = "Inputs/tiles.json, records[0]">, tpp.tiled}
// CHECK: tpp.contract ins(%{{.*}} : tensor<8x64x16xf32>, {{.*}} #tpp.packing<panel = 16, a = [0, 16], by = "Inputs/tiles.json, records[1]">, tpp.tiled}
// NONE-NOT: linalg.{{pack|unpack|transpose}}
// NONE-NOT: tpp.tiled
// NONE: return
func.func @tuned(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
