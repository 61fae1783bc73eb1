// RUN: tpp-opt %s --tpp-fold-constants | FileCheck %s

#id = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

// Indices of which negative ones count from the end, as importers write them; from a constant in each form.
// CHECK-LABEL: @wrapped(
// CHECK-DAG: %[[A:.*]] = arith.constant dense<[0, 55, 3]> : tensor<3xi64>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[9, 47]> : tensor<2xi64>
// CHECK: return %[[A]], %[[B]]
func.func @wrapped() -> (tensor<3xi64>, tensor<2xi64>) {
  %zero = arith.constant 0 : i64
  %size = arith.constant 56 : i64
  %x = arith.constant dense<[0, -1, 3]> : tensor<3xi64>
  %e = tensor.empty() : tensor<3xi64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<3xi64>) outs(%e : tensor<3xi64>) {
  ^bb0(%a: i64, %o: i64):
    %negative = arith.cmpi slt, %a, %zero : i64
    %moved = arith.addi %size, %a : i64
    %r = arith.select %negative, %moved, %a : i64
    linalg.yield %r : i64
  } -> tensor<3xi64>
  %y = arith.constant dense_resource<indices> : tensor<2xi64>
  %f = tensor.empty() : tensor<2xi1>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<2xi64>) outs(%f : tensor<2xi1>) {
  ^bb0(%a: i64, %o: i1):
    %negative = arith.cmpi slt, %a, %zero : i64
    linalg.yield %negative : i1
  } -> tensor<2xi1>
  %g = tensor.empty() : tensor<2xi64>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%1, %y : tensor<2xi1>, tensor<2xi64>) outs(%g : tensor<2xi64>) {
  ^bb0(%n: i1, %a: i64, %o: i64):
    %moved = arith.addi %a, %size : i64
    %r = arith.select %n, %moved, %a : i64
    linalg.yield %r : i64
  } -> tensor<2xi64>
  return %0, %2 : tensor<3xi64>, tensor<2xi64>
}

// The loops' own indices, and an input that is broadcast.
// CHECK-LABEL: @indices(
// CHECK: %[[R:.*]] = arith.constant dense<{{\[\[}}10, 11, 12], [21, 22, 23]]> : tensor<2x3xi32>
// CHECK: return %[[R]]
func.func @indices() -> tensor<2x3xi32> {
  %x = arith.constant dense<[10, 20]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2x3xi32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2xi32>) outs(%e : tensor<2x3xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %t = arith.index_cast %s : index to i32
    %r = arith.addi %a, %t : i32
    linalg.yield %r : i32
  } -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// Near misses: an argument, floats, a sum over elements, a division by zero, and too many elements.
// CHECK-LABEL: @near_misses(
// CHECK-COUNT-5: linalg.generic
// CHECK-NOT: linalg.generic
func.func @near_misses(%x: tensor<2xi64>, %sum: tensor<i64>) -> (tensor<2xi64>, tensor<2xf32>, tensor<i64>, tensor<2xi64>, tensor<5000xi64>) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %half = arith.constant 0.5 : f32
  %c = arith.constant dense<[1, 2]> : tensor<2xi64>
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xi64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<2xi64>) outs(%e : tensor<2xi64>) {
  ^bb0(%a: i64, %o: i64):
    %r = arith.addi %a, %one : i64
    linalg.yield %r : i64
  } -> tensor<2xi64>
  %f = tensor.empty() : tensor<2xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%v : tensor<2xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %half : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%c : tensor<2xi64>) outs(%sum : tensor<i64>) {
  ^bb0(%a: i64, %o: i64):
    %r = arith.addi %a, %o : i64
    linalg.yield %r : i64
  } -> tensor<i64>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<2xi64>) outs(%e : tensor<2xi64>) {
  ^bb0(%a: i64, %o: i64):
    %r = arith.divsi %a, %zero : i64
    linalg.yield %r : i64
  } -> tensor<2xi64>
  %g = tensor.empty() : tensor<5000xi64>
  %4 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%g : tensor<5000xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i64
    linalg.yield %r : i64
  } -> tensor<5000xi64>
  return %0, %1, %2, %3, %4 : tensor<2xi64>, tensor<2xf32>, tensor<i64>, tensor<2xi64>, tensor<5000xi64>
}

{-#
  dialect_resources: {
    builtin: {
      indices: "0x080000000900000000000000F7FFFFFFFFFFFFFF"
    }
  }
#-}
