// Each canonicalization applies, and does not apply if something differs.
// RUN: tpp-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @identity(
// CHECK-SAME: %[[X:[^:]*]]: tensor<13x32xf32>,
// CHECK-NEXT: return %[[X]]
func.func @identity(%x: tensor<13x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.unary identity ins(%x : tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// CHECK-LABEL: @convert_to_same_type(
// CHECK-NOT: tpp.unary
func.func @convert_to_same_type(%x: tensor<13x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.unary convert ins(%x : tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// Near misses: an identity that changes the form, that broadcasts, or that copies between buffers is not a no-op.
// CHECK-LABEL: @identity_that_moves(
// CHECK: tpp.unary identity ins
// CHECK: tpp.unary identity broadcast row
// CHECK: tpp.unary identity ins
func.func @identity_that_moves(%x: tensor<2x13x16xf32>, %row: tensor<32xf32>, %o: tensor<13x32xf32>, %m: memref<13x32xf32>, %n: memref<13x32xf32>)
    -> (tensor<13x32xf32>, tensor<13x32xf32>) {
  %0 = tpp.unary identity ins(%x : tensor<2x13x16xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  %1 = tpp.unary identity broadcast row ins(%row : tensor<32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  tpp.unary identity ins(%m : memref<13x32xf32>) outs(%n : memref<13x32xf32>)
  return %0, %1 : tensor<13x32xf32>, tensor<13x32xf32>
}

// -----

// CHECK-LABEL: @relu_of_relu(
// CHECK: %[[R:.*]] = tpp.unary relu
// CHECK-NEXT: return %[[R]]
func.func @relu_of_relu(%x: tensor<13x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  %1 = tpp.unary relu ins(%0 : tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %1 : tensor<13x32xf32>
}

// CHECK-LABEL: @relu_of_relu_in_another_type(
// CHECK-COUNT-2: tpp.unary relu
// CHECK-LABEL: @relu_of_tanh(
// CHECK: tpp.unary tanh
// CHECK: tpp.unary relu
func.func @relu_of_relu_in_another_type(%x: tensor<13x32xf32>, %b: tensor<13x32xbf16>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%b : tensor<13x32xbf16>) -> tensor<13x32xbf16>
  %1 = tpp.unary relu ins(%0 : tensor<13x32xbf16>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %1 : tensor<13x32xf32>
}
func.func @relu_of_tanh(%x: tensor<13x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.unary tanh ins(%x : tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  %1 = tpp.unary relu ins(%0 : tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %1 : tensor<13x32xf32>
}

// -----

// CHECK-LABEL: @max_of_equal(
// CHECK-NOT: tpp.binary
// CHECK: return
// CHECK-LABEL: @max_of_different(
// CHECK: tpp.binary max
// CHECK-LABEL: @add_of_equal(
// CHECK: tpp.binary add
func.func @max_of_equal(%x: tensor<13x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.binary max ins(%x, %x : tensor<13x32xf32>, tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
func.func @max_of_different(%x: tensor<13x32xf32>, %y: tensor<13x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.binary max ins(%x, %y : tensor<13x32xf32>, tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
func.func @add_of_equal(%x: tensor<13x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = tpp.binary add ins(%x, %x : tensor<13x32xf32>, tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// -----

// CHECK-LABEL: @accumulate_on_tpp_zero(
// CHECK-SAME: , %[[O:[^:,]*]]: tensor<13x32xf32>)
// CHECK-NEXT: tpp.brgemm sizes = [13, 32, 64] ins({{.*}}) outs(%[[O]] :
// CHECK-LABEL: @accumulate_on_fill(
// CHECK-SAME: , %[[O:[^:,]*]]: tensor<13x32xf32>)
// CHECK-NEXT: tpp.brgemm sizes = [13, 32, 64] ins({{.*}}) outs(%[[O]] :
func.func @accumulate_on_tpp_zero(%a: tensor<13x64xf32>, %b: tensor<64x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %z = tpp.unary zero outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  %0 = tpp.brgemm sizes = [13, 32, 64] beta = 1 ins(%a, %b : tensor<13x64xf32>, tensor<64x32xf32>) outs(%z : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
func.func @accumulate_on_fill(%a: tensor<13x64xf32>, %b: tensor<64x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  %0 = tpp.brgemm sizes = [13, 32, 64] beta = 1 ins(%a, %b : tensor<13x64xf32>, tensor<64x32xf32>) outs(%z : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// -----

// Near misses: -0 + -0 is -0, but the kernel's own zero would give +0; ones are not zeros.
// CHECK-LABEL: @accumulate_on_negative_zero(
// CHECK: tpp.brgemm sizes = [13, 32, 64] beta = 1
// CHECK-LABEL: @accumulate_on_ones(
// CHECK: tpp.brgemm sizes = [13, 32, 64] beta = 1
func.func @accumulate_on_negative_zero(%a: tensor<13x64xf32>, %b: tensor<64x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %zero = arith.constant -0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  %0 = tpp.brgemm sizes = [13, 32, 64] beta = 1 ins(%a, %b : tensor<13x64xf32>, tensor<64x32xf32>) outs(%z : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}
func.func @accumulate_on_ones(%a: tensor<13x64xf32>, %b: tensor<64x32xf32>, %o: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %one = arith.constant 1.0 : f32
  %z = linalg.fill ins(%one : f32) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  %0 = tpp.brgemm sizes = [13, 32, 64] beta = 1 ins(%a, %b : tensor<13x64xf32>, tensor<64x32xf32>) outs(%z : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// -----

// CHECK-LABEL: @redundant_post_ops(
// CHECK: post_ops = [#tpp.post_op<unary relu>] outs
// CHECK: tpp.brgemm sizes = [13, 32, 64] ins({{.*}} : memref<13x64xf32>, memref<64x32xf32>) outs
// CHECK: post_ops = [#tpp.post_op<unary tanh>, #tpp.post_op<unary tanh>] outs
func.func @redundant_post_ops(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>)
    post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary identity>, #tpp.post_op<unary relu>] outs(%c : memref<13x32xf32>)
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>)
    post_ops = [#tpp.post_op<unary identity>] outs(%c : memref<13x32xf32>)
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>)
    post_ops = [#tpp.post_op<unary tanh>, #tpp.post_op<unary tanh>] outs(%c : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @empty_product(
// CHECK-SAME: , %[[C:[^:,]*]]: tensor<13x32xf32>)
// CHECK-NEXT: %[[Z:.*]] = tpp.unary zero outs(%[[C]] : tensor<13x32xf32>)
// CHECK-NEXT: return %[[Z]], %[[C]]
func.func @empty_product(%a: tensor<13x0xf32>, %b: tensor<0x32xf32>, %c: tensor<13x32xf32>) -> (tensor<13x32xf32>, tensor<13x32xf32>) {
  %0 = tpp.brgemm sizes = [13, 32, 0] ins(%a, %b : tensor<13x0xf32>, tensor<0x32xf32>) outs(%c : tensor<13x32xf32>) -> tensor<13x32xf32>
  %1 = tpp.brgemm sizes = [13, 32, 0] beta = 1 ins(%a, %b : tensor<13x0xf32>, tensor<0x32xf32>) outs(%c : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0, %1 : tensor<13x32xf32>, tensor<13x32xf32>
}

// CHECK-LABEL: @empty_batch(
// CHECK-SAME: , %[[C:[^:,]*]]: memref<13x32xf32>)
// CHECK-NEXT: tpp.unary zero outs(%[[C]] : memref<13x32xf32>)
// CHECK-NEXT: tpp.brgemm {{.*}} post_ops = [#tpp.post_op<unary relu>]
// CHECK-NEXT: return
func.func @empty_batch(%a: memref<0x13x64xf32>, %b: memref<0x64x32xf32>, %c: memref<13x32xf32>) {
  tpp.brgemm sizes = [13, 32, 64] batch = stride ins(%a, %b : memref<0x13x64xf32>, memref<0x64x32xf32>) outs(%c : memref<13x32xf32>)
  tpp.brgemm sizes = [13, 32, 64] batch = stride beta = 1 ins(%a, %b : memref<0x13x64xf32>, memref<0x64x32xf32>) outs(%c : memref<13x32xf32>)
  tpp.brgemm sizes = [13, 32, 64] batch = stride beta = 1 ins(%a, %b : memref<0x13x64xf32>, memref<0x64x32xf32>)
    post_ops = [#tpp.post_op<unary relu>] outs(%c : memref<13x32xf32>)
  return
}

// -----

// Side effects: unused results are removed on tensors and kept on buffers. Equal dispatches are merged.
// CHECK-LABEL: @effects(
// CHECK-NEXT: tpp.unary relu ins({{.*}} : memref<13x32xf32>)
// CHECK-NEXT: return
func.func @effects(%x: tensor<13x32xf32>, %m: memref<13x32xf32>) {
  %0 = tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%x : tensor<13x32xf32>) -> tensor<13x32xf32>
  %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>
  tpp.unary relu ins(%m : memref<13x32xf32>) outs(%m : memref<13x32xf32>)
  return
}
