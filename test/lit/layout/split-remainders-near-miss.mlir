// What is not split: the loops of a contraction that reads or writes only a part of an operand, values of dynamic shapes, sums in KC blocks of their own, and
// contractions without tiles.
// RUN: split-file %s %t
// RUN: tpp-opt %t/parts.mlir --tpp-split-remainders | FileCheck %t/parts.mlir
// RUN: tpp-opt %t/programs.mlir --tpp-default-tensors='entry=dynamic packing="#tpp.packing_fixed<panel = 16, c = [32, 32]>"' -o /dev/null
// RUN: tpp-opt %t/programs.mlir --tpp-default-tensors=entry=blocks -o /dev/null
// RUN: tpp-opt %t/programs.mlir --tpp-default-tensors=entry=blocks_and_tiles -o /dev/null
// RUN: tpp-opt %t/programs.mlir --tpp-default-tensors='entry=checked packing="#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>"' | FileCheck %t/programs.mlir

//--- parts.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {tpp.packing = #tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>} {
// CHECK-LABEL: @big_c(
// CHECK-NOT: tpp.cut
func.func @big_c(%x: tensor<70x32xf32>, %w: tensor<32x32xf32>, %o: tensor<80x32xf32>) -> tensor<80x32xf32> {
  %0 = tpp.contract ins(%x, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%o : tensor<80x32xf32>) {beta = 0 : i64, extents = array<i64: 70, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<80x32xf32>
  return %0 : tensor<80x32xf32>
}
// The first contraction is split.
// CHECK-LABEL: @big_a(
// CHECK: extents = array<i64: 60, 32, 32>
func.func @big_a(%x: tensor<70x32xf32>, %w: tensor<32x32xf32>) -> tensor<60x32xf32> {
  %e = tensor.empty() : tensor<70x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%e : tensor<70x32xf32>) {beta = 0 : i64, extents = array<i64: 70, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<70x32xf32>
  %f = tensor.empty() : tensor<60x32xf32>
  %1 = tpp.contract ins(%0, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%f : tensor<60x32xf32>) {tpp.packing = #tpp.packing_cost_model, beta = 0 : i64, extents = array<i64: 60, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<60x32xf32>
  return %1 : tensor<60x32xf32>
}
// CHECK-LABEL: @dyn_c(
// CHECK: outs(%{{.*}} : tensor<?x32xf32>) {{.*}} extents = array<i64: 70, 32, 32>
func.func @dyn_c(%x: tensor<70x32xf32>, %w: tensor<32x32xf32>, %d: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %e = tensor.empty() : tensor<70x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%e : tensor<70x32xf32>) {beta = 0 : i64, extents = array<i64: 70, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<70x32xf32>
  %1 = tpp.contract ins(%0, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%d : tensor<?x32xf32>) {beta = 0 : i64, extents = array<i64: 70, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<?x32xf32>
  return %1 : tensor<?x32xf32>
}
}

//--- programs.mlir
func.func @dynamic(%x: tensor<70x32xf32>, %w: tensor<32x48xf32>, %d: tensor<?x48xf32>, %i: tensor<index>) -> tensor<?x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x48xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<70x48xf32>) -> tensor<70x48xf32>
  %j = tensor.extract %i[] : tensor<index>
  %0 = linalg.matmul ins(%x, %w : tensor<70x32xf32>, tensor<32x48xf32>) outs(%ez : tensor<70x48xf32>) -> tensor<70x48xf32>
  %1 = tensor.insert_slice %0 into %d[%j, 0] [70, 48] [1, 1] : tensor<70x48xf32> into tensor<?x48xf32>
  return %1 : tensor<?x48xf32>
}
func.func @blocks(%x: tensor<64x32xf32>, %w: tensor<32x45xf32>, %v: tensor<45x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x45xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<64x45xf32>) -> tensor<64x45xf32>
  %f = tensor.empty() : tensor<64x32xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %0 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 16, c = [0, 32]>} ins(%x, %w : tensor<64x32xf32>, tensor<32x45xf32>) outs(%ez : tensor<64x45xf32>) -> tensor<64x45xf32>
  %1 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 16, kc = 15>} ins(%0, %v : tensor<64x45xf32>, tensor<45x32xf32>) outs(%fz : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
func.func @blocks_and_tiles(%x: tensor<64x32xf32>, %w: tensor<32x45xf32>, %v: tensor<45x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x45xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<64x45xf32>) -> tensor<64x45xf32>
  %f = tensor.empty() : tensor<64x32xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %0 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 16, c = [0, 32]>} ins(%x, %w : tensor<64x32xf32>, tensor<32x45xf32>) outs(%ez : tensor<64x45xf32>) -> tensor<64x45xf32>
  %1 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 16, a = [0, 15], kc = 15>} ins(%0, %v : tensor<64x45xf32>, tensor<45x32xf32>) outs(%fz : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
// An op with assertions is computed in parts only.
// CHECK-LABEL: @checked(
// CHECK-NOT: tensor<70xindex>{{.*}} outs(
func.func @checked(%x: tensor<70x32xf32>, %w: tensor<32x32xf32>, %list: tensor<70xindex>, %table: tensor<9x32xf32>) -> tensor<70x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x32xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<70x32xf32>) -> tensor<70x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%ez : tensor<70x32xf32>) -> tensor<70x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %list : tensor<70x32xf32>, tensor<70xindex>) outs(%e : tensor<70x32xf32>) {
  ^bb0(%in: f32, %at: index, %out: f32):
    %j = linalg.index 1 : index
    %t = tensor.extract %table[%at, %j] : tensor<9x32xf32>
    %s = arith.addf %in, %t : f32
    linalg.yield %s : f32
  } -> tensor<70x32xf32>
  return %1 : tensor<70x32xf32>
}
