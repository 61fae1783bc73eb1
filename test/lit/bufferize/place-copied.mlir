// A buffer that is copied into a part of another one becomes that part, if nothing else accesses the part meanwhile.
// RUN: tpp-opt %s --tpp-place-copied --canonicalize --split-input-file | FileCheck %s

// An image is a part of a concatenation and is read while the other part is written.
// CHECK-LABEL: func.func @concatenation(
// CHECK: %[[BOTH:.*]] = memref.alloc() : memref<8x32xf32>
// CHECK: %[[FIRST:.*]] = memref.subview %[[BOTH]][0, 0] [8, 16]
// CHECK: linalg.exp {{.*}} outs(%[[FIRST]]
// CHECK: %[[SECOND:.*]] = memref.subview %[[BOTH]][0, 16] [8, 16]
// CHECK: linalg.abs ins(%[[FIRST]] {{.*}} outs(%[[SECOND]]
// CHECK-NOT: memref.copy
// CHECK: linalg.exp ins(%[[BOTH]]
// CHECK: linalg.abs ins(%[[FIRST]]
func.func @concatenation(%x: memref<8x16xf32>, %y: memref<8x32xf32>, %z: memref<8x16xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  %both = memref.alloc() : memref<8x32xf32>
  %second = memref.subview %both[0, 16] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1], offset: 16>>
  linalg.abs ins(%image : memref<8x16xf32>) outs(%second : memref<8x16xf32, strided<[32, 1], offset: 16>>)
  %first = memref.subview %both[0, 0] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1]>>
  memref.copy %image, %first : memref<8x16xf32> to memref<8x16xf32, strided<[32, 1]>>
  linalg.exp ins(%both : memref<8x32xf32>) outs(%y : memref<8x32xf32>)
  linalg.abs ins(%image : memref<8x16xf32>) outs(%z : memref<8x16xf32>)
  return
}

// -----

// The two halves of an image are copied beside each other: the image is a part of the concatenation.
// CHECK-LABEL: func.func @halves(
// CHECK: %[[IMAGE:.*]] = memref.subview %arg1[0, 8] [8, 16] [1, 1]
// CHECK: linalg.exp {{.*}} outs(%[[IMAGE]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @halves(%x: memref<8x16xf32>, %y: memref<8x32xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  %a = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  %b = memref.subview %image[0, 8] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
  %c = memref.subview %y[0, 8] [8, 8] [1, 1] : memref<8x32xf32> to memref<8x8xf32, strided<[32, 1], offset: 8>>
  memref.copy %a, %c : memref<8x8xf32, strided<[16, 1]>> to memref<8x8xf32, strided<[32, 1], offset: 8>>
  %d = memref.subview %y[0, 16] [8, 8] [1, 1] : memref<8x32xf32> to memref<8x8xf32, strided<[32, 1], offset: 16>>
  memref.copy %b, %d : memref<8x8xf32, strided<[16, 1], offset: 8>> to memref<8x8xf32, strided<[32, 1], offset: 16>>
  return
}

// -----

// Near misses: only one half is copied, so the other would be written over what the target has there; the halves change places.
// CHECK-LABEL: func.func @one_half(
// CHECK: memref.copy
// CHECK-LABEL: func.func @changed_halves(
// CHECK-COUNT-2: memref.copy
func.func @one_half(%x: memref<8x16xf32>, %y: memref<8x32xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  %a = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  %c = memref.subview %y[0, 8] [8, 8] [1, 1] : memref<8x32xf32> to memref<8x8xf32, strided<[32, 1], offset: 8>>
  memref.copy %a, %c : memref<8x8xf32, strided<[16, 1]>> to memref<8x8xf32, strided<[32, 1], offset: 8>>
  linalg.exp ins(%image : memref<8x16xf32>) outs(%x : memref<8x16xf32>)
  return
}
func.func @changed_halves(%x: memref<8x16xf32>, %y: memref<8x32xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  %a = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  %b = memref.subview %image[0, 8] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
  %c = memref.subview %y[0, 16] [8, 8] [1, 1] : memref<8x32xf32> to memref<8x8xf32, strided<[32, 1], offset: 16>>
  memref.copy %a, %c : memref<8x8xf32, strided<[16, 1]>> to memref<8x8xf32, strided<[32, 1], offset: 16>>
  %d = memref.subview %y[0, 8] [8, 8] [1, 1] : memref<8x32xf32> to memref<8x8xf32, strided<[32, 1], offset: 8>>
  memref.copy %b, %d : memref<8x8xf32, strided<[16, 1], offset: 8>> to memref<8x8xf32, strided<[32, 1], offset: 8>>
  return
}

