// The non-temporal stores of a row are moved into the loop of the next row that computes most.
// RUN: tpp-opt %s --tpp-stream-results=least-bytes=1024 --split-input-file | FileCheck %s

// Blocks of four rows; the last block has three. Values that the stores need are carried along, a broadcast as its scalar. The
// row on the stack becomes two alternating rows. The prefetch of the next row stays in its loop. The end of the row that the
// computing loop does not cover gets its own loop.
// CHECK-DAG: #[[FIRST_ROW:.*]] = affine_map<()[s0] -> (s0 * 4)>
// CHECK-DAG: #[[SECOND_ROW:.*]] = affine_map<()[s0] -> (s0 * 4 + 1)>
// CHECK-DAG: #[[END_ROW:.*]] = affine_map<()[s0] -> (s0 * 4 + 4, 1031)>
// CHECK-DAG: #[[TURN:.*]] = affine_map<()[s0] -> ((s0 mod 2) * 1024)>
// CHECK-DAG: #[[ROW_BEFORE:.*]] = affine_map<()[s0] -> (s0 - 1)>
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: %[[X:.*]]: memref<1055744xf32>, %[[Y:.*]]: memref<1055744xf32>
// CHECK: scf.forall (%[[B:.*]]) in (258)
// CHECK-DAG: %[[ROWS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2048xf32>
// CHECK-DAG: %[[FIRST:.*]] = affine.apply #[[FIRST_ROW]]()[%[[B]]]
// CHECK-DAG: %[[SECOND:.*]] = affine.apply #[[SECOND_ROW]]()[%[[B]]]
// CHECK-DAG: %[[END:.*]] = affine.min #[[END_ROW]]()[%[[B]]]
// The first row of a block: no previous row to store.
// CHECK: %[[EVEN:.*]] = affine.apply #[[TURN]]()[%[[FIRST]]]
// CHECK: scf.for
// CHECK: math.exp
// CHECK: %[[P:.*]] = arith.addi %{{.*}}, %[[EVEN]]
// CHECK: vector.store %{{.*}}, %[[ROWS]][%[[P]]]
// CHECK: memref.prefetch %[[X]]
// CHECK: %[[START:.*]] = vector.reduction
// CHECK-NOT: vector.store
// The other rows.
// CHECK: %[[LAST:.*]] = scf.for %[[I:.*]] = %[[SECOND]] to %[[END]] step %{{.*}} iter_args(%[[SUM:.*]] = %[[START]]) -> (f32) {
// CHECK:   %[[BEFORE:.*]] = affine.apply #[[ROW_BEFORE]]()[%[[I]]]
// CHECK:   %[[ODD:.*]] = affine.apply #[[TURN]]()[%[[BEFORE]]]
// CHECK:   %[[SPLAT:.*]] = vector.broadcast %[[SUM]]
// CHECK:   scf.if
// CHECK:     scf.for %[[J:.*]] =
// CHECK:       math.exp
// CHECK:       memref.prefetch %[[X]]
// CHECK:       %[[P:.*]] = affine.apply #{{.*}}()[%[[BEFORE]], %[[J]]]
// CHECK:       %[[Q:.*]] = arith.addi %[[J]], %[[ODD]]
// CHECK:       %[[E:.*]] = vector.load %[[ROWS]][%[[Q]]]
// CHECK:       %[[D:.*]] = arith.divf %[[E]], %[[SPLAT]]
// CHECK:       vector.store %[[D]], %[[Y]][%[[P]]] {alignment = 64 : i64, nontemporal = true}
// CHECK:   } else {
// CHECK:   vector.reduction
// CHECK:   scf.for %{{.*}} = %c1008{{.*}} to %c1024
// CHECK:     arith.divf
// CHECK:     vector.store %{{.*}}, %[[Y]][%{{.*}}] {alignment = 64 : i64, nontemporal = true}
// CHECK:   scf.yield %{{.*}} : f32
// The last row of a block.
// CHECK: %[[AT:.*]] = affine.apply #[[ROW_BEFORE]]()[%[[END]]]
// CHECK: vector.broadcast %[[LAST]]
// CHECK: scf.for
// CHECK-NOT: prefetch
// CHECK: arith.divf
// CHECK: vector.store %{{.*}}, %[[Y]][%{{.*}}] {alignment = 64 : i64, nontemporal = true}
// One fence per block.
// CHECK: llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK-NOT: sfence
// CHECK: return
#at = affine_map<()[i, j] -> (i * 1024 + j)>
#next = affine_map<()[i] -> (i + 1, 1030)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 1048576, 4194304], cores = 1>} {
func.func @softmax(%x: memref<1055744xf32>, %y: memref<1055744xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1008 = arith.constant 1008 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (1031) {
    %row = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
    %next = affine.min #next()[%i]
    scf.for %j = %c0 to %c1008 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1055744xf32>, vector<16xf32>
      %e = math.exp %v : vector<16xf32>
      vector.store %e, %row[%j] : memref<1024xf32>, vector<16xf32>
    }
    %p = affine.apply #at()[%i, %c1008]
    %v = vector.load %x[%p] : memref<1055744xf32>, vector<16xf32>
    %e = math.exp %v : vector<16xf32>
    vector.store %e, %row[%c1008] : memref<1024xf32>, vector<16xf32>
    %sums = scf.for %j = %c0 to %c1024 step %c16 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %w = vector.load %row[%j] : memref<1024xf32>, vector<16xf32>
      %s = arith.addf %sums, %w : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    %sum = vector.reduction <add>, %sums : vector<16xf32> into f32
    %splat = vector.broadcast %sum : f32 to vector<16xf32>
    scf.for %j = %c0 to %c1024 step %c16 {
      %q = affine.apply #at()[%i, %j]
      %ahead = affine.apply #at()[%next, %j]
      memref.prefetch %x[%ahead], read, locality<3>, data : memref<1055744xf32>
      %w = vector.load %row[%j] : memref<1024xf32>, vector<16xf32>
      %d = arith.divf %w, %splat : vector<16xf32>
      vector.store %d, %y[%q] : memref<1055744xf32>, vector<16xf32>
    }
  }
  return
}
}

