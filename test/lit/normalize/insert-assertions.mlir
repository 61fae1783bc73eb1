// RUN: tpp-opt %s --tpp-insert-assertions --canonicalize | FileCheck %s

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// The index from the data is checked, that of the loop is not.
// CHECK-LABEL: @gather(
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 10 : index
// CHECK: ^bb0(%[[X:.*]]: i64,
// CHECK: %[[I:.*]] = arith.index_cast %[[X]]
// CHECK: %[[IN_RANGE:.*]] = arith.cmpi ult, %[[I]], %[[ROWS]] : index
// CHECK: cf.assert %[[IN_RANGE]], "tensor.extract: index of dimension 0 is not in [0, 10)"
// CHECK-NOT: cf.assert
// CHECK: tensor.extract %arg0[%[[I]],
func.func @gather(%table: tensor<10x8xf32>, %indices: tensor<4xi64>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%indices : tensor<4xi64>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: i64, %o: f32):
    %i = arith.index_cast %x : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<10x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The program's own assertions suffice; they bound an integer before its cast.
// CHECK-LABEL: @asserted(
// CHECK-COUNT-2: cf.assert
// CHECK-NOT: cf.assert
func.func @asserted(%table: tensor<10xf32>, %x: i64) -> f32 {
  %c0 = arith.constant 0 : i64
  %c10 = arith.constant 10 : i64
  %lt = arith.cmpi slt, %x, %c10 : i64
  cf.assert %lt, "too large"
  %ge = arith.cmpi sge, %x, %c0 : i64
  cf.assert %ge, "negative"
  %i = arith.index_cast %x : i64 to index
  %v = tensor.extract %table[%i] : tensor<10xf32>
  return %v : f32
}

// Near miss: the program asserts too little.
// CHECK-LABEL: @asserted_too_little(
// CHECK: cf.assert %{{.*}}, "too large"
// CHECK: cf.assert %{{.*}}, "tensor.extract: index of dimension 0 is not in [0, 10)"
func.func @asserted_too_little(%table: tensor<10xf32>, %i: index) -> f32 {
  %c11 = arith.constant 11 : index
  %lt = arith.cmpi ult, %i, %c11 : index
  cf.assert %lt, "too large"
  %v = tensor.extract %table[%i] : tensor<10xf32>
  return %v : f32
}

