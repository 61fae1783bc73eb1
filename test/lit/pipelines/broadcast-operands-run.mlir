// Operands that are broadcast along the sum, or whose elements are at positions known at run time only.
// RUN: tpp-run %s --entry=rows --check=reference
// RUN: tpp-run %s --entry=rows --packing='#tpp.packing_fixed<panel = 16, mc = 3, nc = 16>' --check=reference
// RUN: tpp-run %s --entry=batched --check=reference
// RUN: tpp-run %s --entry=columns --check=reference
// RUN: tpp-run %s --entry=scalar --check=reference
// RUN: tpp-run %s --entry=given --check=reference
// RUN: tpp-run %s --entry=cache --input=random,random,random,zeros --check=reference

func.func @rows(%x: tensor<32xf32>, %b: tensor<5x2xf32>) -> tensor<32x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x5xf32>
  %a = linalg.broadcast ins(%x : tensor<32xf32>) outs(%e0 : tensor<32x5xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<32x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x2xf32>) -> tensor<32x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x5xf32>, tensor<5x2xf32>) outs(%z : tensor<32x2xf32>) -> tensor<32x2xf32>
  return %0 : tensor<32x2xf32>
}

func.func @batched(%x: tensor<40x4xf32>, %b: tensor<40x12x64xf32>, %c: tensor<40x4x64xf32>) -> tensor<40x4x64xf32> {
  %e0 = tensor.empty() : tensor<40x4x12xf32>
  %a = linalg.broadcast ins(%x : tensor<40x4xf32>) outs(%e0 : tensor<40x4x12xf32>) dimensions = [2]
  %0 = linalg.batch_matmul ins(%a, %b : tensor<40x4x12xf32>, tensor<40x12x64xf32>) outs(%c : tensor<40x4x64xf32>) -> tensor<40x4x64xf32>
  return %0 : tensor<40x4x64xf32>
}

func.func @columns(%a: tensor<9x7xf32>, %x: tensor<48xf32>) -> tensor<9x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<7x48xf32>
  %b = linalg.broadcast ins(%x : tensor<48xf32>) outs(%e0 : tensor<7x48xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<9x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<9x48xf32>) -> tensor<9x48xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<9x7xf32>, tensor<7x48xf32>) outs(%z : tensor<9x48xf32>) -> tensor<9x48xf32>
  return %0 : tensor<9x48xf32>
}

func.func @scalar(%x: tensor<f32>, %b: tensor<4x48xf32>) -> tensor<48xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4xf32>
  %a = linalg.broadcast ins(%x : tensor<f32>) outs(%e0 : tensor<4xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  %0 = linalg.vecmat ins(%a, %b : tensor<4xf32>, tensor<4x48xf32>) outs(%z : tensor<48xf32>) -> tensor<48xf32>
  return %0 : tensor<48xf32>
}

// A contraction that is written so: both reductions, of which A varies along one only.
func.func @given(%a: tensor<13x6xf32>, %b: tensor<5x6x33xf32>) -> tensor<13x33xf32> {
  %e = tensor.empty() : tensor<13x33xf32>
  %0 = tpp.contract ins(%a, %b : tensor<13x6xf32>, tensor<5x6x33xf32>) outs(%e : tensor<13x33xf32>)
    {beta = 0 : i64, extents = array<i64: 13, 33, 5, 6>, post_ops = [],
     indexing_maps = [affine_map<(m, n, r, k) -> (m, k)>, affine_map<(m, n, r, k) -> (r, k, n)>, affine_map<(m, n, r, k) -> (m, n)>]} -> tensor<13x33xf32>
  return %0 : tensor<13x33xf32>
}

// A key-value cache: a row is inserted at a position that is an input.
func.func @cache(%cache: tensor<4x64x32xf32>, %row: tensor<4x1x32xf32>, %q: tensor<4x8x32xf32>, %at: tensor<index>) -> (tensor<4x8x64xf32>, tensor<4x64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %position = tensor.extract %at[] : tensor<index>
  %c = tensor.insert_slice %row into %cache[0, %position, 0] [4, 1, 32] [1, 1, 1] : tensor<4x1x32xf32> into tensor<4x64x32xf32>
  %e = tensor.empty() : tensor<4x8x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8x64xf32>) -> tensor<4x8x64xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%q, %c : tensor<4x8x32xf32>, tensor<4x64x32xf32>) outs(%z : tensor<4x8x64xf32>) -> tensor<4x8x64xf32>
  return %s, %c : tensor<4x8x64xf32>, tensor<4x64x32xf32>
}
