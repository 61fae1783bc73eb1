// What follows an assertion runs where it holds; the function returns the number of one that failed, and skips what follows the loop.
// RUN: tpp-opt %s --tpp-lower-assertions --split-input-file | FileCheck %s

// CHECK: module attributes {tpp.assertions = ["{{.*}}lower-assertions.mlir:{{[0-9]+}}:5: negative", "{{.*}}: large"]}
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: -> i64
// CHECK: %[[SLOT:.*]] = memref.alloca() : memref<i64>
// CHECK: scf.for
// CHECK: scf.if %{{.*}} {
// CHECK: scf.if %{{.*}} {
// CHECK: memref.store %{{.*}} : memref<8xf32>
// CHECK: } else {
// CHECK: memref.atomic_rmw maxu %c2_i64, %[[SLOT]][]
// CHECK: } else {
// CHECK: memref.atomic_rmw maxu %c1_i64, %[[SLOT]][]
// CHECK: %[[NUMBER:.*]] = memref.load %[[SLOT]][]
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[NUMBER]]
// CHECK: scf.if %[[OK]] {
// CHECK: memref.store %{{.*}} : memref<8xf32>
// CHECK: %[[LAST:.*]] = memref.load %[[SLOT]][]
// CHECK: return %[[LAST]] : i64
func.func @loop(%x: memref<8xf32>, %i: memref<8xi1>, %j: memref<8xi1>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %a = memref.load %i[%k] : memref<8xi1>
    cf.assert %a, "negative"
    %b = memref.load %j[%k] : memref<8xi1>
    cf.assert %b, "large"
    memref.store %v, %x[%k] : memref<8xf32>
  }
  memref.store %v, %x[%c0] : memref<8xf32>
  return
}

// -----

// A loop that carries a value keeps the one before.
// CHECK-LABEL: func.func @carried(
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32) {
// CHECK: %[[NEXT:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: scf.yield %{{.*}} : f32
// CHECK: } else {
// CHECK: scf.yield %[[BEFORE]] : f32
// CHECK: scf.yield %[[NEXT]] : f32
func.func @carried(%x: memref<8xf32>, %i: memref<8xi1>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %v) -> (f32) {
    %a = memref.load %i[%k] : memref<8xi1>
    cf.assert %a, "negative"
    %y = memref.load %x[%k] : memref<8xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  memref.store %r, %x[%c0] : memref<8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @none(
// CHECK-NOT: -> i64
// CHECK: return
// CHECK-NOT: return %
func.func @none(%x: memref<8xf32>) {
  return
}
