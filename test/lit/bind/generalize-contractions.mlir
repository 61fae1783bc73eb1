// Contractions whose types have no kernel become linalg.generic, which is vectorized. Sums are accumulated in f32 (floats) or in the type of C.
// RUN: tpp-opt %s --tpp-generalize-contractions --split-input-file -verify-diagnostics | FileCheck %s

// One op computes the sums in f32. Another adds the initial value, applies the post-ops and rounds once.
// CHECK-LABEL: @mixed(
// CHECK-SAME: %[[A:.*]]: tensor<8x16xf16>, %[[B:.*]]: tensor<16x32xf16>, %[[BIAS:.*]]: tensor<32xbf16>, %[[C:.*]]: tensor<8x32xbf16>
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<8x32xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[ZEROS]] :
// CHECK: arith.extf
// CHECK: arith.extf
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[SUMS]], %[[BIAS]] : {{.*}}) outs(%[[C]] :
// CHECK: %[[INIT:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.addf %[[INIT]], %{{.*}} : f32
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: return %[[RESULT]]
func.func @mixed(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>, %bias: tensor<32xbf16>, %c: tensor<8x32xbf16>) -> tensor<8x32xbf16> {
  %0 = tpp.contract ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%c : tensor<8x32xbf16>) post(%bias : tensor<32xbf16>)
    {beta = 1 : i64, extents = array<i64: 8, 32, 16>,
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>,
                      affine_map<(m, n, k) -> (n)>],
     post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<8x32xbf16>
  return %0 : tensor<8x32xbf16>
}

// -----

// On buffers, with slices: rows 2 to 7 of A, the first six rows of C. B is unsigned.
// CHECK-LABEL: @buffers(
// CHECK-SAME: %[[A:.*]]: memref<8x16xi8>, %[[B:.*]]: memref<16x32xi8>, %[[C:.*]]: memref<8x32xi32>
// CHECK: memref.alloc() : memref<6x32xi32>
// CHECK: memref.subview %[[A]][2, 0] [6, 16] [1, 1]
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: arith.muli
// CHECK: %[[PART:.*]] = memref.subview %[[C]][0, 0] [6, 32] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[PART]] :
func.func @buffers(%a: memref<8x16xi8>, %b: memref<16x32xi8>, %c: memref<8x32xi32>) {
  // expected-remark @below {{becomes vector code: its operands cannot have the layouts that kernels of its element types need}}
  tpp.contract ins(%a, %b : memref<8x16xi8>, memref<16x32xi8>) outs(%c : memref<8x32xi32>)
    {beta = 0 : i64, b_unsigned, extents = array<i64: 6, 32, 16>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m + 2, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

// A slice of a result on tensors is inserted into the initial value.
// CHECK-LABEL: @result_slice(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<8x32xf64>) ->
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[C]][1, 0] [6, 32] [1, 1]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[PART]] :
// CHECK: tensor.insert_slice %[[SUM]] into %[[C]][1, 0] [6, 32] [1, 1]
func.func @result_slice(%a: tensor<8x16xf64>, %b: tensor<16x32xf64>, %c: tensor<8x32xf64>) -> tensor<8x32xf64> {
  %0 = tpp.contract ins(%a, %b : tensor<8x16xf64>, tensor<16x32xf64>) outs(%c : tensor<8x32xf64>)
    {beta = 1 : i64, extents = array<i64: 6, 32, 16>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m + 1, n)>]}
    -> tensor<8x32xf64>
  return %0 : tensor<8x32xf64>
}

// -----

// The layouts of operands on tensors are not final before tpp-assign-layouts.
// CHECK-LABEL: @not_laid_out(
// CHECK: tpp.contract
func.func @not_laid_out(%a: tensor<8x16xbf16>, %b: tensor<16x32xbf16>, %c: tensor<8x32xbf16>) -> tensor<8x32xbf16> {
  %0 = tpp.contract ins(%a, %b : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%c : tensor<8x32xbf16>)
    {beta = 0 : i64, extents = array<i64: 8, 32, 16>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
    -> tensor<8x32xbf16>
  return %0 : tensor<8x32xbf16>
}

// -----

// B in VNNI form on buffers.
// CHECK-LABEL: @vnni(
// CHECK: tpp.contract
func.func @vnni(%a: memref<8x15xbf16>, %b: memref<8x32x2xbf16>, %c: memref<8x32xbf16>) {
  tpp.contract ins(%a, %b : memref<8x15xbf16>, memref<8x32x2xbf16>) outs(%c : memref<8x32xbf16>)
    {beta = 0 : i64, extents = array<i64: 8, 32, 15>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k floordiv 2, n, k mod 2)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

// -----

// A contraction with a kernel stays.
// CHECK-LABEL: @f32(
// CHECK: tpp.contract
// CHECK-NOT: linalg.generic
func.func @f32(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = tpp.contract ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 32, 16>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
    -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Two loops of the reduction index one dimension of both operands together. An operand that is not read gives them their extents.
// CHECK-LABEL: @joint_reduction(
// CHECK: %[[EXTENTS:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %[[EXTENTS]] :
func.func @joint_reduction(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>, %c: tensor<8x32xbf16>) -> tensor<8x32xbf16> {
  %0 = tpp.contract ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%c : tensor<8x32xbf16>)
    {beta = 0 : i64, extents = array<i64: 8, 32, 4, 4>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k, l) -> (m, k * 4 + l)>, affine_map<(m, n, k, l) -> (k * 4 + l, n)>,
                      affine_map<(m, n, k, l) -> (m, n)>]}
    -> tensor<8x32xbf16>
  return %0 : tensor<8x32xbf16>
}

// -----

// A sum over nothing is zero, and there is nothing to compute for a result without elements.
// CHECK-LABEL: @empty(
// CHECK-NOT: tpp.contract
// CHECK: %[[SUM:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xf32>) outs(%arg2 : tensor<4x8xf32>)
// CHECK: return %[[RESULT]], %arg4
func.func @empty(%a: tensor<4x0xf32>, %b: tensor<0x8xf32>, %c: tensor<4x8xf32>, %d: tensor<8x0xf32>, %e: tensor<4x0xf32>)
    -> (tensor<4x8xf32>, tensor<4x0xf32>) {
  %0 = tpp.contract ins(%a, %b : tensor<4x0xf32>, tensor<0x8xf32>) outs(%c : tensor<4x8xf32>)
    {beta = 1 : i64, extents = array<i64: 4, 8, 0>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]} -> tensor<4x8xf32>
  %1 = tpp.contract ins(%0, %d : tensor<4x8xf32>, tensor<8x0xf32>) outs(%e : tensor<4x0xf32>)
    {beta = 0 : i64, extents = array<i64: 4, 0, 8>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]} -> tensor<4x0xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x0xf32>
}
