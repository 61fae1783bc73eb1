// Every task order gives the same results as plain loops: odd sizes with smaller last tasks, one to three threads, several KC
// blocks, images, batches, and caches that hold only a few tasks.
// RUN: echo '#tpp.target<isa = "portable", vector_bits = 512, registers = 32, caches = [32768, 49152, 98304], cores = 4>' > %t.txt
// RUN: tpp-run %s --entry=layer --threads=1 '--packing=#tpp.packing_fixed<panel = 32, mc = 41, order = blocked>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=layer --threads=2 '--packing=#tpp.packing_fixed<panel = 32, mc = 41, order = blocked>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=layer --threads=3 '--packing=#tpp.packing_fixed<panel = 16, mc = 29, order = blocked>' --target=%t.txt --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=layer --threads=1 '--packing=#tpp.packing_fixed<panel = 32, mc = 41, order = curve>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=layer --threads=2 '--packing=#tpp.packing_fixed<panel = 32, mc = 41, order = curve>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=layer --threads=3 '--packing=#tpp.packing_fixed<panel = 16, mc = 29, kc = 20, order = curve>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=batched --threads=2 '--packing=#tpp.packing_fixed<panel = 16, mc = 7, order = curve>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=batched --threads=3 '--packing=#tpp.packing_fixed<panel = 0, nc = 16, mc = 7, order = blocked>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=image --threads=2 '--packing=#tpp.packing_fixed<panel = 16, mc = 5, order = curve>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=image --threads=3 '--packing=#tpp.packing_fixed<panel = 16, mc = 5, order = blocked>' --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=layer --threads=2 '--packing=#tpp.packing_fixed<panel = 16, mc = 29>' --target=%t.txt --check=reference | FileCheck %s
// CHECK: check {{.*}} equals the reference
func.func @layer(%x: tensor<301x100xf32>, %w: tensor<100x310xf32>, %b: tensor<310xf32>) -> tensor<301x310xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<301x310xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<301x310xf32>) -> tensor<301x310xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<301x100xf32>, tensor<100x310xf32>) outs(%z : tensor<301x310xf32>) -> tensor<301x310xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<301x310xf32>, tensor<310xf32>) outs(%e : tensor<301x310xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<301x310xf32>
  return %1 : tensor<301x310xf32>
}

func.func @batched(%x: tensor<5x67x48xf32>, %w: tensor<5x48x150xf32>) -> tensor<5x67x150xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x67x150xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x67x150xf32>) -> tensor<5x67x150xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<5x67x48xf32>, tensor<5x48x150xf32>) outs(%z : tensor<5x67x150xf32>) -> tensor<5x67x150xf32>
  return %0 : tensor<5x67x150xf32>
}

func.func @image(%x: tensor<1x19x17x24xf32>, %w: tensor<3x3x24x80xf32>) -> tensor<1x17x15x80xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x17x15x80xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x17x15x80xf32>) -> tensor<1x17x15x80xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x19x17x24xf32>, tensor<3x3x24x80xf32>) outs(%z : tensor<1x17x15x80xf32>) -> tensor<1x17x15x80xf32>
  return %0 : tensor<1x17x15x80xf32>
}
