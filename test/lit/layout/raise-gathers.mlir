// RUN: tpp-opt %s --tpp-raise-gathers --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-raise-gathers --tpp-lower-gathers --split-input-file | FileCheck %s --check-prefix=LOWER
// RUN: tpp-opt %s --tpp-raise-gathers=joins --split-input-file | FileCheck %s --check-prefix=JOINS

// Rows, then columns: one selection along both.
// CHECK-LABEL: @resized(
// CHECK-SAME: %[[X:.*]]: tensor<1x16x4x5xf32>, %[[ROWS:.*]]: tensor<8xi64>, %[[COLUMNS:.*]]: tensor<10xi32>
// CHECK: %[[R:.*]] = tpp.gather %[[X]] at(%[[ROWS]], %[[COLUMNS]] : tensor<8xi64>, tensor<10xi32>) along [2, 3] : tensor<1x16x4x5xf32> -> tensor<1x16x8x10xf32>
// CHECK-NEXT: return %[[R]]
// LOWER-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2, d3) -> (d2)>
// LOWER-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// LOWER-LABEL: @resized(
// LOWER-SAME: %[[X:.*]]: tensor<1x16x4x5xf32>, %[[ROWS:.*]]: tensor<8xi64>, %[[COLUMNS:.*]]: tensor<10xi32>
// LOWER: linalg.generic {indexing_maps = [#[[ROW]], #[[COLUMN]], #{{.*}}], {{.*}} ins(%[[ROWS]], %[[COLUMNS]] : tensor<8xi64>, tensor<10xi32>)
// LOWER-NEXT: ^bb0(%[[R:.*]]: i64, %[[C:.*]]: i32, %{{.*}}: f32):
// LOWER-DAG: %[[N:.*]] = linalg.index 0
// LOWER-DAG: %[[K:.*]] = linalg.index 1
// LOWER-DAG: %[[I:.*]] = arith.index_cast %[[R]] : i64 to index
// LOWER-DAG: %[[J:.*]] = arith.index_cast %[[C]] : i32 to index
// LOWER: tensor.extract %[[X]][%[[N]], %[[K]], %[[I]], %[[J]]] : tensor<1x16x4x5xf32>
#row = affine_map<(a, b, c, d) -> (c)>
#column = affine_map<(a, b, c, d) -> (d)>
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @resized(%x: tensor<1x16x4x5xf32>, %rows: tensor<8xi64>, %columns: tensor<10xi32>) -> tensor<1x16x8x10xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1x16x8x5xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%rows : tensor<8xi64>) outs(%e : tensor<1x16x8x5xf32>) {
  ^bb0(%r: i64, %out: f32):
    %i = arith.index_cast %r : i64 to index
    %k = linalg.index 1 : index
    %j = linalg.index 3 : index
    %v = tensor.extract %x[%c0, %k, %i, %j] : tensor<1x16x4x5xf32>
    linalg.yield %v : f32
  } -> tensor<1x16x8x5xf32>
  %f = tensor.empty() : tensor<1x16x8x10xf32>
  %1 = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%columns : tensor<10xi32>) outs(%f : tensor<1x16x8x10xf32>) {
  ^bb0(%c: i32, %out: f32):
    %j = arith.index_cast %c : i32 to index
    %k = linalg.index 1 : index
    %i = linalg.index 2 : index
    %v = tensor.extract %0[%c0, %k, %i, %j] : tensor<1x16x8x5xf32>
    linalg.yield %v : f32
  } -> tensor<1x16x8x10xf32>
  return %1 : tensor<1x16x8x10xf32>
}

// -----

// Near misses: indices that may be out of range, indices for each element, a transposition, arithmetic on the element, and unsigned indices.
// CHECK-LABEL: @near_misses(
// CHECK-NOT: tpp.gather
// CHECK: return
#row = affine_map<(a, b) -> (a)>
#id = affine_map<(a, b) -> (a, b)>
func.func @near_misses(%x: tensor<8x8xf32>, %rows: tensor<8xi64>, %places: tensor<8x8xi64>, %table: tensor<256x8xf32>, %bytes: tensor<8xi8>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<8xi64>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%r: i64, %out: f32):
    %i = arith.index_cast %r : i64 to index
    %j = linalg.index 1 : index
    %inside = arith.cmpi ult, %i, %c8 : index
    cf.assert %inside, "out of range"
    %v = tensor.extract %x[%i, %j] : tensor<8x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%places : tensor<8x8xi64>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%r: i64, %out: f32):
    %i = arith.index_cast %r : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%i, %j] : tensor<8x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<8xi64>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%r: i64, %out: f32):
    %i = arith.index_cast %r : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%j, %i] : tensor<8x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  %3 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<8xi64>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%r: i64, %out: f32):
    %i = arith.index_cast %r : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%i, %j] : tensor<8x8xf32>
    %s = arith.addf %v, %v : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %4 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%bytes : tensor<8xi8>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%r: i8, %out: f32):
    %i = arith.index_castui %r : i8 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<256x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  return %0, %1, %2, %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Rotations along two dimensions: with joins, one selection along both.
