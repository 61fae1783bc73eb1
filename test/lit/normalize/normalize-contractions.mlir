// Every contraction becomes one op whose maps are linear; relayouts of operands and results become part of the maps.
// RUN: tpp-opt %s --tpp-normalize-contractions --canonicalize --split-input-file | FileCheck %s

// A sum that starts from zero does not read its accumulator.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @matmul(
// CHECK: tpp.contract ins({{.*}} : tensor<8x4xf32>, tensor<4x16xf32>) outs({{.*}} : tensor<8x16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 8, 16, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @matmul(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// Any other accumulator is added.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @accumulate(
// CHECK: tpp.contract ins({{.*}} : tensor<8x4xf32>, tensor<4x16xf32>) outs({{.*}} : tensor<8x16xf32>)
// CHECK-SAME: beta = 1
// CHECK-SAME: extents = array<i64: 8, 16, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @accumulate(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A fill with another value than zero is such an accumulator.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @fill_of_ones(
// CHECK: tpp.contract ins({{.*}} : tensor<8x4xf32>, tensor<4x16xf32>) outs({{.*}} : tensor<8x16xf32>)
// CHECK-SAME: beta = 1
// CHECK-SAME: extents = array<i64: 8, 16, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @fill_of_ones(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A broadcast accumulator is a bias, added after the sum.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[P0:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: @bias_as_init(
// CHECK: tpp.contract ins({{.*}} : tensor<8x4xf32>, tensor<4x16xf32>) outs({{.*}} : tensor<8x16xf32>) post({{.*}} : tensor<16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 8, 16, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]], #[[P0]]]
// CHECK-SAME: post_ops = [#tpp.post_op<binary add>]
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @bias_as_init(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %i = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e : tensor<8x16xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%i : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// Transposed operands are read in place, whether a transpose op or the maps transpose them.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @transposed_operands(
// CHECK: tpp.contract ins({{.*}} : tensor<4x8xf32>, tensor<16x4xf32>) outs({{.*}} : tensor<8x16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 8, 16, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @transposed_operands(%a: tensor<4x8xf32>, %b: tensor<16x4xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<8x4xf32>
  %ta = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%ea : tensor<8x4xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%ta, %b : tensor<8x4xf32>, tensor<16x4xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// The head split of attention becomes part of the maps on both sides: q and k are read from rows of all heads, the scores are
// written in between.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0 * 8 + d3)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0 * 8 + d3)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-LABEL: @heads(
// CHECK: tpp.contract ins({{.*}} : tensor<8x32xf32>, tensor<8x32xf32>) outs({{.*}} : tensor<8x4x8xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 4, 8, 8, 8>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @heads(%q: tensor<8x32xf32>, %k: tensor<8x32xf32>) -> tensor<8x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %q3 = tensor.expand_shape %q [[0], [1, 2]] output_shape [8, 4, 8] : tensor<8x32xf32> into tensor<8x4x8xf32>
  %k3 = tensor.expand_shape %k [[0], [1, 2]] output_shape [8, 4, 8] : tensor<8x32xf32> into tensor<8x4x8xf32>
  %e1 = tensor.empty() : tensor<4x8x8xf32>
  %qt = linalg.transpose ins(%q3 : tensor<8x4x8xf32>) outs(%e1 : tensor<4x8x8xf32>) permutation = [1, 0, 2]
  %kt = linalg.transpose ins(%k3 : tensor<8x4x8xf32>) outs(%e1 : tensor<4x8x8xf32>) permutation = [1, 2, 0]
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %0 = linalg.batch_matmul ins(%qt, %kt : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%z : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %e2 = tensor.empty() : tensor<8x4x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x8x8xf32>) outs(%e2 : tensor<8x4x8xf32>) permutation = [1, 0, 2]
  return %1 : tensor<8x4x8xf32>
}

// -----

// Unit dimensions between a contraction and its transposition do not matter. If two dimensions are merged, the transposition
// stays.
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d1, d0, d2)>
// CHECK-DAG: #[[PLAIN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @reshaped_and_transposed(
// CHECK: %[[UNIT:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x8x4x16xf32>) {{.*}} indexing_maps = [{{.*}}, {{.*}}, #[[C]]]
// CHECK: tpp.contract {{.*}} outs({{.*}} : tensor<2x3x8x16xf32>) {{.*}} indexing_maps = [{{.*}}, {{.*}}, #[[PLAIN]]]
// CHECK: tensor.collapse_shape
// CHECK: %[[MERGED:.*]] = linalg.transpose
// CHECK: return %[[UNIT]], %[[MERGED]]
func.func @reshaped_and_transposed(%a: tensor<4x8x4xf32>, %b: tensor<4x4x16xf32>, %x: tensor<2x3x8x4xf32>, %w: tensor<4x16xf32>) -> (tensor<1x8x4x16xf32>, tensor<8x6x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x8x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x8x4xf32>, tensor<4x4x16xf32>) outs(%z0 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %unit = tensor.expand_shape %0 [[0, 1], [2], [3]] output_shape [1, 4, 8, 16] : tensor<4x8x16xf32> into tensor<1x4x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x4x16xf32>
  %1 = linalg.transpose ins(%unit : tensor<1x4x8x16xf32>) outs(%e1 : tensor<1x8x4x16xf32>) permutation = [0, 2, 1, 3]
  %e2 = tensor.empty() : tensor<2x3x8x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j, m, n, k) -> (i, j, m, k)>, affine_map<(i, j, m, n, k) -> (k, n)>, affine_map<(i, j, m, n, k) -> (i, j, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x3x8x4xf32>, tensor<4x16xf32>) outs(%z2 : tensor<2x3x8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x8x16xf32>
  %merged = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<2x3x8x16xf32> into tensor<6x8x16xf32>
  %e3 = tensor.empty() : tensor<8x6x16xf32>
  %3 = linalg.transpose ins(%merged : tensor<6x8x16xf32>) outs(%e3 : tensor<8x6x16xf32>) permutation = [1, 0, 2]
  return %1, %3 : tensor<1x8x4x16xf32>, tensor<8x6x16xf32>
}

