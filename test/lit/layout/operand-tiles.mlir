// Tiles of activations that a packing strategy chooses: operand A is in the tiles `a`, result C in the tiles `c`, and all ops between follow.
// RUN: tpp-opt %s --tpp-normalize-contractions --canonicalize --tpp-propagate-layouts --canonicalize -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// A second run changes nothing.
// RUN: tpp-opt %t.once --tpp-propagate-layouts --canonicalize | diff %t.once -
// RUN: tpp-run %s --entry=blocks --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=mmt4d --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=panels --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=results_only --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=norm --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=residual --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=joined --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=unaligned --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=heads --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=one_row --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=odd --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=few_rows --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=batch --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=swapped --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL

// EQUAL: equals the reference
// CHECK-DAG: #[[ROW40:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (1, d2, 8, d3)>

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#blocks = #tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>
#mmt4d = #tpp.packing_fixed<panel = 16, a = [8, 1], c = [8, 16]>
#panels = #tpp.packing_fixed<panel = 16, a = [0, 16], c = [0, 16]>

// Blocks of 32 x 32, as in tpp-mlir. The argument is packed. Bias and relu are computed in tiles, and the second matmul reads them. The result of the
// second matmul is written in the layout of the caller: kernels can write it, and that saves a move.
// CHECK-LABEL: @blocks(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<64x96xf32>, %{{.*}}, %[[BIAS:[^ ]*]]: tensor<128xf32>
// CHECK: %[[A:.*]] = linalg.pack %[[X]] outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [32, 32] {{.*}} -> tensor<2x3x32x32xf32>
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[A]], %{{.*}} : tensor<2x3x32x32xf32>, tensor<96x128xf32>) outs(%{{.*}} : tensor<2x4x32x32xf32>)
// CHECK-SAME: tpp.chosen_packing = #tpp.packing<panel = 32, a = [32, 32], c = [32, 32], by = "fixed sizes">, tpp.tiled}
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[C0]], %[[BIAS]] : tensor<2x4x32x32xf32>, tensor<128xf32>)
// CHECK: %[[C1:.*]] = tpp.contract ins(%[[R]], {{.*}} outs(%{{.*}} : tensor<64x64xf32>) {{.*}} tpp.tiled}
// CHECK-NEXT: return %[[C1]]
func.func @blocks(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %bias: tensor<128xf32>, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32>
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<64x128xf32>, tensor<128xf32>) outs(%e0 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// The layouts of linalg.mmt4d with tiles of 8 x 16 x 1. A and C have different tiles, so the value between the matmuls is moved once.
// CHECK-LABEL: @mmt4d(
// CHECK: %[[A:.*]] = linalg.pack %{{.*}} outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [8] {{.*}} -> tensor<8x96x8xf32>
// CHECK: tpp.contract ins(%[[A]], {{.*}} outs(%{{.*}} : tensor<8x8x8x16xf32>) {{.*}} tpp.tiled}
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<8x8x8x16xf32>) outs(%{{.*}} : tensor<8x8x16x8xf32>) permutation = [0, 1, 3, 2]
// CHECK: %[[MOVED:.*]] = tensor.collapse_shape %[[T]] {{.*}} into tensor<8x128x8xf32>
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[MOVED]], {{.*}} outs(%{{.*}} : tensor<64x64xf32>)
// CHECK-NEXT: return
func.func @mmt4d(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %bias: tensor<128xf32>, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32>
    attributes {tpp.packing = #mmt4d} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<64x128xf32>, tensor<128xf32>) outs(%e0 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// A size of 0 does not cut the rows: panels of 16 columns.
// CHECK-LABEL: @panels(
// CHECK: %[[A:.*]] = linalg.pack %{{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16] {{.*}} -> tensor<6x64x16xf32>
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[A]], {{.*}} outs(%{{.*}} : tensor<8x64x16xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[C0]],
// CHECK: tpp.contract ins(%[[R]],
// CHECK-NEXT: return
func.func @panels(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %bias: tensor<128xf32>, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32>
    attributes {tpp.packing = #panels} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<64x128xf32>, tensor<128xf32>) outs(%e0 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// Without `a`, operand A has any layout: nothing is moved.
// CHECK-LABEL: @results_only(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<64x96xf32>
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[X]], {{.*}} outs(%{{.*}} : tensor<2x4x32x32xf32>)
// CHECK: linalg.generic
// CHECK: } -> tensor<2x4x32x32xf32>
// CHECK: tpp.contract ins(%{{.*}} : tensor<2x4x32x32xf32>,
// CHECK-NEXT: return
func.func @results_only(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %bias: tensor<128xf32>, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 32, c = [32, 32]>} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<64x128xf32>, tensor<128xf32>) outs(%e0 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// A reduction over the columns and its broadcast, as in a layer normalization, are computed on tiles.
// CHECK-LABEL: @norm(
// CHECK: %[[C0:.*]] = tpp.contract
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel", "reduction"]} ins(%[[C0]] : tensor<2x4x32x32xf32>) outs(%{{.*}} : tensor<64xf32>)
// CHECK: %[[DIFF:.*]] = linalg.generic {{.*}} ins(%[[C0]], %[[SUM]] : tensor<2x4x32x32xf32>, tensor<64xf32>)
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[DIFF]],
// CHECK-NEXT: return
func.func @norm(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<64x64xf32> attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 128.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %er = tensor.empty() : tensor<64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%zr : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%e0 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %b, %count : f32
    %d = arith.subf %a, %m : f32
    linalg.yield %d : f32
  } -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// A residual addition of the argument: its tiles are read twice. A sum that is returned, too, is unpacked for the caller only.
// CHECK-LABEL: @residual(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<64x64xf32>
// CHECK: %[[A:.*]] = linalg.pack %[[X]]
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[A]],
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[C0]], %[[A]] : tensor<2x2x32x32xf32>, tensor<2x2x32x32xf32>)
// CHECK: %[[RETURNED:.*]] = linalg.unpack %[[SUM]]
// CHECK: %[[C1:.*]] = tpp.contract ins(%[[SUM]],
// CHECK-NEXT: return %[[C1]], %[[RETURNED]]
func.func @residual(%x: tensor<64x64xf32>, %w0: tensor<64x64xf32> {tpp.prepack}, %w1: tensor<64x64xf32> {tpp.prepack}) -> (tensor<64x64xf32>, tensor<64x64xf32>)
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e0 : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// A concatenation at tile boundaries is one of tiles.
// CHECK-LABEL: @joined(
// CHECK: %[[C0:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<2x2x32x32xf32>)
// CHECK: %[[C1:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<2x1x32x32xf32>)
// CHECK: %[[J0:.*]] = tensor.insert_slice %[[C0]] into %{{.*}}[0, 0, 0, 0] [2, 2, 32, 32] [1, 1, 1, 1]
// CHECK: %[[J1:.*]] = tensor.insert_slice %[[C1]] into %[[J0]][0, 2, 0, 0] [2, 1, 32, 32] [1, 1, 1, 1]
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[J1]],
// CHECK-NEXT: return
func.func @joined(%x: tensor<64x96xf32>, %w0: tensor<96x64xf32> {tpp.prepack}, %w1: tensor<96x32xf32> {tpp.prepack}, %w2: tensor<96x64xf32> {tpp.prepack}) -> tensor<64x64xf32>
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x64xf32>) outs(%z0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e1 = tensor.empty() : tensor<64x32xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %1 = linalg.matmul ins(%x, %w1 : tensor<64x96xf32>, tensor<96x32xf32>) outs(%z1 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %2 = tensor.insert_slice %0 into %e[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x96xf32>
  %3 = tensor.insert_slice %1 into %2[0, 64] [64, 32] [1, 1] : tensor<64x32xf32> into tensor<64x96xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = linalg.matmul ins(%3, %w2 : tensor<64x96xf32>, tensor<96x64xf32>) outs(%z2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

// Near miss: parts of 40 and 56 columns are not whole tiles. They are joined in the layout of the program, and the joined value is packed.
// CHECK-LABEL: @unaligned(
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<64x40xf32>)
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<64x56xf32>)
// CHECK: tensor.insert_slice
// CHECK: %[[J:.*]] = tensor.insert_slice {{.*}} into tensor<64x96xf32>
// CHECK: %[[A:.*]] = linalg.pack %[[J]] {{.*}} inner_tiles = [32, 32]
// CHECK: tpp.contract ins(%[[A]],
// CHECK-NEXT: return
func.func @unaligned(%x: tensor<64x96xf32>, %w0: tensor<96x40xf32> {tpp.prepack}, %w1: tensor<96x56xf32> {tpp.prepack}, %w2: tensor<96x64xf32> {tpp.prepack}) -> tensor<64x64xf32>
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x40xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x40xf32>) -> tensor<64x40xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x40xf32>) outs(%z0 : tensor<64x40xf32>) -> tensor<64x40xf32>
  %e1 = tensor.empty() : tensor<64x56xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x56xf32>) -> tensor<64x56xf32>
  %1 = linalg.matmul ins(%x, %w1 : tensor<64x96xf32>, tensor<96x56xf32>) outs(%z1 : tensor<64x56xf32>) -> tensor<64x56xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %2 = tensor.insert_slice %0 into %e[0, 0] [64, 40] [1, 1] : tensor<64x40xf32> into tensor<64x96xf32>
  %3 = tensor.insert_slice %1 into %2[0, 40] [64, 56] [1, 1] : tensor<64x56xf32> into tensor<64x96xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = linalg.matmul ins(%3, %w2 : tensor<64x96xf32>, tensor<96x64xf32>) outs(%z2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

// The heads of an attention are several panels each. The contraction of the heads reads both operands in place.
// CHECK-LABEL: @heads(
// CHECK: linalg.pack
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: %[[Q:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<8x64x16xf32>)
// CHECK: %[[K:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<8x64x16xf32>)
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[Q]], %[[K]] : tensor<8x64x16xf32>, tensor<8x64x16xf32>)
func.func @heads(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<96x128xf32> {tpp.prepack}) -> tensor<4x64x64xf32> attributes {tpp.packing = #panels} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %q = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %k = linalg.matmul ins(%x, %w1 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %qh = tensor.expand_shape %q [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
  %kh = tensor.expand_shape %k [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
  %e1 = tensor.empty() : tensor<4x64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (n, h, k)>, affine_map<(h, m, n, k) -> (h, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%qh, %kh : tensor<64x4x32xf32>, tensor<64x4x32xf32>) outs(%z1 : tensor<4x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x64x64xf32>
  return %s : tensor<4x64x64xf32>
}

// One row of a value in blocks, as the classifier of a transformer reads it, is read in place: row 40 is row 8 of the second block.
// CHECK-LABEL: @one_row(
// CHECK: %[[C0:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<2x4x32x32xf32>)
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[C0]],
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract ins(%[[C0]], {{.*}} extents = array<i64: 1, 2, 4, 32, 32>, indexing_maps = [#[[ROW40]],
// CHECK-NEXT: tensor.collapse_shape
func.func @one_row(%x: tensor<64x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<128x64xf32> {tpp.prepack}) -> (tensor<64x64xf32>, tensor<1x64xf32>)
    attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<64x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %row = tensor.extract_slice %0[40, 0] [1, 128] [1, 1] : tensor<64x128xf32> to tensor<1x128xf32>
  %e2 = tensor.empty() : tensor<1x64xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x64xf32>) -> tensor<1x64xf32>
  %2 = linalg.matmul ins(%row, %w1 : tensor<1x128xf32>, tensor<128x64xf32>) outs(%z2 : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %1, %2 : tensor<64x64xf32>, tensor<1x64xf32>
}

// Tiles of 32 do not divide 60 rows and 100 columns, and do not cut them. They do cut the 96 columns of the argument.
// CHECK-LABEL: @odd(
// CHECK: %[[A:.*]] = linalg.pack %{{.*}} inner_dims_pos = [1] inner_tiles = [32] {{.*}} -> tensor<3x60x32xf32>
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[A]], {{.*}} outs(%{{.*}} : tensor<60x100xf32>)
// CHECK: tpp.contract ins(%[[C0]],
// CHECK-NEXT: return
func.func @odd(%x: tensor<60x96xf32>, %w0: tensor<96x100xf32> {tpp.prepack}, %w1: tensor<100x64xf32> {tpp.prepack}) -> tensor<60x64xf32> attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<60x100xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<60x100xf32>) -> tensor<60x100xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<60x96xf32>, tensor<96x100xf32>) outs(%z0 : tensor<60x100xf32>) -> tensor<60x100xf32>
  %e1 = tensor.empty() : tensor<60x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<60x64xf32>) -> tensor<60x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<60x100xf32>, tensor<100x64xf32>) outs(%z1 : tensor<60x64xf32>) -> tensor<60x64xf32>
  return %1 : tensor<60x64xf32>
}

