// RUN: tpp-opt %s --tpp-fuse-row-loops | FileCheck %s
// Again with a malloc that overwrites freed memory, to detect uses after free:
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=0 MALLOC_PERTURB_=165 tpp-opt %s --tpp-fuse-row-loops | FileCheck %s

// CHECK: #[[NEXT:.*]] = affine_map<()[s0] -> (s0 + 1, 7)>

#at = affine_map<(i, j) -> (i * 40 + j)>
#tail = affine_map<()[i] -> (i * 40 + 32)>

// Three loops over 8 rows of 40 elements: each reads what the previous one has written in its row. The last vector is masked. The
// initialization of the sums, which no earlier loop uses, moves to the front. The buffer of maxima is used by no other op, so it
// shrinks to one element.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: scf.forall (%[[I:.*]]) in (8)
// CHECK: %[[MAX:.*]] = memref.alloca() {{.*}} : memref<1xf32>
// CHECK: memref.store %{{.*}}, %[[MAX]][%c0{{.*}}]
// CHECK: memref.load %[[MAX]][%c0{{.*}}]
// CHECK: vector.maskedstore
// CHECK: memref.load %{{.*}}[%[[I]]]
// CHECK: } {tpp.work_ns = 60 : i64}
// CHECK-NOT: scf.forall
// CHECK: return
func.func @rows(%x: memref<320xf32>, %y: memref<320xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %row = arith.constant dense<0.0> : vector<8xf32>
  %mask = vector.constant_mask [8] : vector<16xi1>
  %m = memref.alloca() : memref<8xf32>
  %s = memref.alloca() : memref<8xf32>
  scf.forall (%i) in (8) {
    %p = affine.apply #at(%i, %c0)
    %v = memref.load %x[%p] : memref<320xf32>
    memref.store %v, %m[%i] : memref<8xf32>
  } {tpp.work_ns = 10 : i64}
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c32 step %c16 {
      %p = affine.apply #at(%i, %j)
      %v = vector.load %x[%p] : memref<320xf32>, vector<16xf32>
      %max = memref.load %m[%i] : memref<8xf32>
      %b = vector.broadcast %max : f32 to vector<16xf32>
      %d = arith.subf %v, %b : vector<16xf32>
      vector.store %d, %y[%p] : memref<320xf32>, vector<16xf32>
    }
    %q = affine.apply #tail()[%i]
    vector.maskedstore %y[%q], %mask, %zeros : memref<320xf32>, vector<16xi1>, vector<16xf32>
  } {tpp.work_ns = 20 : i64}
  scf.for %i = %c0 to %c8 step %c8 {
    vector.store %row, %s[%i] : memref<8xf32>, vector<8xf32>
  }
  scf.forall (%i) in (8) {
    %p = affine.apply #at(%i, %c16)
    %v = memref.load %y[%p] : memref<320xf32>
    %old = memref.load %s[%i] : memref<8xf32>
    %sum = arith.addf %v, %old : f32
    memref.store %sum, %s[%i] : memref<8xf32>
  } {tpp.work_ns = 30 : i64}
  return
}

// Near misses. The second loop reads the row after its own.
// CHECK-LABEL: func.func @next_row
// CHECK-COUNT-2: scf.forall
func.func @next_row(%x: memref<320xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (7) {
    memref.store %zero, %x[%i] : memref<320xf32>
  }
  scf.forall (%i) in (7) {
    %next = arith.addi %i, %c1 : index
    %v = memref.load %x[%next] : memref<320xf32>
    memref.store %v, %x[%i] : memref<320xf32>
  }
  return
}

// The tail of a row is not masked and overlaps the next row.
// CHECK-LABEL: func.func @overlapping_vectors
// CHECK-COUNT-2: scf.forall
func.func @overlapping_vectors(%x: memref<320xf32>, %y: memref<320xf32>) {
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (7) {
    %q = affine.apply #tail()[%i]
    vector.store %zeros, %x[%q] : memref<320xf32>, vector<16xf32>
  }
  scf.forall (%i) in (7) {
    %c0 = arith.constant 0 : index
    %p = affine.apply #at(%i, %c0)
    %v = vector.load %x[%p] : memref<320xf32>, vector<16xf32>
    vector.store %v, %y[%p] : memref<320xf32>, vector<16xf32>
  }
  return
}

