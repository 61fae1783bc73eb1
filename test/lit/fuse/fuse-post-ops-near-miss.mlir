// Near misses: ops that look like a post-op but must not be fused.
// RUN: tpp-opt %s --tpp-normalize-contractions --tpp-fuse-post-ops --split-input-file | FileCheck %s

// `x > 0 ? x : 0` (ordered) turns NaN into 0; relu does not. The same for maxnum.
// CHECK-LABEL: @drops_nan(
// CHECK-COUNT-2: post_ops = []
// CHECK: arith.cmpf ogt
// CHECK: arith.maxnumf
#id = affine_map<(m, n) -> (m, n)>
func.func @drops_nan(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %v: tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.matmul ins(%x, %v : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.cmpf ogt, %a, %zero : f32
    %r = arith.select %p, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maxnumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// The contraction's value is a result, too.
// CHECK-LABEL: @two_users(
// CHECK: %[[P:.*]] = tpp.contract {{.*}} post_ops = []
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[P]] :
// CHECK: return %[[P]], %[[T]]
#id = affine_map<(m, n) -> (m, n)>
func.func @two_users(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// The contraction's value is the second operand of a subtraction and of a division: not a chain that starts at it.
// CHECK-LABEL: @wrong_side(
// CHECK: tpp.contract {{.*}} post_ops = []
// CHECK: arith.subf
#id = affine_map<(m, n) -> (m, n)>
func.func @wrong_side(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %b, %a : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// Constants that are not gelu's, and a chain that branches: x * tanh(x).
// CHECK-LABEL: @almost_gelu(
// CHECK-COUNT-2: post_ops = []
// CHECK: math.erf
// CHECK: math.tanh
#id = affine_map<(m, n) -> (m, n)>
func.func @almost_gelu(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %v: tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %wrong = arith.constant 1.4 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.matmul ins(%x, %v : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.divf %a, %wrong : f32
    %f = math.erf %d : f32
    %p = arith.addf %f, %one : f32
    %h = arith.mulf %p, %half : f32
    %r = arith.mulf %a, %h : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.tanh %a : f32
    %r = arith.mulf %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// The consumer reads the value transposed, reduces it, reads its own output, or yields another type.
// CHECK-LABEL: @no_elementwise(
// CHECK-COUNT-4: post_ops = []
// CHECK-COUNT-4: linalg.generic
#id = affine_map<(m, n) -> (m, n)>
func.func @no_elementwise(%x: tensor<16x4xf32>, %w: tensor<4x4x16xf32>, %c: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf16>) {
  %zero = arith.constant 0.0 : f32
  %w0 = tensor.extract_slice %w[0, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<4x4x16xf32> to tensor<4x16xf32>
  %w1 = tensor.extract_slice %w[1, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<4x4x16xf32> to tensor<4x16xf32>
  %w2 = tensor.extract_slice %w[2, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<4x4x16xf32> to tensor<4x16xf32>
  %w3 = tensor.extract_slice %w[3, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<4x4x16xf32> to tensor<4x16xf32>
  %e = tensor.empty() : tensor<16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m0 = linalg.matmul ins(%x, %w0 : tensor<16x4xf32>, tensor<4x16xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m1 = linalg.matmul ins(%x, %w1 : tensor<16x4xf32>, tensor<4x16xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m2 = linalg.matmul ins(%x, %w2 : tensor<16x4xf32>, tensor<4x16xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m3 = linalg.matmul ins(%x, %w3 : tensor<16x4xf32>, tensor<4x16xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, #id], iterator_types = ["parallel", "parallel"]} ins(%m0 : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%m1 : tensor<16x16xf32>) outs(%z1 : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m2 : tensor<16x16xf32>) outs(%c : tensor<16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  %e3 = tensor.empty() : tensor<16x16xf16>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m3 : tensor<16x16xf32>) outs(%e3 : tensor<16x16xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<16x16xf16>
  return %0, %1, %2, %3 : tensor<16x16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf16>
}

// -----

// A reshape that splits a loop cannot be expressed as a linear map of the result.
// CHECK-LABEL: @split(
// CHECK: tpp.contract {{.*}} post_ops = []
// CHECK: tensor.expand_shape
// CHECK: math.tanh
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @split(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<2x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>
  %e1 = tensor.empty() : tensor<2x4x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x4x16xf32>) outs(%e1 : tensor<2x4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  return %2 : tensor<2x4x16xf32>
}

// -----

// The map of the second operand is not linear, so nothing fuses; no constant may be created for the first operand, a scalar,
// either.
// CHECK-LABEL: @second_operand(
// CHECK-NOT: dense<
// CHECK: tpp.contract {{.*}} post_ops = []
// CHECK: arith.addf
// CHECK: arith.mulf
#id = affine_map<(m, n) -> (m, n)>
func.func @second_operand(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %t: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (m floordiv 2, n)>, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %t : tensor<8x16xf32>, tensor<4x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %two : f32
    %r = arith.mulf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// Transpositions that a contraction must not absorb: one that changes the innermost dimension (the operands' layouts were chosen
// for it), one of a result with another user, and one of an accumulator that is an input.
// CHECK-LABEL: @innermost(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<8x16xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<8x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[T]] :
#id = affine_map<(n, m) -> (n, m)>
func.func @innermost(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %f = tensor.empty() : tensor<16x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<8x16xf32>) outs(%f : tensor<16x8xf32>) permutation = [1, 0]
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<16x8xf32>) outs(%f : tensor<16x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// CHECK-LABEL: @shared(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<12x7x16xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<12x7x16xf32>)
// CHECK: return %[[R]], %[[T]]
func.func @shared(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>) -> (tensor<12x7x16xf32>, tensor<7x12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%z : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  return %0, %1 : tensor<12x7x16xf32>, tensor<7x12x16xf32>
}

// CHECK-LABEL: @accumulated(
// CHECK-SAME: %[[C:[^ ]*]]: tensor<12x7x16xf32>)
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs(%[[C]] : tensor<12x7x16xf32>) {beta = 1
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<12x7x16xf32>)
// CHECK: return %[[T]]
func.func @accumulated(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>, %c: tensor<12x7x16xf32>) -> tensor<7x12x16xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%c : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  return %1 : tensor<7x12x16xf32>
}

// -----

// A transposed residual: the transpose stays, and the post-op reads its result. Reading through the transpose would access one
// cache line per element. If the generic itself reads across the result's columns, nothing fuses.
// CHECK-LABEL: @residual_across(
// CHECK-SAME: %[[R:[^ ]*]]: tensor<16x8xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]]
// CHECK: tpp.contract {{.*}} post(%[[T]] : tensor<8x16xf32>)
// CHECK-SAME: post_ops = [#tpp.post_op<binary add>]
// CHECK: tpp.contract
// CHECK-SAME: post_ops = []
// CHECK: linalg.generic
#id = affine_map<(m, n) -> (m, n)>
#swapped = affine_map<(m, n) -> (n, m)>
func.func @residual_across(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %r: tensor<16x8xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %t = linalg.transpose ins(%r : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = linalg.generic {indexing_maps = [#id, #swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%2, %r : tensor<8x16xf32>, tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %1, %3 : tensor<8x16xf32>, tensor<8x16xf32>
}
