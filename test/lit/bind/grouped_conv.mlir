// tpp.grouped_conv: its descriptor, operands that no kernel reads, its loops on small integers, whose results are exact, and its kernels beside its
// loops.
// RUN: split-file %s %t
// RUN: tpp-opt %t/descriptors.mlir --tpp-bind-kernels | FileCheck %t/descriptors.mlir
// RUN: tpp-opt %t/refused.mlir --tpp-bind-kernels -split-input-file -verify-diagnostics | FileCheck %t/refused.mlir
// RUN: tpp-opt %t/loops.mlir --tpp-lower-tpp-to-loops --convert-linalg-to-loops --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-to-llvm --reconcile-unrealized-casts \
// RUN: | mlir-runner -e main -entry-point-result=void -shared-libs=%llvm_lib/libmlir_c_runner_utils.so,%llvm_lib/libmlir_runner_utils.so \
// RUN: | FileCheck %t/loops.mlir
// RUN: tpp-run %t/kernels.mlir --threads=1 --check=reference --rtol=3e-6 | FileCheck %t/kernels.mlir
// RUN: tpp-run %t/kernels.mlir --threads=1 --provider=reference --check=reference --rtol=3e-6 | FileCheck %t/kernels.mlir --check-prefix=REFERENCE
// RUN: tpp-run %t/kernels.mlir --threads=1 --profile | FileCheck %t/kernels.mlir --check-prefix=SUMMARY

//--- descriptors.mlir

// CHECK-LABEL: @loose(
// CHECK-SAME: %[[X:[^:]*]]: memref<6x7x8xf32, strided<[800, 16, 1], offset: ?>>, %[[W:[^:]*]]: memref<9x8xf32>, %[[C:[^:]*]]: memref<4x5x8xf32, strided<[48, 9, 1]>>)
// CHECK: %[[K:.*]] = tpp.dispatch #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 16>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 9>, in_row_stride = 800, out_row_stride = 48>
// CHECK: tpp.invoke %[[K]] ins(%[[X]], %[[W]] : {{.*}}) outs(%[[C]] : {{.*}})
func.func @loose(%x: memref<6x7x8xf32, strided<[800, 16, 1], offset: ?>>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32, strided<[48, 9, 1]>>) {
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32, strided<[800, 16, 1], offset: ?>>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32, strided<[48, 9, 1]>>)
  return
}

// CHECK-LABEL: @attributes(
// CHECK: <height = 4, width = 5, channels = 20, in_height = 6, in_width = 7, group_inputs = 3, group_outputs = 5, tap_rows = 3, tap_cols = 1, row_step = 2, col_step = 3, row_dilation = 4, col_dilation = 2, top = 1, left = 2, in = <type = f32, ld = 12>, filter = <type = f32, ld = 8, panel = 8, panel_stride = 72>, out = <type = f32, ld = 20>, in_row_stride = 84, out_row_stride = 100>
func.func @attributes(%x: memref<6x7x12xf32>, %w: memref<3x9x8xf32>, %c: memref<4x5x20xf32>) {
  tpp.grouped_conv taps = [3, 1] steps = [2, 3] dilations = [4, 2] before = [1, 2] group = [3, 5]
    ins(%x, %w : memref<6x7x12xf32>, memref<3x9x8xf32>) outs(%c : memref<4x5x20xf32>)
  return
}