// Two overlapping parts of the workspace: the second loop's results would overwrite what the first loop still reads.
// CHECK-LABEL: func.func @shared_workspace
// CHECK-COUNT-2: scf.forall
func.func @shared_workspace(%x: memref<8xf32>, %workspace: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %workspace[%c0][] : memref<64xi8> to memref<8xf32>
  %b = memref.view %workspace[%c16][] : memref<64xi8> to memref<8xf32>
  scf.forall (%i) in (8) {
    %v = memref.load %a[%i] : memref<8xf32>
    memref.store %v, %x[%i] : memref<8xf32>
  }
  scf.forall (%i) in (8) {
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %b[%i] : memref<8xf32>
  }
  return
}

// An op between the loops writes what the first one reads; a call may do anything.
// CHECK-LABEL: func.func @between
// CHECK-COUNT-3: scf.forall
func.func private @anything()
func.func @between(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %y[%i] : memref<8xf32>
  }
  memref.store %zero, %x[%c0] : memref<8xf32>
  scf.forall (%i) in (8) {
    %v = memref.load %y[%i] : memref<8xf32>
    memref.store %v, %x[%i] : memref<8xf32>
  }
  func.call @anything() : () -> ()
  scf.forall (%i) in (8) {
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}

// Different numbers of rows, different dimensions, no common buffer, and an unknown address.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-5: scf.forall
func.func @different(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>, %k: memref<16xindex>) {
  scf.forall (%i) in (8) {
    %v = memref.load %x[%i] : memref<16xf32>
    memref.store %v, %y[%i] : memref<16xf32>
  }
  scf.forall (%i) in (16) {
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %x[%i] : memref<16xf32>
  }
  scf.forall (%i, %j) in (4, 4) {
    %v = memref.load %y[%i] : memref<16xf32>
  }
  scf.forall (%i) in (16) {
    %n = memref.load %k[%i] : memref<16xindex>
    %v = memref.load %z[%i] : memref<16xf32>
    memref.store %v, %y[%n] : memref<16xf32>
  }
  scf.forall (%i) in (16) {
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %z[%i] : memref<16xf32>
  }
  return
}

// Rows of 32 in the workspace that only one loop writes and reads become one row on the stack, and the workspace shrinks to the
// other part. The second loop over a row of %x prefetches the next row.
// CHECK-LABEL: func.func @row_on_stack
// CHECK-SAME: %[[X:.*]]: memref<256xf32>, %{{.*}}: memref<256xf32>, %[[W:.*]]: memref<1024xi8> {tpp.workspace}
// CHECK-SAME: tpp.workspace_bytes = 1024
// CHECK: memref.view %[[W]][%{{.*}}][] : memref<1024xi8> to memref<256xf32>
// CHECK-NOT: memref.view
// CHECK: scf.forall (%[[I:.*]]) in (8)
// CHECK: affine.min #[[NEXT]]()[%[[I]]]
// CHECK: %[[ROW:.*]] = memref.alloca() {{.*}} : memref<32xf32>
// CHECK: scf.for %[[J:.*]] =
// CHECK-NOT: prefetch
// CHECK: vector.store %{{.*}}, %[[ROW]][%[[J]]]
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.prefetch %[[X]][%{{.*}}], read, locality<3>, data
// CHECK: vector.load %[[X]]
// CHECK: vector.load %[[ROW]][%[[J]]]
// CHECK: return
#wide = affine_map<()[i, j] -> (i * 32 + j)>
func.func @row_on_stack(%x: memref<256xf32>, %y: memref<256xf32>, %workspace: memref<2048xi8> {tpp.workspace}) attributes {tpp.workspace_bytes = 2048 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %kept = memref.view %workspace[%c0][] : memref<2048xi8> to memref<256xf32>
  %rows = memref.view %workspace[%c1024][] : memref<2048xi8> to memref<256xf32>
  vector.store %zeros, %kept[%c0] : memref<256xf32>, vector<16xf32>
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c32 step %c16 {
      %p = affine.apply #wide()[%i, %j]
      %v = vector.load %x[%p] : memref<256xf32>, vector<16xf32>
      vector.store %v, %rows[%p] : memref<256xf32>, vector<16xf32>
    }
  }
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c32 step %c16 {
      %p = affine.apply #wide()[%i, %j]
      %v = vector.load %x[%p] : memref<256xf32>, vector<16xf32>
      %w = vector.load %rows[%p] : memref<256xf32>, vector<16xf32>
      %k = vector.load %kept[%p] : memref<256xf32>, vector<16xf32>
      %s = arith.addf %v, %w : vector<16xf32>
      %r = arith.addf %s, %k : vector<16xf32>
      vector.store %r, %y[%p] : memref<256xf32>, vector<16xf32>
    }
  }
  return
}