// Ranges follow loops and arithmetic: 2 * i + 1 with i in {0, 4, 8} is below 18.
// CHECK-LABEL: @known(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known(%x: tensor<18xf32>, %init: tensor<2xf32>, %any: index) -> (tensor<2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c18 = arith.constant 18 : index
  %0 = scf.for %i = %c0 to %c9 step %c4 iter_args(%sum = %init) -> tensor<2xf32> {
    %twice = arith.muli %i, %c2 : index
    %slice = tensor.extract_slice %x[%twice] [2] [1] : tensor<18xf32> to tensor<2xf32>
    %1 = linalg.add ins(%slice, %sum : tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  %wrapped = arith.remui %any, %c18 : index
  %v = tensor.extract %x[%wrapped] : tensor<18xf32>
  return %0, %v : tensor<2xf32>, f32
}

// Near miss: the loop takes one step more.
// CHECK-LABEL: @one_step_too_many(
// CHECK: cf.assert %{{.*}}, "tensor.extract_slice: offset of dimension 0 is not in [0, 17)"
func.func @one_step_too_many(%x: tensor<18xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c13 = arith.constant 13 : index
  %0 = scf.for %i = %c0 to %c13 step %c4 iter_args(%sum = %init) -> tensor<2xf32> {
    %twice = arith.muli %i, %c2 : index
    %slice = tensor.extract_slice %x[%twice] [2] [1] : tensor<18xf32> to tensor<2xf32>
    %1 = linalg.add ins(%slice, %sum : tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @slices(
// CHECK: cf.assert %{{.*}}, "tensor.insert_slice: offset of dimension 1 is not in [0, 128)"
// CHECK: tensor.insert_slice
// CHECK-DAG: cf.assert %{{.*}}, "tensor.extract_slice: stride of dimension 0 is not in [0, 4)"
// CHECK-DAG: cf.assert %{{.*}}, "tensor.extract_slice: last index of dimension 0 is not in [0, 4)"
// CHECK: tensor.extract_slice
func.func @slices(%cache: tensor<4x128x64xf32>, %k: tensor<4x1x64xf32>, %at: index, %stride: index) -> tensor<2x128x64xf32> {
  %0 = tensor.insert_slice %k into %cache[0, %at, 0] [4, 1, 64] [1, 1, 1] : tensor<4x1x64xf32> into tensor<4x128x64xf32>
  %1 = tensor.extract_slice %0[0, 0, 0] [2, 128, 64] [%stride, 1, 1] : tensor<4x128x64xf32> to tensor<2x128x64xf32>
  return %1 : tensor<2x128x64xf32>
}

// Constant indices, in both forms of constants: all are in range.
// CHECK-LABEL: @constant_indices(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @constant_indices(%table: tensor<10x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>) {
  %rows = arith.constant dense<[0, 9, 3, 3]> : tensor<4xi32>
  %others = arith.constant dense_resource<indices> : tensor<2xi64>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<4xi32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: i32, %o: f32):
    %i = arith.index_cast %x : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<10x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %f = tensor.empty() : tensor<2x8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%others : tensor<2xi64>) outs(%f : tensor<2x8xf32>) {
  ^bb0(%x: i64, %o: f32):
    %i = arith.index_cast %x : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<10x8xf32>
    linalg.yield %v : f32
  } -> tensor<2x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<2x8xf32>
}

// Near misses: a negative index, and one that is too large.
// CHECK-LABEL: @constant_indices_out_of_range(
// CHECK-COUNT-2: cf.assert
func.func @constant_indices_out_of_range(%table: tensor<9x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>) {
  %rows = arith.constant dense<[0, 8, -1, 3]> : tensor<4xi32>
  %others = arith.constant dense_resource<indices> : tensor<2xi64>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<4xi32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: i32, %o: f32):
    %i = arith.index_cast %x : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<9x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %f = tensor.empty() : tensor<2x8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%others : tensor<2xi64>) outs(%f : tensor<2x8xf32>) {
  ^bb0(%x: i64, %o: f32):
    %i = arith.index_cast %x : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<9x8xf32>
    linalg.yield %v : f32
  } -> tensor<2x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<2x8xf32>
}

{-#
  dialect_resources: {
    builtin: {
      indices: "0x0800000009000000000000000300000000000000"
    }
  }
#-}

// Divisors from data are checked, and for signed ones that the quotient fits.
// CHECK-LABEL: @divisors(
// CHECK: cf.assert %{{.*}}, "arith.divsi: the divisor is 0"
// CHECK: cf.assert %{{.*}}, "arith.divsi: the quotient overflows"
// CHECK: arith.divsi
// CHECK: cf.assert %{{.*}}, "arith.remui: the divisor is 0"
// CHECK-NOT: cf.assert
// CHECK: arith.remui
func.func @divisors(%x: i32, %y: i32) -> (i32, i32) {
  %q = arith.divsi %x, %y : i32
  %r = arith.remui %x, %y : i32
  return %q, %r : i32, i32
}

// Near misses: constants other than 0, divisors of [1, 8), and dividends that are not the smallest number.
// CHECK-LABEL: @known_divisors(
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.*}}, "arith.divsi: the divisor is 0"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known_divisors(%x: i32, %y: i32) -> (i32, i32, i32, index, i32) {
  %c7 = arith.constant 7 : i32
  %minus = arith.constant -3 : i32
  %one = arith.constant 1 : i32
  %0 = arith.divsi %x, %c7 : i32
  %1 = arith.floordivsi %x, %minus : i32
  %masked = arith.andi %y, %c7 : i32
  %above = arith.ori %masked, %one : i32
  %2 = arith.remsi %x, %above : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %3 = scf.for %i = %c1 to %c8 step %c1 iter_args(%sum = %c0) -> index {
    %part = arith.ceildivui %c8, %i : index
    %next = arith.addi %sum, %part : index
    scf.yield %next : index
  }
  %4 = arith.divsi %masked, %y : i32
  return %0, %1, %2, %3, %4 : i32, i32, i32, index, i32
}
