// Rows that are gathered from a table are loaded in vectors: the index is loaded and checked once per vector, as a scalar.
// RUN: tpp-opt %s --tpp-vectorize-linalg=vector-bits=256 --split-input-file | FileCheck %s

// CHECK-LABEL: @embedding(
// CHECK-NOT: tpp.scalar_loops
// CHECK: scf.forall
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[ROW:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[IN_RANGE:.*]] = arith.cmpi ult, %[[ROW]], %{{.*}} : index
// CHECK: cf.assert %[[IN_RANGE]], "out of range"
// CHECK: %[[SCALE:.*]] = memref.load %arg2[%[[ROW]]] : memref<100xf32>
// CHECK: %[[VALUES:.*]] = vector.load %arg1[%[[ROW]], %[[J]]] : memref<100x20xf32>, vector<8xf32>
// CHECK: %[[SCALES:.*]] = vector.broadcast %[[SCALE]] : f32 to vector<8xf32>
// CHECK: arith.mulf %[[VALUES]], %[[SCALES]] : vector<8xf32>
// CHECK: vector.maskedload %arg1
func.func @embedding(%ids: memref<128xi64>, %table: memref<100x20xf32>, %scales: memref<100xf32>, %o: memref<128x20xf32>) {
  %c100 = arith.constant 100 : index
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : memref<128xi64>) outs(%o : memref<128x20xf32>) {
  ^bb0(%id: i64, %x: f32):
    %row = arith.index_cast %id : i64 to index
    %isInRange = arith.cmpi ult, %row, %c100 : index
    cf.assert %isInRange, "out of range"
    %j = linalg.index 1 : index
    %scale = memref.load %scales[%row] : memref<100xf32>
    %v = memref.load %table[%row, %j] : memref<100x20xf32>
    %y = arith.mulf %v, %scale : f32
    linalg.yield %y : f32
  }
  return
}

// -----

// Near misses: a load from a column, whose elements are not adjacent; and an assertion about each element.
// CHECK-LABEL: @column(
// CHECK-SAME: tpp.scalar_loops = 2
// CHECK-NOT: vector<
func.func @column(%ids: memref<128xindex>, %table: memref<64x100xf32>, %o: memref<128x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : memref<128xindex>) outs(%o : memref<128x64xf32>) {
  ^bb0(%id: index, %x: f32):
    %j = linalg.index 1 : index
    %v = memref.load %table[%j, %id] : memref<64x100xf32>
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%o : memref<128x64xf32>) {
  ^bb0(%x: f32):
    %zero = arith.constant 0.0 : f32
    %isPositive = arith.cmpf ogt, %x, %zero : f32
    cf.assert %isPositive, "not positive"
    linalg.yield %x : f32
  }
  return
}

// -----

// A boolean is a byte in memory; rows of other odd widths cannot be loaded as vectors.
// CHECK-LABEL: @table_of_nibbles(
// CHECK-NOT: vector<
// CHECK: memref.load %{{.*}} : memref<64xi4>
func.func @table_of_nibbles(%table: memref<64xi4>, %o: memref<64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : memref<64xi32>) {
  ^bb0(%p: i32):
    %i = linalg.index 0 : index
    %v = memref.load %table[%i] : memref<64xi4>
    %w = arith.extsi %v : i4 to i32
    linalg.yield %w : i32
  }
  return
}
