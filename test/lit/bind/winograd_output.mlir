// tpp.winograd_output: its descriptor, operands that no kernel reads, its loops on small integers, whose results are exact, and its kernels beside its
// loops.
// RUN: split-file %s %t
// RUN: tpp-opt %t/descriptors.mlir --tpp-bind-kernels | FileCheck %t/descriptors.mlir
// RUN: tpp-opt %t/refused.mlir --tpp-bind-kernels -split-input-file -verify-diagnostics | FileCheck %t/refused.mlir
// RUN: tpp-opt %t/loops.mlir --tpp-lower-tpp-to-loops --convert-linalg-to-loops --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-to-llvm --reconcile-unrealized-casts \
// RUN: | mlir-runner -e main -entry-point-result=void -shared-libs=%llvm_lib/libmlir_c_runner_utils.so,%llvm_lib/libmlir_runner_utils.so \
// RUN: | FileCheck %t/loops.mlir
// RUN: tpp-run %t/kernels.mlir --threads=1 --check=reference --rtol=3e-6 | FileCheck %t/kernels.mlir
// RUN: tpp-run %t/kernels.mlir --threads=1 --provider=reference --check=reference --rtol=3e-6 | FileCheck %t/kernels.mlir --check-prefix=REFERENCE
// Images and operands of bf16: results that differ before they are rounded may differ by one step.
// RUN: sed -E 's/f32/bf16/g; s/(%m[0-9]+ ?: tensor<[0-9x]+)bf16/\1f32/g' %t/kernels.mlir > %t/bf16.mlir
// RUN: tpp-run %t/bf16.mlir --threads=1 --check=reference --rtol=8e-3 | FileCheck %t/kernels.mlir

//--- descriptors.mlir

// CHECK-LABEL: @padding(
// CHECK-SAME: %[[M:.*]]: memref<36x2x8xf32, strided<[48, 24, 1], offset: ?>>, %[[C:.*]]: memref<3x7x8xf32, strided<[800, 16, 1], offset: ?>>)
// CHECK: %[[K:.*]] = tpp.dispatch #tpp.winograd_output_desc<tile = 4, tiles = 2, channels = 8, height = 3, width = 7, in = <type = f32, ld = 24>, out = <type = f32, ld = 16>, in_point_stride = 48, out_row_stride = 800>
// CHECK: tpp.invoke %[[K]] ins(%[[M]] : {{.*}}) outs(%[[C]] : {{.*}})
func.func @padding(%m: memref<36x2x8xf32, strided<[48, 24, 1], offset: ?>>, %c: memref<3x7x8xf32, strided<[800, 16, 1], offset: ?>>) {
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32, strided<[48, 24, 1], offset: ?>>) outs(%c : memref<3x7x8xf32, strided<[800, 16, 1], offset: ?>>)
  return
}

// Rows of the operands of binary post-ops, in elements; 0 for unary ones.
// CHECK-LABEL: @post_ops(
// CHECK-SAME: , %[[ROW:[^:]*]]: memref<2x5xf32>, %[[COL:[^:]*]]: memref<2x6xbf16>, %[[SCALAR:[^:]*]]: memref<2xf16>, %[[ALL:[^:]*]]: memref<2x6x5xf32>,
// CHECK: post_ops = [#tpp.post_op<binary add row, <type = f32, ld = 5>>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col, <type = bf16, ld = 1>>, #tpp.post_op<binary max scalar, <type = f16, ld = 1>>, #tpp.post_op<binary sub, <type = f32, ld = 5>>], post_row_strides = 5, 0, 6, 1, 30>
// CHECK: tpp.invoke {{.*}} post(%[[ROW]], %[[COL]], %[[SCALAR]], %[[ALL]] : {{.*}}) slots = [0, 2, 3, 4] outs
func.func @post_ops(%m: memref<16x3x5xf32>, %row: memref<2x5xf32>, %col: memref<2x6xbf16>, %scalar: memref<2xf16>, %all: memref<2x6x5xf32>, %c: memref<2x6x5xf32>) {
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary sub>]
    post(%row, %col, %scalar, %all : memref<2x5xf32>, memref<2x6xbf16>, memref<2xf16>, memref<2x6x5xf32>) outs(%c : memref<2x6x5xf32>)
  return
}

