// Near misses: values that must be read from the result of a move.
// RUN: tpp-opt %s --tpp-read-through-relays --split-input-file | FileCheck %s

// The innermost dimension would be read with a stride.
// CHECK-LABEL: @strided(
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%[[T]] :
#id = affine_map<(a, b) -> (a, b)>
func.func @strided(%x: tensor<64x32xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

// -----

// The last row and column are cut off before the transposition: linalg would infer the loop bounds from the uncut value.
// CHECK-LABEL: @cut(
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<15x31x64xf32>)
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @cut(%x: tensor<16x32x64xf32>) -> tensor<31x15x64xf32> {
  %inner = tensor.extract_slice %x[0, 0, 0] [15, 31, 64] [1, 1, 1] : tensor<16x32x64xf32> to tensor<15x31x64xf32>
  %e = tensor.empty() : tensor<31x15x64xf32>
  %t = linalg.transpose ins(%inner : tensor<15x31x64xf32>) outs(%e : tensor<31x15x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<31x15x64xf32>) outs(%e : tensor<31x15x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<31x15x64xf32>
  return %0 : tensor<31x15x64xf32>
}

// -----

// The number of rows is known from the broadcast only.
// CHECK-LABEL: @bound(
// CHECK: %[[B:.*]] = linalg.broadcast
// CHECK: linalg.generic {{.*}} ins(%[[B]] : tensor<8x64xf32>)
func.func @bound(%x: tensor<64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %b = linalg.broadcast ins(%x : tensor<64xf32>) outs(%e : tensor<8x64xf32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>], iterator_types = ["reduction", "parallel"]} ins(%b : tensor<8x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Slices and reshapes alone move nothing: they become views of memory.
// CHECK-LABEL: @views(
// CHECK: tensor.extract_slice
// CHECK: %[[H:.*]] = tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%[[H]] :
#id = affine_map<(s, h, d) -> (s, h, d)>
func.func @views(%qkv: tensor<197x2304xf32>) -> tensor<197x12x64xf32> {
  %v = tensor.extract_slice %qkv[0, 1536] [197, 768] [1, 1] : tensor<197x2304xf32> to tensor<197x768xf32>
  %heads = tensor.expand_shape %v [[0], [1, 2]] output_shape [197, 12, 64] : tensor<197x768xf32> into tensor<197x12x64xf32>
  %e = tensor.empty() : tensor<197x12x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<197x12x64xf32>) outs(%e : tensor<197x12x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<197x12x64xf32>
  return %0 : tensor<197x12x64xf32>
}

// -----

// Two merged dimensions cannot be split by a linear map.
// CHECK-LABEL: @merged(
// CHECK: linalg.transpose
// CHECK: %[[C:.*]] = tensor.collapse_shape
// CHECK: linalg.generic {{.*}} ins(%[[C]] :
#id = affine_map<(a, b) -> (a, b)>
func.func @merged(%x: tensor<5x6x64xf32>) -> tensor<30x64xf32> {
  %f = tensor.empty() : tensor<6x5x64xf32>
  %t = linalg.transpose ins(%x : tensor<5x6x64xf32>) outs(%f : tensor<6x5x64xf32>) permutation = [1, 0, 2]
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<6x5x64xf32> into tensor<30x64xf32>
  %e = tensor.empty() : tensor<30x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<30x64xf32>) outs(%e : tensor<30x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<30x64xf32>
  return %0 : tensor<30x64xf32>
}

// -----

// Dynamic sizes.
// CHECK-LABEL: @dynamic(
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%[[T]] :
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @dynamic(%x: tensor<?x6x64xf32>, %e: tensor<6x?x64xf32>) -> tensor<6x?x64xf32> {
  %t = linalg.transpose ins(%x : tensor<?x6x64xf32>) outs(%e : tensor<6x?x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<6x?x64xf32>) outs(%e : tensor<6x?x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<6x?x64xf32>
  return %0 : tensor<6x?x64xf32>
}
