// The executable specification: plain loops over loads and stores, without tpp ops, parallel loops or vectors.
// RUN: tpp-opt %s --tpp-loops | FileCheck %s

// CHECK-LABEL: @main(
// CHECK-NOT: linalg.
// CHECK-NOT: tpp.{{contract|brgemm|unary|invoke|dispatch}}
// CHECK-NOT: vector<
// CHECK-NOT: scf.forall
// CHECK-COUNT-2: scf.for
// CHECK: memref.store
// CHECK-COUNT-3: scf.for
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: memref.store
// CHECK-COUNT-2: scf.for
// CHECK: arith.maximumf
// CHECK: return
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.maximumf %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
