// Chains of contractions are computed in bands of rows if L2 does not hold the values between them.
// RUN: split-file %s %t
// RUN: tpp-opt %t/bands.mlir --tpp-target=zen4 --tpp-fuse-bands=l2-bytes=98304 --canonicalize | FileCheck %t/bands.mlir
// RUN: tpp-opt %t/bands.mlir --tpp-target=zen4 --tpp-fuse-bands="l2-bytes=98304 threads=4" --canonicalize | FileCheck %t/bands.mlir --check-prefix=THREADS
// RUN: tpp-opt %t/bands.mlir --tpp-target=zen4 --tpp-fuse-bands | FileCheck %t/bands.mlir --check-prefix=HELD
// RUN: tpp-opt %t/kept.mlir --tpp-target=zen4 --tpp-fuse-bands=l2-bytes=98304 | FileCheck %t/kept.mlir
// RUN: not tpp-opt %t/bands.mlir --tpp-fuse-bands=threads=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: threads must be at least 1

//--- bands.mlir

#pixels = affine_map<(n, y, x, f, c) -> (n, y, x, c)>
#weights = affine_map<(n, y, x, f, c) -> (c, f)>
#features = affine_map<(n, y, x, f, c) -> (n, y, x, f)>
#bias = affine_map<(n, y, x, f, c) -> (f)>
#window = affine_map<(n, y, x, c, r, s) -> (n, y + r - 1, x + s - 1, c)>
#every_second = affine_map<(n, y, x, c, r, s) -> (n, 2 * y + r - 1, 2 * x + s - 1, c)>
#filter = affine_map<(n, y, x, c, r, s) -> (r, s, c)>
#channels = affine_map<(n, y, x, c, r, s) -> (n, y, x, c)>

// HELD-NOT: scf.for

