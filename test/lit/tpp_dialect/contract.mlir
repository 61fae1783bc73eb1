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
