// Parallel loops that reduce values, on buffers: sums, several values, loops in loops.
// RUN: tpp-run %s --entry=sum --input=2 --output=%t.npy,%t.x.npy | FileCheck %s
// RUN: tail -c 4 %t.npy | od -An -tf4 | FileCheck %s --check-prefix=SUM
// RUN: tpp-run %s --entry=sum --input=random --check=reference --threads=2 | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=rows --input=random,zeros --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=rows --input=random,zeros --check=reference --threads=2 | FileCheck %s --check-prefix=EQUAL

// CHECK: moved
// EQUAL: equals the reference

// 5 + 2 * 32
// SUM: 69
func.func @sum(%x: memref<4x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %first = arith.constant 5.0 : f32
  %0 = scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) init (%first) -> f32 {
    %v = memref.load %x[%i, %j] : memref<4x8xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %0 : f32
}

// The largest value and the sum of each row, in a parallel loop over rows.
func.func @rows(%x: memref<4x8xf32>, %y: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %0:2 = scf.parallel (%j) = (%c0) to (%c8) step (%c1) init (%low, %zero) -> (f32, f32) {
      %v = memref.load %x[%i, %j] : memref<4x8xf32>
      scf.reduce(%v, %v : f32, f32) {
      ^bb0(%a: f32, %b: f32):
        %m = arith.maximumf %a, %b : f32
        scf.reduce.return %m : f32
      }, {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        scf.reduce.return %s : f32
      }
    }
    memref.store %0#0, %y[%i, %c0] : memref<4x2xf32>
    memref.store %0#1, %y[%i, %c1] : memref<4x2xf32>
    scf.reduce
  }
  return
}
