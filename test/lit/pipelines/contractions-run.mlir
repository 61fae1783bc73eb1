// Every form of contraction gives the same results as plain loops.
// RUN: tpp-run %s --entry=matmul --check=reference
// RUN: tpp-run %s --entry=matmul --threads=3 --provider=reference --check=reference
// RUN: tpp-run %s --entry=accumulate --check=reference
// RUN: tpp-run %s --entry=fill_not_zero --check=reference
// RUN: tpp-run %s --entry=transposed --check=reference
// RUN: tpp-run %s --entry=transposed_result --check=reference
// RUN: tpp-run %s --entry=batched --check=reference
// RUN: tpp-run %s --entry=broadcast_batch --check=reference
// RUN: tpp-run %s --entry=heads --check=reference
// RUN: tpp-run %s --entry=attention --check=reference
// RUN: tpp-run %s --entry=vectors --check=reference
// RUN: tpp-run %s --entry=four_dimensions --check=reference
// RUN: tpp-run %s --entry=sliced --check=reference
// RUN: tpp-run %s --entry=same_operand --check=reference
// RUN: tpp-run %s --entry=constant_weights --check=reference
// RUN: tpp-run %s --entry=constant_left --check=reference
// RUN: tpp-run %s --entry=degenerate --check=reference
// RUN: tpp-run %s --entry=deep --check=reference
// RUN: tpp-run %s --entry=other_types --check=reference
// RUN: tpp-run %s --entry=two_users --check=reference
// RUN: tpp-run %s --entry=many_reductions --check=reference

func.func @matmul(%a: tensor<131x67xf32>, %b: tensor<67x141xf32>) -> tensor<131x141xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<131x141xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<131x141xf32>) -> tensor<131x141xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<131x67xf32>, tensor<67x141xf32>) outs(%z : tensor<131x141xf32>) -> tensor<131x141xf32>
  return %0 : tensor<131x141xf32>
}

func.func @accumulate(%a: tensor<13x7xf32>, %b: tensor<7x70xf32>, %c: tensor<13x70xf32>) -> (tensor<13x70xf32>, tensor<13x70xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<13x7xf32>, tensor<7x70xf32>) outs(%c : tensor<13x70xf32>) -> tensor<13x70xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<13x7xf32>, tensor<7x70xf32>) outs(%0 : tensor<13x70xf32>) -> tensor<13x70xf32>
  return %0, %1 : tensor<13x70xf32>, tensor<13x70xf32>
}

func.func @fill_not_zero(%a: tensor<13x7xf32>, %b: tensor<7x20xf32>, %bias: tensor<20xf32>) -> (tensor<13x20xf32>, tensor<13x20xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<13x20xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<13x20xf32>) -> tensor<13x20xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<13x7xf32>, tensor<7x20xf32>) outs(%f : tensor<13x20xf32>) -> tensor<13x20xf32>
  %init = linalg.broadcast ins(%bias : tensor<20xf32>) outs(%e : tensor<13x20xf32>) dimensions = [0]
  %1 = linalg.matmul ins(%a, %b : tensor<13x7xf32>, tensor<7x20xf32>) outs(%init : tensor<13x20xf32>) -> tensor<13x20xf32>
  return %0, %1 : tensor<13x20xf32>, tensor<13x20xf32>
}

func.func @transposed(%a: tensor<13x30xf32>, %at: tensor<30x13xf32>, %b: tensor<30x37xf32>, %bt: tensor<37x30xf32>) -> (tensor<13x37xf32>, tensor<13x37xf32>, tensor<13x37xf32>, tensor<13x37xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<13x37xf32>) -> tensor<13x37xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%at, %b : tensor<30x13xf32>, tensor<30x37xf32>) outs(%z : tensor<13x37xf32>) -> tensor<13x37xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %bt : tensor<13x30xf32>, tensor<37x30xf32>) outs(%z : tensor<13x37xf32>) -> tensor<13x37xf32>
  %ea = tensor.empty() : tensor<13x30xf32>
  %eb = tensor.empty() : tensor<30x37xf32>
  %ta = linalg.transpose ins(%at : tensor<30x13xf32>) outs(%ea : tensor<13x30xf32>) permutation = [1, 0]
  %tb = linalg.transpose ins(%bt : tensor<37x30xf32>) outs(%eb : tensor<30x37xf32>) permutation = [1, 0]
  %2 = linalg.matmul ins(%ta, %tb : tensor<13x30xf32>, tensor<30x37xf32>) outs(%z : tensor<13x37xf32>) -> tensor<13x37xf32>
  %3 = linalg.contract indexing_maps = [affine_map<(k, n, m) -> (n, k)>, affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (m, n)>] ins(%bt, %a : tensor<37x30xf32>, tensor<13x30xf32>) outs(%z : tensor<13x37xf32>) -> tensor<13x37xf32>
  return %0, %1, %2, %3 : tensor<13x37xf32>, tensor<13x37xf32>, tensor<13x37xf32>, tensor<13x37xf32>
}

