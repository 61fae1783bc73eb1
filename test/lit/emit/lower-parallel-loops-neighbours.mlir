// Consecutive loops with no memory access between them share one team.
// RUN: tpp-opt %s --tpp-target='#tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {fork_ns = 1000}>' --tpp-lower-parallel-loops=threads=2 --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-target='#tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {fork_ns = 1000}>' --tpp-lower-parallel-loops=threads=1 --split-input-file | FileCheck %s --check-prefix=ONE --implicit-check-not=tpp.team

// Every loop but the last is followed by a barrier. Code between two loops is executed in the team, before the second loop.
// Values that are used after the team (%v), and their operands (%c16384), are computed before it. Stack buffers are allocated once,
// at its start.
// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[A:.*]]: memref<64x64xf32>, %[[W:.*]]: memref<32768xi8>)
// CHECK: %[[C:.*]] = arith.constant 16384 : index
// CHECK: %[[V:.*]] = memref.view %[[W]][%[[C]]]
// CHECK: tpp.team threads(2)
// CHECK: %[[S:.*]] = memref.alloca() : memref<16xf32>
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: tpp.team_barrier
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[U:.*]] = memref.view %[[W]][%[[C0]]]
// CHECK-NEXT: %[[K:.*]] = tpp.dispatch
// CHECK: scf.for
// CHECK: tpp.invoke %[[K]] ins(%[[A]] {{.*}} outs(%[[U]]
// CHECK: tpp.team_barrier
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: tpp.invoke %[[K]] ins(%[[U]] {{.*}} outs(%[[V]]
// CHECK-NOT: tpp.team_barrier
// CHECK: tpp.team_end
// CHECK-NOT: tpp.team
// CHECK: memref.load %[[V]]
// ONE-LABEL: func.func @three(
// ONE-COUNT-4: scf.for
func.func @three(%a: memref<64x64xf32>, %w: memref<32768xi8>) -> f32 {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (64) {
    memref.store %zero, %a[%i, %i] : memref<64x64xf32>
  } {tpp.work_ns = 40000 : i64}
  %c0 = arith.constant 0 : index
  %u = memref.view %w[%c0][] : memref<32768xi8> to memref<64x64xf32>
  %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 64, n = 64, in = <type = f32, ld = 64>, out = <type = f32, ld = 64>>
  scf.forall (%i, %j) in (64, 2) {
    tpp.invoke %k ins(%a : memref<64x64xf32>) outs(%u : memref<64x64xf32>)
  } {tpp.work_ns = 40000 : i64}
  %c16384 = arith.constant 16384 : index
  %v = memref.view %w[%c16384][] : memref<32768xi8> to memref<64x64xf32>
  scf.forall (%i) in (16) {
    %s = memref.alloca() : memref<16xf32>
    memref.store %zero, %s[%i] : memref<16xf32>
    tpp.invoke %k ins(%u : memref<64x64xf32>) outs(%v : memref<64x64xf32>)
  } {tpp.work_ns = 40000 : i64}
  %c1 = arith.constant 1 : index
  %first = memref.load %v[%c1, %c1] : memref<64x64xf32>
  return %first : f32
}

// -----

// Near miss: a load may read what the loop before it writes. A small loop between two others is shared: a barrier costs less than another team.
// CHECK-LABEL: func.func @something_between(
// CHECK-COUNT-2: tpp.team_end
// CHECK: memref.load
// CHECK: tpp.team threads
// CHECK-COUNT-2: tpp.team_barrier
// CHECK-NOT: tpp.team_barrier
// CHECK: tpp.team_end
// CHECK-NOT: tpp.team
// CHECK: return
func.func @something_between(%a: memref<64xf32>, %b: memref<64xf32>, %again: i1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.if %again {
    scf.forall (%i) in (64) {
      memref.store %zero, %a[%i] : memref<64xf32>
    } {tpp.work_ns = 40000 : i64}
  }
  scf.forall (%i) in (64) {
    memref.store %zero, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 40000 : i64}
  %v = memref.load %a[%c0] : memref<64xf32>
  scf.forall (%i) in (64) {
    memref.store %v, %b[%i] : memref<64xf32>
  } {tpp.work_ns = 40000 : i64}
  scf.forall (%i) in (64) {
    memref.store %v, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 10 : i64}
  scf.forall (%i) in (64) {
    memref.store %zero, %b[%i] : memref<64xf32>
  } {tpp.work_ns = 40000 : i64}
  return
}

// -----

// Loops that are too small for a team of their own: with a large one, they share its team, unless they are smaller than 8 barriers of 300 ns (the
// last one before the first load). Alone, two of them stay sequential, and four form a team: the loops are 8 times the cost of a team and 3 barriers.
// CHECK-LABEL: func.func @small(
// CHECK: tpp.team threads
// CHECK-COUNT-1: tpp.team_barrier
// CHECK-NOT: tpp.team_barrier
// CHECK: tpp.team_end
// CHECK: scf.for
// CHECK: memref.load
// CHECK-COUNT-2: scf.for
// CHECK-NOT: tpp.team
// CHECK: memref.load
// CHECK: tpp.team threads
// CHECK-COUNT-3: tpp.team_barrier
// CHECK-NOT: tpp.team_barrier
// CHECK: tpp.team_end
// CHECK-NOT: tpp.team
// CHECK: return
func.func @small(%a: memref<64xf32>, %b: memref<64xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (64) {
    memref.store %zero, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 40000 : i64}
  scf.forall (%i) in (64) {
    memref.store %zero, %b[%i] : memref<64xf32>
  } {tpp.work_ns = 2400 : i64}
  scf.forall (%i) in (64) {
    memref.store %zero, %b[%i] : memref<64xf32>
  } {tpp.work_ns = 2399 : i64}
  %v = memref.load %a[%c0] : memref<64xf32>
  scf.forall (%i) in (64) {
    memref.store %v, %b[%i] : memref<64xf32>
  } {tpp.work_ns = 5000 : i64}
  scf.forall (%i) in (64) {
    memref.store %v, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 5000 : i64}
  %w = memref.load %a[%c0] : memref<64xf32>
  scf.forall (%i) in (64) {
    memref.store %w, %b[%i] : memref<64xf32>
  } {tpp.work_ns = 5000 : i64}
  scf.forall (%i) in (64) {
    memref.store %w, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 5000 : i64}
  scf.forall (%i) in (64) {
    memref.store %w, %b[%i] : memref<64xf32>
  } {tpp.work_ns = 5000 : i64}
  scf.forall (%i) in (64) {
    memref.store %w, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 5000 : i64}
  return %v, %w : f32, f32
}

// -----

// The stack buffers exceed the limit of one team: the third loop starts another one.
// CHECK-LABEL: func.func @much_stack(
// CHECK: tpp.team threads
// CHECK: tpp.team_barrier
// CHECK: tpp.team_end
// CHECK: tpp.team threads
// CHECK-NOT: tpp.team_barrier
// CHECK: tpp.team_end
func.func @much_stack(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (64) {
    %s = memref.alloca() : memref<32768xf32>
    %v = memref.load %s[%c0] : memref<32768xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 40000 : i64}
  scf.forall (%i) in (64) {
    %s = memref.alloca() : memref<32768xf32>
    %v = memref.load %s[%c0] : memref<32768xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 40000 : i64}
  scf.forall (%i) in (64) {
    %s = memref.alloca() : memref<1xf32>
    %v = memref.load %s[%c0] : memref<1xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  } {tpp.work_ns = 40000 : i64}
  return
}
