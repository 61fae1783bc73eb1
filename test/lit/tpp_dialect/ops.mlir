// Every op in every form parses, verifies and prints as written; the generic form round-trips, too.
// RUN: tpp-opt %s | FileCheck %s
// RUN: tpp-opt %s | tpp-opt | FileCheck %s
// RUN: tpp-opt %s --mlir-print-op-generic | tpp-opt | FileCheck %s

// CHECK-LABEL: @brgemm_forms_on_tensors
func.func @brgemm_forms_on_tensors(%a: tensor<13x64xf32>, %b: tensor<64x32xf32>, %ap: tensor<4x13x16xf32>, %bp: tensor<2x64x16xf32>,
                                   %c: tensor<13x32xf32>, %cp: tensor<2x13x16xf32>) -> (tensor<13x32xf32>, tensor<2x13x16xf32>) {
  // CHECK: tpp.brgemm sizes = [13, 32, 64] ins(%{{.*}}, %{{.*}} : tensor<13x64xf32>, tensor<64x32xf32>) outs(%{{.*}} : tensor<13x32xf32>) -> tensor<13x32xf32>
  %0 = tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : tensor<13x64xf32>, tensor<64x32xf32>) outs(%c : tensor<13x32xf32>) -> tensor<13x32xf32>
  // CHECK: tpp.brgemm sizes = [13, 32, 64] beta = 1 ins(%{{.*}}, %{{.*}} : tensor<4x13x16xf32>, tensor<2x64x16xf32>) outs(%{{.*}} : tensor<2x13x16xf32>) -> tensor<2x13x16xf32>
  %1 = tpp.brgemm sizes = [13, 32, 64] beta = 1 ins(%ap, %bp : tensor<4x13x16xf32>, tensor<2x64x16xf32>) outs(%cp : tensor<2x13x16xf32>) -> tensor<2x13x16xf32>
  return %0, %1 : tensor<13x32xf32>, tensor<2x13x16xf32>
}

// A tile may end within its last panel.
// CHECK-LABEL: @brgemm_padded_panel
func.func @brgemm_padded_panel(%a: memref<13x64xf32>, %b: memref<3x64x16xf32>, %c: memref<13x40xf32>) {
  // CHECK: tpp.brgemm sizes = [13, 40, 64]
  tpp.brgemm sizes = [13, 40, 64] ins(%a, %b : memref<13x64xf32>, memref<3x64x16xf32>) outs(%c : memref<13x40xf32>)
  return
}

// CHECK-LABEL: @brgemm_batches
func.func @brgemm_batches(%a: memref<?x13x64xf32>, %b: memref<?x64x32xf32>, %c: memref<13x32xf32>, %wide: memref<99x70xf32>,
                          %deep: memref<99x48xf32>, %aTable: memref<?xi64>, %bTable: memref<9xi64>) {
  // CHECK: tpp.brgemm sizes = [13, 32, 64] batch = stride beta = 1 ins
  tpp.brgemm sizes = [13, 32, 64] batch = stride beta = 1 ins(%a, %b : memref<?x13x64xf32>, memref<?x64x32xf32>) outs(%c : memref<13x32xf32>)
  // CHECK: tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%{{.*}}) offsets(%{{.*}}, %{{.*}} : memref<?xi64>, memref<9xi64>) outs
  tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%wide, %deep : memref<99x70xf32>, memref<99x48xf32>)
    offsets(%aTable, %bTable : memref<?xi64>, memref<9xi64>) outs(%c : memref<13x32xf32>)
  return
}

// CHECK-LABEL: @brgemm_types
func.func @brgemm_types(%a: memref<13x7xbf16>, %b: memref<4x32x2xbf16>, %bp: memref<2x4x16x2xbf16>, %c: memref<13x32xf32>, %cb: memref<13x32xbf16>,
                        %ai: memref<13x8xi8>, %bi: memref<2x32x4xi8>, %ci: memref<13x32xi32>) {
  // CHECK: tpp.brgemm sizes = [13, 32, 7] b_vnni = 2 ins(%{{.*}} : memref<13x7xbf16>, memref<4x32x2xbf16>) outs(%{{.*}} : memref<13x32xf32>)
  tpp.brgemm sizes = [13, 32, 7] b_vnni = 2 ins(%a, %b : memref<13x7xbf16>, memref<4x32x2xbf16>) outs(%c : memref<13x32xf32>)
  // CHECK: tpp.brgemm sizes = [13, 32, 7] b_vnni = 2 ins(%{{.*}} : memref<13x7xbf16>, memref<2x4x16x2xbf16>) outs(%{{.*}} : memref<13x32xbf16>)
  tpp.brgemm sizes = [13, 32, 7] b_vnni = 2 ins(%a, %bp : memref<13x7xbf16>, memref<2x4x16x2xbf16>) outs(%cb : memref<13x32xbf16>)
  // CHECK: tpp.brgemm sizes = [13, 32, 8] b_vnni = 4 a_unsigned ins(%{{.*}} : memref<13x8xi8>, memref<2x32x4xi8>) outs(%{{.*}} : memref<13x32xi32>)
  tpp.brgemm sizes = [13, 32, 8] b_vnni = 4 a_unsigned ins(%ai, %bi : memref<13x8xi8>, memref<2x32x4xi8>) outs(%ci : memref<13x32xi32>)
  return
}

