// Ops that only move elements become tiles: transposes of squares in registers, or copies of rows. Broadcasts, short rows and
// narrow squares are left to vector code.
// RUN: tpp-opt %s --tpp-tile-relayouts=l2-bytes=65536 --canonicalize --split-input-file | FileCheck %s
// RUN: tpp-opt %s "--tpp-tile-relayouts=l2-bytes=65536 threads=16" --canonicalize --split-input-file | FileCheck %s --check-prefix=THREADS
// RUN: not tpp-opt %s --tpp-tile-relayouts=threads=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: threads must be at least 1

// CHECK-LABEL: @one_tile(
// CHECK-NOT: scf.
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<20x48xf32{{.*}}>) outs(%{{.*}} : memref<48x20xf32{{.*}}>)
// CHECK-NOT: linalg.
// CHECK: return
func.func @one_tile(%a: memref<20x48xf32>, %b: memref<48x20xf32>) {
  linalg.transpose ins(%a : memref<20x48xf32>) outs(%b : memref<48x20xf32>) permutation = [1, 0]
  return
}

// -----

// Tiles of 128 rows of the source, at most 4 KiB each and equal if possible, with a tail in both dimensions: four sizes. The
// buffer does not fit the cache: non-temporal stores. The outer loop is the one with the larger stride.
// CHECK-LABEL: @tails(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 2) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<2x512xf32, strided<[1280, 1], offset: ?>>) outs(%{{.*}} : memref<512x2xf32, strided<[144, 1], offset: ?>>)
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<128x512xf32, strided<[1280, 1], offset: ?>>)
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<2x768xf32, strided<[1280, 1], offset: ?>>)
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<128x768xf32, strided<[1280, 1], offset: ?>>)
// CHECK: tpp.work_ns
func.func @tails(%a: memref<130x1280xf32>, %b: memref<1280x130xf32, strided<[144, 1]>>) {
  linalg.transpose ins(%a : memref<130x1280xf32>) outs(%b : memref<1280x130xf32, strided<[144, 1]>>) permutation = [1, 0]
  return
}

// -----

// Rows of the target that are not aligned to cache lines are moved whole, from narrow strips of equal width of the source.
// CHECK-LABEL: @unaligned(
// CHECK: scf.forall (%{{.*}}) in (8) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<1130x160xf32, strided<[1280, 1], offset: ?>>) outs(%{{.*}} : memref<160x1130xf32, strided<[1130, 1], offset: ?>>)
func.func @unaligned(%a: memref<1130x1280xf32>, %b: memref<1280x1130xf32>) {
  linalg.transpose ins(%a : memref<1130x1280xf32>) outs(%b : memref<1280x1130xf32>) permutation = [1, 0]
  return
}
// Aligned rows are moved in runs of 128 elements, with a tail, from whole rows of the source.
// CHECK-LABEL: @aligned(
// CHECK: scf.forall (%{{.*}}) in (9) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<112x1030xf32, strided<[1030, 1], offset: ?>>) outs(%{{.*}} : memref<1030x112xf32, strided<[1136, 1], offset: ?>>)
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<128x1030xf32, strided<[1030, 1], offset: ?>>) outs(%{{.*}} : memref<1030x128xf32, strided<[1136, 1], offset: ?>>)
func.func @aligned(%a: memref<1136x1030xf32>, %b: memref<1030x1136xf32>) {
  linalg.transpose ins(%a : memref<1136x1030xf32>) outs(%b : memref<1030x1136xf32>) permutation = [1, 0]
  return
}

// -----

// Batches are loops; dimensions that stay adjacent (4 x 5) are merged.
// CHECK-LABEL: @merged(
// CHECK: scf.forall (%{{.*}}) in (3) {
// CHECK: tpp.unary transpose ins(%{{.*}} : memref<20x16xf32, strided<[16, 1], offset: ?>>) outs(%{{.*}} : memref<16x20xf32, strided<[20, 1], offset: ?>>)
func.func @merged(%a: memref<3x4x5x16xf32>, %b: memref<3x16x4x5xf32>) {
  linalg.transpose ins(%a : memref<3x4x5x16xf32>) outs(%b : memref<3x16x4x5xf32>) permutation = [0, 3, 1, 2]
  return
}

