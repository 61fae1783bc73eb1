// Loops over blocks of rows of an image, and over panels of its channels if there are few rows, with a tile of tpp.grouped_conv each. Blocks at the
// borders of a padded image have smaller windows of pixels.
// RUN: split-file %s %t
// RUN: tpp-opt %t/tiles.mlir --tpp-target=zen4 --tpp-tile-grouped-convs --canonicalize | FileCheck %t/tiles.mlir
// RUN: tpp-opt %t/threads.mlir --tpp-target=zen4 --tpp-tile-grouped-convs=threads=4 --canonicalize --cse | FileCheck %t/threads.mlir
// RUN: tpp-opt %t/tiles.mlir --tpp-target=zen4 --tpp-tile-grouped-convs --canonicalize --tpp-bind-kernels | FileCheck %t/tiles.mlir --check-prefix=BOUND
// RUN: tpp-opt %t/padding.mlir --tpp-target=zen4 --tpp-tile-grouped-convs --canonicalize | FileCheck %t/padding.mlir

//--- tiles.mlir

// BOUND-NOT: tpp.scalar_loops

// One block: the whole image, with a border of one pixel.
// CHECK-LABEL: @whole(
// CHECK-NOT: scf.forall
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [14, 14, 24], strides: [336, 24, 1]
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] ins(
// CHECK-NOT: tpp.contract
// CHECK: return
func.func @whole(%x: memref<1x14x14x24xf32>, %w: memref<3x3x24xf32>, %c: memref<1x14x14x24xf32>) {
  tpp.contract ins(%x, %w : memref<1x14x14x24xf32>, memref<3x3x24xf32>) outs(%c : memref<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r - 1, x + s - 1, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], padded, post_ops = []}
  return
}

// Without a border.
// CHECK-LABEL: @unpadded(
// CHECK: sizes: [16, 16, 24]
// CHECK: tpp.grouped_conv taps = [3, 3] ins(
func.func @unpadded(%x: memref<1x16x16x24xf32>, %w: memref<3x3x24xf32>, %c: memref<1x14x14x24xf32>) {
  tpp.contract ins(%x, %w : memref<1x16x16x24xf32>, memref<3x3x24xf32>) outs(%c : memref<1x14x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 14, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], post_ops = []}
  return
}

// Stride 2.
// CHECK-LABEL: @steps(
// CHECK: tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [1, 1] ins({{.*}} : memref<13x15x16xf32, {{.*}} outs({{.*}} : memref<7x8x16xf32,
func.func @steps(%x: memref<1x13x15x16xf32>, %w: memref<3x3x16xf32>, %c: memref<1x7x8x16xf32>) {
  tpp.contract ins(%x, %w : memref<1x13x15x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x7x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 7, 8, 16, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, 2 * y + r - 1, 2 * x + s - 1, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], padded, post_ops = []}
  return
}

// Stride 2: no output reads the last row and the last column.
// CHECK-LABEL: @unused_pixels(
// CHECK: tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [1, 1] ins({{.*}} : memref<12x14x16xf32, strided<[240, 16, 1], offset: ?>>,
func.func @unused_pixels(%x: memref<1x13x15x16xf32>, %w: memref<3x3x16xf32>, %c: memref<1x6x7x16xf32>) {
  tpp.contract ins(%x, %w : memref<1x13x15x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x6x7x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 6, 7, 16, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, 2 * y + r - 1, 2 * x + s - 1, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], padded, post_ops = []}
  return
}

// Dilation 2.
// CHECK-LABEL: @dilations(
// CHECK: tpp.grouped_conv taps = [3, 3] dilations = [2, 2] before = [2, 2] ins(
func.func @dilations(%x: memref<1x12x10x16xf32>, %w: memref<3x3x16xf32>, %c: memref<1x12x10x16xf32>) {
  tpp.contract ins(%x, %w : memref<1x12x10x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x12x10x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 12, 10, 16, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + 2 * r - 2, x + 2 * s - 2, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], padded, post_ops = []}
  return
}

