// Results of the loops: every form, batch, broadcast and kind on small integers, whose results are exact in any order. The sign
// of a NaN is ignored. Padding holds 99 (operands) or -7 (results) to show that it is neither read nor written.
// RUN: tpp-opt %s --tpp-lower-tpp-to-loops --convert-linalg-to-loops --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-math-to-libm \
// RUN:   --convert-to-llvm --reconcile-unrealized-casts \
// RUN: | mlir-runner -e main -entry-point-result=void -shared-libs=%llvm_lib/libmlir_c_runner_utils.so,%llvm_lib/libmlir_runner_utils.so \
// RUN: | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

// A = 1..6 (2x3), B = 1..12 (3x4): A * B = [[38, 44, 50, 56], [83, 98, 113, 128]].
memref.global constant @a : memref<2x3xf32> = dense<[[1., 2., 3.], [4., 5., 6.]]>
memref.global constant @b : memref<3x4xf32> = dense<[[1., 2., 3., 4.], [5., 6., 7., 8.], [9., 10., 11., 12.]]>
// The same in panels of 2: A's second panel is padded.
memref.global constant @ap : memref<2x2x2xf32> = dense<[[[1., 2.], [4., 5.]], [[3., 99.], [6., 99.]]]>
memref.global constant @bp : memref<2x3x2xf32> = dense<[[[1., 2.], [5., 6.], [9., 10.]], [[3., 4.], [7., 8.], [11., 12.]]]>
// B in bf16 pairs of rows; the fourth row is padding.
memref.global constant @ah : memref<2x3xbf16> = dense<[[1., 2., 3.], [4., 5., 6.]]>
memref.global constant @bv : memref<2x4x2xbf16> = dense<[[[1., 5.], [2., 6.], [3., 7.], [4., 8.]], [[9., 99.], [10., 99.], [11., 99.], [12., 99.]]]>
memref.global constant @row : memref<4xf32> = dense<[-40., -50., -60., 10.]>
memref.global constant @col : memref<2xf32> = dense<[1., 2.]>
memref.global constant @two : memref<f32> = dense<2.>
memref.global constant @residual : memref<2x2x2xf32> = dense<[[[1., 2.], [5., 6.]], [[3., 4.], [7., 8.]]]>
// The byte 255 is -1 as i8.
memref.global constant @u : memref<2x2xi8> = dense<[[-1, 1], [2, -128]]>
memref.global constant @s : memref<2x2xi8> = dense<[[-1, 2], [3, -4]]>
memref.global constant @aTable : memref<3xi64> = dense<[0, 8, 4]>
memref.global constant @bTable : memref<3xi64> = dense<[0, 16, 0]>
memref.global constant @special : memref<2x4xf32> = dense<[[0x7FC00000, -0.0, 0xFF800000, 0x7F800000], [0.5, 1.5, -300., 200.]]>