// A tile of 32 rows is limited to 8 rows.
// CHECK-LABEL: @few_rows(
// CHECK: %[[A:.*]] = linalg.pack %{{.*}} inner_tiles = [8, 32] {{.*}} -> tensor<1x3x8x32xf32>
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[A]], {{.*}} outs(%{{.*}} : tensor<1x4x8x32xf32>)
// CHECK: tpp.contract ins(%[[C0]],
// CHECK-NEXT: return
func.func @few_rows(%x: tensor<8x96xf32>, %w0: tensor<96x128xf32> {tpp.prepack}, %w1: tensor<128x64xf32> {tpp.prepack}) -> tensor<8x64xf32> attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x128xf32>) -> tensor<8x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<8x96xf32>, tensor<96x128xf32>) outs(%z0 : tensor<8x128xf32>) -> tensor<8x128xf32>
  %e1 = tensor.empty() : tensor<8x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<8x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// The tiles of each matrix of a batch. With as many columns as a tile, a matrix of tiles is the same in memory: it is reshaped, not moved.
// CHECK-LABEL: @batch(
// CHECK: %[[A:.*]] = tensor.expand_shape %{{.*}} into tensor<3x2x1x32x32xf32>
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[A]], {{.*}} outs(%{{.*}} : tensor<3x2x2x32x32xf32>)
// CHECK: tpp.contract ins(%[[C0]],
// CHECK-NEXT: tensor.collapse_shape
func.func @batch(%x: tensor<3x64x32xf32>, %y: tensor<3x32x64xf32>, %z: tensor<3x64x32xf32>) -> tensor<3x64x32xf32> attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<3x64x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<3x64x64xf32>) -> tensor<3x64x64xf32>
  %0 = linalg.batch_matmul ins(%x, %y : tensor<3x64x32xf32>, tensor<3x32x64xf32>) outs(%z0 : tensor<3x64x64xf32>) -> tensor<3x64x64xf32>
  %e1 = tensor.empty() : tensor<3x64x32xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3x64x32xf32>) -> tensor<3x64x32xf32>
  %1 = linalg.batch_matmul ins(%0, %z : tensor<3x64x64xf32>, tensor<3x64x32xf32>) outs(%z1 : tensor<3x64x32xf32>) -> tensor<3x64x32xf32>
  return %1 : tensor<3x64x32xf32>
}

