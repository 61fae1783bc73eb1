// Batches that are computed some images at a time give the results of plain loops, for a machine whose L2 holds few rows and whose L3 is slow.
// RUN: split-file %s %t
// RUN: echo 'name = host' > %t/machine.txt
// RUN: echo 'l2_bytes = 24576' >> %t/machine.txt
// RUN: echo 'l3_gbs = 0.1' >> %t/machine.txt
// DEFINE: %{run} = tpp-run %t/model.mlir --check=reference --rtol=1e-5 --target=%t/machine.txt
// RUN: tpp-opt %t/model.mlir --tpp-default=target=%t/machine.txt --mlir-print-ir-after=tpp-split-batch -o /dev/null 2>&1 | FileCheck %t/model.mlir
// RUN: %{run} --entry=network --threads=1
// RUN: %{run} --entry=network --threads=2
// RUN: %{run} --entry=network --threads=4
// RUN: %{run} --entry=network --threads=7
// RUN: %{run} --entry=attention --threads=1
// RUN: %{run} --entry=attention --threads=3
// RUN: %{run} --entry=numbered --threads=1
// RUN: %{run} --entry=numbered --threads=2
// RUN: %{run} --entry=shuffled --threads=1
// RUN: %{run} --entry=shuffled --threads=4

//--- model.mlir

// A convolution, a pooling, two branches that are joined, and a residual: one loop over all of it. The scales of channels are means over an image.
// CHECK-LABEL: @network(
// CHECK: scf.for
// CHECK: tpp.contract
// CHECK: tpp.contract
// CHECK: return
func.func @network(%x: tensor<6x16x16x8xf32>, %w0: tensor<3x3x8x16xf32> {tpp.prepack}, %w1: tensor<1x1x16x16xf32> {tpp.prepack}, %w2: tensor<1x1x32x16xf32> {tpp.prepack}) -> tensor<6x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %pixels = arith.constant 64.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<6x16x16x8xf32> to tensor<6x18x18x8xf32>
  %e0 = tensor.empty() : tensor<6x16x16x16xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<6x16x16x16xf32>) -> tensor<6x16x16x16xf32>
  %c0 = linalg.conv_2d_nhwc_hwcf ins(%padded, %w0 : tensor<6x18x18x8xf32>, tensor<3x3x8x16xf32>) outs(%f0 : tensor<6x16x16x16xf32>) -> tensor<6x16x16x16xf32>
  %r0 = linalg.max ins(%c0, %f0 : tensor<6x16x16x16xf32>, tensor<6x16x16x16xf32>) outs(%e0 : tensor<6x16x16x16xf32>) -> tensor<6x16x16x16xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %e1 = tensor.empty() : tensor<6x8x8x16xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<6x8x8x16xf32>) -> tensor<6x8x8x16xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%r0, %window : tensor<6x16x16x16xf32>, tensor<2x2xf32>) outs(%f1 : tensor<6x8x8x16xf32>) -> tensor<6x8x8x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6x8x8x16xf32>) -> tensor<6x8x8x16xf32>
  %c1 = linalg.conv_2d_nhwc_hwcf ins(%p, %w1 : tensor<6x8x8x16xf32>, tensor<1x1x16x16xf32>) outs(%f2 : tensor<6x8x8x16xf32>) -> tensor<6x8x8x16xf32>
  %joined = tensor.concat dim(3) %p, %c1 : (tensor<6x8x8x16xf32>, tensor<6x8x8x16xf32>) -> tensor<6x8x8x32xf32>
  %c2 = linalg.conv_2d_nhwc_hwcf ins(%joined, %w2 : tensor<6x8x8x32xf32>, tensor<1x1x32x16xf32>) outs(%f2 : tensor<6x8x8x16xf32>) -> tensor<6x8x8x16xf32>
  %e3 = tensor.empty() : tensor<6x16xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x16xf32>) -> tensor<6x16xf32>
  %sums = linalg.reduce {arith.addf} ins(%c2 : tensor<6x8x8x16xf32>) outs(%f3 : tensor<6x16xf32>) dimensions = [1, 2]
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %sums, %p : tensor<6x8x8x16xf32>, tensor<6x16xf32>, tensor<6x8x8x16xf32>) outs(%e1 : tensor<6x8x8x16xf32>) {
  ^bb0(%a: f32, %s: f32, %r: f32, %o: f32):
    %mean = arith.divf %s, %pixels : f32
    %scaled = arith.mulf %a, %mean : f32
    %sum = arith.addf %scaled, %r : f32
    linalg.yield %sum : f32
  } -> tensor<6x8x8x16xf32>
  return %y : tensor<6x8x8x16xf32>
}

