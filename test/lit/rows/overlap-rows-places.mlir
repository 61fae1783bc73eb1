// Overlapping rows (OverlapRows.h): inputs beyond the loops that vectorization creates. Also with a malloc that overwrites freed
// memory.
// RUN: tpp-opt %s --tpp-stream-results=least-bytes=1024 | FileCheck %s
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=0 MALLOC_PERTURB_=165 tpp-opt %s --tpp-stream-results=least-bytes=1024 | FileCheck %s

#at = affine_map<()[i, j] -> (i * 1024 + j)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 1048576, 4194304], cores = 1>} {
// The bounds of the storing loop are constants inside the row's body.
// CHECK-LABEL: func.func @bounds
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: scf.for
// CHECK: nontemporal
// CHECK: return
func.func @bounds(%x: memref<1310720xf32>, %y: memref<1310720xf32> {tpp.result}) {
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (1280) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %sums = scf.for %j = %c0 to %c1024 step %c64 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %s = arith.addf %sums, %v : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    scf.for %j = %c0 to %c1024 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %d = arith.subf %v, %sums : vector<16xf32>
      vector.store %d, %y[%p] : memref<1310720xf32>, vector<16xf32>
    }
  }
  return
}

// The address of the next row is computed after the loop that is to prefetch it.
// CHECK-LABEL: func.func @places
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: affine.min
// CHECK: scf.for %{{.*}} step %c64
// CHECK: memref.prefetch
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK: nontemporal
// CHECK: return
func.func @places(%x: memref<1310720xf32>, %y: memref<1310720xf32> {tpp.result}) {
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.forall (%i) in (1280) {
    %sums = scf.for %j = %c0 to %c1024 step %c64 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %s = arith.addf %sums, %v : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    %next = affine.min affine_map<()[i] -> (i + 1, 1279)>()[%i]
    scf.for %j = %c0 to %c1024 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %q = affine.apply #at()[%next, %j]
      memref.prefetch %x[%q], read, locality<3>, data : memref<1310720xf32>
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %d = arith.subf %v, %sums : vector<16xf32>
      vector.store %d, %y[%p] : memref<1310720xf32>, vector<16xf32>
    }
  }
  return
}

// Of the loops that store a row's result, only the last one is overlapped with the next row, not one nested in an earlier loop.
// CHECK-LABEL: func.func @nested
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: nontemporal
// CHECK: llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK: return
func.func @nested(%x: memref<1310720xf32>, %y: memref<1310720xf32> {tpp.result}) {
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  scf.forall (%i) in (1280) {
    %sums = scf.for %j = %c0 to %c512 step %c64 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %s = arith.addf %sums, %v : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    scf.for %k = %c512 to %c1024 step %c64 {
      scf.for %j = %c0 to %c64 step %c16 {
        %jj = arith.addi %k, %j : index
        %p = affine.apply #at()[%i, %jj]
        vector.store %zeros, %y[%p] : memref<1310720xf32>, vector<16xf32>
      }
    }
    scf.for %j = %c0 to %c512 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %d = arith.subf %v, %sums : vector<16xf32>
      vector.store %d, %y[%p] : memref<1310720xf32>, vector<16xf32>
    }
  }
  return
}

// A result that is stored before the rows, by a loop that is replaced by another one, gets its fence as well.
// CHECK-LABEL: func.func @front
// CHECK: vector.store %{{.*}}, %arg1[%{{.*}}] {alignment = 64 : i64, nontemporal = true}
// CHECK: llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK: return
func.func @front(%x: memref<1310720xf32>, %z: memref<1024xf32> {tpp.result}, %y: memref<1310720xf32> {tpp.result}) {
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.for %j = %c0 to %c1024 step %c16 {
    vector.store %zeros, %z[%j] : memref<1024xf32>, vector<16xf32>
  }
  scf.forall (%i) in (1280) {
    %sums = scf.for %j = %c0 to %c1024 step %c64 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %s = arith.addf %sums, %v : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    scf.for %j = %c0 to %c1024 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %d = arith.subf %v, %sums : vector<16xf32>
      vector.store %d, %y[%p] : memref<1310720xf32>, vector<16xf32>
    }
  }
  return
}
}
