// @NAME_prepack with arguments: they are sources like constants. Constants that are needed together with them are stored.
// RUN: tpp-opt %s --tpp-split-prepack=entry=f | FileCheck %s

// Weights 0 and 1 are computed in the same way, from an argument and from a constant. Weights 2 and 3 are an argument and a
// reshape of one. Weight 4 needs an argument and a constant; the constant becomes weight 5 of @f.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {tpp.weight = 4 : i64}, %{{.*}}: tensor<4xf32> {tpp.weight = 5 : i64})
// CHECK-LABEL: func.func @f_prepack
// CHECK-SAME: (%[[A:.*]]: tensor<16x32xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[C:.*]] = arith.constant dense_resource<c> : tensor<16x32xf32>
// CHECK-DAG: arith.constant dense_resource<v> : tensor<4xf32>
// CHECK-DAG: arith.constant dense_resource<v> : tensor<4xf32>
// CHECK-DAG: %[[W0:.*]] = call @f_prepack_item0(%[[A]])
// CHECK-DAG: %[[W1:.*]] = call @f_prepack_item0(%[[C]])
// CHECK-DAG: %[[FLAT:.*]] = tensor.collapse_shape %[[A]]
// CHECK-DAG: %[[W4:.*]] = call @f_prepack_item1(%[[B]], %{{.*}})
// CHECK: return %[[W0]], %[[W1]], %[[A]], %[[FLAT]], %[[W4]], %{{.*}} :
// CHECK: func.func @f_prepack_item0
// CHECK: func.func @f_prepack_item1
// CHECK-NOT: func.func @f_prepack_item
func.func @f(%w0: tensor<32x16xf32> {tpp.weight = 0 : i64}, %w1: tensor<32x16xf32> {tpp.weight = 1 : i64},
             %w2: tensor<16x32xf32> {tpp.weight = 2 : i64}, %w3: tensor<512xf32> {tpp.weight = 3 : i64},
             %w4: tensor<4xf32> {tpp.weight = 4 : i64}) {
  return
}
func.func @f_prepack(%a: tensor<16x32xf32>, %b: tensor<4xf32>)
    -> (tensor<32x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<512xf32>, tensor<4xf32>) {
  %c = arith.constant dense_resource<c> : tensor<16x32xf32>
  %v = arith.constant dense_resource<v> : tensor<4xf32>
  %e = tensor.empty() : tensor<32x16xf32>
  %0 = linalg.transpose ins(%a : tensor<16x32xf32>) outs(%e : tensor<32x16xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%c : tensor<16x32xf32>) outs(%e : tensor<32x16xf32>) permutation = [1, 0]
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<16x32xf32> into tensor<512xf32>
  %4 = arith.addf %b, %v : tensor<4xf32>
  return %0, %1, %a, %flat, %4 : tensor<32x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<512xf32>, tensor<4xf32>
}
