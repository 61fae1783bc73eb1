// A program whose values have the best layout for its contractions does not change at all.
// RUN: tpp-opt %s --tpp-normalize-contractions --canonicalize -o %t.before
// RUN: tpp-opt %s --tpp-normalize-contractions --canonicalize --tpp-propagate-layouts -o %t.after
// RUN: FileCheck %s --input-file=%t.before
// RUN: diff %t.before %t.after

// Convolutions on NHWC, with a bias, a pad and a residual between them.
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
#last = affine_map<(a, b, c, d) -> (d)>
// CHECK-LABEL: @nhwc(
// CHECK-COUNT-2: tpp.contract
func.func @nhwc(%x: tensor<1x56x56x64xf32>, %bias: tensor<64xf32>) -> tensor<1x54x54x64xf32> {
  %w0 = arith.constant dense_resource<w0> : tensor<3x3x64x64xf32>
  %w1 = arith.constant dense_resource<w1> : tensor<3x3x64x64xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x54x54x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x54x54x64xf32>) -> tensor<1x54x54x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) outs(%z0 : tensor<1x54x54x64xf32>) -> tensor<1x54x54x64xf32>
  %e1 = tensor.empty() : tensor<1x54x54x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %bias : tensor<1x54x54x64xf32>, tensor<64xf32>) outs(%e1 : tensor<1x54x54x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x54x54x64xf32>
  %e2 = tensor.empty() : tensor<1x56x56x64xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %2 = tensor.insert_slice %1 into %z2[0, 1, 1, 0] [1, 54, 54, 64] [1, 1, 1, 1] : tensor<1x54x54x64xf32> into tensor<1x56x56x64xf32>
  %e3 = tensor.empty() : tensor<1x54x54x64xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x54x54x64xf32>) -> tensor<1x54x54x64xf32>
  %3 = linalg.conv_2d_nhwc_hwcf ins(%2, %w1 : tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) outs(%z3 : tensor<1x54x54x64xf32>) -> tensor<1x54x54x64xf32>
  %e4 = tensor.empty() : tensor<1x54x54x64xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %1 : tensor<1x54x54x64xf32>, tensor<1x54x54x64xf32>) outs(%e4 : tensor<1x54x54x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x54x54x64xf32>
  return %4 : tensor<1x54x54x64xf32>
}

// One head of attention, between two projections.
// CHECK-LABEL: @attention(
// CHECK-COUNT-4: tpp.contract
func.func @attention(%x: tensor<197x64xf32>) -> tensor<197x64xf32> {
  %w0 = arith.constant dense_resource<w2> : tensor<64x64xf32>
  %w1 = arith.constant dense_resource<w3> : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<197x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<197x64xf32>) -> tensor<197x64xf32>
  %q = linalg.matmul ins(%x, %w0 : tensor<197x64xf32>, tensor<64x64xf32>) outs(%z0 : tensor<197x64xf32>) -> tensor<197x64xf32>
  %e1 = tensor.empty() : tensor<197x197xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<197x197xf32>) -> tensor<197x197xf32>
  %t = tensor.empty() : tensor<64x197xf32>
  %k = linalg.transpose ins(%q : tensor<197x64xf32>) outs(%t : tensor<64x197xf32>) permutation = [1, 0]
  %s = linalg.matmul ins(%q, %k : tensor<197x64xf32>, tensor<64x197xf32>) outs(%z1 : tensor<197x197xf32>) -> tensor<197x197xf32>
  %p = linalg.exp ins(%s : tensor<197x197xf32>) outs(%e1 : tensor<197x197xf32>) -> tensor<197x197xf32>
  %v = linalg.matmul ins(%p, %q : tensor<197x197xf32>, tensor<197x64xf32>) outs(%z0 : tensor<197x64xf32>) -> tensor<197x64xf32>
  %o = linalg.matmul ins(%v, %w1 : tensor<197x64xf32>, tensor<64x64xf32>) outs(%z0 : tensor<197x64xf32>) -> tensor<197x64xf32>
  return %o : tensor<197x64xf32>
}

// Without contractions no layout is preferred.
// CHECK-LABEL: @elementwise(
func.func @elementwise(%x: tensor<1x64x56x56xf32>) -> tensor<1x56x56x64xf32> {
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %0 = linalg.exp ins(%x : tensor<1x64x56x56xf32>) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %t = tensor.empty() : tensor<1x56x56x64xf32>
  %1 = linalg.transpose ins(%0 : tensor<1x64x56x56xf32>) outs(%t : tensor<1x56x56x64xf32>) permutation = [0, 2, 3, 1]
  return %1 : tensor<1x56x56x64xf32>
}

// Dynamic shapes.
// CHECK-LABEL: @dynamic(
func.func @dynamic(%x: tensor<?x64x56x56xf32>, %w: tensor<64x64x3x3xf32>, %c: tensor<?x64x54x54xf32>) -> tensor<?x64x54x54xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%c : tensor<?x64x54x54xf32>) -> tensor<?x64x54x54xf32>
  return %0 : tensor<?x64x54x54xf32>
}

// CHECK: func.func private @external
func.func private @external(tensor<1x64x56x56xf32>) -> tensor<1x64x54x54xf32>

// A large factor whose columns are contiguous is packed from its current layout: if it were transposed first, it would still have
// to be packed.
// CHECK-LABEL: @large_factor
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @large_factor(%x: tensor<2048x2048xf32>, %y: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%f : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}