func.func @show(%m: memref<2x4xf32>) {
  %u = memref.cast %m : memref<2x4xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  %a = memref.get_global @a : memref<2x3xf32>
  %b = memref.get_global @b : memref<3x4xf32>
  %ap = memref.get_global @ap : memref<2x2x2xf32>
  %bp = memref.get_global @bp : memref<2x3x2xf32>
  %row = memref.get_global @row : memref<4xf32>
  %col = memref.get_global @col : memref<2xf32>
  %two = memref.get_global @two : memref<f32>
  %residual = memref.get_global @residual : memref<2x2x2xf32>
  %special = memref.get_global @special : memref<2x4xf32>
  %filler = arith.constant -7.0 : f32
  %c = memref.alloc() : memref<2x4xf32>

  // CHECK-LABEL: rank = 2
  // CHECK: [38, 44, 50, 56],
  // CHECK-NEXT: [83, 98, 113, 128]
  linalg.fill ins(%filler : f32) outs(%c : memref<2x4xf32>)
  tpp.brgemm sizes = [2, 4, 3] ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()

  // beta = 1 adds the product a second time. Then bias, relu, scale by row, scale by 2, and a residual in panels, in this order:
  // (76 - 40, 88 - 50, 100 - 60, 112 + 10), (166 - 40, ...) * (1, 2) * 2 + residual
  // CHECK-LABEL: rank = 2
  // CHECK: [73, 78, 83, 248],
  // CHECK-NEXT: [509, 590, 671, 1072]
  tpp.brgemm sizes = [2, 4, 3] beta = 1 ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary mul scalar>, #tpp.post_op<binary add>]
    post(%row, %col, %two, %residual : memref<4xf32>, memref<2xf32>, memref<f32>, memref<2x2x2xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()

  // Panels of 2 and 3 columns; the second panel of C has only one column.
  // CHECK-LABEL: rank = 3
  // CHECK: [38, 44, 50],
  // CHECK-NEXT: [83, 98, 113]
  // CHECK: [56, -7, -7],
  // CHECK-NEXT: [128, -7, -7]
  %cp = memref.alloc() : memref<2x2x3xf32>
  linalg.fill ins(%filler : f32) outs(%cp : memref<2x2x3xf32>)
  tpp.brgemm sizes = [2, 4, 3] ins(%ap, %bp : memref<2x2x2xf32>, memref<2x3x2xf32>) outs(%cp : memref<2x2x3xf32>)
  %cpu = memref.cast %cp : memref<2x2x3xf32> to memref<*xf32>
  call @printMemrefF32(%cpu) : (memref<*xf32>) -> ()

  // A batch of three contractions with k = 1 equals one with k = 3: columns of A and rows of B by batch strides.
  // CHECK-LABEL: rank = 2
  // CHECK: [38, 44, 50, 56],
  // CHECK-NEXT: [83, 98, 113, 128]
  %as = memref.reinterpret_cast %a to offset: [0], sizes: [3, 2, 1], strides: [1, 3, 1] : memref<2x3xf32> to memref<3x2x1xf32, strided<[1, 3, 1]>>
  %bs = memref.reinterpret_cast %b to offset: [0], sizes: [3, 1, 4], strides: [4, 4, 1] : memref<3x4xf32> to memref<3x1x4xf32, strided<[4, 4, 1]>>
  tpp.brgemm sizes = [2, 4, 1] batch = stride ins(%as, %bs : memref<3x2x1xf32, strided<[1, 3, 1]>>, memref<3x1x4xf32, strided<[4, 4, 1]>>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()

  // Batch by offset tables: columns 0, 2, 1 of A with rows 0, 1, 0 of B.
  // 1 * B0 + 3 * B1 + 2 * B0, 4 * B0 + 6 * B1 + 5 * B0
  // CHECK-LABEL: rank = 2
  // CHECK: [18, 24, 30, 36],
  // CHECK-NEXT: [39, 54, 69, 84]
  %aTable = memref.get_global @aTable : memref<3xi64>
  %bTable = memref.get_global @bTable : memref<3xi64>
  tpp.brgemm sizes = [2, 4, 1] batch = offset ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) offsets(%aTable, %bTable : memref<3xi64>, memref<3xi64>)
    outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()

  // An empty batch gives post(beta * C).
  // CHECK-LABEL: rank = 2
  // CHECK: [-40, -50, -60, 10],
  // CHECK-NEXT: [-40, -50, -60, 10]
  %a0 = memref.alloc() : memref<0x2x1xf32>
  %b0 = memref.alloc() : memref<0x1x4xf32>
  tpp.brgemm sizes = [2, 4, 1] batch = stride ins(%a0, %b0 : memref<0x2x1xf32>, memref<0x1x4xf32>)
    post_ops = [#tpp.post_op<binary add row>] post(%row : memref<4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()

  // B in bf16 pairs.
  // CHECK-LABEL: rank = 2
  // CHECK: [38, 44, 50, 56],
  // CHECK-NEXT: [83, 98, 113, 128]
  %ah = memref.get_global @ah : memref<2x3xbf16>
  %bv = memref.get_global @bv : memref<2x4x2xbf16>
  tpp.brgemm sizes = [2, 4, 3] b_vnni = 2 ins(%ah, %bv : memref<2x3xbf16>, memref<2x4x2xbf16>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()

  // u8 x i8, then i8 x i8: 255 * -1 + 1 * 3, 255 * 2 - 4; 2 * -1 + 128 * 3, 2 * 2 - 128 * 4.
  // CHECK-LABEL: rank = 2
  // CHECK: [-252, 506],
  // CHECK-NEXT: [382, -508]
  // CHECK-LABEL: rank = 2
  // CHECK: [4, -6],
  // CHECK-NEXT: [-386, 516]
  %u = memref.get_global @u : memref<2x2xi8>
  %s = memref.get_global @s : memref<2x2xi8>
  %i = memref.alloc() : memref<2x2xi32>
  %iu = memref.cast %i : memref<2x2xi32> to memref<*xi32>
  tpp.brgemm sizes = [2, 2, 2] a_unsigned ins(%u, %s : memref<2x2xi8>, memref<2x2xi8>) outs(%i : memref<2x2xi32>)
  call @printMemrefI32(%iu) : (memref<*xi32>) -> ()
  tpp.brgemm sizes = [2, 2, 2] ins(%u, %s : memref<2x2xi8>, memref<2x2xi8>) outs(%i : memref<2x2xi32>)
  call @printMemrefI32(%iu) : (memref<*xi32>) -> ()

  // Special values as kinds.def defines them; the input is NaN, -0, -inf, +inf, 0.5, 1.5, -300, 200.
  // relu
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, 0, 0, inf],
  // CHECK-NEXT: [0.5, 1.5, 0, 200]
  tpp.unary relu ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // gelu: gelu(0.5) = 0.5/2 * (1 + erf(0.5/sqrt 2)) = 0.345731, gelu(1.5) = 1.39979
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -0, -0, inf],
  // CHECK-NEXT: [0.345731, 1.39979, -0, 200]
  tpp.unary gelu ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // gelu_tanh
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -0, -0, inf],
  // CHECK-NEXT: [0.345714, 1.39957, -0, 200]
  tpp.unary gelu_tanh ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // tanh
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -0, -1, 1],
  // CHECK-NEXT: [0.462117, 0.905148, -1, 1]
  tpp.unary tanh ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // leaky_relu
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -0, -inf, inf],
  // CHECK-NEXT: [0.5, 1.5, -75, 200]
  tpp.unary leaky_relu alpha = 0.25 ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // erf
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -0, -1, 1],
  // CHECK-NEXT: [0.5205, 0.966105, -1, 1]
  tpp.unary erf ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // log
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -inf, {{-?}}nan, inf],
  // CHECK-NEXT: [-0.693147, 0.405465, {{-?}}nan, 5.29832]
  tpp.unary log ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // sqrt
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -0, {{-?}}nan, inf],
  // CHECK-NEXT: [0.707107, 1.22474, {{-?}}nan, 14.1421]
  tpp.unary sqrt ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // rsqrt
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -inf, {{-?}}nan, 0],
  // CHECK-NEXT: [1.41421, 0.816497, {{-?}}nan, 0.0707107]
  tpp.unary rsqrt ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // reciprocal
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -inf, -0, 0],
  // CHECK-NEXT: [2, 0.666667, -0.00333333, 0.005]
  tpp.unary reciprocal ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // square
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, 0, inf, inf],
  // CHECK-NEXT: [0.25, 2.25, 90000, 40000]
  tpp.unary square ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // neg
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, 0, inf, -inf],
  // CHECK-NEXT: [-0.5, -1.5, 300, -200]
  tpp.unary neg ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // abs
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, 0, inf, inf],
  // CHECK-NEXT: [0.5, 1.5, 300, 200]
  tpp.unary abs ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // sigmoid
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, 0.5, 0, 1],
  // CHECK-NEXT: [0.622459, 0.817574, 0, 1]
  tpp.unary sigmoid ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // silu
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, -0, -0, inf],
  // CHECK-NEXT: [0.31123, 1.22636, -0, 200]
  tpp.unary silu ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // exp
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[-?}}nan, 1, 0, inf],
  // CHECK-NEXT: [1.64872, 4.48169, 0, inf]
  tpp.unary exp ins(%special : memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  // convert to i8 (nearest even, saturating, NaN gives 0) and from there to i32
  // CHECK-LABEL: rank = 2
  // CHECK: [0, 0, -128, 127],
  // CHECK-NEXT: [0, 2, -128, 127]
  %i8 = memref.alloc() : memref<2x4xi8>
  %i32 = memref.alloc() : memref<2x4xi32>
  %i32u = memref.cast %i32 : memref<2x4xi32> to memref<*xi32>
  tpp.unary convert ins(%special : memref<2x4xf32>) outs(%i8 : memref<2x4xi8>)
  tpp.unary convert ins(%i8 : memref<2x4xi8>) outs(%i32 : memref<2x4xi32>)
  call @printMemrefI32(%i32u) : (memref<*xi32>) -> ()
  // convert to i32
  // CHECK-LABEL: rank = 2
  // CHECK: [0, 0, -2147483648, 2147483647],
  // CHECK-NEXT: [0, 2, -300, 200]
  tpp.unary convert ins(%special : memref<2x4xf32>) outs(%i32 : memref<2x4xi32>)
  call @printMemrefI32(%i32u) : (memref<*xi32>) -> ()

  // zero, broadcasts, and a transpose into panels
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[}}0, 0, 0, 0],
  // CHECK-NEXT: [0, 0, 0, 0]
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[}}1, 1, 1, 1],
  // CHECK-NEXT: [2, 2, 2, 2]
  // CHECK-LABEL: rank = 2
  // CHECK: {{\[\[}}2, 2, 2, 2],
  // CHECK-NEXT: [2, 2, 2, 2]
  // CHECK-LABEL: rank = 3
  // CHECK: {{\[\[\[}}1],
  // CHECK-NEXT: [2],
  // CHECK-NEXT: [3]],
  // CHECK-NEXT: {{\[\[}}4],
  // CHECK-NEXT: [5],
  // CHECK-NEXT: [6]]
  tpp.unary zero outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  tpp.unary identity broadcast col ins(%col : memref<2xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  tpp.unary identity broadcast scalar ins(%two : memref<f32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  %t = memref.alloc() : memref<2x3x1xf32>
  %tu = memref.cast %t : memref<2x3x1xf32> to memref<*xf32>
  tpp.unary transpose ins(%a : memref<2x3xf32>) outs(%t : memref<2x3x1xf32>)
  call @printMemrefF32(%tu) : (memref<*xf32>) -> ()

  // 2 - row, / col, then max and min with the row, then + itself.
  // CHECK-LABEL: rank = 2
  // CHECK: [42, 52, 62, -8],
  // CHECK-NEXT: [42, 52, 62, -8]
  // CHECK-LABEL: rank = 2
  // CHECK: [42, 52, 62, -8],
  // CHECK-NEXT: [21, 26, 31, -4]
  // CHECK-LABEL: rank = 2
  // CHECK: [42, 52, 62, 10],
  // CHECK-NEXT: [21, 26, 31, 10]
  // CHECK-LABEL: rank = 2
  // CHECK: [2, 2, 2, 2],
  // CHECK-NEXT: [2, 2, 2, 2]
  // CHECK-LABEL: rank = 2
  // CHECK: [4, 4, 4, 4],
  // CHECK-NEXT: [4, 4, 4, 4]
  tpp.binary sub rhs row ins(%c, %row : memref<2x4xf32>, memref<4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  tpp.binary div rhs col ins(%c, %col : memref<2x4xf32>, memref<2xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  tpp.binary max lhs row ins(%row, %c : memref<4xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  tpp.binary min rhs scalar ins(%c, %two : memref<2x4xf32>, memref<f32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()
  tpp.binary add ins(%c, %c : memref<2x4xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  call @show(%c) : (memref<2x4xf32>) -> ()

  // Reductions of B in panels, with beta 0 and 1. NaN wins a maximum.
  // CHECK-LABEL: rank = 1
  // CHECK: [15, 18, 21, 24]
  // CHECK-LABEL: rank = 1
  // CHECK: [30, 36, 42, 48]
  // CHECK-LABEL: rank = 1
  // CHECK: [{{-?}}nan, 200]
  %r = memref.alloc() : memref<4xf32>
  %ru = memref.cast %r : memref<4xf32> to memref<*xf32>
  %q = memref.alloc() : memref<2xf32>
  %qu = memref.cast %q : memref<2xf32> to memref<*xf32>
  tpp.reduce sum over_rows ins(%bp : memref<2x3x2xf32>) outs(%r : memref<4xf32>)
  call @printMemrefF32(%ru) : (memref<*xf32>) -> ()
  tpp.reduce sum over_rows beta = 1 ins(%b : memref<3x4xf32>) outs(%r : memref<4xf32>)
  call @printMemrefF32(%ru) : (memref<*xf32>) -> ()
  tpp.reduce max over_cols ins(%special : memref<2x4xf32>) outs(%q : memref<2xf32>)
  call @printMemrefF32(%qu) : (memref<*xf32>) -> ()

  // tpp.contract: a convolution of each row of A with (1, 2), with a bias per row.
  // 1 + 4 + 1, 2 + 6 + 1; 4 + 10 + 2, 5 + 12 + 2
  // CHECK-LABEL: rank = 2
  // CHECK: [6, 9],
  // CHECK-NEXT: [16, 19]
  %v = memref.alloc() : memref<2x2xf32>
  %vu = memref.cast %v : memref<2x2xf32> to memref<*xf32>
  tpp.contract ins(%a, %col : memref<2x3xf32>, memref<2xf32>) outs(%v : memref<2x2xf32>) post(%col : memref<2xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 2, 2>, post_ops = [#tpp.post_op<binary add>],
     indexing_maps = [affine_map<(i, w, r) -> (i, w + r)>, affine_map<(i, w, r) -> (r)>, affine_map<(i, w, r) -> (i, w)>, affine_map<(i, w, r) -> (i)>]}
  call @printMemrefF32(%vu) : (memref<*xf32>) -> ()
  // vnni_pack of 3 x 2 bytes: one group of four rows, the last of them zeros.
  // CHECK-LABEL: rank = 3
  // CHECK: [1,   3,   5,   0],
  // CHECK-NEXT: [2,   4,   6,   0]
  %bytes = memref.alloc() : memref<3x2xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %gi = %c0 to %c3 step %c1 {
    scf.for %gj = %c0 to %c2 step %c1 {
      %firstOfRow = arith.muli %gi, %c2 : index
      %place = arith.addi %firstOfRow, %gj : index
      %number = arith.addi %place, %c1 : index
      %byte = arith.index_cast %number : index to i8
      memref.store %byte, %bytes[%gi, %gj] : memref<3x2xi8>
    }
  }
  %group = memref.alloc() : memref<1x2x4xi8>
  %group32 = memref.alloc() : memref<1x2x4xi32>
  tpp.unary vnni_pack ins(%bytes : memref<3x2xi8>) outs(%group : memref<1x2x4xi8>)
  linalg.generic {indexing_maps = [affine_map<(g, n, v) -> (g, n, v)>, affine_map<(g, n, v) -> (g, n, v)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%group : memref<1x2x4xi8>) outs(%group32 : memref<1x2x4xi32>) {
  ^bb0(%small: i8, %wide: i32):
    %value = arith.extsi %small : i8 to i32
    linalg.yield %value : i32
  }
  %groupu = memref.cast %group32 : memref<1x2x4xi32> to memref<*xi32>
  call @printMemrefI32(%groupu) : (memref<*xi32>) -> ()
  return
}
