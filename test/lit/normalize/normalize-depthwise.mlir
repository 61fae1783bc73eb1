// Depthwise convolutions on channels-last images become tpp.contract with the option `depthwise`, and nothing else does.
// RUN: split-file %s %t
// DEFINE: %{options} =
// DEFINE: %{run} = tpp-opt --pass-pipeline='builtin.module(tpp-target{target=zen4},func.func(tpp-normalize-linalg,tpp-normalize-contractions%{options}))' --split-input-file
// REDEFINE: %{options} = {depthwise=true}
// RUN: %{run} %t/depthwise.mlir | FileCheck %t/depthwise.mlir
// RUN: %{run} %t/near-misses.mlir | FileCheck %t/near-misses.mlir
// REDEFINE: %{options} = {depthwise=true post-ops=false}
// RUN: %{run} %t/depthwise.mlir | FileCheck %t/depthwise.mlir --check-prefix=NO-POST-OPS
// REDEFINE: %{options} =
// RUN: %{run} %t/depthwise.mlir | FileCheck %t/depthwise.mlir --check-prefix=OTHERS

//--- depthwise.mlir

// Without the option, they stay linalg ops.
// OTHERS-NOT: tpp.contract

// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
// CHECK-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @stride_1(
// CHECK: tpp.contract ins(%arg0, %arg1 : {{.*}}) {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, indexing_maps = [#[[IMAGE]], #[[FILTERS]], #[[RESULT]]], post_ops = []}
func.func @stride_1(%x: tensor<1x16x16x24xf32>, %w: tensor<3x3x24xf32>) -> tensor<1x14x14x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x14x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x14x24xf32>) -> tensor<1x14x14x24xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xf32>, tensor<3x3x24xf32>) outs(%z : tensor<1x14x14x24xf32>) -> tensor<1x14x14x24xf32>
  return %0 : tensor<1x14x14x24xf32>
}

// -----

// CHECK: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4 * 3, d2 + d5 * 2, d3)>
// CHECK-LABEL: @steps(
// CHECK: tpp.contract
func.func @steps(%x: tensor<1x17x16x24xf32>, %w: tensor<3x3x24xf32>) -> tensor<1x6x12x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x12x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x12x24xf32>) -> tensor<1x6x12x24xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[3, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x17x16x24xf32>, tensor<3x3x24xf32>) outs(%z : tensor<1x6x12x24xf32>) -> tensor<1x6x12x24xf32>
  return %0 : tensor<1x6x12x24xf32>
}

// -----

// A bias that is the initial value is a post-op.
// CHECK-LABEL: @bias(
// CHECK: tpp.contract {{.*}} post(%arg2 : tensor<24xf32>) {beta = 0 : i64, {{.*}} post_ops = [#tpp.post_op<binary add>]}
// NO-POST-OPS-LABEL: @bias(
// NO-POST-OPS: tpp.contract {{.*}} {beta = 1 : i64, {{.*}} post_ops = []}
func.func @bias(%x: tensor<1x16x16x24xf32>, %w: tensor<3x3x24xf32>, %bias: tensor<24xf32>) -> tensor<1x14x14x24xf32> {
  %e = tensor.empty() : tensor<1x14x14x24xf32>
  %z = linalg.broadcast ins(%bias : tensor<24xf32>) outs(%e : tensor<1x14x14x24xf32>) dimensions = [0, 1, 2]
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xf32>, tensor<3x3x24xf32>) outs(%z : tensor<1x14x14x24xf32>) -> tensor<1x14x14x24xf32>
  return %0 : tensor<1x14x14x24xf32>
}

// -----

