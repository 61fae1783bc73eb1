// Post-ops on the sums of bf16 products: the kernel computes them in f32 and rounds once, so that conversions within the chain are dropped.
// RUN: tpp-opt %s --tpp-normalize-contractions --tpp-fuse-post-ops --split-input-file | FileCheck %s

// A bias of bf16 is an operand as it is. The result has the type that the program stores.
// CHECK-LABEL: @stored_in_bf16(
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<16xbf16>)
// CHECK-NOT: linalg.generic
// CHECK: %[[C:.*]] = tpp.contract {{.*}} outs(%{{.*}} : tensor<8x16xbf16>) post(%[[BIAS]] : tensor<16xbf16>)
// CHECK-SAME: post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>]
// CHECK: return %[[C]]
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
func.func @stored_in_bf16(%x: tensor<8x4xbf16>, %w: tensor<4x16xbf16>, %bias: tensor<16xbf16>) -> tensor<8x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %b = tensor.empty() : tensor<8x16xbf16>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<8x16xf32>, tensor<16xbf16>) outs(%b : tensor<8x16xbf16>) {
  ^bb0(%a: f32, %c: bf16, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %u = arith.extf %t : bf16 to f32
    %v = arith.extf %c : bf16 to f32
    %s = arith.addf %u, %v : f32
    %r = arith.maximumf %s, %zero : f32
    %q = arith.truncf %r : f32 to bf16
    linalg.yield %q : bf16
  } -> tensor<8x16xbf16>
  return %1 : tensor<8x16xbf16>
}

// -----

// Products of f32 are not stored in bf16, and sums that continue others of f32 stay f32.
// CHECK-LABEL: @not_stored(
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<8x16xf32>)
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<8x16xf32>)
// CHECK-COUNT-2: arith.truncf
#id = affine_map<(m, n) -> (m, n)>
func.func @not_stored(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %y: tensor<8x4xbf16>, %v: tensor<4x16xbf16>, %init: tensor<8x16xf32>) -> (tensor<8x16xbf16>, tensor<8x16xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %b = tensor.empty() : tensor<8x16xbf16>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.matmul ins(%y, %v : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xf32>) outs(%b : tensor<8x16xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8x16xbf16>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x16xf32>) outs(%b : tensor<8x16xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8x16xbf16>
  return %2, %3 : tensor<8x16xbf16>, tensor<8x16xbf16>
}

// -----

// Integer sums: steps in i32, the conversion, steps in f32, and at the end the conversion to 8 bits of a rounded value.
// CHECK-LABEL: @requantized(
// CHECK-NOT: linalg.generic
// CHECK: tpp.contract {{.*}} outs(%{{.*}} : tensor<8x16xi8>) post(%{{.*}}, %{{.*}}, %{{.*}} : tensor<16xi32>, tensor<16xf32>, tensor<f32>)
// CHECK-SAME: c_unsigned
// CHECK-SAME: post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<unary round>, #tpp.post_op<binary add>]
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
func.func @requantized(%x: tensor<8x4xi8>, %w: tensor<4x16xi8>, %bias: tensor<16xi32>, %scale: tensor<16xf32>) -> tensor<8x16xi8> {
  %zero = arith.constant 0 : i32
  %point = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<8x16xi32>
  %q = tensor.empty() : tensor<8x16xi8>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8x16xi32>) -> tensor<8x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%z : tensor<8x16xi32>) -> tensor<8x16xi32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%0, %bias, %scale : tensor<8x16xi32>, tensor<16xi32>, tensor<16xf32>) outs(%q : tensor<8x16xi8>) {
  ^bb0(%a: i32, %b: i32, %s: f32, %o: i8):
    %2 = arith.addi %b, %a : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.addf %5, %point : f32
    %7 = arith.fptoui %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<8x16xi8>
  return %1 : tensor<8x16xi8>
}

// -----

// A conversion that truncates is not a store, which rounds.
// CHECK-LABEL: @truncated(
// CHECK: tpp.contract {{.*}} post_ops = []
// CHECK: arith.fptosi
#id = affine_map<(m, n) -> (m, n)>
func.func @truncated(%x: tensor<8x4xi8>, %w: tensor<4x16xi8>) -> tensor<8x16xi8> {
  %zero = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8x16xi32>
  %q = tensor.empty() : tensor<8x16xi8>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8x16xi32>) -> tensor<8x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%z : tensor<8x16xi32>) -> tensor<8x16xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xi32>) outs(%q : tensor<8x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %2 = arith.sitofp %a : i32 to f32
    %3 = arith.mulf %2, %half : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<8x16xi8>
  return %1 : tensor<8x16xi8>
}

// -----

// A store rounds to nearest even and saturates: steps that do no more are dropped, from the last one on. A clamp that is narrower than the
// integers stays, with what comes before it; and so does a rounding before a zero point.
// CHECK-LABEL: @dropped(
// CHECK: tpp.contract {{.*}} c_unsigned{{.*}} post_ops = [#tpp.post_op<unary convert>]
// CHECK-LABEL: @kept(
// CHECK: tpp.contract {{.*}} c_unsigned{{.*}} post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<unary round>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>, #tpp.post_op<binary min>]
#id = affine_map<(m, n) -> (m, n)>
func.func @dropped(%x: tensor<8x4xi8>, %w: tensor<4x16xi8>) -> tensor<8x16xi8> {
  %zero = arith.constant 0 : i32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<8x16xi32>
  %q = tensor.empty() : tensor<8x16xi8>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8x16xi32>) -> tensor<8x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%z : tensor<8x16xi32>) -> tensor<8x16xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xi32>) outs(%q : tensor<8x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %2 = arith.sitofp %a : i32 to f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %low : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptoui %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<8x16xi8>
  return %1 : tensor<8x16xi8>
}
func.func @kept(%x: tensor<8x4xi8>, %w: tensor<4x16xi8>) -> tensor<8x16xi8> {
  %zero = arith.constant 0 : i32
  %low = arith.constant 0.0 : f32
  %point = arith.constant 3.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<8x16xi32>
  %q = tensor.empty() : tensor<8x16xi8>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8x16xi32>) -> tensor<8x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xi8>, tensor<4x16xi8>) outs(%z : tensor<8x16xi32>) -> tensor<8x16xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x16xi32>) outs(%q : tensor<8x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %2 = arith.sitofp %a : i32 to f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %point : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptoui %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<8x16xi8>
  return %1 : tensor<8x16xi8>
}