// An inverted residual. The first and the last band read one row of the image less than the others.
// CHECK-LABEL: @residual(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1x32x16x8xf32>, %[[V:[a-z0-9]+]]: memref<8x32xf32>, %[[F:[a-z0-9]+]]: memref<3x3x32xf32>, %[[W:[a-z0-9]+]]: memref<32x8xf32>, %[[B:[a-z0-9]+]]: memref<8xf32>, %[[Y:[a-z0-9]+]]: memref<1x32x16x8xf32>
// CHECK-DAG: %[[E:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x[[MOST:[0-9]+]]x16x32xf32>
// CHECK-DAG: %[[D:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x[[ROWS:[0-9]+]]x16x32xf32>
// CHECK: scf.for %[[BAND:.*]] = %c0 to
// CHECK: scf.if
// CHECK: tpp.contract ins(%{{.*}}, %[[V]] : memref<1x{{[0-9]+}}x16x8xf32, strided<{{.*}}>>
// CHECK: tpp.contract ins(%{{.*}}, %[[F]] : {{.*}} grouped, {{.*}} padded
// CHECK: tpp.contract ins(%[[D]], %[[W]] :
// CHECK: else
// CHECK: %[[IN:.*]] = memref.reinterpret_cast %[[X]] to offset: [%{{.*}}], sizes: [1, [[MOST]], 16, 8]
// CHECK: tpp.contract ins(%[[IN]], %[[V]] : {{.*}}) outs(%[[E]] : memref<1x[[MOST]]x16x32xf32>) {{.*}} extents = array<i64: 1, [[MOST]], 16, 32, 8>
// CHECK: tpp.contract ins(%[[E]], %[[F]] : {{.*}}) outs(%[[D]] : memref<1x[[ROWS]]x16x32xf32>) {{.*}} extents = array<i64: 1, [[ROWS]], 16, 32, 3, 3>, grouped
// CHECK: %[[OUT:.*]] = memref.reinterpret_cast %[[Y]] to offset: [%{{.*}}], sizes: [1, [[ROWS]], 16, 8]
// CHECK: %[[ADDED:.*]] = memref.reinterpret_cast %[[X]] to offset: [%{{.*}}], sizes: [1, [[ROWS]], 16, 8]
// CHECK: tpp.contract ins(%[[D]], %[[W]] : {{.*}}) outs(%[[OUT]] : {{.*}}) post(%[[B]], %[[ADDED]] :
// CHECK: tpp.contract
// CHECK-NOT: memref<1x32x16x32xf32>
// CHECK: return
func.func @residual(%x: memref<1x32x16x8xf32>, %v: memref<8x32xf32>, %f: memref<3x3x32xf32>, %w: memref<32x8xf32>, %b: memref<8xf32>,
                    %y: memref<1x32x16x8xf32>) {
  %e = memref.alloc() : memref<1x32x16x32xf32>
  %d = memref.alloc() : memref<1x32x16x32xf32>
  tpp.contract ins(%x, %v : memref<1x32x16x8xf32>, memref<8x32xf32>) outs(%e : memref<1x32x16x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 32, 16, 32, 8>, indexing_maps = [#pixels, #weights, #features], post_ops = [#tpp.post_op<unary relu>]}
  tpp.contract ins(%e, %f : memref<1x32x16x32xf32>, memref<3x3x32xf32>) outs(%d : memref<1x32x16x32xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 32, 16, 32, 3, 3>, grouped, indexing_maps = [#window, #filter, #channels], padded, post_ops = []}
  tpp.contract ins(%d, %w : memref<1x32x16x32xf32>, memref<32x8xf32>) outs(%y : memref<1x32x16x8xf32>) post(%b, %x : memref<8xf32>, memref<1x32x16x8xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 32, 16, 8, 32>, indexing_maps = [#pixels, #weights, #features, #bias, #features],
     post_ops = [#tpp.post_op<binary add>, #tpp.post_op<binary add>]}
  return
}

// Every second row, of two images: bands of one image at a time.
// CHECK-LABEL: @images(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<1x{{[0-9]+}}x16x32xf32>
// CHECK: scf.for %[[NUMBER:.*]] = %c0 to
// CHECK: affine.apply #{{.*}}()[%[[NUMBER]]]
// CHECK: outs(%{{.*}} : memref<1x{{[0-9]+}}x8x32xf32, strided<[4096, 256, 32, 1], offset: ?>>)
// CHECK: return
func.func @images(%x: memref<2x32x16x8xf32>, %v: memref<8x32xf32>, %f: memref<3x3x32xf32>, %y: memref<2x16x8x32xf32>) {
  %e = memref.alloc() : memref<2x32x16x32xf32>
  tpp.contract ins(%x, %v : memref<2x32x16x8xf32>, memref<8x32xf32>) outs(%e : memref<2x32x16x32xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 32, 16, 32, 8>, indexing_maps = [#pixels, #weights, #features], post_ops = []}
  tpp.contract ins(%e, %f : memref<2x32x16x32xf32>, memref<3x3x32xf32>) outs(%y : memref<2x16x8x32xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 16, 8, 32, 3, 3>, grouped, indexing_maps = [#every_second, #filter, #channels], padded, post_ops = []}
  return
}

// Two matrix products: bands of rows. They may overwrite the residual.
// CHECK-LABEL: @products(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<{{[0-9]+}}x64xf32>
// CHECK: scf.for
// CHECK: return
// Each of four threads has consecutive bands, and a buffer of its own.
// THREADS-LABEL: @products(
// THREADS: scf.forall (%[[THREAD:.*]]) in (4) {
// THREADS: memref.alloc() {alignment = 64 : i64} : memref<{{[0-9]+}}x64xf32>
// THREADS: scf.for
// THREADS: affine.apply #{{.*}}()[%[[THREAD]], %
// THREADS: tpp.work_ns
func.func @products(%x: memref<1024x16xf32>, %v: memref<16x64xf32>, %w: memref<64x16xf32>, %y: memref<1024x16xf32>) {
  %e = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<64x16xf32>) outs(%y : memref<1024x16xf32>) post(%y : memref<1024x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 16, 64>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (m, n)>],
     post_ops = [#tpp.post_op<binary add>]}
  return
}

// Between them, what the last one adds is computed.
// CHECK-LABEL: @shortcut(
// CHECK: tpp.contract ins(%{{.*}}, %{{.*}} : memref<1024x16xf32>, memref<16x16xf32>)
// CHECK: scf.for
// CHECK: return
func.func @shortcut(%x: memref<1024x16xf32>, %v: memref<16x64xf32>, %u: memref<16x16xf32>, %w: memref<64x16xf32>, %y: memref<1024x16xf32>) {
  %e = memref.alloc() : memref<1024x64xf32>
  %s = memref.alloc() : memref<1024x16xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  tpp.contract ins(%x, %u : memref<1024x16xf32>, memref<16x16xf32>) outs(%s : memref<1024x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 16, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<64x16xf32>) outs(%y : memref<1024x16xf32>) post(%s : memref<1024x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 16, 64>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (m, n)>],
     post_ops = [#tpp.post_op<binary add>]}
  return
}

// The third product reads two others. It is in the chain of one of them, and in one chain only.
// CHECK-LABEL: @two_writers(
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @two_writers(%x: memref<1024x16xf32>, %u: memref<16x16xf32>, %p: memref<16x16xf32>, %q: memref<16x128xf32>, %w: memref<128x16xf32>, %y: memref<1024x16xf32>) {
  %a = memref.alloc() : memref<1024x16xf32>
  %b = memref.alloc() : memref<16x128xf32>
  %e = memref.alloc() : memref<1024x128xf32>
  tpp.contract ins(%x, %u : memref<1024x16xf32>, memref<16x16xf32>) outs(%a : memref<1024x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 16, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  tpp.contract ins(%p, %q : memref<16x16xf32>, memref<16x128xf32>) outs(%b : memref<16x128xf32>)
    {beta = 0 : i64, extents = array<i64: 16, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  tpp.contract ins(%a, %b : memref<1024x16xf32>, memref<16x128xf32>) outs(%e : memref<1024x128xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 128, 16>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  tpp.contract ins(%e, %w : memref<1024x128xf32>, memref<128x16xf32>) outs(%y : memref<1024x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 16, 128>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], post_ops = []}
  return
}

//--- kept.mlir

// CHECK-NOT: scf.for

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Another operation reads the value between the products.
// CHECK-LABEL: @two_readers(
func.func @two_readers(%x: memref<1024x16xf32>, %v: memref<16x64xf32>, %w: memref<64x16xf32>, %y: memref<1024x16xf32>, %z: memref<1024x64xf32>) {
  %e = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>) {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  memref.copy %e, %z : memref<1024x64xf32> to memref<1024x64xf32>
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<64x16xf32>) outs(%y : memref<1024x16xf32>) {beta = 0 : i64, extents = array<i64: 1024, 16, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// The input is overwritten between the products.
// CHECK-LABEL: @overwritten(
func.func @overwritten(%x: memref<1024x16xf32>, %v: memref<16x64xf32>, %w: memref<64x16xf32>, %y: memref<1024x16xf32>, %z: memref<1024x16xf32>) {
  %e = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>) {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  memref.copy %z, %x : memref<1024x16xf32> to memref<1024x16xf32>
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<64x16xf32>) outs(%y : memref<1024x16xf32>) {beta = 0 : i64, extents = array<i64: 1024, 16, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// The result overwrites the input, of which later bands would need rows.
// CHECK-LABEL: @in_place(
func.func @in_place(%x: memref<1024x16xf32>, %v: memref<16x64xf32>, %w: memref<64x16xf32>) {
  %e = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>) {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<64x16xf32>) outs(%x : memref<1024x16xf32>) {beta = 0 : i64, extents = array<i64: 1024, 16, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// Each row of the result needs all rows of the value between.
// CHECK-LABEL: @transposed(
func.func @transposed(%x: memref<1024x16xf32>, %v: memref<16x64xf32>, %w: memref<1024x16xf32>, %y: memref<64x16xf32>) {
  %e = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>) {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<1024x16xf32>) outs(%y : memref<64x16xf32>)
    {beta = 0 : i64, extents = array<i64: 64, 16, 1024>, indexing_maps = [affine_map<(m, n, k) -> (k, m)>, #b, #c], post_ops = []}
  return
}

// The weights would be read again for each band, which takes longer.
// CHECK-LABEL: @large_weights(
func.func @large_weights(%x: memref<64x1024xf32>, %v: memref<1024x1024xf32>, %w: memref<1024x1024xf32>, %y: memref<64x1024xf32>) {
  %e = memref.alloc() : memref<64x1024xf32>
  tpp.contract ins(%x, %v : memref<64x1024xf32>, memref<1024x1024xf32>) outs(%e : memref<64x1024xf32>) {beta = 0 : i64, extents = array<i64: 64, 1024, 1024>, indexing_maps = [#a, #b, #c], post_ops = []}
  tpp.contract ins(%e, %w : memref<64x1024xf32>, memref<1024x1024xf32>) outs(%y : memref<64x1024xf32>) {beta = 0 : i64, extents = array<i64: 64, 1024, 1024>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// What is overwritten may be the input.
// CHECK-LABEL: @perhaps_overwritten(
func.func @perhaps_overwritten(%x: memref<1024x16xf32>, %v: memref<16x64xf32>, %w: memref<64x16xf32>, %y: memref<1024x16xf32>, %z: memref<1024x16xf32>, %which: i1) {
  %zero = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>) {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  %s = arith.select %which, %x, %z : memref<1024x16xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<1024x16xf32>)
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<64x16xf32>) outs(%y : memref<1024x16xf32>) {beta = 0 : i64, extents = array<i64: 1024, 16, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// An input with dynamic strides, no rows, and an operand without dimensions.
// CHECK-LABEL: @odd(
func.func @odd(%x: memref<1024x16xf32, strided<[?, 1]>>, %v: memref<16x64xf32>, %w: memref<64x16xf32>, %y: memref<1024x16xf32>, %none: memref<0x16xf32>,
               %nothing: memref<0x16xf32>, %number: memref<f32>) {
  %e = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%x, %v : memref<1024x16xf32, strided<[?, 1]>>, memref<16x64xf32>) outs(%e : memref<1024x64xf32>) {beta = 0 : i64, extents = array<i64: 1024, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  tpp.contract ins(%e, %w : memref<1024x64xf32>, memref<64x16xf32>) outs(%y : memref<1024x16xf32>) {beta = 0 : i64, extents = array<i64: 1024, 16, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  %f = memref.alloc() : memref<0x64xf32>
  tpp.contract ins(%none, %v : memref<0x16xf32>, memref<16x64xf32>) outs(%f : memref<0x64xf32>) {beta = 0 : i64, extents = array<i64: 0, 64, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  tpp.contract ins(%f, %w : memref<0x64xf32>, memref<64x16xf32>) outs(%nothing : memref<0x16xf32>) {beta = 0 : i64, extents = array<i64: 0, 16, 64>, indexing_maps = [#a, #b, #c], post_ops = []}
  %g = memref.alloc() : memref<1024x64xf32>
  tpp.contract ins(%number, %g : memref<f32>, memref<1024x64xf32>) outs(%e : memref<1024x64xf32>)
    {beta = 0 : i64, extents = array<i64: 1024, 64>, indexing_maps = [affine_map<(m, n) -> ()>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], post_ops = []}
  return
}