// -----

// A sum over four vectors at a time takes four store steps per iteration; the loop still returns its sums.
// CHECK-DAG: #[[QUARTER:.*]] = affine_map<()[s0] -> ((s0 floordiv 64) * 16)>
// CHECK-DAG: #[[REST:.*]] = affine_map<()[s0] -> ((s0 floordiv 64) * 48 + 256)>
// CHECK-LABEL: func.func @normalize
// CHECK-SAME: %[[X:.*]]: memref<1310720xf32>, %[[Y:.*]]: memref<1310720xf32>
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>) {
// CHECK:   %[[SUMS:.*]] = scf.if %{{.*}} -> (vector<16xf32>) {
// CHECK:     %[[STREAMED:.*]] = scf.for
// CHECK-COUNT-4: nontemporal = true
// CHECK-NOT: nontemporal
// CHECK:     scf.yield %[[STREAMED]] : vector<16xf32>
// CHECK:   } else {
// CHECK-COUNT-4: vector.store
// CHECK:   scf.yield %[[SUMS]] : vector<16xf32>
#long = affine_map<()[i, j] -> (i * 65536 + j)>
#at = affine_map<()[i, j] -> (i * 1024 + j)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 1048576, 4194304], cores = 1>} {
func.func @normalize(%x: memref<1310720xf32>, %y: memref<1310720xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
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

// Two sums over four vectors at a time share the stores by the amount they compute, 1 to 3: the first quarter of the previous row
// is stored in the first loop, the rest in the second one. The prefetch of the next row is split likewise.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: %[[X:.*]]: memref<1310720xf32>, %[[Y:.*]]: memref<1310720xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK: scf.if
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c64
// CHECK: memref.prefetch %[[X]]
// CHECK-NOT: prefetch
// CHECK: %[[AT:.*]] = affine.apply #[[QUARTER]]()[%[[J]]]
// CHECK: %[[P:.*]] = affine.apply #{{.*}}()[%{{.*}}, %[[AT]]]
// CHECK: vector.store %{{.*}}, %[[Y]][%[[P]]] {alignment = 64 : i64, nontemporal = true}
// CHECK-NOT: nontemporal
// CHECK: scf.if
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c64
// CHECK-COUNT-3: memref.prefetch %[[X]]
// CHECK-NOT: prefetch
// CHECK: affine.apply #[[REST]]()[%[[J]]]
// CHECK-COUNT-3: nontemporal = true
// CHECK-NOT: nontemporal
// CHECK: scf.yield
func.func @shared(%x: memref<1310720xf32>, %y: memref<1310720xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (1280) {
    %next = affine.min affine_map<()[i] -> (i + 1, 1279)>()[%i]
    %sums = scf.for %j = %c0 to %c1024 step %c64 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %s = arith.addf %sums, %v : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    %squares = scf.for %j = %c0 to %c1024 step %c64 iter_args(%squares = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %d = arith.subf %v, %sums : vector<16xf32>
      %e = arith.mulf %d, %d : vector<16xf32>
      %s = arith.addf %squares, %e : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    scf.for %j = %c0 to %c1024 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %q = affine.apply #at()[%next, %j]
      memref.prefetch %x[%q], read, locality<3>, data : memref<1310720xf32>
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %d = arith.subf %v, %sums : vector<16xf32>
      %e = arith.mulf %d, %squares : vector<16xf32>
      vector.store %e, %y[%p] : memref<1310720xf32>, vector<16xf32>
    }
  }
  return
}

// Near misses: a thousand rows do not balance the load of many threads,
// CHECK-LABEL: func.func @few_rows
// CHECK: scf.forall (%{{.*}}) in (1000)
// CHECK: nontemporal
func.func @few_rows(%x: memref<1024000xf32>, %y: memref<1024000xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (1000) {
    %sums = scf.for %j = %c0 to %c1024 step %c16 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1024000xf32>, vector<16xf32>
      %s = arith.addf %sums, %v : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    scf.for %j = %c0 to %c1024 step %c16 {
      %p = affine.apply #at()[%i, %j]
      vector.store %sums, %y[%p] : memref<1024000xf32>, vector<16xf32>
    }
  }
  return
}

// rows of which two do not fit the core's cache,
// CHECK-LABEL: func.func @long_rows
// CHECK: scf.forall (%{{.*}}) in (1024)
// CHECK: nontemporal
func.func @long_rows(%x: memref<67108864xf32>, %y: memref<67108864xf32> {tpp.result}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c65536 = arith.constant 65536 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (1024) {
    %sums = scf.for %j = %c0 to %c65536 step %c16 iter_args(%sums = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #long()[%i, %j]
      %v = vector.load %x[%p] : memref<67108864xf32>, vector<16xf32>
      %s = arith.addf %sums, %v : vector<16xf32>
      scf.yield %s : vector<16xf32>
    }
    scf.for %j = %c0 to %c65536 step %c16 {
      %p = affine.apply #long()[%i, %j]
      vector.store %sums, %y[%p] : memref<67108864xf32>, vector<16xf32>
    }
  }
  return
}

// a single loop, and a row whose stores are not its last operation.
// CHECK-LABEL: func.func @nothing_to_overlap
// CHECK: scf.forall (%{{.*}}) in (1280)
// CHECK: nontemporal
// CHECK: scf.forall (%{{.*}}) in (1280)
// CHECK: nontemporal
func.func @nothing_to_overlap(%x: memref<1310720xf32>, %y: memref<1310720xf32> {tpp.result}, %z: memref<1310720xf32> {tpp.result}, %ends: memref<1280xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1280) {
    scf.for %j = %c0 to %c1024 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      vector.store %v, %y[%p] : memref<1310720xf32>, vector<16xf32>
    }
  }
  scf.forall (%i) in (1280) {
    scf.for %j = %c0 to %c1024 step %c16 {
      %p = affine.apply #at()[%i, %j]
      %v = vector.load %x[%p] : memref<1310720xf32>, vector<16xf32>
      %e = math.exp %v : vector<16xf32>
      vector.store %e, %z[%p] : memref<1310720xf32>, vector<16xf32>
    }
    memref.store %zero, %ends[%i] : memref<1280xf32>
  }
  return
}
}
