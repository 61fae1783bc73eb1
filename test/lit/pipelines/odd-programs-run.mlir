// Integer powers with constant and variable exponents of any width; memory with an alignment of its own; a contraction of bf16 whose three
// reductions are a table of offsets; pads that remove elements.
// RUN: tpp-run %s --entry=constant --check=reference
// RUN: tpp-run %s --entry=variable --check=reference
// RUN: tpp-run %s --entry=narrow --check=reference
// RUN: tpp-run %s --entry=aligned --input=random,zeros,ones --output=%t.x.npy,%t.r.npy,%t.p.npy --check=reference
// RUN: tail -c 16 %t.p.npy | od -An -tx8 | FileCheck %s --check-prefix=MISALIGNMENT
// RUN: tpp-run %s --entry=bf16_taps --check=reference
// RUN: tpp-run %s --entry=part_of_scales --check=reference
// RUN: tpp-run %s --entry=strided_image --check=reference
// RUN: tpp-run %s --entry=strided_image --winograd=always --check=reference
// RUN: tpp-run %s --entry=cropped --input=2 --output=%t.crop.npy --check=reference
// RUN: tail -c 84 %t.crop.npy | od -An -v -w28 -tf4 | FileCheck %s --check-prefix=CROPPED
// RUN: tpp-run %s --entry=nothing_left --input=2 --output=%t.nothing.npy --check=reference
// RUN: tail -c 16 %t.nothing.npy | od -An -tf4 | FileCheck %s --check-prefix=PADDING

func.func @constant(%x: tensor<37xf32>) -> tensor<37xf32> {
  %c3 = arith.constant 3 : i64
  %e = tensor.empty() : tensor<37xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<37xf32>) outs(%e : tensor<37xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.fpowi %a, %c3 : f32, i64
    linalg.yield %1 : f32
  } -> tensor<37xf32>
  return %0 : tensor<37xf32>
}
func.func @variable(%x: tensor<37xf32>, %n: tensor<37xi64>) -> tensor<37xf32> {
  %e = tensor.empty() : tensor<37xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %n : tensor<37xf32>, tensor<37xi64>) outs(%e : tensor<37xf32>) {
  ^bb0(%a: f32, %i: i64, %o: f32):
    %1 = math.fpowi %a, %i : f32, i64
    linalg.yield %1 : f32
  } -> tensor<37xf32>
  return %0 : tensor<37xf32>
}
func.func @narrow(%x: tensor<37xf64>, %n: tensor<37xi8>) -> tensor<37xf64> {
  %e = tensor.empty() : tensor<37xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %n : tensor<37xf64>, tensor<37xi8>) outs(%e : tensor<37xf64>) {
  ^bb0(%a: f64, %i: i8, %o: f64):
    %1 = math.fpowi %a, %i : f64, i8
    linalg.yield %1 : f64
  } -> tensor<37xf64>
  return %0 : tensor<37xf64>
}

// MISALIGNMENT: 0000000000000000 0000000000000000
func.func @aligned(%x: memref<4096xf32>, %r: memref<4096xf32>, %p: memref<2xindex>) {
  %a = memref.alloc() {alignment = 4096} : memref<4096xf32>
  %s = memref.alloc() {alignment = 256} : memref<4xf32>
  linalg.exp ins(%x : memref<4096xf32>) outs(%a : memref<4096xf32>)
  linalg.exp ins(%a : memref<4096xf32>) outs(%r : memref<4096xf32>)
  %m = arith.constant 4095 : index
  %m2 = arith.constant 255 : index
  %i = memref.extract_aligned_pointer_as_index %a : memref<4096xf32> -> index
  %j = arith.andi %i, %m : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %j, %p[%c0] : memref<2xindex>
  %i2 = memref.extract_aligned_pointer_as_index %s : memref<4xf32> -> index
  %j2 = arith.andi %i2, %m2 : index
  memref.store %j2, %p[%c1] : memref<2xindex>
  return
}

func.func @bf16_taps(%a: memref<16x3x2x32xbf16>, %b: memref<3x2x32x64xbf16>, %c: memref<16x64xf32>) {
  tpp.contract ins(%a, %b : memref<16x3x2x32xbf16>, memref<3x2x32x64xbf16>) outs(%c : memref<16x64xf32>)
   {beta = 0 : i64, extents = array<i64: 16, 3, 2, 32, 64>, indexing_maps = [affine_map<(m, r, s, k, n) -> (m, r, s, k)>, affine_map<(m, r, s, k, n) -> (r, s, k, n)>, affine_map<(m, r, s, k, n) -> (m, n)>], post_ops = []}
  return
}

// A part of a constant is folded into the weights.
func.func @part_of_scales(%x: tensor<8x32xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<32x16xf32>
  %s = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]> : tensor<17xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x32xf32>, tensor<32x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %scale = tensor.extract_slice %s[0] [16] [1] : tensor<17xf32> to tensor<16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %scale : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %product = arith.mulf %in, %by : f32
    linalg.yield %product : f32
  } -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// A pad of every second channel of an image. The convolution must not read the image instead of the pad.
func.func @strided_image(%x: tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.0625> : tensor<3x3x16x32xf32>
  %half = tensor.extract_slice %x[0, 0, 0, 0] [1, 12, 12, 16] [1, 1, 1, 2] : tensor<1x12x12x32xf32> to tensor<1x12x12x16xf32>
  %padded = tensor.pad %half low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x12x12x16xf32> to tensor<1x14x14x16xf32>
  %e = tensor.empty() : tensor<1x12x12x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%padded, %w : tensor<1x14x14x16xf32>, tensor<3x3x16x32xf32>) outs(%z : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
  return %0 : tensor<1x12x12x32xf32>
}

// CROPPED: 0 0 0 2 2 2 2
// CROPPED-NEXT: 0 0 0 2 2 2 2
// CROPPED-NEXT: 0 0 0 0 0 0 0
func.func @cropped(%x: tensor<3x6xf32>) -> tensor<3x7xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[-1, 3] high[1, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x6xf32> to tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
// PADDING: 1 1 1 1
func.func @nothing_left(%x: tensor<4x6xf32>) -> tensor<2x2xf32> {
  %one = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[-5, 3] high[3, -7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x6xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
