// RUN: tpp-opt %s --tpp-split-prepack=entry=f --split-input-file | FileCheck %s

// Two weights that are packed in the same way share a function that takes the source. A constant and its reshape stay. An epsilon
// is part of the code (as a fill, because it is large).
// CHECK-LABEL: func.func @f(
// CHECK-LABEL: func.func @f_prepack
// CHECK-DAG: %[[A:.*]] = arith.constant dense_resource<a> : tensor<16x32xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense_resource<b> : tensor<16x32xf32>
// CHECK-DAG: %[[V:.*]] = arith.constant dense_resource<v> : tensor<512xf32>
// CHECK-DAG: %[[FLAT:.*]] = arith.constant dense_resource<a> : tensor<512xf32>
// CHECK: %[[W0:.*]] = call @f_prepack_item0(%[[A]])
// CHECK: %[[W1:.*]] = call @f_prepack_item0(%[[B]])
// CHECK: %[[W4:.*]] = call @f_prepack_item1(%[[V]])
// CHECK: return %[[W0]], %[[W1]], %[[V]], %[[FLAT]], %[[W4]]
// CHECK-LABEL: func.func @f_prepack_item0
// CHECK-SAME: (%[[ARG:.*]]: tensor<16x32xf32>) -> tensor<32x16xf32>
// CHECK-NOT: arith.constant
// CHECK: linalg.transpose ins(%[[ARG]] : tensor<16x32xf32>)
// CHECK-LABEL: func.func @f_prepack_item1
// CHECK-SAME: (%{{.*}}: tensor<512xf32>) -> tensor<512xf32>
// CHECK: arith.constant 9.99999974E-6 : f32
// CHECK: linalg.fill
// CHECK-NOT: func.func @f_prepack_item
func.func @f(%x: tensor<4xf32>, %w0: tensor<32x16xf32> {tpp.weight = 0 : i64}, %w1: tensor<32x16xf32> {tpp.weight = 1 : i64},
             %w2: tensor<512xf32> {tpp.weight = 2 : i64}, %w3: tensor<512xf32> {tpp.weight = 3 : i64},
             %w4: tensor<512xf32> {tpp.weight = 4 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f_prepack() -> (tensor<32x16xf32>, tensor<32x16xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) {
  %a = arith.constant dense_resource<a> : tensor<16x32xf32>
  %b = arith.constant dense_resource<b> : tensor<16x32xf32>
  %v = arith.constant dense_resource<v> : tensor<512xf32>
  %e = tensor.empty() : tensor<32x16xf32>
  %0 = linalg.transpose ins(%a : tensor<16x32xf32>) outs(%e : tensor<32x16xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%b : tensor<16x32xf32>) outs(%e : tensor<32x16xf32>) permutation = [1, 0]
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<16x32xf32> into tensor<512xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<512xf32>
  %2 = arith.addf %v, %eps : tensor<512xf32>
  return %0, %1, %v, %flat, %2 : tensor<32x16xf32>, tensor<32x16xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>
}

// -----

// Near misses: the same operations with another permutation or another splat value do not share a function.
// CHECK-LABEL: func.func @f_prepack()
// CHECK: call @f_prepack_item0
// CHECK: call @f_prepack_item1
// CHECK: call @f_prepack_item2
// CHECK-COUNT-3: func.func @f_prepack_item
func.func @f(%x: tensor<4xf32>, %w0: tensor<8x8x8xf32> {tpp.weight = 0 : i64}, %w1: tensor<8x8x8xf32> {tpp.weight = 1 : i64},
             %w2: tensor<8x8x8xf32> {tpp.weight = 2 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f_prepack() -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>) {
  %a = arith.constant dense_resource<a> : tensor<8x8x8xf32>
  %one = arith.constant dense<1.0> : tensor<8x8x8xf32>
  %e = tensor.empty() : tensor<8x8x8xf32>
  %0 = linalg.transpose ins(%a : tensor<8x8x8xf32>) outs(%e : tensor<8x8x8xf32>) permutation = [1, 0, 2]
  %1 = linalg.transpose ins(%a : tensor<8x8x8xf32>) outs(%e : tensor<8x8x8xf32>) permutation = [2, 1, 0]
  %2 = arith.addf %a, %one : tensor<8x8x8xf32>
  return %0, %1, %2 : tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>
}

// -----

// A large constant left in the function becomes one weight, however often it is used. A small one stays; a large splat becomes a
// fill.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[W:.*]]: tensor<512xf32> {tpp.weight = 0 : i64})
// CHECK-NOT: dense_resource
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: linalg.fill
// CHECK: arith.addf %[[W]], %[[W]]
// CHECK-LABEL: func.func @f_prepack() -> tensor<512xf32>
// CHECK: %[[V:.*]] = arith.constant dense_resource<v>
// CHECK: return %[[V]]
func.func @f() -> (tensor<2xf32>, tensor<512xf32>, tensor<512xf32>) {
  %small = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %v = arith.constant dense_resource<v> : tensor<512xf32>
  %again = arith.constant dense_resource<v> : tensor<512xf32>
  %splat = arith.constant dense<3.0> : tensor<512xf32>
  %0 = arith.addf %v, %again : tensor<512xf32>
  return %small, %0, %splat : tensor<2xf32>, tensor<512xf32>, tensor<512xf32>
}
