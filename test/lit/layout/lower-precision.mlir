// Contractions of f32 values on operands rounded to bf16.
// RUN: tpp-opt %s --tpp-lower-precision --split-input-file -verify-diagnostics | FileCheck %s
// RUN: tpp-opt %s --tpp-lower-precision=silent --split-input-file | FileCheck %s
// RUN: not tpp-opt %s --tpp-lower-precision=type=f16 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown precision 'f16': it is none of program, bf16

// Each value is rounded once, where it is defined. A contraction's result that contractions read is rounded for all its readers: the addition, which
// would read it in f32, too.
// CHECK-LABEL: @two_layers(
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf32>, %[[W:.*]]: tensor<16x16xf32>
// CHECK: %[[WR:.*]] = linalg.generic {{.*}} ins(%[[W]] :
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: %[[XR:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: arith.truncf
// CHECK: %[[Y:.*]] = tpp.contract ins(%[[XR]], %[[WR]] : tensor<8x16xbf16>, tensor<16x16xbf16>) outs(%{{.*}} : tensor<8x16xf32>)
// CHECK: %[[YR:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK: arith.truncf
// CHECK: %[[YE:.*]] = linalg.generic {{.*}} ins(%[[YR]] :
// CHECK: arith.extf
// CHECK: %[[Z:.*]] = tpp.contract ins(%[[YR]], %[[WR]] :
// CHECK: linalg.generic {{.*}} ins(%[[Z]], %[[YE]] : tensor<8x16xf32>, tensor<8x16xf32>)
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @two_layers(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = tpp.contract ins(%x, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%e : tensor<8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 16, 16>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x16xf32>
  %1 = tpp.contract ins(%0, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%e : tensor<8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 16, 16>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %0 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

// Other values stay f32 for other readers. The source of a pad is rounded, and the pad stays a pad.
// CHECK-LABEL: @pad(
// CHECK-SAME: %[[X:.*]]: tensor<6x16xf32>
// CHECK: %[[XR:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<8x16xbf16>
// CHECK: %[[PAD:.*]] = tensor.insert_slice %[[XR]] into %[[ZEROS]][1, 0] [6, 16] [1, 1]
// CHECK: tpp.contract ins(%[[PAD]],
// CHECK: return %{{.*}}, %[[X]]
func.func @pad(%x: tensor<6x16xf32>, %w: tensor<3x16x32xf32>) -> (tensor<6x32xf32>, tensor<6x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%p : tensor<8x16xf32>) -> tensor<8x16xf32>
  %padded = tensor.insert_slice %x into %f[1, 0] [6, 16] [1, 1] : tensor<6x16xf32> into tensor<8x16xf32>
  %e = tensor.empty() : tensor<6x32xf32>
  %0 = tpp.contract ins(%padded, %w : tensor<8x16xf32>, tensor<3x16x32xf32>) outs(%e : tensor<6x32xf32>)
    {beta = 0 : i64, extents = array<i64: 6, 32, 3, 16>, post_ops = [],
     indexing_maps = [affine_map<(h, n, r, k) -> (h + r, k)>, affine_map<(h, n, r, k) -> (r, k, n)>, affine_map<(h, n, r, k) -> (h, n)>]} -> tensor<6x32xf32>
  return %0, %x : tensor<6x32xf32>, tensor<6x16xf32>
}

// -----

// An image in NCHW cannot be packed: B would need the contiguous dimension of C, along which windows overlap.
// CHECK-LABEL: @image(
// CHECK-NOT: truncf
// CHECK: tpp.contract
func.func @image(%x: tensor<16x40xf32>, %w: tensor<32x16x3xf32>) -> tensor<32x38xf32> {
  %e = tensor.empty() : tensor<32x38xf32>
  // expected-remark @below {{stays f32: its operands cannot have the layouts that kernels of this type need}}
  %0 = tpp.contract ins(%x, %w : tensor<16x40xf32>, tensor<32x16x3xf32>) outs(%e : tensor<32x38xf32>)
    {beta = 0 : i64, extents = array<i64: 38, 32, 16, 3>, post_ops = [],
     indexing_maps = [affine_map<(w, n, k, r) -> (k, w + r)>, affine_map<(w, n, k, r) -> (n, k, r)>, affine_map<(w, n, k, r) -> (n, w)>]} -> tensor<32x38xf32>
  return %0 : tensor<32x38xf32>
}
