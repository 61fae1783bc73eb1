// What is between two contractions is computed for some rows at a time, if L2 does not hold it for all.
// RUN: split-file %s %t
// RUN: tpp-opt %t/split.mlir --tpp-target=zen4 --tpp-split-rows=l2-bytes=131072 --canonicalize | FileCheck %t/split.mlir
// RUN: tpp-opt %t/split.mlir --tpp-target=zen4 --tpp-split-rows="l2-bytes=131072 threads=2" --canonicalize | FileCheck %t/split.mlir --check-prefix=THREADS
// RUN: tpp-opt %t/split.mlir --tpp-target=zen4 --tpp-split-rows=l2-bytes=8388608 | FileCheck %t/split.mlir --check-prefix=HELD
// RUN: tpp-opt %t/kept.mlir --tpp-target=zen4 --tpp-split-rows=l2-bytes=131072 | FileCheck %t/kept.mlir
// RUN: tpp-opt %t/masked.mlir --tpp-target=zen4 --tpp-split-rows=l2-bytes=524288 --canonicalize | FileCheck %t/masked.mlir
// RUN: not tpp-opt %t/split.mlir --tpp-split-rows=threads=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: threads must be at least 1

//--- split.mlir

#q = affine_map<(h, i, j, k) -> (h, i, k)>
#k = affine_map<(h, i, j, k) -> (h, k, j)>
#s = affine_map<(h, i, j, k) -> (h, i, j)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>
#token = affine_map<(h, i, j, k) -> (i, h, j)>

// HELD-NOT: scf.for

