// Linalg on buffers becomes loops over vectors: masked tails, one load per broadcast, gathers for strided accesses, long sums in four
// vectors.
// RUN: tpp-opt %s --tpp-vectorize-linalg=vector-bits=512 --canonicalize --cse --split-input-file | FileCheck %s

// A contiguous array is one dimension: 105 elements are 6 vectors and 9 lanes.
// CHECK-LABEL: @tail(
// CHECK: scf.for %[[I:.*]] = %c0 to %c96 step %c16 {
// CHECK: vector.load %{{.*}}[%[[I]]] : {{.*}}, vector<16xf32>
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: vector.store %{{.*}}[%[[I]]]
// CHECK: }
// CHECK: %[[MASK:.*]] = vector.constant_mask [9] : vector<16xi1>
// CHECK: vector.maskedload %{{.*}}[%c96], %[[MASK]]
// CHECK: vector.maskedstore %{{.*}}[%c96], %[[MASK]]
// CHECK-NOT: linalg.
// CHECK: return
func.func @tail(%a: memref<3x35xf32>, %b: memref<3x35xf32>) {
  linalg.exp ins(%a : memref<3x35xf32>) outs(%b : memref<3x35xf32>)
  return
}

// -----

// A row is loaded as vectors; a column's element is broadcast once, before the row. Rows are shared among threads.
// CHECK-LABEL: @broadcasts(
// CHECK: scf.forall (%[[I:.*]]) in (7) {
// CHECK: %[[S:.*]] = memref.load %{{.*}}[%[[I]]] : memref<7xf32
// CHECK: vector.broadcast %[[S]] : f32 to vector<16xf32>
// CHECK: scf.for %[[J:.*]] = %c0 to %c32 step %c16 {
// CHECK-NOT: memref.load
// CHECK: vector.load %{{.*}}[%[[J]]] : memref<32xf32
// CHECK: tpp.work_ns
func.func @broadcasts(%row: memref<32xf32>, %col: memref<7xf32>, %b: memref<7x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%row, %col : memref<32xf32>, memref<7xf32>) outs(%b : memref<7x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Sum over the contiguous dimension: partial sums from zero are combined and added to the output's initial value. 83 = 64 + 16 +
// 3.
// CHECK-LABEL: @inner_sum(
// CHECK: scf.forall (%{{.*}}) in (7) {
// CHECK: %[[MASK:.*]] = vector.constant_mask [3]
// CHECK: vector.maskedload %{{.*}}, %[[MASK]]
// CHECK: arith.select %[[MASK]]
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<16xf32> into f32
// CHECK: %[[OLD:.*]] = memref.load
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUM]] : f32
// CHECK: memref.store %[[NEW]]
func.func @inner_sum(%a: memref<7x83xf32>, %b: memref<7xf32>) {
  linalg.reduce {arith.addf} ins(%a : memref<7x83xf32>) outs(%b : memref<7xf32>) dimensions = [1]
  return
}

// -----

// A maximum along the vectors may ignore the signs of zeros; across them it follows the program. If several vectors are combined
// at a time, one comparison checks two of them for NaN.
// CHECK-LABEL: @inner_maximum(
// CHECK: %[[FIRST:.*]] = vector.load
// CHECK: %[[SECOND:.*]] = vector.load
// CHECK: %[[GREATER:.*]] = arith.cmpf ogt, %[[FIRST]], %[[OLD:.*]] : vector<16xf32>
// CHECK: arith.select %[[GREATER]], %[[FIRST]], %[[OLD]] : vector<16xi1>, vector<16xf32>
// CHECK: %[[EITHER:.*]] = arith.cmpf uno, %[[FIRST]], %[[SECOND]] : vector<16xf32>
// CHECK: arith.ori %[[EITHER]], %{{.*}} : vector<16xi1>
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nsz> : vector<16xf32>
// CHECK: %[[NANS:.*]] = arith.cmpf uno, %[[MOST:.*]], %[[MOST]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[NANS]] : vector<16xi1> into i1
// CHECK: %[[NUMBER:.*]] = vector.reduction <maxnumf>, %[[MOST]] fastmath<nnan,nsz> : vector<16xf32> into f32
// CHECK: arith.select %[[ANY]], %{{.*}}, %[[NUMBER]] : f32
func.func @inner_maximum(%a: memref<7x83xf32>, %b: memref<7xf32>) {
  linalg.reduce {arith.maximumf} ins(%a : memref<7x83xf32>) outs(%b : memref<7xf32>) dimensions = [1]
  return
}