// Rows of all sequences are projected as one matrix; scores belong to one sequence each.
// CHECK-LABEL: @attention(
// CHECK: scf.for
// CHECK: tpp.contract
// CHECK: return
func.func @attention(%x: tensor<4x32x16xf32>, %wq: tensor<16x16xf32> {tpp.prepack}, %wk: tensor<16x16xf32> {tpp.prepack}) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x32x16xf32> into tensor<128x16xf32>
  %e = tensor.empty() : tensor<128x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x16xf32>) -> tensor<128x16xf32>
  %q0 = linalg.matmul ins(%rows, %wq : tensor<128x16xf32>, tensor<16x16xf32>) outs(%f : tensor<128x16xf32>) -> tensor<128x16xf32>
  %k0 = linalg.matmul ins(%rows, %wk : tensor<128x16xf32>, tensor<16x16xf32>) outs(%f : tensor<128x16xf32>) -> tensor<128x16xf32>
  %q = tensor.expand_shape %q0 [[0, 1], [2]] output_shape [4, 32, 16] : tensor<128x16xf32> into tensor<4x32x16xf32>
  %k = tensor.expand_shape %k0 [[0, 1], [2]] output_shape [4, 32, 16] : tensor<128x16xf32> into tensor<4x32x16xf32>
  %se = tensor.empty() : tensor<4x32x32xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x32x16xf32>, tensor<4x32x16xf32>) outs(%sf : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %sum = arith.addf %s, %m : f32
    linalg.yield %sum : f32
  } -> tensor<4x32x32xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<4x32x32xf32>) outs(%se : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %ye = tensor.empty() : tensor<4x32x16xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %y = linalg.batch_matmul ins(%weights, %x : tensor<4x32x32xf32>, tensor<4x32x16xf32>) outs(%yf : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %y : tensor<4x32x16xf32>
}

// What depends on the number of an image.
// CHECK-LABEL: @numbered(
// CHECK: scf.for
// CHECK: linalg.index 0
// CHECK: arith.addi
// CHECK: return
func.func @numbered(%x: tensor<4x100x16xf32>, %w: tensor<16x16xf32> {tpp.prepack}) -> tensor<4x100x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x100x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x100x16xf32>) -> tensor<4x100x16xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x100x16xf32>, tensor<16x16xf32>) outs(%f : tensor<4x100x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %sum = arith.addf %s, %m : f32
    linalg.yield %sum : f32
  } -> tensor<4x100x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c : tensor<4x100x16xf32>) outs(%e : tensor<4x100x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %image = linalg.index 0 : index
    %row = linalg.index 1 : index
    %sum = arith.addi %image, %row : index
    %i = arith.index_cast %sum : index to i32
    %number = arith.sitofp %i : i32 to f32
    %r = arith.mulf %a, %number : f32
    linalg.yield %r : f32
  } -> tensor<4x100x16xf32>
  return %y : tensor<4x100x16xf32>
}

// Images in another order: the first loop must end before the order is changed.
// CHECK-LABEL: @shuffled(
func.func @shuffled(%x: tensor<4x100x16xf32>, %w: tensor<16x16xf32> {tpp.prepack}) -> tensor<4x100x16xf32> {
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 3 : index
  %e = tensor.empty() : tensor<4x100x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x100x16xf32>) -> tensor<4x100x16xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x100x16xf32>, tensor<16x16xf32>) outs(%f : tensor<4x100x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %sum = arith.addf %s, %m : f32
    linalg.yield %sum : f32
  } -> tensor<4x100x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x100x16xf32>) outs(%e : tensor<4x100x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = linalg.index 0 : index
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %other = arith.subi %last, %b : index
    %value = tensor.extract %c[%other, %m, %n] : tensor<4x100x16xf32>
    %r = arith.addf %a, %value : f32
    linalg.yield %r : f32
  } -> tensor<4x100x16xf32>
  return %y : tensor<4x100x16xf32>
}
