// Depthwise convolutions, and those of few channels a group, give the results of plain loops. Each function says how many of its convolutions
// tpp.grouped_conv computes.
// RUN: split-file %s %t
// DEFINE: %{run} = tpp-run %t/model.mlir --check=reference --rtol=1e-5
// DEFINE: %{check} = FileCheck %t/model.mlir --check-prefixes=CHECK
// RUN: tpp-opt %t/model.mlir --tpp-default-tensors=target=zen4 | FileCheck %t/model.mlir --check-prefix=GROUPED
// RUN: %{run} --entry=depthwise_nhwc --threads=1 | %{check},GROUPED_CONV,R7
// RUN: %{run} --entry=depthwise_nhwc --threads=2 | %{check},GROUPED_CONV,R7
// RUN: %{run} --entry=strides --threads=1 | %{check},GROUPED_CONV,R7
// RUN: %{run} --entry=strides --threads=2 | %{check},GROUPED_CONV,R7
// RUN: %{run} --entry=pads --threads=1 | %{check},GROUPED_CONV,R7
// RUN: %{run} --entry=pads --threads=2 | %{check},GROUPED_CONV,R7
// RUN: %{run} --entry=groups_nhwc --threads=1 | %{check},R9
// RUN: %{run} --entry=groups_nhwc --threads=2 | %{check},R9
// RUN: %{run} --entry=groups_nchw --threads=1 | %{check},R6
// RUN: %{run} --entry=groups_nchw --threads=2 | %{check},R6
// RUN: %{run} --entry=multipliers --threads=1 | %{check},R4
// RUN: %{run} --entry=multipliers --threads=2 | %{check},R4
// RUN: %{run} --entry=nchw_blocks --threads=1 | %{check},R3
// RUN: %{run} --entry=nchw_blocks --threads=2 | %{check},R3
// RUN: %{run} --entry=nhwc_blocks --threads=1 | %{check},GROUPED_CONV,R2
// RUN: %{run} --entry=nhwc_blocks --threads=2 | %{check},GROUPED_CONV,R2
// RUN: %{run} --entry=group_block --threads=1 | %{check},R1
// RUN: %{run} --entry=group_block --threads=2 | %{check},R1
// RUN: %{run} --entry=post_ops --threads=1 | %{check},GROUPED_CONV,R6
// RUN: %{run} --entry=post_ops --threads=2 | %{check},GROUPED_CONV,R6
// RUN: %{run} --entry=broadcasts --threads=1 | %{check},GROUPED_CONV,R10
// RUN: %{run} --entry=broadcasts --threads=2 | %{check},GROUPED_CONV,R10
// RUN: %{run} --entry=chain --threads=1 | %{check},GROUPED_CONV,R1
// RUN: %{run} --entry=chain --threads=2 | %{check},GROUPED_CONV,R1
// More threads than rows: blocks of channels.
// RUN: %{run} --entry=depthwise_nhwc --threads=16 | %{check},GROUPED_CONV,R7
// The reference kernels.
// RUN: %{run} --entry=post_ops --threads=2 --provider=reference | FileCheck %t/model.mlir --check-prefix=REFERENCE
// Without packing, the convolutions are vector code.
// RUN: %{run} --entry=post_ops --threads=2 --packing=none | FileCheck %t/model.mlir --check-prefix=NONE
// RUN: %{run} --entry=one_pixel --threads=1 | %{check},GROUPED_CONV,R5
// RUN: %{run} --entry=one_pixel --threads=2 | %{check},GROUPED_CONV,R5
// RUN: %{run} --entry=group_operands --threads=1 | %{check},GROUPED_CONV,R1
// RUN: %{run} --entry=repeated_operand --threads=1 | %{check},GROUPED_CONV,R1

//--- model.mlir

// CHECK-NOT: {{scalar|DIFFERS}}
// GROUPED_CONV: kernel {{.*}}grouped_conv_f32
// R1: result #0 equals the reference
// R2: result #1 equals the reference
// R3: result #2 equals the reference
// R4: result #3 equals the reference
// R5: result #4 equals the reference
// R6: result #5 equals the reference
// R7: result #6 equals the reference
// R9: result #8 equals the reference
// R10: result #9 equals the reference
// CHECK-NOT: DIFFERS
// REFERENCE-NOT: DIFFERS
// REFERENCE: kernel {{.*}}grouped_conv_reference
// REFERENCE: result #5 equals the reference
// NONE-NOT: {{grouped_conv|DIFFERS}}
// NONE: result #5 equals the reference

// Depthwise convolutions on channels-last images: filters of 3 x 3, 5 x 5, 7 x 7 and 1 x 5, channels that are and are not multiples of a vector, two images.
// GROUPED-LABEL: @depthwise_nhwc(
// GROUPED-COUNT-7: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @depthwise_nhwc(%a0: tensor<1x14x14x96xf32>, %a1: tensor<3x3x96xf32> {tpp.prepack}, %a2: tensor<2x9x11x17xf32>, %a3: tensor<3x3x17xf32> {tpp.prepack}, %a4: tensor<17xf32>, %a5: tensor<1x13x12x40xf32>, %a6: tensor<5x5x40xf32> {tpp.prepack}, %a7: tensor<2x10x15x24xf32>, %a8: tensor<7x7x24xf32> {tpp.prepack}, %a9: tensor<1x6x20x16xf32>, %a10: tensor<1x5x16xf32> {tpp.prepack}, %a11: tensor<1x20x6x3xf32>, %a12: tensor<5x1x3xf32> {tpp.prepack}, %a13: tensor<1x8x31x128xf32>, %a14: tensor<3x3x128xf32> {tpp.prepack}) -> (tensor<1x14x14x96xf32>, tensor<2x9x11x17xf32>, tensor<1x13x12x40xf32>, tensor<2x10x15x24xf32>, tensor<1x6x20x16xf32>, tensor<1x20x6x3xf32>, tensor<1x6x29x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x96xf32> to tensor<1x16x16x96xf32>
  %v2 = tensor.empty() : tensor<1x14x14x96xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%v3 : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  %v5 = tensor.pad %a2 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x9x11x17xf32> to tensor<2x11x13x17xf32>
  %v6 = tensor.empty() : tensor<2x9x11x17xf32>
  %v7 = linalg.broadcast ins(%a4 : tensor<17xf32>) outs(%v6 : tensor<2x9x11x17xf32>) dimensions = [0, 1, 2]
  %v8 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x11x13x17xf32>, tensor<3x3x17xf32>) outs(%v7 : tensor<2x9x11x17xf32>) -> tensor<2x9x11x17xf32>
  %v9 = tensor.pad %a5 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x13x12x40xf32> to tensor<1x17x16x40xf32>
  %v10 = tensor.empty() : tensor<1x13x12x40xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x13x12x40xf32>) -> tensor<1x13x12x40xf32>
  %v12 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v9, %a6 : tensor<1x17x16x40xf32>, tensor<5x5x40xf32>) outs(%v11 : tensor<1x13x12x40xf32>) -> tensor<1x13x12x40xf32>
  %v13 = tensor.pad %a7 low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x10x15x24xf32> to tensor<2x16x21x24xf32>
  %v14 = tensor.empty() : tensor<2x10x15x24xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<2x10x15x24xf32>) -> tensor<2x10x15x24xf32>
  %v16 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v13, %a8 : tensor<2x16x21x24xf32>, tensor<7x7x24xf32>) outs(%v15 : tensor<2x10x15x24xf32>) -> tensor<2x10x15x24xf32>
  %v17 = tensor.pad %a9 low[0, 0, 2, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x6x20x16xf32> to tensor<1x6x24x16xf32>
  %v18 = tensor.empty() : tensor<1x6x20x16xf32>
  %v19 = linalg.fill ins(%zero : f32) outs(%v18 : tensor<1x6x20x16xf32>) -> tensor<1x6x20x16xf32>
  %v20 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v17, %a10 : tensor<1x6x24x16xf32>, tensor<1x5x16xf32>) outs(%v19 : tensor<1x6x20x16xf32>) -> tensor<1x6x20x16xf32>
  %v21 = tensor.pad %a11 low[0, 2, 0, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x20x6x3xf32> to tensor<1x24x6x3xf32>
  %v22 = tensor.empty() : tensor<1x20x6x3xf32>
  %v23 = linalg.fill ins(%zero : f32) outs(%v22 : tensor<1x20x6x3xf32>) -> tensor<1x20x6x3xf32>
  %v24 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v21, %a12 : tensor<1x24x6x3xf32>, tensor<5x1x3xf32>) outs(%v23 : tensor<1x20x6x3xf32>) -> tensor<1x20x6x3xf32>
  %v25 = tensor.empty() : tensor<1x6x29x128xf32>
  %v26 = linalg.fill ins(%zero : f32) outs(%v25 : tensor<1x6x29x128xf32>) -> tensor<1x6x29x128xf32>
  %v27 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%a13, %a14 : tensor<1x8x31x128xf32>, tensor<3x3x128xf32>) outs(%v26 : tensor<1x6x29x128xf32>) -> tensor<1x6x29x128xf32>
  return %v4, %v8, %v12, %v16, %v20, %v24, %v27 : tensor<1x14x14x96xf32>, tensor<2x9x11x17xf32>, tensor<1x13x12x40xf32>, tensor<2x10x15x24xf32>, tensor<1x6x20x16xf32>, tensor<1x20x6x3xf32>, tensor<1x6x29x128xf32>
}

