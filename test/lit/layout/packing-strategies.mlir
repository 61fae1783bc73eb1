// Which strategy governs a contraction: the op's own, else the function's, else the module's, else the cost model.
// RUN: split-file %s %t
// RUN: tpp-opt %t/scopes.mlir --tpp-assign-layouts | FileCheck %t/scopes.mlir
// RUN: tpp-opt %t/sizes.mlir --tpp-assign-layouts --split-input-file | FileCheck %t/sizes.mlir
// RUN: cd %t && tpp-opt %t/tuned.mlir --tpp-packing=%S/Inputs/records.json --tpp-assign-layouts 2> %t/remarks | FileCheck %t/tuned.mlir
// RUN: FileCheck %t/tuned.mlir --check-prefix=REMARK --input-file=%t/remarks

//--- scopes.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {tpp.packing = #tpp.packing_fixed<panel = 16>,
    tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 1048576], cores = 1>} {
  // CHECK-LABEL: @module(
  // CHECK: linalg.pack {{.*}} inner_tiles = [16]
  // CHECK: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 16, by = "fixed sizes">}
  func.func @module(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = tpp.contract ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {beta = 0 : i64, extents = array<i64: 64, 64, 64>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
  // CHECK-LABEL: @function(
  // CHECK: linalg.pack {{.*}} inner_tiles = [32]
  // CHECK: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 32, mc = 24, by = "fixed sizes">}
  // CHECK-NOT: linalg.pack
  // CHECK: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 0, by = "cost model">, tpp.packing = #tpp.packing_cost_model}
  func.func @function(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32>
      attributes {tpp.packing = #tpp.packing_fixed<panel = 32, mc = 24>} {
    %0 = tpp.contract ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {beta = 0 : i64, extents = array<i64: 64, 64, 64>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<64x64xf32>
    %1 = tpp.contract ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {beta = 0 : i64, extents = array<i64: 64, 64, 64>, indexing_maps = [#a, #b, #c], post_ops = [], tpp.packing = #tpp.packing_cost_model} -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}

//--- sizes.mlir
// Panels that are wider than the columns, or narrower by less than a vector, become one panel of all columns. An operand that is
// stored like that is not packed.
// CHECK-LABEL: @one_panel(
// CHECK: linalg.pack {{.*}} inner_tiles = [40]
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 40,
// CHECK: tpp.contract ins(%{{.*}}, %arg1 : {{.*}} #tpp.packing<panel = 0,
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @one_panel(%x: tensor<200x8xf32>, %w: tensor<8x40xf32>, %v: tensor<40x8xf32>, %e: tensor<200x40xf32>) -> (tensor<200x40xf32>, tensor<200x40xf32>)
    attributes {tpp.packing = #tpp.packing_fixed<panel = 128>} {
  %0 = tpp.contract ins(%x, %v : tensor<200x8xf32>, tensor<40x8xf32>) outs(%e : tensor<200x40xf32>) {beta = 0 : i64, extents = array<i64: 200, 40, 8>, indexing_maps = [#a, #bt, #c], post_ops = []} -> tensor<200x40xf32>
  %1 = tpp.contract ins(%x, %w : tensor<200x8xf32>, tensor<8x40xf32>) outs(%e : tensor<200x40xf32>) {beta = 0 : i64, extents = array<i64: 200, 40, 8>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<200x40xf32>
  return %0, %1 : tensor<200x40xf32>, tensor<200x40xf32>
}

// -----

// The panel width does not divide the columns: full panels, and a rest.
// CHECK-LABEL: @rest(
// CHECK: linalg.pack {{.*}} inner_tiles = [32] {{.*}} -> tensor<3x8x32xf32>
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 32, mc = 16,
// CHECK: tensor.extract_slice {{.*}}[0, 96] [8, 20]
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 0, mc = 16,
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @rest(%x: tensor<200x8xf32>, %w: tensor<8x116xf32>, %e: tensor<200x116xf32>) -> tensor<200x116xf32>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 32, mc = 16>} {
  %0 = tpp.contract ins(%x, %w : tensor<200x8xf32>, tensor<8x116xf32>) outs(%e : tensor<200x116xf32>) {beta = 0 : i64, extents = array<i64: 200, 116, 8>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<200x116xf32>
  return %0 : tensor<200x116xf32>
}

// -----

// Regimes are chosen by the number of rows.
// CHECK-LABEL: @regimes(
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 64, by = "fixed sizes">
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 32, by = "fixed sizes, small batch">
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 0, by = "fixed sizes, matrix-vector">
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @regimes(%x: tensor<32x8xf32>, %y: tensor<31x8xf32>, %z: tensor<1x8xf32>, %w: tensor<8x128xf32>) -> (tensor<32x128xf32>, tensor<31x128xf32>, tensor<1x128xf32>)
    attributes {tpp.packing = #tpp.packing_fixed<panel = 64, small_batch = <panel = 32>, matrix_vector = <panel = 0>>} {
  %d = tensor.empty() : tensor<32x128xf32>
  %e = tensor.empty() : tensor<31x128xf32>
  %f = tensor.empty() : tensor<1x128xf32>
  %0 = tpp.contract ins(%x, %w : tensor<32x8xf32>, tensor<8x128xf32>) outs(%d : tensor<32x128xf32>) {beta = 0 : i64, extents = array<i64: 32, 128, 8>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<32x128xf32>
  %1 = tpp.contract ins(%y, %w : tensor<31x8xf32>, tensor<8x128xf32>) outs(%e : tensor<31x128xf32>) {beta = 0 : i64, extents = array<i64: 31, 128, 8>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<31x128xf32>
  %2 = tpp.contract ins(%z, %w : tensor<1x8xf32>, tensor<8x128xf32>) outs(%f : tensor<1x128xf32>) {beta = 0 : i64, extents = array<i64: 1, 128, 8>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<1x128xf32>
  return %0, %1, %2 : tensor<32x128xf32>, tensor<31x128xf32>, tensor<1x128xf32>
}

//--- tuned.mlir
// The first matching record is used; types, instruction set and constness must match, too.
// CHECK-LABEL: @main(
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 32, kc = 128, mc = 48, nc = 16, order = columns, by = "{{.*}}records.json, records[2]">
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 128, by = "{{.*}}records.json, records[1]">
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 0, by = "{{.*}}records.json, records[3]">
// CHECK: tpp.contract {{.*}} #tpp.packing<panel = 0, by = "cost model">
// REMARK: tuned.mlir:{{.*}}: remark: {{.*}}records.json has no record for batch 1, m 8, n 128, k 512: packed by the cost model
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 1048576], cores = 1>} {
func.func @main(%x: tensor<256x512xf32>, %y: tensor<1x512xf32>, %z: tensor<8x512xf32>, %w: tensor<512x128xf32>) -> (tensor<256x128xf32>, tensor<256x128xf32>, tensor<1x128xf32>, tensor<8x128xf32>) {
  %k = arith.constant dense_resource<weights> : tensor<512x128xf32>
  %d = tensor.empty() : tensor<256x128xf32>
  %e = tensor.empty() : tensor<1x128xf32>
  %f = tensor.empty() : tensor<8x128xf32>
  %0 = tpp.contract ins(%x, %w : tensor<256x512xf32>, tensor<512x128xf32>) outs(%d : tensor<256x128xf32>) {beta = 0 : i64, extents = array<i64: 256, 128, 512>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<256x128xf32>
  %1 = tpp.contract ins(%x, %k : tensor<256x512xf32>, tensor<512x128xf32>) outs(%d : tensor<256x128xf32>) {beta = 0 : i64, extents = array<i64: 256, 128, 512>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<256x128xf32>
  %2 = tpp.contract ins(%y, %w : tensor<1x512xf32>, tensor<512x128xf32>) outs(%e : tensor<1x128xf32>) {beta = 0 : i64, extents = array<i64: 1, 128, 512>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<1x128xf32>
  %3 = tpp.contract ins(%z, %w : tensor<8x512xf32>, tensor<512x128xf32>) outs(%f : tensor<8x128xf32>) {beta = 0 : i64, extents = array<i64: 8, 128, 512>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x128xf32>
  return %0, %1, %2, %3 : tensor<256x128xf32>, tensor<256x128xf32>, tensor<1x128xf32>, tensor<8x128xf32>
}
}
