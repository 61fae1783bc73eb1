// Tiles that divide no dimension give the results of plain loops.
// RUN: tpp-run %S/contractions-run.mlir --entry=matmul --packing='#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>' --check=reference
// RUN: tpp-run %S/contractions-run.mlir --entry=matmul --packing='#tpp.packing_fixed<panel = 16, a = [8, 1], c = [8, 16]>' --check=reference
// RUN: tpp-run %S/contractions-run.mlir --entry=matmul --packing='#tpp.packing_fixed<panel = 16, a = [6, 16], c = [4, 16]>' --check=reference
// RUN: tpp-run %S/contractions-run.mlir --entry=accumulate --packing='#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>' --check=reference
// RUN: tpp-run %S/contractions-run.mlir --entry=transposed --packing='#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>' --check=reference
// RUN: tpp-run %S/contractions-run.mlir --entry=batched --packing='#tpp.packing_fixed<panel = 16, a = [5, 16], c = [5, 16]>' --check=reference
// RUN: tpp-run %S/contractions-run.mlir --entry=attention --packing='#tpp.packing_fixed<panel = 16, a = [5, 16], c = [5, 16]>' --check=reference
// RUN: tpp-run %S/contractions-run.mlir --entry=other_types --packing='#tpp.packing_fixed<panel = 16, a = [5, 16], c = [5, 16]>' --check=reference
// RUN: tpp-run %s --entry=normalized --packing='#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>' --check=reference
// RUN: tpp-run %s --entry=images --packing='#tpp.packing_fixed<panel = 16, a = [0, 16], c = [0, 16]>' --check=reference

// Each row of a product, divided by its sum, and added to the argument: the reduction is cut in columns and in rows.
func.func @normalized(%x: tensor<1x70x72xf32>, %w: tensor<72x72xf32>) -> tensor<1x70x72xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %r = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x70x72xf32> into tensor<70x72xf32>
  %e = tensor.empty() : tensor<70x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x72xf32>) -> tensor<70x72xf32>
  %0 = linalg.matmul ins(%r, %w : tensor<70x72xf32>, tensor<72x72xf32>) outs(%z : tensor<70x72xf32>) -> tensor<70x72xf32>
  %es = tensor.empty() : tensor<70xf32>
  %zs = linalg.fill ins(%one : f32) outs(%es : tensor<70xf32>) -> tensor<70xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<70x72xf32>) outs(%zs : tensor<70xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %absolute = math.absf %in : f32
    %s = arith.addf %absolute, %acc : f32
    linalg.yield %s : f32
  } -> tensor<70xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%0, %sum, %r : tensor<70x72xf32>, tensor<70xf32>, tensor<70x72xf32>) outs(%e : tensor<70x72xf32>) {
  ^bb0(%in: f32, %s: f32, %residual: f32, %out: f32):
    %quotient = arith.divf %in, %s : f32
    %added = arith.addf %quotient, %residual : f32
    linalg.yield %added : f32
  } -> tensor<70x72xf32>
  %1 = linalg.matmul ins(%n, %w : tensor<70x72xf32>, tensor<72x72xf32>) outs(%z : tensor<70x72xf32>) -> tensor<70x72xf32>
  %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [1, 70, 72] : tensor<70x72xf32> into tensor<1x70x72xf32>
  return %2 : tensor<1x70x72xf32>
}

// 24 channels in blocks of 16, through a pad, a pool and a slice.
func.func @images(%x: tensor<1x24x12x12xf32>) -> tensor<1x40x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense<0.0625> : tensor<24x24x3x3xf32>
  %w1 = arith.constant dense<0.0625> : tensor<40x24x1x1xf32>
  %e0 = tensor.empty() : tensor<1x24x10x10xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x24x10x10xf32>) -> tensor<1x24x10x10xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w0 : tensor<1x24x12x12xf32>, tensor<24x24x3x3xf32>) outs(%z0 : tensor<1x24x10x10xf32>) -> tensor<1x24x10x10xf32>
  %padded = tensor.pad %0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%b: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x24x10x10xf32> to tensor<1x24x12x12xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %e1 = tensor.empty() : tensor<1x24x11x11xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x24x11x11xf32>) -> tensor<1x24x11x11xf32>
  %1 = linalg.pooling_nchw_max ins(%padded, %window : tensor<1x24x12x12xf32>, tensor<2x2xf32>) outs(%z1 : tensor<1x24x11x11xf32>) -> tensor<1x24x11x11xf32>
  %inner = tensor.extract_slice %1[0, 0, 3, 3] [1, 24, 5, 5] [1, 1, 1, 1] : tensor<1x24x11x11xf32> to tensor<1x24x5x5xf32>
  %e2 = tensor.empty() : tensor<1x40x5x5xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x40x5x5xf32>) -> tensor<1x40x5x5xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%inner, %w1 : tensor<1x24x5x5xf32>, tensor<40x24x1x1xf32>) outs(%z2 : tensor<1x40x5x5xf32>) -> tensor<1x40x5x5xf32>
  return %2 : tensor<1x40x5x5xf32>
}
