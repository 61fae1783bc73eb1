// Reading through moves, and writing through them, does not change values; nor do the cases where a move stays.
// RUN: tpp-run %s --entry=transposed --check=reference
// RUN: tpp-run %s --entry=reduced --check=reference
// RUN: tpp-run %s --entry=chain --check=reference
// RUN: tpp-run %s --entry=two_transposes --check=reference
// RUN: tpp-run %s --entry=last_move --check=reference
// RUN: tpp-run %s --entry=middle --check=reference
// RUN: tpp-run %s --entry=strided --check=reference
// RUN: tpp-run %s --entry=cut --check=reference
// RUN: tpp-run %s --entry=bound --check=reference
// RUN: tpp-run %s --entry=merged --check=reference
// RUN: tpp-run %s --entry=through_transpose --check=reference
// RUN: tpp-run %s --entry=through_transpose_and_reshape --check=reference
// RUN: tpp-run %s --entry=innermost --check=reference
// RUN: tpp-run %s --entry=shared --check=reference
// RUN: tpp-run %s --entry=accumulated --check=reference
// RUN: tpp-run %s --entry=chain --threads=3 --check=reference

#id2 = affine_map<(a, b) -> (a, b)>
#id3 = affine_map<(a, b, c) -> (a, b, c)>

func.func @transposed(%x: tensor<197x12x64xf32>, %y: tensor<12x197x64xf32>) -> tensor<12x197x64xf32> {
  %e = tensor.empty() : tensor<12x197x64xf32>
  %t = linalg.transpose ins(%x : tensor<197x12x64xf32>) outs(%e : tensor<12x197x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %y : tensor<12x197x64xf32>, tensor<12x197x64xf32>) outs(%e : tensor<12x197x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12x197x64xf32>
  return %0 : tensor<12x197x64xf32>
}

func.func @reduced(%x: tensor<7x12x64xf32>, %row: tensor<64xf32>, %init: tensor<12x7xf32>) -> tensor<12x7xf32> {
  %e = tensor.empty() : tensor<12x7x64xf32>
  %t = linalg.transpose ins(%x : tensor<7x12x64xf32>) outs(%e : tensor<12x7x64xf32>) permutation = [1, 0, 2]
  %b = linalg.broadcast ins(%row : tensor<64xf32>) outs(%e : tensor<12x7x64xf32>) dimensions = [0, 1]
  %0 = linalg.generic {indexing_maps = [#id3, #id3, affine_map<(h, s, d) -> (h, s)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t, %b : tensor<12x7x64xf32>, tensor<12x7x64xf32>) outs(%init : tensor<12x7xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x7xf32>
  return %0 : tensor<12x7xf32>
}

func.func @chain(%qkv: tensor<197x2304xf32>) -> tensor<12x197x64xf32> {
  %v = tensor.extract_slice %qkv[0, 1536] [197, 768] [1, 1] : tensor<197x2304xf32> to tensor<197x768xf32>
  %heads = tensor.expand_shape %v [[0], [1, 2]] output_shape [197, 12, 64] : tensor<197x768xf32> into tensor<197x12x64xf32>
  %e = tensor.empty() : tensor<12x197x64xf32>
  %t = linalg.transpose ins(%heads : tensor<197x12x64xf32>) outs(%e : tensor<12x197x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<12x197x64xf32>) outs(%e : tensor<12x197x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<12x197x64xf32>
  return %0 : tensor<12x197x64xf32>
}

func.func @two_transposes(%x: tensor<5x6x64xf32>) -> tensor<6x5x64xf32> {
  %e = tensor.empty() : tensor<6x64x5xf32>
  %t = linalg.transpose ins(%x : tensor<5x6x64xf32>) outs(%e : tensor<6x64x5xf32>) permutation = [1, 2, 0]
  %f = tensor.empty() : tensor<6x5x64xf32>
  %u = linalg.transpose ins(%t : tensor<6x64x5xf32>) outs(%f : tensor<6x5x64xf32>) permutation = [0, 2, 1]
  %0 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : tensor<6x5x64xf32>) outs(%f : tensor<6x5x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<6x5x64xf32>
  return %0 : tensor<6x5x64xf32>
}

func.func @last_move(%x: tensor<5x6x64xf32>) -> tensor<4x6x5x16xf32> {
  %e = tensor.empty() : tensor<6x5x64xf32>
  %t = linalg.transpose ins(%x : tensor<5x6x64xf32>) outs(%e : tensor<6x5x64xf32>) permutation = [1, 0, 2]
  %c = tensor.expand_shape %t [[0], [1], [2, 3]] output_shape [6, 5, 4, 16] : tensor<6x5x64xf32> into tensor<6x5x4x16xf32>
  %f = tensor.empty() : tensor<4x6x5x16xf32>
  %u = linalg.transpose ins(%c : tensor<6x5x4x16xf32>) outs(%f : tensor<4x6x5x16xf32>) permutation = [2, 0, 1, 3]
  return %u : tensor<4x6x5x16xf32>
}

func.func @middle(%x: tensor<64x5x6xf32>) -> tensor<6x5x64xf32> {
  %e = tensor.empty() : tensor<5x6x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x5x6xf32>) outs(%e : tensor<5x6x64xf32>) permutation = [1, 2, 0]
  %f = tensor.empty() : tensor<6x5x64xf32>
  %u = linalg.transpose ins(%t : tensor<5x6x64xf32>) outs(%f : tensor<6x5x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : tensor<6x5x64xf32>) outs(%f : tensor<6x5x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<6x5x64xf32>
  return %0 : tensor<6x5x64xf32>
}

func.func @strided(%x: tensor<64x32xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

func.func @cut(%x: tensor<16x32x64xf32>) -> tensor<31x15x64xf32> {
  %inner = tensor.extract_slice %x[0, 0, 0] [15, 31, 64] [1, 1, 1] : tensor<16x32x64xf32> to tensor<15x31x64xf32>
  %e = tensor.empty() : tensor<31x15x64xf32>
  %t = linalg.transpose ins(%inner : tensor<15x31x64xf32>) outs(%e : tensor<31x15x64xf32>) permutation = [1, 0, 2]
  %0 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<31x15x64xf32>) outs(%e : tensor<31x15x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<31x15x64xf32>
  return %0 : tensor<31x15x64xf32>
}

func.func @bound(%x: tensor<64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %b = linalg.broadcast ins(%x : tensor<64xf32>) outs(%e : tensor<8x64xf32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>], iterator_types = ["reduction", "parallel"]} ins(%b : tensor<8x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

func.func @merged(%x: tensor<5x6x64xf32>) -> tensor<30x64xf32> {
  %f = tensor.empty() : tensor<6x5x64xf32>
  %t = linalg.transpose ins(%x : tensor<5x6x64xf32>) outs(%f : tensor<6x5x64xf32>) permutation = [1, 0, 2]
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<6x5x64xf32> into tensor<30x64xf32>
  %e = tensor.empty() : tensor<30x64xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<30x64xf32>) outs(%e : tensor<30x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<30x64xf32>
  return %0 : tensor<30x64xf32>
}

func.func @through_transpose(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>, %residual: tensor<7x12x16xf32>) -> tensor<7x12x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%z : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  %2 = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %residual : tensor<7x12x16xf32>, tensor<7x12x16xf32>) outs(%t : tensor<7x12x16xf32>) {
  ^bb0(%v: f32, %r: f32, %o: f32):
    %s = arith.addf %v, %r : f32
    linalg.yield %s : f32
  } -> tensor<7x12x16xf32>
  return %2 : tensor<7x12x16xf32>
}

func.func @through_transpose_and_reshape(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>) -> tensor<7x192xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%z : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<7x12x16xf32> into tensor<7x192xf32>
  return %2 : tensor<7x192xf32>
}

func.func @innermost(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %f = tensor.empty() : tensor<16x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<8x16xf32>) outs(%f : tensor<16x8xf32>) permutation = [1, 0]
  %2 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<16x8xf32>) outs(%f : tensor<16x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

func.func @shared(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>) -> (tensor<12x7x16xf32>, tensor<7x12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%z : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  return %0, %1 : tensor<12x7x16xf32>, tensor<7x12x16xf32>
}

func.func @accumulated(%x: tensor<12x7x8xf32>, %w: tensor<12x8x16xf32>, %c: tensor<12x7x16xf32>) -> tensor<7x12x16xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<12x7x8xf32>, tensor<12x8x16xf32>) outs(%c : tensor<12x7x16xf32>) -> tensor<12x7x16xf32>
  %t = tensor.empty() : tensor<7x12x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<12x7x16xf32>) outs(%t : tensor<7x12x16xf32>) permutation = [1, 0, 2]
  return %1 : tensor<7x12x16xf32>
}
