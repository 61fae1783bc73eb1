// Moves of a call when a packing strategy chooses tiles of activations, for an MLP with bias and relu: in square blocks the argument is packed and
// nothing else is moved. With different tiles for A and C (linalg.mmt4d), each value between two layers is transposed once.
// RUN: tpp-run %s '--packing=#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>' --check=reference --layout-report=- 2> %t.blocks | FileCheck %s --check-prefix=BLOCKS
// RUN: FileCheck %s --check-prefix=EQUAL --input-file=%t.blocks
// RUN: tpp-run %s '--packing=#tpp.packing_fixed<panel = 16, a = [8, 1], c = [8, 16]>' --check=reference --layout-report=- 2> %t.mmt4d | FileCheck %s --check-prefix=MMT4D
// RUN: FileCheck %s --check-prefix=EQUAL --input-file=%t.mmt4d
// RUN: tpp-run %s '--packing=#tpp.packing_fixed<panel = 32, c = [32, 32]>' --check=reference --layout-report=- 2> %t.results | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=EQUAL --input-file=%t.results
// RUN: tpp-run %s --check=reference --layout-report=- 2> %t.default | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=EQUAL --input-file=%t.default
// RUN: tpp-opt %s '--tpp-packing=#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>' --tpp-default=target=avx512 | FileCheck %s --check-prefix=KERNELS
// RUN: tpp-run %s --entry=one_tile '--packing=#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>' --check=reference | FileCheck %s --check-prefix=EQUAL

// EQUAL: equals the reference

// BLOCKS: @main: packs 1, unpacks 0, copies 0,
// BLOCKS: pack 1 65536 128x64xf32 4x2x32x32xf32 {{.*}} edge argument 0 has the program's layout
// BLOCKS-LABEL: @main_prepack:

// MMT4D: @main: packs 1, unpacks 0, copies 2,
// MMT4D-DAG: pack 1 65536 128x64xf32 16x64x8xf32 {{.*}} edge argument 0 has the program's layout
// MMT4D-DAG: transpose 1 98304 16x6x8x16xf32 16x6x16x8xf32 {{.*}} contraction operand A, computed at {{.*}}, in the tiles that the packing strategy chose
// MMT4D-DAG: transpose 1 131072 16x8x8x16xf32 16x8x16x8xf32 {{.*}} contraction operand A, computed at {{.*}}, in the tiles that the packing strategy chose
// MMT4D-LABEL: @main_prepack:

// NONE: @main: packs 0, unpacks 0, copies 0,

// One kernel per layer, with bias and relu fused.
// KERNELS-LABEL: func.func @main(
// KERNELS: scf.forall
// KERNELS: tpp.dispatch #tpp.brgemm_desc<{{.*}} post_ops = [{{.*}}add{{.*}}relu
// KERNELS: scf.forall
// KERNELS: tpp.dispatch #tpp.brgemm_desc<{{.*}} post_ops = [{{.*}}add{{.*}}relu
// KERNELS: scf.forall
// KERNELS: tpp.dispatch #tpp.brgemm_desc<
// KERNELS-NOT: linalg.
// KERNELS-NOT: memref.copy
// KERNELS: return
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
func.func @main(%x: tensor<128x64xf32>, %w0: tensor<64x96xf32> {tpp.prepack}, %b0: tensor<96xf32> {tpp.prepack}, %w1: tensor<96x128xf32> {tpp.prepack},
    %b1: tensor<128xf32> {tpp.prepack}, %w2: tensor<128x64xf32> {tpp.prepack}) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<128x96xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<128x96xf32>) -> tensor<128x96xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<128x64xf32>, tensor<64x96xf32>) outs(%z0 : tensor<128x96xf32>) -> tensor<128x96xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %b0 : tensor<128x96xf32>, tensor<96xf32>) outs(%e0 : tensor<128x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<128x96xf32>
  %e1 = tensor.empty() : tensor<128x128xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<128x96xf32>, tensor<96x128xf32>) outs(%z1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%2, %b1 : tensor<128x128xf32>, tensor<128xf32>) outs(%e1 : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<128x128xf32>
  %e2 = tensor.empty() : tensor<128x64xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<128x64xf32>) -> tensor<128x64xf32>
  %4 = linalg.matmul ins(%3, %w2 : tensor<128x128xf32>, tensor<128x64xf32>) outs(%z2 : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %4 : tensor<128x64xf32>
}

// A tile as large as the matmul's result has loops of its own, too: bias and relu are fused as with many tiles.
// KERNELS-LABEL: func.func @one_tile(
// KERNELS: tpp.dispatch #tpp.brgemm_desc<m = 32, n = 32, k = 96, {{.*}} post_ops = [{{.*}}add{{.*}}relu
// KERNELS: tpp.dispatch #tpp.brgemm_desc<m = 32, n = 32, k = 32,
// KERNELS-NOT: linalg.
// KERNELS: return
func.func @one_tile(%x: tensor<32x96xf32>, %w: tensor<96x32xf32> {tpp.prepack}, %b: tensor<32xf32>,
    %w2: tensor<32x64xf32> {tpp.prepack}) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %e2 = tensor.empty() : tensor<32x64xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x96xf32>, tensor<96x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<32x32xf32>, tensor<32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %2 = linalg.matmul ins(%1, %w2 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%z2 : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}
