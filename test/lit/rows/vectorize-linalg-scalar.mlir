// Ops without a vector form become scalar loops, with a remark that gives the reason and a count on the function. Also: invalid
// options.
// RUN: tpp-opt %s --tpp-vectorize-linalg --split-input-file -verify-diagnostics | FileCheck %s
// RUN: not tpp-opt %s --tpp-vectorize-linalg=vector-bits=100 --split-input-file 2>&1 | FileCheck %s --check-prefix=BITS

// BITS: vector-bits must be 0 or a power of two from 32 to 65536
// CHECK-LABEL: @memory_access(
// CHECK-SAME: tpp.scalar_loops = 1
// CHECK-NOT: vector<
// CHECK: scf.for
// CHECK: memref.load
func.func @memory_access(%ids: memref<128xindex>, %table: memref<9xf32>, %o: memref<128xf32>) {
  // expected-remark @below {{computed in scalar loops: each element is loaded from an index of its own}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%ids : memref<128xindex>) outs(%o : memref<128xf32>) {
  ^bb0(%i: index, %x: f32):
    %v = memref.load %table[%i] : memref<9xf32>
    linalg.yield %v : f32
  }
  return
}

// -----

// A boolean is a byte in memory; other odd widths cannot be loaded as vectors.
// CHECK-LABEL: @nibbles(
// CHECK-SAME: tpp.scalar_loops = 1
// CHECK-NOT: vector<
func.func @nibbles(%a: memref<128xi4>, %o: memref<128xi4>) {
  // expected-remark @below {{computed in scalar loops: an operand's element type has no vector form in memory}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<128xi4>) outs(%o : memref<128xi4>) {
  ^bb0(%x: i4, %p: i4):
    %v = arith.addi %x, %x : i4
    linalg.yield %v : i4
  }
  return
}

// -----

// The accumulator is read twice, so the order of the reduction must be kept.
// CHECK-LABEL: @recurrence(
// CHECK-SAME: tpp.scalar_loops = 1
// CHECK-NOT: vector<
func.func @recurrence(%a: memref<128xf32>, %o: memref<f32>) {
  %half = arith.constant 0.5 : f32
  // expected-remark @below {{computed in scalar loops: no dimension can be computed in vectors}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<128xf32>) outs(%o : memref<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %d = arith.mulf %acc, %half : f32
    %s = arith.addf %d, %x : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Few iterations are not worth a remark.
// CHECK-LABEL: @few(
// CHECK-NOT: tpp.scalar_loops
// CHECK-NOT: vector<
// CHECK: return
func.func @few(%a: memref<f32>, %b: memref<f32>) {
  linalg.exp ins(%a : memref<f32>) outs(%b : memref<f32>)
  return
}

// -----

// A loop over outputs that is marked as a reduction: the order of its iterations is kept.
// CHECK-LABEL: @reduction_writes_all(
// CHECK-SAME: tpp.scalar_loops = 1
// CHECK-NOT: vector<
func.func @reduction_writes_all(%a: memref<16x16xf32>, %o: memref<16xf32>) {
  // expected-remark @below {{computed in scalar loops: a loop that is marked as a reduction writes several elements}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["reduction", "reduction"]} ins(%a : memref<16x16xf32>) outs(%o : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