// Strides and dilations, also different ones along the two dimensions.
// GROUPED-LABEL: @strides(
// GROUPED-COUNT-7: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @strides(%a0: tensor<1x14x14x32xf32>, %a1: tensor<3x3x32xf32> {tpp.prepack}, %a2: tensor<2x15x17x24xf32>, %a3: tensor<5x5x24xf32> {tpp.prepack}, %a4: tensor<1x16x16x20xf32>, %a5: tensor<7x7x20xf32> {tpp.prepack}, %a6: tensor<1x11x12x16xf32>, %a7: tensor<3x3x16xf32> {tpp.prepack}, %a8: tensor<1x12x19x16xf32>, %a9: tensor<3x3x16xf32> {tpp.prepack}, %a10: tensor<2x17x13x33xf32>, %a11: tensor<3x3x33xf32> {tpp.prepack}, %a12: tensor<1x9x9x32xf32>, %a13: tensor<8x4x3x3x4xf32> {tpp.prepack}) -> (tensor<1x7x7x32xf32>, tensor<2x8x9x24xf32>, tensor<1x6x6x20xf32>, tensor<1x11x12x16xf32>, tensor<1x12x10x16xf32>, tensor<2x9x5x33xf32>, tensor<1x5x5x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x32xf32> to tensor<1x15x15x32xf32>
  %v2 = tensor.empty() : tensor<1x7x7x32xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x15x15x32xf32>, tensor<3x3x32xf32>) outs(%v3 : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %v5 = tensor.pad %a2 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x15x17x24xf32> to tensor<2x19x21x24xf32>
  %v6 = tensor.empty() : tensor<2x8x9x24xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x8x9x24xf32>) -> tensor<2x8x9x24xf32>
  %v8 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x19x21x24xf32>, tensor<5x5x24xf32>) outs(%v7 : tensor<2x8x9x24xf32>) -> tensor<2x8x9x24xf32>
  %v9 = tensor.pad %a4 low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x20xf32> to tensor<1x22x22x20xf32>
  %v10 = tensor.empty() : tensor<1x6x6x20xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x6x6x20xf32>) -> tensor<1x6x6x20xf32>
  %v12 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[3, 3]> : tensor<2xi64>} ins(%v9, %a5 : tensor<1x22x22x20xf32>, tensor<7x7x20xf32>) outs(%v11 : tensor<1x6x6x20xf32>) -> tensor<1x6x6x20xf32>
  %v13 = tensor.pad %a6 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x11x12x16xf32> to tensor<1x15x16x16xf32>
  %v14 = tensor.empty() : tensor<1x11x12x16xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<1x11x12x16xf32>) -> tensor<1x11x12x16xf32>
  %v16 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[2, 2]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v13, %a7 : tensor<1x15x16x16xf32>, tensor<3x3x16xf32>) outs(%v15 : tensor<1x11x12x16xf32>) -> tensor<1x11x12x16xf32>
  %v17 = tensor.pad %a8 low[0, 3, 1, 0] high[0, 3, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x12x19x16xf32> to tensor<1x18x21x16xf32>
  %v18 = tensor.empty() : tensor<1x12x10x16xf32>
  %v19 = linalg.fill ins(%zero : f32) outs(%v18 : tensor<1x12x10x16xf32>) -> tensor<1x12x10x16xf32>
  %v20 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%v17, %a9 : tensor<1x18x21x16xf32>, tensor<3x3x16xf32>) outs(%v19 : tensor<1x12x10x16xf32>) -> tensor<1x12x10x16xf32>
  %v21 = tensor.pad %a10 low[0, 2, 3, 0] high[0, 2, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x17x13x33xf32> to tensor<2x21x19x33xf32>
  %v22 = tensor.empty() : tensor<2x9x5x33xf32>
  %v23 = linalg.fill ins(%zero : f32) outs(%v22 : tensor<2x9x5x33xf32>) -> tensor<2x9x5x33xf32>
  %v24 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[2, 3]> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} ins(%v21, %a11 : tensor<2x21x19x33xf32>, tensor<3x3x33xf32>) outs(%v23 : tensor<2x9x5x33xf32>) -> tensor<2x9x5x33xf32>
  %v25 = tensor.pad %a12 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x32xf32> to tensor<1x13x13x32xf32>
  %v26 = tensor.expand_shape %v25 [[0], [1], [2], [3, 4]] output_shape [1, 13, 13, 8, 4] : tensor<1x13x13x32xf32> into tensor<1x13x13x8x4xf32>
  %v27 = tensor.empty() : tensor<1x5x5x8x4xf32>
  %v28 = linalg.fill ins(%zero : f32) outs(%v27 : tensor<1x5x5x8x4xf32>) -> tensor<1x5x5x8x4xf32>
  %v29 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[2, 2]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v26, %a13 : tensor<1x13x13x8x4xf32>, tensor<8x4x3x3x4xf32>) outs(%v28 : tensor<1x5x5x8x4xf32>) -> tensor<1x5x5x8x4xf32>
  %v30 = tensor.collapse_shape %v29 [[0], [1], [2], [3, 4]] : tensor<1x5x5x8x4xf32> into tensor<1x5x5x32xf32>
  return %v4, %v8, %v12, %v16, %v20, %v24, %v30 : tensor<1x7x7x32xf32>, tensor<2x8x9x24xf32>, tensor<1x6x6x20xf32>, tensor<1x11x12x16xf32>, tensor<1x12x10x16xf32>, tensor<2x9x5x33xf32>, tensor<1x5x5x32xf32>
}

// Borders that differ on each side, and borders wider than the image, so that outputs read nothing but padding.
// GROUPED-LABEL: @pads(
// GROUPED-COUNT-7: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @pads(%a0: tensor<1x7x9x16xf32>, %a1: tensor<3x3x16xf32> {tpp.prepack}, %a2: tensor<2x8x6x24xf32>, %a3: tensor<5x5x24xf32> {tpp.prepack}, %a4: tensor<1x2x3x16xf32>, %a5: tensor<3x3x16xf32> {tpp.prepack}, %a6: tensor<1x1x1x40xf32>, %a7: tensor<3x3x40xf32> {tpp.prepack}, %a8: tensor<2x1x1x16xf32>, %a9: tensor<7x7x16xf32> {tpp.prepack}, %a10: tensor<2x3x2x16xf32>, %a11: tensor<4x4x3x3x4xf32> {tpp.prepack}, %a12: tensor<1x4x5x8xf32>, %a13: tensor<3x3x8xf32> {tpp.prepack}) -> (tensor<1x6x9x16xf32>, tensor<2x8x6x24xf32>, tensor<1x11x12x16xf32>, tensor<1x1x1x40xf32>, tensor<2x7x7x16xf32>, tensor<2x4x8x16xf32>, tensor<1x5x6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 0, 2, 0] high[0, 1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x7x9x16xf32> to tensor<1x8x11x16xf32>
  %v2 = tensor.empty() : tensor<1x6x9x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x6x9x16xf32>) -> tensor<1x6x9x16xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x8x11x16xf32>, tensor<3x3x16xf32>) outs(%v3 : tensor<1x6x9x16xf32>) -> tensor<1x6x9x16xf32>
  %v5 = tensor.pad %a2 low[0, 4, 0, 0] high[0, 0, 4, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x8x6x24xf32> to tensor<2x12x10x24xf32>
  %v6 = tensor.empty() : tensor<2x8x6x24xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x8x6x24xf32>) -> tensor<2x8x6x24xf32>
  %v8 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x12x10x24xf32>, tensor<5x5x24xf32>) outs(%v7 : tensor<2x8x6x24xf32>) -> tensor<2x8x6x24xf32>
  %v9 = tensor.pad %a4 low[0, 5, 4, 0] high[0, 6, 7, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x2x3x16xf32> to tensor<1x13x14x16xf32>
  %v10 = tensor.empty() : tensor<1x11x12x16xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x11x12x16xf32>) -> tensor<1x11x12x16xf32>
  %v12 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v9, %a5 : tensor<1x13x14x16xf32>, tensor<3x3x16xf32>) outs(%v11 : tensor<1x11x12x16xf32>) -> tensor<1x11x12x16xf32>
  %v13 = tensor.pad %a6 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x1x1x40xf32> to tensor<1x3x3x40xf32>
  %v14 = tensor.empty() : tensor<1x1x1x40xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<1x1x1x40xf32>) -> tensor<1x1x1x40xf32>
  %v16 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v13, %a7 : tensor<1x3x3x40xf32>, tensor<3x3x40xf32>) outs(%v15 : tensor<1x1x1x40xf32>) -> tensor<1x1x1x40xf32>
  %v17 = tensor.pad %a8 low[0, 9, 9, 0] high[0, 9, 9, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x1x1x16xf32> to tensor<2x19x19x16xf32>
  %v18 = tensor.empty() : tensor<2x7x7x16xf32>
  %v19 = linalg.fill ins(%zero : f32) outs(%v18 : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  %v20 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v17, %a9 : tensor<2x19x19x16xf32>, tensor<7x7x16xf32>) outs(%v19 : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  %v21 = tensor.pad %a10 low[0, 3, 0, 0] high[0, 0, 8, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x3x2x16xf32> to tensor<2x6x10x16xf32>
  %v22 = tensor.expand_shape %v21 [[0], [1], [2], [3, 4]] output_shape [2, 6, 10, 4, 4] : tensor<2x6x10x16xf32> into tensor<2x6x10x4x4xf32>
  %v23 = tensor.empty() : tensor<2x4x8x4x4xf32>
  %v24 = linalg.fill ins(%zero : f32) outs(%v23 : tensor<2x4x8x4x4xf32>) -> tensor<2x4x8x4x4xf32>
  %v25 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v22, %a11 : tensor<2x6x10x4x4xf32>, tensor<4x4x3x3x4xf32>) outs(%v24 : tensor<2x4x8x4x4xf32>) -> tensor<2x4x8x4x4xf32>
  %v26 = tensor.collapse_shape %v25 [[0], [1], [2], [3, 4]] : tensor<2x4x8x4x4xf32> into tensor<2x4x8x16xf32>
  %v27 = tensor.pad %a12 low[0, 3, 4, 0] high[0, 4, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x4x5x8xf32> to tensor<1x11x12x8xf32>
  %v28 = tensor.empty() : tensor<1x5x6x8xf32>
  %v29 = linalg.fill ins(%zero : f32) outs(%v28 : tensor<1x5x6x8xf32>) -> tensor<1x5x6x8xf32>
  %v30 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[3, 3]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v27, %a13 : tensor<1x11x12x8xf32>, tensor<3x3x8xf32>) outs(%v29 : tensor<1x5x6x8xf32>) -> tensor<1x5x6x8xf32>
  return %v4, %v8, %v12, %v16, %v20, %v26, %v30 : tensor<1x6x9x16xf32>, tensor<2x8x6x24xf32>, tensor<1x11x12x16xf32>, tensor<1x1x1x40xf32>, tensor<2x7x7x16xf32>, tensor<2x4x8x16xf32>, tensor<1x5x6x8xf32>
}

// Images of one row or one column with borders: the strides of some dimensions are equal.
// GROUPED-LABEL: @one_pixel(
// GROUPED-COUNT-5: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @one_pixel(%a0: tensor<1x8x1x8xf32>, %a1: tensor<1x3x8xf32> {tpp.prepack}, %a2: tensor<2x1x8x8xf32>, %a3: tensor<3x1x8xf32> {tpp.prepack}, %a4: tensor<2x6x1x16xf32>, %a5: tensor<3x3x16xf32> {tpp.prepack}, %a6: tensor<2x1x6x8xf32>, %a7: tensor<4x2x3x3x2xf32> {tpp.prepack}, %a8: tensor<1x8x1x8xf32>, %a9: tensor<1x3x8x2xf32> {tpp.prepack}) -> (tensor<1x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x6x3x16xf32>, tensor<2x3x6x8xf32>, tensor<1x5x2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 0, 1, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x8x1x8xf32> to tensor<1x8x4x8xf32>
  %v2 = tensor.empty() : tensor<1x8x2x8xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x8x2x8xf32>) -> tensor<1x8x2x8xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x8x4x8xf32>, tensor<1x3x8xf32>) outs(%v3 : tensor<1x8x2x8xf32>) -> tensor<1x8x2x8xf32>
  %v5 = tensor.pad %a2 low[0, 1, 0, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x1x8x8xf32> to tensor<2x4x8x8xf32>
  %v6 = tensor.empty() : tensor<2x2x8x8xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
  %v8 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v5, %a3 : tensor<2x4x8x8xf32>, tensor<3x1x8xf32>) outs(%v7 : tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
  %v9 = tensor.pad %a4 low[0, 1, 2, 0] high[0, 1, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x1x16xf32> to tensor<2x8x5x16xf32>
  %v10 = tensor.empty() : tensor<2x6x3x16xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<2x6x3x16xf32>) -> tensor<2x6x3x16xf32>
  %v12 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v9, %a5 : tensor<2x8x5x16xf32>, tensor<3x3x16xf32>) outs(%v11 : tensor<2x6x3x16xf32>) -> tensor<2x6x3x16xf32>
  %v13 = tensor.pad %a6 low[0, 2, 1, 0] high[0, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x1x6x8xf32> to tensor<2x5x8x8xf32>
  %v14 = tensor.expand_shape %v13 [[0], [1], [2], [3, 4]] output_shape [2, 5, 8, 4, 2] : tensor<2x5x8x8xf32> into tensor<2x5x8x4x2xf32>
  %v15 = tensor.empty() : tensor<2x3x6x4x2xf32>
  %v16 = linalg.fill ins(%zero : f32) outs(%v15 : tensor<2x3x6x4x2xf32>) -> tensor<2x3x6x4x2xf32>
  %v17 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v14, %a7 : tensor<2x5x8x4x2xf32>, tensor<4x2x3x3x2xf32>) outs(%v16 : tensor<2x3x6x4x2xf32>) -> tensor<2x3x6x4x2xf32>
  %v18 = tensor.collapse_shape %v17 [[0], [1], [2], [3, 4]] : tensor<2x3x6x4x2xf32> into tensor<2x3x6x8xf32>
  %v19 = tensor.pad %a8 low[0, 1, 4, 0] high[0, 1, 4, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x8x1x8xf32> to tensor<1x10x9x8xf32>
  %v20 = tensor.empty() : tensor<1x5x2x8x2xf32>
  %v21 = linalg.fill ins(%zero : f32) outs(%v20 : tensor<1x5x2x8x2xf32>) -> tensor<1x5x2x8x2xf32>
  %v22 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[3, 3]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v19, %a9 : tensor<1x10x9x8xf32>, tensor<1x3x8x2xf32>) outs(%v21 : tensor<1x5x2x8x2xf32>) -> tensor<1x5x2x8x2xf32>
  %v23 = tensor.collapse_shape %v22 [[0], [1], [2], [3, 4]] : tensor<1x5x2x8x2xf32> into tensor<1x5x2x16xf32>
  return %v4, %v8, %v12, %v18, %v23 : tensor<1x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x6x3x16xf32>, tensor<2x3x6x8xf32>, tensor<1x5x2x16xf32>
}