// -----

// Reduction over the outer dimension: outputs stay in a register during the loop over rows.
// CHECK-LABEL: @outer_maximum(
// CHECK: scf.for %{{.*}} = %c0 to %c80 step %c16 {
// CHECK: %[[INIT:.*]] = vector.load
// CHECK: scf.for %{{.*}} = %c0 to %c7 step %c1 iter_args(%[[ACC:.*]] = %[[INIT]]) -> (vector<16xf32>) {
// CHECK: arith.maximumf %{{[^ ]*}}, %{{[^ ]*}} : vector<16xf32>
// CHECK: vector.store
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @outer_maximum(%a: memref<7x83xf32>, %b: memref<83xf32>) {
  linalg.reduce {arith.maximumf} ins(%a : memref<7x83xf32>) outs(%b : memref<83xf32>) dimensions = [0]
  return
}

// -----

// A pooling window, channels-last: channels are the vector dimension.
// CHECK-LABEL: @pooling(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 5) {
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK: vector.load
// CHECK: arith.maximumf %{{.*}} : vector<16xf32>
func.func @pooling(%x: memref<1x9x11x16xf32>, %w: memref<3x3xf32>, %y: memref<1x4x5x16xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : memref<1x9x11x16xf32>, memref<3x3xf32>) outs(%y : memref<1x4x5x16xf32>)
  return
}

// -----

// linalg.index along the vector is a vector of consecutive values; along other dimensions it is one value.
// CHECK-LABEL: @index(
// CHECK-DAG: %[[STEP:.*]] = vector.step : vector<16xindex>
// CHECK-DAG: vector.broadcast %{{.*}} : index to vector<16xindex>
// CHECK: arith.addi %{{.*}} : vector<16xindex>
func.func @index(%b: memref<7x32xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%b : memref<7x32xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.addi %i, %j : index
    linalg.yield %r : index
  }
  return
}

// -----

// All types have the same number of lanes, so that conversions are lane by lane. A copy is treated as a generic, too.
// CHECK-LABEL: @types(
// CHECK: arith.extf %{{.*}} : vector<16xf32> to vector<16xf64>
// CHECK: vector.store %{{.*}}, vector<16xi32>
// CHECK-NOT: memref.copy
func.func @types(%a: memref<32xf32>, %b: memref<32xf64>, %c: memref<32xi32>, %d: memref<32xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<32xf32>) outs(%b : memref<32xf64>) {
  ^bb0(%x: f32, %o: f64):
    %r = arith.extf %x : f32 to f64
    linalg.yield %r : f64
  }
  memref.copy %c, %d : memref<32xi32> to memref<32xi32>
  return
}

// -----

// One long dimension is split among threads in chunks of 4096.
// CHECK-LABEL: @chunks(
// CHECK: scf.forall (%{{.*}}) in (5) {
// CHECK: scf.for %{{.*}} step %c16 {
func.func @chunks(%a: memref<20000xf32>, %b: memref<20000xf32>) {
  linalg.exp ins(%a : memref<20000xf32>) outs(%b : memref<20000xf32>)
  return
}

// -----