// Rows of the operands of binary post-ops, in elements; 0 for unary ones.
// CHECK-LABEL: @post_ops(
// CHECK-SAME: , %[[ROW:[^:]*]]: memref<2x5xf32>, %[[COL:[^:]*]]: memref<2x6xbf16>, %[[SCALAR:[^:]*]]: memref<2xf16>, %[[ALL:[^:]*]]: memref<2x6x5xf32>,
// CHECK: post_ops = [#tpp.post_op<binary add row, <type = f32, ld = 5>>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col, <type = bf16, ld = 1>>, #tpp.post_op<binary max scalar, <type = f16, ld = 1>>, #tpp.post_op<binary sub, <type = f32, ld = 5>>], post_row_strides = 5, 0, 6, 1, 30>
// CHECK: tpp.invoke {{.*}} post(%[[ROW]], %[[COL]], %[[SCALAR]], %[[ALL]] : {{.*}}) slots = [0, 2, 3, 4] outs
func.func @post_ops(%x: memref<2x7x5xf32>, %w: memref<2x5xf32>, %row: memref<2x5xf32>, %col: memref<2x6xbf16>, %scalar: memref<2xf16>, %all: memref<2x6x5xf32>, %c: memref<2x6x5xf32>) {
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32>, memref<2x5xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary sub>]
    post(%row, %col, %scalar, %all : memref<2x5xf32>, memref<2x6xbf16>, memref<2xf16>, memref<2x6x5xf32>) outs(%c : memref<2x6x5xf32>)
  return
}

// A bias for all rows of pixels has a stride of 0. The strides of one row have no effect.
// CHECK-LABEL: @bias(
// CHECK: in_row_stride = 0, out_row_stride = 0,
// CHECK-SAME: post_row_strides = 0>
func.func @bias(%x: memref<1x7x5xf32, strided<[?, 5, 1]>>, %w: memref<2x5xf32>, %row: memref<1x5xf32, strided<[0, 1]>>, %c: memref<1x6x5xf32, strided<[?, 5, 1]>>) {
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<1x7x5xf32, strided<[?, 5, 1]>>, memref<2x5xf32>) post_ops = [#tpp.post_op<binary add row>]
    post(%row : memref<1x5xf32, strided<[0, 1]>>) outs(%c : memref<1x6x5xf32, strided<[?, 5, 1]>>)
  return
}

// Channels that are not contiguous are panels of one channel.
// CHECK-LABEL: @channels_first(
// CHECK: in = <type = f32, ld = 1, panel = 1, panel_stride = 14>, filter = <type = f32, ld = 1, panel = 1, panel_stride = 2>, out = <type = f32, ld = 1, panel = 1, panel_stride = 12>, in_row_stride = 7, out_row_stride = 6>
func.func @channels_first(%x: memref<2x7x5xf32, strided<[7, 1, 14]>>, %w: memref<2x5xf32, strided<[1, 2]>>, %c: memref<2x6x5xf32, strided<[6, 1, 12]>>) {
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32, strided<[7, 1, 14]>>, memref<2x5xf32, strided<[1, 2]>>) outs(%c : memref<2x6x5xf32, strided<[6, 1, 12]>>)
  return
}

//--- refused.mlir

// CHECK-NOT: tpp.dispatch
// CHECK-LABEL: @in_rows(
// CHECK: scf.for
func.func @in_rows(%x: memref<2x7x5xf32, strided<[?, 5, 1]>>, %w: memref<2x5xf32>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': its batch stride is not static}}
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32, strided<[?, 5, 1]>>, memref<2x5xf32>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @in_pixels(
// CHECK: scf.for
func.func @in_pixels(%x: memref<2x7x5xf32, strided<[35, ?, 1]>>, %w: memref<2x5xf32>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': its strides are not static}}
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32, strided<[35, ?, 1]>>, memref<2x5xf32>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @filter(
// CHECK: scf.for
func.func @filter(%x: memref<2x7x5xf32>, %w: memref<2x5xf32, strided<[?, 1]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'filter': its strides are not static}}
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32>, memref<2x5xf32, strided<[?, 1]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @equal_taps(
// CHECK: scf.for
func.func @equal_taps(%x: memref<2x7x5xf32>, %w: memref<2x5xf32, strided<[0, 1]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'filter': a stride is 0 (it is broadcast)}}
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32>, memref<2x5xf32, strided<[0, 1]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @out_rows(
// CHECK: scf.for
func.func @out_rows(%x: memref<2x7x5xf32>, %w: memref<2x5xf32>, %c: memref<2x6x5xf32, strided<[?, 5, 1]>>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'out': its batch stride is not static}}
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32>, memref<2x5xf32>) outs(%c : memref<2x6x5xf32, strided<[?, 5, 1]>>)
  return
}

// -----

// CHECK-LABEL: @row(
// CHECK: scf.for
func.func @row(%x: memref<2x7x5xf32>, %w: memref<2x5xf32>, %p: memref<2x5xf32, strided<[?, 1]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'post': its batch stride is not static}}
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32>, memref<2x5xf32>) post_ops = [#tpp.post_op<binary add row>] post(%p : memref<2x5xf32, strided<[?, 1]>>) outs(%c : memref<2x6x5xf32>)
  return
}

