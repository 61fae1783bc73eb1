// Packs and unpacks become reshapes and transposes. Partial tiles are handled in parts; padding is filled in place.
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

// The last tile has 36 columns and 28 columns of padding. The source is not padded first.
// CHECK-LABEL: @pack_with_padding(
// CHECK-SAME: %[[W:.*]]: tensor<4x100xf32>, %[[D:.*]]: tensor<2x4x64xf32>
// CHECK-NOT: tensor.pad
// CHECK: tensor.extract_slice %[[D]][1, 0, 36] [1, 4, 28] [1, 1, 1]
// CHECK: linalg.fill {{.*}} outs({{.*}} : tensor<1x4x28xf32>)
// CHECK: %[[F:.*]] = tensor.insert_slice %{{.*}} into %[[D]][1, 0, 36] [1, 4, 28]
// CHECK: tensor.extract_slice %[[W]][0, 0] [4, 64] [1, 1]
// CHECK: %[[T:.*]] = linalg.transpose ins({{.*}} : tensor<4x1x64xf32>) outs({{.*}} : tensor<1x4x64xf32>) permutation = [1, 0, 2]
// CHECK: %[[P:.*]] = tensor.insert_slice %{{.*}} into %[[F]][0, 0, 0] [1, 4, 64]
// CHECK: tensor.extract_slice %[[W]][0, 64] [4, 36] [1, 1]
// CHECK: linalg.transpose ins({{.*}} : tensor<4x1x36xf32>) outs({{.*}} : tensor<1x4x36xf32>) permutation = [1, 0, 2]
// CHECK: %[[R:.*]] = tensor.insert_slice %{{.*}} into %[[P]][1, 0, 0] [1, 4, 36]
// CHECK: return %[[R]]
func.func @pack_with_padding(%w: tensor<4x100xf32>, %d: tensor<2x4x64xf32>) -> tensor<2x4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %w padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %d : tensor<4x100xf32> -> tensor<2x4x64xf32>
  return %0 : tensor<2x4x64xf32>
}

// -----

// Two tiled dimensions, both with a partial tile: four parts and two regions of padding.
// CHECK-LABEL: @two_rests(
// CHECK-COUNT-2: linalg.fill
// CHECK-COUNT-4: linalg.transpose
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @two_rests(%w: tensor<19x100xi8>, %d: tensor<2x3x8x64xi8>) -> tensor<2x3x8x64xi8> {
  %zero = arith.constant 0 : i8
  %0 = linalg.pack %w padding_value(%zero : i8) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 64] into %d : tensor<19x100xi8> -> tensor<2x3x8x64xi8>
  return %0 : tensor<2x3x8x64xi8>
}

// -----

// CHECK-LABEL: @unpack(
// CHECK-SAME: %[[S:.*]]: tensor<2x4x64xf32>, %[[D:.*]]: tensor<4x100xf32>
// CHECK-NOT: linalg.unpack
// CHECK: tensor.extract_slice %[[S]][0, 0, 0] [1, 4, 64] [1, 1, 1]
// CHECK: %[[W:.*]] = linalg.transpose ins({{.*}} : tensor<1x4x64xf32>) outs({{.*}} : tensor<4x1x64xf32>) permutation = [1, 0, 2]
// CHECK: %[[P:.*]] = tensor.insert_slice %{{.*}} into %[[D]][0, 0] [4, 64] [1, 1]
// CHECK: tensor.extract_slice %[[S]][1, 0, 0] [1, 4, 36] [1, 1, 1]
// CHECK: linalg.transpose ins({{.*}} : tensor<1x4x36xf32>) outs({{.*}} : tensor<4x1x36xf32>) permutation = [1, 0, 2]
// CHECK: tensor.insert_slice %{{.*}} into %[[P]][0, 64] [4, 36] [1, 1]
// CHECK-NOT: linalg.copy
// CHECK: return
func.func @unpack(%p: tensor<2x4x64xf32>, %d: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %0 = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %d : tensor<2x4x64xf32> -> tensor<4x100xf32>
  return %0 : tensor<4x100xf32>
}

// -----

// Only one partial tile.
// CHECK-LABEL: @narrow(
// CHECK: linalg.fill {{.*}} outs({{.*}} : tensor<1x4x57xf32>)
// CHECK: linalg.transpose ins({{.*}} : tensor<4x1x7xf32>) outs({{.*}} : tensor<1x4x7xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @narrow(%w: tensor<4x7xf32>, %d: tensor<1x4x64xf32>) -> tensor<1x4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %w padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %d : tensor<4x7xf32> -> tensor<1x4x64xf32>
  return %0 : tensor<1x4x64xf32>
}
