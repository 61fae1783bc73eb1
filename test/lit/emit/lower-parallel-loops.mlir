// RUN: tpp-opt %s --tpp-target='#tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {fork_ns = 1000}>' --tpp-lower-parallel-loops=threads=2 --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-target='#tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {fork_ns = 1000}>' --tpp-lower-parallel-loops=threads=1 --split-input-file | FileCheck %s --check-prefix=ONE --implicit-check-not=tpp.team

// Enough work for two threads. The stack buffer is allocated once per thread.
// Each thread executes consecutive iterations of the 4096, as many as the other one or one more.
// CHECK-LABEL: func.func @work
// CHECK: tpp.team threads(2) {
// CHECK-NEXT: ^bb0(%[[THREAD:.*]]: index, %[[THREADS:.*]]: index):
// CHECK-NEXT: memref.alloca() : memref<16xf32>
// CHECK: %[[SHARE:.*]] = arith.divui %[[TOTAL:.*]], %[[THREADS]]
// CHECK: %[[REST:.*]] = arith.remui %[[TOTAL]], %[[THREADS]]
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[THREAD]], %[[SHARE]]
// CHECK: %[[EXTRA:.*]] = arith.minui %[[THREAD]], %[[REST]]
// CHECK: %[[BEGIN:.*]] = arith.addi %[[PRODUCT]], %[[EXTRA]]
// CHECK: %[[HAS:.*]] = arith.cmpi ult, %[[THREAD]], %[[REST]]
// CHECK: %[[MORE:.*]] = arith.addi %[[SHARE]]
// CHECK: %[[COUNT:.*]] = arith.select %[[HAS]], %[[MORE]], %[[SHARE]]
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[COUNT]]
// CHECK: scf.for %[[N:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: arith.remui %[[N]]
// CHECK: arith.divui %[[N]]
// CHECK: scf.for
// CHECK: tpp.team_end
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

// Near miss: too little work in the whole function to wake threads.
// CHECK-LABEL: func.func @little
// CHECK-NOT: tpp.team
// CHECK: scf.for
func.func @little(%a: memref<64xf32>) {
  scf.forall (%i) in (64) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 39999 : i64}
  return
}

// -----

// Without the attribute the work is estimated: 64 products of 64^3 are enough, one of 8^3 is not. scf.parallel is lowered likewise.
// CHECK-LABEL: func.func @estimate
// CHECK: tpp.team
// CHECK: tpp.invoke
// CHECK: scf.for
// CHECK: tpp.invoke
// CHECK-NOT: tpp.team
func.func @estimate(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<8x8xf32>, %e: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %k = tpp.dispatch #tpp.brgemm_desc<m = 64, n = 64, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 64>, c = <type = f32, ld = 64>>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    tpp.invoke %k ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) batch(%c1) outs(%c : memref<64x64xf32>)
  }
  %small = tpp.dispatch #tpp.brgemm_desc<m = 8, n = 8, k = 8, a = <type = f32, ld = 8>, b = <type = f32, ld = 8>, c = <type = f32, ld = 8>>
  scf.forall (%i) in (1) {
    tpp.invoke %small ins(%d, %d : memref<8x8xf32>, memref<8x8xf32>) batch(%c1) outs(%e : memref<8x8xf32>)
  }
  return
}