// The result is needed transposed: as [n, m], and with the batch between m and n.
func.func @transposed_result(%a: tensor<5x13x30xf32>, %b: tensor<5x30x37xf32>) -> (tensor<5x37x13xf32>, tensor<13x5x37xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x13x37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x13x37xf32>) -> tensor<5x13x37xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<5x13x30xf32>, tensor<5x30x37xf32>) outs(%z : tensor<5x13x37xf32>) -> tensor<5x13x37xf32>
  %e1 = tensor.empty() : tensor<5x37x13xf32>
  %1 = linalg.transpose ins(%0 : tensor<5x13x37xf32>) outs(%e1 : tensor<5x37x13xf32>) permutation = [0, 2, 1]
  %2 = linalg.batch_matmul ins(%a, %b : tensor<5x13x30xf32>, tensor<5x30x37xf32>) outs(%z : tensor<5x13x37xf32>) -> tensor<5x13x37xf32>
  %e2 = tensor.empty() : tensor<13x5x37xf32>
  %3 = linalg.transpose ins(%2 : tensor<5x13x37xf32>) outs(%e2 : tensor<13x5x37xf32>) permutation = [1, 0, 2]
  return %1, %3 : tensor<5x37x13xf32>, tensor<13x5x37xf32>
}

func.func @batched(%a: tensor<3x13x30xf32>, %b: tensor<3x30x37xf32>, %bt: tensor<3x37x30xf32>) -> (tensor<3x13x37xf32>, tensor<13x37xf32>, tensor<3x13x37xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x13x37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x13x37xf32>) -> tensor<3x13x37xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x13x30xf32>, tensor<3x30x37xf32>) outs(%z : tensor<3x13x37xf32>) -> tensor<3x13x37xf32>
  %e2 = tensor.empty() : tensor<13x37xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<13x37xf32>) -> tensor<13x37xf32>
  %1 = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x13x30xf32>, tensor<3x30x37xf32>) outs(%z2 : tensor<13x37xf32>) -> tensor<13x37xf32>
  %2 = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %bt : tensor<3x13x30xf32>, tensor<3x37x30xf32>) outs(%z : tensor<3x13x37xf32>) -> tensor<3x13x37xf32>
  return %0, %1, %2 : tensor<3x13x37xf32>, tensor<13x37xf32>, tensor<3x13x37xf32>
}

// One B for a whole batch, and a batch of one.
func.func @broadcast_batch(%a: tensor<3x13x30xf32>, %b: tensor<30x37xf32>, %c: tensor<1x13x30xf32>) -> (tensor<3x13x37xf32>, tensor<1x13x37xf32>) {
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<3x30x37xf32>
  %bb = linalg.broadcast ins(%b : tensor<30x37xf32>) outs(%eb : tensor<3x30x37xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<3x13x37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x13x37xf32>) -> tensor<3x13x37xf32>
  %0 = linalg.batch_matmul ins(%a, %bb : tensor<3x13x30xf32>, tensor<3x30x37xf32>) outs(%z : tensor<3x13x37xf32>) -> tensor<3x13x37xf32>
  %e1 = tensor.empty() : tensor<1x13x37xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x13x37xf32>) -> tensor<1x13x37xf32>
  %b1 = tensor.expand_shape %b [[0, 1], [2]] output_shape [1, 30, 37] : tensor<30x37xf32> into tensor<1x30x37xf32>
  %1 = linalg.batch_matmul ins(%c, %b1 : tensor<1x13x30xf32>, tensor<1x30x37xf32>) outs(%z1 : tensor<1x13x37xf32>) -> tensor<1x13x37xf32>
  return %0, %1 : tensor<3x13x37xf32>, tensor<1x13x37xf32>
}

