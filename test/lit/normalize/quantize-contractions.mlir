// Quantization of f32 contractions with constant weights, on request.
// RUN: tpp-opt %s --tpp-quantize-contractions --split-input-file 2>/dev/null | FileCheck %s
// RUN: tpp-opt %s --tpp-quantize-contractions --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOLD
// RUN: tpp-opt %s --tpp-quantize-contractions --tpp-fold-quantization --split-input-file 2>/dev/null | FileCheck %s --check-prefix=FOLDED
// RUN: tpp-opt %s --tpp-quantize-contractions=record --split-input-file | FileCheck %s --check-prefix=RECORD

// A scale for each row of x and each column of w, from the largest magnitude. The result is one contraction of 8-bit integers.
// CHECK-LABEL: @matmul(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<8x4xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: math.absf
// CHECK: arith.maximumf
// CHECK: arith.fptoui
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%cst{{.*}} : tensor<4x16xf32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK: arith.fptosi
// CHECK: linalg.matmul
// FOLDED-LABEL: @matmul(
// FOLDED: arith.muli
// FOLDED-NOT: linalg.matmul
// RECORD-LABEL: @matmul(
// RECORD-SAME: -> (tensor<8x16xf32>, tensor<f32>, tensor<f32>)
// RECORD: linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]} ins(%{{.*}} : tensor<8x4xf32>)
// RECORD: arith.minimumf
// RECORD: arith.maximumf
func.func @matmul(%x: tensor<8x4xf32>) -> tensor<8x16xf32> {
  %w = arith.constant dense_resource<w> : tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A convolution: one scale for each image. The image is quantized once for both convolutions, and padded with its zero point.
// CHECK-LABEL: @convolutions(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x6x6xf32>
// CHECK-COUNT-1: ins(%[[X]] : tensor<2x8x6x6xf32>) outs(%{{.*}} : tensor<2xf32>)
// CHECK: arith.fptoui
// CHECK: %[[ZERO:.*]] = arith.constant -128 : i8
// CHECK: tensor.pad
// CHECK: tensor.yield %[[ZERO]] : i8
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-NOT: arith.fptoui
// CHECK: linalg.conv_2d_nchw_fchw
// FOLDED-LABEL: @convolutions(
// FOLDED-NOT: linalg.conv
func.func @convolutions(%x: tensor<2x8x6x6xf32>) -> (tensor<2x16x6x6xf32>, tensor<2x16x6x6xf32>) {
  %w = arith.constant dense_resource<w> : tensor<16x8x3x3xf32>
  %v = arith.constant dense_resource<v> : tensor<16x8x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x6x6xf32>) -> tensor<2x16x6x6xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x8x6x6xf32> to tensor<2x8x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x8x8x8xf32>, tensor<16x8x3x3xf32>) outs(%z : tensor<2x16x6x6xf32>) -> tensor<2x16x6x6xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%p, %v : tensor<2x8x8x8xf32>, tensor<16x8x3x3xf32>) outs(%z : tensor<2x16x6x6xf32>) -> tensor<2x16x6x6xf32>
  return %0, %1 : tensor<2x16x6x6xf32>, tensor<2x16x6x6xf32>
}

// -----

// Near misses. Two values of the call: nothing to quantize. A depthwise convolution stays f32, with a remark.
// TOLD: warning: nothing is quantized: found no contraction of an f32 value and a constant with static shapes, outside loops
// TOLD: remark: stays f32: finding the range of a depthwise convolution's image in each call costs more than it saves
// CHECK-LABEL: @values(
// CHECK-NOT: i8
// CHECK: linalg.matmul
// CHECK-LABEL: @depthwise(
// CHECK: linalg.depthwise_conv_2d_nchw_chw ins(%arg0, %cst{{.*}} : tensor<1x8x6x6xf32>, tensor<8x3x3xf32>)
// RECORD-LABEL: @values(
// RECORD-SAME: -> tensor<8x16xf32> {
func.func @values(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func @depthwise(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x4x4xf32> {
  %w = arith.constant dense_resource<w> : tensor<8x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x8x6x6xf32>, tensor<8x3x3xf32>) outs(%z : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}
