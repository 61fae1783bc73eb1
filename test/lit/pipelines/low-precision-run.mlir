// Matmuls and convolutions of bf16, f16 and 8-bit integers: kernels compute them, with B packed in each call or once, and the result equals the reference.
// RUN: tpp-run %s --entry=bf16 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=bf16 --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=odd_steps --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=odd_steps --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=attention --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=attention --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=linear --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=linear --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=init --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=init --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=bias --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=bias --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=transposed_a --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=transposed_a --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=conv_nchw --winograd=off --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=conv_nchw --winograd=off --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=i8 --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=i8 --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=u8 --threads=1 --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// RUN: tpp-run %s --entry=u8 --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// RUN: tpp-run %s --entry=u8i8_weights_by_rows --threads=1 --check=reference | FileCheck %s --check-prefixes=U8I8,EQUAL
// RUN: tpp-run %s --entry=u8i8_weights_by_rows --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=U8I8,EQUAL
// RUN: tpp-run %s --entry=conv_nhwc_3 --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=conv_nhwc_3 --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=odd_steps --threads=2 --check=reference --packing=none | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=u8i8_weights_by_rows --threads=1 --check=reference '--packing=#tpp.packing_fixed<panel = 32, kc = 16, mc = 7>' | FileCheck %s --check-prefixes=U8I8,EQUAL
// RUN: not tpp-run %s --entry=i8 '--packing=#tpp.packing_fixed<panel = 32, kc = 10>' 2>&1 | FileCheck %s --check-prefix=SPLITS
// RUN: tpp-run %s --entry=conv_nchw --winograd=off --threads=1 --check=reference --target=portable | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: %if x86_64 %{ tpp-run %s --entry=odd_steps --threads=1 --check=reference --target=sse4 | FileCheck %s --check-prefixes=BF16,EQUAL %}
// RUN: %if x86_64 %{ tpp-run %s --entry=u8i8_weights_by_rows --threads=1 --check=reference --target=sse4 | FileCheck %s --check-prefixes=U8I8,EQUAL %}

// The same in f16.
// RUN: sed 's/bf16/f16/g' %s > %t.mlir
// RUN: tpp-run %t.mlir --entry=f16 --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=odd_steps --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=attention --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=linear --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=init --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=bias --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=transposed_a --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=conv_nchw --winograd=off --weights=1 --threads=1 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=odd_steps --threads=2 --check=reference | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: tpp-run %t.mlir --entry=conv_nchw --winograd=off --threads=1 --check=reference --target=portable | FileCheck %s --check-prefixes=F16,EQUAL
// RUN: %if x86_64 %{ tpp-run %t.mlir --entry=odd_steps --threads=1 --check=reference --target=sse4 | FileCheck %s --check-prefixes=F16,EQUAL %}

// RUN: tpp-run %s --entry=requantize --input=random,random,random,0.05 --threads=2 --check=reference | FileCheck %s --check-prefixes=U8I8,EXACT
// RUN: tpp-run %s --entry=dequantize --weights=1-3 --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EXACT
// RUN: tpp-run %s --entry=on_buffers --threads=1 --check=reference | FileCheck %s --check-prefix=VECTORS

// VECTORS: becomes vector code
// VECTORS: check argument #2 equals the reference exactly
// BF16: kernel {{tpp_uk|xsmm}}_brgemm_bf16bf16{{b?}}f{{32|16}}_
// F16: kernel {{tpp_uk|xsmm}}_brgemm_f16f16f32_
// I8: kernel {{tpp_uk|xsmm}}_brgemm_i8i8i32_
// U8: kernel {{tpp_uk|xsmm}}_brgemm_u8u8i32_
// U8I8: kernel {{tpp_uk|xsmm}}_brgemm_{{u8i8|i8u8}}i32_
// SPLITS: kc = 10 splits the groups of 4 steps in which B is stored
// EXACT: check result #0 equals the reference exactly
// EQUAL-NOT: reference (
// EQUAL: check result #0 equals the reference

func.func @bf16(%x: tensor<100x48xbf16>, %w: tensor<48x96xbf16>) -> tensor<100x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<100x96xf32>) -> tensor<100x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<100x48xbf16>, tensor<48x96xbf16>) outs(%z : tensor<100x96xf32>) -> tensor<100x96xf32>
  return %0 : tensor<100x96xf32>
}

func.func @odd_steps(%x: tensor<13x47xbf16>, %w: tensor<47x70xbf16>) -> tensor<13x70xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<13x70xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<13x70xbf16>) -> tensor<13x70xbf16>
  %0 = linalg.matmul ins(%x, %w : tensor<13x47xbf16>, tensor<47x70xbf16>) outs(%z : tensor<13x70xbf16>) -> tensor<13x70xbf16>
  return %0 : tensor<13x70xbf16>
}

