// tpp.contract parses, verifies, prints as written, and bufferizes in place; a residual may share the result's buffer.
// RUN: tpp-opt %s | tpp-opt | FileCheck %s
// RUN: tpp-opt %s --mlir-print-op-generic | tpp-opt | FileCheck %s
// RUN: tpp-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN: | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: @matmul(
// CHECK: tpp.contract ins(%{{.*}}, %{{.*}} : tensor<4x5xf32>, tensor<5x6xf32>) outs(%{{.*}} : tensor<4x6xf32>) post(%{{.*}} : tensor<4x6xf32>)
// CHECK-SAME: post_ops = [#tpp.post_op<binary add>]} -> tensor<4x6xf32>
// BUFFERS-LABEL: @matmul(
// BUFFERS-SAME: , %[[R:[^:,]*]]: memref<4x6xf32>)
// BUFFERS-NEXT: tpp.contract ins({{.*}}) outs(%[[R]] : memref<4x6xf32>) post(%[[R]] : memref<4x6xf32>)
func.func @matmul(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %r: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = tpp.contract ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%r : tensor<4x6xf32>) post(%r : tensor<4x6xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 6, 5>, post_ops = [#tpp.post_op<binary add>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (m, n)>]}
    -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// A residual that is read at other indices than the result is written keeps its own buffer.
// BUFFERS-LABEL: @transposed_residual(
// BUFFERS-SAME: , %[[R:[^:,]*]]: memref<4x4xf32>)
// BUFFERS: %[[C:.*]] = memref.alloc()
// BUFFERS: tpp.contract ins({{.*}}) outs(%[[C]] : memref<4x4xf32>) post(%[[R]] : memref<4x4xf32>)
func.func @transposed_residual(%a: tensor<4x5xf32>, %b: tensor<5x4xf32>, %r: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tpp.contract ins(%a, %b : tensor<4x5xf32>, tensor<5x4xf32>) outs(%r : tensor<4x4xf32>) post(%r : tensor<4x4xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 4, 5>, post_ops = [#tpp.post_op<binary add>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (n, m)>]}
    -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A convolution with filters for Winograd's algorithm: 10 columns in panels of 8, so the last panel has 6 columns of padding. The residual shares the
// result's buffer.
// CHECK-LABEL: @winograd(
// CHECK: tpp.contract ins(%{{.*}}, %{{.*}} : tensor<1x9x9x5xf32>, tensor<16x2x5x8xf32>) outs(%{{.*}} : tensor<1x7x7x10xf32>) post(%{{.*}} : tensor<1x7x7x10xf32>)
// CHECK-SAME: winograd = 2 : i64} -> tensor<1x7x7x10xf32>
// BUFFERS-LABEL: @winograd(
// BUFFERS-SAME: , %[[R:[^:,]*]]: memref<1x7x7x10xf32>)
// BUFFERS-NEXT: tpp.contract ins({{.*}}) outs(%[[R]] : memref<1x7x7x10xf32>) post(%[[R]] : memref<1x7x7x10xf32>) {{.*}}winograd = 2 : i64
func.func @winograd(%a: tensor<1x9x9x5xf32>, %b: tensor<16x2x5x8xf32>, %r: tensor<1x7x7x10xf32>) -> tensor<1x7x7x10xf32> {
  %0 = tpp.contract ins(%a, %b : tensor<1x9x9x5xf32>, tensor<16x2x5x8xf32>) outs(%r : tensor<1x7x7x10xf32>) post(%r : tensor<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, post_ops = [#tpp.post_op<binary add>], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
    -> tensor<1x7x7x10xf32>
  return %0 : tensor<1x7x7x10xf32>
}

// A padded convolution: the image is read beyond its borders.
// CHECK-LABEL: @winograd_padded(
// CHECK: tpp.contract {{.*}} padded, post_ops = [], winograd = 2 : i64}
// BUFFERS-LABEL: @winograd_padded(
// BUFFERS: tpp.contract {{.*}} padded, {{.*}}winograd = 2 : i64
func.func @winograd_padded(%a: tensor<1x7x7x5xf32>, %b: tensor<16x2x5x8xf32>, %c: tensor<1x7x7x10xf32>) -> tensor<1x7x7x10xf32> {
  %0 = tpp.contract ins(%a, %b : tensor<1x7x7x5xf32>, tensor<16x2x5x8xf32>) outs(%c : tensor<1x7x7x10xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 10, 3, 3, 5>, padded, post_ops = [], winograd = 2 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r - 1, x + s - 1, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>,
                      affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
    -> tensor<1x7x7x10xf32>
  return %0 : tensor<1x7x7x10xf32>
}

// A depthwise convolution with filters in two panels, with and without a border. The residual shares the result's buffer.
// CHECK-LABEL: @grouped(
// CHECK: tpp.contract {{.*}} grouped, {{.*}}post_ops = [#tpp.post_op<binary add>]} -> tensor<1x7x7x32xf32>
// CHECK: tpp.contract {{.*}} grouped, {{.*}}padded, post_ops = []} -> tensor<1x9x9x32xf32>
// BUFFERS-LABEL: @grouped(
// BUFFERS-SAME: , %[[R:[^:,]*]]: memref<1x7x7x32xf32>,
// BUFFERS: tpp.contract ins({{.*}}) outs(%[[R]] : memref<1x7x7x32xf32>) post(%[[R]] : memref<1x7x7x32xf32>) {{.*}}grouped,
// BUFFERS: tpp.contract {{.*}} grouped, {{.*}}padded,
func.func @grouped(%a: tensor<1x9x9x32xf32>, %b: tensor<2x3x3x16xf32>, %r: tensor<1x7x7x32xf32>, %c: tensor<1x9x9x32xf32>) -> (tensor<1x7x7x32xf32>, tensor<1x9x9x32xf32>) {
  %0 = tpp.contract ins(%a, %b : tensor<1x9x9x32xf32>, tensor<2x3x3x16xf32>) outs(%r : tensor<1x7x7x32xf32>) post(%r : tensor<1x7x7x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 7, 2, 3, 3, 16>, grouped, post_ops = [#tpp.post_op<binary add>],
     indexing_maps = [affine_map<(i, y, x, p, r, s, c) -> (i, y + r, x + s, p * 16 + c)>, affine_map<(i, y, x, p, r, s, c) -> (p, r, s, c)>,
                      affine_map<(i, y, x, p, r, s, c) -> (i, y, x, p * 16 + c)>, affine_map<(i, y, x, p, r, s, c) -> (i, y, x, p * 16 + c)>]}
    -> tensor<1x7x7x32xf32>
  %1 = tpp.contract ins(%a, %b : tensor<1x9x9x32xf32>, tensor<2x3x3x16xf32>) outs(%c : tensor<1x9x9x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 9, 9, 2, 3, 3, 16>, grouped, padded, post_ops = [],
     indexing_maps = [affine_map<(i, y, x, p, r, s, c) -> (i, y + r - 1, x + s - 1, p * 16 + c)>, affine_map<(i, y, x, p, r, s, c) -> (p, r, s, c)>,
                      affine_map<(i, y, x, p, r, s, c) -> (i, y, x, p * 16 + c)>]}
    -> tensor<1x9x9x32xf32>
  return %0, %1 : tensor<1x7x7x32xf32>, tensor<1x9x9x32xf32>
}