// Near misses: rows that are read again in the next iteration of a surrounding loop,
// CHECK-LABEL: func.func @rows_of_the_round_before
// CHECK: scf.for
// CHECK: scf.forall
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @rows_of_the_round_before(%x: memref<8xf32>, %workspace: memref<32xi8> {tpp.workspace}) attributes {tpp.workspace_bytes = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %kept = memref.view %workspace[%c0][] : memref<32xi8> to memref<8xf32>
  scf.for %round = %c0 to %c3 step %c1 {
    scf.forall (%i) in (8) {
      %old = memref.load %kept[%i] : memref<8xf32>
      %v = memref.load %x[%i] : memref<8xf32>
      memref.store %v, %kept[%i] : memref<8xf32>
      memref.store %old, %x[%i] : memref<8xf32>
    }
  }
  return
}

// rows that an op after the loop reads, and rows of more than 32 KiB.
// CHECK-LABEL: func.func @rows_kept
// CHECK-SAME: memref<2097152xi8>
// CHECK: scf.forall
// CHECK-NOT: memref.alloca
// CHECK: return
#long = affine_map<()[i, j] -> (i * 16384 + j)>
func.func @rows_kept(%x: memref<262144xf32>, %y: memref<262144xf32>, %workspace: memref<2097152xi8> {tpp.workspace}) -> f32 attributes {tpp.workspace_bytes = 2097152 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c16384 = arith.constant 16384 : index
  %c1048576 = arith.constant 1048576 : index
  %used = memref.view %workspace[%c0][] : memref<2097152xi8> to memref<262144xf32>
  %long = memref.view %workspace[%c1048576][] : memref<2097152xi8> to memref<262144xf32>
  scf.forall (%i) in (16) {
    scf.for %j = %c0 to %c16384 step %c16 {
      %p = affine.apply #long()[%i, %j]
      %v = vector.load %x[%p] : memref<262144xf32>, vector<16xf32>
      vector.store %v, %long[%p] : memref<262144xf32>, vector<16xf32>
    }
    %q = affine.apply #long()[%i, %c0]
    %w = vector.load %long[%q] : memref<262144xf32>, vector<16xf32>
    vector.store %w, %used[%q] : memref<262144xf32>, vector<16xf32>
    vector.store %w, %y[%q] : memref<262144xf32>, vector<16xf32>
  }
  %r = memref.load %used[%c0] : memref<262144xf32>
  return %r : f32
}

