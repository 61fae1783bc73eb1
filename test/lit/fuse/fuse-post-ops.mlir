// Elementwise consumers become post-ops in the order of their application. Each is recognized in the forms that exporters write.
// RUN: tpp-opt %s --tpp-normalize-contractions --tpp-fuse-post-ops --split-input-file | FileCheck %s

// A bias along the columns, then relu as torch-mlir writes it: compare (unordered, NaN passes) and select.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: @bias_relu(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<4x16xf32>, %[[BIAS:.*]]: tensor<16xf32>)
// CHECK: %[[R:.*]] = tpp.contract ins(%[[X]], %[[W]] : {{.*}}) post(%[[BIAS]] : tensor<16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 8, 16, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]], #[[ROW]]]
// CHECK-SAME: post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>]
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @bias_relu(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %s = arith.addf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %p = arith.cmpf ugt, %v, %zero : f32
    %r = arith.select %p, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

// A column of scales, a residual that is subtracted, a captured scalar factor, a factor from a rank-0 tensor, bounds: a chain in
// one body.
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[COL:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-LABEL: @operands(
// CHECK-SAME: %[[COLS:[a-z0-9]*]]: tensor<8xf32>, %[[RES:.*]]: tensor<8x16xf32>, %[[S:.*]]: tensor<f32>)
// CHECK-DAG: %[[SIX:.*]] = arith.constant dense<6.000000e+00> : tensor<f32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<f32>
// CHECK: tpp.contract {{.*}} post(%[[COLS]], %[[RES]], %[[TWO]], %[[S]], %[[SIX]] : tensor<8xf32>, tensor<8x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>)
// CHECK-SAME: indexing_maps = [{{.*}}, {{.*}}, #[[C]], #[[COL]], #[[C]], #[[ONE]], #[[ONE]], #[[ONE]]]
// CHECK-SAME: post_ops = [#tpp.post_op<binary mul>, #tpp.post_op<binary sub>, #tpp.post_op<binary mul>, #tpp.post_op<binary div>, #tpp.post_op<binary min>]
#id = affine_map<(m, n) -> (m, n)>
func.func @operands(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %cols: tensor<8xf32>, %residual: tensor<8x16xf32>, %scale: tensor<f32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, #id, #id, affine_map<(m, n) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
    ins(%cols, %0, %residual, %scale : tensor<8xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<f32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%c: f32, %v: f32, %r: f32, %s: f32, %o: f32):
    %a = arith.mulf %c, %v : f32
    %b = arith.subf %a, %r : f32
    %d = arith.mulf %two, %b : f32
    %f = arith.divf %d, %s : f32
    %g = arith.minimumf %f, %six : f32
    linalg.yield %g : f32
  } -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// Activations in one body: relu as a maximum, tanh, exp, sigmoid, silu both ways, gelu with constants rounded to f32, gelu_tanh
// by a cube and by a power.
// CHECK-LABEL: @activations(
// CHECK-DAG: post_ops = [#tpp.post_op<unary relu>]
// CHECK-DAG: post_ops = [#tpp.post_op<unary tanh>]
// CHECK-DAG: post_ops = [#tpp.post_op<unary exp>]
// CHECK-DAG: post_ops = [#tpp.post_op<unary sigmoid>]
// CHECK-DAG: post_ops = [#tpp.post_op<unary silu>]
// CHECK-DAG: post_ops = [#tpp.post_op<unary gelu>]
// CHECK-DAG: post_ops = [#tpp.post_op<unary gelu_tanh>]
// CHECK-NOT: linalg.generic
// CHECK: return
#id = affine_map<(m, n) -> (m, n)>
func.func @activations(%x: tensor<8x4xf32>, %w: tensor<7x4x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  %sqrt2pi = arith.constant 0.797884583 : f32
  %c3 = arith.constant 4.471500e-02 : f32
  %w0 = tensor.extract_slice %w[0, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<7x4x16xf32> to tensor<4x16xf32>
  %w1 = tensor.extract_slice %w[1, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<7x4x16xf32> to tensor<4x16xf32>
  %w2 = tensor.extract_slice %w[2, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<7x4x16xf32> to tensor<4x16xf32>
  %w3 = tensor.extract_slice %w[3, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<7x4x16xf32> to tensor<4x16xf32>
  %w4 = tensor.extract_slice %w[4, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<7x4x16xf32> to tensor<4x16xf32>
  %w5 = tensor.extract_slice %w[5, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<7x4x16xf32> to tensor<4x16xf32>
  %w6 = tensor.extract_slice %w[6, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<7x4x16xf32> to tensor<4x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m0 = linalg.matmul ins(%x, %w0 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m1 = linalg.matmul ins(%x, %w1 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m2 = linalg.matmul ins(%x, %w2 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m3 = linalg.matmul ins(%x, %w3 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m4 = linalg.matmul ins(%x, %w4 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m5 = linalg.matmul ins(%x, %w5 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %m6 = linalg.matmul ins(%x, %w6 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.maximumf %zero, %v : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m1 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.tanh %v : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m2 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.exp %v : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %sigmoid = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m3 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    %p = math.exp %n : f32
    %q = arith.addf %p, %one : f32
    %r = arith.divf %one, %q : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %silu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m4 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    %p = math.exp %n : f32
    %q = arith.addf %one, %p : f32
    %s = arith.divf %one, %q : f32
    %r = arith.mulf %v, %s : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %gelu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m5 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %d = arith.divf %v, %sqrt2 : f32
    %f = math.erf %d : f32
    %p = arith.addf %f, %one : f32
    %h = arith.mulf %p, %half : f32
    %r = arith.mulf %v, %h : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %gelu_tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m6 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    %k = arith.mulf %v3, %c3 : f32
    %s = arith.addf %v, %k : f32
    %a = arith.mulf %s, %sqrt2pi : f32
    %t = math.tanh %a : f32
    %p = arith.addf %t, %one : f32
    %h = arith.mulf %v, %half : f32
    %r = arith.mulf %h, %p : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %relu, %tanh, %exp, %sigmoid, %silu, %gelu, %gelu_tanh : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// A reshape between the contraction and its bias is absorbed by the contraction.
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 4 + d1, d2)>
// CHECK-LABEL: @through_reshape(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<8x16xf32>) post({{.*}} : tensor<16xf32>)
// CHECK-SAME: indexing_maps = [{{.*}}, {{.*}}, #[[ROWS]], {{.*}}]
// CHECK-NOT: tensor.collapse_shape
// CHECK: return %[[R]]
#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @through_reshape(%x: tensor<2x4x8xf32>, %w: tensor<2x8x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%z : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x4x16xf32> into tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%1, %bias : tensor<8x16xf32>, tensor<16xf32>) outs(%e1 : tensor<8x16xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %s = arith.addf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

// Dimensions of size 1 that are added and removed leave nothing in the map.
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, 0, d1)>
// CHECK-LABEL: @through_unit_dims(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<8x1x16xf32>) {{.*}} indexing_maps = [{{.*}}, {{.*}}, #[[ROWS]]], post_ops = [#tpp.post_op<unary tanh>]
// CHECK: return %[[R]]
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @through_unit_dims(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2, 3]] output_shape [1, 8, 1, 16] : tensor<8x16xf32> into tensor<1x8x1x16xf32>
  %2 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x8x1x16xf32> into tensor<8x1x16xf32>
  %e1 = tensor.empty() : tensor<8x1x16xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8x1x16xf32>) outs(%e1 : tensor<8x1x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<8x1x16xf32>
  return %3 : tensor<8x1x16xf32>
}

// -----

// A linear layer of the pixels of an image: its input is collapsed to a matrix, and its result expanded. The loops of rows and columns index the
// image, and a residual that is an image fuses.
// CHECK: #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d0, d3, d1)>
// CHECK-LABEL: @through_pixels(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x6x5x16xf32>) post(%arg0 : tensor<1x6x5x16xf32>) {{.*}} extents = array<i64: 6, 16, 16, 5>, indexing_maps = [{{.*}}, {{.*}}, #[[PIXELS]], #[[PIXELS]]], post_ops = [#tpp.post_op<unary tanh>, #tpp.post_op<binary add>]
// CHECK-NOT: expand_shape
// CHECK: return %[[R]]
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @through_pixels(%x: tensor<1x6x5x16xf32>, %w: tensor<16x16xf32>) -> tensor<1x6x5x16xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<1x6x5x16xf32> into tensor<30x16xf32>
  %e = tensor.empty() : tensor<30x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<30x16xf32>) -> tensor<30x16xf32>
  %0 = linalg.matmul ins(%m, %w : tensor<30x16xf32>, tensor<16x16xf32>) outs(%z : tensor<30x16xf32>) -> tensor<30x16xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [1, 6, 5, 16] : tensor<30x16xf32> into tensor<1x6x5x16xf32>
  %e1 = tensor.empty() : tensor<1x6x5x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %x : tensor<1x6x5x16xf32>, tensor<1x6x5x16xf32>) outs(%e1 : tensor<1x6x5x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = math.tanh %a : f32
    %s = arith.addf %r, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x6x5x16xf32>
  return %2 : tensor<1x6x5x16xf32>
}

// -----

// So does gelu.
// CHECK-LABEL: @gelu_of_pixels(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} post_ops = [#tpp.post_op<unary gelu>]
// CHECK-NOT: expand_shape
// CHECK: return %[[R]]
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @gelu_of_pixels(%x: tensor<1x6x5x16xf32>, %w: tensor<16x16xf32>) -> tensor<1x6x5x16xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 1.41421354 : f32
  %m = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<1x6x5x16xf32> into tensor<30x16xf32>
  %e = tensor.empty() : tensor<30x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<30x16xf32>) -> tensor<30x16xf32>
  %0 = linalg.matmul ins(%m, %w : tensor<30x16xf32>, tensor<16x16xf32>) outs(%z : tensor<30x16xf32>) -> tensor<30x16xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [1, 6, 5, 16] : tensor<30x16xf32> into tensor<1x6x5x16xf32>
  %e1 = tensor.empty() : tensor<1x6x5x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x6x5x16xf32>) outs(%e1 : tensor<1x6x5x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.divf %a, %root : f32
    %r = math.erf %q : f32
    %s = arith.addf %r, %one : f32
    %t = arith.mulf %s, %half : f32
    %u = arith.mulf %a, %t : f32
    linalg.yield %u : f32
  } -> tensor<1x6x5x16xf32>
  return %2 : tensor<1x6x5x16xf32>
}

// -----

// A transposition that keeps the innermost dimension is absorbed, too, and its consumers fuse: the values of the heads are
// interleaved.
// CHECK: #[[HEADS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-LABEL: @through_transpose(
// CHECK-SAME: %{{.*}}: tensor<12x7x8xf32>, %{{.*}}: tensor<12x8x16xf32>, %[[RES:.*]]: tensor<7x12x16xf32>
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<7x12x16xf32>) post(%[[RES]] : tensor<7x12x16xf32>)
// CHECK-SAME: indexing_maps = [{{.*}}, {{.*}}, #[[HEADS]], #[[HEADS]]], post_ops = [#tpp.post_op<binary add>]
// CHECK-NOT: linalg.
// CHECK: return %[[R]]
#id = affine_map<(m, b, n) -> (m, b, n)>
func.func @through_transpose(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>, %residual: tensor<7x12x16xf32>) -> tensor<7x12x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%z : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %residual : tensor<7x12x16xf32>, tensor<7x12x16xf32>) outs(%t : tensor<7x12x16xf32>) {
  ^bb0(%v: f32, %r: f32, %o: f32):
    %s = arith.addf %v, %r : f32
    linalg.yield %s : f32
  } -> tensor<7x12x16xf32>
  return %2 : tensor<7x12x16xf32>
}

// -----

// Transposition, then reshape: heads side by side in one row, as attention's output projection reads them.
// CHECK: #[[MERGED:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0 * 16 + d2)>
// CHECK-LABEL: @through_transpose_and_reshape(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<7x192xf32>) {{.*}} indexing_maps = [{{.*}}, {{.*}}, #[[MERGED]]]
// CHECK-NEXT: return %[[R]]
func.func @through_transpose_and_reshape(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>) -> tensor<7x192xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%z : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<7x12x16xf32> into tensor<7x192xf32>
  return %2 : tensor<7x192xf32>
}
