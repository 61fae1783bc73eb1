// @NAME_prepack is executed and then returns its results as constants. @NAME is ready for the stages after the tensor stages.
// RUN: tpp-opt %s --tpp-evaluate-prepack --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-evaluate-prepack=threads=2 --split-input-file | FileCheck %s

// A computed weight, and one that was a constant already. The data of both is in the module's resources, aligned to 8 bytes.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<2x2xf32> {tpp.weight = 0 : i64}, %{{.*}}: tensor<2xi64> {tpp.weight = 1 : i64})
// CHECK-SAME: attributes {tpp.packed}
// CHECK-LABEL: func.func private @f_prepack() -> (tensor<2x2xf32>, tensor<2xi64>)
// CHECK-DAG: %[[W0:.*]] = arith.constant dense_resource<f_weight0> : tensor<2x2xf32>
// CHECK-DAG: %[[W1:.*]] = arith.constant dense_resource<f_weight1> : tensor<2xi64>
// CHECK-NOT: linalg
// CHECK: return %[[W0]], %[[W1]]
// CHECK-NOT: func.func
// CHECK: f_weight0: "0x080000000000803F000040400000004000008040"
// CHECK: f_weight1: "0x0800000007000000000000000900000000000000"
func.func @f(%x: tensor<4xf32>, %t: tensor<2x2xf32> {tpp.weight = 0 : i64}, %v: tensor<2xi64> {tpp.weight = 1 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f_prepack() -> (tensor<2x2xf32>, tensor<2xi64>) {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = arith.constant dense<[7, 9]> : tensor<2xi64>
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%w : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  return %t, %v : tensor<2x2xf32>, tensor<2xi64>
}

// -----

// Near miss: a function without weights does not change, next to one with weights.
// CHECK-LABEL: func.func @without(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-LABEL: func.func @with(
// CHECK-SAME: attributes {tpp.packed}
func.func @without(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @with(%x: tensor<2xf32>, %v: tensor<2xf32> {tpp.weight = 0 : i64}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @with_prepack() -> tensor<2xf32> {
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %v : tensor<2xf32>
}
