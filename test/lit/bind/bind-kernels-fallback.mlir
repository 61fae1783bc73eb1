// Operands that no kernel can read are lowered to loops, with a remark that gives the reason.
// RUN: tpp-opt %s --tpp-bind-kernels --split-input-file -verify-diagnostics | FileCheck %s
// CHECK-NOT: tpp.dispatch

// CHECK-LABEL: @dynamic_stride(
// CHECK: scf.for
func.func @dynamic_stride(%x: memref<13x32xf32, strided<[?, 1]>>, %o: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': its strides are not static}}
  tpp.unary relu ins(%x : memref<13x32xf32, strided<[?, 1]>>) outs(%o : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @dynamic_batch_stride(
// CHECK: scf.for
func.func @dynamic_batch_stride(%a: memref<4x13x64xf32, strided<[?, 64, 1]>>, %b: memref<4x64x32xf32>, %c: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'a': its batch stride is not static}}
  tpp.brgemm sizes = [13, 32, 64] batch = stride ins(%a, %b : memref<4x13x64xf32, strided<[?, 64, 1]>>, memref<4x64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @descending_rows(
// CHECK: scf.for
func.func @descending_rows(%x: memref<13x32xf32, strided<[-32, 1], offset: 384>>, %o: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': a stride is not positive}}
  tpp.unary relu ins(%x : memref<13x32xf32, strided<[-32, 1], offset: 384>>) outs(%o : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @strided_panel(
// CHECK: scf.for
func.func @strided_panel(%x: memref<2x13x16xf32, strided<[1024, 32, 2]>>, %o: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': columns of a panel are not contiguous}}
  tpp.unary relu ins(%x : memref<2x13x16xf32, strided<[1024, 32, 2]>>) outs(%o : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @strided_group(
// CHECK: scf.for
func.func @strided_group(%a: memref<13x4xbf16>, %b: memref<2x32x2xbf16, strided<[128, 4, 2]>>, %c: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'b': groups of rows are not contiguous}}
  tpp.brgemm sizes = [13, 32, 4] b_vnni = 2 ins(%a, %b : memref<13x4xbf16>, memref<2x32x2xbf16, strided<[128, 4, 2]>>) outs(%c : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @spread_groups(
// CHECK: scf.for
func.func @spread_groups(%a: memref<13x4xbf16>, %b: memref<2x32x2xbf16, strided<[128, 4, 1]>>, %c: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'b': columns of groups are not contiguous}}
  tpp.brgemm sizes = [13, 32, 4] b_vnni = 2 ins(%a, %b : memref<13x4xbf16>, memref<2x32x2xbf16, strided<[128, 4, 1]>>) outs(%c : memref<13x32xf32>)
  return
}

// -----

// CHECK-LABEL: @map_layout(
// CHECK: scf.for
func.func @map_layout(%x: memref<13x32xf32, affine_map<(i, j) -> (i mod 2, j)>>, %o: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': its layout has no strides}}
  tpp.unary relu ins(%x : memref<13x32xf32, affine_map<(i, j) -> (i mod 2, j)>>) outs(%o : memref<13x32xf32>)
  return
}

// -----

// Kernels take no stride of 0; the function counts its fallbacks.
// CHECK-LABEL: @broadcast_rows(
// CHECK-SAME: tpp.scalar_loops = 2
// CHECK: scf.for
func.func @broadcast_rows(%a: memref<13x64xf32>, %b: memref<64x32xf32, strided<[0, 1]>>, %c: memref<13x32xf32>, %o: memref<13x32xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'b': a stride is 0 (it is broadcast)}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32, strided<[0, 1]>>) outs(%c : memref<13x32xf32>)
  %rows = memref.reinterpret_cast %b to offset: [0], sizes: [13, 32], strides: [0, 1] : memref<64x32xf32, strided<[0, 1]>> to memref<13x32xf32, strided<[0, 1]>>
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': a stride is 0 (it is broadcast)}}
  tpp.unary relu ins(%rows : memref<13x32xf32, strided<[0, 1]>>) outs(%o : memref<13x32xf32>)
  return
}
