// Depthwise convolutions, and those of few channels a group, get filters in panels of whole vectors of at most four cache lines. Every other contraction
// stays as it is.
// RUN: split-file %s %t
// RUN: tpp-opt %t/model.mlir --pass-pipeline='builtin.module(tpp-target{target=zen4},func.func(tpp-use-grouped-convs))' --split-input-file | FileCheck %t/model.mlir --check-prefixes=CHECK,ZEN4
// RUN: tpp-opt %t/model.mlir --pass-pipeline='builtin.module(tpp-target{target=zen3},func.func(tpp-use-grouped-convs))' --split-input-file | FileCheck %t/model.mlir --check-prefixes=CHECK,ZEN3
// RUN: tpp-opt %t/near-misses.mlir --pass-pipeline='builtin.module(tpp-target{target=zen4},func.func(tpp-use-grouped-convs))' | FileCheck %t/near-misses.mlir
// RUN: tpp-opt %t/packing.mlir --pass-pipeline='builtin.module(tpp-target{target=zen4},func.func(tpp-use-grouped-convs))' | FileCheck %t/packing.mlir
// RUN: tpp-opt %t/prepack.mlir --tpp-default-tensors=target=zen4 | FileCheck %t/prepack.mlir
// RUN: tpp-opt %t/strided.mlir --tpp-default=target=zen4 | FileCheck %t/strided.mlir
// RUN: tpp-opt %t/prepack.mlir --tpp-default-tensors="target=zen4 packing=none" | FileCheck %t/prepack.mlir --check-prefix=NONE
// RUN: tpp-opt %t/prepack.mlir --tpp-default-tensors="target=zen4 precision=bf16" | FileCheck %t/prepack.mlir

//--- model.mlir

// 96 channels: two panels of three vectors of 16 lanes. 48 is a multiple of 8 lanes, too.
// ZEN4-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d3 * 48 + d6)>
// ZEN4-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK-LABEL: @depthwise_96(
// CHECK-SAME: %[[X:.*]]: tensor<1x16x16x96xf32>, %[[W:.*]]: tensor<3x3x96xf32>
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<3x3x96xf32>) outs(%{{.*}} : tensor<2x3x3x48xf32>)
// CHECK: tpp.contract ins(%[[X]], %[[P]] : {{.*}}extents = array<i64: 1, 14, 14, 2, 3, 3, 48>, grouped,
// ZEN4-SAME: indexing_maps = [#[[IMAGE]], #[[FILTERS]],
func.func @depthwise_96(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}) -> tensor<1x14x14x96xf32> {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

// -----

// 64 channels.
// CHECK-LABEL: @depthwise_64(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x32xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x32xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @depthwise_64(%x: tensor<1x16x16x64xf32>, %w: tensor<3x3x64xf32> {tpp.prepack}) -> tensor<1x14x14x64xf32> {
  %e = tensor.empty() : tensor<1x14x14x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x64xf32>, tensor<3x3x64xf32>) outs(%e : tensor<1x14x14x64xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 64, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x64xf32>
  return %0 : tensor<1x14x14x64xf32>
}

// -----

// 24 channels.
// CHECK-LABEL: @depthwise_24(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x24xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x3x8xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @depthwise_24(%x: tensor<1x16x16x24xf32>, %w: tensor<3x3x24xf32> {tpp.prepack}) -> tensor<1x14x14x24xf32> {
  %e = tensor.empty() : tensor<1x14x14x24xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x24xf32>, tensor<3x3x24xf32>) outs(%e : tensor<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x24xf32>
  return %0 : tensor<1x14x14x24xf32>
}

// -----

// 32 channels.
// CHECK-LABEL: @depthwise_32(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x16xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x16xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @depthwise_32(%x: tensor<1x16x16x32xf32>, %w: tensor<3x3x32xf32> {tpp.prepack}) -> tensor<1x14x14x32xf32> {
  %e = tensor.empty() : tensor<1x14x14x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x32xf32>, tensor<3x3x32xf32>) outs(%e : tensor<1x14x14x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 32, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x32xf32>
  return %0 : tensor<1x14x14x32xf32>
}

// -----

// 17 channels.
// CHECK-LABEL: @depthwise_17(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x17xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x17xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @depthwise_17(%x: tensor<1x16x16x17xf32>, %w: tensor<3x3x17xf32> {tpp.prepack}) -> tensor<1x14x14x17xf32> {
  %e = tensor.empty() : tensor<1x14x14x17xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x17xf32>, tensor<3x3x17xf32>) outs(%e : tensor<1x14x14x17xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 17, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x17xf32>
  return %0 : tensor<1x14x14x17xf32>
}