func.func @i8(%x: tensor<33x50xi8>, %w: tensor<50x130xi8>) -> tensor<33x130xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33x130xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<33x130xi32>) -> tensor<33x130xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<33x50xi8>, tensor<50x130xi8>) outs(%z : tensor<33x130xi32>) -> tensor<33x130xi32>
  return %0 : tensor<33x130xi32>
}

func.func @u8(%x: tensor<33x50xi8>, %w: tensor<50x130xi8>, %i: tensor<33x130xi32>) -> tensor<33x130xi32> {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<33x50xi8>, tensor<50x130xi8>) outs(%i : tensor<33x130xi32>) -> tensor<33x130xi32>
  return %0 : tensor<33x130xi32>
}

func.func @transposed_a(%x: tensor<48x100xbf16>, %w: tensor<48x96xbf16>) -> tensor<100x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<100x96xf32>) -> tensor<100x96xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<48x100xbf16>, tensor<48x96xbf16>) outs(%z : tensor<100x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<100x96xf32>
  return %0 : tensor<100x96xf32>
}

func.func @u8i8_weights_by_rows(%x: tensor<33x64xi8>, %w: tensor<128x64xi8>) -> tensor<33x128xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33x128xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<33x128xi32>) -> tensor<33x128xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<33x64xi8>, tensor<128x64xi8>) outs(%z : tensor<33x128xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %2, %1 : i32
    %4 = arith.addi %3, %c : i32
    linalg.yield %4 : i32
  } -> tensor<33x128xi32>
  return %0 : tensor<33x128xi32>
}

func.func @attention(%q: tensor<3x40x32xbf16>, %k: tensor<3x50x32xbf16>) -> tensor<3x40x50xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x40x50xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x40x50xf32>) -> tensor<3x40x50xf32>
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%q, %k : tensor<3x40x32xbf16>, tensor<3x50x32xbf16>) outs(%z : tensor<3x40x50xf32>) -> tensor<3x40x50xf32>
  return %0 : tensor<3x40x50xf32>
}

func.func @conv_nchw(%x: tensor<2x16x12x10xbf16>, %w: tensor<32x16x3x3xbf16>) -> tensor<2x32x10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x10x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x32x10x8xf32>) -> tensor<2x32x10x8xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x16x12x10xbf16>, tensor<32x16x3x3xbf16>) outs(%z : tensor<2x32x10x8xf32>) -> tensor<2x32x10x8xf32>
  return %0 : tensor<2x32x10x8xf32>
}

func.func @conv_nhwc_3(%x: tensor<2x12x10x3xi8>, %w: tensor<3x3x3x32xi8>) -> tensor<2x10x8x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x10x8x32xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<2x10x8x32xi32>) -> tensor<2x10x8x32xi32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x12x10x3xi8>, tensor<3x3x3x32xi8>) outs(%z : tensor<2x10x8x32xi32>) -> tensor<2x10x8x32xi32>
  return %0 : tensor<2x10x8x32xi32>
}

// torch.nn.Linear as torch-mlir writes it for bf16: both operands are extended.
func.func @linear(%x: tensor<32x64xbf16>, %w: tensor<96x64xbf16>, %b: tensor<96xbf16>) -> tensor<32x96xbf16> {
  %zero = arith.constant 0.0 : f32
  %zb = arith.constant 0.0 : bf16
  %e0 = tensor.empty() : tensor<64x96xbf16>
  %wt = linalg.transpose ins(%w : tensor<96x64xbf16>) outs(%e0 : tensor<64x96xbf16>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<32x64xf32>
  %xf = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<32x64xbf16>) outs(%e1 : tensor<32x64xf32>) { ^bb0(%a: bf16, %c: f32): %1 = arith.extf %a : bf16 to f32 linalg.yield %1 : f32 } -> tensor<32x64xf32>
  %e2 = tensor.empty() : tensor<64x96xf32>
  %wf = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%wt : tensor<64x96xbf16>) outs(%e2 : tensor<64x96xf32>) { ^bb0(%a: bf16, %c: f32): %1 = arith.extf %a : bf16 to f32 linalg.yield %1 : f32 } -> tensor<64x96xf32>
  %e3 = tensor.empty() : tensor<32x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e3 : tensor<32x96xf32>) -> tensor<32x96xf32>
  %mm = linalg.matmul ins(%xf, %wf : tensor<32x64xf32>, tensor<64x96xf32>) outs(%z : tensor<32x96xf32>) -> tensor<32x96xf32>
  %e4 = tensor.empty() : tensor<32x96xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%mm : tensor<32x96xf32>) outs(%e4 : tensor<32x96xbf16>) { ^bb0(%a: f32, %c: bf16): %1 = arith.truncf %a : f32 to bf16 linalg.yield %1 : bf16 } -> tensor<32x96xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%t, %b : tensor<32x96xbf16>, tensor<96xbf16>) outs(%e4 : tensor<32x96xbf16>) { ^bb0(%a: bf16, %d: bf16, %c: bf16): %1 = arith.addf %a, %d : bf16 %2 = arith.maximumf %1, %zb : bf16 linalg.yield %2 : bf16 } -> tensor<32x96xbf16>
  return %r : tensor<32x96xbf16>
}