// The same bias, broadcast on channels-first images and moved with the result's layout.
// CHECK-LABEL: @moved_bias(
// CHECK: tpp.contract {{.*}} post(%arg2 : tensor<24xf32>) {beta = 0 : i64, {{.*}} post_ops = [#tpp.post_op<binary add>]}
func.func @moved_bias(%x: tensor<1x16x16x24xf32>, %w: tensor<3x3x24xf32>, %bias: tensor<24xf32>) -> tensor<1x14x14x24xf32> {
  %e = tensor.empty() : tensor<1x24x14x14xf32>
  %b = linalg.broadcast ins(%bias : tensor<24xf32>) outs(%e : tensor<1x24x14x14xf32>) dimensions = [0, 2, 3]
  %f = tensor.empty() : tensor<1x14x14x24xf32>
  %z = linalg.transpose ins(%b : tensor<1x24x14x14xf32>) outs(%f : tensor<1x14x14x24xf32>) permutation = [0, 2, 3, 1]
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xf32>, tensor<3x3x24xf32>) outs(%z : tensor<1x14x14x24xf32>) -> tensor<1x14x14x24xf32>
  return %0 : tensor<1x14x14x24xf32>
}

// -----

// Without the option, long sums of one channel, too, stay: brgemm would compute one row of pixels of a channel at a time, and keep images
// channels-first. With it, channels must be innermost.
// CHECK-LABEL: @channels_first(
// CHECK: linalg.depthwise_conv_2d_nchw_chw
func.func @channels_first(%x: tensor<1x96x62x62xf32>, %w: tensor<96x7x7xf32>) -> tensor<1x96x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x96x56x56xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x96x62x62xf32>, tensor<96x7x7xf32>) outs(%z : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
  return %0 : tensor<1x96x56x56xf32>
}

// -----

// Another initial value: beta is 1, which no kernel of groups computes. It becomes vector code again.
// CHECK-LABEL: @accumulated(
// CHECK: tpp.contract {{.*}} outs(%arg2 : {{.*}}) {beta = 1 : i64,
func.func @accumulated(%x: tensor<1x16x16x24xf32>, %w: tensor<3x3x24xf32>, %z: tensor<1x14x14x24xf32>) -> tensor<1x14x14x24xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xf32>, tensor<3x3x24xf32>) outs(%z : tensor<1x14x14x24xf32>) -> tensor<1x14x14x24xf32>
  return %0 : tensor<1x14x14x24xf32>
}

// -----

// One dimension.
// CHECK-LABEL: @one_dimension(
// CHECK: tpp.contract {{.*}} extents = array<i64: 2, 26, 24, 5>
func.func @one_dimension(%x: tensor<2x30x24xf32>, %w: tensor<5x24xf32>) -> tensor<2x26x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x26x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x26x24xf32>) -> tensor<2x26x24xf32>
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x, %w : tensor<2x30x24xf32>, tensor<5x24xf32>) outs(%z : tensor<2x26x24xf32>) -> tensor<2x26x24xf32>
  return %0 : tensor<2x26x24xf32>
}

// Images and filters of bf16, and of 8-bit integers.
// CHECK-LABEL: @low_precision(
// CHECK: tpp.contract ins(%{{.*}}, %{{.*}} : tensor<1x16x16x24xbf16>, tensor<3x3x24xbf16>)
func.func @low_precision(%x: tensor<1x16x16x24xbf16>, %w: tensor<3x3x24xbf16>) -> tensor<1x14x14x24xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x14x14x24xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x14x14x24xbf16>) -> tensor<1x14x14x24xbf16>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xbf16>, tensor<3x3x24xbf16>) outs(%z : tensor<1x14x14x24xbf16>) -> tensor<1x14x14x24xbf16>
  return %0 : tensor<1x14x14x24xbf16>
}


// CHECK-LABEL: @integers(
// CHECK: tpp.contract ins(%{{.*}}, %{{.*}} : tensor<1x16x16x24xi8>, tensor<3x3x24xi8>) outs(%{{.*}} : tensor<1x14x14x24xi32>)
func.func @integers(%x: tensor<1x16x16x24xi8>, %w: tensor<3x3x24xi8>) -> tensor<1x14x14x24xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x14x14x24xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x14x14x24xi32>) -> tensor<1x14x14x24xi32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xi8>, tensor<3x3x24xi8>) outs(%z : tensor<1x14x14x24xi32>) -> tensor<1x14x14x24xi32>
  return %0 : tensor<1x14x14x24xi32>
}