// -----

// 16 channels.
// CHECK-LABEL: @depthwise_16(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x16xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x8xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @depthwise_16(%x: tensor<1x16x16x16xf32>, %w: tensor<3x3x16xf32> {tpp.prepack}) -> tensor<1x14x14x16xf32> {
  %e = tensor.empty() : tensor<1x14x14x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x14x14x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 16, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x16xf32>
  return %0 : tensor<1x14x14x16xf32>
}

// -----

// Filters with the channels first, and the image as operand B.
// CHECK-LABEL: @operands_exchanged(
// CHECK-SAME: %[[X:.*]]: tensor<96x3x3xf32>{{.*}}, %[[W:.*]]: tensor<1x16x16x96xf32>
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%{{.*}} : tensor<2x3x3x48xf32>)
// CHECK: tpp.contract ins(%[[W]], %[[P]] : {{.*}} grouped,
func.func @operands_exchanged(%x: tensor<96x3x3xf32> {tpp.prepack}, %w: tensor<1x16x16x96xf32>) -> tensor<1x14x14x96xf32> {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<96x3x3xf32>, tensor<1x16x16x96xf32>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (c, r, s)>, affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

// -----

// 16 groups of 2 input and 2 output channels.
// CHECK-LABEL: @groups_2_2(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x2x8x2xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x2x8x2xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @groups_2_2(%x: tensor<1x10x10x32xf32>, %w: tensor<16x2x3x3x2xf32> {tpp.prepack}) -> tensor<1x8x8x32xf32> {
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x32xf32>, tensor<16x2x3x3x2xf32>) outs(%e : tensor<1x8x8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 2, 3, 3, 2>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 2 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 2 + f)>], post_ops = []} -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// -----

// 8 groups of 4 input and 4 output channels.
// CHECK-LABEL: @groups_4_4(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x4x4x4xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x4x4x4xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @groups_4_4(%x: tensor<1x10x10x32xf32>, %w: tensor<8x4x3x3x4xf32> {tpp.prepack}) -> tensor<1x8x8x32xf32> {
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x32xf32>, tensor<8x4x3x3x4xf32>) outs(%e : tensor<1x8x8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 4, 3, 3, 4>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 4 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 4 + f)>], post_ops = []} -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// -----

// 5 groups of 3 input and 3 output channels.
// CHECK-LABEL: @groups_3_3(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x3x5x3xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x3x5x3xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @groups_3_3(%x: tensor<1x10x10x15xf32>, %w: tensor<5x3x3x3x3xf32> {tpp.prepack}) -> tensor<1x8x8x15xf32> {
  %e = tensor.empty() : tensor<1x8x8x15xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x15xf32>, tensor<5x3x3x3x3xf32>) outs(%e : tensor<1x8x8x15xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 5, 3, 3, 3, 3>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 3 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 3 + f)>], post_ops = []} -> tensor<1x8x8x15xf32>
  return %0 : tensor<1x8x8x15xf32>
}

// -----

// 4 groups of 8 input and 8 output channels.
// CHECK-LABEL: @groups_8_8(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x8x2x8xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x8x2x8xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @groups_8_8(%x: tensor<1x10x10x32xf32>, %w: tensor<4x8x3x3x8xf32> {tpp.prepack}) -> tensor<1x8x8x32xf32> {
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x32xf32>, tensor<4x8x3x3x8xf32>) outs(%e : tensor<1x8x8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 4, 8, 3, 3, 8>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 8 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 8 + f)>], post_ops = []} -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// -----

// 3 groups of 16 input and 16 output channels.
// CHECK-LABEL: @groups_16_16(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x3x16x1x16xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x3x16x1x16xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @groups_16_16(%x: tensor<1x10x10x48xf32>, %w: tensor<3x16x3x3x16xf32> {tpp.prepack}) -> tensor<1x8x8x48xf32> {
  %e = tensor.empty() : tensor<1x8x8x48xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x48xf32>, tensor<3x16x3x3x16xf32>) outs(%e : tensor<1x8x8x48xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 3, 16, 3, 3, 16>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 16 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 16 + f)>], post_ops = []} -> tensor<1x8x8x48xf32>
  return %0 : tensor<1x8x8x48xf32>
}