// The head split of attention: reshape, transpose, matmul of all heads, transpose and reshape back.
func.func @heads(%q: tensor<19x64xf32>, %k: tensor<19x64xf32>) -> tensor<19x4x19xf32> {
  %zero = arith.constant 0.0 : f32
  %q3 = tensor.expand_shape %q [[0], [1, 2]] output_shape [19, 4, 16] : tensor<19x64xf32> into tensor<19x4x16xf32>
  %k3 = tensor.expand_shape %k [[0], [1, 2]] output_shape [19, 4, 16] : tensor<19x64xf32> into tensor<19x4x16xf32>
  %eq = tensor.empty() : tensor<4x19x16xf32>
  %ek = tensor.empty() : tensor<4x16x19xf32>
  %qt = linalg.transpose ins(%q3 : tensor<19x4x16xf32>) outs(%eq : tensor<4x19x16xf32>) permutation = [1, 0, 2]
  %kt = linalg.transpose ins(%k3 : tensor<19x4x16xf32>) outs(%ek : tensor<4x16x19xf32>) permutation = [1, 2, 0]
  %e = tensor.empty() : tensor<4x19x19xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x19x19xf32>) -> tensor<4x19x19xf32>
  %0 = linalg.batch_matmul ins(%qt, %kt : tensor<4x19x16xf32>, tensor<4x16x19xf32>) outs(%z : tensor<4x19x19xf32>) -> tensor<4x19x19xf32>
  %er = tensor.empty() : tensor<19x4x19xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x19x19xf32>) outs(%er : tensor<19x4x19xf32>) permutation = [1, 0, 2]
  return %1 : tensor<19x4x19xf32>
}

func.func @attention(%q: tensor<19x64xf32>, %k: tensor<19x64xf32>, %v: tensor<19x64xf32>) -> tensor<19x64xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %q3 = tensor.expand_shape %q [[0], [1, 2]] output_shape [19, 4, 16] : tensor<19x64xf32> into tensor<19x4x16xf32>
  %k3 = tensor.expand_shape %k [[0], [1, 2]] output_shape [19, 4, 16] : tensor<19x64xf32> into tensor<19x4x16xf32>
  %v3 = tensor.expand_shape %v [[0], [1, 2]] output_shape [19, 4, 16] : tensor<19x64xf32> into tensor<19x4x16xf32>
  %eq = tensor.empty() : tensor<4x19x16xf32>
  %ek = tensor.empty() : tensor<4x16x19xf32>
  %qt = linalg.transpose ins(%q3 : tensor<19x4x16xf32>) outs(%eq : tensor<4x19x16xf32>) permutation = [1, 0, 2]
  %vt = linalg.transpose ins(%v3 : tensor<19x4x16xf32>) outs(%eq : tensor<4x19x16xf32>) permutation = [1, 0, 2]
  %kt = linalg.transpose ins(%k3 : tensor<19x4x16xf32>) outs(%ek : tensor<4x16x19xf32>) permutation = [1, 2, 0]
  %e = tensor.empty() : tensor<4x19x19xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x19x19xf32>) -> tensor<4x19x19xf32>
  %s = linalg.batch_matmul ins(%qt, %kt : tensor<4x19x16xf32>, tensor<4x16x19xf32>) outs(%z : tensor<4x19x19xf32>) -> tensor<4x19x19xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<4x19x19xf32>) outs(%e : tensor<4x19x19xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  } -> tensor<4x19x19xf32>
  %p = linalg.softmax dimension(2) ins(%scaled : tensor<4x19x19xf32>) outs(%e : tensor<4x19x19xf32>) -> tensor<4x19x19xf32>
  %ec = tensor.empty() : tensor<4x19x16xf32>
  %zc = linalg.fill ins(%zero : f32) outs(%ec : tensor<4x19x16xf32>) -> tensor<4x19x16xf32>
  %c = linalg.batch_matmul ins(%p, %vt : tensor<4x19x19xf32>, tensor<4x19x16xf32>) outs(%zc : tensor<4x19x16xf32>) -> tensor<4x19x16xf32>
  %er = tensor.empty() : tensor<19x4x16xf32>
  %ct = linalg.transpose ins(%c : tensor<4x19x16xf32>) outs(%er : tensor<19x4x16xf32>) permutation = [1, 0, 2]
  %r = tensor.collapse_shape %ct [[0], [1, 2]] : tensor<19x4x16xf32> into tensor<19x64xf32>
  return %r : tensor<19x64xf32>
}

