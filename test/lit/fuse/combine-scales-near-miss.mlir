// RUN: tpp-opt %s --tpp-combine-scales | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// The rounded value is also stored as f32: bounds keep NaN, and the sum rounds as the program says.
// CHECK-LABEL: func @also_a_float
// CHECK-NOT:     math.fma
// CHECK:         arith.maximumf
// CHECK-NOT:     math.fma
// CHECK:         return
func.func @also_a_float(%x: tensor<64xi8>, %y: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xf32>) {
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xi8>
  %f = tensor.empty() : tensor<64xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<64xi8>, tensor<64xi8>) outs(%e, %f : tensor<64xi8>, tensor<64xf32>) {
  ^bb0(%a: i8, %b: i8, %out: i8, %float: f32):
    %1 = arith.uitofp %a : i8 to f32
    %2 = arith.uitofp %b : i8 to f32
    %3 = arith.mulf %2, %half : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.divf %4, %quarter : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %zero : f32
    %8 = arith.fptoui %7 : f32 to i8
    linalg.yield %8, %7 : i8, f32
  } -> (tensor<64xi8>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xi8>, tensor<64xf32>
}

// One scale, by which values are multiplied: nothing to combine. Bounds need not keep NaN.
// CHECK-LABEL: func @one_scale
// CHECK:         arith.mulf
// CHECK-NEXT:    math.roundeven
// CHECK-NEXT:    arith.maxnumf
func.func @one_scale(%x: tensor<64xf32>) -> tensor<64xi8> {
  %scale = arith.constant 0.3 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: f32, %out: i8):
    %1 = arith.mulf %a, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.fptoui %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// The integer may overflow: 32-bit values are terms as they are, and their zero point is subtracted as an integer.
// CHECK-LABEL: func @wide_integers
// CHECK:         %[[SHIFTED:.*]] = arith.subi
// CHECK-NEXT:    %[[X:.*]] = arith.sitofp %[[SHIFTED]] : i32 to f32
// CHECK:         arith.mulf %[[X]]
func.func @wide_integers(%x: tensor<64xi32>) -> tensor<64xi8> {
  %c7 = arith.constant 7 : i32
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<64xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xi32>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: i32, %out: i8):
    %1 = arith.subi %a, %c7 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %half : f32
    %4 = arith.divf %3, %quarter : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// The combined scale overflows.
// CHECK-LABEL: func @overflow
// CHECK:         arith.divf
// CHECK-NEXT:    arith.divf
// CHECK-NEXT:    math.roundeven
func.func @overflow(%x: tensor<64xf32>) -> tensor<64xi8> {
  %tiny = arith.constant 1.0e-30 : f32
  %e = tensor.empty() : tensor<64xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: f32, %out: i8):
    %1 = arith.divf %a, %tiny : f32
    %2 = arith.divf %1, %tiny : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// A constant that is much larger than the results would lose their last bits.
// CHECK-LABEL: func @large_shift
// CHECK:         arith.subf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    math.roundeven
func.func @large_shift(%x: tensor<64xf32>) -> tensor<64xi8> {
  %middle = arith.constant 1000001.0 : f32
  %ten = arith.constant 10.0 : f32
  %e = tensor.empty() : tensor<64xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: f32, %out: i8):
    %1 = arith.subf %a, %middle : f32
    %2 = arith.mulf %1, %ten : f32
    %3 = arith.mulf %2, %ten : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}
