// Globals are numbered in program order. One-shot bufferization visits functions in any order; it uses the existing globals and
// numbers none anew.
// RUN: tpp-opt %s --tpp-create-globals | FileCheck %s
// RUN: tpp-opt %s --tpp-create-globals --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefixes=CHECK,BUFFER

// The last global is first in the module. Equal constants share one global.
// CHECK: module
// CHECK-NEXT: memref.global "private" constant @__constant_2x1xf32 : memref<2x1xf32> = dense<{{.*}}> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_2 : memref<2xf32> = dense<[3.000000e+00, 4.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_1 : memref<2xf32> = dense<[2.000000e+00, 3.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[0.000000e+00, 1.000000e+00]> {alignment = 64 : i64}
// CHECK-NOT: memref.global
// CHECK-LABEL: func.func @first
// BUFFER: memref.get_global @__constant_2xf32 :
func.func @first() -> tensor<2xf32> {
  %0 = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// BUFFER-LABEL: func.func @second
// BUFFER: memref.get_global @__constant_2xf32_0 :
func.func @second() -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// BUFFER-LABEL: func.func @third
// BUFFER: memref.get_global @__constant_2xf32_1 :
func.func @third() -> tensor<2xf32> {
  %0 = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// BUFFER-LABEL: func.func @fourth
// BUFFER: memref.get_global @__constant_2xf32_2 :
func.func @fourth() -> tensor<2xf32> {
  %0 = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Constants inside regions get globals, too.
// BUFFER-LABEL: func.func @fifth
// BUFFER-DAG: memref.get_global @__constant_2x1xf32 :
// BUFFER-DAG: memref.get_global @__constant_2xf32_0 :
func.func @fifth(%condition: i1) -> tensor<2xf32> {
  %0 = scf.if %condition -> tensor<2xf32> {
    %1 = arith.constant dense<[[4.0], [5.0]]> : tensor<2x1xf32>
    %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x1xf32> into tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  } else {
    %1 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// Near misses: scalar and vector constants need no memory.
// CHECK-LABEL: func.func @registers
// CHECK: arith.constant 1.0
// CHECK: arith.constant dense
func.func @registers() -> (f32, vector<2xf32>) {
  %0 = arith.constant 1.0 : f32
  %1 = arith.constant dense<[5.0, 6.0]> : vector<2xf32>
  return %0, %1 : f32, vector<2xf32>
}