// -----

// Element types of every size, including types without arithmetic kernels.
// CHECK-LABEL: @types(
// CHECK: tpp.unary transpose {{.*}} : memref<8x9xi1
// CHECK: tpp.unary transpose {{.*}} : memref<8x9xi16
// CHECK: tpp.unary transpose {{.*}} : memref<8x9xi64
// CHECK: tpp.unary transpose {{.*}} : memref<8x9xindex
func.func @types(%a: memref<8x9xi1>, %b: memref<9x8xi1>, %c: memref<8x9xi16>, %d: memref<9x8xi16>, %e: memref<8x9xi64>, %f: memref<9x8xi64>, %g: memref<8x9xindex>, %h: memref<9x8xindex>) {
  linalg.transpose ins(%a : memref<8x9xi1>) outs(%b : memref<9x8xi1>) permutation = [1, 0]
  linalg.transpose ins(%c : memref<8x9xi16>) outs(%d : memref<9x8xi16>) permutation = [1, 0]
  linalg.transpose ins(%e : memref<8x9xi64>) outs(%f : memref<9x8xi64>) permutation = [1, 0]
  linalg.transpose ins(%g : memref<8x9xindex>) outs(%h : memref<9x8xindex>) permutation = [1, 0]
  return
}

// -----

// Non-temporal stores to rows that start at cache lines. Short rows: many, 256 KiB of them. Long rows: until 8 calls are left and
// the target rows of one call span at most 32 MiB, here 4096 rows of 8 KiB.
// CHECK-LABEL: @short_rows(
// CHECK: scf.forall (%{{.*}}) in (8) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<1024x64xf32, {{.*}}>) outs(%{{.*}} : memref<64x1024xf32, {{.*}}>)
func.func @short_rows(%a: memref<8192x64xf32>, %b: memref<64x8192xf32>) {
  linalg.transpose ins(%a : memref<8192x64xf32>) outs(%b : memref<64x8192xf32>) permutation = [1, 0]
  return
}
// CHECK-LABEL: @long_rows(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 16) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<128x4096xf32, {{.*}}>) outs(%{{.*}} : memref<4096x128xf32, {{.*}}>)
func.func @long_rows(%a: memref<2048x8192xf32>, %b: memref<8192x2048xf32>) {
  linalg.transpose ins(%a : memref<2048x8192xf32>) outs(%b : memref<8192x2048xf32>) permutation = [1, 0]
  return
}
// Runs of bytes have 128 elements, too.
// CHECK-LABEL: @bytes(
// CHECK: scf.forall (%{{.*}}) in (32) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<128x4096xi8, {{.*}}>) outs(%{{.*}} : memref<4096x128xi8, {{.*}}>)
func.func @bytes(%a: memref<4096x4096xi8>, %b: memref<4096x4096xi8>) {
  linalg.transpose ins(%a : memref<4096x4096xi8>) outs(%b : memref<4096x4096xi8>) permutation = [1, 0]
  return
}

// -----

