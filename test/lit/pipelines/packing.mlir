// A strategy on a linalg op stays with the contraction through normalization, propagation, fusion and bufferization, and is
// applied there.
// RUN: tpp-opt %s --tpp-default-tensors=target=avx512 | FileCheck %s
// RUN: tpp-opt %s --tpp-default=target=avx512 | FileCheck %s --check-prefix=TILES
// RUN: tpp-opt %s --tpp-normalize-contractions 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tpp-run %s --entry=matmul --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=generic --threads=2 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=convolution --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=groups --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=equal_columns --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=matmul --threads=1 --check=reference '--packing=#tpp.packing_fixed<panel = 16, mc = 5>' | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=convolution --threads=1 --check=reference --packing=none | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --entry=vector --threads=1 --check=reference | FileCheck %s --check-prefix=SAID
// RUN: %if x86_64 %{ tpp-run %s --entry=generic --threads=1 --check=reference --target=sse4 | FileCheck %s --check-prefix=EQUAL %}
// RUN: tpp-run %s --entry=generic --threads=1 --check=reference --target=host | FileCheck %s --check-prefix=EQUAL

// EQUAL: check

// With fused bias and activation; two KC blocks, tasks of 20 rows and 16 columns, columns outermost.
// CHECK-LABEL: @matmul(
// CHECK: linalg.pack {{.*}} inner_tiles = [32]
// CHECK: tpp.contract {{.*}} post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>], tpp.chosen_packing = #tpp.packing<panel = 32, kc = 24, mc = 20, nc = 16, order = columns, by = "fixed sizes">
// TILES-LABEL: @matmul(
// TILES: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (3, 2, 5) {
// TILES: tpp.invoke {{.*}} batch
func.func @matmul(%x: tensor<100x48xf32>, %w: tensor<48x96xf32>, %bias: tensor<96xf32>) -> tensor<100x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<100x96xf32>) -> tensor<100x96xf32>
  %0 = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 32, kc = 24, mc = 20, nc = 16, order = columns>}
         ins(%x, %w : tensor<100x48xf32>, tensor<48x96xf32>) outs(%z : tensor<100x96xf32>) -> tensor<100x96xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
         ins(%0, %bias : tensor<100x96xf32>, tensor<96xf32>) outs(%e : tensor<100x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<100x96xf32>
  return %1 : tensor<100x96xf32>
}

// A contraction written as linalg.generic.
// CHECK-LABEL: @generic(
// CHECK: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 16, mc = 7, order = rows, by = "fixed sizes">
// TILES-LABEL: @generic(
// TILES: scf.forall (%{{.*}}, %{{.*}}) in (4, 2) {
func.func @generic(%x: tensor<24x40xf32>, %w: tensor<32x40xf32>) -> tensor<24x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x32xf32>) -> tensor<24x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], tpp.packing = #tpp.packing_fixed<panel = 16, mc = 7, order = rows>}
         ins(%x, %w : tensor<24x40xf32>, tensor<32x40xf32>) outs(%z : tensor<24x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x32xf32>
  return %0 : tensor<24x32xf32>
}

// A convolution on NCHW, which becomes channels-last.
// CHECK-LABEL: @convolution(
// CHECK: tpp.contract {{.*}} outs({{.*}} : tensor<1x28x28x64xf32>) {{.*}} tpp.chosen_packing = #tpp.packing<panel = 32, mc = 3, by = "fixed sizes">
// TILES-LABEL: @convolution(
func.func @convolution(%x: tensor<1x64x30x30xf32>) -> tensor<1x64x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.125> : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<1x64x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %0 = linalg.conv_2d_nchw_fchw {tpp.packing = #tpp.packing_fixed<panel = 32, mc = 3>}
         ins(%x, %w : tensor<1x64x30x30xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// Each column is a group, so that A uses the loop over the columns, too. Panels do not divide the columns: the second part reads A from its first
// group on.
func.func @groups(%x: tensor<6x6x160xf32>, %w: tensor<40x4x3x3xf32>) -> tensor<4x4x40xf32> {
  %e = tensor.empty() : tensor<4x4x40xf32>
  %0 = tpp.contract ins(%x, %w : tensor<6x6x160xf32>, tensor<40x4x3x3xf32>) outs(%e : tensor<4x4x40xf32>)
         {beta = 0 : i64, extents = array<i64: 4, 4, 40, 4, 3, 3>, post_ops = [], tpp.packing = #tpp.packing_fixed<panel = 16>,
          indexing_maps = [affine_map<(h, w, g, k, r, s) -> (h + r, w + s, g * 4 + k)>, affine_map<(h, w, g, k, r, s) -> (g, k, r, s)>,
                           affine_map<(h, w, g, k, r, s) -> (h, w, g)>]} -> tensor<4x4x40xf32>
  return %0 : tensor<4x4x40xf32>
}

// Neither operand has C's contiguous dimension: all columns are equal, and there is nothing to pack.
func.func @equal_columns(%x: tensor<6x5x24xf32>, %w: tensor<24x2x3xf32>, %init: tensor<5x3x24xf32>) -> tensor<5x3x24xf32> {
  %0 = tpp.contract ins(%x, %w : tensor<6x5x24xf32>, tensor<24x2x3xf32>) outs(%init : tensor<5x3x24xf32>)
         {beta = 1 : i64, extents = array<i64: 5, 3, 24, 24, 2, 3>, post_ops = [],
          indexing_maps = [affine_map<(h, w, n, k, r, s) -> (h + r, w + s, k)>, affine_map<(h, w, n, k, r, s) -> (k, r, s)>,
                           affine_map<(h, w, n, k, r, s) -> (h, w, n)>]} -> tensor<5x3x24xf32>
  return %0 : tensor<5x3x24xf32>
}

// A contraction that becomes vector code is not packed; a remark reports it.
// REMARK: packing.mlir:[[#@LINE+6]]:{{.*}}: remark: the packing strategy is ignored: no kernel computes this contraction, it becomes vector code
// SAID: the packing strategy is ignored
func.func @vector(%x: tensor<24x40xf32>, %w: tensor<40xf32>) -> tensor<24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %0 = linalg.matvec {tpp.packing = #tpp.packing_fixed<panel = 16>} ins(%x, %w : tensor<24x40xf32>, tensor<40xf32>) outs(%z : tensor<24xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}