// Rows of one head in buffers of their own. The second contraction writes the rows of its head into rows of all heads. Its last operand, which is written
// between, is computed before the loop.
// CHECK-LABEL: @attention(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<3x160x16xf32>, %[[K:[a-z0-9]+]]: memref<3x16x160xf32>, %[[X:[a-z0-9]+]]: memref<3x160x16xf32>, %[[O:[a-z0-9]+]]: memref<160x3x16xf32>)
// CHECK: %[[V:.*]] = memref.alloc() : memref<3x160x16xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[V]] :
// CHECK: scf.for %[[N:.*]] = %c0 to %c[[#BLOCKS:]] step %c1
// CHECK: %[[P:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x[[#ROWS:]]x160xf32>
// CHECK: %[[M:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x[[#ROWS]]xf32>
// CHECK: %[[S:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x[[#ROWS]]x160xf32>
// CHECK: %[[QROWS:.*]] = memref.reinterpret_cast %[[Q]] to offset: [%{{.*}}], sizes: [1, [[#ROWS]], 16]
// CHECK: %[[KHEAD:.*]] = memref.reinterpret_cast %[[K]] to offset: [%{{.*}}], sizes: [1, 16, 160]
// CHECK: tpp.contract ins(%[[QROWS]], %[[KHEAD]] : {{.*}}) outs(%[[S]] : {{.*}}) {{.*}} extents = array<i64: 1, [[#ROWS]], 160, 16>
// CHECK: linalg.fill {{.*}} outs(%[[M]] :
// CHECK: linalg.generic {{.*}} ins(%[[S]] : {{.*}}) outs(%[[M]] :
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[M]] : {{.*}}) outs(%[[P]] :
// CHECK: %[[VHEAD:.*]] = memref.reinterpret_cast %[[V]] to offset: [%{{.*}}], sizes: [1, 160, 16]
// CHECK: %[[OROWS:.*]] = memref.reinterpret_cast %[[O]] to offset: [%{{.*}}], sizes: [[[#ROWS]], 1, 16]
// CHECK: tpp.contract ins(%[[P]], %[[VHEAD]] : {{.*}}) outs(%[[OROWS]] : {{.*}}) {{.*}} extents = array<i64: 1, [[#ROWS]], 16, 160>
// CHECK: return

// Each thread takes consecutive blocks, and has buffers of its own.
// THREADS-LABEL: @attention(
// THREADS: scf.forall (%{{.*}}) in (2)
// THREADS: scf.for
// THREADS: memref.alloc() {{.*}} : memref<1x{{[0-9]+}}x160xf32>
// THREADS: tpp.contract
// THREADS: tpp.work_ns
func.func @attention(%q: memref<3x160x16xf32>, %k: memref<3x16x160xf32>, %x: memref<3x160x16xf32>, %o: memref<160x3x16xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %s = memref.alloc() {alignment = 64 : i64} : memref<3x160x160xf32>
  tpp.contract ins(%q, %k : memref<3x160x16xf32>, memref<3x16x160xf32>) outs(%s : memref<3x160x160xf32>)
    {beta = 0 : i64, extents = array<i64: 3, 160, 160, 16>, indexing_maps = [#q, #k, #s], post_ops = []}
  %m = memref.alloc() {alignment = 64 : i64} : memref<3x160xf32>
  linalg.fill ins(%least : f32) outs(%m : memref<3x160xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : memref<3x160x160xf32>) outs(%m : memref<3x160xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  }
  %p = memref.alloc() {alignment = 64 : i64} : memref<3x160x160xf32>
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : memref<3x160x160xf32>, memref<3x160xf32>) outs(%p : memref<3x160x160xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  %v = memref.alloc() : memref<3x160x16xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<3x160x16xf32>) outs(%v : memref<3x160x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  tpp.contract ins(%p, %v : memref<3x160x160xf32>, memref<3x160x16xf32>) outs(%o : memref<160x3x16xf32>)
    {beta = 0 : i64, extents = array<i64: 3, 160, 16, 160>, indexing_maps = [#q, #k, #token], post_ops = []}
  return
}

// Without heads, rows alone are split. 197 rows leave a block of another size. Indices count from the first row of all.
// CHECK-LABEL: @remainder(
// CHECK: scf.for %[[N:.*]] = %c0 to
// CHECK: %[[FULL:.*]] = arith.cmpi slt, %[[N]], %{{.*}} : index
// CHECK: scf.if %[[FULL]]
// CHECK: tpp.contract
// CHECK: tpp.contract
// CHECK: } else {
// CHECK: %[[FIRST:.*]] = affine.apply #{{[a-z0-9]+}}()[%[[N]]]
// CHECK: tpp.contract
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK: arith.addi %[[I]], %{{.*}} : index
// CHECK: tpp.contract
func.func @remainder(%q: memref<197x16xf32>, %k: memref<16x257xf32>, %v: memref<257x16xf32>, %o: memref<197x16xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %s = memref.alloc() {alignment = 64 : i64} : memref<197x257xf32>
  tpp.contract ins(%q, %k : memref<197x16xf32>, memref<16x257xf32>) outs(%s : memref<197x257xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 257, 16>, indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], post_ops = []}
  %p = memref.alloc() {alignment = 64 : i64} : memref<197x257xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<197x257xf32>) outs(%p : memref<197x257xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi uge, %i, %j : index
    %0 = arith.select %seen, %a, %least : f32
    linalg.yield %0 : f32
  }
  tpp.contract ins(%p, %v : memref<197x257xf32>, memref<257x16xf32>) outs(%o : memref<197x16xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 16, 257>, indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], post_ops = []}
  return
}

//--- kept.mlir

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#all = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>

// CHECK-NOT: scf.for

// The rows are a result of the function, too.
func.func @returned(%q: memref<197x16xf32>, %k: memref<16x257xf32>, %v: memref<257x16xf32>, %p: memref<197x257xf32>, %o: memref<197x16xf32>) {
  %s = memref.alloc() : memref<197x257xf32>
  tpp.contract ins(%q, %k : memref<197x16xf32>, memref<16x257xf32>) outs(%s : memref<197x257xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 257, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%s : memref<197x257xf32>) outs(%p : memref<197x257xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  tpp.contract ins(%p, %v : memref<197x257xf32>, memref<257x16xf32>) outs(%o : memref<197x16xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 16, 257>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// The keys are overwritten before the last contraction, where all would be computed.
func.func @overwritten(%q: memref<197x16xf32>, %k: memref<16x257xf32>, %v: memref<257x16xf32>, %o: memref<197x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<197x257xf32>
  tpp.contract ins(%q, %k : memref<197x16xf32>, memref<16x257xf32>) outs(%s : memref<197x257xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 257, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  linalg.fill ins(%zero : f32) outs(%k : memref<16x257xf32>)
  %p = memref.alloc() : memref<197x257xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%s : memref<197x257xf32>) outs(%p : memref<197x257xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  tpp.contract ins(%p, %v : memref<197x257xf32>, memref<257x16xf32>) outs(%o : memref<197x16xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 16, 257>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// A row of the second operand is computed from a column of the first contraction's result.
func.func @transposed(%q: memref<197x16xf32>, %k: memref<16x257xf32>, %v: memref<197x16xf32>, %o: memref<257x16xf32>) {
  %s = memref.alloc() : memref<197x257xf32>
  tpp.contract ins(%q, %k : memref<197x16xf32>, memref<16x257xf32>) outs(%s : memref<197x257xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 257, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  %p = memref.alloc() : memref<257x197xf32>
  linalg.generic {indexing_maps = [#transposed, #all], iterator_types = ["parallel", "parallel"]} ins(%s : memref<197x257xf32>) outs(%p : memref<257x197xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  tpp.contract ins(%p, %v : memref<257x197xf32>, memref<197x16xf32>) outs(%o : memref<257x16xf32>)
    {beta = 0 : i64, extents = array<i64: 257, 16, 197>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// The result overwrites the queries, of which later blocks read others than the one that they write.
func.func @in_place(%q: memref<197x16xf32>, %k: memref<16x257xf32>, %v: memref<257x16xf32>) {
  %s = memref.alloc() : memref<197x257xf32>
  tpp.contract ins(%q, %k : memref<197x16xf32>, memref<16x257xf32>) outs(%s : memref<197x257xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 257, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  %p = memref.alloc() : memref<197x257xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%s : memref<197x257xf32>) outs(%p : memref<197x257xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  tpp.contract ins(%p, %v : memref<197x257xf32>, memref<257x16xf32>) outs(%q : memref<197x16xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 16, 257>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// The last contraction reads rows that the program chooses.
func.func @chosen_rows(%q: memref<197x16xf32>, %k: memref<16x257xf32>, %v: memref<257x16xf32>, %o: memref<197x16xf32>, %first: index) {
  %s = memref.alloc() : memref<394x257xf32>
  %some = memref.subview %s[%first, 0] [197, 257] [1, 1] : memref<394x257xf32> to memref<197x257xf32, strided<[257, 1], offset: ?>>
  tpp.contract ins(%q, %k : memref<197x16xf32>, memref<16x257xf32>) outs(%some : memref<197x257xf32, strided<[257, 1], offset: ?>>)
    {beta = 0 : i64, extents = array<i64: 197, 257, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  %p = memref.alloc() : memref<197x257xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%some : memref<197x257xf32, strided<[257, 1], offset: ?>>) outs(%p : memref<197x257xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  tpp.contract ins(%p, %v : memref<197x257xf32>, memref<257x16xf32>) outs(%o : memref<197x16xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 16, 257>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

// Nothing stands between: tpp-fuse-bands computes chains.
func.func @chain(%q: memref<197x16xf32>, %k: memref<16x257xf32>, %v: memref<257x16xf32>, %o: memref<197x16xf32>) {
  %s = memref.alloc() : memref<197x257xf32>
  tpp.contract ins(%q, %k : memref<197x16xf32>, memref<16x257xf32>) outs(%s : memref<197x257xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 257, 16>, indexing_maps = [#a, #b, #c], post_ops = []}
  tpp.contract ins(%s, %v : memref<197x257xf32>, memref<257x16xf32>) outs(%o : memref<197x16xf32>)
    {beta = 0 : i64, extents = array<i64: 197, 16, 257>, indexing_maps = [#a, #b, #c], post_ops = []}
  return
}

//--- masked.mlir

#q = affine_map<(h, i, j, k) -> (h, i, k)>
#k = affine_map<(h, i, j, k) -> (h, k, j)>
#s = affine_map<(h, i, j, k) -> (h, i, j)>
#m = affine_map<(h, i, j, k) -> (i, j)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

// Of each 128 of 384 rows, other columns are visible: the first 128; all before 256; those from 128 on. Buffers hold rows of all columns, of which only these
// are computed.
// CHECK-LABEL: @visible(
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<384x384xf32>
// CHECK: scf.if
// CHECK: memref.alloc() {{.*}} : memref<1x[[#ROWS:]]x384xf32>
// CHECK: %[[SOME:.*]] = memref.reinterpret_cast %[[M]] to offset: [%{{.*}}], sizes: [[[#ROWS]], 128], strides: [384, 1]
// CHECK: tpp.contract {{.*}} post(%[[SOME]] : {{.*}} extents = array<i64: 1, [[#ROWS]], 128, 16>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<1x[[#ROWS]]x128xf32, strided<[147456, 384, 1]>>)
// CHECK: tpp.contract {{.*}} extents = array<i64: 1, [[#ROWS]], 16, 128>
// CHECK: scf.if
// CHECK: tpp.contract {{.*}} extents = array<i64: 1, [[#ROWS]], 256, 16>
// CHECK: tpp.contract {{.*}} extents = array<i64: 1, [[#ROWS]], 16, 256>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<1x[[#ROWS]]x256xf32, strided<[147456, 384, 1], offset: 128>>)
func.func @visible(%q: memref<12x384x16xf32>, %k: memref<12x16x384xf32>, %v: memref<12x384x16xf32>, %mask: memref<384x384xf32>, %o: memref<12x384x16xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %s = memref.alloc() {alignment = 64 : i64} : memref<12x384x384xf32>
  tpp.contract ins(%q, %k : memref<12x384x16xf32>, memref<12x16x384xf32>) outs(%s : memref<12x384x384xf32>) post(%mask : memref<384x384xf32>)
    {beta = 0 : i64, extents = array<i64: 12, 384, 384, 16>, indexing_maps = [#q, #k, #s, #m], post_ops = [#tpp.post_op<binary add>],
     tpp.visible = array<i64: 0, 384, 384, 128, 0, 128, 0, 256, 128, 384>}
  %x = memref.alloc() {alignment = 64 : i64} : memref<12x384xf32>
  linalg.fill ins(%least : f32) outs(%x : memref<12x384xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : memref<12x384x384xf32>) outs(%x : memref<12x384xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  }
  %p = memref.alloc() {alignment = 64 : i64} : memref<12x384x384xf32>
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %x : memref<12x384x384xf32>, memref<12x384xf32>) outs(%p : memref<12x384x384xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  tpp.contract ins(%p, %v : memref<12x384x384xf32>, memref<12x384x16xf32>) outs(%o : memref<12x384x16xf32>)
    {beta = 0 : i64, extents = array<i64: 12, 384, 16, 384>, indexing_maps = [#q, #k, #s], post_ops = [],
     tpp.visible = array<i64: 1, 384, 384, 128, 0, 128, 0, 256, 128, 384>}
  return
}

// A sum over rows that are not scores needs all of their columns.
// CHECK-LABEL: @other_sum(
// CHECK: extents = array<i64: 1, [[#ROWS:]], 384, 16>
// CHECK-NOT: extents = array<i64: 1, [[#ROWS]], {{128|256}}, 16>
func.func @other_sum(%q: memref<12x384x16xf32>, %k: memref<12x16x384xf32>, %v: memref<12x384x16xf32>, %bias: memref<12x384x384xf32>, %o: memref<12x384x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() {alignment = 64 : i64} : memref<12x384x384xf32>
  tpp.contract ins(%q, %k : memref<12x384x16xf32>, memref<12x16x384xf32>) outs(%s : memref<12x384x384xf32>)
    {beta = 0 : i64, extents = array<i64: 12, 384, 384, 16>, indexing_maps = [#q, #k, #s], post_ops = [],
     tpp.visible = array<i64: 0, 384, 384, 128, 0, 128, 0, 256, 128, 384>}
  %twice = memref.alloc() {alignment = 64 : i64} : memref<12x384x384xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%bias : memref<12x384x384xf32>) outs(%twice : memref<12x384x384xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  }
  %x = memref.alloc() {alignment = 64 : i64} : memref<12x384xf32>
  linalg.fill ins(%zero : f32) outs(%x : memref<12x384xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%twice : memref<12x384x384xf32>) outs(%x : memref<12x384xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  %p = memref.alloc() {alignment = 64 : i64} : memref<12x384x384xf32>
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %x : memref<12x384x384xf32>, memref<12x384xf32>) outs(%p : memref<12x384x384xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  tpp.contract ins(%p, %v : memref<12x384x384xf32>, memref<12x384x16xf32>) outs(%o : memref<12x384x16xf32>)
    {beta = 0 : i64, extents = array<i64: 12, 384, 16, 384>, indexing_maps = [#q, #k, #s], post_ops = [],
     tpp.visible = array<i64: 1, 384, 384, 128, 0, 128, 0, 256, 128, 384>}
  return
}
