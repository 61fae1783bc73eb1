// Recorded ranges: one scale and zero point for the whole value. Their number must be that of the quantized values.
// RUN: tpp-opt %s --tpp-quantize-contractions="ranges=-1,4.1" | FileCheck %s
// RUN: not tpp-opt %s --tpp-quantize-contractions="ranges=0,1,0" 2>&1 | FileCheck %s --check-prefix=COUNT

// 5.1 / 255 is 0.02, and -1 becomes 0: zero is 50.
// CHECK-LABEL: @matmul(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 5.000000e+01 : f32
// CHECK-DAG: %[[SCALE:.*]] = arith.constant 2.000000e-02 : f32
// CHECK-NOT: ins(%[[X]] : tensor<8x4xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: %[[Q:.*]] = arith.divf %{{.*}}, %[[SCALE]]
// CHECK: math.roundeven
// CHECK: arith.addf %{{.*}}, %[[ZERO]]
// COUNT: error: ranges: expected 2 numbers, the smallest and the largest element of each quantized value, got 3
func.func @matmul(%x: tensor<8x4xf32>) -> tensor<8x16xf32> {
  %w = arith.constant dense_resource<w> : tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