// Matrix times vector both ways, vector times vector, an outer product, and a batch of each.
func.func @vectors(%a: tensor<37x70xf32>, %x: tensor<70xf32>, %y: tensor<37xf32>, %ab: tensor<3x37x70xf32>, %xb: tensor<3x70xf32>)
    -> (tensor<37xf32>, tensor<70xf32>, tensor<f32>, tensor<37x70xf32>, tensor<3x37xf32>, tensor<1x37xf32>) {
  %zero = arith.constant 0.0 : f32
  %e37 = tensor.empty() : tensor<37xf32>
  %z37 = linalg.fill ins(%zero : f32) outs(%e37 : tensor<37xf32>) -> tensor<37xf32>
  %e70 = tensor.empty() : tensor<70xf32>
  %z70 = linalg.fill ins(%zero : f32) outs(%e70 : tensor<70xf32>) -> tensor<70xf32>
  %e0 = tensor.empty() : tensor<f32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %eo = tensor.empty() : tensor<37x70xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<37x70xf32>) -> tensor<37x70xf32>
  %eb = tensor.empty() : tensor<3x37xf32>
  %zb = linalg.fill ins(%zero : f32) outs(%eb : tensor<3x37xf32>) -> tensor<3x37xf32>
  %0 = linalg.matvec ins(%a, %x : tensor<37x70xf32>, tensor<70xf32>) outs(%z37 : tensor<37xf32>) -> tensor<37xf32>
  %1 = linalg.vecmat ins(%y, %a : tensor<37xf32>, tensor<37x70xf32>) outs(%z70 : tensor<70xf32>) -> tensor<70xf32>
  %2 = linalg.dot ins(%x, %x : tensor<70xf32>, tensor<70xf32>) outs(%z0 : tensor<f32>) -> tensor<f32>
  %3 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%y, %x : tensor<37xf32>, tensor<70xf32>) outs(%zo : tensor<37x70xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %product = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<37x70xf32>
  %4 = linalg.batch_matvec ins(%ab, %xb : tensor<3x37x70xf32>, tensor<3x70xf32>) outs(%zb : tensor<3x37xf32>) -> tensor<3x37xf32>
  %x1 = tensor.expand_shape %x [[0, 1]] output_shape [1, 70] : tensor<70xf32> into tensor<1x70xf32>
  %e1 = tensor.empty() : tensor<1x37xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x37xf32>) -> tensor<1x37xf32>
  %5 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x1, %a : tensor<1x70xf32>, tensor<37x70xf32>) outs(%z1 : tensor<1x37xf32>) -> tensor<1x37xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<37xf32>, tensor<70xf32>, tensor<f32>, tensor<37x70xf32>, tensor<3x37xf32>, tensor<1x37xf32>
}

// Operands that the program packed itself, and a contraction over two dimensions at once.
func.func @four_dimensions(%a: tensor<3x4x16x16xf32>, %bt: tensor<5x4x32x16xf32>, %c: tensor<7x3x5xf32>, %d: tensor<5x9x3xf32>) -> (tensor<3x5x16x32xf32>, tensor<7x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x16x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x16x32xf32>) -> tensor<3x5x16x32xf32>
  %0 = linalg.mmt4d ins(%a, %bt : tensor<3x4x16x16xf32>, tensor<5x4x32x16xf32>) outs(%z : tensor<3x5x16x32xf32>) -> tensor<3x5x16x32xf32>
  %e1 = tensor.empty() : tensor<7x9xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<7x9xf32>) -> tensor<7x9xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (l, n, k)>, affine_map<(m, n, k, l) -> (m, n)>] ins(%c, %d : tensor<7x3x5xf32>, tensor<5x9x3xf32>) outs(%z1 : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0, %1 : tensor<3x5x16x32xf32>, tensor<7x9xf32>
}

func.func @sliced(%a: tensor<20x96xf32>, %b: tensor<40x50xf32>) -> tensor<11x37xf32> {
  %zero = arith.constant 0.0 : f32
  %as = tensor.extract_slice %a[3, 32] [11, 32] [1, 1] : tensor<20x96xf32> to tensor<11x32xf32>
  %bs = tensor.extract_slice %b[5, 2] [32, 37] [1, 1] : tensor<40x50xf32> to tensor<32x37xf32>
  %e = tensor.empty() : tensor<11x37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<11x37xf32>) -> tensor<11x37xf32>
  %0 = linalg.matmul ins(%as, %bs : tensor<11x32xf32>, tensor<32x37xf32>) outs(%z : tensor<11x37xf32>) -> tensor<11x37xf32>
  return %0 : tensor<11x37xf32>
}