// Two or three channels of contiguous points become tiles, although the squares are narrow.
// CHECK-LABEL: @channels(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 2) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<3x5056xf32, strided<[10000, 1], offset: ?>>) outs(%{{.*}} : memref<5056x3xf32, strided<[3, 1], offset: ?>>)
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 2) {
// CHECK: tpp.unary transpose streaming ins(%{{.*}} : memref<5056x3xf32, strided<[3, 1], offset: ?>>) outs(%{{.*}} : memref<3x5056xf32, strided<[10000, 1], offset: ?>>)
func.func @channels(%a: memref<2x3x10000xf32>, %b: memref<2x10000x3xf32>, %c: memref<2x3x10000xf32>) {
  linalg.transpose ins(%a : memref<2x3x10000xf32>) outs(%b : memref<2x10000x3xf32>) permutation = [0, 2, 1]
  linalg.transpose ins(%b : memref<2x10000x3xf32>) outs(%c : memref<2x3x10000xf32>) permutation = [0, 2, 1]
  return
}

// -----

// A pack: some rows of the source, whose pieces go to all panels.
// CHECK-LABEL: @pack(
// CHECK: scf.forall (%{{.*}}) in (8) {
// CHECK: tpp.unary identity streaming ins(%{{.*}} : memref<32x32x64xf32, strided<[64, 2048, 1], offset: ?>>) outs(%{{.*}} : memref<32x32x64xf32, strided<[16384, 64, 1], offset: ?>>)
func.func @pack(%a: memref<256x32x64xf32>, %b: memref<32x256x64xf32>) {
  linalg.transpose ins(%a : memref<256x32x64xf32>) outs(%b : memref<32x256x64xf32>) permutation = [1, 0, 2]
  return
}
// Rows that are too long for one call are split.
// CHECK-LABEL: @wide_pack(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 4) {
// CHECK: tpp.unary identity streaming ins(%{{.*}} : memref<1024x64xf32, strided<[64, 1], offset: ?>>) outs(%{{.*}} : memref<1024x64xf32, strided<[256, 1], offset: ?>>)
func.func @wide_pack(%a: memref<4x2048x64xf32>, %b: memref<2048x4x64xf32>) {
  linalg.transpose ins(%a : memref<4x2048x64xf32>) outs(%b : memref<2048x4x64xf32>) permutation = [1, 0, 2]
  return
}
// An unpack: some panels.
// CHECK-LABEL: @unpack(
// CHECK: scf.forall (%{{.*}}) in (8) {
// CHECK: tpp.unary identity streaming ins(%{{.*}} : memref<256x4x64xf32, strided<[64, 16384, 1], offset: ?>>) outs(%{{.*}} : memref<256x4x64xf32, strided<[2048, 64, 1], offset: ?>>)
func.func @unpack(%a: memref<32x256x64xf32>, %b: memref<256x32x64xf32>) {
  linalg.transpose ins(%a : memref<32x256x64xf32>) outs(%b : memref<256x32x64xf32>) permutation = [1, 0, 2]
  return
}

// -----

// A plain copy is one row, cut into runs of 64 KiB.
// CHECK-LABEL: @copy(
// CHECK: scf.forall (%{{.*}}) in (2) {
// CHECK: tpp.unary identity {{.*}} : memref<1x3616xf32
// CHECK: tpp.unary identity {{.*}} : memref<1x16384xf32
func.func @copy(%a: memref<200x100xf32>, %b: memref<200x100xf32>) {
  memref.copy %a, %b : memref<200x100xf32> to memref<200x100xf32>
  return
}

// -----

// A part of a buffer that does not fit the cache uses non-temporal stores, because of the whole buffer's size.
// CHECK-LABEL: @part(
// CHECK: tpp.unary identity streaming ins({{.*}} : memref<64x32xf32{{.*}}>) outs({{.*}} : memref<64x32xf32{{.*}}>)
func.func @part(%a: memref<64x32xf32>, %b: memref<512x64xf32>) {
  %v = memref.subview %b[128, 0] [64, 32] [1, 1] : memref<512x64xf32> to memref<64x32xf32, strided<[64, 1], offset: 8192>>
  memref.copy %a, %v : memref<64x32xf32> to memref<64x32xf32, strided<[64, 1], offset: 8192>>
  return
}

// -----

// Near misses: rows of half a cache line; few points of three channels; a broadcast; a body that computes.
// CHECK-LABEL: @left(
// CHECK-NOT: tpp.unary
// CHECK-COUNT-2: linalg.transpose
// CHECK: linalg.broadcast
// CHECK: linalg.generic
func.func @left(%a: memref<3x4x8xf32>, %b: memref<4x3x8xf32>, %c: memref<3x15xf32>, %d: memref<15x3xf32>, %e: memref<64xf32>, %f: memref<9x64xf32>, %g: memref<8x9xf32>, %h: memref<9x8xf32>) {
  linalg.transpose ins(%a : memref<3x4x8xf32>) outs(%b : memref<4x3x8xf32>) permutation = [1, 0, 2]
  linalg.transpose ins(%c : memref<3x15xf32>) outs(%d : memref<15x3xf32>) permutation = [1, 0]
  linalg.broadcast ins(%e : memref<64xf32>) outs(%f : memref<9x64xf32>) dimensions = [0]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%g : memref<8x9xf32>) outs(%h : memref<9x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A VNNI pack of whole rows, through all panels. A source that is contiguous along the groups is read in runs of 256 groups.
// CHECK-LABEL: @vnni(
// CHECK: scf.forall (%{{.*}}) in (8) {
// CHECK: tpp.unary vnni_pack streaming ins(%{{.*}} : memref<3x32x64xbf16, strided<[64, 192, 1], offset: ?>>) outs(%{{.*}} : memref<3x16x64x2xbf16, strided<[16384, 128, 2, 1], offset: ?>>)
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (3, 2) {
// CHECK: tpp.unary vnni_pack streaming ins(%{{.*}} : memref<1024x64xi8, strided<[1, 2048], offset: ?>>) outs(%{{.*}} : memref<256x64x4xi8, strided<[256, 4, 1], offset: ?>>)
func.func @vnni(%a: memref<128x2x3x64xbf16>, %b: memref<3x128x64x2xbf16>, %c: memref<3x64x512x4xi8>, %d: memref<3x512x64x4xi8>) {
  linalg.transpose ins(%a : memref<128x2x3x64xbf16>) outs(%b : memref<3x128x64x2xbf16>) permutation = [2, 0, 3, 1]
  linalg.transpose ins(%c : memref<3x64x512x4xi8>) outs(%d : memref<3x512x64x4xi8>) permutation = [0, 2, 1, 3]
  return
}

// -----

// Calls that threads share: fewer rows in each, then shorter ones in whole cache lines, but a page on average. The groups of a VNNI pack are rows.
// CHECK-LABEL: @shared(
// CHECK: scf.forall (%{{.*}}) in (3) {
// CHECK: tpp.unary identity streaming ins({{.*}} : memref<1x12704xf32{{.*}}>)
// CHECK: tpp.unary identity streaming ins({{.*}} : memref<1x16384xf32{{.*}}>)
// CHECK-NOT: scf.forall
// CHECK: tpp.unary transpose ins({{.*}} : memref<49x128xf32{{.*}}>)
// THREADS-LABEL: @shared(
// THREADS: scf.forall (%{{.*}}) in (16) {
// THREADS: tpp.unary identity streaming ins({{.*}} : memref<1x2752xf32{{.*}}>)
// THREADS: tpp.unary identity streaming ins({{.*}} : memref<1x2848xf32{{.*}}>)
// THREADS: scf.forall (%{{.*}}) in (4) {
// THREADS: tpp.unary transpose ins({{.*}} : memref<49x32xf32{{.*}}>)
// THREADS: scf.forall (%{{.*}}, %{{.*}}) in (3, {{[5-9]|1[0-9]}}) {
// THREADS: tpp.unary identity
// THREADS: scf.forall (%{{.*}}) in ({{1[6-9]|[23][0-9]}}) {
// THREADS: tpp.unary vnni_pack
func.func @shared(%a: memref<45472xf32>, %b: memref<45472xf32>, %c: memref<49x128xf32>, %d: memref<128x49xf32>, %e: memref<3x16384xf32>, %f: memref<3x20000xf32>, %g: memref<64x2x512xbf16>, %h: memref<64x512x2xbf16>) {
  memref.copy %a, %b : memref<45472xf32> to memref<45472xf32>
  linalg.transpose ins(%c : memref<49x128xf32>) outs(%d : memref<128x49xf32>) permutation = [1, 0]
  %v = memref.subview %f[0, 0] [3, 16384] [1, 1] : memref<3x20000xf32> to memref<3x16384xf32, strided<[20000, 1]>>
  memref.copy %e, %v : memref<3x16384xf32> to memref<3x16384xf32, strided<[20000, 1]>>
  linalg.transpose ins(%g : memref<64x2x512xbf16>) outs(%h : memref<64x512x2xbf16>) permutation = [0, 2, 1]
  return
}
