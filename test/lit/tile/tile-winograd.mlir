// Loops over blocks of tiles: the input transform of each row of tiles, brgemm of each point and panel of filters, the output transform of each row of
// tiles with the post-ops. Each thread has blocks of its own, or the threads share each step of one block.
// RUN: split-file %s %t
// RUN: tpp-opt %t/blocks.mlir --tpp-target=zen4 --tpp-tile-winograd --canonicalize --cse | FileCheck %t/blocks.mlir
// RUN: tpp-opt %t/threads.mlir --tpp-target=zen4 --tpp-tile-winograd=threads=4 --canonicalize --cse | FileCheck %t/threads.mlir
// RUN: tpp-opt %t/shared.mlir --tpp-target=%t/machine.txt --tpp-tile-winograd=threads=16 --canonicalize --cse | FileCheck %t/shared.mlir
// RUN: tpp-opt %t/blocks.mlir --tpp-target=zen4 --tpp-tile-winograd --tpp-plan-workspace --tpp-bind-kernels | FileCheck %t/blocks.mlir --check-prefix=BOUND
// RUN: tpp-opt %t/padded.mlir --tpp-target=zen4 --tpp-tile-winograd --canonicalize --cse | FileCheck %t/padded.mlir

//--- blocks.mlir

// BOUND-NOT: memref.alloc
// BOUND-NOT: tpp.scalar_loops