// One dimension: a row of pixels.
// CHECK-LABEL: @one_dimension(
// CHECK: tpp.grouped_conv taps = [1, 5] before = [0, 2] ins({{.*}} : memref<1x30x16xf32, {{.*}}, memref<5x16xf32,
func.func @one_dimension(%x: memref<30x16xf32>, %w: memref<5x16xf32>, %c: memref<30x16xf32>) {
  tpp.contract ins(%x, %w : memref<30x16xf32>, memref<5x16xf32>) outs(%c : memref<30x16xf32>)
    {beta = 0 : i64, extents = array<i64: 30, 16, 5>, grouped, indexing_maps = [affine_map<(x, c, s) -> (x + s - 2, c)>, affine_map<(x, c, s) -> (s, c)>, affine_map<(x, c, s) -> (x, c)>], padded, post_ops = []}
  return
}

// Filters in two panels.
// CHECK-LABEL: @panels(
// CHECK: sizes: [2, 9, 48], strides: [432, 48, 1]
// CHECK: tpp.grouped_conv taps = [3, 3] ins({{.*}}, memref<2x9x48xf32,
func.func @panels(%x: memref<1x14x14x96xf32>, %w: memref<2x3x3x48xf32>, %c: memref<1x12x12x96xf32>) {
  tpp.contract ins(%x, %w : memref<1x14x14x96xf32>, memref<2x3x3x48xf32>) outs(%c : memref<1x12x12x96xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 12, 12, 2, 3, 3, 48>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s, d) -> (i, y + r, x + s, c * 48 + d)>, affine_map<(i, y, x, c, r, s, d) -> (c, r, s, d)>, affine_map<(i, y, x, c, r, s, d) -> (i, y, x, c * 48 + d)>], post_ops = []}
  return
}

// Groups of four channels, in two panels of four groups.
// CHECK-LABEL: @groups(
// CHECK: sizes: [2, 36, 16], strides: [576, 16, 1]
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] group = [4, 4] ins(
func.func @groups(%x: memref<1x10x10x32xf32>, %w: memref<2x3x3x4x4x4xf32>, %c: memref<1x10x10x32xf32>) {
  tpp.contract ins(%x, %w : memref<1x10x10x32xf32>, memref<2x3x3x4x4x4xf32>) outs(%c : memref<1x10x10x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 10, 10, 2, 4, 3, 3, 4, 4>, grouped, indexing_maps = [affine_map<(i, y, x, g, f, r, s, k, h) -> (i, y + r - 1, x + s - 1, (g * 4 + h) * 4 + k)>, affine_map<(i, y, x, g, f, r, s, k, h) -> (g, r, s, k, h, f)>, affine_map<(i, y, x, g, f, r, s, k, h) -> (i, y, x, (g * 4 + h) * 4 + f)>], padded, post_ops = []}
  return
}

// Two outputs for each channel.
// CHECK-LABEL: @multiplier(
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] group = [1, 2] ins({{.*}} : memref<10x10x24xf32, {{.*}}, memref<9x48xf32, {{.*}} outs({{.*}} : memref<10x10x48xf32,
func.func @multiplier(%x: memref<1x10x10x24xf32>, %w: memref<3x3x24x2xf32>, %c: memref<1x10x10x48xf32>) {
  tpp.contract ins(%x, %w : memref<1x10x10x24xf32>, memref<3x3x24x2xf32>) outs(%c : memref<1x10x10x48xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 10, 10, 24, 2, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, m, r, s) -> (i, y + r - 1, x + s - 1, c)>, affine_map<(i, y, x, c, m, r, s) -> (r, s, c, m)>, affine_map<(i, y, x, c, m, r, s) -> (i, y, x, c * 2 + m)>], padded, post_ops = []}
  return
}

// A part of larger images.
// CHECK-LABEL: @part(
// CHECK: to offset: [2784], sizes: [6, 10, 16], strides: [1280, 64, 1]
// CHECK: to offset: [1107], sizes: [4, 8, 16], strides: [1000, 50, 1]
// CHECK: tpp.grouped_conv
func.func @part(%x: memref<1x20x20x64xf32>, %w: memref<3x3x16xf32>, %c: memref<1x8x20x50xf32>) {
  tpp.contract ins(%x, %w : memref<1x20x20x64xf32>, memref<3x3x16xf32>) outs(%c : memref<1x8x20x50xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 8, 16, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r + 2, x + s + 3, c + 32)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y + 1, x + 2, c + 7)>], post_ops = []}
  return
}