// Two sums of one row's elements, one of them in f64, load the elements once. A sum that depends on another one stays a separate
// loop.
// CHECK-LABEL: func.func @reductions
// CHECK: scf.forall
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf64>) {
// CHECK: scf.yield
// CHECK: scf.for {{.*}} -> (vector<16xf32>) {
// CHECK: arith.subf %{{.*}}, %[[SUMS]]#0
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: return
func.func @reductions(%x: memref<256xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %wide = arith.constant dense<0.0> : vector<16xf64>
  scf.forall (%i) in (4) {
    %sum = scf.for %j = %c0 to %c64 step %c16 iter_args(%s = %wide) -> (vector<16xf64>) {
      %p = affine.apply #at(%i, %j)
      %v = vector.load %x[%p] : memref<256xf32>, vector<16xf32>
      %w = arith.extf %v : vector<16xf32> to vector<16xf64>
      %t = arith.addf %s, %w : vector<16xf64>
      scf.yield %t : vector<16xf64>
    }
    %again = scf.for %j = %c0 to %c64 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at(%i, %j)
      %v = vector.load %x[%p] : memref<256xf32>, vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %apart = scf.for %j = %c0 to %c64 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #at(%i, %j)
      %v = vector.load %x[%p] : memref<256xf32>, vector<16xf32>
      %d = arith.subf %v, %again : vector<16xf32>
      %t = arith.addf %s, %d : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %narrow = arith.truncf %sum : vector<16xf64> to vector<16xf32>
    %r = arith.addf %apart, %narrow : vector<16xf32>
    %q = affine.apply affine_map<()[i] -> (i * 16)>()[%i]
    vector.store %r, %y[%q] : memref<64xf32>, vector<16xf32>
  }
  return
}

// Near misses: a sum of a value that the row has stored in between, and one of half the row.
// CHECK-LABEL: func.func @other_reductions
// CHECK-COUNT-4: -> (vector<16xf32>) {
// CHECK: return
func.func @other_reductions(%x: memref<256xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (4) {
    %q = affine.apply affine_map<()[i] -> (i * 16)>()[%i]
    %sum = scf.for %j = %c0 to %c64 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %v = vector.load %y[%q] : memref<64xf32>, vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    vector.store %sum, %y[%q] : memref<64xf32>, vector<16xf32>
    %again = scf.for %j = %c0 to %c64 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %v = vector.load %y[%q] : memref<64xf32>, vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %whole = scf.for %j = %c0 to %c64 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %v = vector.load %x[%j] : memref<256xf32>, vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %half = scf.for %j = %c0 to %c32 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %v = vector.load %x[%j] : memref<256xf32>, vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %r = arith.addf %whole, %half : vector<16xf32>
    %t = arith.addf %r, %again : vector<16xf32>
    vector.store %t, %y[%q] : memref<64xf32>, vector<16xf32>
  }
  return
}

// A sum, two vectors at a time, of values that the previous loop has stored on the stack is computed in that loop. The loop
// prefetches the next row of 8 KiB in two streams: vectors of its first half alternate with vectors of its second half.
// CHECK-LABEL: func.func @summed_where_stored
// CHECK-SAME: %[[X:.*]]: memref<16384xf32>, %{{.*}}: memref<16384xf32>,
// CHECK: %[[ROW:.*]] = memref.alloca() {{.*}} : memref<2048xf32>
// CHECK: scf.for {{.*}} -> (vector<16xf32>) {
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c32{{.*}} -> (vector<16xf32>, vector<16xf32>) {
// CHECK: %[[N:.*]] = arith.divui %{{.*}}, %c16
// CHECK: %[[PLACE:.*]] = arith.remui %[[N]], %c2
// CHECK: %[[IN:.*]] = arith.divui %[[N]], %c2
// CHECK: %[[START:.*]] = arith.muli %[[PLACE]], %c64
// CHECK: %[[OTHER:.*]] = arith.addi %[[START]], %[[IN]]
// CHECK: arith.subi %[[OTHER]], %[[N]]
// CHECK: memref.prefetch %[[X]]
// CHECK: math.exp
// CHECK: vector.store %{{.*}}, %[[ROW]][%[[J]]]
// CHECK: memref.prefetch %[[X]]
// CHECK: math.exp
// CHECK: vector.store %{{.*}}, %[[ROW]]
// CHECK: vector.load %[[ROW]][%[[J]]]
// CHECK: vector.load %[[ROW]]
// CHECK: scf.yield
// CHECK: }
// CHECK: scf.for
// CHECK: vector.store
// CHECK-NOT: scf.for
// CHECK: return
#long_row = affine_map<()[i, j] -> (i * 2048 + j)>
func.func @summed_where_stored(%x: memref<16384xf32>, %y: memref<16384xf32>, %workspace: memref<65536xi8> {tpp.workspace}) attributes {tpp.workspace_bytes = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c2048 = arith.constant 2048 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %rows = memref.view %workspace[%c0][] : memref<65536xi8> to memref<16384xf32>
  scf.forall (%i) in (8) {
    %most = scf.for %j = %c0 to %c2048 step %c16 iter_args(%m = %zeros) -> (vector<16xf32>) {
      %p = affine.apply #long_row()[%i, %j]
      %v = vector.load %x[%p] : memref<16384xf32>, vector<16xf32>
      %n = arith.maximumf %m, %v : vector<16xf32>
      scf.yield %n : vector<16xf32>
    }
    scf.for %j = %c0 to %c2048 step %c16 {
      %p = affine.apply #long_row()[%i, %j]
      %v = vector.load %x[%p] : memref<16384xf32>, vector<16xf32>
      %d = arith.subf %v, %most : vector<16xf32>
      %e = math.exp %d : vector<16xf32>
      vector.store %e, %rows[%p] : memref<16384xf32>, vector<16xf32>
    }
    %sums:2 = scf.for %j = %c0 to %c2048 step %c32 iter_args(%s = %zeros, %t = %zeros) -> (vector<16xf32>, vector<16xf32>) {
      %p = affine.apply #long_row()[%i, %j]
      %v = vector.load %rows[%p] : memref<16384xf32>, vector<16xf32>
      %a = arith.addf %s, %v : vector<16xf32>
      %k = arith.addi %j, %c16 : index
      %q = affine.apply #long_row()[%i, %k]
      %w = vector.load %rows[%q] : memref<16384xf32>, vector<16xf32>
      %b = arith.addf %t, %w : vector<16xf32>
      scf.yield %a, %b : vector<16xf32>, vector<16xf32>
    }
    %sum = arith.addf %sums#0, %sums#1 : vector<16xf32>
    scf.for %j = %c0 to %c2048 step %c16 {
      %p = affine.apply #long_row()[%i, %j]
      %v = vector.load %rows[%p] : memref<16384xf32>, vector<16xf32>
      %d = arith.divf %v, %sum : vector<16xf32>
      vector.store %d, %y[%p] : memref<16384xf32>, vector<16xf32>
    }
  }
  return
}

// Near misses: a sum of each vector's neighbour, which the previous loop has not stored yet; a sum whose initial value is loaded
// in between; and a sum of values that are stored twice.
// CHECK-LABEL: func.func @summed_later
// CHECK: scf.forall
// CHECK-COUNT-2: scf.for
// CHECK: scf.forall
// CHECK-COUNT-2: scf.for
// CHECK: scf.forall
// CHECK-COUNT-3: scf.for
// CHECK: return
func.func @summed_later(%x: memref<32xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) in (1) {
    %row = memref.alloca() : memref<48xf32>
    scf.for %j = %c0 to %c32 step %c16 {
      %v = vector.load %x[%j] : memref<32xf32>, vector<16xf32>
      vector.store %v, %row[%j] : memref<48xf32>, vector<16xf32>
    }
    %sum = scf.for %j = %c0 to %c32 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %k = arith.addi %j, %c16 : index
      %w = vector.load %row[%k] : memref<48xf32>, vector<16xf32>
      %t = arith.addf %s, %w : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    vector.store %sum, %y[%c0] : memref<16xf32>, vector<16xf32>
  }
  scf.forall (%i) in (2) {
    %row = memref.alloca() : memref<32xf32>
    scf.for %j = %c0 to %c32 step %c16 {
      %v = vector.load %x[%j] : memref<32xf32>, vector<16xf32>
      vector.store %v, %row[%j] : memref<32xf32>, vector<16xf32>
    }
    %start = vector.load %row[%c16] : memref<32xf32>, vector<16xf32>
    %sum = scf.for %j = %c0 to %c32 step %c16 iter_args(%s = %start) -> (vector<16xf32>) {
      %w = vector.load %row[%j] : memref<32xf32>, vector<16xf32>
      %t = arith.addf %s, %w : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %r = vector.reduction <add>, %sum : vector<16xf32> into f32
    memref.store %r, %y[%i] : memref<16xf32>
  }
  scf.forall (%i) in (3) {
    %row = memref.alloca() : memref<32xf32>
    scf.for %j = %c0 to %c32 step %c16 {
      %v = vector.load %x[%j] : memref<32xf32>, vector<16xf32>
      vector.store %v, %row[%j] : memref<32xf32>, vector<16xf32>
    }
    scf.for %j = %c0 to %c32 step %c16 {
      %v = vector.load %row[%j] : memref<32xf32>, vector<16xf32>
      %e = math.exp %v : vector<16xf32>
      vector.store %e, %row[%j] : memref<32xf32>, vector<16xf32>
    }
    %sum = scf.for %j = %c0 to %c32 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %w = vector.load %row[%j] : memref<32xf32>, vector<16xf32>
      %t = arith.addf %s, %w : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %r = vector.reduction <add>, %sum : vector<16xf32> into f32
    memref.store %r, %y[%i] : memref<16xf32>
  }
  return
}

// A view of the workspace at a computed offset may be any part: row 0 of the second loop's would overlap row 7 of the first
// loop's.
// CHECK-LABEL: func.func @computed_view
// CHECK-COUNT-2: scf.forall
// CHECK: return
#short_row = affine_map<()[i, j] -> (i * 64 + j)>
func.func @computed_view(%x: memref<512xf32>, %y: memref<512xf32>, %z: memref<512xf32>, %ws: memref<2048xi8> {tpp.workspace}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (8) {
    %b = affine.apply affine_map<()[i] -> (1792 - i * 256)>()[%i]
    %p = memref.view %ws[%b][] : memref<2048xi8> to memref<64xf32>
    scf.for %j = %c0 to %c64 step %c16 {
      %k = affine.apply #short_row()[%i, %j]
      %v = vector.load %x[%k] : memref<512xf32>, vector<16xf32>
      vector.store %v, %p[%j] : memref<64xf32>, vector<16xf32>
    }
    scf.for %j = %c0 to %c64 step %c16 {
      %k = affine.apply #short_row()[%i, %j]
      %v = vector.load %p[%j] : memref<64xf32>, vector<16xf32>
      vector.store %v, %y[%k] : memref<512xf32>, vector<16xf32>
    }
  }
  %q = memref.view %ws[%c0][] : memref<2048xi8> to memref<512xf32>
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c64 step %c16 {
      %k = affine.apply #short_row()[%i, %j]
      %v = vector.load %y[%k] : memref<512xf32>, vector<16xf32>
      vector.store %v, %q[%k] : memref<512xf32>, vector<16xf32>
    }
  }
  scf.for %j = %c0 to %c64 step %c16 {
    %v = vector.load %q[%j] : memref<512xf32>, vector<16xf32>
    vector.store %v, %z[%j] : memref<512xf32>, vector<16xf32>
  }
  return
}

// Loops over the rows of a block in a loop over blocks that divides them among threads. The rows between stay in L1.
// CHECK-LABEL: func.func @blocks
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK: %[[ROW:.*]] = memref.alloca() {{.*}} : memref<64xf32>
// CHECK: vector.store %{{.*}}, %[[ROW]]
// CHECK: vector.load %[[ROW]]
// CHECK-NOT: scf.forall
// CHECK: return
func.func @blocks(%x: memref<512xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (2) {
    %p = memref.alloca() : memref<256xf32>
    %first = affine.apply affine_map<()[t] -> (t * 256)>()[%t]
    %a = memref.reinterpret_cast %x to offset: [%first], sizes: [256], strides: [1] : memref<512xf32> to memref<256xf32, strided<[1], offset: ?>>
    %b = memref.reinterpret_cast %y to offset: [%first], sizes: [256], strides: [1] : memref<512xf32> to memref<256xf32, strided<[1], offset: ?>>
    scf.forall (%i) in (4) {
      scf.for %j = %c0 to %c64 step %c16 {
        %k = affine.apply #short_row()[%i, %j]
        %v = vector.load %a[%k] : memref<256xf32, strided<[1], offset: ?>>, vector<16xf32>
        vector.store %v, %p[%k] : memref<256xf32>, vector<16xf32>
      }
    }
    scf.forall (%i) in (4) {
      scf.for %j = %c0 to %c64 step %c16 {
        %k = affine.apply #short_row()[%i, %j]
        %v = vector.load %p[%k] : memref<256xf32>, vector<16xf32>
        vector.store %v, %b[%k] : memref<256xf32, strided<[1], offset: ?>>, vector<16xf32>
      }
    }
  }
  return
}

// Two views of one buffer at unknown distance: a row of the second loop may read what another row of the first writes.
// CHECK-LABEL: func.func @views
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK: return
func.func @views(%x: memref<256xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (2) {
    %first = affine.apply affine_map<()[t] -> (t * 256)>()[%t]
    %other = affine.apply affine_map<()[t] -> (256 - t * 256)>()[%t]
    %a = memref.reinterpret_cast %y to offset: [%first], sizes: [256], strides: [1] : memref<512xf32> to memref<256xf32, strided<[1], offset: ?>>
    %b = memref.reinterpret_cast %y to offset: [%other], sizes: [256], strides: [1] : memref<512xf32> to memref<256xf32, strided<[1], offset: ?>>
    scf.forall (%i) in (4) {
      scf.for %j = %c0 to %c64 step %c16 {
        %k = affine.apply #short_row()[%i, %j]
        %v = vector.load %x[%k] : memref<256xf32>, vector<16xf32>
        vector.store %v, %a[%k] : memref<256xf32, strided<[1], offset: ?>>, vector<16xf32>
      }
    }
    scf.forall (%i) in (4) {
      scf.for %j = %c0 to %c64 step %c16 {
        %k = affine.apply #short_row()[%i, %j]
        %v = vector.load %b[%k] : memref<256xf32, strided<[1], offset: ?>>, vector<16xf32>
        vector.store %v, %x[%k] : memref<256xf32>, vector<16xf32>
      }
    }
  }
  return
}