// One block of one tile: no loop over blocks. The tile of 4 x 4 outputs has 2 x 3, which need 4 x 5 pixels. Transformed pixels and products are in
// scratch buffers [point][tile][channel].
// CHECK-LABEL: @one_tile(
// CHECK-SAME: %[[A:.*]]: memref<1x4x5x16xf32>, %[[B:.*]]: memref<36x1x16x20xf32>, %[[C:.*]]: memref<1x2x3x20xf32>)
// CHECK-NOT: scf.forall
// CHECK: %[[PIXELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<[[#PS:]]xf32>
// CHECK: %[[PRODUCTS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<[[#QS:]]xf32>
// CHECK: %[[P:.*]] = memref.reinterpret_cast %[[PIXELS]] to offset: [0], sizes: [36, 1, 16], strides: [[[#div(PS,36)]], {{[0-9]+}}, 1]
// CHECK: %[[IMAGE:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [4, 5, 16], strides: [80, 16, 1]
// CHECK: tpp.winograd_input tile = 4 ins(
// CHECK: scf.for %[[POINT:.*]] = %c0 to %c36 step %c1 {
// CHECK: tpp.brgemm sizes = [1, 20, 16] ins({{.*}}memref<1x16xf32, {{.*}}>, memref<16x20xf32, strided<[20, 1], offset: ?>>) outs(
// CHECK: }
// CHECK: %[[Q:.*]] = memref.reinterpret_cast %[[PRODUCTS]] to offset: [0], sizes: [36, 1, 20], strides: [[[#div(QS,36)]], {{[0-9]+}}, 1]
// CHECK: memref.reinterpret_cast %[[C]] to offset: [0], sizes: [2, 3, 20], strides: [60, 20, 1]
// CHECK: tpp.winograd_output tile = 4 ins(
// CHECK-NOT: tpp.contract
// CHECK: return
// BOUND-LABEL: @one_tile(
// BOUND: tpp.dispatch #tpp.winograd_input_desc<tile = 4, tiles = 1, channels = 16, height = 4, width = 5,
// BOUND: tpp.dispatch #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = 20, height = 2, width = 3,
func.func @one_tile(%a: memref<1x4x5x16xf32>, %b: memref<36x1x16x20xf32>, %c: memref<1x2x3x20xf32>) {
  tpp.contract ins(%a, %b : memref<1x4x5x16xf32>, memref<36x1x16x20xf32>) outs(%c : memref<1x2x3x20xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 3, 20, 3, 3, 16>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 20, k, n mod 20)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// Blocks of one image after the other. The last row of tiles has fewer outputs; the other rows have 4. The last panel of filters ends
// with padding, which is not read.
// CHECK-LABEL: @remainders(
// CHECK-NOT: scf.forall
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK: scf.if
// CHECK: tpp.winograd_input tile = 4 ins(%{{.*}} : memref<6x12x8xf32, strided<[96, 8, 1], offset: ?>>) outs(%{{.*}} : memref<36x3x8xf32,
// CHECK: } else {
// CHECK: tpp.winograd_input tile = 4 ins(%{{.*}} : memref<5x12x8xf32, strided<[96, 8, 1], offset: ?>>) outs(%{{.*}} : memref<36x3x8xf32,
// CHECK: scf.for %{{.*}} = %c0 to %c36 step %c1 {
// CHECK: tpp.brgemm sizes = [6, {{4|20}}, 8]
// CHECK: tpp.winograd_output tile = 4 ins(%{{.*}}) outs(%{{.*}} : memref<3x10x20xf32, strided<[200, 20, 1], offset: ?>>)
// CHECK: tpp.winograd_output tile = 4 ins(%{{.*}}) outs(%{{.*}} : memref<4x10x20xf32, strided<[200, 20, 1], offset: ?>>)
func.func @remainders(%a: memref<3x9x12x8xf32>, %b: memref<36x2x8x16xf32>, %c: memref<3x7x10x20xf32>) {
  tpp.contract ins(%a, %b : memref<3x9x12x8xf32>, memref<36x2x8x16xf32>) outs(%c : memref<3x7x10x20xf32>)
    {beta = 0 : i64, extents = array<i64: 3, 7, 10, 20, 3, 3, 8>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// Large images: blocks whose scratch buffers fit L2. 54 = 13 * 4 + 2 rows, 50 = 12 * 4 + 2 columns of outputs.
// CHECK-LABEL: @large(
// CHECK-NOT: scf.forall
// CHECK: %{{.*}} = memref.alloc() {alignment = 64 : i64} : memref<[[#LS:]]xf32>
// CHECK: scf.for
// CHECK: tpp.winograd_input
// CHECK: return
func.func @large(%a: memref<1x56x52x64xf32>, %b: memref<36x1x64x64xf32>, %c: memref<1x54x50x64xf32>) {
  tpp.contract ins(%a, %b : memref<1x56x52x64xf32>, memref<36x1x64x64xf32>) outs(%c : memref<1x54x50x64xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 54, 50, 64, 3, 3, 64>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 64, k, n mod 64)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// The operand of each post-op is a view whose first dimension is the height. Dimensions that its map does not use have a stride of 0, or no dimension.
// CHECK-LABEL: @post_ops(
// CHECK-SAME: , %[[C:[^:]*]]: memref<1x4x8x16xf32>, %[[BIAS:[^:]*]]: memref<16xf32>, %[[MASK:[^:]*]]: memref<4x8xf32>, %[[IMAGE:[^:]*]]: memref<1xf32>, %[[ROWS:[^:]*]]: memref<4xf32>, %[[COLUMNS:[^:]*]]: memref<8xf32>, %[[RESIDUAL:[^:]*]]: memref<1x4x8x16xf32>, %[[TRANSPOSED:[^:]*]]: memref<16x8x4xbf16>)
// CHECK-DAG: memref.reinterpret_cast %[[BIAS]] to offset: [0], sizes: [4, 16], strides: [0, 1]
// CHECK-DAG: memref.reinterpret_cast %[[MASK]] to offset: [0], sizes: [4, 8], strides: [8, 1]
// CHECK-DAG: memref.reinterpret_cast %[[IMAGE]] to offset: [0], sizes: [4], strides: [0]
// CHECK-DAG: memref.reinterpret_cast %[[ROWS]] to offset: [0], sizes: [4], strides: [1]
// CHECK-DAG: memref.reinterpret_cast %[[COLUMNS]] to offset: [0], sizes: [4, 8], strides: [0, 1]
// CHECK-DAG: memref.reinterpret_cast %[[RESIDUAL]] to offset: [0], sizes: [4, 8, 16], strides: [128, 16, 1]
// CHECK-DAG: memref.reinterpret_cast %[[TRANSPOSED]] to offset: [0], sizes: [4, 8, 16], strides: [1, 4, 32]
// CHECK: tpp.winograd_output tile = 4
// CHECK-SAME: post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary mul scalar>, #tpp.post_op<binary mul scalar>, #tpp.post_op<binary mul col>, #tpp.post_op<binary add>, #tpp.post_op<binary sub>]
// BOUND-LABEL: @post_ops(
// BOUND: post_row_strides = 0, 0, 8, 0, 1, 0, 128, 1>
func.func @post_ops(%a: memref<1x6x10x16xf32>, %b: memref<36x1x16x16xf32>, %c: memref<1x4x8x16xf32>, %p0: memref<16xf32>, %p2: memref<4x8xf32>, %p3: memref<1xf32>, %p4: memref<4xf32>, %p5: memref<8xf32>, %p6: memref<1x4x8x16xf32>, %p7: memref<16x8x4xbf16>) {
  tpp.contract ins(%a, %b : memref<1x6x10x16xf32>, memref<36x1x16x16xf32>) outs(%c : memref<1x4x8x16xf32>) post(%p0, %p2, %p3, %p4, %p5, %p6, %p7 : memref<16xf32>, memref<4x8xf32>, memref<1xf32>, memref<4xf32>, memref<8xf32>, memref<1x4x8x16xf32>, memref<16x8x4xbf16>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 8, 16, 3, 3, 16>, post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul>, #tpp.post_op<binary mul>, #tpp.post_op<binary mul>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<binary sub>], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>, affine_map<(i, y, x, n, r, s, k) -> (n)>, affine_map<(i, y, x, n, r, s, k) -> (y, x)>, affine_map<(i, y, x, n, r, s, k) -> (i)>, affine_map<(i, y, x, n, r, s, k) -> (y)>, affine_map<(i, y, x, n, r, s, k) -> (x)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>, affine_map<(i, y, x, n, r, s, k) -> (n, x, y)>]}
  return
}

// Every second pixel is read, and the result is a part of a larger image: strides of both.
// CHECK-LABEL: @strides(
// CHECK: sizes: [4, 5, 16], strides: [352, 32, 1]
// CHECK: sizes: [2, 3, 20], strides: [1000, 50, 1]
func.func @strides(%a: memref<1x7x11x16xf32>, %b: memref<36x1x16x20xf32>, %c: memref<1x2x20x50xf32>) {
  tpp.contract ins(%a, %b : memref<1x7x11x16xf32>, memref<36x1x16x20xf32>) outs(%c : memref<1x2x20x50xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 2, 3, 20, 3, 3, 16>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, 2 * y + 2 * r, 2 * x + 2 * s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 20, k, n mod 20)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x + 3, n + 7)>]}
  return
}

//--- threads.mlir

// Each of four threads computes consecutive blocks, in scratch buffers of its own: here, as many as the others.
// CHECK-LABEL: @own_blocks(
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%[[THREAD:.*]]) in (4) {
// CHECK: memref.alloc()
// CHECK: memref.alloc()
// CHECK: scf.for %[[NUMBER:.*]] = %c0 to %c7 step %c1 {
// CHECK: affine.apply #{{.*}}()[%[[THREAD]], %[[NUMBER]]]
// CHECK: tpp.winograd_input
// CHECK: tpp.brgemm
// CHECK: tpp.winograd_output
// CHECK: } {tpp.work_ns =
// CHECK-NOT: scf.forall
func.func @own_blocks(%a: memref<2x58x58x64xf32>, %b: memref<36x1x64x64xf32>, %c: memref<2x56x56x64xf32>) {
  tpp.contract ins(%a, %b : memref<2x58x58x64xf32>, memref<36x1x64x64xf32>) outs(%c : memref<2x56x56x64xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 56, 56, 64, 3, 3, 64>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 64, k, n mod 64)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// 37 rows of tiles: some threads have one more than others.
// CHECK-LABEL: @uneven_blocks(
// CHECK: scf.forall (%[[THREAD:.*]]) in (4) {
// CHECK: %[[FIRST:.*]] = affine.apply #{{.*}}()[%[[THREAD]]]
// CHECK: %[[LAST:.*]] = affine.apply #{{.*}}()[%[[THREAD]]]
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step %c1 {
// CHECK: tpp.winograd_input
// CHECK-NOT: scf.forall
func.func @uneven_blocks(%a: memref<1x150x58x64xf32>, %b: memref<36x1x64x64xf32>, %c: memref<1x148x56x64xf32>) {
  tpp.contract ins(%a, %b : memref<1x150x58x64xf32>, memref<36x1x64x64xf32>) outs(%c : memref<1x148x56x64xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 148, 56, 64, 3, 3, 64>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 64, k, n mod 64)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// Two tiles for four threads: two of them compute.
// CHECK-LABEL: @few_tiles(
// CHECK: scf.forall (%{{.*}}) in (2) {
// CHECK-NOT: scf.forall
func.func @few_tiles(%a: memref<2x6x6x8xf32>, %b: memref<36x1x8x8xf32>, %c: memref<2x4x4x8xf32>) {
  tpp.contract ins(%a, %b : memref<2x6x6x8xf32>, memref<36x1x8x8xf32>) outs(%c : memref<2x4x4x8xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 4, 4, 8, 3, 3, 8>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 8, k, n mod 8)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

//--- machine.txt

name = zen4
memory_gbs = 1000
l3_gbs = 1000
barrier_ns = 1

//--- shared.mlir

// One tile with large filters: the threads share channels of the transforms, and points and columns of the products. Three parallel loops, and scratch
// buffers outside of them.
// CHECK-LABEL: @shared_block(
// CHECK: %[[PIXELS:.*]] = memref.alloc()
// CHECK: %[[PRODUCTS:.*]] = memref.alloc()
// CHECK: scf.forall (%{{.*}}) in ([[#PARTS:]]) {
// CHECK: tpp.winograd_input tile = 4 ins(%{{.*}} : memref<6x6x[[#CHANNELS:]]xf32, {{.*}}>)
// CHECK: } {tpp.work_ns =
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (36, {{[0-9]+}}) {
// CHECK: tpp.brgemm sizes = [1, {{[0-9]+}}, 512]
// CHECK: } {tpp.work_ns =
// CHECK: scf.forall (%{{.*}}) in ([[#PARTS]]) {
// CHECK: tpp.winograd_output tile = 4 ins(%{{.*}}) post_ops = [#tpp.post_op<binary add row>] post(%{{.*}} : memref<4x[[#CHANNELS]]xf32, strided<[0, 1], offset: ?>>)
// CHECK: } {tpp.work_ns =
// CHECK-NOT: scf.forall
// CHECK: return
func.func @shared_block(%a: memref<1x6x6x512xf32>, %b: memref<36x8x512x64xf32>, %c: memref<1x4x4x512xf32>, %p0: memref<512xf32>) {
  tpp.contract ins(%a, %b : memref<1x6x6x512xf32>, memref<36x8x512x64xf32>) outs(%c : memref<1x4x4x512xf32>) post(%p0 : memref<512xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 4, 512, 3, 3, 512>, post_ops = [#tpp.post_op<binary add>], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 64, k, n mod 64)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>, affine_map<(i, y, x, n, r, s, k) -> (n)>]}
  return
}

// Images one after the other; the loops of the threads are within the loop over the images.
// CHECK-LABEL: @images(
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, [[#PARTS:]])
// CHECK: tpp.winograd_input
// CHECK: scf.forall
// CHECK: tpp.brgemm
// CHECK: scf.forall
// CHECK: tpp.winograd_output
func.func @images(%a: memref<3x9x7x256xf32>, %b: memref<36x4x256x64xf32>, %c: memref<3x7x5x256xf32>) {
  tpp.contract ins(%a, %b : memref<3x9x7x256xf32>, memref<36x4x256x64xf32>) outs(%c : memref<3x7x5x256xf32>)
    {beta = 0 : i64, extents = array<i64: 3, 7, 5, 256, 3, 3, 256>, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 64, k, n mod 64)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

//--- padded.mlir

// One tile with a row before the image, a row after it, and two columns before it. The image has all of its pixels.
// CHECK-LABEL: @padded_tile(
// CHECK-NOT: scf.if
// CHECK: tpp.winograd_input tile = 4 top = 1 left = 2 ins({{.*}} : memref<4x4x16xf32, {{.*}} outs(
// CHECK: return
func.func @padded_tile(%a: memref<1x4x4x16xf32>, %b: memref<36x1x16x20xf32>, %c: memref<1x4x4x20xf32>) {
  tpp.contract ins(%a, %b : memref<1x4x4x16xf32>, memref<36x1x16x20xf32>) outs(%c : memref<1x4x4x20xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 4, 20, 3, 3, 16>, padded, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r - 1, x + s - 2, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 20, k, n mod 20)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// Rows of tiles: the first one has a row of padding, the last one has two outputs, which read three rows of the image. All have columns of padding.
// CHECK-LABEL: @padded_rows(
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %{{.*}}, %c1 : index
// CHECK: scf.if %[[FIRST]] {
// CHECK: tpp.winograd_input tile = 4 top = 1 left = 1 ins({{.*}} : memref<5x14x16xf32, {{.*}} outs(
// CHECK: } else {
// CHECK: %[[BETWEEN:.*]] = arith.cmpi slt, %{{.*}}, %c3 : index
// CHECK: scf.if %[[BETWEEN]] {
// CHECK: tpp.winograd_input tile = 4 left = 1 ins({{.*}} : memref<6x14x16xf32, {{.*}} outs(
// CHECK: } else {
// CHECK: tpp.winograd_input tile = 4 left = 1 ins({{.*}} : memref<3x14x16xf32, {{.*}} outs(
// CHECK-NOT: tpp.winograd_input
// CHECK: return
func.func @padded_rows(%a: memref<1x14x14x16xf32>, %b: memref<36x1x16x16xf32>, %c: memref<1x14x14x16xf32>) {
  tpp.contract ins(%a, %b : memref<1x14x14x16xf32>, memref<36x1x16x16xf32>) outs(%c : memref<1x14x14x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 16, 3, 3, 16>, padded, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r - 1, x + s - 1, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}

// Blocks of half a row of tiles: those in the first row of blocks, those between, those in the last row; in each, the first one and the last one.
// CHECK-LABEL: @padded_columns(
// CHECK: tpp.winograd_input tile = 4 top = 1 left = 1 ins({{.*}} : memref<5x501x16xf32, {{.*}} outs(
// CHECK: } else {
// CHECK: tpp.winograd_input tile = 4 top = 1 ins({{.*}} : memref<5x501x16xf32, {{.*}} outs(
// CHECK: } else {
// CHECK: tpp.winograd_input tile = 4 left = 1 ins({{.*}} : memref<6x501x16xf32, {{.*}} outs(
// CHECK: } else {
// CHECK: tpp.winograd_input tile = 4 ins({{.*}} : memref<6x501x16xf32, {{.*}} outs(
// CHECK: } else {
// CHECK: tpp.winograd_input tile = 4 left = 1 ins({{.*}} : memref<5x501x16xf32, {{.*}} outs(
// CHECK: } else {
// CHECK: tpp.winograd_input tile = 4 ins({{.*}} : memref<5x501x16xf32, {{.*}} outs(
// CHECK-NOT: tpp.winograd_input
// CHECK: return
func.func @padded_columns(%a: memref<1x12x1000x16xf32>, %b: memref<36x1x16x16xf32>, %c: memref<1x12x1000x16xf32>) {
  tpp.contract ins(%a, %b : memref<1x12x1000x16xf32>, memref<36x1x16x16xf32>) outs(%c : memref<1x12x1000x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 12, 1000, 16, 3, 3, 16>, padded, post_ops = [], winograd = 4 : i64,
     indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r - 1, x + s - 1, k)>, affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>, affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>]}
  return
}
