// Contractions of types without a kernel are computed as vector code and equal the reference. A 16-bit result is rounded once: 1,024 ones sum to
// 1,024, not to 256.
// RUN: tpp-run %s --entry=bf16 --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=mixed_signs --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=f64_on_buffers --check=reference | FileCheck %s --check-prefix=BUFFERS
// RUN: tpp-run %s --entry=ones | FileCheck %s --check-prefix=ONES

// CHECK-NOT: reference (
// CHECK: check result #0 equals the reference exactly
// BUFFERS: check argument #2 equals the reference
// ONES: 1024

func.func @bf16(%a: tensor<13x37xbf16>, %b: tensor<37x50xbf16>, %bias: tensor<50xbf16>, %c: tensor<13x50xbf16>) -> tensor<13x50xbf16> {
  %0 = tpp.contract ins(%a, %b : tensor<13x37xbf16>, tensor<37x50xbf16>) outs(%c : tensor<13x50xbf16>) post(%bias : tensor<50xbf16>)
    {beta = 1 : i64, extents = array<i64: 13, 50, 37>,
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>,
                      affine_map<(m, n, k) -> (n)>],
     post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<13x50xbf16>
  return %0 : tensor<13x50xbf16>
}

func.func @mixed_signs(%a: tensor<13x37xi8>, %b: tensor<37x50xi8>, %c: tensor<14x50xi32>) -> tensor<14x50xi32> {
  %0 = tpp.contract ins(%a, %b : tensor<13x37xi8>, tensor<37x50xi8>) outs(%c : tensor<14x50xi32>)
    {a_unsigned, beta = 1 : i64, extents = array<i64: 13, 50, 37>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m + 1, n)>]}
    -> tensor<14x50xi32>
  return %0 : tensor<14x50xi32>
}

func.func @f64_on_buffers(%a: memref<13x37xf64>, %b: memref<37x50xf64>, %c: memref<13x50xf64>) {
  tpp.contract ins(%a, %b : memref<13x37xf64>, memref<37x50xf64>) outs(%c : memref<13x50xf64>)
    {beta = 0 : i64, extents = array<i64: 13, 50, 37>, post_ops = [#tpp.post_op<unary relu>],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
  return
}

func.func @ones() {
  %one = arith.constant dense<1.0> : tensor<1x1024xbf16>
  %ones = arith.constant dense<1.0> : tensor<1024x1xbf16>
  %init = tensor.empty() : tensor<1x1xbf16>
  %0 = tpp.contract ins(%one, %ones : tensor<1x1024xbf16>, tensor<1024x1xbf16>) outs(%init : tensor<1x1xbf16>)
    {beta = 0 : i64, extents = array<i64: 1, 1, 1024>, post_ops = [],
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}
    -> tensor<1x1xbf16>
  %c0 = arith.constant 0 : index
  %1 = tensor.extract %0[%c0, %c0] : tensor<1x1xbf16>
  %2 = arith.extf %1 : bf16 to f32
  vector.print %2 : f32
  return
}
