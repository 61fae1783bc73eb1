// Descriptors are built from shapes and static strides; offsets may be dynamic.
// RUN: tpp-opt %s --tpp-bind-kernels --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-bind-kernels=provider=xsmm --split-input-file | FileCheck %s --check-prefix=XSMM

// XSMM-LABEL: @plain(
// XSMM: tpp.dispatch #tpp.brgemm_desc<{{.*}}, provider = xsmm>
// CHECK-LABEL: @plain(
// CHECK-SAME: %[[A:.*]]: memref<13x64xf32, strided<[100, 1], offset: ?>>, %[[B:.*]]: memref<64x32xf32>, %[[C:[^:]*]]: memref
// CHECK: %[[K:.*]] = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 100>, b = <type = f32, ld = 32>, c = <type = f32, ld = 48>>
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: tpp.invoke %[[K]] ins(%[[A]], %[[B]] : {{.*}}) batch(%[[ONE]]) outs(%[[C]] : {{.*}})
func.func @plain(%a: memref<13x64xf32, strided<[100, 1], offset: ?>>, %b: memref<64x32xf32>, %c: memref<13x32xf32, strided<[48, 1], offset: 7>>) {
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32, strided<[100, 1], offset: ?>>, memref<64x32xf32>)
    outs(%c : memref<13x32xf32, strided<[48, 1], offset: 7>>)
  return
}

// -----

// CHECK-LABEL: @panels_and_batch(
// CHECK: tpp.dispatch #tpp.brgemm_desc<m = 13, n = 40, k = 64, a = <type = f32, ld = 16, panel = 16, panel_stride = 208>, b = <type = f32, ld = 16, panel = 16, panel_stride = 1024>, c = <type = f32, ld = 16, panel = 16, panel_stride = 4096>, beta = 1, a_batch_stride = 3328, b_batch_stride = 12288>
// CHECK: %[[N:.*]] = memref.dim
// CHECK: tpp.invoke {{.*}} batch(%[[N]])
func.func @panels_and_batch(%a: memref<?x4x13x16xf32>, %b: memref<?x3x64x16xf32>, %c: memref<3x13x16xf32, strided<[4096, 16, 1]>>) {
  tpp.brgemm sizes = [13, 40, 64] batch = stride beta = 1 ins(%a, %b : memref<?x4x13x16xf32>, memref<?x3x64x16xf32>)
    outs(%c : memref<3x13x16xf32, strided<[4096, 16, 1]>>)
  return
}

// -----

// A tile within one panel needs no panel description: it is plain, with the panel's width as leading dimension.
// CHECK-LABEL: @one_panel(
// CHECK: b = <type = f32, ld = 64>, c =
func.func @one_panel(%a: memref<13x8xf32>, %b: memref<1x8x64xf32>, %c: memref<13x40xf32>) {
  tpp.brgemm sizes = [13, 40, 8] ins(%a, %b : memref<13x8xf32>, memref<1x8x64xf32>) outs(%c : memref<13x40xf32>)
  return
}

// -----

// A transposed operand is described as panels of one column. Rows of A may overlap.
// CHECK-LABEL: @transposed(
// CHECK: a = <type = f32, ld = 2>, b = <type = f32, ld = 1, panel = 1, panel_stride = 64>, c =
func.func @transposed(%a: memref<13x64xf32, strided<[2, 1]>>, %b: memref<64x32xf32, strided<[1, 64]>>, %c: memref<13x32xf32>) {
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32, strided<[2, 1]>>, memref<64x32xf32, strided<[1, 64]>>) outs(%c : memref<13x32xf32>)
  return
}

// -----

// Strides of dimensions with extent 1 (rows, columns, batch entries) have no effect, not even dynamic batch strides.
// CHECK-LABEL: @single(
// CHECK: a = <type = f32, ld = 64>, b = <type = f32, ld = 3>, c = <type = f32, ld = 1>>
func.func @single(%a: memref<1x1x64xf32, strided<[?, 0, 1]>>, %b: memref<1x64x1xf32, strided<[?, 3, 5]>>, %c: memref<1x1xf32>) {
  tpp.brgemm sizes = [1, 1, 64] batch = stride ins(%a, %b : memref<1x1x64xf32, strided<[?, 0, 1]>>, memref<1x64x1xf32, strided<[?, 3, 5]>>)
    outs(%c : memref<1x1xf32>)
  return
}

