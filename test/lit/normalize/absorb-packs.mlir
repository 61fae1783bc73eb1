// Packs of the program move down past computations and meet unpacks.
// RUN: tpp-opt %s --split-input-file --tpp-absorb-packs --canonicalize | FileCheck %s
// RUN: tpp-opt %s --split-input-file --tpp-default-tensors | FileCheck %s --check-prefix=MOVES

// Packed weights that the program computes from constants: no relayout is left in a call.
// CHECK-LABEL: func @mmt4d(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xf32>, %[[W:.*]]: tensor<48x32xf32>
// CHECK-NOT: linalg.{{(un)?}}pack
// CHECK: %[[Z:.*]] = linalg.fill {{.*}} -> tensor<64x48xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[A:.*]], #[[B:.*]], #[[C:.*]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] : {{.*}}) outs(%[[Z]] : tensor<64x48xf32>) attrs = {tpp.packing = #tpp.packing_fixed<panel = 16>}
// CHECK: return %[[R]] : tensor<64x48xf32>
// MOVES-LABEL: func @mmt4d(
// MOVES-SAME: tpp.moves = []
func.func @mmt4d(%x: tensor<64x32xf32>, %w: tensor<48x32xf32> {tpp.prepack}) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x32x8x1xf32>
  %px = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 1] into %e0 : tensor<64x32xf32> -> tensor<8x32x8x1xf32>
  %e1 = tensor.empty() : tensor<3x32x16x1xf32>
  %pw = linalg.pack %w inner_dims_pos = [0, 1] inner_tiles = [16, 1] into %e1 : tensor<48x32xf32> -> tensor<3x32x16x1xf32>
  %e2 = tensor.empty() : tensor<8x3x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x3x8x16xf32>) -> tensor<8x3x8x16xf32>
  %p = linalg.mmt4d {tpp.packing = #tpp.packing_fixed<panel = 16>} ins(%px, %pw : tensor<8x32x8x1xf32>, tensor<3x32x16x1xf32>) outs(%z : tensor<8x3x8x16xf32>) -> tensor<8x3x8x16xf32>
  %e3 = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e3 : tensor<8x3x8x16xf32> -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

// Weights that are stored in tiles are unpacked, once. The activation between two products stays in the tiles that upstream's propagation left it in.
// CHECK-LABEL: func @stored_in_tiles(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xf32>, %[[W:.*]]: tensor<4x2x16x16xf32>
// CHECK: %[[U:.*]] = linalg.unpack %[[W]] {{.*}} tensor<4x2x16x16xf32> -> tensor<64x32xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[U]] : tensor<64x32xf32>, tensor<64x32xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins({{.*}} : tensor<64x64xf32>) outs({{.*}} : tensor<64x64xf32>)
// CHECK-NOT: linalg.{{(un)?}}pack
// CHECK: return %[[Y]] : tensor<64x64xf32>
// MOVES-LABEL: func @stored_in_tiles(
// MOVES-SAME: tpp.moves = []
#relu = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @stored_in_tiles(%x: tensor<64x32xf32>, %w: tensor<4x2x16x16xf32> {tpp.prepack}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x2x16x16xf32>
  %px = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %e0 : tensor<64x32xf32> -> tensor<4x2x16x16xf32>
  %e2 = tensor.empty() : tensor<4x4x16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>
  %p = linalg.mmt4d ins(%px, %w : tensor<4x2x16x16xf32>, tensor<4x2x16x16xf32>) outs(%z : tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>
  %r = linalg.generic {indexing_maps = [#relu, #relu], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<4x4x16x16xf32>) outs(%e2 : tensor<4x4x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<4x4x16x16xf32>
  %e3 = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.unpack %r inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %e3 : tensor<4x4x16x16xf32> -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Tiles that divide neither the rows nor the steps of the sum: what is padded with zeros is left out.
// CHECK-LABEL: func @padded(
// CHECK-NOT: linalg.{{(un)?}}pack
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<50x30xf32>, tensor<20x30xf32>) outs({{.*}} : tensor<50x20xf32>)
// CHECK-NOT: linalg.{{(un)?}}pack
// CHECK: return
func.func @padded(%x: tensor<50x30xf32>, %w: tensor<20x30xf32>) -> tensor<50x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<7x4x8x8xf32>
  %px = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e0 : tensor<50x30xf32> -> tensor<7x4x8x8xf32>
  %e1 = tensor.empty() : tensor<2x4x16x8xf32>
  %pw = linalg.pack %w padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [16, 8] into %e1 : tensor<20x30xf32> -> tensor<2x4x16x8xf32>
  %e2 = tensor.empty() : tensor<7x2x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<7x2x8x16xf32>) -> tensor<7x2x8x16xf32>
  %p = linalg.mmt4d ins(%px, %pw : tensor<7x4x8x8xf32>, tensor<2x4x16x8xf32>) outs(%z : tensor<7x2x8x16xf32>) -> tensor<7x2x8x16xf32>
  %e3 = tensor.empty() : tensor<50x20xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e3 : tensor<7x2x8x16xf32> -> tensor<50x20xf32>
  return %0 : tensor<50x20xf32>
}

// -----

// Kept: both operands are padded with ones along the sum.
// CHECK-LABEL: func @padded_with_ones(
// CHECK: linalg.mmt4d
func.func @padded_with_ones(%x: tensor<16x30xf32>, %w: tensor<16x30xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e0 = tensor.empty() : tensor<2x4x8x8xf32>
  %px = linalg.pack %x padding_value(%one : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e0 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
  %e1 = tensor.empty() : tensor<1x4x16x8xf32>
  %pw = linalg.pack %w padding_value(%one : f32) inner_dims_pos = [0, 1] inner_tiles = [16, 8] into %e1 : tensor<16x30xf32> -> tensor<1x4x16x8xf32>
  %e2 = tensor.empty() : tensor<2x1x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  %p = linalg.mmt4d ins(%px, %pw : tensor<2x4x8x8xf32>, tensor<1x4x16x8xf32>) outs(%z : tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  %e3 = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e3 : tensor<2x1x8x16xf32> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// Kept: the caller reads the exponentials of the padding, too.
// CHECK-LABEL: func @padding_is_read(
// CHECK: linalg.pack
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<2x8xf32>)
#v = affine_map<(a, b) -> (a, b)>
func.func @padding_is_read(%x: tensor<12xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %p = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<12xf32> -> tensor<2x8xf32>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// The caller reads the result in tiles: it is packed after the computation.
// CHECK-LABEL: func @result_in_tiles(
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<16xf32>) outs({{.*}} : tensor<16xf32>)
// CHECK: linalg.pack %[[R]]
#u = affine_map<(a, b) -> (a, b)>
func.func @result_in_tiles(%x: tensor<16xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<16xf32> -> tensor<2x8xf32>
  %0 = linalg.generic {indexing_maps = [#u, #u], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Kept: the caller gives the other operand in tiles, in each call.
// CHECK-LABEL: func @argument_in_tiles(
// CHECK: linalg.pack
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<2x8xf32>, tensor<2x8xf32>)
#w = affine_map<(a, b) -> (a, b)>
func.func @argument_in_tiles(%x: tensor<16xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<16xf32> -> tensor<2x8xf32>
  %0 = linalg.generic {indexing_maps = [#w, #w, #w], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