// Groups of 2, 3, 4, 8, 16 and 32 channels. Those of 32 channels stay with brgemm.
// GROUPED-LABEL: @groups_nhwc(
func.func @groups_nhwc(%a0: tensor<1x8x9x32xf32>, %a1: tensor<16x2x3x3x2xf32> {tpp.prepack}, %a2: tensor<2x7x6x15xf32>, %a3: tensor<5x3x3x3x3xf32> {tpp.prepack}, %a4: tensor<1x9x8x32xf32>, %a5: tensor<8x4x3x3x4xf32> {tpp.prepack}, %a6: tensor<1x8x8x32xf32>, %a7: tensor<4x8x3x3x8xf32> {tpp.prepack}, %a8: tensor<1x6x7x48xf32>, %a9: tensor<3x16x3x3x16xf32> {tpp.prepack}, %a10: tensor<1x6x6x64xf32>, %a11: tensor<2x32x3x3x32xf32> {tpp.prepack}, %a12: tensor<2x6x5x16xf32>, %a13: tensor<4x2x3x3x4xf32> {tpp.prepack}, %a14: tensor<1x6x5x12xf32>, %a15: tensor<6x5x1x1x2xf32> {tpp.prepack}, %a16: tensor<1x7x5x30xf32>, %a17: tensor<6x1x3x3x5xf32> {tpp.prepack}) -> (tensor<1x8x9x32xf32>, tensor<2x7x6x15xf32>, tensor<1x9x8x32xf32>, tensor<1x8x8x32xf32>, tensor<1x6x7x48xf32>, tensor<1x6x6x64xf32>, tensor<2x6x5x8xf32>, tensor<1x6x5x30xf32>, tensor<1x5x3x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x8x9x32xf32> to tensor<1x10x11x32xf32>
  %v2 = tensor.expand_shape %v1 [[0], [1], [2], [3, 4]] output_shape [1, 10, 11, 16, 2] : tensor<1x10x11x32xf32> into tensor<1x10x11x16x2xf32>
  %v3 = tensor.empty() : tensor<1x8x9x16x2xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x8x9x16x2xf32>) -> tensor<1x8x9x16x2xf32>
  %v5 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v2, %a1 : tensor<1x10x11x16x2xf32>, tensor<16x2x3x3x2xf32>) outs(%v4 : tensor<1x8x9x16x2xf32>) -> tensor<1x8x9x16x2xf32>
  %v6 = tensor.collapse_shape %v5 [[0], [1], [2], [3, 4]] : tensor<1x8x9x16x2xf32> into tensor<1x8x9x32xf32>
  %v7 = tensor.pad %a2 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x7x6x15xf32> to tensor<2x9x8x15xf32>
  %v8 = tensor.expand_shape %v7 [[0], [1], [2], [3, 4]] output_shape [2, 9, 8, 5, 3] : tensor<2x9x8x15xf32> into tensor<2x9x8x5x3xf32>
  %v9 = tensor.empty() : tensor<2x7x6x5x3xf32>
  %v10 = linalg.fill ins(%zero : f32) outs(%v9 : tensor<2x7x6x5x3xf32>) -> tensor<2x7x6x5x3xf32>
  %v11 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v8, %a3 : tensor<2x9x8x5x3xf32>, tensor<5x3x3x3x3xf32>) outs(%v10 : tensor<2x7x6x5x3xf32>) -> tensor<2x7x6x5x3xf32>
  %v12 = tensor.collapse_shape %v11 [[0], [1], [2], [3, 4]] : tensor<2x7x6x5x3xf32> into tensor<2x7x6x15xf32>
  %v13 = tensor.pad %a4 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x8x32xf32> to tensor<1x11x10x32xf32>
  %v14 = tensor.expand_shape %v13 [[0], [1], [2], [3, 4]] output_shape [1, 11, 10, 8, 4] : tensor<1x11x10x32xf32> into tensor<1x11x10x8x4xf32>
  %v15 = tensor.empty() : tensor<1x9x8x8x4xf32>
  %v16 = linalg.fill ins(%zero : f32) outs(%v15 : tensor<1x9x8x8x4xf32>) -> tensor<1x9x8x8x4xf32>
  %v17 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v14, %a5 : tensor<1x11x10x8x4xf32>, tensor<8x4x3x3x4xf32>) outs(%v16 : tensor<1x9x8x8x4xf32>) -> tensor<1x9x8x8x4xf32>
  %v18 = tensor.collapse_shape %v17 [[0], [1], [2], [3, 4]] : tensor<1x9x8x8x4xf32> into tensor<1x9x8x32xf32>
  %v19 = tensor.pad %a6 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x32xf32> to tensor<1x10x10x32xf32>
  %v20 = tensor.expand_shape %v19 [[0], [1], [2], [3, 4]] output_shape [1, 10, 10, 4, 8] : tensor<1x10x10x32xf32> into tensor<1x10x10x4x8xf32>
  %v21 = tensor.empty() : tensor<1x8x8x4x8xf32>
  %v22 = linalg.fill ins(%zero : f32) outs(%v21 : tensor<1x8x8x4x8xf32>) -> tensor<1x8x8x4x8xf32>
  %v23 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v20, %a7 : tensor<1x10x10x4x8xf32>, tensor<4x8x3x3x8xf32>) outs(%v22 : tensor<1x8x8x4x8xf32>) -> tensor<1x8x8x4x8xf32>
  %v24 = tensor.collapse_shape %v23 [[0], [1], [2], [3, 4]] : tensor<1x8x8x4x8xf32> into tensor<1x8x8x32xf32>
  %v25 = tensor.pad %a8 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x6x7x48xf32> to tensor<1x8x9x48xf32>
  %v26 = tensor.expand_shape %v25 [[0], [1], [2], [3, 4]] output_shape [1, 8, 9, 3, 16] : tensor<1x8x9x48xf32> into tensor<1x8x9x3x16xf32>
  %v27 = tensor.empty() : tensor<1x6x7x3x16xf32>
  %v28 = linalg.fill ins(%zero : f32) outs(%v27 : tensor<1x6x7x3x16xf32>) -> tensor<1x6x7x3x16xf32>
  %v29 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v26, %a9 : tensor<1x8x9x3x16xf32>, tensor<3x16x3x3x16xf32>) outs(%v28 : tensor<1x6x7x3x16xf32>) -> tensor<1x6x7x3x16xf32>
  %v30 = tensor.collapse_shape %v29 [[0], [1], [2], [3, 4]] : tensor<1x6x7x3x16xf32> into tensor<1x6x7x48xf32>
  %v31 = tensor.pad %a10 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x6x6x64xf32> to tensor<1x8x8x64xf32>
  %v32 = tensor.expand_shape %v31 [[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 2, 32] : tensor<1x8x8x64xf32> into tensor<1x8x8x2x32xf32>
  %v33 = tensor.empty() : tensor<1x6x6x2x32xf32>
  %v34 = linalg.fill ins(%zero : f32) outs(%v33 : tensor<1x6x6x2x32xf32>) -> tensor<1x6x6x2x32xf32>
  %v35 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v32, %a11 : tensor<1x8x8x2x32xf32>, tensor<2x32x3x3x32xf32>) outs(%v34 : tensor<1x6x6x2x32xf32>) -> tensor<1x6x6x2x32xf32>
  %v36 = tensor.collapse_shape %v35 [[0], [1], [2], [3, 4]] : tensor<1x6x6x2x32xf32> into tensor<1x6x6x64xf32>
  %v37 = tensor.pad %a12 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x5x16xf32> to tensor<2x8x7x16xf32>
  %v38 = tensor.expand_shape %v37 [[0], [1], [2], [3, 4]] output_shape [2, 8, 7, 4, 4] : tensor<2x8x7x16xf32> into tensor<2x8x7x4x4xf32>
  %v39 = tensor.empty() : tensor<2x6x5x4x2xf32>
  %v40 = linalg.fill ins(%zero : f32) outs(%v39 : tensor<2x6x5x4x2xf32>) -> tensor<2x6x5x4x2xf32>
  %v41 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v38, %a13 : tensor<2x8x7x4x4xf32>, tensor<4x2x3x3x4xf32>) outs(%v40 : tensor<2x6x5x4x2xf32>) -> tensor<2x6x5x4x2xf32>
  %v42 = tensor.collapse_shape %v41 [[0], [1], [2], [3, 4]] : tensor<2x6x5x4x2xf32> into tensor<2x6x5x8xf32>
  %v43 = tensor.expand_shape %a14 [[0], [1], [2], [3, 4]] output_shape [1, 6, 5, 6, 2] : tensor<1x6x5x12xf32> into tensor<1x6x5x6x2xf32>
  %v44 = tensor.empty() : tensor<1x6x5x6x5xf32>
  %v45 = linalg.fill ins(%zero : f32) outs(%v44 : tensor<1x6x5x6x5xf32>) -> tensor<1x6x5x6x5xf32>
  %v46 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v43, %a15 : tensor<1x6x5x6x2xf32>, tensor<6x5x1x1x2xf32>) outs(%v45 : tensor<1x6x5x6x5xf32>) -> tensor<1x6x5x6x5xf32>
  %v47 = tensor.collapse_shape %v46 [[0], [1], [2], [3, 4]] : tensor<1x6x5x6x5xf32> into tensor<1x6x5x30xf32>
  %v48 = tensor.expand_shape %a16 [[0], [1], [2], [3, 4]] output_shape [1, 7, 5, 6, 5] : tensor<1x7x5x30xf32> into tensor<1x7x5x6x5xf32>
  %v49 = tensor.empty() : tensor<1x5x3x6x1xf32>
  %v50 = linalg.fill ins(%zero : f32) outs(%v49 : tensor<1x5x3x6x1xf32>) -> tensor<1x5x3x6x1xf32>
  %v51 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v48, %a17 : tensor<1x7x5x6x5xf32>, tensor<6x1x3x3x5xf32>) outs(%v50 : tensor<1x5x3x6x1xf32>) -> tensor<1x5x3x6x1xf32>
  %v52 = tensor.collapse_shape %v51 [[0], [1], [2], [3, 4]] : tensor<1x5x3x6x1xf32> into tensor<1x5x3x6xf32>
  return %v6, %v12, %v18, %v24, %v30, %v36, %v42, %v47, %v52 : tensor<1x8x9x32xf32>, tensor<2x7x6x15xf32>, tensor<1x9x8x32xf32>, tensor<1x8x8x32xf32>, tensor<1x6x7x48xf32>, tensor<1x6x6x64xf32>, tensor<2x6x5x8xf32>, tensor<1x6x5x30xf32>, tensor<1x5x3x6xf32>
}

