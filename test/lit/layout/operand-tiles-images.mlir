// Channel blocks of images: the pixels of a convolution are not cut. Padding, a residual addition, pooling and concatenation take the blocks.
// RUN: tpp-opt %s --tpp-normalize-contractions --canonicalize --tpp-propagate-layouts --canonicalize -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// A second run changes nothing.
// RUN: tpp-opt %t.once --tpp-propagate-layouts --canonicalize | diff %t.once -
// RUN: tpp-run %s --entry=block --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=pooled --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=rows_given --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=concat --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=odd --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL

// EQUAL: equals the reference

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#blocks = #tpp.packing_fixed<panel = 16, a = [0, 16], c = [0, 16]>

// Only the image and the result are moved: the blocks reach from the first convolution to the pooling.
// CHECK-LABEL: @block(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<1x32x14x14xf32>, %{{.*}}, %[[BIAS:[^ ]*]]: tensor<48xf32>
// CHECK: %[[A:.*]] = linalg.pack %[[X]] {{.*}} inner_dims_pos = [1] inner_tiles = [16] {{.*}} -> tensor<1x2x14x14x16xf32>
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[A]], %{{.*}} : tensor<1x2x14x14x16xf32>, tensor<48x32x3x3xf32>) outs(%{{.*}} : tensor<1x3x12x12x16xf32>)
// CHECK-SAME: tpp.tiled}
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[C0]], %[[BIAS]] :
// CHECK: %[[PAD:.*]] = tensor.insert_slice %[[SUM]] into %{{.*}}[0, 0, 1, 1, 0] [1, 3, 12, 12, 16] [1, 1, 1, 1, 1] : tensor<1x3x12x12x16xf32> into tensor<1x3x14x14x16xf32>
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: %[[C1:.*]] = tpp.contract ins(%[[PAD]], {{.*}} outs(%{{.*}} : tensor<1x3x12x12x16xf32>)
// CHECK: %[[RES:.*]] = linalg.generic {{.*}} ins(%[[C1]], %[[SUM]] :
// CHECK: linalg.generic {{.*}} "reduction", "reduction"]} ins(%[[RES]], %{{.*}} : tensor<1x3x12x12x16xf32>, tensor<12x12xf32>) outs(%{{.*}} : tensor<1x3x1x1x16xf32>)
// CHECK: return
func.func @block(%x: tensor<1x32x14x14xf32>, %w0: tensor<48x32x3x3xf32> {tpp.prepack}, %bias: tensor<48xf32>, %w1: tensor<48x48x3x3xf32> {tpp.prepack}) -> tensor<1x48x1x1xf32>
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x48x12x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48x12x12xf32>) -> tensor<1x48x12x12xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w0 : tensor<1x32x14x14xf32>, tensor<48x32x3x3xf32>) outs(%z : tensor<1x48x12x12xf32>) -> tensor<1x48x12x12xf32>
  %1 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %bias : tensor<1x48x12x12xf32>, tensor<48xf32>) outs(%e : tensor<1x48x12x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x48x12x12xf32>
  %pe = tensor.empty() : tensor<1x48x14x14xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<1x48x14x14xf32>) -> tensor<1x48x14x14xf32>
  %2 = tensor.insert_slice %1 into %pz[0, 0, 1, 1] [1, 48, 12, 12] [1, 1, 1, 1] : tensor<1x48x12x12xf32> into tensor<1x48x14x14xf32>
  %3 = linalg.conv_2d_nchw_fchw ins(%2, %w1 : tensor<1x48x14x14xf32>, tensor<48x48x3x3xf32>) outs(%z : tensor<1x48x12x12xf32>) -> tensor<1x48x12x12xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %1 : tensor<1x48x12x12xf32>, tensor<1x48x12x12xf32>) outs(%e : tensor<1x48x12x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x48x12x12xf32>
  %me = tensor.empty() : tensor<1x48x1x1xf32>
  %mz = linalg.fill ins(%lowest : f32) outs(%me : tensor<1x48x1x1xf32>) -> tensor<1x48x1x1xf32>
  %window = tensor.empty() : tensor<12x12xf32>
  %5 = linalg.pooling_nchw_max ins(%4, %window : tensor<1x48x12x12xf32>, tensor<12x12xf32>) outs(%mz : tensor<1x48x1x1xf32>) -> tensor<1x48x1x1xf32>
  return %5 : tensor<1x48x1x1xf32>
}

