// RUN: tpp-opt %s --tpp-count-moves --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-count-moves --tpp-count-moves --split-input-file | FileCheck %s --check-prefix=TWICE

// One of each: a pack and an unpack of 1 KiB, a transpose, a broadcast (64 bytes read, 1 KiB written).
// CHECK-LABEL: func.func @tensors
// CHECK-SAME: tpp.moves = {bytes = 7232 : i64, copies = 2 : i64, packs = 1 : i64, unpacks = 1 : i64}
// TWICE: tpp.moves = {bytes = 14464 : i64, copies = 4 : i64, packs = 2 : i64, unpacks = 2 : i64}
func.func @tensors(%a: tensor<16x16xf32>, %v: tensor<16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %e = tensor.empty() : tensor<16x2x8xf32>
  %p = linalg.pack %a inner_dims_pos = [1] inner_tiles = [8] into %e : tensor<16x16xf32> -> tensor<16x2x8xf32>
  %m = tensor.empty() : tensor<16x16xf32>
  %u = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [8] into %m : tensor<16x2x8xf32> -> tensor<16x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x16xf32>) outs(%m : tensor<16x16xf32>) permutation = [1, 0]
  %b = linalg.broadcast ins(%v : tensor<16xf32>) outs(%m : tensor<16x16xf32>) dimensions = [0]
  return %u, %t, %b : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// Loops multiply; what computes does not count, nor does a fill.
// CHECK-LABEL: func.func @buffers
// CHECK-SAME: tpp.moves = {bytes = 1024 : i64, copies = 8 : i64, packs = 0 : i64, unpacks = 0 : i64}
func.func @buffers(%a: memref<16xf32>, %b: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  }
  return
}
