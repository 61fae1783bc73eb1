// RUN: tpp-run %s --pipeline=loops --target=zen4 --emit=obj -o %t.o
//
// LLVM's loop vectorizer stored the packs in interleaved groups, twice as wide as a register, for which LLVM 22 cannot select instructions
// of AVX-512: the process ended. Loops are vectorized before LLVM.
func.func @main(%arg0: tensor<56x32xf32>, %arg3: tensor<1x33xf32>) -> tensor<60x1xf32> {
  %c0 = arith.constant 0.0 : f32
  %c3 = arith.constant 1.0 : f32
  %v7 = tensor.pad %arg0 low[1, 0] high[3, 1] {
  ^bb0(%v7i0: index, %v7i1: index):
    tensor.yield %c3 : f32
  } : tensor<56x32xf32> to tensor<60x33xf32>
  %e4 = tensor.empty() : tensor<4x33x16x1xf32>
  %p5 = linalg.pack %v7 padding_value(%c0 : f32) inner_dims_pos = [0, 1] inner_tiles = [16, 1] into %e4 : tensor<60x33xf32> -> tensor<4x33x16x1xf32>
  %e6 = tensor.empty() : tensor<1x33x2x1xf32>
  %p7 = linalg.pack %arg3 padding_value(%c0 : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 1] into %e6 : tensor<1x33xf32> -> tensor<1x33x2x1xf32>
  %e8 = tensor.empty() : tensor<4x1x16x2xf32>
  %f9 = linalg.fill ins(%c0 : f32) outs(%e8 : tensor<4x1x16x2xf32>) -> tensor<4x1x16x2xf32>
  %e11 = tensor.empty() : tensor<60x1xf32>
  %p10 = linalg.mmt4d ins(%p5, %p7 : tensor<4x33x16x1xf32>, tensor<1x33x2x1xf32>) outs(%f9 : tensor<4x1x16x2xf32>) -> tensor<4x1x16x2xf32>
  %v9 = linalg.unpack %p10 inner_dims_pos = [0, 1] inner_tiles = [16, 2] into %e11 : tensor<4x1x16x2xf32> -> tensor<60x1xf32>
  return %v9 : tensor<60x1xf32>
}
