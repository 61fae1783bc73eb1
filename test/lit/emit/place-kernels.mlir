// RUN: tpp-opt %s --tpp-place-kernels | FileCheck %s

// Two descriptors, three uses: equal descriptors share a slot across functions. Each dispatch is placed before the loop that uses
// it.
// CHECK: module attributes {tpp.kernels = [#tpp.unary_desc<kind = relu, {{.*}}>, #tpp.unary_desc<kind = exp, {{.*}}>]}
// CHECK-LABEL: func.func @f
// CHECK: %[[RELU:.*]] = tpp.dispatch #tpp.unary_desc<kind = relu, {{.*}}> {tpp.slot = 0 : i64}
// CHECK-NEXT: scf.for
// CHECK-NEXT: tpp.invoke %[[RELU]]
// CHECK: %[[EXP:.*]] = tpp.dispatch #tpp.unary_desc<kind = exp, {{.*}}> {tpp.slot = 1 : i64}
// CHECK-NEXT: tpp.invoke %[[EXP]]
// CHECK-LABEL: func.func @g
// CHECK: tpp.dispatch #tpp.unary_desc<kind = relu, {{.*}}> {tpp.slot = 0 : i64}
// CHECK-NEXT: tpp.invoke
func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 4, n = 8, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>>
    tpp.invoke %k ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  }
  %k = tpp.dispatch #tpp.unary_desc<kind = exp, m = 4, n = 8, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>>
  tpp.invoke %k ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  return
}
func.func @g(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 4, n = 8, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>>
  tpp.invoke %k ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  return
}
