// Structure of the loops and of the code per element. lower-tpp-to-loops-run.mlir checks the results.
// RUN: tpp-opt %s --tpp-lower-tpp-to-loops --canonicalize --cse | FileCheck %s
// CHECK-NOT: tpp.

// CHECK-LABEL: @brgemm(
// CHECK-SAME: %[[A:.*]]: memref<4x13x64xf32>, %[[B:.*]]: memref<4x2x64x16xf32>, %[[BIAS:.*]]: memref<32xf32>, %[[C:[^:]*]]: memref<13x32xf32>)
// CHECK: scf.for %[[I:.*]] = %c0 to %c13 step %c1 {
// CHECK: scf.for %[[J:.*]] = %c0 to %c32 step %c1 {
// CHECK: %[[OLD:.*]] = memref.load %[[C]][%[[I]], %[[J]]]
// CHECK: scf.for %[[E:.*]] = %c0 to %c4 step %c1 iter_args(%{{.*}} = %[[OLD]]) -> (f32) {
// CHECK: scf.for %[[P:.*]] = %c0 to %c64 step %c1 iter_args
// CHECK: memref.load %[[A]][%[[E]], %[[I]], %[[P]]]
// CHECK: %[[PANEL:.*]] = arith.divui %[[J]], %c16
// CHECK: %[[IN:.*]] = arith.remui %[[J]], %c16
// CHECK: memref.load %[[B]][%[[E]], %[[PANEL]], %[[P]], %[[IN]]]
// CHECK: memref.load %[[BIAS]][%[[J]]]
// CHECK: arith.addf
// CHECK: %[[R:.*]] = arith.maximumf
// CHECK: memref.store %[[R]], %[[C]][%[[I]], %[[J]]]
func.func @brgemm(%a: memref<4x13x64xf32>, %b: memref<4x2x64x16xf32>, %bias: memref<32xf32>, %c: memref<13x32xf32>) {
  tpp.brgemm sizes = [13, 32, 64] batch = stride beta = 1 ins(%a, %b : memref<4x13x64xf32>, memref<4x2x64x16xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>] post(%bias : memref<32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// With beta = 0, C is never read.
// CHECK-LABEL: @overwrite(
// CHECK-SAME: , %[[C:[^:,]*]]: memref<13x32xf32>)
// CHECK-NOT: memref.load %[[C]]
// CHECK: memref.store %{{.*}}, %[[C]]
func.func @overwrite(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// bf16 is computed in f32 and rounded once; integers in i32.
// CHECK-LABEL: @types(
// CHECK-COUNT-2: arith.extf {{.*}} : bf16 to f32
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK: arith.muli {{.*}} : i32
func.func @types(%a: memref<13x8xbf16>, %b: memref<4x32x2xbf16>, %c: memref<13x32xbf16>, %ai: memref<13x8xi8>, %bi: memref<8x32xi8>, %ci: memref<13x32xi32>) {
  tpp.brgemm sizes = [13, 32, 8] b_vnni = 2 ins(%a, %b : memref<13x8xbf16>, memref<4x32x2xbf16>) outs(%c : memref<13x32xbf16>)
  tpp.brgemm sizes = [13, 32, 8] a_unsigned ins(%ai, %bi : memref<13x8xi8>, memref<8x32xi8>) outs(%ci : memref<13x32xi32>)
  return
}
