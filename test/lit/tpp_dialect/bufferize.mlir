// One-shot bufferization: results use the buffers of outs. A copy is inserted only if a value is still needed.
// RUN: tpp-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --split-input-file | FileCheck %s

// CHECK-LABEL: @in_place(
// CHECK-SAME: %[[A:.*]]: memref<13x64xf32>, %[[B:.*]]: memref<64x32xf32>, %[[BIAS:.*]]: memref<32xf32>
// CHECK: %[[C:.*]] = memref.alloc() {{.*}} : memref<13x32xf32>
// CHECK-NEXT: tpp.brgemm sizes = [13, 32, 64] ins(%[[A]], %[[B]] : memref<13x64xf32>, memref<64x32xf32>) post_ops = [#tpp.post_op<binary add row>] post(%[[BIAS]] : memref<32xf32>) outs(%[[C]] : memref<13x32xf32>)
// An elementwise op overwrites its input.
// CHECK-NEXT: tpp.unary relu ins(%[[C]] : memref<13x32xf32>) outs(%[[C]] : memref<13x32xf32>)
// CHECK-NEXT: tpp.binary mul rhs row ins(%[[C]], %[[BIAS]] : memref<13x32xf32>, memref<32xf32>) outs(%[[C]] : memref<13x32xf32>)
// CHECK-NEXT: return %[[C]]
func.func @in_place(%a: tensor<13x64xf32>, %b: tensor<64x32xf32>, %bias: tensor<32xf32>) -> tensor<13x32xf32> {
  %e = tensor.empty() : tensor<13x32xf32>
  %0 = tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : tensor<13x64xf32>, tensor<64x32xf32>)
    post_ops = [#tpp.post_op<binary add row>] post(%bias : tensor<32xf32>) outs(%e : tensor<13x32xf32>) -> tensor<13x32xf32>
  %1 = tpp.unary relu ins(%0 : tensor<13x32xf32>) outs(%0 : tensor<13x32xf32>) -> tensor<13x32xf32>
  %2 = tpp.binary mul rhs row ins(%1, %bias : tensor<13x32xf32>, tensor<32xf32>) outs(%1 : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %2 : tensor<13x32xf32>
}

// -----

// A residual may alias C.
// CHECK-LABEL: @residual_in_place(
// CHECK-SAME: , %[[C:[^:,]*]]: memref<13x32xf32>)
// CHECK-NEXT: tpp.brgemm {{.*}} post(%[[C]] : memref<13x32xf32>) outs(%[[C]] : memref<13x32xf32>)
func.func @residual_in_place(%a: tensor<13x64xf32>, %b: tensor<64x32xf32>, %c: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : tensor<13x64xf32>, tensor<64x32xf32>)
    post_ops = [#tpp.post_op<binary add>] post(%c : tensor<13x32xf32>) outs(%c : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// -----

// A may not alias C: it is read again for other elements of C. Nor may the input of a transpose, or a broadcast input.
// CHECK-LABEL: @operand_not_in_place(
// CHECK-SAME: %[[X:[^:]*]]: memref<32x32xf32>
// CHECK: %[[T:.*]] = memref.alloc() {{.*}} : memref<32x32xf32>
// CHECK: tpp.brgemm sizes = [32, 32, 32] ins(%[[X]], %[[X]] : {{.*}}) outs(%[[T]] : memref<32x32xf32>)
// CHECK: %[[U:.*]] = memref.alloc() {{.*}} : memref<32x32xf32>
// CHECK: tpp.unary transpose ins(%[[T]] : memref<32x32xf32>) outs(%[[U]] : memref<32x32xf32>)
func.func @operand_not_in_place(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tpp.brgemm sizes = [32, 32, 32] ins(%x, %x : tensor<32x32xf32>, tensor<32x32xf32>) outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = tpp.unary transpose ins(%0 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// -----

// With beta = 1 the old contents are read: a value that is still needed is copied. With beta = 0 nothing is copied.
// CHECK-LABEL: @beta(
// CHECK-SAME: %[[X:.*]]: memref<13x32xf32>, %[[COL:[^:]*]]: memref<13xf32>)
// CHECK: %[[R:.*]] = memref.alloc() {{.*}} : memref<13xf32>
// CHECK: memref.copy %[[COL]], %[[R]]
// CHECK: tpp.reduce sum over_cols beta = 1 ins(%[[X]] : memref<13x32xf32>) outs(%[[R]] : memref<13xf32>)
// CHECK-NEXT: tpp.reduce max over_cols ins(%[[X]] : memref<13x32xf32>) outs(%[[COL]] : memref<13xf32>)
func.func @beta(%x: tensor<13x32xf32>, %col: tensor<13xf32>) -> (tensor<13xf32>, tensor<13xf32>) {
  %0 = tpp.reduce sum over_cols beta = 1 ins(%x : tensor<13x32xf32>) outs(%col : tensor<13xf32>) -> tensor<13xf32>
  %1 = tpp.reduce max over_cols ins(%x : tensor<13x32xf32>) outs(%col : tensor<13xf32>) -> tensor<13xf32>
  return %0, %1 : tensor<13xf32>, tensor<13xf32>
}

// -----

// Attributes that do not belong to the op are kept.
// CHECK-LABEL: @offsets(
// CHECK: tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%{{.*}}) offsets(%{{.*}}, %{{.*}} : memref<9xi64>, memref<9xi64>) outs(%{{.*}} : memref<13x32xf32>) {note = "kept"}
func.func @offsets(%a: tensor<99x64xf32>, %b: tensor<99x32xf32>, %t: tensor<9xi64>, %c: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%a, %b : tensor<99x64xf32>, tensor<99x32xf32>)
    offsets(%t, %t : tensor<9xi64>, tensor<9xi64>) outs(%c : tensor<13x32xf32>) {note = "kept"} -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