// -----

// CHECK-LABEL: @offsets_and_vnni(
// CHECK-SAME: %[[T:[^:,]*]]: memref<9xi64>
// CHECK: tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 7, a = <type = bf16, ld = 64>, b = <type = bf16, ld = 32, panel = 16, panel_stride = 3200, vnni = 2>, c = <type = bf16, ld = 32>, batch_kind = offset>
// CHECK: %[[NINE:.*]] = arith.constant 9 : index
// CHECK: tpp.invoke {{.*}} batch(%[[NINE]]) offsets(%[[T]], %[[T]] : memref<9xi64>, memref<9xi64>)
func.func @offsets_and_vnni(%a: memref<99x64xbf16>, %b: memref<2x100x16x2xbf16>, %c: memref<13x32xbf16>, %t: memref<9xi64>) {
  tpp.brgemm sizes = [13, 32, 7] batch = offset b_vnni = 2 ins(%a, %b : memref<99x64xbf16>, memref<2x100x16x2xbf16>)
    offsets(%t, %t : memref<9xi64>, memref<9xi64>) outs(%c : memref<13x32xbf16>)
  return
}

// -----

// CHECK-LABEL: @unsigned(
// CHECK: a = <type = u8, ld = 8>, b = <type = i8, ld = 128, vnni = 4>, c = <type = i32, ld = 32>
func.func @unsigned(%a: memref<13x8xi8>, %b: memref<2x32x4xi8>, %c: memref<13x32xi32>) {
  tpp.brgemm sizes = [13, 32, 8] b_vnni = 4 a_unsigned ins(%a, %b : memref<13x8xi8>, memref<2x32x4xi8>) outs(%c : memref<13x32xi32>)
  return
}

// -----