// -----

// A part of a part: boxes are those of the buffer. The fill of the whole buffer, its first access, is moved before the first use of the image.
// CHECK-LABEL: func.func @padded(
// CHECK: %[[INNER:.*]] = memref.subview %{{.*}}[1, 1] [8, 16] [1, 1]
// CHECK: linalg.fill
// CHECK: linalg.exp {{.*}} outs(%[[INNER]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @padded(%x: memref<8x16xf32>, %y: memref<10x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<10x40xf32>)
  %half = memref.subview %y[0, 0] [10, 20] [1, 1] : memref<10x40xf32> to memref<10x20xf32, strided<[40, 1]>>
  %inner = memref.subview %half[1, 1] [8, 16] [1, 1] : memref<10x20xf32, strided<[40, 1]>> to memref<8x16xf32, strided<[40, 1], offset: 41>>
  memref.copy %image, %inner : memref<8x16xf32> to memref<8x16xf32, strided<[40, 1], offset: 41>>
  %beside = memref.subview %half[1, 17] [8, 3] [1, 1] : memref<10x20xf32, strided<[40, 1]>> to memref<8x3xf32, strided<[40, 1], offset: 57>>
  linalg.fill ins(%zero : f32) outs(%beside : memref<8x3xf32, strided<[40, 1], offset: 57>>)
  return
}

// -----

// Near misses: the part is read before the copy; it is written while the image is still in use; the image is written after the copy.
// CHECK-LABEL: func.func @in_use(
// CHECK: memref.copy
// CHECK-LABEL: func.func @written(
// CHECK: memref.copy
// CHECK-LABEL: func.func @image_written(
// CHECK: memref.copy
func.func @in_use(%x: memref<8x16xf32>, %y: memref<8x16xf32>, %z: memref<8x16xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  linalg.abs ins(%y : memref<8x16xf32>) outs(%z : memref<8x16xf32>)
  memref.copy %image, %y : memref<8x16xf32> to memref<8x16xf32>
  return
}
func.func @written(%x: memref<8x16xf32>, %y: memref<8x16xf32>, %z: memref<8x16xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  memref.copy %image, %y : memref<8x16xf32> to memref<8x16xf32>
  linalg.abs ins(%y : memref<8x16xf32>) outs(%y : memref<8x16xf32>)
  linalg.exp ins(%image : memref<8x16xf32>) outs(%z : memref<8x16xf32>)
  return
}
func.func @image_written(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  memref.copy %image, %y : memref<8x16xf32> to memref<8x16xf32>
  linalg.abs ins(%image : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  linalg.exp ins(%image : memref<8x16xf32>) outs(%x : memref<8x16xf32>)
  return
}

// -----

// Near miss: rows that are apart cannot be collapsed to one dimension.
// CHECK-LABEL: func.func @collapsed(
// CHECK: memref.copy
func.func @collapsed(%x: memref<8x16xf32>, %y: memref<8x32xf32>, %z: memref<128xf32>) {
  %image = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
  %row = memref.collapse_shape %image [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  linalg.exp ins(%row : memref<128xf32>) outs(%z : memref<128xf32>)
  %first = memref.subview %y[0, 0] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1]>>
  memref.copy %image, %first : memref<8x16xf32> to memref<8x16xf32, strided<[32, 1]>>
  return
}
