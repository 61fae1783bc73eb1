// The stages on tensors, TOSA included: calls are inlined, a layer becomes one contraction with its epilogue, and gelu is
// recognized after upstream's fusion has joined its parts.
// RUN: tpp-opt %s --tpp-default-tensors --split-input-file | FileCheck %s
// RUN: tpp-opt %s "--tpp-default-tensors=packing=none" --split-input-file | FileCheck %s
// RUN: not tpp-opt %s "--tpp-default-tensors=packing=tight" --split-input-file 2>&1 | FileCheck %s --check-prefix=PACKING
// PACKING: unknown packing 'tight'

// CHECK-LABEL: @tosa(
// CHECK: tpp.contract {{.*}} post_ops = [#tpp.post_op<binary add>, #tpp.post_op<binary min>, #tpp.post_op<unary relu>]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @tosa(%x: tensor<1x5x16xf32>, %w: tensor<1x16x24xf32>, %b: tensor<1x1x24xf32>) -> tensor<1x5x24xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x5x16xf32>, tensor<1x16x24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x24xf32>
  %1 = tosa.add %0, %b : (tensor<1x5x24xf32>, tensor<1x1x24xf32>) -> tensor<1x5x24xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
  return %2 : tensor<1x5x24xf32>
}

// -----

// CHECK-LABEL: @inlined(
// CHECK-NOT: call
// CHECK-COUNT-2: tpp.contract
// CHECK-NOT: call
// CHECK: return
func.func private @layer(%x: tensor<5x16xf32>, %w: tensor<16x16xf32>) -> tensor<5x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<5x16xf32>, tensor<16x16xf32>) outs(%z : tensor<5x16xf32>) -> tensor<5x16xf32>
  return %0 : tensor<5x16xf32>
}
func.func @inlined(%x: tensor<5x16xf32>, %w: tensor<16x16xf32>) -> tensor<5x16xf32> {
  %0 = call @layer(%x, %w) : (tensor<5x16xf32>, tensor<16x16xf32>) -> tensor<5x16xf32>
  %1 = call @layer(%0, %w) : (tensor<5x16xf32>, tensor<16x16xf32>) -> tensor<5x16xf32>
  return %1 : tensor<5x16xf32>
}

// -----

// CHECK-LABEL: @gelu_in_parts(
// CHECK: tpp.contract {{.*}} post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary gelu>]
// CHECK-NOT: linalg.generic
// CHECK: return
#id = affine_map<(m, n) -> (m, n)>
func.func @gelu_in_parts(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %bias : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %s = arith.addf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.divf %v, %sqrt2 : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = math.erf %v : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %one : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.mulf %v, %half : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %5 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %4 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %g: f32, %o: f32):
    %s = arith.mulf %v, %g : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %5 : tensor<8x16xf32>
}