// CHECK-LABEL: @brgemm_post_ops
func.func @brgemm_post_ops(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %row: memref<32xf32>, %col: memref<13xbf16>, %one: memref<f32>,
                           %residual: memref<2x13x16xf32>, %c: memref<13x32xf32>) {
  // CHECK: post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary gelu_tanh>, #tpp.post_op<binary mul col>, #tpp.post_op<binary sub scalar>, #tpp.post_op<binary add>] post(%{{.*}} : memref<32xf32>, memref<13xbf16>, memref<f32>, memref<2x13x16xf32>) outs
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary gelu_tanh>, #tpp.post_op<binary mul col>, #tpp.post_op<binary sub scalar>,
                #tpp.post_op<binary add>]
    post(%row, %col, %one, %residual : memref<32xf32>, memref<13xbf16>, memref<f32>, memref<2x13x16xf32>)
    outs(%c : memref<13x32xf32>)
  return
}

// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<2x13x16xf32>, %row: tensor<32xf32>, %t: tensor<32x13xf32>, %b: tensor<13x32xbf16>, %o: tensor<13x32xf32>)
    -> (tensor<13x32xf32>, tensor<13x32xf32>, tensor<13x32xf32>, tensor<13x32xf32>, tensor<13x32xbf16>) {
  // CHECK: tpp.unary relu ins(%{{.*}} : tensor<2x13x16xf32>) outs(%{{.*}} : tensor<13x32xf32>) -> tensor<13x32xf32>
  %0 = tpp.unary relu ins(%x : tensor<2x13x16xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  // CHECK: tpp.unary identity broadcast row ins(%{{.*}} : tensor<32xf32>) outs
  %1 = tpp.unary identity broadcast row ins(%row : tensor<32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  // CHECK: tpp.unary zero outs(%{{.*}} : tensor<13x32xf32>) -> tensor<13x32xf32>
  %2 = tpp.unary zero outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  // CHECK: tpp.unary transpose ins(%{{.*}} : tensor<32x13xf32>) outs(%{{.*}} : tensor<13x32xf32>)
  %3 = tpp.unary transpose ins(%t : tensor<32x13xf32>) outs(%2 : tensor<13x32xf32>) -> tensor<13x32xf32>
  // CHECK: tpp.unary leaky_relu alpha = 1.250000e-01 ins
  %leaky = tpp.unary leaky_relu alpha = 0.125 ins(%3 : tensor<13x32xf32>) outs(%2 : tensor<13x32xf32>) -> tensor<13x32xf32>
  // CHECK: tpp.unary vnni_pack ins(%{{.*}} : tensor<13x32xbf16>) outs(%{{.*}} : tensor<7x32x2xbf16>)
  %v = tensor.empty() : tensor<7x32x2xbf16>
  %pairs = tpp.unary vnni_pack ins(%b : tensor<13x32xbf16>) outs(%v : tensor<7x32x2xbf16>) -> tensor<7x32x2xbf16>
  // CHECK: tpp.unary vnni_pack ins(%{{.*}} : tensor<2x13x16xi8>) outs(%{{.*}} : tensor<2x4x16x4xi8>)
  %w = tensor.empty() : tensor<2x13x16xi8>
  %u = tensor.empty() : tensor<2x4x16x4xi8>
  %fours = tpp.unary vnni_pack ins(%w : tensor<2x13x16xi8>) outs(%u : tensor<2x4x16x4xi8>) -> tensor<2x4x16x4xi8>
  // CHECK: tpp.unary convert ins(%{{.*}} : tensor<13x32xf32>) outs(%{{.*}} : tensor<13x32xbf16>)
  %4 = tpp.unary convert ins(%3 : tensor<13x32xf32>) outs(%b : tensor<13x32xbf16>) -> tensor<13x32xbf16>
  // CHECK: tpp.binary add lhs row ins(%{{.*}}, %{{.*}} : tensor<32xf32>, tensor<2x13x16xf32>)
  %5 = tpp.binary add lhs row ins(%row, %x : tensor<32xf32>, tensor<2x13x16xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  // CHECK: tpp.binary max rhs row ins
  %6 = tpp.binary max rhs row ins(%5, %row : tensor<13x32xf32>, tensor<32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0, %1, %3, %6, %4 : tensor<13x32xf32>, tensor<13x32xf32>, tensor<13x32xf32>, tensor<13x32xf32>, tensor<13x32xbf16>
}

// CHECK-LABEL: @reduce
func.func @reduce(%x: memref<13x32xf32>, %row: memref<32xf32>, %col: memref<13xf32>) {
  // CHECK: tpp.reduce sum over_rows ins(%{{.*}} : memref<13x32xf32>) outs(%{{.*}} : memref<32xf32>)
  tpp.reduce sum over_rows ins(%x : memref<13x32xf32>) outs(%row : memref<32xf32>)
  // CHECK: tpp.reduce max over_cols beta = 1 ins(%{{.*}} : memref<13x32xf32>) outs(%{{.*}} : memref<13xf32>)
  tpp.reduce max over_cols beta = 1 ins(%x : memref<13x32xf32>) outs(%col : memref<13xf32>)
  return
}

// CHECK-LABEL: @kernels
func.func @kernels(%a: memref<4x13x64xf32>, %b: memref<4x64x32xf32>, %bias: memref<32xf32>, %c: memref<13x32xf32>, %n: index, %t: memref<4xi64>) {
  // CHECK: tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, beta = 1, a_batch_stride = 3328, b_batch_stride = 8192, provider = xsmm, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add row, <type = f32, ld = 32>>]>
  %0 = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>,
                                     beta = 1, a_batch_stride = 3328, b_batch_stride = 8192, provider = xsmm,
                                     post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add row, <type = f32, ld = 32>>]>
  // CHECK: tpp.invoke %{{.*}} ins(%{{.*}}, %{{.*}} : memref<4x13x64xf32>, memref<4x64x32xf32>) batch(%{{.*}}) post(%{{.*}} : memref<32xf32>) slots = [1] outs(%{{.*}} : memref<13x32xf32>)
  tpp.invoke %0 ins(%a, %b : memref<4x13x64xf32>, memref<4x64x32xf32>) batch(%n) post(%bias : memref<32xf32>) slots = [1] outs(%c : memref<13x32xf32>)
  // CHECK: tpp.dispatch #tpp.brgemm_desc<{{.*}}, batch_kind = offset>
  %1 = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 16, panel = 16, panel_stride = 1024>,
                                     c = <type = f32, ld = 32>, batch_kind = offset>
  // CHECK: tpp.invoke %{{.*}} ins(%{{.*}}) batch(%{{.*}}) offsets(%{{.*}}, %{{.*}} : memref<4xi64>, memref<4xi64>) outs
  tpp.invoke %1 ins(%a, %b : memref<4x13x64xf32>, memref<4x64x32xf32>) batch(%n) offsets(%t, %t : memref<4xi64>, memref<4xi64>) outs(%c : memref<13x32xf32>)
  // CHECK: tpp.dispatch #tpp.unary_desc<kind = leaky_relu, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, alpha = 2.500000e-01 : f32>
  %l = tpp.dispatch #tpp.unary_desc<kind = leaky_relu, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, alpha = 0.25 : f32>
  // CHECK: tpp.dispatch #tpp.unary_desc<kind = zero, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>
  %2 = tpp.dispatch #tpp.unary_desc<kind = zero, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>
  // CHECK: tpp.invoke %{{.*}} outs(%{{.*}} : memref<13x32xf32>)
  tpp.invoke %2 outs(%c : memref<13x32xf32>)
  // CHECK: tpp.dispatch #tpp.binary_desc<kind = mul, m = 13, n = 32, in0 = <type = f32, ld = 32>, in1 = <type = f32, ld = 32>, out = <type = f32, ld = 32>, broadcast1 = row, provider = reference>
  %3 = tpp.dispatch #tpp.binary_desc<kind = mul, m = 13, n = 32, in0 = <type = f32, ld = 32>, in1 = <type = f32, ld = 32>,
                                     out = <type = f32, ld = 32>, broadcast1 = row, provider = reference>
  tpp.invoke %3 ins(%c, %bias : memref<13x32xf32>, memref<32xf32>) outs(%c : memref<13x32xf32>)
  // CHECK: tpp.dispatch #tpp.reduce_desc<kind = sum, axis = over_rows, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, beta = 1>
  %4 = tpp.dispatch #tpp.reduce_desc<kind = sum, axis = over_rows, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, beta = 1>
  tpp.invoke %4 ins(%c : memref<13x32xf32>) outs(%bias : memref<32xf32>)
  return
}

// A kernel handle from another source can be invoked.
// CHECK-LABEL: @foreign_kernel
func.func @foreign_kernel(%k: !tpp.kernel, %c: memref<13x32xf32>) {
  // CHECK: tpp.invoke %{{.*}} outs
  tpp.invoke %k outs(%c : memref<13x32xf32>)
  return
}