// -----

// A broadcast operand is read repeatedly.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: @broadcast_batch(
// CHECK: tpp.contract ins({{.*}} : tensor<3x8x4xf32>, tensor<4x16xf32>) outs({{.*}} : tensor<3x8x16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 3, 8, 16, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @broadcast_batch(%a: tensor<3x8x4xf32>, %b: tensor<4x16xf32>) -> tensor<3x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<3x4x16xf32>
  %bb = linalg.broadcast ins(%b : tensor<4x16xf32>) outs(%eb : tensor<3x4x16xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<3x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %0 = linalg.batch_matmul ins(%a, %bb : tensor<3x8x4xf32>, tensor<3x4x16xf32>) outs(%z : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  return %0 : tensor<3x8x16xf32>
}

// -----

// A dimension that a reshape merges is split in every map.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 4 + d3, d1)>
// CHECK-LABEL: @collapsed(
// CHECK: tpp.contract ins({{.*}} : tensor<2x4x8xf32>, tensor<8x16xf32>) outs({{.*}} : tensor<8x16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 2, 16, 8, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @collapsed(%a: tensor<2x4x8xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x4x8xf32> into tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%c, %b : tensor<8x8xf32>, tensor<8x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A slice is an offset.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0 + 3, d2 + 32)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @sliced(
// CHECK: tpp.contract ins({{.*}} : tensor<20x96xf32>, tensor<32x16xf32>) outs({{.*}} : tensor<8x16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 8, 16, 32>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @sliced(%a: tensor<20x96xf32>, %b: tensor<32x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %a[3, 32] [8, 32] [1, 1] : tensor<20x96xf32> to tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%s, %b : tensor<8x32xf32>, tensor<32x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A convolution is a contraction whose image is read at sums of an output position and a filter position.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @conv_nhwc(
// CHECK: tpp.contract ins({{.*}} : tensor<1x9x9x4xf32>, tensor<3x3x4x16xf32>) outs({{.*}} : tensor<1x4x4x16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 1, 4, 4, 16, 3, 3, 4>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @conv_nhwc(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x16xf32>) -> tensor<1x4x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x4xf32>, tensor<3x3x4x16xf32>) outs(%z : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// -----

// Dilation multiplies the filter position. The bias of an NCHW convolution varies along the rows.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5 * 2, d3 + d6 * 2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[P0:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1)>
// CHECK-LABEL: @conv_nchw_dilated(
// CHECK: tpp.contract ins({{.*}} : tensor<1x4x9x9xf32>, tensor<16x4x3x3xf32>) outs({{.*}} : tensor<1x16x5x5xf32>) post({{.*}} : tensor<16xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 1, 16, 5, 5, 4, 3, 3>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]], #[[P0]]]
// CHECK-SAME: post_ops = [#tpp.post_op<binary add>]
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @conv_nchw_dilated(%x: tensor<1x4x9x9xf32>, %w: tensor<16x4x3x3xf32>, %bias: tensor<16xf32>) -> tensor<1x16x5x5xf32> {
  %e = tensor.empty() : tensor<1x16x5x5xf32>
  %i = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e : tensor<1x16x5x5xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x4x9x9xf32>, tensor<16x4x3x3xf32>) outs(%i : tensor<1x16x5x5xf32>) -> tensor<1x16x5x5xf32>
  return %0 : tensor<1x16x5x5xf32>
}

// -----

