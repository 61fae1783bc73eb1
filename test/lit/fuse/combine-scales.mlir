// RUN: tpp-opt %s --tpp-combine-scales --canonicalize | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// A residual sum of two quantized values: zero points become part of one constant, each value has one scale.
// 0.5 / 0.25 = 2, 0.75 / 0.25 = 3, -(120 * 2 + 128 * 3) = -624
// CHECK-LABEL: func @sum
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3.0{{.*}} : f32
// CHECK-DAG:     %[[SHIFT:.*]] = arith.constant -6.24{{.*}}e+02 : f32
// CHECK:       ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT:    %[[X:.*]] = arith.uitofp %[[A]] : i8 to f32
// CHECK-NEXT:    %[[PART:.*]] = math.fma %[[X]], %[[TWO]], %[[SHIFT]] : f32
// CHECK-NEXT:    %[[Y:.*]] = arith.uitofp %[[B]] : i8 to f32
// CHECK-NEXT:    %[[SUM:.*]] = math.fma %[[Y]], %[[THREE]], %[[PART]] : f32
// CHECK-NEXT:    %[[ROUNDED:.*]] = math.roundeven %[[SUM]] : f32
// CHECK-NEXT:    arith.addf %[[ROUNDED]]
// CHECK-NEXT:    arith.maxnumf
// CHECK-NEXT:    arith.minnumf
// CHECK-NEXT:    arith.fptoui
func.func @sum(%x: tensor<64xi8>, %y: tensor<64xi8>) -> tensor<64xi8> {
  %c120 = arith.constant 120 : i64
  %c128 = arith.constant 128 : i32
  %half = arith.constant 0.5 : f32
  %most = arith.constant 0.75 : f32
  %quarter = arith.constant 0.25 : f32
  %three = arith.constant 3.0 : f32
  %zero = arith.constant 0.0 : f32
  %c255 = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<64xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<64xi8>, tensor<64xi8>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.extui %a : i8 to i64
    %2 = arith.subi %1, %c120 : i64
    %3 = arith.sitofp %2 : i64 to f32
    %4 = arith.mulf %3, %half : f32
    %5 = arith.extui %b : i8 to i32
    %6 = arith.subi %5, %c128 : i32
    %7 = arith.sitofp %6 : i32 to f32
    %8 = arith.mulf %most, %7 : f32
    %9 = arith.addf %4, %8 : f32
    %10 = arith.divf %9, %quarter : f32
    %11 = math.roundeven %10 : f32
    %12 = arith.addf %11, %three : f32
    %13 = arith.maximumf %12, %zero : f32
    %14 = arith.minimumf %13, %c255 : f32
    %15 = arith.fptoui %14 : f32 to i8
    linalg.yield %15 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// A value that is neither dequantized nor a constant is a term of its own; without a constant, the first term is a product.
// CHECK-LABEL: func @floats
// CHECK:       ^bb0(%[[A:.*]]: f32, %[[B:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT:    %[[PART:.*]] = arith.mulf %[[A]], %{{.*}} : f32
// CHECK-NEXT:    %[[Y:.*]] = arith.sitofp %[[B]] : i8 to f32
// CHECK-NEXT:    %[[SUM:.*]] = math.fma %[[Y]], %{{.*}}, %[[PART]] : f32
// CHECK-NEXT:    math.roundeven %[[SUM]] : f32
func.func @floats(%x: tensor<64xf32>, %y: tensor<64xi8>) -> tensor<64xi8> {
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<64xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<64xf32>, tensor<64xi8>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: f32, %b: i8, %out: i8):
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %half : f32
    %4 = arith.subf %a, %3 : f32
    %5 = arith.divf %4, %quarter : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %high : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// A division by a scale becomes a multiplication.
// CHECK-LABEL: func @division
// CHECK-DAG:     %[[INVERSE:.*]] = arith.constant 3.33333325 : f32
// CHECK:         %[[Y:.*]] = arith.mulf %{{.*}}, %[[INVERSE]] : f32
// CHECK-NEXT:    math.roundeven %[[Y]] : f32
func.func @division(%x: tensor<64xf32>) -> tensor<64xi8> {
  %scale = arith.constant 0.3 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: f32, %out: i8):
    %1 = arith.divf %a, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.fptoui %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}