// The operand of each post-op is a view whose first dimension is the height. Dimensions that its map does not use have a stride of 0, or no dimension.
// CHECK-LABEL: @post_ops(
// CHECK-SAME: , %[[BIAS:[^:, ]*]]: memref<16xf32>, %[[MASK:[^:, ]*]]: memref<4x8xf32>, %[[IMAGE:[^:, ]*]]: memref<1xf32>, %[[ROWS:[^:, ]*]]: memref<4xf32>, %[[COLUMNS:[^:, ]*]]: memref<8xf32>, %[[RESIDUAL:[^:, ]*]]: memref<1x4x8x16xf32>, %[[LINES:[^:, ]*]]: memref<4x16xf32>, %[[TRANSPOSED:[^:, ]*]]: memref<16x8x4xbf16>)
// CHECK-DAG: memref.reinterpret_cast %[[BIAS]] to offset: [0], sizes: [4, 16], strides: [0, 1]
// CHECK-DAG: memref.reinterpret_cast %[[MASK]] to offset: [0], sizes: [4, 8], strides: [8, 1]
// CHECK-DAG: memref.reinterpret_cast %[[IMAGE]] to offset: [0], sizes: [4], strides: [0]
// CHECK-DAG: memref.reinterpret_cast %[[ROWS]] to offset: [0], sizes: [4], strides: [1]
// CHECK-DAG: memref.reinterpret_cast %[[COLUMNS]] to offset: [0], sizes: [4, 8], strides: [0, 1]
// CHECK-DAG: memref.reinterpret_cast %[[RESIDUAL]] to offset: [0], sizes: [4, 8, 16], strides: [128, 16, 1]
// CHECK-DAG: memref.reinterpret_cast %[[LINES]] to offset: [0], sizes: [4, 16], strides: [16, 1]
// CHECK-DAG: memref.reinterpret_cast %[[TRANSPOSED]] to offset: [0], sizes: [4, 8, 16], strides: [1, 4, 32]
// CHECK: tpp.grouped_conv
// CHECK-SAME: post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary mul scalar>, #tpp.post_op<binary mul scalar>, #tpp.post_op<binary mul col>, #tpp.post_op<binary add>, #tpp.post_op<binary add row>, #tpp.post_op<binary sub>]
func.func @post_ops(%x: memref<1x6x10x16xf32>, %w: memref<3x3x16xf32>, %c: memref<1x4x8x16xf32>, %p0: memref<16xf32>, %p1: memref<4x8xf32>, %p2: memref<1xf32>, %p3: memref<4xf32>, %p4: memref<8xf32>, %p5: memref<1x4x8x16xf32>, %p6: memref<4x16xf32>, %p7: memref<16x8x4xbf16>) {
  tpp.contract ins(%x, %w : memref<1x6x10x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x4x8x16xf32>) post(%p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7 : memref<16xf32>, memref<4x8xf32>, memref<1xf32>, memref<4xf32>, memref<8xf32>, memref<1x4x8x16xf32>, memref<4x16xf32>, memref<16x8x4xbf16>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 8, 16, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>, affine_map<(i, y, x, c, r, s) -> (c)>, affine_map<(i, y, x, c, r, s) -> (y, x)>, affine_map<(i, y, x, c, r, s) -> (i)>, affine_map<(i, y, x, c, r, s) -> (y)>, affine_map<(i, y, x, c, r, s) -> (x)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>, affine_map<(i, y, x, c, r, s) -> (y, c)>, affine_map<(i, y, x, c, r, s) -> (c, x, y)>], post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul>, #tpp.post_op<binary mul>, #tpp.post_op<binary mul>, #tpp.post_op<binary mul>, #tpp.post_op<binary add>, #tpp.post_op<binary add>, #tpp.post_op<binary sub>]}
  return
}

