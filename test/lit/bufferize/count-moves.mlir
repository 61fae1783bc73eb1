// RUN: tpp-opt %s --tpp-count-moves --split-input-file | FileCheck %s
// A second run appends to the list.
// RUN: tpp-opt %s --tpp-count-moves --tpp-count-moves --tpp-layout-report=- --split-input-file -o /dev/null | FileCheck %s --check-prefix=TWICE

// One of each: a pack and an unpack of 1 KiB, a transpose, a broadcast (64 bytes read, 1 KiB written).
// CHECK-LABEL: func.func @tensors
// CHECK-SAME: tpp.moves = [
// CHECK-SAME: {bytes = 2048 : i64, from = "16x16xf32", layout = "inner_dims_pos = [1], inner_tiles = [8]", location = "{{.*}}:8", note = "argument 0 comes in another order", reason = "edge", times = 1 : i64, to = "16x2x8xf32", what = "pack"},
// CHECK-SAME: {bytes = 2048 : i64, from = "16x2x8xf32", layout = "inner_dims_pos = [1], inner_tiles = [8]", {{.*}} note = "result 0 is wanted in this order", reason = "edge", times = 1 : i64, to = "16x16xf32", what = "unpack"},
// CHECK-SAME: {bytes = 2048 : i64, from = "16x16xf32", layout = "outer_dims_perm = [1, 0]", {{.*}} reason = "edge", times = 1 : i64, to = "16x16xf32", what = "transpose"},
// CHECK-SAME: {bytes = 1088 : i64, from = "16xf32", {{.*}} note = "required by the program: argument 1, returned as a result", reason = "program", times = 1 : i64, to = "16x16xf32", what = "broadcast"}]
// TWICE: @tensors: packs 2, unpacks 2, copies 4, 14464 bytes
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

// Loops multiply the counts. Ops that compute are not counted, nor are fills.
// CHECK-LABEL: func.func @buffers
// CHECK-SAME: tpp.moves = [{bytes = 1024 : i64, from = "16xf32", {{.*}} note = "the program writes argument 1", reason = "program", times = 8 : i64, to = "16xf32", what = "copy"}]
// TWICE: @buffers: packs 0, unpacks 0, copies 16, 2048 bytes
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

// -----

// An attribute of the same name that is not such a list is replaced.
// CHECK-LABEL: func.func @foreign
// CHECK-SAME: attributes {tpp.moves = []}
func.func @foreign() attributes {tpp.moves = ["mine"]} {
  return
}