// A Gram matrix, and a square whose result is used again as an operand.
func.func @same_operand(%a: tensor<33x33xf32>) -> (tensor<33x33xf32>, tensor<33x33xf32>, tensor<33x33xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x33xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<33x33xf32>) -> tensor<33x33xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<33x33xf32>, tensor<33x33xf32>) outs(%z : tensor<33x33xf32>) -> tensor<33x33xf32>
  %1 = linalg.matmul ins(%0, %a : tensor<33x33xf32>, tensor<33x33xf32>) outs(%0 : tensor<33x33xf32>) -> tensor<33x33xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %a : tensor<33x33xf32>, tensor<33x33xf32>) outs(%z : tensor<33x33xf32>) -> tensor<33x33xf32>
  return %0, %1, %2 : tensor<33x33xf32>, tensor<33x33xf32>, tensor<33x33xf32>
}

// Constant weights, in panels of 64, 32 and 16, and with a width that none divides; transposed and through a reshape.
func.func @constant_weights(%a: tensor<9x4xf32>) -> (tensor<9x128xf32>, tensor<9x96xf32>, tensor<9x48xf32>, tensor<9x37xf32>, tensor<9x64xf32>, tensor<9x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %w128 = arith.constant dense_resource<w128> : tensor<4x128xf32>
  %w96 = tensor.extract_slice %w128[0, 7] [4, 96] [1, 1] : tensor<4x128xf32> to tensor<4x96xf32>
  %w48 = tensor.extract_slice %w128[0, 70] [4, 48] [1, 1] : tensor<4x128xf32> to tensor<4x48xf32>
  %w37 = tensor.extract_slice %w128[0, 64] [4, 37] [1, 1] : tensor<4x128xf32> to tensor<4x37xf32>
  %wc = tensor.collapse_shape %w128 [[0, 1]] : tensor<4x128xf32> into tensor<512xf32>
  %w1 = tensor.expand_shape %wc [[0, 1]] output_shape [128, 4] : tensor<512xf32> into tensor<128x4xf32>
  %wt = tensor.extract_slice %w1[64, 0] [64, 4] [1, 1] : tensor<128x4xf32> to tensor<64x4xf32>
  %wr = tensor.extract_slice %w1[3, 0] [32, 4] [1, 1] : tensor<128x4xf32> to tensor<32x4xf32>
  %e128 = tensor.empty() : tensor<9x128xf32>
  %z128 = linalg.fill ins(%zero : f32) outs(%e128 : tensor<9x128xf32>) -> tensor<9x128xf32>
  %e96 = tensor.empty() : tensor<9x96xf32>
  %z96 = linalg.fill ins(%zero : f32) outs(%e96 : tensor<9x96xf32>) -> tensor<9x96xf32>
  %e48 = tensor.empty() : tensor<9x48xf32>
  %z48 = linalg.fill ins(%zero : f32) outs(%e48 : tensor<9x48xf32>) -> tensor<9x48xf32>
  %e37 = tensor.empty() : tensor<9x37xf32>
  %z37 = linalg.fill ins(%zero : f32) outs(%e37 : tensor<9x37xf32>) -> tensor<9x37xf32>
  %e64 = tensor.empty() : tensor<9x64xf32>
  %z64 = linalg.fill ins(%zero : f32) outs(%e64 : tensor<9x64xf32>) -> tensor<9x64xf32>
  %e32 = tensor.empty() : tensor<9x32xf32>
  %z32 = linalg.fill ins(%zero : f32) outs(%e32 : tensor<9x32xf32>) -> tensor<9x32xf32>
  %et = tensor.empty() : tensor<4x32xf32>
  %wrt = linalg.transpose ins(%wr : tensor<32x4xf32>) outs(%et : tensor<4x32xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%a, %w128 : tensor<9x4xf32>, tensor<4x128xf32>) outs(%z128 : tensor<9x128xf32>) -> tensor<9x128xf32>
  %1 = linalg.matmul ins(%a, %w96 : tensor<9x4xf32>, tensor<4x96xf32>) outs(%z96 : tensor<9x96xf32>) -> tensor<9x96xf32>
  %2 = linalg.matmul ins(%a, %w48 : tensor<9x4xf32>, tensor<4x48xf32>) outs(%z48 : tensor<9x48xf32>) -> tensor<9x48xf32>
  %3 = linalg.matmul ins(%a, %w37 : tensor<9x4xf32>, tensor<4x37xf32>) outs(%z37 : tensor<9x37xf32>) -> tensor<9x37xf32>
  %4 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %wt : tensor<9x4xf32>, tensor<64x4xf32>) outs(%z64 : tensor<9x64xf32>) -> tensor<9x64xf32>
  %5 = linalg.matmul ins(%a, %wrt : tensor<9x4xf32>, tensor<4x32xf32>) outs(%z32 : tensor<9x32xf32>) -> tensor<9x32xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<9x128xf32>, tensor<9x96xf32>, tensor<9x48xf32>, tensor<9x37xf32>, tensor<9x64xf32>, tensor<9x32xf32>
}

