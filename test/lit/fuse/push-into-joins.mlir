// An op that is the only reader of a concatenation is computed part by part, if a part would have been copied.
// RUN: tpp-opt %s --tpp-push-into-joins --split-input-file | FileCheck %s

// An argument before a computed value, with positions added to both: the positions are sliced; a broadcast over the batch stays
// whole.
// CHECK-LABEL: @token(
// CHECK-SAME: %[[T:.*]]: tensor<2x1x8xf32>, %[[X:.*]]: tensor<2x4x8xf32>, %[[POS:.*]]: tensor<1x5x8xf32>)
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<2x4x8xf32>)
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x5x8xf32>
// CHECK: %[[POS0:.*]] = tensor.extract_slice %[[POS]][0, 0, 0] [1, 1, 8] [1, 1, 1]
// CHECK: %[[E0:.*]] = tensor.empty() : tensor<2x1x8xf32>
// CHECK: %[[R0:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[POS0]] : tensor<2x1x8xf32>, tensor<1x1x8xf32>) outs(%[[E0]] : tensor<2x1x8xf32>)
// CHECK: %[[I0:.*]] = tensor.insert_slice %[[R0]] into %[[E]][0, 0, 0] [2, 1, 8] [1, 1, 1]
// CHECK: %[[POS1:.*]] = tensor.extract_slice %[[POS]][0, 1, 0] [1, 4, 8] [1, 1, 1]
// CHECK: %[[R1:.*]] = linalg.generic {{.*}} ins(%[[EXP]], %[[POS1]] : tensor<2x4x8xf32>, tensor<1x4x8xf32>)
// CHECK: %[[I1:.*]] = tensor.insert_slice %[[R1]] into %[[I0]][0, 1, 0] [2, 4, 8] [1, 1, 1]
// CHECK: return %[[I1]]
#id = affine_map<(b, s, d) -> (b, s, d)>
#pos = affine_map<(b, s, d) -> (0, s, d)>
func.func @token(%token: tensor<2x1x8xf32>, %x: tensor<2x4x8xf32>, %pos: tensor<1x5x8xf32>) -> tensor<2x5x8xf32> {
  %e0 = tensor.empty() : tensor<2x4x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x4x8xf32>) outs(%e0 : tensor<2x4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<2x4x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %0 = tensor.insert_slice %token into %e[0, 0, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x5x8xf32>
  %1 = tensor.insert_slice %exp into %0[0, 1, 0] [2, 4, 8] [1, 1, 1] : tensor<2x4x8xf32> into tensor<2x5x8xf32>
  %e1 = tensor.empty() : tensor<2x5x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #pos, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %pos : tensor<2x5x8xf32>, tensor<1x5x8xf32>) outs(%e1 : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %p: f32, %o: f32):
    %s = arith.addf %a, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x8xf32>
  return %2 : tensor<2x5x8xf32>
}

// -----

// A sum along another dimension, and an index along the joined one: each part's index starts where the previous part ends.
// CHECK-LABEL: @sum(
// CHECK-SAME: %[[X:.*]]: tensor<6x3xf32>, %[[Y:.*]]: tensor<6x5xf32>)
// CHECK: %[[F0:.*]] = linalg.fill {{.*}} -> tensor<3xf32>
// CHECK: %[[R0:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<6x3xf32>) outs(%[[F0]] : tensor<3xf32>)
// CHECK: tensor.insert_slice %[[R0]] into %{{.*}}[0] [3] [1]
// CHECK: %[[F1:.*]] = linalg.fill {{.*}} -> tensor<5xf32>
// CHECK: %[[R1:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<6x5xf32>) outs(%[[F1]] : tensor<5xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: affine.apply #{{.*}}%[[I]]
// CHECK: tensor.insert_slice %[[R1]] into %{{.*}}[3] [5] [1]
func.func @sum(%x: tensor<6x3xf32>, %y: tensor<6x5xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [6, 3] [1, 1] : tensor<6x3xf32> into tensor<6x8xf32>
  %1 = tensor.insert_slice %y into %0[0, 3] [6, 5] [1, 1] : tensor<6x5xf32> into tensor<6x8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(c, r) -> (r, c)>, affine_map<(c, r) -> (c)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<6x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %p = arith.mulf %a, %f : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Both parts are computed, but the first is read by the second: it has its own buffer and would be copied.
// CHECK-LABEL: @read_again(
// CHECK: %[[X:.*]] = linalg.generic
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
#id = affine_map<(a, b) -> (a, b)>
func.func @read_again(%a: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = math.exp %i : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e1 : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = math.tanh %i : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %1 = tensor.insert_slice %y into %0[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xf32>) outs(%e2 : tensor<8x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = math.sqrt %i : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
