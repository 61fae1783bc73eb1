// One training step of a linear layer: the forward contraction Y = X W and the two of the backward pass, dX = dY W^T and dW = X^T
// dY. W is the same in the whole step and changes between steps.
#row = affine_map<(i, j, k) -> (i, k)>
#row_t = affine_map<(i, j, k) -> (k, i)>
#column = affine_map<(i, j, k) -> (k, j)>
#column_t = affine_map<(i, j, k) -> (j, k)>
#result = affine_map<(i, j, k) -> (i, j)>

func.func @linear_step(%x: tensor<128x512xf32>, %w: tensor<512x1024xf32> {tpp.prepack}, %dy: tensor<128x1024xf32>)
    -> (tensor<128x1024xf32>, tensor<128x512xf32>, tensor<512x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<128x1024xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %y = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x1024xf32>) outs(%y_zero : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %dx_empty = tensor.empty() : tensor<128x512xf32>
  %dx_zero = linalg.fill ins(%zero : f32) outs(%dx_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %dx = linalg.matmul indexing_maps = [#row, #column_t, #result]
      ins(%dy, %w : tensor<128x1024xf32>, tensor<512x1024xf32>) outs(%dx_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
  %dw_empty = tensor.empty() : tensor<512x1024xf32>
  %dw_zero = linalg.fill ins(%zero : f32) outs(%dw_empty : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %dw = linalg.matmul indexing_maps = [#row_t, #column, #result]
      ins(%x, %dy : tensor<128x512xf32>, tensor<128x1024xf32>) outs(%dw_zero : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %y, %dx, %dw : tensor<128x1024xf32>, tensor<128x512xf32>, tensor<512x1024xf32>
}