// JOINS-LABEL: @rotated(
// JOINS-SAME: %[[X:.*]]: tensor<2x4x6x8xf32>
// JOINS-DAG: %[[ROWS:.*]] = arith.constant dense<[1, 2, 3, 0]> : tensor<4xi64>
// JOINS-DAG: %[[COLUMNS:.*]] = arith.constant dense<[4, 5, 0, 1, 2, 3]> : tensor<6xi64>
// JOINS: %[[R:.*]] = tpp.gather %[[X]] at(%[[ROWS]], %[[COLUMNS]] : tensor<4xi64>, tensor<6xi64>) along [1, 2] : tensor<2x4x6x8xf32> -> tensor<2x4x6x8xf32>
// JOINS-NEXT: return %[[R]]
// CHECK-LABEL: @rotated(
// CHECK-NOT: tpp.gather
// CHECK: return
func.func @rotated(%x: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %low = tensor.extract_slice %x[0, 1, 0, 0] [2, 3, 6, 8] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x3x6x8xf32>
  %high = tensor.extract_slice %x[0, 0, 0, 0] [2, 1, 6, 8] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x1x6x8xf32>
  %e = tensor.empty() : tensor<2x4x6x8xf32>
  %0 = tensor.insert_slice %low into %e[0, 0, 0, 0] [2, 3, 6, 8] [1, 1, 1, 1] : tensor<2x3x6x8xf32> into tensor<2x4x6x8xf32>
  %1 = tensor.insert_slice %high into %0[0, 3, 0, 0] [2, 1, 6, 8] [1, 1, 1, 1] : tensor<2x1x6x8xf32> into tensor<2x4x6x8xf32>
  %left = tensor.extract_slice %1[0, 0, 4, 0] [2, 4, 2, 8] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x4x2x8xf32>
  %right = tensor.extract_slice %1[0, 0, 0, 0] [2, 4, 4, 8] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x4x4x8xf32>
  %2 = tensor.insert_slice %right into %e[0, 0, 2, 0] [2, 4, 4, 8] [1, 1, 1, 1] : tensor<2x4x4x8xf32> into tensor<2x4x6x8xf32>
  %3 = tensor.insert_slice %left into %2[0, 0, 0, 0] [2, 4, 2, 8] [1, 1, 1, 1] : tensor<2x4x2x8xf32> into tensor<2x4x6x8xf32>
  return %3 : tensor<2x4x6x8xf32>
}

// -----

// A part of a larger tensor, twice: the result has a size of its own.
// JOINS-LABEL: @repeated(
// JOINS: %[[ROWS:.*]] = arith.constant dense<[5, 6, 5, 6, 7]> : tensor<5xi64>
// JOINS: tpp.gather %{{.*}} at(%[[ROWS]] : tensor<5xi64>) along [0] : tensor<9x8xf32> -> tensor<5x8xf32>
func.func @repeated(%x: tensor<9x8xf32>) -> tensor<5x8xf32> {
  %0 = tensor.extract_slice %x[5, 0] [2, 8] [1, 1] : tensor<9x8xf32> to tensor<2x8xf32>
  %1 = tensor.extract_slice %x[5, 0] [3, 8] [1, 1] : tensor<9x8xf32> to tensor<3x8xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %2 = tensor.insert_slice %0 into %e[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<5x8xf32>
  %3 = tensor.insert_slice %1 into %2[2, 0] [3, 8] [1, 1] : tensor<3x8xf32> into tensor<5x8xf32>
  return %3 : tensor<5x8xf32>
}

// -----

// Near misses: along the innermost dimension, of two tensors, of slices that differ along another dimension, of every second row, and a join that is not whole.
// JOINS-LABEL: @joins_of_others(
// JOINS-NOT: tpp.gather
// JOINS: return
func.func @joins_of_others(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<5x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %left = tensor.extract_slice %x[0, 0] [4, 3] [1, 1] : tensor<4x8xf32> to tensor<4x3xf32>
  %right = tensor.extract_slice %x[0, 3] [4, 5] [1, 1] : tensor<4x8xf32> to tensor<4x5xf32>
  %0 = tensor.insert_slice %right into %e[0, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x8xf32>
  %innermost = tensor.insert_slice %left into %0[0, 5] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
  %top = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %other = tensor.extract_slice %y[0, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %1 = tensor.insert_slice %top into %e[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %two = tensor.insert_slice %other into %1[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %a = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
  %b = tensor.extract_slice %x[0, 4] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
  %2 = tensor.insert_slice %a into %f[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  %differ = tensor.insert_slice %b into %2[2, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  %second = tensor.extract_slice %x[0, 0] [2, 8] [2, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %3 = tensor.insert_slice %second into %e[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %strided = tensor.insert_slice %top into %3[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %g = tensor.empty() : tensor<5x8xf32>
  %4 = tensor.insert_slice %top into %g[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<5x8xf32>
  %partial = tensor.insert_slice %top into %4[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<5x8xf32>
  return %innermost, %two, %differ, %strided, %partial : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<5x8xf32>
}
