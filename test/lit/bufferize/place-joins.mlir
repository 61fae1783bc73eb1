// A value that is joined from parts and then inserted into a larger value is joined inside of the larger value.
// RUN: tpp-opt %s --tpp-place-joins --split-input-file | FileCheck %s

// The surrounding zeros are created before the first part is inserted.
// CHECK-LABEL: @padded(
// CHECK-SAME: %[[A:.*]]: tensor<1x16xf32>, %[[B:.*]]: tensor<7x16xf32>)
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<10x16xf32>
// CHECK: %[[PLACE:.*]] = tensor.extract_slice %[[ZEROS]][1, 0] [8, 16] [1, 1]
// CHECK: %[[P0:.*]] = tensor.insert_slice %[[A]] into %[[PLACE]][0, 0]
// CHECK: %[[P1:.*]] = tensor.insert_slice %[[B]] into %[[P0]][1, 0]
// CHECK: tensor.insert_slice %[[P1]] into %[[ZEROS]][1, 0]
func.func @padded(%a: tensor<1x16xf32>, %b: tensor<7x16xf32>) -> tensor<10x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<8x16xf32>
  %1 = tensor.insert_slice %b into %0[1, 0] [7, 16] [1, 1] : tensor<7x16xf32> into tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<10x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<10x16xf32>) -> tensor<10x16xf32>
  %2 = tensor.insert_slice %1 into %zeros[1, 0] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<10x16xf32>
  return %2 : tensor<10x16xf32>
}

// -----

// Nested joins: the outermost destination is created first.
// CHECK-LABEL: @nested(
// CHECK: %[[WHOLE:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %[[WHOLE]][1, 0] [3, 4] [1, 1]
// CHECK: %[[INNER:.*]] = tensor.extract_slice %[[MIDDLE]][1, 0] [2, 4] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[INNER]][0, 0]
func.func @nested(%a: tensor<1x4xf32>) -> tensor<4x4xf32> {
  %e0 = tensor.empty() : tensor<2x4xf32>
  %0 = tensor.insert_slice %a into %e0[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
  %1 = tensor.insert_slice %a into %0[1, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
  %e1 = tensor.empty() : tensor<3x4xf32>
  %2 = tensor.insert_slice %1 into %e1[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<3x4xf32>
  %3 = tensor.insert_slice %a into %2[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %4 = tensor.insert_slice %3 into %e2[1, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<4x4xf32>
  %5 = tensor.insert_slice %a into %4[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}

// -----

// Near misses: a destination that is computed later than the parts. A chain that starts from a value, whose contents it keeps.
// CHECK-LABEL: @later(
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @later(%a: tensor<1x4xf32>, %b: tensor<2x4xf32>, %c: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %e0 = tensor.empty() : tensor<2x4xf32>
  %0 = tensor.insert_slice %a into %e0[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
  %e1 = tensor.empty() : tensor<3x4xf32>
  %late = linalg.exp ins(%c : tensor<3x4xf32>) outs(%e1 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = tensor.insert_slice %0 into %late[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<3x4xf32>
  %2 = tensor.insert_slice %a into %b[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
  %3 = tensor.insert_slice %2 into %c[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<3x4xf32>
  return %1, %3 : tensor<3x4xf32>, tensor<3x4xf32>
}
