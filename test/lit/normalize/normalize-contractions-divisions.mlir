// A reshape that divides an index becomes part of the maps if splitting a loop into blocks removes the division.
// RUN: tpp-opt %s --tpp-normalize-contractions --split-input-file | FileCheck %s

// An image flattened for a linear layer: the sum is over channels, rows and columns of the original image.
// CHECK-DAG: #[[XMAP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>
// CHECK-DAG: #[[WMAP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2 * 15 + d3 * 5 + d4)>
// CHECK-LABEL: @flattened(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x3x5xf32>, %[[W:.*]]: tensor<16x120xf32>)
// CHECK: tpp.contract ins(%[[X]], %[[W]] : {{.*}}extents = array<i64: 2, 16, 8, 3, 5>, indexing_maps = [#[[XMAP]], #[[WMAP]],
func.func @flattened(%x: tensor<2x8x3x5xf32>, %w: tensor<16x120xf32>) -> tensor<2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.collapse_shape %x [[0], [1, 2, 3]] : tensor<2x8x3x5xf32> into tensor<2x120xf32>
  %e = tensor.empty() : tensor<2x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%c, %w : tensor<2x120xf32>, tensor<16x120xf32>) outs(%z : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// Batch and heads as one dimension of a batched matmul: the loop over both is split into two loops.
// CHECK-DAG: #[[VMAP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d2 + d4 * 8)>
// CHECK-LABEL: @heads_of_two(
// CHECK-SAME: %[[P:.*]]: tensor<6x7x7xf32>, %[[V:.*]]: tensor<7x2x24xf32>)
// CHECK: tpp.contract ins(%[[P]], %[[V]] : {{.*}}extents = array<i64: 2, 7, 8, 7, 3>, indexing_maps = [#{{.*}}, #[[VMAP]],
func.func @heads_of_two(%p: tensor<6x7x7xf32>, %v: tensor<7x2x24xf32>) -> tensor<6x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.collapse_shape %v [[0], [1, 2]] : tensor<7x2x24xf32> into tensor<7x48xf32>
  %h = tensor.expand_shape %c [[0], [1, 2]] output_shape [7, 6, 8] : tensor<7x48xf32> into tensor<7x6x8xf32>
  %e0 = tensor.empty() : tensor<6x7x8xf32>
  %t = linalg.transpose ins(%h : tensor<7x6x8xf32>) outs(%e0 : tensor<6x7x8xf32>) permutation = [1, 0, 2]
  %e = tensor.empty() : tensor<6x7x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x7x8xf32>) -> tensor<6x7x8xf32>
  %0 = linalg.batch_matmul ins(%p, %t : tensor<6x7x7xf32>, tensor<6x7x8xf32>) outs(%z : tensor<6x7x8xf32>) -> tensor<6x7x8xf32>
  return %0 : tensor<6x7x8xf32>
}

// -----

// A constant that is broadcast over the batch is not materialized: it is read directly. (Its transposition is done once, in
// prepack.)
// CHECK-LABEL: @repeated_weight(
// CHECK: %[[W:.*]] = arith.constant dense_resource<w> : tensor<4x16xf32>
// CHECK: tpp.contract ins(%{{.*}}, %[[W]] : tensor<3x8x4xf32>, tensor<4x16xf32>)
func.func @repeated_weight(%a: tensor<3x8x4xf32>) -> tensor<3x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w> : tensor<4x16xf32>
  %eb = tensor.empty() : tensor<3x4x16xf32>
  %b = linalg.broadcast ins(%w : tensor<4x16xf32>) outs(%eb : tensor<3x4x16xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<3x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x8x4xf32>, tensor<3x4x16xf32>) outs(%z : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  return %0 : tensor<3x8x16xf32>
}

// -----

// Rows of 20 elements of an image with rows of 16: no block size splits both.
// CHECK-LABEL: @uneven(
// CHECK: %[[C:.*]] = tensor.collapse_shape
// CHECK: tpp.contract ins(%[[C]],
func.func @uneven(%x: tensor<5x8x2xf32>, %w: tensor<20x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.collapse_shape %x [[0, 1, 2]] : tensor<5x8x2xf32> into tensor<80xf32>
  %c = tensor.expand_shape %f [[0, 1]] output_shape [4, 20] : tensor<80xf32> into tensor<4x20xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.matmul ins(%c, %w : tensor<4x20xf32>, tensor<20x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