// -----

// 8 groups of 2 input and 5 output channels.
// CHECK-LABEL: @groups_2_5(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x2x8x5xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x2x8x5xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @groups_2_5(%x: tensor<1x10x10x16xf32>, %w: tensor<8x5x3x3x2xf32> {tpp.prepack}) -> tensor<1x8x8x40xf32> {
  %e = tensor.empty() : tensor<1x8x8x40xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x16xf32>, tensor<8x5x3x3x2xf32>) outs(%e : tensor<1x8x8x40xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 5, 3, 3, 2>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 2 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 5 + f)>], post_ops = []} -> tensor<1x8x8x40xf32>
  return %0 : tensor<1x8x8x40xf32>
}

// -----

// Two outputs for each channel.
// CHECK-LABEL: @multiplier(
// ZEN4: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x3x8x2xf32>)
// ZEN3: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x3x12x2xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @multiplier(%x: tensor<1x10x10x24xf32>, %w: tensor<3x3x24x2xf32> {tpp.prepack}) -> tensor<1x8x8x48xf32> {
  %e = tensor.empty() : tensor<1x8x8x48xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x24xf32>, tensor<3x3x24x2xf32>) outs(%e : tensor<1x8x8x48xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 24, 2, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, m, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, m, r, s) -> (r, s, c, m)>, affine_map<(i, y, x, c, m, r, s) -> (i, y, x, c * 2 + m)>], post_ops = []} -> tensor<1x8x8x48xf32>
  return %0 : tensor<1x8x8x48xf32>
}

// -----

// One dimension.
// CHECK-LABEL: @one_dimension(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x5x32xf32>)
// CHECK: tpp.contract {{.*}} grouped,
func.func @one_dimension(%x: tensor<2x30x64xf32>, %w: tensor<5x64xf32> {tpp.prepack}) -> tensor<2x26x64xf32> {
  %e = tensor.empty() : tensor<2x26x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<2x30x64xf32>, tensor<5x64xf32>) outs(%e : tensor<2x26x64xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 26, 64, 5>, indexing_maps = [affine_map<(i, x, c, s) -> (i, x + s, c)>, affine_map<(i, x, c, s) -> (s, c)>, affine_map<(i, x, c, s) -> (i, x, c)>], post_ops = []} -> tensor<2x26x64xf32>
  return %0 : tensor<2x26x64xf32>
}

// -----

// As many columns of taps as kernels take.
// CHECK-LABEL: @most_columns(
// CHECK: tpp.contract {{.*}} grouped,
func.func @most_columns(%x: tensor<2x153x64xf32>, %w: tensor<128x64xf32> {tpp.prepack}) -> tensor<2x26x64xf32> {
  %e = tensor.empty() : tensor<2x26x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<2x153x64xf32>, tensor<128x64xf32>) outs(%e : tensor<2x26x64xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 26, 64, 128>, indexing_maps = [affine_map<(i, x, c, s) -> (i, x + s, c)>, affine_map<(i, x, c, s) -> (s, c)>, affine_map<(i, x, c, s) -> (i, x, c)>], post_ops = []} -> tensor<2x26x64xf32>
  return %0 : tensor<2x26x64xf32>
}

// -----

// Strides and dilations; a part of a larger image.
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4 * 3 + 1, d2 * 2 + d5, d3 * 48 + d6)>
// CHECK-LABEL: @steps(
// CHECK: tpp.contract {{.*}} grouped,
func.func @steps(%x: tensor<1x20x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}) -> tensor<1x7x7x96xf32> {
  %e = tensor.empty() : tensor<1x7x7x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x20x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x7x7x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, 2 * y + 3 * r + 1, 2 * x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x7x7x96xf32>
  return %0 : tensor<1x7x7x96xf32>
}

// -----

