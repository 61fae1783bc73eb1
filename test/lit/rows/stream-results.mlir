// Results that do not fit the caches are stored with non-temporal stores of whole cache lines, if they start at a cache line.
// RUN: tpp-opt %s --tpp-stream-results=least-bytes=1024 --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-stream-results --split-input-file | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: nontemporal
// SMALL: vector.store
// SMALL-NOT: nontemporal

// CHECK-LABEL: func.func @whole_lines
// CHECK-SAME: %[[X:.*]]: memref<512xf32>, %[[Y:.*]]: memref<16x32xf32>
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: %[[WITHIN:.*]] = arith.andi %[[ADDRESS]], %c63
// CHECK: %[[STARTS:.*]] = arith.cmpi eq, %[[WITHIN]], %c0
// CHECK: scf.forall (%[[I:.*]]) in (16)
// CHECK: scf.if %[[STARTS]] {
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[AT:.*]] = affine.apply
// Prefetch: the block of four pages after the current one, one line of each page in turn.
// CHECK: %[[IN:.*]] = arith.andi %{{.*}}, %c4095
// CHECK: %[[START:.*]] = arith.subi %{{.*}}, %[[IN]]
// CHECK: %[[LINE:.*]] = arith.divui %[[IN]], %c16
// CHECK: %[[PAGE:.*]] = arith.remui %[[LINE]], %c4
// CHECK: %[[LINE_OF_PAGE:.*]] = arith.divui %[[LINE]], %c4
// CHECK: %[[NEXT:.*]] = arith.addi %[[START]], %c4096
// CHECK: %[[TO_PAGE:.*]] = arith.muli %[[PAGE]], %c1024
// CHECK: %[[PAGE_START:.*]] = arith.addi %[[NEXT]], %[[TO_PAGE]]
// CHECK: %[[TO_LINE:.*]] = arith.muli %[[LINE_OF_PAGE]], %c16
// CHECK: %[[AHEAD:.*]] = arith.addi %[[PAGE_START]], %[[TO_LINE]]
// CHECK: memref.prefetch %[[X]][%[[AHEAD]]], read
// CHECK: vector.load %[[X]][%[[AT]]]
// CHECK: vector.store %{{.*}}, %{{.*}}[%[[AT]]] {alignment = 64 : i64, nontemporal = true}
// CHECK: } else {
// CHECK: vector.store %{{[^{]*}} : memref<512xf32
// CHECK: }
// CHECK: }
// CHECK-NEXT: llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK-NEXT: }
// CHECK-NEXT: return
#at = affine_map<()[i, j] -> (i * 32 + j)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 1048576], cores = 1>} {
func.func @whole_lines(%x: memref<512xf32>, %y: memref<16x32xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %flat = memref.reinterpret_cast %y to offset: [0], sizes: [512], strides: [1] : memref<16x32xf32> to memref<512xf32, strided<[1]>>
  scf.forall (%i) in (16) {
    scf.for %j = %c0 to %c32 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<512xf32>, vector<16xf32>
      vector.store %v, %flat[%p] : memref<512xf32, strided<[1]>>, vector<16xf32>
    }
  }
  return
}

// Near misses: rows of 40 elements do not start at cache lines; a result that is read; a buffer that is no result; vectors of
// half a line.
// CHECK-LABEL: func.func @others
// CHECK-NOT: nontemporal
// CHECK: return
func.func @others(%rows: memref<640xf32> {tpp.result}, %read: memref<512xf32> {tpp.result}, %inside: memref<512xf32>, %half: memref<512xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %few = arith.constant dense<0.0> : vector<8xf32>
  scf.forall (%i) in (16) {
    scf.for %j = %c0 to %c32 step %c16 {
      %p = affine.apply affine_map<()[i, j] -> (i * 40 + j)>()[%i, %j]
      %q = affine.apply #at()[%i, %j]
      %v = vector.load %read[%q] : memref<512xf32>, vector<16xf32>
      vector.store %zeros, %rows[%p] : memref<640xf32>, vector<16xf32>
      vector.store %v, %read[%q] : memref<512xf32>, vector<16xf32>
      vector.store %v, %inside[%q] : memref<512xf32>, vector<16xf32>
    }
    scf.for %j = %c0 to %c32 step %c8 {
      %q = affine.apply #at()[%i, %j]
      vector.store %few, %half[%q] : memref<512xf32>, vector<8xf32>
    }
  }
  return
}
}

// -----

// An unknown target has no fence instruction to order such stores.
// CHECK-LABEL: func.func @portable
// CHECK-NOT: nontemporal
// CHECK: return
module attributes {tpp.target = #tpp.target<isa = "portable", vector_bits = 128, registers = 16, caches = [32768], cores = 1>} {
func.func @portable(%y: memref<512xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %j = %c0 to %c512 step %c16 {
    vector.store %zeros, %y[%j] : memref<512xf32>, vector<16xf32>
  }
  return
}
}
