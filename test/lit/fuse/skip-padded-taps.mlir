// Contractions read an argument without its zero padding: one contraction per combination of filter taps that are inside the
// argument.
// RUN: tpp-opt %s --tpp-skip-padded-taps --split-input-file | FileCheck %s

// 7 taps with stride 2 and a padding of 3: ranges of outputs {0}, {1}, {2..110} and {111} in both dimensions. Residual and bias
// are read at the part's position in the whole, the weights from the first tap inside the image.
// CHECK-DAG: #[[CORNER_X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1 * 2 + d4, d2 * 2 + d5)>
// CHECK-DAG: #[[CORNER_W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4 + 3, d5 + 3, d6)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d6)>
// CHECK-DAG: #[[BIAS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6)>
// CHECK-DAG: #[[MIDDLE_X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1 * 2 + d4 + 1, d2 * 2 + d5 + 1)>
// CHECK-DAG: #[[MIDDLE_W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK-DAG: #[[MIDDLE_R:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + 2, d2 + 2, d6)>
// CHECK-DAG: #[[LAST_X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1 * 2 + d4 + 219, d2 * 2 + d5 + 219)>
// CHECK-LABEL: @convolution(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x224x224xf32>, %[[W:.*]]: tensor<3x7x7x64xf32>, %[[B:.*]]: tensor<64xf32>, %[[R:.*]]: tensor<2x112x112x64xf32>)
// CHECK-NOT: into tensor<2x3x230x230xf32>
// CHECK: %[[E0:.*]] = tensor.empty() : tensor<2x1x1x64xf32>
// CHECK: %[[P0:.*]] = tpp.contract ins(%[[X]], %[[W]] : {{.*}}) outs(%[[E0]] : {{.*}}) post(%[[B]], %[[R]] : {{.*}}) {{.*}}extents = array<i64: 2, 1, 1, 3, 4, 4, 64>, indexing_maps = [#[[CORNER_X]], #[[CORNER_W]], #[[C]], #[[BIAS]], #[[C]]]
// CHECK: tensor.insert_slice %[[P0]] into %{{.*}}[0, 0, 0, 0] [2, 1, 1, 64] [1, 1, 1, 1]
// CHECK-COUNT-9: tpp.contract
// CHECK: %[[P10:.*]] = tpp.contract ins(%[[X]], %[[W]] : {{.*}}extents = array<i64: 2, 109, 109, 3, 7, 7, 64>, indexing_maps = [#[[MIDDLE_X]], #[[MIDDLE_W]], #[[C]], #[[BIAS]], #[[MIDDLE_R]]]
// CHECK: tensor.insert_slice %[[P10]] into %{{.*}}[0, 2, 2, 0] [2, 109, 109, 64] [1, 1, 1, 1]
// CHECK-COUNT-4: tpp.contract
// CHECK: %[[P15:.*]] = tpp.contract {{.*}}extents = array<i64: 2, 1, 1, 3, 5, 5, 64>, indexing_maps = [#[[LAST_X]],
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[P15]] into %{{.*}}[0, 111, 111, 0] [2, 1, 1, 64] [1, 1, 1, 1]
// CHECK-NOT: tpp.contract
// CHECK: return %[[ALL]]
#image = affine_map<(b, h, w, c, r, s, n) -> (b, c, h * 2 + r, w * 2 + s)>
#filter = affine_map<(b, h, w, c, r, s, n) -> (c, r, s, n)>
#result = affine_map<(b, h, w, c, r, s, n) -> (b, h, w, n)>
#bias = affine_map<(b, h, w, c, r, s, n) -> (n)>
func.func @convolution(%x: tensor<2x3x224x224xf32>, %w: tensor<3x7x7x64xf32>, %bias: tensor<64xf32>, %residual: tensor<2x112x112x64xf32>) -> tensor<2x112x112x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x230x230xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x230x230xf32>) -> tensor<2x3x230x230xf32>
  %padded = tensor.insert_slice %x into %zeros[0, 0, 3, 3] [2, 3, 224, 224] [1, 1, 1, 1] : tensor<2x3x224x224xf32> into tensor<2x3x230x230xf32>
  %e = tensor.empty() : tensor<2x112x112x64xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<2x3x230x230xf32>, tensor<3x7x7x64xf32>) outs(%e : tensor<2x112x112x64xf32>) post(%bias, %residual : tensor<64xf32>, tensor<2x112x112x64xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 112, 112, 3, 7, 7, 64>, indexing_maps = [#image, #filter, #result, #bias, #result],
     post_ops = [#tpp.post_op<binary add>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<2x112x112x64xf32>
  return %0 : tensor<2x112x112x64xf32>
}

// -----

// A dilated filter over one dimension, padded on the left only, added to an accumulator: two readers of one pad. The image is the
// second operand.
// CHECK-LABEL: @causal(
// CHECK-SAME: %[[X:.*]]: tensor<32x64xf32>, %[[W:.*]]: tensor<2x32x48xf32>, %[[INIT:.*]]: tensor<64x48xf32>)
// CHECK: %[[S0:.*]] = tensor.extract_slice %[[INIT]][0, 0] [2, 48] [1, 1]
// CHECK: %[[P0:.*]] = tpp.contract ins(%[[W]], %[[X]] : {{.*}}) outs(%[[S0]] : tensor<2x48xf32>) {beta = 1 : i64, extents = array<i64: 2, 48, 32, 1>
// CHECK: %[[I0:.*]] = tensor.insert_slice %[[P0]] into %[[INIT]][0, 0] [2, 48] [1, 1]
// CHECK: %[[S1:.*]] = tensor.extract_slice %[[I0]][2, 0] [62, 48] [1, 1]
// CHECK: %[[P1:.*]] = tpp.contract ins(%[[W]], %[[X]] : {{.*}}) outs(%[[S1]] : tensor<62x48xf32>) {beta = 1 : i64, extents = array<i64: 62, 48, 32, 2>
// CHECK: tensor.insert_slice %[[P1]] into %[[I0]][2, 0] [62, 48] [1, 1]
// CHECK-COUNT-2: tpp.contract
// CHECK-NOT: tpp.contract
#taps = affine_map<(o, n, c, t) -> (t, c, n)>
#row = affine_map<(o, n, c, t) -> (c, o + t * 2)>
#out = affine_map<(o, n, c, t) -> (o, n)>
func.func @causal(%x: tensor<32x64xf32>, %w: tensor<2x32x48xf32>, %init: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x66xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x66xf32>) -> tensor<32x66xf32>
  %padded = tensor.insert_slice %x into %zeros[0, 2] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<32x66xf32>
  %0 = tpp.contract ins(%w, %padded : tensor<2x32x48xf32>, tensor<32x66xf32>) outs(%init : tensor<64x48xf32>)
    {beta = 1 : i64, extents = array<i64: 64, 48, 32, 2>, indexing_maps = [#taps, #row, #out], post_ops = []} -> tensor<64x48xf32>
  %e = tensor.empty() : tensor<64x48xf32>
  %1 = tpp.contract ins(%w, %padded : tensor<2x32x48xf32>, tensor<32x66xf32>) outs(%e : tensor<64x48xf32>)
    {beta = 0 : i64, extents = array<i64: 64, 48, 32, 2>, indexing_maps = [#taps, #row, #out], post_ops = []} -> tensor<64x48xf32>
  return %0, %1 : tensor<64x48xf32>, tensor<64x48xf32>
}

// -----

// A transposed convolution of stride 2 with 3 taps: zeros lie between the pixels. Even outputs read the second tap, odd ones the first and the third;
// the last output reads only the first. A residual is read at every second pixel, too.
// CHECK-DAG: #[[EVEN_X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>
// CHECK-DAG: #[[EVEN_W:.*]] = affine_map<(d0, d1, d2, d3) -> (d2 * 2 + 1, d3, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-DAG: #[[EVEN_R:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2, d1)>
// CHECK-DAG: #[[ODD_W:.*]] = affine_map<(d0, d1, d2, d3) -> (d2 * 2, d3, d1)>
// CHECK-DAG: #[[ODD_R:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + 1, d1)>
// CHECK-DAG: #[[LAST_X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d2 + 7, d3)>
// CHECK-DAG: #[[LAST_R:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + 15, d1)>
// CHECK-LABEL: @transposed(
// CHECK-SAME: %[[X:.*]]: tensor<8x32xf32>, %[[W:.*]]: tensor<3x32x64xf32>, %[[R:.*]]: tensor<16x64xf32>)
// CHECK-NOT: into tensor<18x32xf32>
// CHECK: %[[P0:.*]] = tpp.contract ins(%[[X]], %[[W]] : {{.*}} post(%[[R]] : {{.*}} extents = array<i64: 8, 64, 1, 32>, indexing_maps = [#[[EVEN_X]], #[[EVEN_W]], #[[C]], #[[EVEN_R]]]
// CHECK: %[[J0:.*]] = tensor.insert_slice %[[P0]] into %{{.*}}[0, 0] [8, 64] [2, 1]
// CHECK: %[[P1:.*]] = tpp.contract ins(%[[X]], %[[W]] : {{.*}} extents = array<i64: 7, 64, 2, 32>, indexing_maps = [#[[EVEN_X]], #[[ODD_W]], #[[C]], #[[ODD_R]]]
// CHECK: %[[J1:.*]] = tensor.insert_slice %[[P1]] into %[[J0]][1, 0] [7, 64] [2, 1]
// CHECK: %[[P2:.*]] = tpp.contract ins(%[[X]], %[[W]] : {{.*}} extents = array<i64: 1, 64, 1, 32>, indexing_maps = [#[[LAST_X]], #[[ODD_W]], #[[C]], #[[LAST_R]]]
// CHECK: %[[J2:.*]] = tensor.insert_slice %[[P2]] into %[[J1]][15, 0] [1, 64] [2, 1]
// CHECK: return %[[J2]]
#image = affine_map<(h, n, r, c) -> (h + r, c)>
#filter = affine_map<(h, n, r, c) -> (r, c, n)>
#result = affine_map<(h, n, r, c) -> (h, n)>
func.func @transposed(%x: tensor<8x32xf32>, %w: tensor<3x32x64xf32>, %residual: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<18x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<18x32xf32>) -> tensor<18x32xf32>
  %spread = tensor.insert_slice %x into %zeros[1, 0] [8, 32] [2, 1] : tensor<8x32xf32> into tensor<18x32xf32>
  %e = tensor.empty() : tensor<16x64xf32>
  %0 = tpp.contract ins(%spread, %w : tensor<18x32xf32>, tensor<3x32x64xf32>) outs(%e : tensor<16x64xf32>) post(%residual : tensor<16x64xf32>)
    {beta = 0 : i64, extents = array<i64: 16, 64, 3, 32>, indexing_maps = [#image, #filter, #result, #result], post_ops = [#tpp.post_op<binary add>]} -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// -----

// Taps that are 2 apart and pixels that are 3 apart, outputs in steps of 2: each place between two pixels occurs at every third output, and reads every
// third tap.
// CHECK-DAG: #[[X0:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2 * 2, d3)>
// CHECK-DAG: #[[W0:.*]] = affine_map<(d0, d1, d2, d3) -> (d2 * 3, d3, d1)>
// CHECK-DAG: #[[W1:.*]] = affine_map<(d0, d1, d2, d3) -> (d2 * 3 + 2, d3, d1)>
// CHECK-DAG: #[[X1:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2 * 2 + 2, d3)>
// CHECK-DAG: #[[W2:.*]] = affine_map<(d0, d1, d2, d3) -> (d2 * 3 + 1, d3, d1)>
// CHECK-LABEL: @steps(
// CHECK: tpp.contract {{.*}} extents = array<i64: 2, 64, 2, 32>, indexing_maps = [#[[X0]], #[[W0]],
// CHECK: tensor.insert_slice %{{.*}}[0, 0] [2, 64] [3, 1]
// CHECK: tpp.contract {{.*}} extents = array<i64: 2, 64, 1, 32>, indexing_maps = [#[[X1]], #[[W1]],
// CHECK: tensor.insert_slice %{{.*}}[1, 0] [2, 64] [3, 1]
// CHECK: tpp.contract {{.*}} extents = array<i64: 2, 64, 2, 32>, indexing_maps = [#{{.*}}, #[[W2]],
// CHECK: tensor.insert_slice %{{.*}}[2, 0] [2, 64] [3, 1]
#image = affine_map<(h, n, r, c) -> (h * 2 + r * 2, c)>
#filter = affine_map<(h, n, r, c) -> (r, c, n)>
#result = affine_map<(h, n, r, c) -> (h, n)>
func.func @steps(%x: tensor<8x32xf32>, %w: tensor<5x32x64xf32>) -> tensor<6x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<22x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<22x32xf32>) -> tensor<22x32xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0] [8, 32] [3, 1] : tensor<8x32xf32> into tensor<22x32xf32>
  %e = tensor.empty() : tensor<6x64xf32>
  %0 = tpp.contract ins(%spread, %w : tensor<22x32xf32>, tensor<5x32x64xf32>) outs(%e : tensor<6x64xf32>)
    {beta = 0 : i64, extents = array<i64: 6, 64, 5, 32>, indexing_maps = [#image, #filter, #result], post_ops = []} -> tensor<6x64xf32>
  return %0 : tensor<6x64xf32>
}

// -----

// The padded value is computed in place, but most taps of large dilations read padding: they are skipped. With 24 pixels between the taps of a row of 14,
// only the middle one reads the image.
// CHECK-LABEL: @dilated(
// CHECK: %[[X:.*]] = linalg.exp
// CHECK-NOT: into tensor<62x62x256xf32>
// CHECK: tpp.contract ins(%[[X]], %{{.*}} extents = array<i64: 14, 14, 64, 1, 1, 256>
// CHECK-NOT: tpp.contract
// Near miss: products with a narrow border cost less than more contractions.
// CHECK-LABEL: @narrow(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: tpp.contract
#image = affine_map<(h, w, n, r, s, c) -> (h + r * 24, w + s * 24, c)>
#near = affine_map<(h, w, n, r, s, c) -> (h + r, w + s, c)>
#filter = affine_map<(h, w, n, r, s, c) -> (r, s, c, n)>
#result = affine_map<(h, w, n, r, s, c) -> (h, w, n)>
func.func @dilated(%x: tensor<14x14x256xf32>, %w: tensor<3x3x256x64xf32>) -> tensor<14x14x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<14x14x256xf32>
  %y = linalg.exp ins(%x : tensor<14x14x256xf32>) outs(%ex : tensor<14x14x256xf32>) -> tensor<14x14x256xf32>
  %empty = tensor.empty() : tensor<62x62x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<62x62x256xf32>) -> tensor<62x62x256xf32>
  %padded = tensor.insert_slice %y into %zeros[24, 24, 0] [14, 14, 256] [1, 1, 1] : tensor<14x14x256xf32> into tensor<62x62x256xf32>
  %e = tensor.empty() : tensor<14x14x64xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<62x62x256xf32>, tensor<3x3x256x64xf32>) outs(%e : tensor<14x14x64xf32>)
    {beta = 0 : i64, extents = array<i64: 14, 14, 64, 3, 3, 256>, indexing_maps = [#image, #filter, #result], post_ops = []} -> tensor<14x14x64xf32>
  return %0 : tensor<14x14x64xf32>
}
func.func @narrow(%x: tensor<14x14x256xf32>, %w: tensor<3x3x256x64xf32>) -> tensor<14x14x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<14x14x256xf32>
  %y = linalg.exp ins(%x : tensor<14x14x256xf32>) outs(%ex : tensor<14x14x256xf32>) -> tensor<14x14x256xf32>
  %empty = tensor.empty() : tensor<16x16x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16x256xf32>) -> tensor<16x16x256xf32>
  %padded = tensor.insert_slice %y into %zeros[1, 1, 0] [14, 14, 256] [1, 1, 1] : tensor<14x14x256xf32> into tensor<16x16x256xf32>
  %e = tensor.empty() : tensor<14x14x64xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<16x16x256xf32>, tensor<3x3x256x64xf32>) outs(%e : tensor<14x14x64xf32>)
    {beta = 0 : i64, extents = array<i64: 14, 14, 64, 3, 3, 256>, indexing_maps = [#near, #filter, #result], post_ops = []} -> tensor<14x14x64xf32>
  return %0 : tensor<14x14x64xf32>
}