// The constant is the left operand, plain and transposed.
func.func @constant_left(%b: tensor<4x130xf32>, %b2: tensor<128x70xf32>) -> (tensor<128x130xf32>, tensor<4x70xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w128> : tensor<4x128xf32>
  %e = tensor.empty() : tensor<128x130xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x130xf32>) -> tensor<128x130xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%w, %b : tensor<4x128xf32>, tensor<4x130xf32>) outs(%z : tensor<128x130xf32>) -> tensor<128x130xf32>
  %e1 = tensor.empty() : tensor<4x70xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x70xf32>) -> tensor<4x70xf32>
  %1 = linalg.matmul ins(%w, %b2 : tensor<4x128xf32>, tensor<128x70xf32>) outs(%z1 : tensor<4x70xf32>) -> tensor<4x70xf32>
  return %0, %1 : tensor<128x130xf32>, tensor<4x70xf32>
}

// Each dimension of extent 1 in turn.
func.func @degenerate(%a: tensor<1x7xf32>, %b: tensor<7x9xf32>, %c: tensor<5x7xf32>, %d: tensor<7x1xf32>, %f: tensor<5x1xf32>, %g: tensor<1x9xf32>, %h: tensor<1x1xf32>) -> (tensor<1x9xf32>, tensor<5x1xf32>, tensor<5x9xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x9xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x9xf32>) -> tensor<1x9xf32>
  %e1 = tensor.empty() : tensor<5x1xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %e2 = tensor.empty() : tensor<5x9xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<5x9xf32>) -> tensor<5x9xf32>
  %e3 = tensor.empty() : tensor<1x1xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<1x7xf32>, tensor<7x9xf32>) outs(%z0 : tensor<1x9xf32>) -> tensor<1x9xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<5x7xf32>, tensor<7x1xf32>) outs(%z1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %2 = linalg.matmul ins(%f, %g : tensor<5x1xf32>, tensor<1x9xf32>) outs(%z2 : tensor<5x9xf32>) -> tensor<5x9xf32>
  %3 = linalg.matmul ins(%a, %d : tensor<1x7xf32>, tensor<7x1xf32>) outs(%z3 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %4 = linalg.matmul ins(%h, %h : tensor<1x1xf32>, tensor<1x1xf32>) outs(%z3 : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0, %1, %2, %3, %4 : tensor<1x9xf32>, tensor<5x1xf32>, tensor<5x9xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

func.func @deep(%a: tensor<3x5000xf32>, %b: tensor<5000x17xf32>) -> tensor<3x17xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x17xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x17xf32>) -> tensor<3x17xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x5000xf32>, tensor<5000x17xf32>) outs(%z : tensor<3x17xf32>) -> tensor<3x17xf32>
  return %0 : tensor<3x17xf32>
}