//--- near-misses.mlir

// CHECK-NOT: tpp.contract

// Channels first.
func.func @channels_first(%x: tensor<1x24x16x16xf32>, %w: tensor<24x3x3xf32>) -> tensor<1x24x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x24x14x14xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x14x14xf32>) -> tensor<1x24x14x14xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x24x16x16xf32>, tensor<24x3x3xf32>) outs(%z : tensor<1x24x14x14xf32>) -> tensor<1x24x14x14xf32>
  return %0 : tensor<1x24x14x14xf32>
}

// Other types.
func.func @f16(%x: tensor<1x16x16x24xf16>, %w: tensor<3x3x24xf16>) -> tensor<1x14x14x24xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x14x14x24xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<1x14x14x24xf16>) -> tensor<1x14x14x24xf16>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xf16>, tensor<3x3x24xf16>) outs(%z : tensor<1x14x14x24xf16>) -> tensor<1x14x14x24xf16>
  return %0 : tensor<1x14x14x24xf16>
}

func.func @f64(%x: tensor<1x16x16x24xf64>, %w: tensor<3x3x24xf64>) -> tensor<1x14x14x24xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x14x14x24xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<1x14x14x24xf64>) -> tensor<1x14x14x24xf64>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xf64>, tensor<3x3x24xf64>) outs(%z : tensor<1x14x14x24xf64>) -> tensor<1x14x14x24xf64>
  return %0 : tensor<1x14x14x24xf64>
}

// More products than f32 adds exactly: 33 x 33 of bytes.
func.func @many_products(%x: tensor<1x34x34x24xi8>, %w: tensor<33x33x24xi8>) -> tensor<1x2x2x24xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x2x2x24xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x2x2x24xi32>) -> tensor<1x2x2x24xi32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x34x34x24xi8>, tensor<33x33x24xi8>) outs(%z : tensor<1x2x2x24xi32>) -> tensor<1x2x2x24xi32>
  return %0 : tensor<1x2x2x24xi32>
}

// Three dimensions of taps.
func.func @three_dimensions(%x: tensor<1x6x8x8x16xf32>, %w: tensor<3x3x3x16x1xf32>) -> tensor<1x4x6x6x16x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x6x6x16x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x6x6x16x1xf32>) -> tensor<1x4x6x6x16x1xf32>
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x, %w : tensor<1x6x8x8x16xf32>, tensor<3x3x3x16x1xf32>) outs(%z : tensor<1x4x6x6x16x1xf32>) -> tensor<1x4x6x6x16x1xf32>
  return %0 : tensor<1x4x6x6x16x1xf32>
}

// A convolution, and a matmul.
func.func @convolution(%x: tensor<1x16x16x24xf32>, %w: tensor<3x3x24x16xf32>) -> tensor<1x14x14x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x14x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x24xf32>, tensor<3x3x24x16xf32>) outs(%z : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %0 : tensor<1x14x14x16xf32>
}

func.func @matmul(%x: tensor<16x8xf32>, %w: tensor<8x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %0 = linalg.matmul  ins(%x, %w : tensor<16x8xf32>, tensor<8x16xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// Groups of several channels.
func.func @groups(%x: tensor<1x10x10x4x8xf32>, %w: tensor<4x8x3x3x8xf32>) -> tensor<1x8x8x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x4x8xf32>) -> tensor<1x8x8x4x8xf32>
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x10x10x4x8xf32>, tensor<4x8x3x3x8xf32>) outs(%z : tensor<1x8x8x4x8xf32>) -> tensor<1x8x8x4x8xf32>
  return %0 : tensor<1x8x8x4x8xf32>
}
