// RUN: tpp-opt %s --tpp-approximate-math --cse | FileCheck %s

// Four iterations with exp are interleaved: each step of one is next to the same steps of the others. The remaining iterations
// follow in a loop that is not unrolled.
// CHECK-LABEL: func.func @exp
// CHECK: scf.for %{{.*}} = %c0 to %c192 step %c64
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK-COUNT-4: arith.cmpf ogt
// CHECK-COUNT-4: vector.store
// CHECK: scf.for
// CHECK: vector.load
// CHECK: vector.store
// CHECK-NOT: vector.load
// CHECK: return
module attributes {tpp.target = #tpp.target<isa = "avx2", vector_bits = 256, registers = 16, caches = [32768, 524288], cores = 1>} {
func.func @exp(%x: memref<240xf32>, %y: memref<240xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c240 = arith.constant 240 : index
  scf.for %i = %c0 to %c240 step %c16 {
    %v = vector.load %x[%i] : memref<240xf32>, vector<16xf32>
    %e = math.exp %v : vector<16xf32>
    vector.store %e, %y[%i] : memref<240xf32>, vector<16xf32>
  }
  return
}

// In place, where each iteration accesses its own elements. Only two vectors of erf, which needs more registers.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for
// CHECK: vector.load
// CHECK: vector.load
// CHECK: math.copysign
// CHECK: math.copysign
// CHECK-COUNT-2: vector.store
// CHECK: return
func.func @in_place(%x: memref<8x256xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<8x256xf32> into memref<2048xf32>
  scf.for %i = %c0 to %c256 step %c16 {
    %at = affine.apply affine_map<()[s0, s1] -> (s0 * 256 + s1)>()[%row, %i]
    %v = vector.load %flat[%at] : memref<2048xf32>, vector<16xf32>
    %e = math.erf %v : vector<16xf32>
    vector.store %e, %flat[%at] : memref<2048xf32>, vector<16xf32>
  }
  return
}

// A value that is stored and loaded again in the same iteration is loaded after its store.
// CHECK-LABEL: func.func @read_again
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %arg0
// CHECK-COUNT-4: vector.store
// CHECK-COUNT-4: vector.load %arg1
// CHECK: scf.yield
func.func @read_again(%x: memref<256xf32>, %row: memref<256xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %sum = scf.for %i = %c0 to %c256 step %c32 iter_args(%s = %zero) -> vector<16xf32> {
    %v = vector.load %x[%i] : memref<256xf32>, vector<16xf32>
    %e = math.exp %v : vector<16xf32>
    vector.store %e, %row[%i] : memref<256xf32>, vector<16xf32>
    %j = arith.addi %i, %c16 : index
    %w = vector.load %x[%j] : memref<256xf32>, vector<16xf32>
    %f = math.exp %w : vector<16xf32>
    vector.store %f, %row[%j] : memref<256xf32>, vector<16xf32>
    %a = vector.load %row[%i] : memref<256xf32>, vector<16xf32>
    %b = vector.load %row[%j] : memref<256xf32>, vector<16xf32>
    %ab = arith.addf %a, %b : vector<16xf32>
    %next = arith.addf %s, %ab : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  return %sum : vector<16xf32>
}

// Near misses: an iteration may read elements that another one writes (the distance is unknown), or has other side effects.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c16
// CHECK: vector.load
// CHECK-NOT: vector.load
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c16
// CHECK: vector.load
// CHECK-NOT: vector.load
// CHECK: return
func.func private @note()
func.func @kept(%x: memref<512xf32>, %far: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c16 {
    %at = arith.addi %i, %far : index
    %v = vector.load %x[%at] : memref<512xf32>, vector<16xf32>
    %e = math.exp %v : vector<16xf32>
    vector.store %e, %x[%i] : memref<512xf32>, vector<16xf32>
  }
  scf.for %i = %c0 to %c256 step %c16 {
    %v = vector.load %x[%i] : memref<512xf32>, vector<16xf32>
    %e = math.exp %v : vector<16xf32>
    func.call @note() : () -> ()
    vector.store %e, %x[%i] : memref<512xf32>, vector<16xf32>
  }
  return
}
}