// The same in programs whose channels come first.
// GROUPED-LABEL: @groups_nchw(
func.func @groups_nchw(%a0: tensor<1x32x8x9xf32>, %a1: tensor<16x2x2x3x3xf32> {tpp.prepack}, %a2: tensor<2x15x7x6xf32>, %a3: tensor<15x3x3x3xf32> {tpp.prepack}, %a4: tensor<1x32x9x8xf32>, %a5: tensor<32x4x3x3xf32> {tpp.prepack}, %a6: tensor<1x32x8x8xf32>, %a7: tensor<4x8x8x3x3xf32> {tpp.prepack}, %a8: tensor<1x48x6x7xf32>, %a9: tensor<48x16x3x3xf32> {tpp.prepack}, %a10: tensor<1x64x6x6xf32>, %a11: tensor<2x32x32x3x3xf32> {tpp.prepack}) -> (tensor<1x32x8x9xf32>, tensor<2x15x7x6xf32>, tensor<1x32x9x8xf32>, tensor<1x32x8x8xf32>, tensor<1x48x6x7xf32>, tensor<1x64x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x9xf32> to tensor<1x32x10x11xf32>
  %v2 = tensor.expand_shape %v1 [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 10, 11] : tensor<1x32x10x11xf32> into tensor<1x16x2x10x11xf32>
  %v3 = tensor.empty() : tensor<1x16x2x8x9xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x16x2x8x9xf32>) -> tensor<1x16x2x8x9xf32>
  %v5 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v2, %a1 : tensor<1x16x2x10x11xf32>, tensor<16x2x2x3x3xf32>) outs(%v4 : tensor<1x16x2x8x9xf32>) -> tensor<1x16x2x8x9xf32>
  %v6 = tensor.collapse_shape %v5 [[0], [1, 2], [3], [4]] : tensor<1x16x2x8x9xf32> into tensor<1x32x8x9xf32>
  %v7 = tensor.pad %a2 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x15x7x6xf32> to tensor<2x15x9x8xf32>
  %v8 = tensor.expand_shape %v7 [[0], [1, 2], [3], [4]] output_shape [2, 5, 3, 9, 8] : tensor<2x15x9x8xf32> into tensor<2x5x3x9x8xf32>
  %v9 = tensor.expand_shape %a3 [[0, 1], [2], [3], [4]] output_shape [5, 3, 3, 3, 3] : tensor<15x3x3x3xf32> into tensor<5x3x3x3x3xf32>
  %v10 = tensor.empty() : tensor<2x5x3x7x6xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<2x5x3x7x6xf32>) -> tensor<2x5x3x7x6xf32>
  %v12 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v8, %v9 : tensor<2x5x3x9x8xf32>, tensor<5x3x3x3x3xf32>) outs(%v11 : tensor<2x5x3x7x6xf32>) -> tensor<2x5x3x7x6xf32>
  %v13 = tensor.collapse_shape %v12 [[0], [1, 2], [3], [4]] : tensor<2x5x3x7x6xf32> into tensor<2x15x7x6xf32>
  %v14 = tensor.pad %a4 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x32x9x8xf32> to tensor<1x32x11x10xf32>
  %v15 = tensor.expand_shape %v14 [[0], [1, 2], [3], [4]] output_shape [1, 8, 4, 11, 10] : tensor<1x32x11x10xf32> into tensor<1x8x4x11x10xf32>
  %v16 = tensor.expand_shape %a5 [[0, 1], [2], [3], [4]] output_shape [8, 4, 4, 3, 3] : tensor<32x4x3x3xf32> into tensor<8x4x4x3x3xf32>
  %v17 = tensor.empty() : tensor<1x8x4x9x8xf32>
  %v18 = linalg.fill ins(%zero : f32) outs(%v17 : tensor<1x8x4x9x8xf32>) -> tensor<1x8x4x9x8xf32>
  %v19 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v15, %v16 : tensor<1x8x4x11x10xf32>, tensor<8x4x4x3x3xf32>) outs(%v18 : tensor<1x8x4x9x8xf32>) -> tensor<1x8x4x9x8xf32>
  %v20 = tensor.collapse_shape %v19 [[0], [1, 2], [3], [4]] : tensor<1x8x4x9x8xf32> into tensor<1x32x9x8xf32>
  %v21 = tensor.pad %a6 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x8xf32> to tensor<1x32x10x10xf32>
  %v22 = tensor.expand_shape %v21 [[0], [1, 2], [3], [4]] output_shape [1, 4, 8, 10, 10] : tensor<1x32x10x10xf32> into tensor<1x4x8x10x10xf32>
  %v23 = tensor.empty() : tensor<1x4x8x8x8xf32>
  %v24 = linalg.fill ins(%zero : f32) outs(%v23 : tensor<1x4x8x8x8xf32>) -> tensor<1x4x8x8x8xf32>
  %v25 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v22, %a7 : tensor<1x4x8x10x10xf32>, tensor<4x8x8x3x3xf32>) outs(%v24 : tensor<1x4x8x8x8xf32>) -> tensor<1x4x8x8x8xf32>
  %v26 = tensor.collapse_shape %v25 [[0], [1, 2], [3], [4]] : tensor<1x4x8x8x8xf32> into tensor<1x32x8x8xf32>
  %v27 = tensor.pad %a8 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x48x6x7xf32> to tensor<1x48x8x9xf32>
  %v28 = tensor.expand_shape %v27 [[0], [1, 2], [3], [4]] output_shape [1, 3, 16, 8, 9] : tensor<1x48x8x9xf32> into tensor<1x3x16x8x9xf32>
  %v29 = tensor.expand_shape %a9 [[0, 1], [2], [3], [4]] output_shape [3, 16, 16, 3, 3] : tensor<48x16x3x3xf32> into tensor<3x16x16x3x3xf32>
  %v30 = tensor.empty() : tensor<1x3x16x6x7xf32>
  %v31 = linalg.fill ins(%zero : f32) outs(%v30 : tensor<1x3x16x6x7xf32>) -> tensor<1x3x16x6x7xf32>
  %v32 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v28, %v29 : tensor<1x3x16x8x9xf32>, tensor<3x16x16x3x3xf32>) outs(%v31 : tensor<1x3x16x6x7xf32>) -> tensor<1x3x16x6x7xf32>
  %v33 = tensor.collapse_shape %v32 [[0], [1, 2], [3], [4]] : tensor<1x3x16x6x7xf32> into tensor<1x48x6x7xf32>
  %v34 = tensor.pad %a10 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x64x6x6xf32> to tensor<1x64x8x8xf32>
  %v35 = tensor.expand_shape %v34 [[0], [1, 2], [3], [4]] output_shape [1, 2, 32, 8, 8] : tensor<1x64x8x8xf32> into tensor<1x2x32x8x8xf32>
  %v36 = tensor.empty() : tensor<1x2x32x6x6xf32>
  %v37 = linalg.fill ins(%zero : f32) outs(%v36 : tensor<1x2x32x6x6xf32>) -> tensor<1x2x32x6x6xf32>
  %v38 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v35, %a11 : tensor<1x2x32x8x8xf32>, tensor<2x32x32x3x3xf32>) outs(%v37 : tensor<1x2x32x6x6xf32>) -> tensor<1x2x32x6x6xf32>
  %v39 = tensor.collapse_shape %v38 [[0], [1, 2], [3], [4]] : tensor<1x2x32x6x6xf32> into tensor<1x64x6x6xf32>
  return %v6, %v13, %v20, %v26, %v33, %v39 : tensor<1x32x8x9xf32>, tensor<2x15x7x6xf32>, tensor<1x32x9x8xf32>, tensor<1x32x8x8xf32>, tensor<1x48x6x7xf32>, tensor<1x64x6x6xf32>
}

