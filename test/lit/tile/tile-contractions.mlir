// Dimensions get their roles from strides: n along C's rows, m the longest other dimension of A, k and the batch from the
// reductions. The other dimensions are loops; tails get tiles of their own size.
// RUN: tpp-opt %s --tpp-target=avx512 "--tpp-tile-contractions=l2-bytes=1048576" --canonicalize --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-target=avx512 "--tpp-tile-contractions=l2-bytes=1048576 threads=4" --canonicalize --split-input-file | FileCheck %s --check-prefix=THREADS

// One tile: no loop.
// CHECK-LABEL: @single(
// CHECK-NOT: scf.
// CHECK: tpp.brgemm sizes = [13, 48, 32]
// CHECK-NOT: tpp.contract
// CHECK: return
func.func @single(%a: memref<13x32xf32>, %b: memref<32x48xf32>, %c: memref<13x48xf32>) {
  tpp.contract ins(%a, %b : memref<13x32xf32>, memref<32x48xf32>) outs(%c : memref<13x48xf32>) {beta = 0 : i64, extents = array<i64: 13, 48, 32>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

// Blocks of 64 columns; the last one is narrower, selected by the loop index. The bias is read at the block's columns. Threads
// split the rows.
// CHECK-LABEL: @column_tail(
// CHECK: scf.forall (%[[J:.*]]) in (3) {
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[J]], %c2
// CHECK: scf.if %[[LAST]] {
// CHECK: tpp.brgemm sizes = [100, 13, 32]
// CHECK-SAME: post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>]
// CHECK: } else {
// CHECK: tpp.brgemm sizes = [100, 64, 32]
// CHECK-SAME: post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>]
// CHECK: tpp.work_ns
// THREADS-LABEL: @column_tail(
// THREADS: scf.forall (%{{.*}}, %{{.*}}) in (4, 3) {
// THREADS: tpp.brgemm sizes = [25, 13, 32]
// THREADS: tpp.brgemm sizes = [25, 64, 32]
func.func @column_tail(%a: memref<100x32xf32>, %b: memref<32x141xf32>, %bias: memref<141xf32>, %c: memref<100x141xf32>) {
  tpp.contract ins(%a, %b : memref<100x32xf32>, memref<32x141xf32>) outs(%c : memref<100x141xf32>) post(%bias : memref<141xf32>) {beta = 0 : i64, extents = array<i64: 100, 141, 32>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (n)>], post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>]}
  return
}

// -----

// B in panels: one iteration per panel; panel and C have different leading dimensions.
// CHECK-LABEL: @panels(
// CHECK: scf.forall (%{{.*}}) in (2) {
// CHECK: %[[B:.*]] = memref.reinterpret_cast %{{.*}} : memref<2x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
// CHECK: %[[C:.*]] = memref.reinterpret_cast %{{.*}} : memref<8x128xf32> to memref<8x64xf32, strided<[128, 1], offset: ?>>
// CHECK: tpp.brgemm sizes = [8, 64, 32] {{.*}}ins(%{{.*}}, %[[B]] : {{.*}}) outs(%[[C]] :
func.func @panels(%a: memref<8x32xf32>, %b: memref<2x32x64xf32>, %c: memref<8x128xf32>) {
  tpp.contract ins(%a, %b : memref<8x32xf32>, memref<2x32x64xf32>) outs(%c : memref<8x128xf32>) {beta = 0 : i64, extents = array<i64: 8, 2, 32, 64>, indexing_maps = [affine_map<(m, n, k, i) -> (m, k)>, affine_map<(m, n, k, i) -> (n, k, i)>, affine_map<(m, n, k, i) -> (m, n * 64 + i)>], post_ops = []}
  return
}

// -----

// Batch dimensions are loops. A batch whose rows are contiguous in A and C becomes more rows instead.
// CHECK-LABEL: @batches(
// CHECK: scf.forall (%{{.*}}) in (3) {
// CHECK: tpp.brgemm sizes = [13, 48, 32]
// CHECK: }
// CHECK: tpp.brgemm sizes = [39, 48, 32]
func.func @batches(%a: memref<3x13x32xf32>, %b: memref<3x32x48xf32>, %s: memref<32x48xf32>, %c: memref<3x13x48xf32>) {
  tpp.contract ins(%a, %b : memref<3x13x32xf32>, memref<3x32x48xf32>) outs(%c : memref<3x13x48xf32>) {beta = 0 : i64, extents = array<i64: 3, 13, 48, 32>, indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], post_ops = []}
  tpp.contract ins(%a, %s : memref<3x13x32xf32>, memref<32x48xf32>) outs(%c : memref<3x13x48xf32>) {beta = 0 : i64, extents = array<i64: 3, 13, 48, 32>, indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], post_ops = []}
  return
}

// -----