// CHECK-LABEL: @post_ops(
// CHECK: post_ops = [#tpp.post_op<binary add row, <type = f32, ld = 32>>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col, <type = f32, ld = 5>>, #tpp.post_op<binary max scalar, <type = f32, ld = 1>>, #tpp.post_op<binary add row, <type = f32, ld = 1, panel = 1, panel_stride = 3>>, #tpp.post_op<binary add, <type = bf16, ld = 16, panel = 16, panel_stride = 208>>]
// CHECK: tpp.invoke {{.*}} slots = [0, 2, 3, 4, 5]
func.func @post_ops(%a: memref<13x8xf32>, %b: memref<8x32xf32>, %c: memref<13x32xf32>, %row: memref<32xf32>, %col: memref<13xf32, strided<[5]>>,
                    %one: memref<1xf32, strided<[?], offset: ?>>, %spread: memref<32xf32, strided<[3]>>, %residual: memref<2x13x16xbf16>) {
  tpp.brgemm sizes = [13, 32, 8] ins(%a, %b : memref<13x8xf32>, memref<8x32xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>,
                #tpp.post_op<binary add row>, #tpp.post_op<binary add>]
    post(%row, %col, %one, %spread, %residual : memref<32xf32>, memref<13xf32, strided<[5]>>, memref<1xf32, strided<[?], offset: ?>>,
         memref<32xf32, strided<[3]>>, memref<2x13x16xbf16>)
    outs(%c : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @elementwise(
// CHECK: tpp.dispatch #tpp.unary_desc<kind = convert, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = bf16, ld = 16, panel = 16, panel_stride = 208>>
// CHECK: tpp.invoke %{{.*}} ins(%{{.*}} : memref<13x32xf32>) outs(%{{.*}} : memref<2x13x16xbf16>)
// CHECK: tpp.dispatch #tpp.unary_desc<kind = transpose, m = 32, n = 13, in = <type = f32, ld = 32>, out = <type = f32, ld = 13>>
// CHECK: tpp.dispatch #tpp.unary_desc<kind = zero, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>
// CHECK: tpp.invoke %{{.*}} outs(%{{.*}} : memref<13x32xf32>)
// CHECK: tpp.dispatch #tpp.binary_desc<kind = sub, m = 13, n = 32, in0 = <type = f32, ld = 1>, in1 = <type = f32, ld = 32>, out = <type = f32, ld = 32>, broadcast0 = col>
// CHECK: tpp.invoke %{{.*}} ins(%{{.*}}, %{{.*}} : memref<13xf32>, memref<13x32xf32>) outs
// CHECK: tpp.dispatch #tpp.reduce_desc<kind = max, axis = over_cols, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 1>, beta = 1>
// CHECK: tpp.dispatch #tpp.reduce_desc<kind = sum, axis = over_rows, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>
func.func @elementwise(%x: memref<13x32xf32>, %y: memref<2x13x16xbf16>, %t: memref<32x13xf32>, %col: memref<13xf32>, %row: memref<32xf32>) {
  tpp.unary convert ins(%x : memref<13x32xf32>) outs(%y : memref<2x13x16xbf16>)
  tpp.unary transpose ins(%x : memref<13x32xf32>) outs(%t : memref<32x13xf32>)
  tpp.unary zero outs(%x : memref<13x32xf32>)
  tpp.binary sub lhs col ins(%col, %x : memref<13xf32>, memref<13x32xf32>) outs(%x : memref<13x32xf32>)
  tpp.reduce max over_cols beta = 1 ins(%x : memref<13x32xf32>) outs(%col : memref<13xf32>)
  tpp.reduce sum over_rows ins(%x : memref<13x32xf32>) outs(%row : memref<32xf32>)
  return
}

// -----

// Kernels that only move data take any type of the element size. The hint for non-temporal stores goes into the descriptor.
// CHECK-LABEL: @moved(
// CHECK: tpp.dispatch #tpp.unary_desc<kind = transpose, m = 13, n = 32, in = <type = f64, ld = 13>, out = <type = f64, ld = 32>, streaming = 1>
// CHECK: tpp.dispatch #tpp.unary_desc<kind = identity, m = 13, n = 32, in = <type = i8, ld = 32>, out = <type = i8, ld = 32>>
func.func @moved(%a: memref<32x13xi64>, %b: memref<13x32xi64>, %c: memref<13x32xi1>, %d: memref<13x32xi1>) {
  tpp.unary transpose streaming ins(%a : memref<32x13xi64>) outs(%b : memref<13x32xi64>)
  tpp.unary identity ins(%c : memref<13x32xi1>) outs(%d : memref<13x32xi1>)
  return
}

// -----

// CHECK-LABEL: @streamed(
// CHECK: tpp.dispatch #tpp.brgemm_desc<m = 4, n = 16, k = 8, {{.*}}, streaming = 1>
// CHECK: tpp.dispatch #tpp.brgemm_desc<m = 4, n = 16, k = 8, {{.*}}c = <type = f32, ld = 16>>
func.func @streamed(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>) {
  tpp.brgemm sizes = [4, 16, 8] streaming ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
  tpp.brgemm sizes = [4, 16, 8] ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
  return
}

// A leaky_relu with its factor; vnni_pack whose last output group has more rows than are left in the input.
// CHECK-LABEL: func.func @factor_and_groups
// CHECK: tpp.dispatch #tpp.unary_desc<kind = leaky_relu, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, alpha = 1.000000e-01 : f32>
// CHECK: tpp.dispatch #tpp.unary_desc<kind = vnni_pack, m = 13, n = 32, in = <type = bf16, ld = 32>, out = <type = bf16, ld = 64, vnni = 2>>
// CHECK: tpp.dispatch #tpp.unary_desc<kind = vnni_pack, m = 13, n = 32, in = <type = i8, ld = 16, panel = 16, panel_stride = 208>, out = <type = i8, ld = 64, panel = 16, panel_stride = 256, vnni = 4>>
func.func @factor_and_groups(%x: memref<13x32xf32>, %a: memref<13x32xbf16>, %b: memref<7x32x2xbf16>, %c: memref<2x13x16xi8>, %d: memref<2x4x16x4xi8>) {
  tpp.unary leaky_relu alpha = 0.1 ins(%x : memref<13x32xf32>) outs(%x : memref<13x32xf32>)
  tpp.unary vnni_pack ins(%a : memref<13x32xbf16>) outs(%b : memref<7x32x2xbf16>)
  tpp.unary vnni_pack ins(%c : memref<2x13x16xi8>) outs(%d : memref<2x4x16x4xi8>)
  return
}
