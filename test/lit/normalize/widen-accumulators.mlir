// Sums of bf16 and f16 elements accumulate in f32 and are rounded once.
// RUN: tpp-opt %s --tpp-widen-accumulators --split-input-file | FileCheck %s

// A named op becomes a generic. Its products are computed in f32.
// CHECK-LABEL: @matmul(
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<8x16xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"]} ins({{.*}} : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%[[ZEROS]] :
// CHECK-SAME: attrs = {tpp.packing = #tpp.packing_fixed<panel = 16>}
// CHECK-COUNT-2: arith.extf {{.*}} : bf16 to f32
// CHECK-NEXT: arith.mulf {{.*}} : f32
// CHECK-NEXT: arith.addf {{.*}} : f32
// CHECK: %[[ROUNDED:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[SUMS]] :
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: return %[[ROUNDED]]
func.func @matmul(%a: tensor<8x4xbf16>, %b: tensor<4x16xbf16>) -> tensor<8x16xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x16xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %0 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 16>} ins(%a, %b : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%z : tensor<8x16xbf16>) -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// -----

// An init that is no fill is extended. The term, rounded to f16 in the program, stays so. The size is dynamic.
// CHECK-LABEL: @sum_of_squares(
// CHECK-SAME: %{{.*}}: tensor<?x32xf16>, %[[INIT:.*]]: tensor<?xf16>
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<?xf16>) outs({{.*}} : tensor<?xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[WIDE]] : tensor<?xf32>)
// CHECK: %[[TERM:.*]] = math.absf {{.*}} : f16
// CHECK: arith.extf %[[TERM]] : f16 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @sum_of_squares(%x: tensor<?x32xf16>, %init: tensor<?xf16>) -> tensor<?xf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<?x32xf16>) outs(%init : tensor<?xf16>) {
  ^bb0(%a: f16, %o: f16):
    %t = math.absf %a : f16
    %s = arith.addf %t, %o : f16
    linalg.yield %s : f16
  } -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

// -----

// A maximum is exact; an elementwise addition is no sum; f32 is wide already.
// CHECK-LABEL: @unchanged(
// CHECK-NOT: arith.extf
// CHECK: return
func.func @unchanged(%x: tensor<8x32xbf16>, %init: tensor<8xbf16>, %y: tensor<8x32xf32>, %sums: tensor<8xf32>) -> (tensor<8xbf16>, tensor<8x32xbf16>, tensor<8xf32>) {
  %0 = linalg.reduce ins(%x : tensor<8x32xbf16>) outs(%init : tensor<8xbf16>) dimensions = [1]
    (%a: bf16, %o: bf16) { %m = arith.maximumf %a, %o : bf16 linalg.yield %m : bf16 }
  %1 = linalg.add ins(%x, %x : tensor<8x32xbf16>, tensor<8x32xbf16>) outs(%x : tensor<8x32xbf16>) -> tensor<8x32xbf16>
  %2 = linalg.reduce ins(%y : tensor<8x32xf32>) outs(%sums : tensor<8xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %m = arith.addf %a, %o : f32 linalg.yield %m : f32 }
  return %0, %1, %2 : tensor<8xbf16>, tensor<8x32xbf16>, tensor<8xf32>
}