// Blocks of rows that L2 holds, of two images. The first one has a row of padding before it, the last one after it; all have columns of padding.
// CHECK-LABEL: @large(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 14) {
// CHECK: scf.if
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] ins({{.*}} : memref<9x112x96xf32,
// CHECK: } else {
// CHECK: scf.if
// CHECK: tpp.grouped_conv taps = [3, 3] before = [0, 1] ins({{.*}} : memref<10x112x96xf32,
// CHECK: } else {
// CHECK: tpp.grouped_conv taps = [3, 3] before = [0, 1] ins({{.*}} : memref<9x112x96xf32,
// CHECK: } {tpp.work_ns = {{[0-9]+}} : i64}
func.func @large(%x: memref<2x112x112x96xf32>, %w: memref<2x3x3x48xf32>, %c: memref<2x112x112x96xf32>) {
  tpp.contract ins(%x, %w : memref<2x112x112x96xf32>, memref<2x3x3x48xf32>) outs(%c : memref<2x112x112x96xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 112, 112, 2, 3, 3, 48>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s, d) -> (i, y + r - 1, x + s - 1, c * 48 + d)>, affine_map<(i, y, x, c, r, s, d) -> (c, r, s, d)>, affine_map<(i, y, x, c, r, s, d) -> (i, y, x, c * 48 + d)>], padded, post_ops = []}
  return
}

//--- threads.mlir

// Blocks of eight rows, one for each thread: the first one, those between, the last one.
// CHECK-LABEL: @rows(
// CHECK: %[[FIRST_OF_LAST:.*]] = arith.constant 3 : index
// CHECK: scf.forall (%[[BLOCK:.*]]) in (4) {
// CHECK: arith.cmpi slt, %[[BLOCK]], %c1
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] ins({{.*}} : memref<9x14x24xf32,
// CHECK: } else {
// CHECK: arith.cmpi slt, %[[BLOCK]], %[[FIRST_OF_LAST]]
// CHECK: tpp.grouped_conv taps = [3, 3] before = [0, 1] ins({{.*}} : memref<10x14x24xf32,
// CHECK: } else {
// CHECK: tpp.grouped_conv taps = [3, 3] before = [0, 1] ins({{.*}} : memref<9x14x24xf32,
func.func @rows(%x: memref<1x32x14x24xf32>, %w: memref<3x3x24xf32>, %c: memref<1x32x14x24xf32>) {
  tpp.contract ins(%x, %w : memref<1x32x14x24xf32>, memref<3x3x24xf32>) outs(%c : memref<1x32x14x24xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 32, 14, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r - 1, x + s - 1, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], padded, post_ops = []}
  return
}

// Enough images: a task is a whole image.
// CHECK-LABEL: @images(
// CHECK: scf.forall (%{{.*}}) in (16) {
// CHECK-NOT: scf.if
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] ins({{.*}} : memref<6x6x24xf32,
func.func @images(%x: memref<16x6x6x24xf32>, %w: memref<3x3x24xf32>, %c: memref<16x6x6x24xf32>) {
  tpp.contract ins(%x, %w : memref<16x6x6x24xf32>, memref<3x3x24xf32>) outs(%c : memref<16x6x6x24xf32>)
    {beta = 0 : i64, extents = array<i64: 16, 6, 6, 24, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r - 1, x + s - 1, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], padded, post_ops = []}
  return
}