// Post-ops stay: a bias, a residual.
// CHECK-LABEL: @post_ops(
// CHECK: tpp.contract {{.*}} post(%{{.*}}, %{{.*}} : tensor<96xf32>, tensor<1x14x14x96xf32>) {{.*}} grouped, {{.*}} post_ops = [#tpp.post_op<binary add>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]}
func.func @post_ops(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}, %bias: tensor<96xf32>, %r: tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32> {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x14x14x96xf32>) post(%bias, %r : tensor<96xf32>, tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>, affine_map<(i, y, x, c, r, s) -> (c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = [#tpp.post_op<binary add>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

//--- near-misses.mlir

// CHECK-NOT: grouped,

// Filters that differ in each call.
func.func @variable(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32>) -> tensor<1x14x14x96xf32> {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

// More columns of taps than kernels take.
func.func @many_columns(%x: tensor<2x154x64xf32>, %w: tensor<129x64xf32> {tpp.prepack}) -> tensor<2x26x64xf32> {
  %e = tensor.empty() : tensor<2x26x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<2x154x64xf32>, tensor<129x64xf32>) outs(%e : tensor<2x26x64xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 26, 64, 129>, indexing_maps = [affine_map<(i, x, c, s) -> (i, x + s, c)>, affine_map<(i, x, c, s) -> (s, c)>, affine_map<(i, x, c, s) -> (i, x, c)>], post_ops = []} -> tensor<2x26x64xf32>
  return %0 : tensor<2x26x64xf32>
}

// Channels first: those of a pixel are not contiguous.
func.func @channels_first(%x: tensor<1x96x16x16xf32>, %w: tensor<96x3x3xf32> {tpp.prepack}) -> tensor<1x96x14x14xf32> {
  %e = tensor.empty() : tensor<1x96x14x14xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x96x16x16xf32>, tensor<96x3x3xf32>) outs(%e : tensor<1x96x14x14xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 96, 14, 14, 3, 3>, indexing_maps = [affine_map<(i, c, y, x, r, s) -> (i, c, y + r, x + s)>, affine_map<(i, c, y, x, r, s) -> (c, r, s)>, affine_map<(i, c, y, x, r, s) -> (i, c, y, x)>], post_ops = []} -> tensor<1x96x14x14xf32>
  return %0 : tensor<1x96x14x14xf32>
}

// The result is channels first.
func.func @result_channels_first(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}) -> tensor<1x96x14x14xf32> {
  %e = tensor.empty() : tensor<1x96x14x14xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x96x14x14xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, c, y, x)>], post_ops = []} -> tensor<1x96x14x14xf32>
  return %0 : tensor<1x96x14x14xf32>
}

// Another type.
func.func @f16(%x: tensor<1x16x16x96xf16>, %w: tensor<3x3x96xf16> {tpp.prepack}) -> tensor<1x14x14x96xf32> {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf16>, tensor<3x3x96xf16>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

// The sums are added to an argument.
func.func @accumulated(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}, %e: tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32> {
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 1 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

// Groups wider than a panel of brgemm.
func.func @wide(%x: tensor<1x10x10x8xf32>, %w: tensor<2x80x3x3x4xf32> {tpp.prepack}) -> tensor<1x8x8x160xf32> {
  %e = tensor.empty() : tensor<1x8x8x160xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x8xf32>, tensor<2x80x3x3x4xf32>) outs(%e : tensor<1x8x8x160xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 2, 80, 3, 3, 4>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 4 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 80 + f)>], post_ops = []} -> tensor<1x8x8x160xf32>
  return %0 : tensor<1x8x8x160xf32>
}

// L1 does not hold the filters of one vector.
func.func @deep(%x: tensor<1x10x10x128xf32>, %w: tensor<2x16x3x3x64xf32> {tpp.prepack}) -> tensor<1x8x8x32xf32> {
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x128xf32>, tensor<2x16x3x3x64xf32>) outs(%e : tensor<1x8x8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 2, 16, 3, 3, 64>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 64 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 16 + f)>], post_ops = []} -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// One group: a convolution.
func.func @one_group(%x: tensor<1x10x10x8xf32>, %w: tensor<8x3x3x8xf32> {tpp.prepack}) -> tensor<1x8x8x8xf32> {
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x8xf32>, tensor<8x3x3x8xf32>) outs(%e : tensor<1x8x8x8xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 3, 3, 8>, indexing_maps = [affine_map<(i, y, x, f, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, f, r, s, k) -> (f, r, s, k)>, affine_map<(i, y, x, f, r, s, k) -> (i, y, x, f)>], post_ops = []} -> tensor<1x8x8x8xf32>
  return %0 : tensor<1x8x8x8xf32>
}

// Groups and channels are two dimensions of the result: later post-ops might vary along one of them.
func.func @two_dimensions(%x: tensor<1x10x10x32xf32>, %w: tensor<8x4x3x3x4xf32> {tpp.prepack}) -> tensor<1x8x8x8x4xf32> {
  %e = tensor.empty() : tensor<1x8x8x8x4xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x32xf32>, tensor<8x4x3x3x4xf32>) outs(%e : tensor<1x8x8x8x4xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 4, 3, 3, 4>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 4 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g, f)>], post_ops = []} -> tensor<1x8x8x8x4xf32>
  return %0 : tensor<1x8x8x8x4xf32>
}

