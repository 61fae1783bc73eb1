// Elementwise ops and reductions read the source of a moved value, as long as the innermost dimension stays innermost.
// RUN: tpp-opt %s --tpp-read-through-relays --split-input-file | FileCheck %s

// A transposition of the outer dimensions.
// CHECK-DAG: #[[HEADS:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: @transposed(
// CHECK-SAME: %[[X:.*]]: tensor<197x12x64xf32>, %[[Y:.*]]: tensor<12x197x64xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[HEADS]], #[[ID]], #[[ID]]], {{.*}} ins(%[[X]], %[[Y]] : tensor<197x12x64xf32>, tensor<12x197x64xf32>)
#id = affine_map<(h, s, d) -> (h, s, d)>
func.func @transposed(%x: tensor<197x12x64xf32>, %y: tensor<12x197x64xf32>) -> tensor<12x197x64xf32> {
  %e = tensor.empty() : tensor<12x197x64xf32>
  %t = linalg.transpose ins(%x : tensor<197x12x64xf32>) outs(%e : tensor<12x197x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %y : tensor<12x197x64xf32>, tensor<12x197x64xf32>) outs(%e : tensor<12x197x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12x197x64xf32>
  return %0 : tensor<12x197x64xf32>
}

// -----

// A sum along the innermost dimension, and a broadcast: the loop bound is known from the other operand.
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @reduced(
// CHECK-SAME: %[[X:.*]]: tensor<7x12x64xf32>, %[[ROWX:.*]]: tensor<64xf32>
// CHECK-NOT: linalg.transpose
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.generic {indexing_maps = [#[[SWAP]], #[[ROW]], #[[SUM]]], {{.*}} ins(%[[X]], %[[ROWX]] : tensor<7x12x64xf32>, tensor<64xf32>)
#id = affine_map<(h, s, d) -> (h, s, d)>
func.func @reduced(%x: tensor<7x12x64xf32>, %row: tensor<64xf32>, %init: tensor<12x7xf32>) -> tensor<12x7xf32> {
  %e = tensor.empty() : tensor<12x7x64xf32>
  %t = linalg.transpose ins(%x : tensor<7x12x64xf32>) outs(%e : tensor<12x7x64xf32>) permutation = [1, 0, 2]
  %b = linalg.broadcast ins(%row : tensor<64xf32>) outs(%e : tensor<12x7x64xf32>) dimensions = [0, 1]
  %0 = linalg.generic {indexing_maps = [#id, #id, affine_map<(h, s, d) -> (h, s)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t, %b : tensor<12x7x64xf32>, tensor<12x7x64xf32>) outs(%init : tensor<12x7xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x7xf32>
  return %0 : tensor<12x7xf32>
}

// -----

// The third of the three projections, split into heads as in attention: slice, reshape and transposition in one map.
// CHECK-DAG: #[[CHAIN:.*]] = affine_map<(d0, d1, d2) -> (d1, d0 * 64 + d2 + 1536)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: @chain(
// CHECK-SAME: %[[QKV:.*]]: tensor<197x2304xf32>)
// CHECK-NOT: tensor.extract_slice
// CHECK-NOT: tensor.expand_shape
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[CHAIN]], #[[ID]]], {{.*}} ins(%[[QKV]] : tensor<197x2304xf32>)
#id = affine_map<(h, s, d) -> (h, s, d)>
func.func @chain(%qkv: tensor<197x2304xf32>) -> tensor<12x197x64xf32> {
  %v = tensor.extract_slice %qkv[0, 1536] [197, 768] [1, 1] : tensor<197x2304xf32> to tensor<197x768xf32>
  %heads = tensor.expand_shape %v [[0], [1, 2]] output_shape [197, 12, 64] : tensor<197x768xf32> into tensor<197x12x64xf32>
  %e = tensor.empty() : tensor<12x197x64xf32>
  %t = linalg.transpose ins(%heads : tensor<197x12x64xf32>) outs(%e : tensor<12x197x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<12x197x64xf32>) outs(%e : tensor<12x197x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<12x197x64xf32>
  return %0 : tensor<12x197x64xf32>
}

// -----

// Two transpositions. Each alone would make the loads strided; both together do not.
// CHECK-DAG: #[[BOTH:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-LABEL: @two_transposes(
// CHECK-SAME: %[[X:.*]]: tensor<5x6x64xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[BOTH]], {{.*}} ins(%[[X]] : tensor<5x6x64xf32>)
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @two_transposes(%x: tensor<5x6x64xf32>) -> tensor<6x5x64xf32> {
  %e = tensor.empty() : tensor<6x64x5xf32>
  %t = linalg.transpose ins(%x : tensor<5x6x64xf32>) outs(%e : tensor<6x64x5xf32>) permutation = [1, 2, 0]
  %f = tensor.empty() : tensor<6x5x64xf32>
  %u = linalg.transpose ins(%t : tensor<6x64x5xf32>) outs(%f : tensor<6x5x64xf32>) permutation = [0, 2, 1]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : tensor<6x5x64xf32>) outs(%f : tensor<6x5x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<6x5x64xf32>
  return %0 : tensor<6x5x64xf32>
}

// -----

// Two moves with a reshape in between, of which the last one is a result: the second one does both moves.
// CHECK: #[[BOTH:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d1, d0 * 16 + d3)>
// CHECK-LABEL: @last_move(
// CHECK-SAME: %[[X:.*]]: tensor<5x6x64xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[BOTH]], {{.*}} ins(%[[X]] : tensor<5x6x64xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[IN]]
// CHECK: return %[[R]]
func.func @last_move(%x: tensor<5x6x64xf32>) -> tensor<4x6x5x16xf32> {
  %e = tensor.empty() : tensor<6x5x64xf32>
  %t = linalg.transpose ins(%x : tensor<5x6x64xf32>) outs(%e : tensor<6x5x64xf32>) permutation = [1, 0, 2]
  %c = tensor.expand_shape %t [[0], [1], [2, 3]] output_shape [6, 5, 4, 16] : tensor<6x5x64xf32> into tensor<6x5x4x16xf32>
  %f = tensor.empty() : tensor<4x6x5x16xf32>
  %u = linalg.transpose ins(%c : tensor<6x5x4x16xf32>) outs(%f : tensor<4x6x5x16xf32>) permutation = [2, 0, 1, 3]
  return %u : tensor<4x6x5x16xf32>
}

// -----

// A chain whose source would be read with a stride is read from its middle.
// CHECK-DAG: #[[MIDDLE:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-LABEL: @middle(
// CHECK: %[[T:.*]] = linalg.transpose ins({{.*}} : tensor<64x5x6xf32>) {{.*}} permutation = [1, 2, 0]
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[MIDDLE]], {{.*}} ins(%[[T]] : tensor<5x6x64xf32>)
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @middle(%x: tensor<64x5x6xf32>) -> tensor<6x5x64xf32> {
  %e = tensor.empty() : tensor<5x6x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x5x6xf32>) outs(%e : tensor<5x6x64xf32>) permutation = [1, 2, 0]
  %f = tensor.empty() : tensor<6x5x64xf32>
  %u = linalg.transpose ins(%t : tensor<5x6x64xf32>) outs(%f : tensor<6x5x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : tensor<6x5x64xf32>) outs(%f : tensor<6x5x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<6x5x64xf32>
  return %0 : tensor<6x5x64xf32>
}

// -----

// A move with another user is read through as well; the move stays for that user.
// CHECK-LABEL: @two_users(
// CHECK-SAME: %[[X:.*]]: tensor<5x6x64xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<5x6x64xf32>)
// CHECK: return %[[R]], %[[T]]
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @two_users(%x: tensor<5x6x64xf32>) -> (tensor<6x5x64xf32>, tensor<6x5x64xf32>) {
  %f = tensor.empty() : tensor<6x5x64xf32>
  %t = linalg.transpose ins(%x : tensor<5x6x64xf32>) outs(%f : tensor<6x5x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<6x5x64xf32>) outs(%f : tensor<6x5x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<6x5x64xf32>
  return %0, %t : tensor<6x5x64xf32>, tensor<6x5x64xf32>
}

// -----

// A small constant that stays in the function (tpp-outline-prepack), broadcast over the batch.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: @constant(
// CHECK: %[[K:.*]] = arith.constant dense_resource<k> : tensor<6x8xf32>
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ROWS]], #{{.*}}], {{.*}} ins(%{{.*}}, %[[K]] : tensor<5x6x8xf32>, tensor<6x8xf32>)
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @constant(%x: tensor<5x6x8xf32>) -> tensor<5x6x8xf32> {
  %k = arith.constant dense_resource<k> : tensor<6x8xf32>
  %e = tensor.empty() : tensor<5x6x8xf32>
  %t = linalg.broadcast ins(%k : tensor<6x8xf32>) outs(%e : tensor<5x6x8xf32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %t : tensor<5x6x8xf32>, tensor<5x6x8xf32>) outs(%e : tensor<5x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<5x6x8xf32>
  return %0 : tensor<5x6x8xf32>
}

// -----

// Heads of two batch items, whose dimensions were merged in between.
// CHECK-DAG: #[[ITEMS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1 * 8 + d3)>
// CHECK-LABEL: @items(
// CHECK-SAME: %[[X:.*]]: tensor<7x2x24xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ITEMS]], #{{.*}}], {{.*}} ins(%[[X]] : tensor<7x2x24xf32>)
#id = affine_map<(b, h, s, d) -> (b, h, s, d)>
func.func @items(%x: tensor<7x2x24xf32>) -> tensor<2x3x7x8xf32> {
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<7x2x24xf32> into tensor<7x48xf32>
  %h = tensor.expand_shape %c [[0], [1, 2, 3]] output_shape [7, 2, 3, 8] : tensor<7x48xf32> into tensor<7x2x3x8xf32>
  %e = tensor.empty() : tensor<2x3x7x8xf32>
  %t = linalg.transpose ins(%h : tensor<7x2x3x8xf32>) outs(%e : tensor<2x3x7x8xf32>) permutation = [1, 2, 0, 3]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t : tensor<2x3x7x8xf32>) outs(%e : tensor<2x3x7x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<2x3x7x8xf32>
  return %0 : tensor<2x3x7x8xf32>
}

// -----

// Sums of quantized keys and of queries, whose heads were separated. Keys are read along their channels, which are contiguous in the
// source; the loop over heads must stay the index of a dimension of its own.
// CHECK-DAG: #[[KEYS:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-LABEL: @sums_of_heads(
// CHECK-SAME: %[[X:.*]]: tensor<128x768xi8>
// CHECK-NOT: linalg.transpose
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[X]]
// CHECK: linalg.generic {indexing_maps = [#[[KEYS]], {{.*}} ins(%[[HEADS]] : tensor<128x12x64xi8>)
// CHECK: linalg.generic {indexing_maps = [#[[KEYS]], {{.*}} ins(%[[HEADS]] : tensor<128x12x64xi8>)
#id = affine_map<(a, b, c) -> (a, b, c)>
#swapped = affine_map<(a, b, c) -> (a, c, b)>
#row = affine_map<(a, b, c) -> (a, b)>
func.func @sums_of_heads(%x: tensor<128x768xi8>, %sums: tensor<12x128xi32>) -> (tensor<12x128xi32>, tensor<12x128xi32>) {
  %heads = tensor.expand_shape %x [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xi8> into tensor<128x12x64xi8>
  %e0 = tensor.empty() : tensor<12x64x128xi8>
  %k = linalg.transpose ins(%heads : tensor<128x12x64xi8>) outs(%e0 : tensor<12x64x128xi8>) permutation = [1, 2, 0]
  %e1 = tensor.empty() : tensor<12x128x64xi8>
  %q = linalg.transpose ins(%heads : tensor<128x12x64xi8>) outs(%e1 : tensor<12x128x64xi8>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#swapped, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%k : tensor<12x64x128xi8>) outs(%sums : tensor<12x128xi32>) {
  ^bb0(%a: i8, %o: i32):
    %i = arith.extui %a : i8 to i32
    %s = arith.addi %o, %i : i32
    linalg.yield %s : i32
  } -> tensor<12x128xi32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q : tensor<12x128x64xi8>) outs(%sums : tensor<12x128xi32>) {
  ^bb0(%a: i8, %o: i32):
    %i = arith.extui %a : i8 to i32
    %s = arith.addi %o, %i : i32
    linalg.yield %s : i32
  } -> tensor<12x128xi32>
  return %0, %1 : tensor<12x128xi32>, tensor<12x128xi32>
}