func.func @init(%x: tensor<13x47xbf16>, %w: tensor<47x70xbf16>, %i: tensor<13x70xbf16>) -> tensor<13x70xbf16> {
  %0 = linalg.matmul ins(%x, %w : tensor<13x47xbf16>, tensor<47x70xbf16>) outs(%i : tensor<13x70xbf16>) -> tensor<13x70xbf16>
  return %0 : tensor<13x70xbf16>
}

func.func @bias(%x: tensor<13x47xbf16>, %w: tensor<47x70xbf16>, %i: tensor<70xbf16>) -> tensor<13x70xbf16> {
  %e = tensor.empty() : tensor<13x70xbf16>
  %b = linalg.broadcast ins(%i : tensor<70xbf16>) outs(%e : tensor<13x70xbf16>) dimensions = [0]
  %0 = linalg.matmul ins(%x, %w : tensor<13x47xbf16>, tensor<47x70xbf16>) outs(%b : tensor<13x70xbf16>) -> tensor<13x70xbf16>
  return %0 : tensor<13x70xbf16>
}

// Sums become f32 and are quantized again: u8 activations, i8 weights, i32 bias, scale per column, relu, requantized to u8 with zero point 3.
func.func @requantize(%x: tensor<33x64xi8>, %w: tensor<128x64xi8>, %bias: tensor<128xi32>, %scale: tensor<128xf32>) -> tensor<33x128xi8> {
  %zero = arith.constant 0 : i32
  %zp = arith.constant 3.0 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<33x128xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<33x128xi32>) -> tensor<33x128xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<33x64xi8>, tensor<128x64xi8>) outs(%z : tensor<33x128xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %2, %1 : i32
    %4 = arith.addi %3, %c : i32
    linalg.yield %4 : i32
  } -> tensor<33x128xi32>
  %q = tensor.empty() : tensor<33x128xi8>
  %5 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%0, %bias, %scale : tensor<33x128xi32>, tensor<128xi32>, tensor<128xf32>) outs(%q : tensor<33x128xi8>) {
  ^bb0(%a: i32, %b: i32, %s: f32, %c: i8):
    %6 = arith.addi %a, %b : i32
    %7 = arith.sitofp %6 : i32 to f32
    %8 = arith.mulf %7, %s : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.addf %9, %zp : f32
    %11 = arith.maximumf %10, %low : f32
    %12 = arith.minimumf %11, %high : f32
    %13 = arith.fptoui %12 : f32 to i8
    linalg.yield %13 : i8
  } -> tensor<33x128xi8>
  return %5 : tensor<33x128xi8>
}

// Sums become f32.
func.func @dequantize(%x: tensor<33x64xi8>, %w: tensor<64x128xi8>, %scale: tensor<128xf32>, %bias: tensor<128xf32>) -> tensor<33x128xf32> {
  %zero = arith.constant 0 : i32
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x128xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<33x128xi32>) -> tensor<33x128xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<33x64xi8>, tensor<64x128xi8>) outs(%z : tensor<33x128xi32>) -> tensor<33x128xi32>
  %q = tensor.empty() : tensor<33x128xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%0, %bias, %scale : tensor<33x128xi32>, tensor<128xf32>, tensor<128xf32>) outs(%q : tensor<33x128xf32>) {
  ^bb0(%a: i32, %b: f32, %s: f32, %c: f32):
    %7 = arith.sitofp %a : i32 to f32
    %8 = arith.mulf %7, %s : f32
    %9 = arith.addf %8, %b : f32
    %10 = arith.maximumf %9, %zf : f32
    linalg.yield %10 : f32
  } -> tensor<33x128xf32>
  return %5 : tensor<33x128xf32>
}

// B is not in VNNI form, and its layout is fixed: vector code applies the same steps.
func.func @on_buffers(%x: memref<13x22xi8>, %w: memref<22x30xi8>, %c: memref<13x30xi8>, %bias: memref<30xi32>, %scale: memref<13xf32>) {
  tpp.contract ins(%x, %w : memref<13x22xi8>, memref<22x30xi8>) outs(%c : memref<13x30xi8>) post(%bias, %scale : memref<30xi32>, memref<13xf32>)
    {a_unsigned, c_unsigned, beta = 0 : i64, extents = array<i64: 13, 30, 22>,
     indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (n)>,
                      affine_map<(m, n, k) -> (m)>],
     post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary convert>, #tpp.post_op<binary mul>, #tpp.post_op<unary round>]}
  return
}
