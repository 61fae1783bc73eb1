// A contraction stays f32 if kernels compute it faster in f32: three steps of a sum fill two words of bf16, which take longer than three steps of f32
// where words are converted before they are multiplied.
// RUN: tpp-opt %s --tpp-target=target=znver3 --tpp-lower-precision 2>&1 | FileCheck %s --check-prefix=CONVERTED
// RUN: tpp-opt %s --tpp-target=target=znver4 --tpp-lower-precision 2>&1 | FileCheck %s --check-prefix=DOTS
// CONVERTED: remark: stays f32: f32 is estimated to be faster
// CONVERTED-LABEL: func.func @filter(
// CONVERTED-NOT: truncf
// CONVERTED-LABEL: func.func @matmul(
// CONVERTED: truncf
// DOTS-NOT: remark
// DOTS-LABEL: func.func @filter(
// DOTS: tpp.contract ins({{.*}} : tensor<3x5x227xbf16>, tensor<3x3x3x32xbf16>)
func.func @filter(%x: tensor<3x5x227xf32>, %w: tensor<3x3x3x32xf32>) -> tensor<2x113x32xf32> {
  %e = tensor.empty() : tensor<2x113x32xf32>
  %0 = tpp.contract ins(%x, %w : tensor<3x5x227xf32>, tensor<3x3x3x32xf32>) outs(%e : tensor<2x113x32xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 113, 32, 3, 3, 3>, post_ops = [],
     indexing_maps = [affine_map<(h, w, n, c, r, s) -> (c, 2 * h + r, 2 * w + s)>, affine_map<(h, w, n, c, r, s) -> (c, r, s, n)>, affine_map<(h, w, n, c, r, s) -> (h, w, n)>]} -> tensor<2x113x32xf32>
  return %0 : tensor<2x113x32xf32>
}
func.func @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = tpp.contract ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)
    {beta = 0 : i64, extents = array<i64: 64, 64, 64>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]} -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