// Depthwise convolutions with several outputs for each channel.
// GROUPED-LABEL: @multipliers(
func.func @multipliers(%a0: tensor<1x9x9x24xf32>, %a1: tensor<3x3x24x2xf32> {tpp.prepack}, %a2: tensor<2x7x8x8xf32>, %a3: tensor<5x5x8x3xf32> {tpp.prepack}, %a4: tensor<1x7x8x17xf32>, %a5: tensor<3x3x17x4xf32> {tpp.prepack}, %a6: tensor<1x12x7x8xf32>, %a7: tensor<12x2x1x3x3xf32> {tpp.prepack}) -> (tensor<1x9x9x48xf32>, tensor<2x4x4x24xf32>, tensor<1x5x6x68xf32>, tensor<1x24x7x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x24xf32> to tensor<1x11x11x24xf32>
  %v2 = tensor.empty() : tensor<1x9x9x24x2xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x9x9x24x2xf32>) -> tensor<1x9x9x24x2xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x11x11x24xf32>, tensor<3x3x24x2xf32>) outs(%v3 : tensor<1x9x9x24x2xf32>) -> tensor<1x9x9x24x2xf32>
  %v5 = tensor.collapse_shape %v4 [[0], [1], [2], [3, 4]] : tensor<1x9x9x24x2xf32> into tensor<1x9x9x48xf32>
  %v6 = tensor.pad %a2 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x7x8x8xf32> to tensor<2x11x12x8xf32>
  %v7 = tensor.empty() : tensor<2x4x4x8x3xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<2x4x4x8x3xf32>) -> tensor<2x4x4x8x3xf32>
  %v9 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v6, %a3 : tensor<2x11x12x8xf32>, tensor<5x5x8x3xf32>) outs(%v8 : tensor<2x4x4x8x3xf32>) -> tensor<2x4x4x8x3xf32>
  %v10 = tensor.collapse_shape %v9 [[0], [1], [2], [3, 4]] : tensor<2x4x4x8x3xf32> into tensor<2x4x4x24xf32>
  %v11 = tensor.empty() : tensor<1x5x6x17x4xf32>
  %v12 = linalg.fill ins(%zero : f32) outs(%v11 : tensor<1x5x6x17x4xf32>) -> tensor<1x5x6x17x4xf32>
  %v13 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%a4, %a5 : tensor<1x7x8x17xf32>, tensor<3x3x17x4xf32>) outs(%v12 : tensor<1x5x6x17x4xf32>) -> tensor<1x5x6x17x4xf32>
  %v14 = tensor.collapse_shape %v13 [[0], [1], [2], [3, 4]] : tensor<1x5x6x17x4xf32> into tensor<1x5x6x68xf32>
  %v15 = tensor.pad %a6 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x12x7x8xf32> to tensor<1x12x9x10xf32>
  %v16 = tensor.expand_shape %v15 [[0], [1, 2], [3], [4]] output_shape [1, 12, 1, 9, 10] : tensor<1x12x9x10xf32> into tensor<1x12x1x9x10xf32>
  %v17 = tensor.empty() : tensor<1x12x2x7x8xf32>
  %v18 = linalg.fill ins(%zero : f32) outs(%v17 : tensor<1x12x2x7x8xf32>) -> tensor<1x12x2x7x8xf32>
  %v19 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v16, %a7 : tensor<1x12x1x9x10xf32>, tensor<12x2x1x3x3xf32>) outs(%v18 : tensor<1x12x2x7x8xf32>) -> tensor<1x12x2x7x8xf32>
  %v20 = tensor.collapse_shape %v19 [[0], [1, 2], [3], [4]] : tensor<1x12x2x7x8xf32> into tensor<1x24x7x8xf32>
  return %v5, %v10, %v14, %v20 : tensor<1x9x9x48xf32>, tensor<2x4x4x24xf32>, tensor<1x5x6x68xf32>, tensor<1x24x7x8xf32>
}

// Inverted residual blocks, channels first: a pointwise convolution, a depthwise one, each with batch norm and relu6, and a pointwise one with a residual.
// GROUPED-LABEL: @nchw_blocks(
func.func @nchw_blocks(%a0: tensor<1x16x14x14xf32>, %a1: tensor<96x16x1x1xf32> {tpp.prepack}, %a2: tensor<96xf32> {tpp.prepack}, %a3: tensor<96xf32> {tpp.prepack}, %a4: tensor<96xf32> {tpp.prepack}, %a5: tensor<96x3x3xf32> {tpp.prepack}, %a6: tensor<96xf32> {tpp.prepack}, %a7: tensor<96xf32> {tpp.prepack}, %a8: tensor<96xf32> {tpp.prepack}, %a9: tensor<16x96x1x1xf32> {tpp.prepack}, %a10: tensor<2x8x9x11xf32>, %a11: tensor<24x8x1x1xf32> {tpp.prepack}, %a12: tensor<24xf32> {tpp.prepack}, %a13: tensor<24xf32> {tpp.prepack}, %a14: tensor<24xf32> {tpp.prepack}, %a15: tensor<24x5x5xf32> {tpp.prepack}, %a16: tensor<24xf32> {tpp.prepack}, %a17: tensor<24xf32> {tpp.prepack}, %a18: tensor<24xf32> {tpp.prepack}, %a19: tensor<8x24x1x1xf32> {tpp.prepack}, %a20: tensor<1x16x12x8xf32>, %a21: tensor<40x16x1x1xf32> {tpp.prepack}, %a22: tensor<40xf32> {tpp.prepack}, %a23: tensor<40xf32> {tpp.prepack}, %a24: tensor<40xf32> {tpp.prepack}, %a25: tensor<40x7x7xf32> {tpp.prepack}, %a26: tensor<40xf32> {tpp.prepack}, %a27: tensor<40xf32> {tpp.prepack}, %a28: tensor<40xf32> {tpp.prepack}, %a29: tensor<16x40x1x1xf32> {tpp.prepack}) -> (tensor<1x16x14x14xf32>, tensor<2x8x5x6xf32>, tensor<1x16x12x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x96x14x14xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x96x14x14xf32>) -> tensor<1x96x14x14xf32>
  %v3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x16x14x14xf32>, tensor<96x16x1x1xf32>) outs(%v2 : tensor<1x96x14x14xf32>) -> tensor<1x96x14x14xf32>
  %v4 = tensor.empty() : tensor<1x96x14x14xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v3, %a2, %a3, %a4 : tensor<1x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) outs(%v4 : tensor<1x96x14x14xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x96x14x14xf32>
  %v6 = tensor.pad %v5 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x96x14x14xf32> to tensor<1x96x16x16xf32>
  %v7 = tensor.empty() : tensor<1x96x14x14xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<1x96x14x14xf32>) -> tensor<1x96x14x14xf32>
  %v9 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v6, %a5 : tensor<1x96x16x16xf32>, tensor<96x3x3xf32>) outs(%v8 : tensor<1x96x14x14xf32>) -> tensor<1x96x14x14xf32>
  %v10 = tensor.empty() : tensor<1x96x14x14xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v9, %a6, %a7, %a8 : tensor<1x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) outs(%v10 : tensor<1x96x14x14xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x96x14x14xf32>
  %v12 = tensor.empty() : tensor<1x16x14x14xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  %v14 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v11, %a9 : tensor<1x96x14x14xf32>, tensor<16x96x1x1xf32>) outs(%v13 : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  %v15 = tensor.empty() : tensor<1x16x14x14xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v14, %a0 : tensor<1x16x14x14xf32>, tensor<1x16x14x14xf32>) outs(%v15 : tensor<1x16x14x14xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<1x16x14x14xf32>
  %v17 = tensor.empty() : tensor<2x24x9x11xf32>
  %v18 = linalg.fill ins(%zero : f32) outs(%v17 : tensor<2x24x9x11xf32>) -> tensor<2x24x9x11xf32>
  %v19 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a10, %a11 : tensor<2x8x9x11xf32>, tensor<24x8x1x1xf32>) outs(%v18 : tensor<2x24x9x11xf32>) -> tensor<2x24x9x11xf32>
  %v20 = tensor.empty() : tensor<2x24x9x11xf32>
  %v21 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v19, %a12, %a13, %a14 : tensor<2x24x9x11xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) outs(%v20 : tensor<2x24x9x11xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<2x24x9x11xf32>
  %v22 = tensor.pad %v21 low[0, 0, 2, 2] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x24x9x11xf32> to tensor<2x24x13x15xf32>
  %v23 = tensor.empty() : tensor<2x24x5x6xf32>
  %v24 = linalg.fill ins(%zero : f32) outs(%v23 : tensor<2x24x5x6xf32>) -> tensor<2x24x5x6xf32>
  %v25 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v22, %a15 : tensor<2x24x13x15xf32>, tensor<24x5x5xf32>) outs(%v24 : tensor<2x24x5x6xf32>) -> tensor<2x24x5x6xf32>
  %v26 = tensor.empty() : tensor<2x24x5x6xf32>
  %v27 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v25, %a16, %a17, %a18 : tensor<2x24x5x6xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) outs(%v26 : tensor<2x24x5x6xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<2x24x5x6xf32>
  %v28 = tensor.empty() : tensor<2x8x5x6xf32>
  %v29 = linalg.fill ins(%zero : f32) outs(%v28 : tensor<2x8x5x6xf32>) -> tensor<2x8x5x6xf32>
  %v30 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v27, %a19 : tensor<2x24x5x6xf32>, tensor<8x24x1x1xf32>) outs(%v29 : tensor<2x8x5x6xf32>) -> tensor<2x8x5x6xf32>
  %v31 = tensor.empty() : tensor<1x40x12x8xf32>
  %v32 = linalg.fill ins(%zero : f32) outs(%v31 : tensor<1x40x12x8xf32>) -> tensor<1x40x12x8xf32>
  %v33 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a20, %a21 : tensor<1x16x12x8xf32>, tensor<40x16x1x1xf32>) outs(%v32 : tensor<1x40x12x8xf32>) -> tensor<1x40x12x8xf32>
  %v34 = tensor.empty() : tensor<1x40x12x8xf32>
  %v35 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v33, %a22, %a23, %a24 : tensor<1x40x12x8xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%v34 : tensor<1x40x12x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x40x12x8xf32>
  %v36 = tensor.pad %v35 low[0, 0, 3, 3] high[0, 0, 3, 3] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x40x12x8xf32> to tensor<1x40x18x14xf32>
  %v37 = tensor.empty() : tensor<1x40x12x8xf32>
  %v38 = linalg.fill ins(%zero : f32) outs(%v37 : tensor<1x40x12x8xf32>) -> tensor<1x40x12x8xf32>
  %v39 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v36, %a25 : tensor<1x40x18x14xf32>, tensor<40x7x7xf32>) outs(%v38 : tensor<1x40x12x8xf32>) -> tensor<1x40x12x8xf32>
  %v40 = tensor.empty() : tensor<1x40x12x8xf32>
  %v41 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v39, %a26, %a27, %a28 : tensor<1x40x12x8xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%v40 : tensor<1x40x12x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x40x12x8xf32>
  %v42 = tensor.empty() : tensor<1x16x12x8xf32>
  %v43 = linalg.fill ins(%zero : f32) outs(%v42 : tensor<1x16x12x8xf32>) -> tensor<1x16x12x8xf32>
  %v44 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v41, %a29 : tensor<1x40x12x8xf32>, tensor<16x40x1x1xf32>) outs(%v43 : tensor<1x16x12x8xf32>) -> tensor<1x16x12x8xf32>
  %v45 = tensor.empty() : tensor<1x16x12x8xf32>
  %v46 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v44, %a20 : tensor<1x16x12x8xf32>, tensor<1x16x12x8xf32>) outs(%v45 : tensor<1x16x12x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<1x16x12x8xf32>
  return %v16, %v30, %v46 : tensor<1x16x14x14xf32>, tensor<2x8x5x6xf32>, tensor<1x16x12x8xf32>
}

