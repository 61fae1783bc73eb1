// Values are split at the last tile boundary of a packing strategy, and stored in parts. An op that reads parts is split, too.
// RUN: tpp-opt %s --tpp-split-remainders --canonicalize --split-input-file | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// The rows of two layers and of what lies between them; the argument and the result are cut where the program has them.
// CHECK-LABEL: @layers(
// CHECK-DAG: %[[X0:.*]] = tensor.extract_slice %arg0[0, 0] [64, 32] [1, 1] {tpp.cut}
// CHECK-DAG: %[[X1:.*]] = tensor.extract_slice %arg0[64, 0] [6, 32] [1, 1] {tpp.cut}
// CHECK-DAG: %[[H0:.*]] = tpp.contract ins(%[[X0]], %arg1 : {{.*}} outs(%{{.*}} : tensor<64x32xf32>) {{.*}}extents = array<i64: 64, 32, 32>
// CHECK-DAG: %[[H1:.*]] = tpp.contract ins(%[[X1]], %arg1 : {{.*}} outs(%{{.*}} : tensor<6x32xf32>) {{.*}}extents = array<i64: 6, 32, 32>
// CHECK-DAG: %[[R0:.*]] = linalg.generic {{.*}} ins(%[[H0]] : tensor<64x32xf32>)
// CHECK-DAG: %[[R1:.*]] = linalg.generic {{.*}} ins(%[[H1]] : tensor<6x32xf32>)
// CHECK-DAG: %[[Y0:.*]] = tpp.contract ins(%[[R0]], %arg1
// CHECK-DAG: %[[Y1:.*]] = tpp.contract ins(%[[R1]], %arg1
// CHECK-DAG: %[[FIRST:.*]] = tensor.insert_slice %[[Y0]] into %{{.*}}[0, 0] [64, 32] [1, 1] {tpp.cut}
// CHECK: %[[BOTH:.*]] = tensor.insert_slice %[[Y1]] into %[[FIRST]][64, 0] [6, 32] [1, 1] {tpp.cut}
// CHECK: return %[[BOTH]]
func.func @layers(%x: tensor<70x32xf32>, %w: tensor<32x32xf32>) -> tensor<70x32xf32>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%e : tensor<70x32xf32>) {beta = 0 : i64, extents = array<i64: 70, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<70x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<70x32xf32>) outs(%e : tensor<70x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %relu = arith.maximumf %in, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<70x32xf32>
  %2 = tpp.contract ins(%1, %w : tensor<70x32xf32>, tensor<32x32xf32>) outs(%e : tensor<70x32xf32>) {beta = 0 : i64, extents = array<i64: 70, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<70x32xf32>
  return %2 : tensor<70x32xf32>
}

// -----

// A sum goes on in the second part, which applies the post-ops.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @steps(
// CHECK: %[[FIRST:.*]] = tpp.contract {{.*}} {beta = 0 : i64, extents = array<i64: 8, 16, 32>, indexing_maps = [{{.*}}, {{.*}}, {{.*}}], post_ops = []
// CHECK: tpp.contract ins({{.*}} : tensor<8x13xf32>, tensor<13x16xf32>) outs(%[[FIRST]] : {{.*}} post(%arg2 : tensor<16xf32>) {beta = 1 : i64, extents = array<i64: 8, 16, 13>, {{.*}} post_ops = [#tpp.post_op<binary add>]
func.func @steps(%x: tensor<8x45xf32>, %w: tensor<45x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 16, a = [0, 16]>} {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x45xf32>, tensor<45x16xf32>) outs(%e : tensor<8x16xf32>) post(%bias : tensor<16xf32>) {beta = 0 : i64, extents = array<i64: 8, 16, 45>, indexing_maps = [#a, #b, #c, affine_map<(m, n, k) -> (n)>], post_ops = [#tpp.post_op<binary add>]} -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// The sum would be rounded to bf16 in between.
// CHECK-LABEL: @rounded(
// CHECK-NOT: tpp.cut
func.func @rounded(%x: tensor<8x45xbf16>, %w: tensor<45x16xbf16>) -> tensor<8x16xbf16>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 16, a = [0, 16]>} {
  %e = tensor.empty() : tensor<8x16xbf16>
  %0 = tpp.contract ins(%x, %w : tensor<8x45xbf16>, tensor<45x16xbf16>) outs(%e : tensor<8x16xbf16>) {beta = 0 : i64, extents = array<i64: 8, 16, 45>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// -----

// Rows in tiles of A of 8 and tiles of C of 32: whole tiles of both, then a part in tiles of 8, then the rest. What reads the value through a
// reshape is cut, and its indices are those of the whole value; so is what computes the parts of A.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(b, i, j) -> (b, i, j)>

// CHECK-LABEL: @parts(
// CHECK-DAG: arith.constant 32 : index
// CHECK-DAG: arith.constant 40 : index
// CHECK-NOT: extract_slice %collapsed
// CHECK-COUNT-3: arith.negf
// CHECK-NOT: arith.negf
// CHECK-COUNT-3: tpp.contract
// CHECK-NOT: tpp.contract
// CHECK: return
func.func @parts(%x: tensor<1x45x32xf32>, %w: tensor<32x32xf32>) -> tensor<1x45x32xindex>
    attributes {tpp.packing = #tpp.packing_fixed<panel = 32, a = [8, 32], c = [32, 32]>} {
  %e3 = tensor.empty() : tensor<1x45x32xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x45x32xf32>) outs(%e3 : tensor<1x45x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %negated = arith.negf %in : f32
    linalg.yield %negated : f32
  } -> tensor<1x45x32xf32>
  %r = tensor.collapse_shape %n [[0, 1], [2]] : tensor<1x45x32xf32> into tensor<45x32xf32>
  %e = tensor.empty() : tensor<45x32xf32>
  %0 = tpp.contract ins(%r, %w : tensor<45x32xf32>, tensor<32x32xf32>) outs(%e : tensor<45x32xf32>) {beta = 0 : i64, extents = array<i64: 45, 32, 32>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<45x32xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 45, 32] : tensor<45x32xf32> into tensor<1x45x32xf32>
  %ei = tensor.empty() : tensor<1x45x32xindex>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x45x32xf32>) outs(%ei : tensor<1x45x32xindex>) {
  ^bb0(%in: f32, %out: index):
    %row = linalg.index 1 : index
    %integer = arith.fptosi %in : f32 to i64
    %cast = arith.index_cast %integer : i64 to index
    %sum = arith.addi %row, %cast : index
    linalg.yield %sum : index
  } -> tensor<1x45x32xindex>
  return %2 : tensor<1x45x32xindex>
}