// Types without a kernel in these forms are computed by vector code; mixed types are converted first.
func.func @other_types(%a: tensor<13x7xf64>, %b: tensor<7x20xf64>, %i: tensor<13x7xi32>, %j: tensor<7x20xi32>, %s: tensor<13x7xi8>, %t: tensor<7x20xi8>, %g: tensor<13x7xbf16>, %h: tensor<7x20xbf16>)
    -> (tensor<13x20xf64>, tensor<13x20xi32>, tensor<13x20xi32>, tensor<13x20xf32>, tensor<13x20xbf16>) {
  %zd = arith.constant 0.0 : f64
  %zi = arith.constant 0 : i32
  %zf = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : bf16
  %ed = tensor.empty() : tensor<13x20xf64>
  %fd = linalg.fill ins(%zd : f64) outs(%ed : tensor<13x20xf64>) -> tensor<13x20xf64>
  %ei = tensor.empty() : tensor<13x20xi32>
  %fi = linalg.fill ins(%zi : i32) outs(%ei : tensor<13x20xi32>) -> tensor<13x20xi32>
  %ef = tensor.empty() : tensor<13x20xf32>
  %ff = linalg.fill ins(%zf : f32) outs(%ef : tensor<13x20xf32>) -> tensor<13x20xf32>
  %eh = tensor.empty() : tensor<13x20xbf16>
  %fh = linalg.fill ins(%zh : bf16) outs(%eh : tensor<13x20xbf16>) -> tensor<13x20xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<13x7xf64>, tensor<7x20xf64>) outs(%fd : tensor<13x20xf64>) -> tensor<13x20xf64>
  %1 = linalg.matmul ins(%i, %j : tensor<13x7xi32>, tensor<7x20xi32>) outs(%fi : tensor<13x20xi32>) -> tensor<13x20xi32>
  %2 = linalg.matmul ins(%s, %t : tensor<13x7xi8>, tensor<7x20xi8>) outs(%fi : tensor<13x20xi32>) -> tensor<13x20xi32>
  %3 = linalg.matmul ins(%g, %h : tensor<13x7xbf16>, tensor<7x20xbf16>) outs(%ff : tensor<13x20xf32>) -> tensor<13x20xf32>
  %4 = linalg.matmul ins(%g, %h : tensor<13x7xbf16>, tensor<7x20xbf16>) outs(%fh : tensor<13x20xbf16>) -> tensor<13x20xbf16>
  return %0, %1, %2, %3, %4 : tensor<13x20xf64>, tensor<13x20xi32>, tensor<13x20xi32>, tensor<13x20xf32>, tensor<13x20xbf16>
}

// The matmul's value is a result and is used again; its transpose is a result, too.
func.func @two_users(%a: tensor<13x32xf32>, %b: tensor<32x48xf32>) -> (tensor<13x48xf32>, tensor<48x13xf32>, tensor<13x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<13x48xf32>) -> tensor<13x48xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<13x32xf32>, tensor<32x48xf32>) outs(%z : tensor<13x48xf32>) -> tensor<13x48xf32>
  %et = tensor.empty() : tensor<48x13xf32>
  %1 = linalg.transpose ins(%0 : tensor<13x48xf32>) outs(%et : tensor<48x13xf32>) permutation = [1, 0]
  %2 = linalg.exp ins(%0 : tensor<13x48xf32>) outs(%e : tensor<13x48xf32>) -> tensor<13x48xf32>
  return %0, %1, %2 : tensor<13x48xf32>, tensor<48x13xf32>, tensor<13x48xf32>
}

