// Packs and unpacks become reshapes and transposes; padding a fill and an insertion.
// RUN: tpp-opt %s --tpp-lower-relayouts --split-input-file | FileCheck %s

// CHECK-LABEL: @pack(
// CHECK-NOT: linalg.pack
// CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} output_shape [4, 2, 64]
// CHECK: linalg.transpose ins(%[[E]] : tensor<4x2x64xf32>) outs({{.*}} : tensor<2x4x64xf32>) permutation = [1, 0, 2]
func.func @pack(%w: tensor<4x128xf32>, %d: tensor<2x4x64xf32>) -> tensor<2x4x64xf32> {
  %0 = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %d : tensor<4x128xf32> -> tensor<2x4x64xf32>
  return %0 : tensor<2x4x64xf32>
}

// -----

// CHECK-LABEL: @pack_with_padding(
// CHECK-NOT: tensor.pad
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs({{.*}} : tensor<4x128xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %[[F]][0, 0] [4, 100] [1, 1]
func.func @pack_with_padding(%w: tensor<4x100xf32>, %d: tensor<2x4x64xf32>) -> tensor<2x4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %w padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %d : tensor<4x100xf32> -> tensor<2x4x64xf32>
  return %0 : tensor<2x4x64xf32>
}

// -----

// CHECK-LABEL: @unpack(
// CHECK-NOT: linalg.unpack
// CHECK: linalg.transpose ins({{.*}} : tensor<2x4x64xf32>) outs({{.*}} : tensor<4x2x64xf32>)
// CHECK: tensor.collapse_shape
func.func @unpack(%p: tensor<2x4x64xf32>, %d: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %0 = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %d : tensor<2x4x64xf32> -> tensor<4x100xf32>
  return %0 : tensor<4x100xf32>
}