//--- loops.mlir

// Pixels of the results that are not computed keep -7.
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
memref.global constant @image : memref<3x4x2xf32> = dense<[[[0., 1.], [4., -4.], [3., -1.], [-4., -2.]], [[-3., 1.], [3., -1.], [2., 4.], [-3., -1.]], [[-4., -1.], [2., 0.], [-2., 2.], [-2., -3.]]]>
memref.global constant @taps : memref<9x2xf32> = dense<[[-2., 3.], [-2., -2.], [-4., -4.], [-1., -1.], [-2., -2.], [0., 1.], [-1., 4.], [-1., -2.], [-1., 2.]]>
memref.global constant @channels4 : memref<2x3x4xf32> = dense<[[[0., -4., 1., 2.], [-2., -2., 0., -3.], [1., 0., -4., 1.]], [[-3., 0., 1., 0.], [3., 1., -2., 3.], [3., -2., -4., 0.]]]>
memref.global constant @panels : memref<2x4x4xf32> = dense<[[[-4., 1., 2., -4.], [4., 2., 1., 2.], [-4., 3., -4., -2.], [-1., -3., -1., 3.]], [[1., 4., 1., 4.], [0., 3., -3., 1.], [0., -4., 2., -3.], [-1., 1., 4., 1.]]]>
memref.global constant @row : memref<2x2xf32> = dense<[[1., 2.], [3., 4.]]>
memref.global constant @col : memref<2x3xbf16> = dense<[[1., 2., 3.], [-1., -2., -3.]]>
memref.global constant @scalar : memref<2xf16> = dense<[10., -20.]>
memref.global constant @all : memref<2x3x2xf32> = dense<[[[0., 3.], [6., 2.], [5., 1.]], [[4., 0.], [3., 6.], [2., 5.]]]>