// The same channels-last, with silu.
// GROUPED-LABEL: @nhwc_blocks(
// GROUPED-COUNT-2: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @nhwc_blocks(%a0: tensor<1x14x14x16xf32>, %a1: tensor<1x1x16x96xf32> {tpp.prepack}, %a2: tensor<3x3x96xf32> {tpp.prepack}, %a3: tensor<1x1x96x16xf32> {tpp.prepack}, %a4: tensor<2x9x11x8xf32>, %a5: tensor<1x1x8x24xf32> {tpp.prepack}, %a6: tensor<5x5x24xf32> {tpp.prepack}, %a7: tensor<1x1x24x8xf32> {tpp.prepack}) -> (tensor<1x14x14x16xf32>, tensor<2x5x6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x14x14x96xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  %v3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x14x14x16xf32>, tensor<1x1x16x96xf32>) outs(%v2 : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  %v4 = tensor.empty() : tensor<1x14x14x96xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v3 : tensor<1x14x14x96xf32>) outs(%v4 : tensor<1x14x14x96xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %q0 = arith.negf %p0 : f32
    %q1 = math.exp %q0 : f32
    %q2 = arith.addf %q1, %one : f32
    %q3 = arith.divf %one, %q2 : f32
    %r = arith.mulf %p0, %q3 : f32
    linalg.yield %r : f32
  } -> tensor<1x14x14x96xf32>
  %v6 = tensor.pad %v5 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x96xf32> to tensor<1x16x16x96xf32>
  %v7 = tensor.empty() : tensor<1x14x14x96xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  %v9 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v6, %a2 : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%v8 : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  %v10 = tensor.empty() : tensor<1x14x14x96xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v9 : tensor<1x14x14x96xf32>) outs(%v10 : tensor<1x14x14x96xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %q0 = arith.negf %p0 : f32
    %q1 = math.exp %q0 : f32
    %q2 = arith.addf %q1, %one : f32
    %q3 = arith.divf %one, %q2 : f32
    %r = arith.mulf %p0, %q3 : f32
    linalg.yield %r : f32
  } -> tensor<1x14x14x96xf32>
  %v12 = tensor.empty() : tensor<1x14x14x16xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v11, %a3 : tensor<1x14x14x96xf32>, tensor<1x1x96x16xf32>) outs(%v13 : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %v15 = tensor.empty() : tensor<1x14x14x16xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v14, %a0 : tensor<1x14x14x16xf32>, tensor<1x14x14x16xf32>) outs(%v15 : tensor<1x14x14x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.addf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<1x14x14x16xf32>
  %v17 = tensor.empty() : tensor<2x9x11x24xf32>
  %v18 = linalg.fill ins(%zero : f32) outs(%v17 : tensor<2x9x11x24xf32>) -> tensor<2x9x11x24xf32>
  %v19 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a4, %a5 : tensor<2x9x11x8xf32>, tensor<1x1x8x24xf32>) outs(%v18 : tensor<2x9x11x24xf32>) -> tensor<2x9x11x24xf32>
  %v20 = tensor.empty() : tensor<2x9x11x24xf32>
  %v21 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v19 : tensor<2x9x11x24xf32>) outs(%v20 : tensor<2x9x11x24xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %q0 = arith.negf %p0 : f32
    %q1 = math.exp %q0 : f32
    %q2 = arith.addf %q1, %one : f32
    %q3 = arith.divf %one, %q2 : f32
    %r = arith.mulf %p0, %q3 : f32
    linalg.yield %r : f32
  } -> tensor<2x9x11x24xf32>
  %v22 = tensor.pad %v21 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x9x11x24xf32> to tensor<2x13x15x24xf32>
  %v23 = tensor.empty() : tensor<2x5x6x24xf32>
  %v24 = linalg.fill ins(%zero : f32) outs(%v23 : tensor<2x5x6x24xf32>) -> tensor<2x5x6x24xf32>
  %v25 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%v22, %a6 : tensor<2x13x15x24xf32>, tensor<5x5x24xf32>) outs(%v24 : tensor<2x5x6x24xf32>) -> tensor<2x5x6x24xf32>
  %v26 = tensor.empty() : tensor<2x5x6x24xf32>
  %v27 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v25 : tensor<2x5x6x24xf32>) outs(%v26 : tensor<2x5x6x24xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %q0 = arith.negf %p0 : f32
    %q1 = math.exp %q0 : f32
    %q2 = arith.addf %q1, %one : f32
    %q3 = arith.divf %one, %q2 : f32
    %r = arith.mulf %p0, %q3 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6x24xf32>
  %v28 = tensor.empty() : tensor<2x5x6x8xf32>
  %v29 = linalg.fill ins(%zero : f32) outs(%v28 : tensor<2x5x6x8xf32>) -> tensor<2x5x6x8xf32>
  %v30 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v27, %a7 : tensor<2x5x6x24xf32>, tensor<1x1x24x8xf32>) outs(%v29 : tensor<2x5x6x8xf32>) -> tensor<2x5x6x8xf32>
  return %v16, %v30 : tensor<1x14x14x16xf32>, tensor<2x5x6x8xf32>
}

