// Contractions that no brgemm kernel computes, or none at speed, stay linalg.
// RUN: tpp-opt %s --tpp-normalize-contractions --split-input-file | FileCheck %s
// CHECK-NOT: tpp.contract

// CHECK-LABEL: @other_types(
// CHECK-COUNT-3: linalg.matmul
func.func @other_types(%a: tensor<8x4xf64>, %b: tensor<4x16xf64>, %c: tensor<8x16xf64>, %i: tensor<8x4xi32>, %j: tensor<4x16xi32>, %k: tensor<8x16xi32>, %f: tensor<8x4xf32>, %g: tensor<4x16xf32>)
    -> (tensor<8x16xf64>, tensor<8x16xi32>, tensor<8x16xf64>) {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf64>, tensor<4x16xf64>) outs(%c : tensor<8x16xf64>) -> tensor<8x16xf64>
  %1 = linalg.matmul ins(%i, %j : tensor<8x4xi32>, tensor<4x16xi32>) outs(%k : tensor<8x16xi32>) -> tensor<8x16xi32>
  %2 = linalg.matmul ins(%f, %g : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf64>) -> tensor<8x16xf64>
  return %0, %1, %2 : tensor<8x16xf64>, tensor<8x16xi32>, tensor<8x16xf64>
}

// -----

// Matrix times vector: the sum is along contiguous rows and is vectorized there. The same for a dot product.
// CHECK-LABEL: @along_the_rows(
// CHECK: linalg.matvec
// CHECK: linalg.dot
func.func @along_the_rows(%a: tensor<8x16xf32>, %x: tensor<16xf32>, %y: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  %0 = linalg.matvec ins(%a, %x : tensor<8x16xf32>, tensor<16xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.dot ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<8xf32>, tensor<f32>
}

// -----

// No reduction; and a filter per channel (the contiguous dimension is in both operands).
// CHECK-LABEL: @no_sum(
// CHECK: linalg.generic
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @no_sum(%x: tensor<8xf32>, %y: tensor<16xf32>, %c: tensor<8x16xf32>, %i: tensor<1x9x9x16xf32>, %w: tensor<3x3x16xf32>, %o: tensor<1x7x7x16xf32>) -> (tensor<8x16xf32>, tensor<1x7x7x16xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<8xf32>, tensor<16xf32>) outs(%c : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %1 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%i, %w : tensor<1x9x9x16xf32>, tensor<3x3x16xf32>) outs(%o : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<1x7x7x16xf32>
}

// -----

// Almost a multiply-add: a difference is accumulated, the largest product is kept, one factor is used twice.
// CHECK-LABEL: @other_bodies(
// CHECK: arith.subf
// CHECK: arith.maximumf
// CHECK: arith.mulf %[[X:.*]], %[[X]]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @other_bodies(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.subf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.maximumf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %x : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// Dynamic shapes, empty sums and buffers.
// CHECK-LABEL: @other_shapes(
// CHECK-COUNT-3: linalg.matmul
func.func @other_shapes(%a: tensor<?x4xf32>, %b: tensor<4x16xf32>, %c: tensor<?x16xf32>, %d: tensor<8x0xf32>, %e: tensor<0x16xf32>, %f: tensor<8x16xf32>, %g: memref<8x4xf32>, %h: memref<4x16xf32>, %i: memref<8x16xf32>) -> (tensor<?x16xf32>, tensor<8x16xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  %1 = linalg.matmul ins(%d, %e : tensor<8x0xf32>, tensor<0x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  linalg.matmul ins(%g, %h : memref<8x4xf32>, memref<4x16xf32>) outs(%i : memref<8x16xf32>)
  return %0, %1 : tensor<?x16xf32>, tensor<8x16xf32>
}

// -----

// A broadcast along the sum is not read through: kernels take no stride of 0. Without a broadcast op to keep, the op stays linalg.
// CHECK-LABEL: @broadcast_along_the_sum(
// CHECK: %[[A:.*]] = linalg.broadcast
// CHECK: tpp.contract ins(%[[A]],
// CHECK: linalg.generic
func.func @broadcast_along_the_sum(%x: tensor<32xf32>, %b: tensor<5x48xf32>) -> (tensor<32x48xf32>, tensor<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x5xf32>
  %a = linalg.broadcast ins(%x : tensor<32xf32>) outs(%e0 : tensor<32x5xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<32x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x5xf32>, tensor<5x48xf32>) outs(%z : tensor<32x48xf32>) -> tensor<32x48xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %b : tensor<32xf32>, tensor<5x48xf32>) outs(%z : tensor<32x48xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %product = arith.mulf %p, %q : f32
    %sum = arith.addf %r, %product : f32
    linalg.yield %sum : f32
  } -> tensor<32x48xf32>
  return %0, %1 : tensor<32x48xf32>, tensor<32x48xf32>
}

// -----

// Kernels step forwards only.
// CHECK-LABEL: @backwards(
// CHECK-NOT: tpp.contract
// CHECK: linalg.generic
func.func @backwards(%a: tensor<16x32xf32>, %b: tensor<32x24xf32>, %c: tensor<16x24xf32>) -> tensor<16x24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (15 - m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x32xf32>, tensor<32x24xf32>) outs(%c : tensor<16x24xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x24xf32>
  return %0 : tensor<16x24xf32>
}