// The operand of a post-op varies along the groups only.
func.func @factor_of_groups(%x: tensor<1x10x10x32xf32>, %w: tensor<8x4x3x3x4xf32> {tpp.prepack}, %p: tensor<8xf32>) -> tensor<1x8x8x32xf32> {
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x32xf32>, tensor<8x4x3x3x4xf32>) outs(%e : tensor<1x8x8x32xf32>) post(%p : tensor<8xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 4, 3, 3, 4>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 4 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 4 + f)>, affine_map<(i, y, x, g, f, r, s, k) -> (g)>], post_ops = [#tpp.post_op<binary mul>]} -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// The operand of a post-op varies within the groups only.
func.func @factor_of_channels(%x: tensor<1x10x10x32xf32>, %w: tensor<8x4x3x3x4xf32> {tpp.prepack}, %p: tensor<4xf32>) -> tensor<1x8x8x32xf32> {
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x32xf32>, tensor<8x4x3x3x4xf32>) outs(%e : tensor<1x8x8x32xf32>) post(%p : tensor<4xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 4, 3, 3, 4>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, g * 4 + k)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 4 + f)>, affine_map<(i, y, x, g, f, r, s, k) -> (f)>], post_ops = [#tpp.post_op<binary mul>]} -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// The channels of a group are not neighbours in the image.
func.func @interleaved(%x: tensor<1x10x10x32xf32>, %w: tensor<8x4x3x3x4xf32> {tpp.prepack}) -> tensor<1x8x8x32xf32> {
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x10x10x32xf32>, tensor<8x4x3x3x4xf32>) outs(%e : tensor<1x8x8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 8, 4, 3, 3, 4>, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k) -> (i, y + r, x + s, k * 8 + g)>, affine_map<(i, y, x, g, f, r, s, k) -> (g, f, r, s, k)>, affine_map<(i, y, x, g, f, r, s, k) -> (i, y, x, g * 4 + f)>], post_ops = []} -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// Rows and columns of the result are exchanged.
func.func @exchanged(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}) -> tensor<1x14x14x96xf32> {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, x, y, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

// Three dimensions of taps.
func.func @three_dimensions(%x: tensor<6x8x8x16xf32>, %w: tensor<3x3x3x16xf32> {tpp.prepack}) -> tensor<4x6x6x16xf32> {
  %e = tensor.empty() : tensor<4x6x6x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<6x8x8x16xf32>, tensor<3x3x3x16xf32>) outs(%e : tensor<4x6x6x16xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 6, 16, 3, 3, 3>, indexing_maps = [affine_map<(z, y, x, c, q, r, s) -> (z + q, y + r, x + s, c)>, affine_map<(z, y, x, c, q, r, s) -> (q, r, s, c)>, affine_map<(z, y, x, c, q, r, s) -> (z, y, x, c)>], post_ops = []} -> tensor<4x6x6x16xf32>
  return %0 : tensor<4x6x6x16xf32>
}

// A batch of matmuls.
func.func @batch_matmul(%x: tensor<4x16x8xf32>, %w: tensor<4x8x16xf32> {tpp.prepack}) -> tensor<4x16x16xf32> {
  %e = tensor.empty() : tensor<4x16x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<4x16x8xf32>, tensor<4x8x16xf32>) outs(%e : tensor<4x16x16xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 16, 16, 8>, indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], post_ops = []} -> tensor<4x16x16xf32>
  return %0 : tensor<4x16x16xf32>
}

// Images of one pixel with the channels outermost: the result may become a part of a larger image, where channels are apart.
func.func @one_pixel(%x: tensor<2x24x1x1xf32>) -> tensor<2x24x1x1xf32> {
  %w = arith.constant dense_resource<w24> : tensor<24xf32>
  %e = tensor.empty() : tensor<2x24x1x1xf32>
  %0 = tpp.contract ins(%x, %w : tensor<2x24x1x1xf32>, tensor<24xf32>) outs(%e : tensor<2x24x1x1xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 1, 1, 24, 1, 1>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, c, y + r, x + s)>, affine_map<(i, y, x, c, r, s) -> (c)>, affine_map<(i, y, x, c, r, s) -> (i, c, y, x)>], post_ops = []} -> tensor<2x24x1x1xf32>
  return %0 : tensor<2x24x1x1xf32>
}