// A block with groups of four channels between pointwise convolutions.
// GROUPED-LABEL: @group_block(
func.func @group_block(%a0: tensor<1x32x10x10xf32>, %a1: tensor<32x32x1x1xf32> {tpp.prepack}, %a2: tensor<32xf32> {tpp.prepack}, %a3: tensor<32xf32> {tpp.prepack}, %a4: tensor<32xf32> {tpp.prepack}, %a5: tensor<32x4x3x3xf32> {tpp.prepack}, %a6: tensor<32xf32> {tpp.prepack}, %a7: tensor<32xf32> {tpp.prepack}, %a8: tensor<32xf32> {tpp.prepack}, %a9: tensor<32x32x1x1xf32> {tpp.prepack}) -> (tensor<1x32x10x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x32x10x10xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %v3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x32x10x10xf32>, tensor<32x32x1x1xf32>) outs(%v2 : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %v4 = tensor.empty() : tensor<1x32x10x10xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v3, %a2, %a3, %a4 : tensor<1x32x10x10xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) outs(%v4 : tensor<1x32x10x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x32x10x10xf32>
  %v6 = tensor.pad %v5 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x32x10x10xf32> to tensor<1x32x12x12xf32>
  %v7 = tensor.expand_shape %v6 [[0], [1, 2], [3], [4]] output_shape [1, 8, 4, 12, 12] : tensor<1x32x12x12xf32> into tensor<1x8x4x12x12xf32>
  %v8 = tensor.expand_shape %a5 [[0, 1], [2], [3], [4]] output_shape [8, 4, 4, 3, 3] : tensor<32x4x3x3xf32> into tensor<8x4x4x3x3xf32>
  %v9 = tensor.empty() : tensor<1x8x4x10x10xf32>
  %v10 = linalg.fill ins(%zero : f32) outs(%v9 : tensor<1x8x4x10x10xf32>) -> tensor<1x8x4x10x10xf32>
  %v11 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v7, %v8 : tensor<1x8x4x12x12xf32>, tensor<8x4x4x3x3xf32>) outs(%v10 : tensor<1x8x4x10x10xf32>) -> tensor<1x8x4x10x10xf32>
  %v12 = tensor.collapse_shape %v11 [[0], [1, 2], [3], [4]] : tensor<1x8x4x10x10xf32> into tensor<1x32x10x10xf32>
  %v13 = tensor.empty() : tensor<1x32x10x10xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v12, %a6, %a7, %a8 : tensor<1x32x10x10xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) outs(%v13 : tensor<1x32x10x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x32x10x10xf32>
  %v15 = tensor.empty() : tensor<1x32x10x10xf32>
  %v16 = linalg.fill ins(%zero : f32) outs(%v15 : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %v17 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v14, %a9 : tensor<1x32x10x10xf32>, tensor<32x32x1x1xf32>) outs(%v16 : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %v18 = tensor.empty() : tensor<1x32x10x10xf32>
  %v19 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v17, %a0 : tensor<1x32x10x10xf32>, tensor<1x32x10x10xf32>) outs(%v18 : tensor<1x32x10x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %q = arith.addf %p0, %p1 : f32
    %r = arith.maximumf %q, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x32x10x10xf32>
  return %v19 : tensor<1x32x10x10xf32>
}

// Batch norm and relu6, a bias, silu, residuals.
// GROUPED-LABEL: @post_ops(
// GROUPED-COUNT-6: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @post_ops(%a0: tensor<1x9x9x40xf32>, %a1: tensor<3x3x40xf32> {tpp.prepack}, %a2: tensor<40xf32> {tpp.prepack}, %a3: tensor<40xf32> {tpp.prepack}, %a4: tensor<40xf32> {tpp.prepack}, %a5: tensor<2x8x7x24xf32>, %a6: tensor<5x5x24xf32> {tpp.prepack}, %a7: tensor<24xf32>, %a8: tensor<1x9x9x16xf32>, %a9: tensor<3x3x16xf32> {tpp.prepack}, %a10: tensor<16xf32>, %a11: tensor<2x9x9x17xf32>, %a12: tensor<3x3x17xf32> {tpp.prepack}, %a13: tensor<17xf32>, %a14: tensor<2x9x9x17xf32>, %a15: tensor<1x7x9x16xf32>, %a16: tensor<4x4x3x3x4xf32> {tpp.prepack}, %a17: tensor<1x7x9x16xf32>, %a18: tensor<1x7x9x15xf32>, %a19: tensor<5x3x3x3x3xf32> {tpp.prepack}, %a20: tensor<15xf32> {tpp.prepack}, %a21: tensor<15xf32> {tpp.prepack}, %a22: tensor<15xf32> {tpp.prepack}) -> (tensor<1x9x9x40xf32>, tensor<2x8x7x24xf32>, tensor<1x9x9x16xf32>, tensor<2x9x9x17xf32>, tensor<1x7x9x16xf32>, tensor<1x7x9x15xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x40xf32> to tensor<1x11x11x40xf32>
  %v2 = tensor.empty() : tensor<1x9x9x40xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x11x11x40xf32>, tensor<3x3x40xf32>) outs(%v3 : tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32>
  %v5 = tensor.empty() : tensor<1x9x9x40xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v4, %a2, %a3, %a4 : tensor<1x9x9x40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%v5 : tensor<1x9x9x40xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x9x9x40xf32>
  %v7 = tensor.pad %a5 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x8x7x24xf32> to tensor<2x12x11x24xf32>
  %v8 = tensor.empty() : tensor<2x8x7x24xf32>
  %v9 = linalg.broadcast ins(%a7 : tensor<24xf32>) outs(%v8 : tensor<2x8x7x24xf32>) dimensions = [0, 1, 2]
  %v10 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v7, %a6 : tensor<2x12x11x24xf32>, tensor<5x5x24xf32>) outs(%v9 : tensor<2x8x7x24xf32>) -> tensor<2x8x7x24xf32>
  %v11 = tensor.empty() : tensor<2x8x7x24xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v10 : tensor<2x8x7x24xf32>) outs(%v11 : tensor<2x8x7x24xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q = arith.maximumf %p0, %zero : f32
    %r = arith.minimumf %q, %six : f32
    linalg.yield %r : f32
  } -> tensor<2x8x7x24xf32>
  %v13 = tensor.pad %a8 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x16xf32> to tensor<1x11x11x16xf32>
  %v14 = tensor.empty() : tensor<1x9x9x16xf32>
  %v15 = linalg.broadcast ins(%a10 : tensor<16xf32>) outs(%v14 : tensor<1x9x9x16xf32>) dimensions = [0, 1, 2]
  %v16 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v13, %a9 : tensor<1x11x11x16xf32>, tensor<3x3x16xf32>) outs(%v15 : tensor<1x9x9x16xf32>) -> tensor<1x9x9x16xf32>
  %v17 = tensor.empty() : tensor<1x9x9x16xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v16 : tensor<1x9x9x16xf32>) outs(%v17 : tensor<1x9x9x16xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %q0 = arith.negf %p0 : f32
    %q1 = math.exp %q0 : f32
    %q2 = arith.addf %q1, %one : f32
    %q3 = arith.divf %one, %q2 : f32
    %r = arith.mulf %p0, %q3 : f32
    linalg.yield %r : f32
  } -> tensor<1x9x9x16xf32>
  %v19 = tensor.pad %a11 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x9x9x17xf32> to tensor<2x11x11x17xf32>
  %v20 = tensor.empty() : tensor<2x9x9x17xf32>
  %v21 = linalg.broadcast ins(%a13 : tensor<17xf32>) outs(%v20 : tensor<2x9x9x17xf32>) dimensions = [0, 1, 2]
  %v22 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v19, %a12 : tensor<2x11x11x17xf32>, tensor<3x3x17xf32>) outs(%v21 : tensor<2x9x9x17xf32>) -> tensor<2x9x9x17xf32>
  %v23 = tensor.empty() : tensor<2x9x9x17xf32>
  %v24 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v22, %a14 : tensor<2x9x9x17xf32>, tensor<2x9x9x17xf32>) outs(%v23 : tensor<2x9x9x17xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %q = arith.addf %p0, %p1 : f32
    %r = arith.maximumf %q, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x9x9x17xf32>
  %v25 = tensor.pad %a15 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x7x9x16xf32> to tensor<1x9x11x16xf32>
  %v26 = tensor.expand_shape %v25 [[0], [1], [2], [3, 4]] output_shape [1, 9, 11, 4, 4] : tensor<1x9x11x16xf32> into tensor<1x9x11x4x4xf32>
  %v27 = tensor.empty() : tensor<1x7x9x4x4xf32>
  %v28 = linalg.fill ins(%zero : f32) outs(%v27 : tensor<1x7x9x4x4xf32>) -> tensor<1x7x9x4x4xf32>
  %v29 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v26, %a16 : tensor<1x9x11x4x4xf32>, tensor<4x4x3x3x4xf32>) outs(%v28 : tensor<1x7x9x4x4xf32>) -> tensor<1x7x9x4x4xf32>
  %v30 = tensor.collapse_shape %v29 [[0], [1], [2], [3, 4]] : tensor<1x7x9x4x4xf32> into tensor<1x7x9x16xf32>
  %v31 = tensor.empty() : tensor<1x7x9x16xf32>
  %v32 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v30, %a17 : tensor<1x7x9x16xf32>, tensor<1x7x9x16xf32>) outs(%v31 : tensor<1x7x9x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %q = arith.addf %p0, %p1 : f32
    %r = arith.maximumf %q, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x7x9x16xf32>
  %v33 = tensor.pad %a18 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x7x9x15xf32> to tensor<1x9x11x15xf32>
  %v34 = tensor.expand_shape %v33 [[0], [1], [2], [3, 4]] output_shape [1, 9, 11, 5, 3] : tensor<1x9x11x15xf32> into tensor<1x9x11x5x3xf32>
  %v35 = tensor.empty() : tensor<1x7x9x5x3xf32>
  %v36 = linalg.fill ins(%zero : f32) outs(%v35 : tensor<1x7x9x5x3xf32>) -> tensor<1x7x9x5x3xf32>
  %v37 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v34, %a19 : tensor<1x9x11x5x3xf32>, tensor<5x3x3x3x3xf32>) outs(%v36 : tensor<1x7x9x5x3xf32>) -> tensor<1x7x9x5x3xf32>
  %v38 = tensor.collapse_shape %v37 [[0], [1], [2], [3, 4]] : tensor<1x7x9x5x3xf32> into tensor<1x7x9x15xf32>
  %v39 = tensor.empty() : tensor<1x7x9x15xf32>
  %v40 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v38, %a20, %a21, %a22 : tensor<1x7x9x15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>) outs(%v39 : tensor<1x7x9x15xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %q0 = arith.subf %p0, %p1 : f32
    %q1 = arith.mulf %q0, %p2 : f32
    %q2 = arith.addf %q1, %p3 : f32
    %q3 = arith.maximumf %q2, %zero : f32
    %r = arith.minimumf %q3, %six : f32
    linalg.yield %r : f32
  } -> tensor<1x7x9x15xf32>
  %v41 = tensor.empty() : tensor<1x7x9x15xf32>
  %v42 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v40 : tensor<1x7x9x15xf32>) outs(%v41 : tensor<1x7x9x15xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %q0 = arith.negf %p0 : f32
    %q1 = math.exp %q0 : f32
    %q2 = arith.addf %q1, %one : f32
    %q3 = arith.divf %one, %q2 : f32
    %r = arith.mulf %p0, %q3 : f32
    linalg.yield %r : f32
  } -> tensor<1x7x9x15xf32>
  return %v6, %v12, %v18, %v24, %v32, %v42 : tensor<1x9x9x40xf32>, tensor<2x8x7x24xf32>, tensor<1x9x9x16xf32>, tensor<2x9x9x17xf32>, tensor<1x7x9x16xf32>, tensor<1x7x9x15xf32>
}