// Booleans are bytes in memory, also in arguments: any value but 0 is true, and true is written as 1. A reduction stores only its
// result.
// CHECK-LABEL: @booleans(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<16xi8>
// CHECK-DAG: %[[BYTES:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<105xi1, strided<[1]>> to memref<105xi8, strided<[1]>>
// CHECK: scf.for
// CHECK: %[[M:.*]] = vector.load %[[BYTES]]{{.*}}, vector<16xi8>
// CHECK: %[[P:.*]] = arith.cmpi ne, %[[M]], %[[ZERO]] : vector<16xi8>
// CHECK: %[[R:.*]] = arith.xori %[[P]], %{{.*}} : vector<16xi1>
// CHECK: %[[W:.*]] = arith.extui %[[R]] : vector<16xi1> to vector<16xi8>
// CHECK: vector.store %[[W]], %{{.*}} : memref<105xi8, strided<[1]>>, vector<16xi8>
// CHECK: vector.maskedload {{.*}} into vector<16xi8>
// CHECK: vector.maskedstore {{.*}} vector<16xi8>
// CHECK: scf.forall
// CHECK: vector.load {{.*}} vector<16xi8>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %{{.*}} : vector<16xi1> into i1
// CHECK: %[[OLD:.*]] = memref.load %{{.*}} : memref<7xi8, strided<[1]>>
// CHECK: %[[WAS:.*]] = arith.cmpi ne, %[[OLD]], %{{.*}} : i8
// CHECK: %[[NEW:.*]] = arith.ori %[[WAS]], %[[ANY]] : i1
// CHECK: %[[BYTE:.*]] = arith.extui %[[NEW]] : i1 to i8
// CHECK: memref.store %[[BYTE]]
// CHECK-NOT: linalg.
// CHECK: return
func.func @booleans(%m: memref<3x35xi1>, %n: memref<3x35xi1>, %a: memref<7x83xi1>, %b: memref<7xi1>) {
  %true = arith.constant true
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m : memref<3x35xi1>) outs(%n : memref<3x35xi1>) {
  ^bb0(%x: i1, %o: i1):
    %r = arith.xori %x, %true : i1
    linalg.yield %r : i1
  }
  linalg.reduce {arith.ori} ins(%a : memref<7x83xi1>) outs(%b : memref<7xi1>) dimensions = [1]
  return
}

// -----

// An op without elements disappears.
// CHECK-LABEL: @empty(
// CHECK-NEXT: return
func.func @empty(%a: memref<0x5xf32>, %b: memref<0x5xf32>) {
  linalg.exp ins(%a : memref<0x5xf32>) outs(%b : memref<0x5xf32>)
  return
}

// -----

// A long sum over rows: four chains of additions, which are joined; then the steps that are left.
// CHECK-LABEL: @chains(
// CHECK: %[[OLD:.*]] = vector.load
// CHECK: %[[SUMS:.*]]:4 = scf.for %{{.*}} = %c0 to %c48 step %c4 iter_args(%{{.*}} = %[[OLD]], %{{.*}} = %[[NEUTRAL:.*]], %{{.*}} = %[[NEUTRAL]], %{{.*}} = %[[NEUTRAL]])
// CHECK-COUNT-4: arith.addf
// CHECK: scf.yield
// CHECK: %[[TWO:.*]] = arith.addf %[[SUMS]]#0, %[[SUMS]]#1
// CHECK: %[[THREE:.*]] = arith.addf %[[TWO]], %[[SUMS]]#2
// CHECK: %[[FOUR:.*]] = arith.addf %[[THREE]], %[[SUMS]]#3
// CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %c48 to %c50 step %c1 iter_args(%{{.*}} = %[[FOUR]])
// CHECK: vector.store %[[ALL]]
func.func @chains(%x: memref<50x32xf32>, %y: memref<32xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<50x32xf32>) outs(%y : memref<32xf32>) dimensions = [0]
  return
}

// -----

// The smallest index is that of 64 bits.
// CHECK-LABEL: @largest_index(
// CHECK: arith.constant dense<-9223372036854775808> : vector<16xindex>
// CHECK: arith.maxsi
func.func @largest_index(%x: memref<128xindex>, %y: memref<index>) {
  linalg.reduce { arith.maxsi } ins(%x : memref<128xindex>) outs(%y : memref<index>) dimensions = [0]
  return
}

// -----

// A neutral element may be what an operation promises not to meet; other partial sums may overflow.
// CHECK-LABEL: @promises(
// CHECK: arith.maxnumf %{{[^ ]*}}, %{{[^ ]*}} : vector<16xf32>
// CHECK-NOT: nnan
// CHECK: arith.addi %{{[^ ]*}}, %{{[^ ]*}} : vector<16xi32>
// CHECK-NOT: nsw
func.func @promises(%x: memref<64x16xf32>, %y: memref<16xf32>, %i: memref<64x16xi32>, %j: memref<16xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<64x16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maxnumf %a, %o fastmath<nnan,ninf> : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%i : memref<64x16xi32>) outs(%j : memref<16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %m = arith.addi %a, %o overflow<nsw> : i32
    linalg.yield %m : i32
  }
  return
}