// One further reduction is brgemm's batch by stride; beta = 1 stays.
// CHECK-LABEL: @batch_reduce(
// CHECK: tpp.brgemm sizes = [13, 48, 32] batch = stride
// CHECK-SAME: memref<3x13x32xf32, strided<[416, 32, 1]>>, memref<3x32x48xf32, strided<[1536, 48, 1]>>
// CHECK-NOT: scf.
// CHECK: return
func.func @batch_reduce(%a: memref<3x13x32xf32>, %b: memref<3x32x48xf32>, %c: memref<13x48xf32>) {
  tpp.contract ins(%a, %b : memref<3x13x32xf32>, memref<3x32x48xf32>) outs(%c : memref<13x48xf32>) {beta = 1 : i64, extents = array<i64: 3, 13, 48, 32>, indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, n)>], post_ops = []}
  return
}

// -----

// A convolution, NHWC: m is the pixels of a row, k the channels (merged with the taps of a row, which are contiguous), the batch
// is the rows of taps.
// CHECK-LABEL: @conv_nhwc(
// CHECK: scf.forall (%{{.*}}) in (7) {
// CHECK: tpp.brgemm sizes = [8, 32, 48] batch = stride
func.func @conv_nhwc(%x: memref<1x9x10x16xf32>, %w: memref<3x3x16x32xf32>, %o: memref<1x7x8x32xf32>) {
  tpp.contract ins(%x, %w : memref<1x9x10x16xf32>, memref<3x3x16x32xf32>) outs(%o : memref<1x7x8x32xf32>) {beta = 0 : i64, extents = array<i64: 1, 7, 8, 32, 3, 3, 16>, indexing_maps = [affine_map<(n, y, x, f, r, s, c) -> (n, y + r, x + s, c)>, affine_map<(n, y, x, f, r, s, c) -> (r, s, c, f)>, affine_map<(n, y, x, f, r, s, c) -> (n, y, x, f)>], post_ops = []}
  return
}

// -----

