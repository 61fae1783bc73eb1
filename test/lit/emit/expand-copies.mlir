// RUN: tpp-opt %s --tpp-expand-copies --split-input-file | FileCheck %s

// A copy with a strided side becomes a loop nest. A contiguous one stays and becomes memcpy.
// CHECK-LABEL: func.func @copies
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<4x8xf32> to memref<4x8xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[V:.*]] = memref.load %{{.*}} : memref<4x8xf32>
// CHECK: memref.store %[[V]], %{{.*}} : memref<4x8xf32, strided<[16, 1], offset: 4>>
// CHECK-NOT: memref.copy
func.func @copies(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %c: memref<4x16xf32>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  %s = memref.subview %c[0, 4] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 4>>
  memref.copy %a, %s : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: 4>>
  return
}

// -----

// Remaining linalg ops become loops.
// CHECK-LABEL: func.func @linalg
// CHECK: scf.for
// CHECK: math.exp
// CHECK-NOT: linalg
func.func @linalg(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}