// A stride of 0 broadcasts along the height. Pixels of an operand may have gaps.
// CHECK-LABEL: @broadcast_along_the_height(
// CHECK: #tpp.post_op<binary mul col, <type = bf16, ld = 3>>
// CHECK-SAME: #tpp.post_op<binary sub, <type = f32, ld = 7>>], post_row_strides = 0, 0, 0, 0, 0>
func.func @broadcast_along_the_height(%m: memref<16x3x5xf32>, %row: memref<2x5xf32, strided<[0, 1]>>, %col: memref<2x6xbf16, strided<[0, 3]>>,
    %scalar: memref<2xf16, strided<[0], offset: ?>>, %all: memref<2x6x5xf32, strided<[0, 7, 1]>>, %c: memref<2x6x5xf32>) {
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary sub>]
    post(%row, %col, %scalar, %all : memref<2x5xf32, strided<[0, 1]>>, memref<2x6xbf16, strided<[0, 3]>>, memref<2xf16, strided<[0], offset: ?>>, memref<2x6x5xf32, strided<[0, 7, 1]>>)
    outs(%c : memref<2x6x5xf32>)
  return
}

// The strides of one row have no effect.
// CHECK-LABEL: @one_row(
// CHECK: out = <type = f32, ld = 5>, in_point_stride = 15, out_row_stride = 0,
// CHECK-SAME: post_row_strides = 0, 0>
func.func @one_row(%m: memref<16x3x5xf32>, %row: memref<1x5xf32, strided<[?, 1]>>, %scalar: memref<1xf32, strided<[?]>>, %c: memref<1x6x5xf32, strided<[?, 5, 1]>>) {
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<binary add scalar>]
    post(%row, %scalar : memref<1x5xf32, strided<[?, 1]>>, memref<1xf32, strided<[?]>>) outs(%c : memref<1x6x5xf32, strided<[?, 5, 1]>>)
  return
}

// Channels that are not contiguous are panels of one channel.
// CHECK-LABEL: @channels_first(
// CHECK: out = <type = f32, ld = 1, panel = 1, panel_stride = 12>, in_point_stride = 15, out_row_stride = 6, post_ops = [#tpp.post_op<binary add row, <type = f32, ld = 1, panel = 1, panel_stride = 2>>], post_row_strides = 1>
func.func @channels_first(%m: memref<16x3x5xf32>, %row: memref<2x5xf32, strided<[1, 2]>>, %c: memref<2x6x5xf32, strided<[6, 1, 12]>>) {
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add row>]
    post(%row : memref<2x5xf32, strided<[1, 2]>>) outs(%c : memref<2x6x5xf32, strided<[6, 1, 12]>>)
  return
}

//--- refused.mlir

// CHECK-NOT: tpp.dispatch
// CHECK-LABEL: @points(
// CHECK: scf.for
func.func @points(%m: memref<16x3x5xf32, strided<[?, 5, 1]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': its batch stride is not static}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32, strided<[?, 5, 1]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @rows(
// CHECK: scf.for
func.func @rows(%m: memref<16x3x5xf32>, %c: memref<2x6x5xf32, strided<[?, 5, 1]>>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'out': its batch stride is not static}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) outs(%c : memref<2x6x5xf32, strided<[?, 5, 1]>>)
  return
}

// -----