// Loops and factors may have any order.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: @generic_any_order(
// CHECK: tpp.contract ins({{.*}} : tensor<8x4xf32>, tensor<4x16xf32>) outs({{.*}} : tensor<8x16xf32>)
// CHECK-SAME: beta = 1
// CHECK-SAME: extents = array<i64: 4, 16, 8>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @generic_any_order(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (k, n)>, affine_map<(k, n, m) -> (m, n)>], iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %y, %x : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A vector times a matrix whose rows are contiguous in the result is a matmul with one row.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @row_times_matrix(
// CHECK: tpp.contract ins({{.*}} : tensor<70xf32>, tensor<70x37xf32>) outs({{.*}} : tensor<37xf32>)
// CHECK-SAME: beta = 0
// CHECK-SAME: extents = array<i64: 37, 70>
// CHECK-SAME: indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME: post_ops = []
// CHECK-NOT: linalg.{{[a-eg-z]}}
func.func @row_times_matrix(%x: tensor<70xf32>, %a: tensor<70x37xf32>) -> tensor<37xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  %0 = linalg.vecmat ins(%x, %a : tensor<70xf32>, tensor<70x37xf32>) outs(%z : tensor<37xf32>) -> tensor<37xf32>
  return %0 : tensor<37xf32>
}

// -----

// Groups and their channels, collapsed behind a grouped convolution, are one dimension that it writes.
// CHECK-DAG: #[[GROUPS:.*]] = affine_map<({{.*}}) -> (0, d1 * 4 + d2, d3, d4)>
// CHECK-LABEL: @grouped(
// CHECK: %[[R:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x32x14x14xf32>) {{.*}} #[[GROUPS]]]
// CHECK: return %[[R]]
func.func @grouped(%x: tensor<1x8x4x16x16xf32>, %w: tensor<8x4x4x3x3xf32>) -> tensor<1x32x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x14x14xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x14x14xf32>) -> tensor<1x8x4x14x14xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x8x4x16x16xf32>, tensor<8x4x4x3x3xf32>) outs(%z : tensor<1x8x4x14x14xf32>) -> tensor<1x8x4x14x14xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3], [4]] : tensor<1x8x4x14x14xf32> into tensor<1x32x14x14xf32>
  return %1 : tensor<1x32x14x14xf32>
}

// -----

// The bias of a grouped convolution: a broadcast whose channels are divided into groups.
// CHECK-DAG: #[[BIAS:.*]] = affine_map<({{.*}}) -> (d1 * 4 + d2)>
// CHECK-LABEL: @grouped_bias(
// CHECK: tpp.contract {{.*}} post(%arg2 : tensor<32xf32>) {beta = 0 {{.*}} #[[BIAS]]]
func.func @grouped_bias(%x: tensor<1x8x4x16x16xf32>, %w: tensor<8x4x4x3x3xf32>, %bias: tensor<32xf32>) -> tensor<1x32x14x14xf32> {
  %e = tensor.empty() : tensor<1x32x14x14xf32>
  %b = linalg.broadcast ins(%bias : tensor<32xf32>) outs(%e : tensor<1x32x14x14xf32>) dimensions = [0, 2, 3]
  %i = tensor.expand_shape %b [[0], [1, 2], [3], [4]] output_shape [1, 8, 4, 14, 14] : tensor<1x32x14x14xf32> into tensor<1x8x4x14x14xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x8x4x16x16xf32>, tensor<8x4x4x3x3xf32>) outs(%i : tensor<1x8x4x14x14xf32>) -> tensor<1x8x4x14x14xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3], [4]] : tensor<1x8x4x14x14xf32> into tensor<1x32x14x14xf32>
  return %1 : tensor<1x32x14x14xf32>
}

// -----

// Kernels are dispatched with strides known at compile time, so a slice with dynamic strides is copied, through reshapes too.
// CHECK-LABEL: @dynamic_strides(
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %arg0[0, 0] [4, 32] [%arg1, 1]
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[SLICE]]) : tensor<4x32xf32>
// CHECK: tpp.contract ins(%[[COPY]], %arg2
func.func @dynamic_strides(%a: tensor<16x32xf32>, %stride: index, %w: tensor<32x24xf32>, %init: tensor<4x24xf32>) -> tensor<4x24xf32> {
  %s = tensor.extract_slice %a[0, 0] [4, 32] [%stride, 1] : tensor<16x32xf32> to tensor<4x32xf32>
  %0 = linalg.matmul ins(%s, %w : tensor<4x32xf32>, tensor<32x24xf32>) outs(%init : tensor<4x24xf32>) -> tensor<4x24xf32>
  return %0 : tensor<4x24xf32>
}

// -----

// An initial value whose dimensions are merged after a broadcast: no linear map reads its source.
// CHECK-LABEL: @merged_bias(
// CHECK: tpp.contract
// CHECK-SAME: beta = 1
func.func @merged_bias(%a: tensor<58x23xf32>, %b: tensor<23x6xf32>, %bias: tensor<58x2xf32>) -> tensor<58x6xf32> {
  %e = tensor.empty() : tensor<58x2x3xf32>
  %0 = linalg.broadcast ins(%bias : tensor<58x2xf32>) outs(%e : tensor<58x2x3xf32>) dimensions = [2]
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<58x2x3xf32> into tensor<58x6xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<58x23xf32>, tensor<23x6xf32>) outs(%1 : tensor<58x6xf32>) -> tensor<58x6xf32>
  return %2 : tensor<58x6xf32>
}