// Factors that vary along each of the dimensions, and along several.
// GROUPED-LABEL: @broadcasts(
// GROUPED-COUNT-10: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @broadcasts(%a0: tensor<2x6x7x16xf32>, %a1: tensor<3x3x16xf32> {tpp.prepack}, %a2: tensor<16xf32>, %a3: tensor<2x6x7x16xf32>, %a4: tensor<3x3x16xf32> {tpp.prepack}, %a5: tensor<6x7xf32>, %a6: tensor<2x6x7x16xf32>, %a7: tensor<3x3x16xf32> {tpp.prepack}, %a8: tensor<2xf32>, %a9: tensor<2x6x7x16xf32>, %a10: tensor<3x3x16xf32> {tpp.prepack}, %a11: tensor<6xf32>, %a12: tensor<2x6x7x16xf32>, %a13: tensor<3x3x16xf32> {tpp.prepack}, %a14: tensor<7xf32>, %a15: tensor<2x6x7x16xf32>, %a16: tensor<3x3x16xf32> {tpp.prepack}, %a17: tensor<2x16xf32>, %a18: tensor<2x6x7x16xf32>, %a19: tensor<3x3x16xf32> {tpp.prepack}, %a20: tensor<2x6x7xf32>, %a21: tensor<2x6x7x16xf32>, %a22: tensor<3x3x16xf32> {tpp.prepack}, %a23: tensor<7x16xf32>, %a24: tensor<2x6x7x16xf32>, %a25: tensor<3x3x16xf32> {tpp.prepack}, %a26: tensor<6x16xf32>, %a27: tensor<2x6x7x16xf32>, %a28: tensor<3x3x16xf32> {tpp.prepack}, %a29: tensor<2x6x7x16xf32>) -> (tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v2 = tensor.empty() : tensor<2x6x7x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v1, %a1 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v3 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v5 = tensor.empty() : tensor<2x6x7x16xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v4, %a2 : tensor<2x6x7x16xf32>, tensor<16xf32>) outs(%v5 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v7 = tensor.pad %a3 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v8 = tensor.empty() : tensor<2x6x7x16xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v10 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v7, %a4 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v9 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v11 = tensor.empty() : tensor<2x6x7x16xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b, c)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v10, %a5 : tensor<2x6x7x16xf32>, tensor<6x7xf32>) outs(%v11 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v13 = tensor.pad %a6 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v14 = tensor.empty() : tensor<2x6x7x16xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v16 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v13, %a7 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v15 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v17 = tensor.empty() : tensor<2x6x7x16xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v16, %a8 : tensor<2x6x7x16xf32>, tensor<2xf32>) outs(%v17 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v19 = tensor.pad %a9 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v20 = tensor.empty() : tensor<2x6x7x16xf32>
  %v21 = linalg.fill ins(%zero : f32) outs(%v20 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v22 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v19, %a10 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v21 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v23 = tensor.empty() : tensor<2x6x7x16xf32>
  %v24 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v22, %a11 : tensor<2x6x7x16xf32>, tensor<6xf32>) outs(%v23 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v25 = tensor.pad %a12 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v26 = tensor.empty() : tensor<2x6x7x16xf32>
  %v27 = linalg.fill ins(%zero : f32) outs(%v26 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v28 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v25, %a13 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v27 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v29 = tensor.empty() : tensor<2x6x7x16xf32>
  %v30 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (c)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v28, %a14 : tensor<2x6x7x16xf32>, tensor<7xf32>) outs(%v29 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v31 = tensor.pad %a15 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v32 = tensor.empty() : tensor<2x6x7x16xf32>
  %v33 = linalg.fill ins(%zero : f32) outs(%v32 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v34 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v31, %a16 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v33 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v35 = tensor.empty() : tensor<2x6x7x16xf32>
  %v36 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v34, %a17 : tensor<2x6x7x16xf32>, tensor<2x16xf32>) outs(%v35 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v37 = tensor.pad %a18 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v38 = tensor.empty() : tensor<2x6x7x16xf32>
  %v39 = linalg.fill ins(%zero : f32) outs(%v38 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v40 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v37, %a19 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v39 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v41 = tensor.empty() : tensor<2x6x7x16xf32>
  %v42 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v40, %a20 : tensor<2x6x7x16xf32>, tensor<2x6x7xf32>) outs(%v41 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v43 = tensor.pad %a21 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v44 = tensor.empty() : tensor<2x6x7x16xf32>
  %v45 = linalg.fill ins(%zero : f32) outs(%v44 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v46 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v43, %a22 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v45 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v47 = tensor.empty() : tensor<2x6x7x16xf32>
  %v48 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v46, %a23 : tensor<2x6x7x16xf32>, tensor<7x16xf32>) outs(%v47 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v49 = tensor.pad %a24 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v50 = tensor.empty() : tensor<2x6x7x16xf32>
  %v51 = linalg.fill ins(%zero : f32) outs(%v50 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v52 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v49, %a25 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v51 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v53 = tensor.empty() : tensor<2x6x7x16xf32>
  %v54 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v52, %a26 : tensor<2x6x7x16xf32>, tensor<6x16xf32>) outs(%v53 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  %v55 = tensor.pad %a27 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x16xf32> to tensor<2x8x9x16xf32>
  %v56 = tensor.empty() : tensor<2x6x7x16xf32>
  %v57 = linalg.fill ins(%zero : f32) outs(%v56 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v58 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v55, %a28 : tensor<2x8x9x16xf32>, tensor<3x3x16xf32>) outs(%v57 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %v59 = tensor.empty() : tensor<2x6x7x16xf32>
  %v60 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v58, %a29 : tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>) outs(%v59 : tensor<2x6x7x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %r = arith.mulf %p0, %p1 : f32
    linalg.yield %r : f32
  } -> tensor<2x6x7x16xf32>
  return %v6, %v12, %v18, %v24, %v30, %v36, %v42, %v48, %v54, %v60 : tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>, tensor<2x6x7x16xf32>
}

// Convolutions that follow one another, and the sum of two branches.
// GROUPED-LABEL: @chain(
// GROUPED-COUNT-4: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @chain(%a0: tensor<1x9x10x16xf32>, %a1: tensor<3x3x16xf32> {tpp.prepack}, %a2: tensor<5x5x16xf32> {tpp.prepack}, %a3: tensor<3x3x16xf32> {tpp.prepack}, %a4: tensor<4x4x3x3x4xf32> {tpp.prepack}) -> (tensor<1x9x10x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x10x16xf32> to tensor<1x11x12x16xf32>
  %v2 = tensor.empty() : tensor<1x9x10x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32>
  %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v1, %a1 : tensor<1x11x12x16xf32>, tensor<3x3x16xf32>) outs(%v3 : tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32>
  %v5 = tensor.pad %v4 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x10x16xf32> to tensor<1x13x14x16xf32>
  %v6 = tensor.empty() : tensor<1x9x10x16xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32>
  %v8 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v5, %a2 : tensor<1x13x14x16xf32>, tensor<5x5x16xf32>) outs(%v7 : tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32>
  %v9 = tensor.pad %a0 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x10x16xf32> to tensor<1x13x14x16xf32>
  %v10 = tensor.empty() : tensor<1x9x10x16xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32>
  %v12 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[2, 2]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v9, %a3 : tensor<1x13x14x16xf32>, tensor<3x3x16xf32>) outs(%v11 : tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32>
  %v13 = tensor.empty() : tensor<1x9x10x16xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%v8, %v12 : tensor<1x9x10x16xf32>, tensor<1x9x10x16xf32>) outs(%v13 : tensor<1x9x10x16xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %q = arith.addf %p0, %p1 : f32
    %r = arith.maximumf %q, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x9x10x16xf32>
  %v15 = tensor.pad %v14 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x9x10x16xf32> to tensor<1x11x12x16xf32>
  %v16 = tensor.expand_shape %v15 [[0], [1], [2], [3, 4]] output_shape [1, 11, 12, 4, 4] : tensor<1x11x12x16xf32> into tensor<1x11x12x4x4xf32>
  %v17 = tensor.empty() : tensor<1x9x10x4x4xf32>
  %v18 = linalg.fill ins(%zero : f32) outs(%v17 : tensor<1x9x10x4x4xf32>) -> tensor<1x9x10x4x4xf32>
  %v19 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%v16, %a4 : tensor<1x11x12x4x4xf32>, tensor<4x4x3x3x4xf32>) outs(%v18 : tensor<1x9x10x4x4xf32>) -> tensor<1x9x10x4x4xf32>
  %v20 = tensor.collapse_shape %v19 [[0], [1], [2], [3, 4]] : tensor<1x9x10x4x4xf32> into tensor<1x9x10x16xf32>
  return %v20 : tensor<1x9x10x16xf32>
}

// Its channels are expanded to two groups, and multiplied by a number for each group: no post-op, as kernels know channels as one dimension.
// GROUPED-LABEL: @group_operands(
// GROUPED-COUNT-1: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @group_operands(%x: tensor<1x8x8x128xf32>, %w: tensor<3x3x128xf32> {tpp.prepack}, %s: tensor<2xf32>, %t: tensor<64xf32>) -> tensor<1x8x8x2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x128xf32> to tensor<1x10x10x128xf32>
  %e = tensor.empty() : tensor<1x8x8x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x128xf32>) -> tensor<1x8x8x128xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x10x10x128xf32>, tensor<3x3x128xf32>) outs(%f : tensor<1x8x8x128xf32>) -> tensor<1x8x8x128xf32>
  %1 = tensor.expand_shape %0 [[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 2, 64] : tensor<1x8x8x128xf32> into tensor<1x8x8x2x64xf32>
  %e1 = tensor.empty() : tensor<1x8x8x2x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(n,y,x,g,c)->(n,y,x,g,c)>, affine_map<(n,y,x,g,c)->(g)>, affine_map<(n,y,x,g,c)->(c)>, affine_map<(n,y,x,g,c)->(n,y,x,g,c)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%1, %s, %t : tensor<1x8x8x2x64xf32>, tensor<2xf32>, tensor<64xf32>) outs(%e1 : tensor<1x8x8x2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %q = arith.addf %m, %c : f32
    linalg.yield %q : f32
  } -> tensor<1x8x8x2x64xf32>
  return %2 : tensor<1x8x8x2x64xf32>
}

// The numbers for each group, repeated for each channel.
// GROUPED-LABEL: @repeated_operand(
// GROUPED-COUNT-1: , grouped, indexing_maps
// GROUPED-NOT: , grouped, indexing_maps
func.func @repeated_operand(%x: tensor<1x8x8x128xf32>, %w: tensor<3x3x128xf32> {tpp.prepack}, %s: tensor<2xf32>) -> tensor<1x8x8x128xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x128xf32> to tensor<1x10x10x128xf32>
  %e = tensor.empty() : tensor<1x8x8x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x128xf32>) -> tensor<1x8x8x128xf32>
  %3 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x10x10x128xf32>, tensor<3x3x128xf32>) outs(%f : tensor<1x8x8x128xf32>) -> tensor<1x8x8x128xf32>
  %eb = tensor.empty() : tensor<2x64xf32>
  %bb = linalg.broadcast ins(%s : tensor<2xf32>) outs(%eb : tensor<2x64xf32>) dimensions = [1]
  %cc = tensor.collapse_shape %bb [[0, 1]] : tensor<2x64xf32> into tensor<128xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(n,y,x,c)->(n,y,x,c)>, affine_map<(n,y,x,c)->(c)>, affine_map<(n,y,x,c)->(n,y,x,c)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%3, %cc : tensor<1x8x8x128xf32>, tensor<128xf32>) outs(%e : tensor<1x8x8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x8x8x128xf32>
  return %4 : tensor<1x8x8x128xf32>
}