// Three reductions besides k, too many for a table of offsets, with post-ops after the last.
func.func @many_reductions(%a: tensor<5x12x6x4x8xf32>, %b: tensor<4x6x12x8x20xf32>) -> tensor<5x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x20xf32>) -> tensor<5x20xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, p, q, r, k) -> (m, p, q, r, k)>, affine_map<(m, n, p, q, r, k) -> (r, q, p, k, n)>, affine_map<(m, n, p, q, r, k) -> (m, n)>]
    ins(%a, %b : tensor<5x12x6x4x8xf32>, tensor<4x6x12x8x20xf32>) outs(%z : tensor<5x20xf32>) -> tensor<5x20xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<5x20xf32>) outs(%e : tensor<5x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<5x20xf32>
  return %1 : tensor<5x20xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w128: "0x04000000000080BF0000C0BF000000000000A0BF0000E03F0000C03F0000E03F0000803F000000BF0000A0BF0000E03F000000C00000803F0000A03F000000C00000C03F00000000000080BE0000A0BF0000003F000000C0000000C0000000C0000000C00000803F000000BF0000A03F000000C000000040000080BE0000C03F0000E03F000080BE0000403F000080BE000080BE0000C03F0000803E000000C00000A03F0000A0BF000040BF0000803E0000A0BF0000003F000000400000A03F00000040000000BF0000803E0000803E0000E03F000000400000803F0000E0BF0000E03F000080BE0000803F0000A03F000040BF0000403F0000403F0000C0BF0000C03F000000400000A0BF000040BF000000400000803F0000403F0000E03F000000C00000E03F0000E0BF0000803E0000803F000040BF000040BF00000040000080BE000000C0000000BF000080BE0000803F000000400000403F0000403F0000C03F00000000000000C00000803F00000040000080BF00000040000000BF0000A03F0000E0BF0000E03F0000403F000000BF000000400000A03F0000E03F0000403F0000A03F0000403F000000C00000003F0000C03F000000C0000080BE000040BF000040BF0000C0BF000000000000E0BF0000C0BF0000C0BF000000C00000C03F000000C000000000000080BE000000000000A0BF000040BF0000403F0000803E0000C0BF000040BF000040BF0000000000000040000040BF000000000000803E0000C03F0000003F0000E03F0000E03F0000A0BF000000C00000803E0000803F0000003F0000A03F000000BF000000000000A0BF0000000000000040000000BF0000A03F000000C0000080BE000000C00000803F000080BF0000E0BF000040BF0000C03F000000400000A03F000080BE000000400000C03F000080BE00000040000000C00000803F0000003F0000A03F0000E0BF0000803E000080BF000000BF0000E0BF0000803E0000C0BF0000C0BF0000803E0000803E000040BF0000A03F00000000000080BF000000C00000E0BF000000BF0000C03F000040BF000000400000E0BF0000803F000000BF0000403F0000A0BF000000BF0000A03F000000BF0000E03F0000A0BF0000803F0000803E000000400000E03F000000C00000003F0000803F0000803E000000C0000040BF000000BF0000003F000080BF0000003F0000A03F000000BF000000000000A0BF0000803F0000403F0000E03F000080BE0000C0BF0000E0BF0000C0BF000080BF000040BF000040BF000000BF000000000000003F00000040000000000000403F0000003F0000003F0000A0BF0000803E000080BE0000E03F000080BF0000A0BF0000003F0000E0BF0000A03F0000C0BF0000803F000080BF000080BF0000003F0000A0BF0000803F0000C0BF000080BE0000C0BF000000000000403F0000803E0000A0BF0000C03F000000000000A0BF0000E0BF0000803E000000C0000000C00000C0BF0000A03F0000A0BF0000E0BF000000BF000080BE0000A03F000040BF0000A0BF0000C03F000040BF000080BE000040BF0000A0BF0000A03F0000803F0000803E000000000000E03F0000003F0000A0BF000000BF0000003F0000E0BF000000C0000000C00000803E0000003F0000C03F0000803F0000003F0000803F0000C0BF0000C0BF0000003F0000C03F0000A0BF00000000000000BF0000E03F0000403F00000000000040BF000000BF0000803E000000BF000080BE0000403F0000C0BF000000000000C0BF0000C03F0000C0BF0000003F000080BE0000803F0000803E0000E0BF0000003F000040BF0000003F0000803E000080BE0000003F0000A0BF0000C0BF000080BE000080BE000000C0000080BE0000803F0000C0BF000000000000C0BF0000C0BF000000C0000000C00000803E0000403F0000E03F0000E03F000080BF0000A0BF000000400000003F0000C0BF00000040000040BF000040BF000080BF000080BF0000003F0000803E0000A0BF000000400000803E000080BF000000BF000080BF0000E0BF0000003F000000BF000040BF0000803E0000A03F000040BF0000E0BF000080BE000000000000C0BF0000C03F0000A03F000000000000C03F0000C03F000000C00000803F0000003F000040BF000000000000E03F000000C00000A03F000000C00000E0BF0000403F000080BF000080BF000080BF00000000000000000000803F0000803F000040BF0000C0BF000080BE0000E03F000000C0000040BF000000400000003F000000400000C03F000080BE000080BE0000003F0000E03F0000E03F000080BE0000A03F0000003F00000000000080BE0000E0BF0000C0BF000000400000403F000040BF00000040000000BF0000803E0000803E0000803E0000403F000040BF0000C03F0000C0BF0000A0BF000000400000803F000040BF000080BF000000000000A03F000000BF0000E0BF0000E03F0000803F0000403F0000803F00000040000040BF0000E0BF000000400000C0BF000000000000A0BF000000000000C0BF000080BF0000C0BF0000C03F000080BE0000803F0000A03F0000803F000040BF0000003F0000C03F000080BF0000E03F000000BF0000A0BF0000A03F0000A03F0000A0BF0000803E00000000000080BE0000803F000000C0000000BF000000400000C03F000000C0000000C0000080BE00000000000000BF000040BF0000803E000080BF000000BF000000000000803E000000000000C03F000040BF0000403F0000E03F0000A03F0000A0BF000000BF0000803F000000BF0000803E0000A0BF000000C00000A0BF000000C00000803E000080BF0000C0BF00000040"
    }
  }
#-}
