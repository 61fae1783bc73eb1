// A weight that the function does not use: @f_prepack takes it and computes nothing.
// RUN: tpp-opt %s --tpp-outline-prepack --tpp-split-prepack=entry=f | FileCheck %s

// CHECK-DAG: func.func @f(%{{.*}}: tensor<4xf32>{{.*}}) -> tensor<4xf32>
// CHECK-DAG: func.func @f_prepack(%{{.*}}: tensor<8xf32>{{.*}})
func.func @f(%x: tensor<4xf32>, %w: tensor<8xf32> {tpp.prepack}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
