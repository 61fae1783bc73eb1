// With recorded ranges, a depthwise convolution is quantized: its neighbours store bytes. Without them it stays f32, because finding the largest magnitude
// of its image costs more than it saves.
// RUN: tpp-opt %s --tpp-quantize-contractions="ranges=-1,4.1" --tpp-fold-quantization --canonicalize | FileCheck %s
// RUN: tpp-opt %s --tpp-quantize-contractions=record | FileCheck %s --check-prefix=RECORD
// RUN: tpp-opt %s --tpp-quantize-contractions --tpp-fold-quantization 2>&1 | FileCheck %s --check-prefix=DYNAMIC

// CHECK-LABEL: @depthwise(
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x6x6xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[Q]], %{{.*}} : tensor<1x8x6x6xi8>, tensor<8x3x3xi8>) outs(%{{.*}} : tensor<1x8x4x4xi32>)
// RECORD-LABEL: @depthwise(
// RECORD-SAME: -> (tensor<1x8x4x4xf32>, tensor<f32>, tensor<f32>)
// DYNAMIC: remark: stays f32: finding the range of a depthwise convolution's image in each call costs more than it saves
// DYNAMIC-LABEL: @depthwise(
// DYNAMIC-NOT: i8
// DYNAMIC: linalg.depthwise_conv_2d_nchw_chw
func.func @depthwise(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x4x4xf32> {
  %w = arith.constant dense_resource<w> : tensor<8x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x8x6x6xf32>, tensor<8x3x3xf32>) outs(%z : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}