func.func @main() {
  %x = memref.get_global @image : memref<3x4x2xf32>
  %w = memref.get_global @taps : memref<9x2xf32>
  %row = memref.get_global @row : memref<2x2xf32>
  %col = memref.get_global @col : memref<2x3xbf16>
  %scalar = memref.get_global @scalar : memref<2xf16>
  %all = memref.get_global @all : memref<2x3x2xf32>
  %filler = arith.constant -7.0 : f32
  %o = memref.alloc() : memref<2x3x3xf32>
  %c = memref.subview %o[0, 0, 0] [2, 3, 2] [1, 1, 1] : memref<2x3x3xf32> to memref<2x3x2xf32, strided<[9, 3, 1]>>
  %u = memref.cast %o : memref<2x3x3xf32> to memref<*xf32>
  linalg.fill ins(%filler : f32) outs(%o : memref<2x3x3xf32>)

  // Depthwise, with a step between rows, a row before the image and a column after it.
  // CHECK-LABEL: rank = 3
  // CHECK: [-10, 20, -7]
  // CHECK-NEXT: [-12, -10, -7]
  // CHECK-NEXT: [6, 23, -7]
  // CHECK-NEXT: [-8, -8, -7]
  // CHECK-NEXT: [4, -14, -7]
  // CHECK-NEXT: [8, 18, -7]
  tpp.grouped_conv taps = [3, 3] steps = [2, 1] before = [1, 0] ins(%x, %w : memref<3x4x2xf32>, memref<9x2xf32>) outs(%c : memref<2x3x2xf32, strided<[9, 3, 1]>>)
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()

  // Post-ops in order: max((sum + row)+ * col, scalar) - all.
  // CHECK-LABEL: rank = 3
  // CHECK: [10, 19, -7]
  // CHECK-NEXT: [4, 8, -7]
  // CHECK-NEXT: [16, 74, -7]
  // CHECK-NEXT: [-4, {{-?}}0, -7]
  // CHECK-NEXT: [-17, -6, -7]
  // CHECK-NEXT: [-22, -25, -7]
  tpp.grouped_conv taps = [3, 3] steps = [2, 1] before = [1, 0] ins(%x, %w : memref<3x4x2xf32>, memref<9x2xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary sub>]
    post(%row, %col, %scalar, %all : memref<2x2xf32>, memref<2x3xbf16>, memref<2xf16>, memref<2x3x2xf32>) outs(%c : memref<2x3x2xf32, strided<[9, 3, 1]>>)
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()

  // Two groups of two and three channels, a dilation, and a filter in panels of which the last one is padded.
  // CHECK-LABEL: rank = 3
  // CHECK: [10, {{-?}}0, 10, -9, 3, -3]
  // CHECK-NEXT: [{{-?}}0, -6, -6, -6, {{-?}}0, -9]
  // CHECK-NEXT: [-13, 6, -13, 13, -3, 11]
  // CHECK-NEXT: [-8, 5, 7, 14, -2, 1]
  %xg = memref.get_global @channels4 : memref<2x3x4xf32>
  %wg = memref.get_global @panels : memref<2x4x4xf32>
  %og = memref.alloc() : memref<2x2x6xf32>
  %ug = memref.cast %og : memref<2x2x6xf32> to memref<*xf32>
  tpp.grouped_conv taps = [1, 2] steps = [1, 2] dilations = [1, 2] before = [0, 1] group = [2, 3] ins(%xg, %wg : memref<2x3x4xf32>, memref<2x4x4xf32>) outs(%og : memref<2x2x6xf32>)
  call @printMemrefF32(%ug) : (memref<*xf32>) -> ()
  return
}

//--- kernels.mlir