// NCHW: both dimensions of the taps remain, as a constant table of byte offsets per operand. The bias is one element per row.
// CHECK-DAG: memref.global "private" constant @[[X:tpp_offsets_[0-9]+]] : memref<4xi64> = dense<[0, 4, 20, 24]>
// CHECK-DAG: memref.global "private" constant @[[W:tpp_offsets_[0-9]+]] : memref<4xi64> = dense<[0, 512, 1024, 1536]>
// CHECK-LABEL: @conv_nchw(
// CHECK-DAG: %[[XT:.*]] = memref.get_global @[[X]]
// CHECK-DAG: %[[WT:.*]] = memref.get_global @[[W]]
// CHECK: scf.forall (%{{.*}}) in (4) {
// CHECK: tpp.brgemm sizes = [16, 4, 8] batch = offset
// CHECK-SAME: post_ops = [#tpp.post_op<binary add col>]
func.func @conv_nchw(%x: memref<1x8x5x5xf32>, %w: memref<2x2x16x8xf32>, %bias: memref<16xf32>, %o: memref<1x16x4x4xf32>) {
  tpp.contract ins(%w, %x : memref<2x2x16x8xf32>, memref<1x8x5x5xf32>) outs(%o : memref<1x16x4x4xf32>) post(%bias : memref<16xf32>) {beta = 0 : i64, extents = array<i64: 1, 16, 4, 4, 8, 2, 2>,
    indexing_maps = [affine_map<(n, f, y, x, c, r, s) -> (r, s, f, c)>, affine_map<(n, f, y, x, c, r, s) -> (n, c, y + r, x + s)>, affine_map<(n, f, y, x, c, r, s) -> (n, f, y, x)>, affine_map<(n, f, y, x, c, r, s) -> (f)>], post_ops = [#tpp.post_op<binary add>]}
  return
}

// -----

// Too many offsets for a table: a loop that accumulates from zero and applies the post-ops in its last iteration.
// CHECK-LABEL: @long_sums(
// CHECK: tpp.unary zero
// CHECK: scf.for %[[R:.*]] = %c0 to %c24 step %c1 {
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[R]], %c23
// CHECK: scf.if %[[LAST]] {
// CHECK: tpp.brgemm sizes = [5, 20, 8] batch = stride beta = 1 {{.*}} post_ops = [#tpp.post_op<unary relu>]
// CHECK: } else {
// CHECK: tpp.brgemm
// CHECK-NOT: post_ops
// CHECK: }
func.func @long_sums(%a: memref<5x12x6x4x8xf32>, %b: memref<4x6x12x8x20xf32>, %c: memref<5x20xf32>) {
  tpp.contract ins(%a, %b : memref<5x12x6x4x8xf32>, memref<4x6x12x8x20xf32>) outs(%c : memref<5x20xf32>) {beta = 0 : i64, extents = array<i64: 5, 20, 12, 6, 4, 8>, indexing_maps = [affine_map<(m, n, p, q, r, k) -> (m, p, q, r, k)>, affine_map<(m, n, p, q, r, k) -> (r, q, p, k, n)>, affine_map<(m, n, p, q, r, k) -> (m, n)>], post_ops = [#tpp.post_op<unary relu>]}
  return
}

// -----

// Loop order: A (4 MiB) and B (4 MiB) do not fit L2. Four blocks of rows read B four times; sixteen panels would read A sixteen
// times.
// CHECK-LABEL: @rows_first(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 16) {
// CHECK: tpp.brgemm sizes = [256, 64, 1024]
func.func @rows_first(%a: memref<1024x1024xf32>, %b: memref<16x1024x64xf32>, %c: memref<1024x1024xf32>) {
  tpp.contract ins(%a, %b : memref<1024x1024xf32>, memref<16x1024x64xf32>) outs(%c : memref<1024x1024xf32>) {beta = 0 : i64, extents = array<i64: 1024, 16, 1024, 64>, indexing_maps = [affine_map<(m, n, k, i) -> (m, k)>, affine_map<(m, n, k, i) -> (n, k, i)>, affine_map<(m, n, k, i) -> (m, n * 64 + i)>], post_ops = []}
  return
}

// -----

// A small image and many weights: all rows of pixels use a panel of B before the next panel.
// CHECK-LABEL: @columns_first(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (8, 7) {
// CHECK: tpp.brgemm sizes = [7, 64, 1536] batch = stride
func.func @columns_first(%a: memref<9x9x512xf32>, %b: memref<8x3x3x512x64xf32>, %c: memref<7x7x512xf32>) {
  tpp.contract ins(%a, %b : memref<9x9x512xf32>, memref<8x3x3x512x64xf32>) outs(%c : memref<7x7x512xf32>) {beta = 0 : i64, extents = array<i64: 7, 7, 8, 3, 3, 512, 64>, indexing_maps = [affine_map<(h, w, n, r, s, c, i) -> (h + r, w + s, c)>, affine_map<(h, w, n, r, s, c, i) -> (n, r, s, c, i)>, affine_map<(h, w, n, r, s, c, i) -> (h, w, n * 64 + i)>], post_ops = []}
  return
}

// -----

// Offsets are bytes of the operands' own type.
// CHECK-DAG: memref.global "private" constant @[[A:tpp_offsets_[0-9]+]] : memref<4xi64> = dense<[0, 64, 128, 192]>
// CHECK-DAG: memref.global "private" constant @[[B:tpp_offsets_[0-9]+]] : memref<4xi64> = dense<[0, 8192, 4096, 12288]>
// CHECK-LABEL: @bf16_taps(
// CHECK-DAG: memref.get_global @[[A]]
// CHECK-DAG: memref.get_global @[[B]]
func.func @bf16_taps(%a: memref<16x2x2x32xbf16, strided<[512, 64, 32, 1]>>, %b: memref<2x2x32x64xbf16>, %c: memref<16x64xf32>) {
  tpp.contract ins(%a, %b : memref<16x2x2x32xbf16, strided<[512, 64, 32, 1]>>, memref<2x2x32x64xbf16>) outs(%c : memref<16x64xf32>)
    {beta = 0 : i64, extents = array<i64: 16, 2, 2, 32, 64>, post_ops = [],
     indexing_maps = [affine_map<(m, r, s, k, n) -> (m, r, s, k)>, affine_map<(m, r, s, k, n) -> (s, r, k, n)>, affine_map<(m, r, s, k, n) -> (m, n)>]}
  return
}

// -----

// Few rows: threads share them in blocks of fewer than a task would otherwise have.
// CHECK-LABEL: @few_rows(
// CHECK: scf.forall (%{{.*}}) in (3) {
// THREADS-LABEL: @few_rows(
// THREADS: scf.forall (%{{.*}}, %{{.*}}) in (4, 3) {
// THREADS: tpp.brgemm sizes = [13, 64, 672]
func.func @few_rows(%a: memref<49x672xf32>, %b: memref<3x672x64xf32>, %c: memref<49x3x64xf32>) {
  tpp.contract ins(%a, %b : memref<49x672xf32>, memref<3x672x64xf32>) outs(%c : memref<49x3x64xf32>) {beta = 0 : i64, extents = array<i64: 49, 3, 64, 672>, indexing_maps = [affine_map<(m, t, n, k) -> (m, k)>, affine_map<(m, t, n, k) -> (t, k, n)>, affine_map<(m, t, n, k) -> (m, t, n)>], post_ops = []}
  return
}

// -----

// Weights that L2 holds alone, but not together with the function's others, are read from L3: 33,024 bytes at 20 GB/s.
// CHECK-LABEL: @weights(
// CHECK: scf.forall (%{{.*}}) in (2) {
// CHECK: tpp.work_ns = 1651 : i64
// CHECK: scf.forall (%{{.*}}) in (2) {
// CHECK: tpp.work_ns = {{[1-9][0-9]?[0-9]?}} : i64
func.func @weights(%x: memref<1x64xf32>, %w: memref<64x128xf32> {tpp.weight = 0 : i64}, %other: memref<1024x1024xf32> {tpp.weight = 1 : i64}, %v: memref<64x128xf32>, %y: memref<1x128xf32>, %z: memref<1x128xf32>) {
  tpp.contract ins(%x, %w : memref<1x64xf32>, memref<64x128xf32>) outs(%y : memref<1x128xf32>) {beta = 0 : i64, extents = array<i64: 1, 128, 64>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  tpp.contract ins(%x, %v : memref<1x64xf32>, memref<64x128xf32>) outs(%z : memref<1x128xf32>) {beta = 0 : i64, extents = array<i64: 1, 128, 64>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}
