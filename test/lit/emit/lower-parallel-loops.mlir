// RUN: tpp-opt %s --tpp-lower-parallel-loops=threads=2 --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-lower-parallel-loops=threads=1 --split-input-file | FileCheck %s --check-prefix=ONE --implicit-check-not=omp.

// Enough work for two threads. The stack buffer is allocated once per thread.
// CHECK-LABEL: func.func @work
// CHECK: %[[THREADS:.*]] = arith.constant 2 : i32
// CHECK: omp.parallel num_threads(%[[THREADS]] : i32) {
// CHECK-NEXT: memref.alloca() : memref<16xf32>
// CHECK-NEXT: omp.wsloop nowait {
// CHECK-NEXT: omp.loop_nest (%{{.*}}, %{{.*}}) : index = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) collapse(2) {
// CHECK: scf.for
// CHECK: omp.yield
// CHECK: omp.terminator
// ONE-LABEL: func.func @work
// ONE: memref.alloca
// ONE: scf.for
// ONE: scf.for
// ONE: scf.for
func.func @work(%a: memref<64x64x16xf32>) {
  scf.forall (%i, %j) in (64, 64) {
    %t = memref.alloca() : memref<16xf32>
    scf.forall (%k) in (16) {
      %v = memref.load %a[%i, %j, %k] : memref<64x64x16xf32>
      memref.store %v, %t[%k] : memref<16xf32>
      memref.store %v, %a[%i, %j, %k] : memref<64x64x16xf32>
    }
  } {tpp.work_ns = 40000 : i64}
  return
}

// -----

// Near miss: too little work for two threads.
// CHECK-LABEL: func.func @little
// CHECK-NOT: omp
// CHECK: scf.for
func.func @little(%a: memref<64xf32>) {
  scf.forall (%i) in (64) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 39999 : i64}
  return
}

// -----

// Without the attribute the work is estimated: 64 x 2 x 64^3 flops are enough, one 64^3 is not. scf.parallel is lowered likewise.
// CHECK-LABEL: func.func @estimate
// CHECK: omp.parallel
// CHECK: tpp.invoke
// CHECK: scf.for
// CHECK: tpp.invoke
// CHECK-NOT: omp.parallel
func.func @estimate(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %k = tpp.dispatch #tpp.brgemm_desc<m = 64, n = 64, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 64>, c = <type = f32, ld = 64>>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    tpp.invoke %k ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) batch(%c1) outs(%c : memref<64x64xf32>)
  }
  scf.forall (%i) in (1) {
    tpp.invoke %k ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) batch(%c1) outs(%c : memref<64x64xf32>)
  }
  return
}