// Borders, steps, dilations, groups, filters in panels, every broadcast and type of an operand.
// CHECK: tpp_uk_grouped_conv_
// CHECK-COUNT-8: equals the reference
// REFERENCE: tpp_uk_grouped_conv_{{.*}}reference
// REFERENCE-COUNT-8: equals the reference
// SUMMARY-DAG: grouped_conv 3x3 6x7x19: {{.*}} in 1 calls
// SUMMARY-DAG: grouped_conv 3x3 7x7x32 groups of 4x4: {{.*}} in 1 calls
func.func @main(%x0: tensor<6x7x19xf32>, %w0: tensor<9x19xf32>, %p0_0: tensor<6x19xf32>, %x1: tensor<9x9x40xf32>, %w1: tensor<3x25x16xf32>, %p1_0: tensor<5x40xf32>, %p1_1: tensor<5xf32>, %p1_2: tensor<5xf16>, %x2: tensor<1x1x1xf32>, %w2: tensor<1x1xf32>, %p2_0: tensor<1x1x1xf32>, %x3: tensor<4x9x8xf32>, %w3: tensor<9x8xf32>, %p3_0: tensor<4x9xbf16>, %x4: tensor<7x7x32xf32>, %w4: tensor<2x36x16xf32>, %p4_0: tensor<7x32xf32>, %p4_1: tensor<7x7x32xbf16>, %x5: tensor<5x6x9xf32>, %w5: tensor<27x15xf32>, %x6: tensor<2x2x5xf32>, %w6: tensor<49x10xf32>, %x7: tensor<3x5x24xf32>, %w7: tensor<56x24xf32>, %p7_0: tensor<3xf32>)
    -> (tensor<6x7x19xf32>, tensor<5x5x40xf32>, tensor<1x1x1xf32>, tensor<4x9x8xf32>, tensor<7x7x32xf32>, tensor<3x3x15xf32>, tensor<2x2x10xf32>, tensor<3x5x24xf32>) {
  %e0 = tensor.empty() : tensor<6x7x19xf32>
  %0 = tpp.grouped_conv taps = [3, 3] before = [1, 1] ins(%x0, %w0 : tensor<6x7x19xf32>, tensor<9x19xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>] post(%p0_0 : tensor<6x19xf32>) outs(%e0 : tensor<6x7x19xf32>) -> tensor<6x7x19xf32>
  %e1 = tensor.empty() : tensor<5x5x40xf32>
  %1 = tpp.grouped_conv taps = [5, 5] steps = [2, 2] before = [2, 2] ins(%x1, %w1 : tensor<9x9x40xf32>, tensor<3x25x16xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary min scalar>] post(%p1_0, %p1_1, %p1_2 : tensor<5x40xf32>, tensor<5xf32>, tensor<5xf16>) outs(%e1 : tensor<5x5x40xf32>) -> tensor<5x5x40xf32>
  %e2 = tensor.empty() : tensor<1x1x1xf32>
  %2 = tpp.grouped_conv taps = [1, 1] ins(%x2, %w2 : tensor<1x1x1xf32>, tensor<1x1xf32>)
    post_ops = [#tpp.post_op<binary add>] post(%p2_0 : tensor<1x1x1xf32>) outs(%e2 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %e3 = tensor.empty() : tensor<4x9x8xf32>
  %3 = tpp.grouped_conv taps = [3, 3] dilations = [2, 3] before = [2, 3] ins(%x3, %w3 : tensor<4x9x8xf32>, tensor<9x8xf32>)
    post_ops = [#tpp.post_op<binary mul col>, #tpp.post_op<unary gelu>] post(%p3_0 : tensor<4x9xbf16>) outs(%e3 : tensor<4x9x8xf32>) -> tensor<4x9x8xf32>
  %e4 = tensor.empty() : tensor<7x7x32xf32>
  %4 = tpp.grouped_conv taps = [3, 3] before = [1, 1] group = [4, 4] ins(%x4, %w4 : tensor<7x7x32xf32>, tensor<2x36x16xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<binary add>, #tpp.post_op<unary relu>] post(%p4_0, %p4_1 : tensor<7x32xf32>, tensor<7x7x32xbf16>) outs(%e4 : tensor<7x7x32xf32>) -> tensor<7x7x32xf32>
  %e5 = tensor.empty() : tensor<3x3x15xf32>
  %5 = tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [1, 1] group = [3, 5] ins(%x5, %w5 : tensor<5x6x9xf32>, tensor<27x15xf32>)
    post_ops = [#tpp.post_op<unary silu>] outs(%e5 : tensor<3x3x15xf32>) -> tensor<3x3x15xf32>
  %e6 = tensor.empty() : tensor<2x2x10xf32>
  %6 = tpp.grouped_conv taps = [7, 7] before = [3, 3] group = [1, 2] ins(%x6, %w6 : tensor<2x2x5xf32>, tensor<49x10xf32>) outs(%e6 : tensor<2x2x10xf32>) -> tensor<2x2x10xf32>
  %e7 = tensor.empty() : tensor<3x5x24xf32>
  %7 = tpp.grouped_conv taps = [1, 7] before = [0, 3] group = [8, 8] ins(%x7, %w7 : tensor<3x5x24xf32>, tensor<56x24xf32>)
    post_ops = [#tpp.post_op<binary sub scalar>] post(%p7_0 : tensor<3xf32>) outs(%e7 : tensor<3x5x24xf32>) -> tensor<3x5x24xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<6x7x19xf32>, tensor<5x5x40xf32>, tensor<1x1x1xf32>, tensor<4x9x8xf32>, tensor<7x7x32xf32>, tensor<3x3x15xf32>, tensor<2x2x10xf32>, tensor<3x5x24xf32>
}