// Few rows: a task is a panel of channels, with its part of the bias.
// CHECK-LABEL: @channels(
// CHECK: scf.forall (%{{.*}}) in (4) {
// CHECK: sizes: [4, 4, 48], strides: [768, 192, 1]
// CHECK: sizes: [1, 9, 48], strides: [432, 48, 1]
// CHECK: sizes: [4, 48], strides: [0, 1]
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] ins(
func.func @channels(%x: memref<1x4x4x192xf32>, %w: memref<4x3x3x48xf32>, %c: memref<1x4x4x192xf32>, %p0: memref<192xf32>) {
  tpp.contract ins(%x, %w : memref<1x4x4x192xf32>, memref<4x3x3x48xf32>) outs(%c : memref<1x4x4x192xf32>) post(%p0 : memref<192xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 4, 4, 3, 3, 48>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s, d) -> (i, y + r - 1, x + s - 1, c * 48 + d)>, affine_map<(i, y, x, c, r, s, d) -> (c, r, s, d)>, affine_map<(i, y, x, c, r, s, d) -> (i, y, x, c * 48 + d)>, affine_map<(i, y, x, c, r, s, d) -> (c * 48 + d)>], padded, post_ops = [#tpp.post_op<binary add>]}
  return
}

// Few rows, and groups of 8 channels in one panel: a task is a part of the groups, in whole cache lines.
// CHECK-LABEL: @groups(
// CHECK: scf.forall (%{{.*}}) in (4) {
// CHECK: sizes: [4, 4, 48], strides: [768, 192, 1]
// CHECK: sizes: [72, 48], strides: [192, 1]
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] group = [8, 8] ins(
func.func @groups(%x: memref<1x4x4x192xf32>, %w: memref<3x3x8x24x8xf32>, %c: memref<1x4x4x192xf32>) {
  tpp.contract ins(%x, %w : memref<1x4x4x192xf32>, memref<3x3x8x24x8xf32>) outs(%c : memref<1x4x4x192xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 4, 4, 24, 8, 3, 3, 8>, grouped, indexing_maps = [affine_map<(i, y, x, g, o, r, s, d) -> (i, y + r - 1, x + s - 1, g * 8 + d)>, affine_map<(i, y, x, g, o, r, s, d) -> (r, s, d, g, o)>, affine_map<(i, y, x, g, o, r, s, d) -> (i, y, x, g * 8 + o)>], padded, post_ops = []}
  return
}

// Two blocks of rows, five and four, and two of channels, three panels and two. The last row of windows is within the image.
// CHECK-LABEL: @uneven(
// CHECK: scf.forall (%[[ROW:.*]], %[[CHANNEL:.*]]) in (2, 2) {
// CHECK: arith.cmpi eq, %[[ROW]], %c1
// CHECK: arith.cmpi eq, %[[CHANNEL]], %c1
// CHECK: tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [0, 1] ins({{.*}} : memref<9x18x96xf32, {{.*}} outs({{.*}} : memref<4x9x96xf32,
// CHECK: } else {
// CHECK: tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [0, 1] ins({{.*}} : memref<9x18x144xf32, {{.*}} outs({{.*}} : memref<4x9x144xf32,
// CHECK: } else {
// CHECK: arith.cmpi eq, %[[CHANNEL]], %c1
// CHECK: tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [1, 1] ins({{.*}} : memref<10x18x96xf32, {{.*}} outs({{.*}} : memref<5x9x96xf32,
// CHECK: } else {
// CHECK: tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [1, 1] ins({{.*}} : memref<10x18x144xf32, {{.*}} outs({{.*}} : memref<5x9x144xf32,
func.func @uneven(%x: memref<1x18x18x240xf32>, %w: memref<5x3x3x48xf32>, %c: memref<1x9x9x240xf32>) {
  tpp.contract ins(%x, %w : memref<1x18x18x240xf32>, memref<5x3x3x48xf32>) outs(%c : memref<1x9x9x240xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 9, 9, 5, 3, 3, 48>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s, d) -> (i, 2 * y + r - 1, 2 * x + s - 1, c * 48 + d)>, affine_map<(i, y, x, c, r, s, d) -> (c, r, s, d)>, affine_map<(i, y, x, c, r, s, d) -> (i, y, x, c * 48 + d)>], padded, post_ops = []}
  return
}

//--- padding.mlir

// All columns that the only output reads are before the image.
// CHECK-LABEL: @only_padding(
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 3] ins({{.*}} : memref<2x0x16xf32,
func.func @only_padding(%x: memref<1x2x2x16xf32>, %w: memref<3x3x16xf32>, %c: memref<1x1x1x16xf32>) {
  tpp.contract ins(%x, %w : memref<1x2x2x16xf32>, memref<3x3x16xf32>) outs(%c : memref<1x1x1x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 1, 1, 16, 3, 3>, grouped, indexing_maps = [affine_map<(i, y, x, c, r, s) -> (i, y + r - 1, x + s - 7, c)>, affine_map<(i, y, x, c, r, s) -> (r, s, c)>, affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>], padded, post_ops = []}
  return
}
