// Operations that compute each image from that image of their operands are computed for some images at a time, if L2 does not hold a whole batch.
// RUN: split-file %s %t
// RUN: tpp-opt %t/split.mlir --tpp-target=zen4 --tpp-split-batch=l2-bytes=65536 --canonicalize | FileCheck %t/split.mlir
// RUN: tpp-opt %t/split.mlir --tpp-target=zen4 --tpp-split-batch="l2-bytes=65536 threads=4" --canonicalize | FileCheck %t/split.mlir --check-prefix=THREADS
// RUN: tpp-opt %t/split.mlir --tpp-target=zen4 --tpp-split-batch=l2-bytes=8388608 | FileCheck %t/split.mlir --check-prefix=HELD
// RUN: tpp-opt %t/kept.mlir --tpp-target=zen4 --tpp-split-batch=l2-bytes=65536 | FileCheck %t/kept.mlir
// RUN: not tpp-opt %t/split.mlir --tpp-split-batch=threads=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: threads must be at least 1

//--- split.mlir

#pixels = affine_map<(n, y, x, f, c) -> (n, y, x, c)>
#weights = affine_map<(n, y, x, f, c) -> (c, f)>
#features = affine_map<(n, y, x, f, c) -> (n, y, x, f)>
#bias = affine_map<(n, y, x, f, c) -> (f)>
#all = affine_map<(n, y, x, f) -> (n, y, x, f)>
#window = affine_map<(n, y, x, f, r, s) -> (n, y * 2 + r, x * 2 + s, f)>
#pooled = affine_map<(n, y, x, f, r, s) -> (n, y, x, f)>
#taps = affine_map<(n, y, x, f, r, s) -> (r, s)>
#rows = affine_map<(m, n, k) -> (m, k)>
#rows_weights = affine_map<(m, n, k) -> (k, n)>
#rows_out = affine_map<(m, n, k) -> (m, n)>

// HELD-NOT: scf.for

// The buffer between is as large as one image of it. A residual that the function also returns is written image by image.
// CHECK-LABEL: @block(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x16x16x16xf32>, %[[W:[a-z0-9]+]]: memref<16x32xf32>, %[[B:[a-z0-9]+]]: memref<32xf32>, %[[R:[a-z0-9]+]]: memref<8x16x16x32xf32>, %[[Y:[a-z0-9]+]]: memref<8x8x8x32xf32>
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c1
// CHECK: %[[C:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x32xf32>
// CHECK: %[[AT:.*]] = affine.apply #{{[a-z0-9]+}}()[%[[I]]]
// CHECK: %[[IMAGE:.*]] = memref.reinterpret_cast %[[X]] to offset: [%[[AT]]], sizes: [1, 16, 16, 16], strides: [4096, 256, 16, 1]
// CHECK: tpp.contract ins(%[[IMAGE]], %[[W]] : {{.*}}) outs(%[[C]] : memref<1x16x16x32xf32>) post(%[[B]] : {{.*}}) {{.*}} extents = array<i64: 1, 16, 16, 32, 16>
// CHECK: %[[SUM:.*]] = memref.reinterpret_cast %[[R]] to offset: [%{{.*}}], sizes: [1, 16, 16, 32]
// CHECK: linalg.generic {{.*}} ins(%[[C]] : {{.*}}) outs(%[[SUM]] :
// CHECK: %[[OUT:.*]] = memref.reinterpret_cast %[[Y]] to offset: [%{{.*}}], sizes: [1, 8, 8, 32]
// CHECK: linalg.fill {{.*}} outs(%[[OUT]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<1x16x16x32xf32, {{.*}}>, memref<2x2xf32>) outs(%{{.*}} : memref<1x8x8x32xf32
// CHECK: }
// CHECK-NOT: linalg