// A pooling with strides between two convolutions, two images.
// CHECK-LABEL: @pooled(
// CHECK: linalg.pack {{.*}} -> tensor<2x2x14x14x16xf32>
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: %[[C0:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<2x3x12x12x16xf32>)
// CHECK: %[[POOL:.*]] = linalg.generic {{.*}} ins(%[[C0]], %{{.*}} : tensor<2x3x12x12x16xf32>, tensor<2x2xf32>)
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: %[[C1:.*]] = tpp.contract ins(%[[POOL]], {{.*}} outs(%{{.*}} : tensor<2x4x4x4x16xf32>)
// CHECK: %[[BACK:.*]] = linalg.unpack %[[C1]]
// CHECK: return %[[BACK]]
func.func @pooled(%x: tensor<2x32x14x14xf32>, %w0: tensor<48x32x3x3xf32> {tpp.prepack}, %w1: tensor<64x48x3x3xf32> {tpp.prepack}) -> tensor<2x64x4x4xf32>
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x48x12x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x48x12x12xf32>) -> tensor<2x48x12x12xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w0 : tensor<2x32x14x14xf32>, tensor<48x32x3x3xf32>) outs(%z : tensor<2x48x12x12xf32>) -> tensor<2x48x12x12xf32>
  %me = tensor.empty() : tensor<2x48x6x6xf32>
  %mz = linalg.fill ins(%lowest : f32) outs(%me : tensor<2x48x6x6xf32>) -> tensor<2x48x6x6xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %1 = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%0, %window : tensor<2x48x12x12xf32>, tensor<2x2xf32>) outs(%mz : tensor<2x48x6x6xf32>) -> tensor<2x48x6x6xf32>
  %e1 = tensor.empty() : tensor<2x64x4x4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x64x4x4xf32>) -> tensor<2x64x4x4xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%1, %w1 : tensor<2x48x6x6xf32>, tensor<64x48x3x3xf32>) outs(%z1 : tensor<2x64x4x4xf32>) -> tensor<2x64x4x4xf32>
  return %2 : tensor<2x64x4x4xf32>
}

// Tiles with rows: a convolution has several row dimensions, and none of them is cut.
// CHECK-LABEL: @rows_given(
// CHECK: linalg.pack {{.*}} inner_dims_pos = [1] inner_tiles = [32] {{.*}} -> tensor<1x1x10x10x32xf32>
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<1x2x8x8x32xf32>)
func.func @rows_given(%x: tensor<1x32x10x10xf32>, %w: tensor<64x32x3x3xf32> {tpp.prepack}) -> tensor<1x64x8x8xf32>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 32, a = [8, 32], c = [8, 32]>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x10x10xf32>, tensor<64x32x3x3xf32>) outs(%z : tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32>
  return %0 : tensor<1x64x8x8xf32>
}

// Concatenated channels: 32 and 16 are whole blocks.
// CHECK-LABEL: @concat(
// CHECK: linalg.pack
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: %[[C0:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<1x2x8x8x16xf32>)
// CHECK: %[[C1:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<1x1x8x8x16xf32>)
// CHECK: %[[J0:.*]] = tensor.insert_slice %[[C0]] into %{{.*}}[0, 0, 0, 0, 0] [1, 2, 8, 8, 16]
// CHECK: %[[J1:.*]] = tensor.insert_slice %[[C1]] into %[[J0]][0, 2, 0, 0, 0] [1, 1, 8, 8, 16]
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[J1]],
func.func @concat(%x: tensor<1x32x10x10xf32>, %w0: tensor<32x32x3x3xf32> {tpp.prepack}, %w1: tensor<16x32x3x3xf32> {tpp.prepack}, %w2: tensor<32x48x3x3xf32> {tpp.prepack}) -> tensor<1x32x6x6xf32>
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x32x8x8xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w0 : tensor<1x32x10x10xf32>, tensor<32x32x3x3xf32>) outs(%z0 : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %e1 = tensor.empty() : tensor<1x16x8x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%x, %w1 : tensor<1x32x10x10xf32>, tensor<16x32x3x3xf32>) outs(%z1 : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e = tensor.empty() : tensor<1x48x8x8xf32>
  %2 = tensor.insert_slice %0 into %e[0, 0, 0, 0] [1, 32, 8, 8] [1, 1, 1, 1] : tensor<1x32x8x8xf32> into tensor<1x48x8x8xf32>
  %3 = tensor.insert_slice %1 into %2[0, 32, 0, 0] [1, 16, 8, 8] [1, 1, 1, 1] : tensor<1x16x8x8xf32> into tensor<1x48x8x8xf32>
  %e2 = tensor.empty() : tensor<1x32x6x6xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %4 = linalg.conv_2d_nchw_fchw ins(%3, %w2 : tensor<1x48x8x8xf32>, tensor<32x48x3x3xf32>) outs(%z2 : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  return %4 : tensor<1x32x6x6xf32>
}

// Near miss: 24 and 40 channels are not whole blocks. The values between have another layout, and the 48 channels of the result are in blocks.
// CHECK-LABEL: @odd(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<1x12x12x40xf32>)
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<1x3x12x12x16xf32>)
func.func @odd(%x: tensor<1x24x14x14xf32>, %w0: tensor<40x24x3x3xf32> {tpp.prepack}, %w1: tensor<48x40x1x1xf32> {tpp.prepack}) -> tensor<1x48x12x12xf32>
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x40x12x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x40x12x12xf32>) -> tensor<1x40x12x12xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w0 : tensor<1x24x14x14xf32>, tensor<40x24x3x3xf32>) outs(%z : tensor<1x40x12x12xf32>) -> tensor<1x40x12x12xf32>
  %e1 = tensor.empty() : tensor<1x48x12x12xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x48x12x12xf32>) -> tensor<1x48x12x12xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %w1 : tensor<1x40x12x12xf32>, tensor<48x40x1x1xf32>) outs(%z1 : tensor<1x48x12x12xf32>) -> tensor<1x48x12x12xf32>
  return %1 : tensor<1x48x12x12xf32>
}
