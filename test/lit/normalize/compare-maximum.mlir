// Whether all elements of a row are -inf is read from the maximum of the row, where the program computes that.
// RUN: tpp-opt %s --tpp-normalize-linalg --split-input-file | FileCheck %s

#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#kept = affine_map<(i, j) -> (i, 0)>

// As in scaled_dot_product_attention: the maximum has a result for argmax beside it, and the comparison is in f64. The comparison of elements is gone.
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[MAX:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @attention(
// CHECK: %[[M:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: linalg.generic {indexing_maps = [#[[MAX]], #[[OUT]]], iterator_types = ["parallel", "parallel"]} ins(%[[M]] : tensor<8xf32>) outs(%{{.*}} : tensor<8x1xi1>)
// CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.andi
func.func @attention(%x: tensor<8x9xf32>) -> (tensor<8xf32>, tensor<8x1xi1>) {
  %least = arith.constant 0xFF800000 : f32
  %wide = arith.constant 0xFFF0000000000000 : f64
  %true = arith.constant true
  %zero = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<8xf32>
  %i0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xi64>
  %i1 = linalg.fill ins(%zero : i64) outs(%e1 : tensor<8xi64>) -> tensor<8xi64>
  %m:2 = linalg.generic {indexing_maps = [#whole, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x9xf32>) outs(%i0, %i1 : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %most: f32, %at: i64):
    %j = linalg.index 1 : index
    %index = arith.index_cast %j : index to i64
    %0 = arith.maximumf %in, %most : f32
    %1 = arith.cmpf ogt, %in, %most : f32
    %2 = arith.select %1, %index, %at : i64
    linalg.yield %0, %2 : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  %e2 = tensor.empty() : tensor<8x9xi1>
  %c = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e2 : tensor<8x9xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.cmpf oeq, %0, %wide : f64
    linalg.yield %1 : i1
  } -> tensor<8x9xi1>
  %e3 = tensor.empty() : tensor<8x1xi1>
  %i3 = linalg.fill ins(%true : i1) outs(%e3 : tensor<8x1xi1>) -> tensor<8x1xi1>
  %all = linalg.generic {indexing_maps = [#whole, #kept], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<8x9xi1>) outs(%i3 : tensor<8x1xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<8x1xi1>
  return %m#0, %all : tensor<8xf32>, tensor<8x1xi1>
}

// -----

#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// maxnumf ignores a NaN, which is not -inf; a maximum that begins with 0 is never -inf; a comparison with another number needs the elements.
// CHECK-LABEL: @other_maxima(
// CHECK: arith.andi
// CHECK: arith.andi
// CHECK: arith.andi
func.func @other_maxima(%x: tensor<8x9xf32>, %y: tensor<8x9xf32>, %z: tensor<8x9xf32>) -> (tensor<8xf32>, tensor<8xi1>, tensor<8xf32>, tensor<8xi1>, tensor<8xf32>, tensor<8xi1>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF7FFFFF : f32
  %true = arith.constant true
  %e = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<8xi1>
  %w = tensor.empty() : tensor<8x9xi1>
  %i = linalg.fill ins(%least : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %o = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %t = linalg.fill ins(%true : i1) outs(%b : tensor<8xi1>) -> tensor<8xi1>

  %m0 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x9xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maxnumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %c0 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%w : tensor<8x9xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.cmpf oeq, %in, %least : f32
    linalg.yield %0 : i1
  } -> tensor<8x9xi1>
  %a0 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%c0 : tensor<8x9xi1>) outs(%t : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<8xi1>

  %m1 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<8x9xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %c1 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x9xf32>) outs(%w : tensor<8x9xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.cmpf oeq, %in, %least : f32
    linalg.yield %0 : i1
  } -> tensor<8x9xi1>
  %a1 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%c1 : tensor<8x9xi1>) outs(%t : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<8xi1>

  %m2 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%z : tensor<8x9xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %c2 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<8x9xf32>) outs(%w : tensor<8x9xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.cmpf oeq, %in, %lowest : f32
    linalg.yield %0 : i1
  } -> tensor<8x9xi1>
  %a2 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%c2 : tensor<8x9xi1>) outs(%t : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<8xi1>
  return %m0, %a0, %m1, %a1, %m2, %a2 : tensor<8xf32>, tensor<8xi1>, tensor<8xf32>, tensor<8xi1>, tensor<8xf32>, tensor<8xi1>
}

// -----

#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The compared tensor is where the maximum of another one is stored.
// CHECK-LABEL: @result_of_maximum(
// CHECK: arith.andi
func.func @result_of_maximum(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>, tensor<8xi1>) {
  %least = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %e = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<8xi1>
  %w = tensor.empty() : tensor<8x8xi1>
  %i = linalg.fill ins(%least : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %t = linalg.fill ins(%true : i1) outs(%b : tensor<8xi1>) -> tensor<8xi1>
  %m:2 = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<8x8xf32>) outs(%i, %x : tensor<8xf32>, tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32, %other: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0, %in : f32, f32
  } -> (tensor<8xf32>, tensor<8x8xf32>)
  %c = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%w : tensor<8x8xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.cmpf oeq, %in, %least : f32
    linalg.yield %0 : i1
  } -> tensor<8x8xi1>
  %a = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<8x8xi1>) outs(%t : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<8xi1>
  return %m#0, %m#1, %a : tensor<8xf32>, tensor<8x8xf32>, tensor<8xi1>
}