//--- packing.mlir

// Another packing strategy than the cost model's packs the filters.
// CHECK-LABEL: @fixed(
// CHECK-NOT: grouped,
// CHECK-LABEL: @cost_model(
// CHECK: grouped,
func.func @fixed(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}) -> tensor<1x14x14x96xf32> attributes {tpp.packing = #tpp.packing_fixed<panel = 16>} {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}
func.func @cost_model(%x: tensor<1x16x16x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}) -> tensor<1x14x14x96xf32> attributes {tpp.packing = #tpp.packing_cost_model} {
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %0 = tpp.contract ins(%x, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%e : tensor<1x14x14x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 96, 3, 3>, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []} -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

//--- prepack.mlir

// The panels are a weight, computed once. The border is not written.
// CHECK-LABEL: func.func @layer_prepack(
// CHECK-SAME: %{{.*}}: tensor<3x3x96xf32>) -> tensor<2x3x3x48xf32>
// CHECK: linalg.generic
// CHECK-LABEL: func.func @layer(
// CHECK-NOT: linalg.
// CHECK: tpp.contract ins(%arg0, %{{.*}} : tensor<1x14x14x96xf32>, tensor<2x3x3x48xf32>) {{.*}} grouped, {{.*}} padded,
// NONE-NOT: grouped,
func.func @layer(%x: tensor<1x14x14x96xf32>, %w: tensor<3x3x96xf32> {tpp.prepack}) -> tensor<1x14x14x96xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x96xf32> to tensor<1x16x16x96xf32>
  %e = tensor.empty() : tensor<1x14x14x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x16x16x96xf32>, tensor<3x3x96xf32>) outs(%z : tensor<1x14x14x96xf32>) -> tensor<1x14x14x96xf32>
  return %0 : tensor<1x14x14x96xf32>
}

//--- strided.mlir

// The kernels read contiguous channels. Those of a slice with stride 2 are not, even behind an offset known only in the call, which the image
// of the op cannot include.
// CHECK-LABEL: @contiguous(
// CHECK: tpp.dispatch #tpp.grouped_conv_desc
// CHECK-LABEL: @strided(
// CHECK-NOT: grouped_conv
// CHECK: return
func.func @contiguous(%x: tensor<4x16x16x32xf32>, %image: index, %w: tensor<3x3x16xf32> {tpp.prepack}) -> tensor<2x14x14x16xf32> {
  %zero = arith.constant 0.0 : f32
  %images = tensor.extract_slice %x[%image, 0, 0, 0] [2, 16, 16, 32] [2, 1, 1, 1] : tensor<4x16x16x32xf32> to tensor<2x16x16x32xf32>
  %channels = tensor.extract_slice %images[0, 0, 0, 8] [2, 16, 16, 16] [1, 1, 1, 1] : tensor<2x16x16x32xf32> to tensor<2x16x16x16xf32>
  %e = tensor.empty() : tensor<2x14x14x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x14x14x16xf32>) -> tensor<2x14x14x16xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%channels, %w : tensor<2x16x16x16xf32>, tensor<3x3x16xf32>) outs(%z : tensor<2x14x14x16xf32>) -> tensor<2x14x14x16xf32>
  return %0 : tensor<2x14x14x16xf32>
}
func.func @strided(%x: tensor<4x16x16x32xf32>, %image: index, %w: tensor<3x3x16xf32> {tpp.prepack}) -> tensor<2x14x14x16xf32> {
  %zero = arith.constant 0.0 : f32
  %images = tensor.extract_slice %x[%image, 0, 0, 0] [2, 16, 16, 32] [2, 1, 1, 1] : tensor<4x16x16x32xf32> to tensor<2x16x16x32xf32>
  %channels = tensor.extract_slice %images[0, 0, 0, 0] [2, 16, 16, 16] [1, 1, 1, 2] : tensor<2x16x16x32xf32> to tensor<2x16x16x16xf32>
  %e = tensor.empty() : tensor<2x14x14x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x14x14x16xf32>) -> tensor<2x14x14x16xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%channels, %w : tensor<2x16x16x16xf32>, tensor<3x3x16xf32>) outs(%z : tensor<2x14x14x16xf32>) -> tensor<2x14x14x16xf32>
  return %0 : tensor<2x14x14x16xf32>
}