// CHECK-LABEL: @none(
// CHECK: scf.for
func.func @none(%m: memref<16x3x5xf32>, %p: memref<2x6x5xf32, strided<[?, 5, 1]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'post': its batch stride is not static}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add>] post(%p : memref<2x6x5xf32, strided<[?, 5, 1]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @none_pixels(
// CHECK: scf.for
func.func @none_pixels(%m: memref<16x3x5xf32>, %p: memref<2x6x5xf32, strided<[30, ?, 1]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'post': its strides are not static}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add>] post(%p : memref<2x6x5xf32, strided<[30, ?, 1]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @row(
// CHECK: scf.for
func.func @row(%m: memref<16x3x5xf32>, %p: memref<2x5xf32, strided<[?, 1]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'post': its batch stride is not static}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add row>] post(%p : memref<2x5xf32, strided<[?, 1]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @col(
// CHECK: scf.for
func.func @col(%m: memref<16x3x5xf32>, %p: memref<2x6xf32, strided<[6, ?]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'post': its strides are not static}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add col>] post(%p : memref<2x6xf32, strided<[6, ?]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @equal_pixels(
// CHECK: scf.for
func.func @equal_pixels(%m: memref<16x3x5xf32>, %p: memref<2x6xf32, strided<[6, 0]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'post': a stride is 0 (it is broadcast)}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add col>] post(%p : memref<2x6xf32, strided<[6, 0]>>) outs(%c : memref<2x6x5xf32>)
  return
}

// -----

// CHECK-LABEL: @scalar(
// CHECK: scf.for
func.func @scalar(%m: memref<16x3x5xf32>, %p: memref<2xf32, strided<[?]>>, %c: memref<2x6x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'post': its batch stride is not static}}
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>) post_ops = [#tpp.post_op<binary add scalar>] post(%p : memref<2xf32, strided<[?]>>) outs(%c : memref<2x6x5xf32>)
  return
}

//--- loops.mlir

// Pixels of the results that are not computed keep -7.
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
memref.global constant @products : memref<16x2x2xf32> = dense<[[[-6., -1.], [4., -4.]], [[1., 6.], [-2., 3.]], [[-5., 0.], [5., -3.]], [[2., -6.], [-1., 4.]], [[-4., 1.], [6., -2.]], [[3., -5.], [0., 5.]], [[-3., 2.], [-6., -1.]], [[4., -4.], [1., 6.]], [[-2., 3.], [-5., 0.]], [[5., -3.], [2., -6.]], [[-1., 4.], [-4., 1.]], [[6., -2.], [3., -5.]], [[0., 5.], [-3., 2.]], [[-6., -1.], [4., -4.]], [[1., 6.], [-2., 3.]], [[-5., 0.], [5., -3.]]]>
memref.global constant @products4 : memref<36x1x1xf32> = dense<[[[-6.]], [[-1.]], [[4.]], [[-4.]], [[1.]], [[6.]], [[-2.]], [[3.]], [[-5.]], [[0.]], [[5.]], [[-3.]], [[2.]], [[-6.]], [[-1.]], [[4.]], [[-4.]], [[1.]], [[6.]], [[-2.]], [[3.]], [[-5.]], [[0.]], [[5.]], [[-3.]], [[2.]], [[-6.]], [[-1.]], [[4.]], [[-4.]], [[1.]], [[6.]], [[-2.]], [[3.]], [[-5.]], [[0.]]]>
memref.global constant @row : memref<2x2xf32> = dense<[[1., 2.], [3., 4.]]>
memref.global constant @col : memref<2x3xbf16> = dense<[[1., 2., 3.], [-1., -2., -3.]]>
memref.global constant @scalar : memref<2xf16> = dense<[10., -20.]>
memref.global constant @all : memref<2x3x2xf32> = dense<[[[0., 3.], [6., 2.], [5., 1.]], [[4., 0.], [3., 6.], [2., 5.]]]>

func.func @show(%c: memref<2x3x3xf32>) {
  %u = memref.cast %c : memref<2x3x3xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  %m = memref.get_global @products : memref<16x2x2xf32>
  %row = memref.get_global @row : memref<2x2xf32>
  %col = memref.get_global @col : memref<2x3xbf16>
  %scalar = memref.get_global @scalar : memref<2xf16>
  %all = memref.get_global @all : memref<2x3x2xf32>
  %filler = arith.constant -7.0 : f32
  %o = memref.alloc() : memref<2x3x3xf32>
  %c = memref.subview %o[0, 0, 0] [2, 3, 2] [1, 1, 1] : memref<2x3x3xf32> to memref<2x3x2xf32, strided<[9, 3, 1]>>

  // Two tiles with two channels; the fourth column of pixels does not exist.
  // CHECK-LABEL: rank = 3
  // CHECK: [-12, 7, -7]
  // CHECK-NEXT: [6, 4, -7]
  // CHECK-NEXT: [{{-?}}0, -7, -7]
  // CHECK-NEXT: [-1, -16, -7]
  // CHECK-NEXT: [4, 9, -7]
  // CHECK-NEXT: [8, 6, -7]
  linalg.fill ins(%filler : f32) outs(%o : memref<2x3x3xf32>)
  tpp.winograd_output tile = 2 ins(%m : memref<16x2x2xf32>) outs(%c : memref<2x3x2xf32, strided<[9, 3, 1]>>)
  call @show(%o) : (memref<2x3x3xf32>) -> ()

  // Post-ops in order: max((sum + row)+ * col, scalar) - all.
  // CHECK-LABEL: rank = 3
  // CHECK: [10, 7, -7]
  // CHECK-NEXT: [8, 10, -7]
  // CHECK-NEXT: [5, 9, -7]
  // CHECK-NEXT: [-6, {{-?}}0, -7]
  // CHECK-NEXT: [-17, -26, -7]
  // CHECK-NEXT: [-22, -25, -7]
  tpp.winograd_output tile = 2 ins(%m : memref<16x2x2xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary sub>]
    post(%row, %col, %scalar, %all : memref<2x2xf32>, memref<2x3xbf16>, memref<2xf16>, memref<2x3x2xf32>) outs(%c : memref<2x3x2xf32, strided<[9, 3, 1]>>)
  call @show(%o) : (memref<2x3x3xf32>) -> ()

  // The same with operands of one row of pixels.
  // CHECK-LABEL: rank = 3
  // CHECK: [10, 7, -7]
  // CHECK-NEXT: [8, 10, -7]
  // CHECK-NEXT: [5, 9, -7]
  // CHECK-NEXT: [10, 7, -7]
  // CHECK-NEXT: [4, 20, -7]
  // CHECK-NEXT: [22, 23, -7]
  %row0 = memref.reinterpret_cast %row to offset: [0], sizes: [2, 2], strides: [0, 1] : memref<2x2xf32> to memref<2x2xf32, strided<[0, 1]>>
  %col0 = memref.reinterpret_cast %col to offset: [0], sizes: [2, 3], strides: [0, 1] : memref<2x3xbf16> to memref<2x3xbf16, strided<[0, 1]>>
  %scalar0 = memref.reinterpret_cast %scalar to offset: [0], sizes: [2], strides: [0] : memref<2xf16> to memref<2xf16, strided<[0]>>
  %all0 = memref.reinterpret_cast %all to offset: [0], sizes: [2, 3, 2], strides: [0, 2, 1] : memref<2x3x2xf32> to memref<2x3x2xf32, strided<[0, 2, 1]>>
  tpp.winograd_output tile = 2 ins(%m : memref<16x2x2xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary sub>]
    post(%row0, %col0, %scalar0, %all0 : memref<2x2xf32, strided<[0, 1]>>, memref<2x3xbf16, strided<[0, 1]>>, memref<2xf16, strided<[0]>>, memref<2x3x2xf32, strided<[0, 2, 1]>>)
    outs(%c : memref<2x3x2xf32, strided<[9, 3, 1]>>)
  call @show(%o) : (memref<2x3x3xf32>) -> ()

  // One tile of 4 x 4 pixels, of which three rows exist.
  // CHECK-LABEL: rank = 2
  // CHECK: [-12, -23, -9, -90]
  // CHECK-NEXT: [18, -39, -29, -103]
  // CHECK-NEXT: [-12, -59, -33, -279]
  %m4 = memref.get_global @products4 : memref<36x1x1xf32>
  %o4 = memref.alloc() : memref<3x4x1xf32>
  tpp.winograd_output tile = 4 ins(%m4 : memref<36x1x1xf32>) outs(%o4 : memref<3x4x1xf32>)
  %v4 = memref.reinterpret_cast %o4 to offset: [0], sizes: [3, 4], strides: [4, 1] : memref<3x4x1xf32> to memref<3x4xf32>
  %u4 = memref.cast %v4 : memref<3x4xf32> to memref<*xf32>
  call @printMemrefF32(%u4) : (memref<*xf32>) -> ()
  return
}

//--- kernels.mlir

// Vectors of channels and their remainders, tiles without pixels, every broadcast and type of an operand, many post-ops.
// CHECK: winograd_output_f32_2
// CHECK: winograd_output_f32_4
// CHECK-COUNT-11: equals the reference
// REFERENCE: tpp_uk_winograd_output_{{.*}}reference
// REFERENCE-COUNT-11: equals the reference
func.func @main(%m0: tensor<16x4x5xf32>, %m1: tensor<16x1x1xf32>, %p0: tensor<1x1x1xf32>, %m2: tensor<16x3x17xf32>, %p1: tensor<2x17xf32>, %m3: tensor<16x5x8xf32>, %p2: tensor<1x9xbf16>, %m4: tensor<16x3x40xf32>, %p3: tensor<2xf16>, %p4: tensor<2x2x40xbf16>, %m5: tensor<36x3x16xf32>, %p5: tensor<4x16xf32>, %p6: tensor<4x12x16xf16>, %m6: tensor<36x2x19xf32>, %m7: tensor<36x1x2xf32>, %p7: tensor<1xf32>, %m8: tensor<36x4x9xf32>, %p8: tensor<2x13xf32>, %p9: tensor<2x9xbf16>, %m9: tensor<36x2x33xf32>, %m10: tensor<36x2x65xf32>, %p10: tensor<4x8x65xf32>)
    -> (tensor<2x8x5xf32>, tensor<1x1x1xf32>, tensor<2x5x17xf32>, tensor<1x9x8xf32>, tensor<2x2x40xf32>, tensor<4x12x16xf32>, tensor<3x5x19xf32>, tensor<1x1x2xf32>, tensor<2x13x9xf32>, tensor<4x1x33xf32>, tensor<4x8x65xf32>) {
  %e0 = tensor.empty() : tensor<2x8x5xf32>
  %0 = tpp.winograd_output tile = 2 ins(%m0 : tensor<16x4x5xf32>) outs(%e0 : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %e1 = tensor.empty() : tensor<1x1x1xf32>
  %1 = tpp.winograd_output tile = 2 ins(%m1 : tensor<16x1x1xf32>) post_ops = [#tpp.post_op<binary add>] post(%p0 : tensor<1x1x1xf32>) outs(%e1 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %e2 = tensor.empty() : tensor<2x5x17xf32>
  %2 = tpp.winograd_output tile = 2 ins(%m2 : tensor<16x3x17xf32>) post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>] post(%p1 : tensor<2x17xf32>) outs(%e2 : tensor<2x5x17xf32>) -> tensor<2x5x17xf32>
  %e3 = tensor.empty() : tensor<1x9x8xf32>
  %3 = tpp.winograd_output tile = 2 ins(%m3 : tensor<16x5x8xf32>) post_ops = [#tpp.post_op<binary mul col>, #tpp.post_op<unary gelu>] post(%p2 : tensor<1x9xbf16>) outs(%e3 : tensor<1x9x8xf32>) -> tensor<1x9x8xf32>
  %e4 = tensor.empty() : tensor<2x2x40xf32>
  %4 = tpp.winograd_output tile = 2 ins(%m4 : tensor<16x3x40xf32>) post_ops = [#tpp.post_op<binary max scalar>, #tpp.post_op<binary sub>] post(%p3, %p4 : tensor<2xf16>, tensor<2x2x40xbf16>) outs(%e4 : tensor<2x2x40xf32>) -> tensor<2x2x40xf32>
  %e5 = tensor.empty() : tensor<4x12x16xf32>
  %5 = tpp.winograd_output tile = 4 ins(%m5 : tensor<36x3x16xf32>) post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary gelu_tanh>, #tpp.post_op<binary mul>] post(%p5, %p6 : tensor<4x16xf32>, tensor<4x12x16xf16>) outs(%e5 : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %e6 = tensor.empty() : tensor<3x5x19xf32>
  %6 = tpp.winograd_output tile = 4 ins(%m6 : tensor<36x2x19xf32>) post_ops = [#tpp.post_op<unary tanh>] outs(%e6 : tensor<3x5x19xf32>) -> tensor<3x5x19xf32>
  %e7 = tensor.empty() : tensor<1x1x2xf32>
  %7 = tpp.winograd_output tile = 4 ins(%m7 : tensor<36x1x2xf32>) post_ops = [#tpp.post_op<binary sub scalar>] post(%p7 : tensor<1xf32>) outs(%e7 : tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %e8 = tensor.empty() : tensor<2x13x9xf32>
  %8 = tpp.winograd_output tile = 4 ins(%m8 : tensor<36x4x9xf32>) post_ops = [#tpp.post_op<binary div col>, #tpp.post_op<binary min row>] post(%p8, %p9 : tensor<2x13xf32>, tensor<2x9xbf16>) outs(%e8 : tensor<2x13x9xf32>) -> tensor<2x13x9xf32>
  %e9 = tensor.empty() : tensor<4x1x33xf32>
  %9 = tpp.winograd_output tile = 4 ins(%m9 : tensor<36x2x33xf32>) outs(%e9 : tensor<4x1x33xf32>) -> tensor<4x1x33xf32>
  %e10 = tensor.empty() : tensor<4x8x65xf32>
  %10 = tpp.winograd_output tile = 4 ins(%m10 : tensor<36x2x65xf32>) post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<binary add>] post(%p10 : tensor<4x8x65xf32>) outs(%e10 : tensor<4x8x65xf32>) -> tensor<4x8x65xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<2x8x5xf32>, tensor<1x1x1xf32>, tensor<2x5x17xf32>, tensor<1x9x8xf32>, tensor<2x2x40xf32>, tensor<4x12x16xf32>, tensor<3x5x19xf32>, tensor<1x1x2xf32>, tensor<2x13x9xf32>, tensor<4x1x33xf32>, tensor<4x8x65xf32>
}