// The weight is the left operand, so that the activations are the right one: their columns are the rows of A and of C.
// CHECK-LABEL: @swapped(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<96x64xf32>
// CHECK: %[[A:.*]] = linalg.pack %[[X]] {{.*}} inner_dims_pos = [1, 0] inner_tiles = [32, 32] {{.*}} -> tensor<3x2x32x32xf32>
// CHECK: %[[C:.*]] = tpp.contract ins(%{{.*}}, %[[A]] : tensor<128x96xf32>, tensor<3x2x32x32xf32>) outs(%{{.*}} : tensor<4x2x32x32xf32>)
// CHECK: linalg.unpack %[[C]] {{.*}} inner_dims_pos = [1, 0] inner_tiles = [32, 32]
func.func @swapped(%x: tensor<96x64xf32>, %w: tensor<128x96xf32> {tpp.prepack}) -> tensor<128x64xf32> attributes {tpp.packing = #blocks} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<128x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<128x64xf32>) -> tensor<128x64xf32>
  %0 = linalg.matmul ins(%w, %x : tensor<128x96xf32>, tensor<96x64xf32>) outs(%z0 : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// Near miss: A's rows in tiles of 2 and C's in tiles of 3 are no loops of one nest. C keeps its layout.
// CHECK-LABEL: @rows_that_do_not_fit(
// CHECK-NOT: linalg.{{pack|unpack|transpose}}
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<48x6xf32>)
// CHECK-NEXT: return
func.func @rows_that_do_not_fit(%x: tensor<48x2xf32>, %w: tensor<2x6xf32> {tpp.prepack}) -> tensor<48x6xf32>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 16, mc = 6, nc = 16, a = [2, 16], c = [3, 8]>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<48x6xf32>) -> tensor<48x6xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<48x2xf32>, tensor<2x6xf32>) outs(%z : tensor<48x6xf32>) -> tensor<48x6xf32>
  return %0 : tensor<48x6xf32>
}