// Two images for each of four threads, with a buffer of its own.
// THREADS-LABEL: @block(
// THREADS: scf.forall (%{{.*}}) in (4)
// THREADS: scf.for
// THREADS: memref.alloc() {{.*}} : memref<1x16x16x32xf32>
// THREADS: tpp.contract
// THREADS: tpp.work_ns
func.func @block(%x: memref<8x16x16x16xf32>, %w: memref<16x32xf32>, %b: memref<32xf32>, %r: memref<8x16x16x32xf32>, %y: memref<8x8x8x32xf32>, %taps: memref<2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() {alignment = 64 : i64} : memref<8x16x16x32xf32>
  tpp.contract ins(%x, %w : memref<8x16x16x16xf32>, memref<16x32xf32>) outs(%c : memref<8x16x16x32xf32>) post(%b : memref<32xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 16, 16, 32, 16>, indexing_maps = [#pixels, #weights, #features, #bias], post_ops = [#tpp.post_op<binary add>]}
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : memref<8x16x16x32xf32>) outs(%r : memref<8x16x16x32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %sum = arith.addf %a, %s : f32
    linalg.yield %sum : f32
  }
  memref.dealloc %c : memref<8x16x16x32xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<8x8x8x32xf32>)
  linalg.generic {indexing_maps = [#window, #taps, #pooled], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%r, %taps : memref<8x16x16x32xf32>, memref<2x2xf32>) outs(%y : memref<8x8x8x32xf32>) {
  ^bb0(%a: f32, %t: f32, %s: f32):
    %sum = arith.addf %a, %s : f32
    linalg.yield %sum : f32
  }
  return
}

// With small weights, as many rows at a time as L2 holds.
// CHECK-LABEL: @rows(
// CHECK: scf.for %{{.*}} = %c0 to %c128 step
// CHECK: memref.alloc() : memref<16x64xf32>
func.func @rows(%x: memref<2048x16xf32>, %v: memref<16x64xf32>, %w: memref<64x16xf32>, %y: memref<2048x16xf32>) {
  %c = memref.alloc() : memref<2048x64xf32>
  tpp.contract ins(%x, %v : memref<2048x16xf32>, memref<16x64xf32>) outs(%c : memref<2048x64xf32>)
    {beta = 0 : i64, extents = array<i64: 2048, 64, 16>, indexing_maps = [#rows, #rows_weights, #rows_out], post_ops = []}
  linalg.exp ins(%c : memref<2048x64xf32>) outs(%c : memref<2048x64xf32>)
  tpp.contract ins(%c, %w : memref<2048x64xf32>, memref<64x16xf32>) outs(%y : memref<2048x16xf32>)
    {beta = 0 : i64, extents = array<i64: 2048, 16, 64>, indexing_maps = [#rows, #rows_weights, #rows_out], post_ops = []}
  return
}

//--- kept.mlir

#rows = affine_map<(m, n, k) -> (m, k)>
#weights = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(m, n) -> (m, n)>
#means = affine_map<(m, n) -> (n)>

#image = affine_map<(n, y, x, f) -> (n)>
#pixels = affine_map<(n, y, x, f) -> (n, y, x, f)>

// CHECK-NOT: scf.for

// An image is computed from another one, which a body loads.
func.func @shuffled(%x: memref<8x16x16x32xf32>, %p: memref<8xindex>, %y: memref<8x16x16x32xf32>) {
  %c = memref.alloc() : memref<8x16x16x32xf32>
  linalg.generic {indexing_maps = [#pixels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<8x16x16x32xf32>) outs(%c : memref<8x16x16x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %square = arith.mulf %a, %a : f32
    linalg.yield %square : f32
  }
  linalg.generic {indexing_maps = [#image, #pixels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %x : memref<8xindex>, memref<8x16x16x32xf32>) outs(%y : memref<8x16x16x32xf32>) {
  ^bb0(%i: index, %a: f32, %o: f32):
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %f = linalg.index 3 : index
    %value = memref.load %c[%i, %h, %w, %f] : memref<8x16x16x32xf32>
    %sum = arith.addf %value, %a : f32
    linalg.yield %sum : f32
  }
  return
}

// The mean of a batch needs all of its rows, and what subtracts it needs the mean.
func.func @batch_mean(%x: memref<64x1024xf32>, %mean: memref<1024xf32>, %y: memref<64x1024xf32>) {
  linalg.generic {indexing_maps = [#all, #means], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<64x1024xf32>) outs(%mean : memref<1024xf32>) {
  ^bb0(%a: f32, %s: f32):
    %sum = arith.addf %a, %s : f32
    linalg.yield %sum : f32
  }
  linalg.generic {indexing_maps = [#all, #means, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : memref<64x1024xf32>, memref<1024xf32>) outs(%y : memref<64x1024xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %difference = arith.subf %a, %m : f32
    linalg.yield %difference : f32
  }
  return
}

// The weights, which each group would read again, are larger than the values between.
func.func @weights(%x: memref<64x1024xf32>, %v: memref<1024x1024xf32>, %w: memref<1024x1024xf32>, %y: memref<64x1024xf32>) {
  %c = memref.alloc() : memref<64x1024xf32>
  tpp.contract ins(%x, %v : memref<64x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<64x1024xf32>)
    {beta = 0 : i64, extents = array<i64: 64, 1024, 1024>, indexing_maps = [#rows, #weights, #out], post_ops = []}
  tpp.contract ins(%c, %w : memref<64x1024xf32>, memref<1024x1024xf32>) outs(%y : memref<64x1024xf32>)
    {beta = 0 : i64, extents = array<i64: 64, 1024, 1024>, indexing_maps = [#rows, #weights, #out], post_ops = []}
  return
}

// Each row of the second contraction needs the whole output of the first.
func.func @transposed(%x: memref<512x512xf32>, %v: memref<512x512xf32>, %y: memref<512x512xf32>) {
  %c = memref.alloc() : memref<512x512xf32>
  tpp.contract ins(%x, %v : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
    {beta = 0 : i64, extents = array<i64: 512, 512, 512>, indexing_maps = [#rows, #weights, #out], post_ops = []}
  tpp.contract ins(%x, %c : memref<512x512xf32>, memref<512x512xf32>) outs(%y : memref<512x512xf32>)
    {beta = 0 : i64, extents = array<i64: 512, 512, 512>, indexing_maps = [#rows, #weights, #out], post_ops = []}
  return
}
