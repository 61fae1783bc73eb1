// Copies of f32 between different contiguous dimensions become squares of transpose tiles; others are left to vector code.
// RUN: tpp-opt %s --tpp-tile-transposes --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @one_tile(
// CHECK-NOT: scf.
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<20x48xf32{{.*}}>) outs(%{{.*}} : memref<48x20xf32{{.*}}>)
// CHECK-NOT: linalg.
// CHECK: return
func.func @one_tile(%a: memref<20x48xf32>, %b: memref<48x20xf32>) {
  linalg.transpose ins(%a : memref<20x48xf32>) outs(%b : memref<48x20xf32>) permutation = [1, 0]
  return
}

// -----

// Squares of 64, a narrower tail in both directions: four sizes.
// CHECK-LABEL: @tails(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 3) {
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<2x3xf32, strided<[67, 1], offset: ?>>) outs(%{{.*}} : memref<3x2xf32, strided<[130, 1], offset: ?>>)
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<64x3xf32, strided<[67, 1], offset: ?>>)
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<2x64xf32, strided<[67, 1], offset: ?>>)
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<64x64xf32, strided<[67, 1], offset: ?>>)
// CHECK: tpp.work_ns
func.func @tails(%a: memref<130x67xf32>, %b: memref<67x130xf32>) {
  linalg.transpose ins(%a : memref<130x67xf32>) outs(%b : memref<67x130xf32>) permutation = [1, 0]
  return
}

// -----

// Batches are loops; dimensions that stay neighbours (4 x 5) are one.
// CHECK-LABEL: @merged(
// CHECK: scf.forall (%{{.*}}) in (3) {
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<20x16xf32, strided<[16, 1], offset: ?>>) outs(%{{.*}} : memref<16x20xf32, strided<[20, 1], offset: ?>>)
func.func @merged(%a: memref<3x4x5x16xf32>, %b: memref<3x16x4x5xf32>) {
  linalg.transpose ins(%a : memref<3x4x5x16xf32>) outs(%b : memref<3x16x4x5xf32>) permutation = [0, 3, 1, 2]
  return
}

// -----

// Near misses: the contiguous dimension stays; narrower than a square in registers; another type; a body that computes.
// CHECK-LABEL: @left(
// CHECK-NOT: tpp.unary
// CHECK-COUNT-3: linalg.transpose
// CHECK: linalg.generic
func.func @left(%a: memref<3x4x16xf32>, %b: memref<4x3x16xf32>, %c: memref<3x50xf32>, %d: memref<50x3xf32>, %e: memref<8x9xf64>, %f: memref<9x8xf64>, %g: memref<8x9xf32>, %h: memref<9x8xf32>) {
  linalg.transpose ins(%a : memref<3x4x16xf32>) outs(%b : memref<4x3x16xf32>) permutation = [1, 0, 2]
  linalg.transpose ins(%c : memref<3x50xf32>) outs(%d : memref<50x3xf32>) permutation = [1, 0]
  linalg.transpose ins(%e : memref<8x9xf64>) outs(%f : memref<9x8xf64>) permutation = [1, 0]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%g : memref<8x9xf32>) outs(%h : memref<9x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  }
  return
}
