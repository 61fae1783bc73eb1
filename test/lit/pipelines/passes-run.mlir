// K in several KC blocks, with and without an initial C: each block adds to C, and only the last one applies bias and activation.
// RUN: tpp-run %s --entry=layer --threads=1 --packing='#tpp.packing_fixed<panel = 32, kc = 16>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=layer --threads=2 --packing='#tpp.packing_fixed<panel = 16, kc = 8, mc = 3>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=added --threads=1 --packing='#tpp.packing_fixed<panel = 0, kc = 24>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=batched --threads=2 --packing='#tpp.packing_fixed<panel = 16, kc = 16>' --check=reference | FileCheck %s
// CHECK: check {{.*}} equals the reference
func.func @layer(%x: tensor<7x48xf32>, %w: tensor<48x70xf32>, %b: tensor<70xf32>) -> tensor<7x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x70xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<7x70xf32>) -> tensor<7x70xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<7x48xf32>, tensor<48x70xf32>) outs(%z : tensor<7x70xf32>) -> tensor<7x70xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<7x70xf32>, tensor<70xf32>) outs(%e : tensor<7x70xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<7x70xf32>
  return %1 : tensor<7x70xf32>
}

func.func @added(%x: tensor<7x48xf32>, %w: tensor<48x70xf32>, %c: tensor<7x70xf32>) -> tensor<7x70xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<7x48xf32>, tensor<48x70xf32>) outs(%c : tensor<7x70xf32>) -> tensor<7x70xf32>
  return %0 : tensor<7x70xf32>
}

func.func @batched(%x: tensor<3x7x48xf32>, %w: tensor<3x48x70xf32>) -> tensor<3x7x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x70xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x70xf32>) -> tensor<3x7x70xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<3x7x48xf32>, tensor<3x48x70xf32>) outs(%z : tensor<3x7x70xf32>) -> tensor<3x7x70xf32>
  return %0 : tensor<3x7x70xf32>
}
