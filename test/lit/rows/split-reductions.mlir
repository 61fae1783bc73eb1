// Reductions of few outputs are computed in parts that threads share. The parts divide the outermost reduction.
// RUN: tpp-opt %s --tpp-split-reductions=threads=4 --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-split-reductions=threads=1 --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: not tpp-opt %s --tpp-split-reductions=threads=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: threads must be at least 1
// ONE-NOT: tensor.expand_shape

// The mean of an image: 56 rows in four parts. The second op combines them with the given value.
// CHECK: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d0, d3, d4, d2)>
// CHECK: #[[PART:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, 0, d2)>
// CHECK: #[[ALL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
// CHECK-LABEL: @mean(
// CHECK-SAME: %[[X:.*]]: tensor<1x56x56x32xf32>, %[[START:.*]]: tensor<1x1x1x32xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2], [3], [4]] output_shape [1, 4, 14, 56, 32]
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x1x1x1x32xf32>)
// CHECK: %[[PARTS:.*]] = linalg.generic {indexing_maps = [#[[IN]], #[[PART]]], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[E]] : tensor<1x4x14x56x32xf32>) outs(%[[ZEROS]] : tensor<4x1x1x1x32xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[OUT]]], iterator_types = ["reduction", "parallel", "parallel", "parallel", "parallel"]} ins(%[[PARTS]] : tensor<4x1x1x1x32xf32>) outs(%[[START]] : tensor<1x1x1x32xf32>)
// CHECK: arith.addf
func.func @mean(%x: tensor<1x56x56x32xf32>, %start: tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, h, w, c)>, affine_map<(n, c, h, w) -> (n, 0, 0, c)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x : tensor<1x56x56x32xf32>) outs(%start : tensor<1x1x1x32xf32>) {
  ^bb0(%e: f32, %o: f32):
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x1x1x32xf32>
  return %r : tensor<1x1x1x32xf32>
}

// -----

// One sum of products, of rows that four does not divide: three parts are shared best. Each operand is cut.
// CHECK-LABEL: @sum_of_products(
// CHECK-COUNT-2: tensor.expand_shape {{.*}} : tensor<405x300xf32> into tensor<3x135x300xf32>
// CHECK: %[[PARTS:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x135x300xf32>, tensor<3x135x300xf32>) outs(%{{.*}} : tensor<3xf32>)
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}} ins(%[[PARTS]] : tensor<3xf32>) outs(%{{.*}} : tensor<f32>)
// CHECK-NOT: arith.mulf
func.func @sum_of_products(%x: tensor<405x300xf32>, %y: tensor<405x300xf32>, %start: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %y : tensor<405x300xf32>, tensor<405x300xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// A maximum starts from the smallest value, even if the op promises none. Attributes of the op stay.
// CHECK-LABEL: @maximum(
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : f32
// CHECK: } -> tensor<4x16xf32>
// CHECK: linalg.generic {{.*}} attrs = {note = "kept"}
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : f32
func.func @maximum(%x: tensor<64x64x16xf32>, %start: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%x : tensor<64x64x16xf32>) outs(%start : tensor<16xf32>) attrs = {note = "kept"} {
  ^bb0(%e: f32, %o: f32):
    %s = arith.maximumf %e, %o fastmath<ninf> : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// Near misses: rows enough for all threads; too little work; outputs that would be a large part of it; a window; extents without a divisor; a body that
// reads an index; two results.
// CHECK-LABEL: @left(
// CHECK-NOT: tensor.expand_shape
func.func @left(%rows: tensor<64x4096xf32>, %small: tensor<16x16x16xf32>, %wide: tensor<7x7x4096xf32>, %prime: tensor<83x83x16xf32>, %s64: tensor<64xf32>, %s16: tensor<16xf32>, %s4096: tensor<4096xf32>, %window: tensor<1025x64xf32>, %taps: tensor<2xf32>, %heights: tensor<1024xf32>, %image: tensor<64x64x64xf32>, %half: tensor<64x64x16xf32>) -> (tensor<64xf32>, tensor<16xf32>, tensor<4096xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %a = linalg.reduce { arith.addf } ins(%rows : tensor<64x4096xf32>) outs(%s64 : tensor<64xf32>) dimensions = [1]
  %b = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%small : tensor<16x16x16xf32>) outs(%s16 : tensor<16xf32>) {
  ^bb0(%e: f32, %o: f32):
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%wide : tensor<7x7x4096xf32>) outs(%s4096 : tensor<4096xf32>) {
  ^bb0(%e: f32, %o: f32):
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%prime : tensor<83x83x16xf32>) outs(%s16 : tensor<16xf32>) {
  ^bb0(%e: f32, %o: f32):
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(h, t, c) -> (h + t, c)>, affine_map<(h, t, c) -> (t)>, affine_map<(h, t, c) -> (h)>, affine_map<(h, t, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%window, %taps, %heights : tensor<1025x64xf32>, tensor<2xf32>, tensor<1024xf32>) outs(%s64 : tensor<64xf32>) {
  ^bb0(%x: f32, %t: f32, %h: f32, %o: f32):
    %p = arith.mulf %x, %t : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%image : tensor<64x64x64xf32>) outs(%s64 : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %p = arith.mulf %x, %k : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %f16 = tensor.extract_slice %f[0] [16] [1] : tensor<64xf32> to tensor<16xf32>
  %g:2 = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>, affine_map<(h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%half : tensor<64x64x16xf32>) outs(%s16, %s16 : tensor<16xf32>, tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32, %q: f32):
    %s = arith.addf %x, %o : f32
    %m = arith.maximumf %x, %q : f32
    linalg.yield %s, %m : f32, f32
  } -> (tensor<16xf32>, tensor<16xf32>)
  return %a, %b, %c, %d, %e, %f16, %g#0, %g#1 : tensor<64xf32>, tensor<16xf32>, tensor<4096xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

// The largest input is the one that is cut, wherever it is; a scale of each channel stays whole. Reductions of extent 1 are passed over.
// CHECK-LABEL: @scaled(
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3]] output_shape [1, 4, 1024, 16]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<16xf32>, tensor<1x4x1024x16xf32>)
func.func @scaled(%scale: tensor<16xf32>, %x: tensor<1x4096x16xf32>, %start: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, i, c) -> (c)>, affine_map<(n, i, c) -> (n, i, c)>, affine_map<(n, i, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%scale, %x : tensor<16xf32>, tensor<1x4096x16xf32>) outs(%start : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// Near misses: outputs in chunks enough for all threads; rows that threads share nearly evenly; a reduction that chooses the output.
// CHECK-LABEL: @shared_already(
// CHECK-NOT: tensor.expand_shape
func.func @shared_already(%chunks: tensor<64x16384xf32>, %s16384: tensor<16384xf32>, %rows: tensor<7x65536xf32>, %s7: tensor<7xf32>, %square: tensor<256x256xf32>, %s256: tensor<256xf32>) -> (tensor<16384xf32>, tensor<7xf32>, tensor<256xf32>) {
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%chunks : tensor<64x16384xf32>) outs(%s16384 : tensor<16384xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<16384xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%rows : tensor<7x65536xf32>) outs(%s7 : tensor<7xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["reduction", "reduction"]} ins(%square : tensor<256x256xf32>) outs(%s256 : tensor<256xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<256xf32>
  return %a, %b, %c : tensor<16384xf32>, tensor<7xf32>, tensor<256xf32>
}
