// tpp.winograd_input: its descriptor, operands that no kernel reads, its loops on small integers, whose results are exact, and its kernels beside its
// loops.
// RUN: split-file %s %t
// RUN: tpp-opt %t/descriptors.mlir --tpp-bind-kernels | FileCheck %t/descriptors.mlir
// RUN: tpp-opt %t/descriptors.mlir --tpp-bind-kernels=provider=native | FileCheck %t/descriptors.mlir --check-prefix=NATIVE
// RUN: tpp-opt %t/refused.mlir --tpp-bind-kernels -split-input-file -verify-diagnostics | FileCheck %t/refused.mlir
// RUN: tpp-opt %t/loops.mlir --tpp-lower-tpp-to-loops --convert-linalg-to-loops --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-to-llvm --reconcile-unrealized-casts \
// RUN: | mlir-runner -e main -entry-point-result=void -shared-libs=%llvm_lib/libmlir_c_runner_utils.so,%llvm_lib/libmlir_runner_utils.so \
// RUN: | FileCheck %t/loops.mlir
// RUN: tpp-run %t/kernels.mlir --threads=1 --check=reference --rtol=1e-6 | FileCheck %t/kernels.mlir
// RUN: tpp-run %t/kernels.mlir --threads=1 --provider=reference --check=reference --rtol=1e-6 | FileCheck %t/kernels.mlir --check-prefix=REFERENCE
// RUN: sed -E 's/(%x[0-9]+ ?: tensor<[0-9x]+)f32/\1bf16/g' %t/kernels.mlir > %t/bf16.mlir
// RUN: tpp-run %t/bf16.mlir --threads=1 --check=reference --rtol=1e-6 | FileCheck %t/kernels.mlir

//--- descriptors.mlir

// Offsets may be dynamic. Rows of pixels and points may have gaps.
// CHECK-LABEL: @padding(
// CHECK-SAME: %[[X:.*]]: memref<6x10x8xf32, strided<[800, 12, 1], offset: ?>>, %[[O:.*]]: memref<36x2x8xf32, strided<[48, 24, 1], offset: ?>>)
// CHECK: %[[K:.*]] = tpp.dispatch #tpp.winograd_input_desc<tile = 4, tiles = 2, channels = 8, height = 6, width = 10, in = <type = f32, ld = 12>, out = <type = f32, ld = 24>, in_row_stride = 800, out_point_stride = 48>
// CHECK: tpp.invoke %[[K]] ins(%[[X]] : {{.*}}) outs(%[[O]] : {{.*}})
// NATIVE: tpp.dispatch #tpp.winograd_input_desc<{{.*}}, provider = native>
func.func @padding(%x: memref<6x10x8xf32, strided<[800, 12, 1], offset: ?>>, %o: memref<36x2x8xf32, strided<[48, 24, 1], offset: ?>>) {
  tpp.winograd_input tile = 4 ins(%x : memref<6x10x8xf32, strided<[800, 12, 1], offset: ?>>) outs(%o : memref<36x2x8xf32, strided<[48, 24, 1], offset: ?>>)
  return
}

// CHECK-LABEL: @border(
// CHECK: #tpp.winograd_input_desc<tile = 2, tiles = 4, channels = 5, height = 3, width = 9, in = <type = f32, ld = 5>, out = <type = f32, ld = 5>, in_row_stride = 45, out_point_stride = 20, top = 1, left = 1>
func.func @border(%x: memref<3x9x5xf32>, %o: memref<16x4x5xf32>) {
  tpp.winograd_input tile = 2 top = 1 left = 1 ins(%x : memref<3x9x5xf32>) outs(%o : memref<16x4x5xf32>)
  return
}

// The strides of one row, one pixel and one tile have no effect. An image whose rows are equal has a stride of 0; rows may overlap.
// CHECK-LABEL: @strides(
// CHECK: #tpp.winograd_input_desc<tile = 2, tiles = 1, channels = 5, height = 1, width = 1, in = <type = f32, ld = 5>, out = <type = f32, ld = 5>, in_row_stride = 0, out_point_stride = 9>
// CHECK: #tpp.winograd_input_desc<{{.*}}, in_row_stride = 0, out_point_stride = 20>
// CHECK: #tpp.winograd_input_desc<{{.*}}, in_row_stride = 5, out_point_stride = 20>
func.func @strides(%x: memref<1x1x5xf32, strided<[?, 7, 1]>>, %y: memref<4x10x5xf32, strided<[0, 5, 1]>>, %z: memref<4x10x5xf32, strided<[5, 5, 1]>>,
                   %o: memref<16x1x5xf32, strided<[9, 3, 1]>>, %p: memref<16x4x5xf32>) {
  tpp.winograd_input tile = 2 ins(%x : memref<1x1x5xf32, strided<[?, 7, 1]>>) outs(%o : memref<16x1x5xf32, strided<[9, 3, 1]>>)
  tpp.winograd_input tile = 2 ins(%y : memref<4x10x5xf32, strided<[0, 5, 1]>>) outs(%p : memref<16x4x5xf32>)
  tpp.winograd_input tile = 2 ins(%z : memref<4x10x5xf32, strided<[5, 5, 1]>>) outs(%p : memref<16x4x5xf32>)
  return
}

// Channels that are not contiguous are panels of one channel.
// CHECK-LABEL: @channels_first(
// CHECK: #tpp.winograd_input_desc<{{.*}} in = <type = f32, ld = 1, panel = 1, panel_stride = 40>, out = <type = f32, ld = 5>, in_row_stride = 10, out_point_stride = 20>
func.func @channels_first(%x: memref<4x10x5xf32, strided<[10, 1, 40]>>, %o: memref<16x4x5xf32>) {
  tpp.winograd_input tile = 2 ins(%x : memref<4x10x5xf32, strided<[10, 1, 40]>>) outs(%o : memref<16x4x5xf32>)
  return
}

//--- refused.mlir

// CHECK-NOT: tpp.dispatch
// CHECK-LABEL: @rows(
// CHECK: scf.for
func.func @rows(%x: memref<4x10x5xf32, strided<[?, 5, 1]>>, %o: memref<16x4x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': its batch stride is not static}}
  tpp.winograd_input tile = 2 ins(%x : memref<4x10x5xf32, strided<[?, 5, 1]>>) outs(%o : memref<16x4x5xf32>)
  return
}

// -----

// CHECK-LABEL: @pixels(
// CHECK: scf.for
func.func @pixels(%x: memref<4x10x5xf32, strided<[50, ?, 1]>>, %o: memref<16x4x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': its strides are not static}}
  tpp.winograd_input tile = 2 ins(%x : memref<4x10x5xf32, strided<[50, ?, 1]>>) outs(%o : memref<16x4x5xf32>)
  return
}

// -----

// CHECK-LABEL: @equal_pixels(
// CHECK: scf.for
func.func @equal_pixels(%x: memref<4x10x5xf32, strided<[50, 0, 1]>>, %o: memref<16x4x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': a stride is 0 (it is broadcast)}}
  tpp.winograd_input tile = 2 ins(%x : memref<4x10x5xf32, strided<[50, 0, 1]>>) outs(%o : memref<16x4x5xf32>)
  return
}

// -----

// CHECK-LABEL: @descending_pixels(
// CHECK: scf.for
func.func @descending_pixels(%x: memref<4x10x5xf32, strided<[50, -5, 1], offset: 45>>, %o: memref<16x4x5xf32>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'in': a stride is not positive}}
  tpp.winograd_input tile = 2 ins(%x : memref<4x10x5xf32, strided<[50, -5, 1], offset: 45>>) outs(%o : memref<16x4x5xf32>)
  return
}

// -----

// CHECK-LABEL: @points(
// CHECK: scf.for
func.func @points(%x: memref<4x10x5xf32>, %o: memref<16x4x5xf32, strided<[?, 5, 1]>>) {
  // expected-remark @below {{no kernel, lowered to scalar loops: operand 'out': its batch stride is not static}}
  tpp.winograd_input tile = 2 ins(%x : memref<4x10x5xf32>) outs(%o : memref<16x4x5xf32, strided<[?, 5, 1]>>)
  return
}

//--- loops.mlir

// Padding holds 99 (the image) or -7 (the result) to show that it is neither read nor written.
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
memref.global constant @image : memref<3x6x2xf32> = dense<[[[1., 2.], [3., 4.], [5., 6.], [7., 8.], [9., 10.], [99., 99.]], [[11., 12.], [13., 14.], [15., 16.], [17., 18.], [19., 20.], [99., 99.]], [[21., 22.], [23., 24.], [25., 26.], [27., 28.], [29., 30.], [99., 99.]]]>
memref.global constant @image4 : memref<5x5x1xf32> = dense<[[[0.], [7.], [3.], [10.], [6.]], [[2.], [9.], [5.], [1.], [8.]], [[4.], [0.], [7.], [3.], [10.]], [[6.], [2.], [9.], [5.], [1.]], [[8.], [4.], [0.], [7.], [3.]]]>

func.func @main() {
  %filler = arith.constant -7.0 : f32
  // Two tiles of 4 x 4 pixels that begin one row and one pixel before an image of 3 x 5 pixels and two channels.
  // CHECK-LABEL: rank = 3
  // CHECK: [13, 14, -7]
  // CHECK-NEXT: [4, 4, -7]
  // CHECK-NEXT: [-24, -26, -7]
  // CHECK-NEXT: [-32, -34, -7]
  // CHECK-NEXT: [-2, -2, -7]
  // CHECK-NEXT: [-2, -2, -7]
  // CHECK-NEXT: [4, 4, -7]
  // CHECK-NEXT: [4, 4, -7]
  // CHECK-NEXT: [-16, -18, -7]
  // CHECK-NEXT: [-8, -8, -7]
  // CHECK-NEXT: [28, 32, -7]
  // CHECK-NEXT: [44, 48, -7]
  // CHECK-NEXT: [4, 4, -7]
  // CHECK-NEXT: [4, 4, -7]
  // CHECK-NEXT: [-8, -8, -7]
  // CHECK-NEXT: [-8, -8, -7]
  // CHECK-NEXT: [-10, -10, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [20, 20, -7]
  // CHECK-NEXT: [20, 20, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [20, 20, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [-40, -40, -7]
  // CHECK-NEXT: [-40, -40, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, -7]
  %x = memref.get_global @image : memref<3x6x2xf32>
  %image = memref.subview %x[0, 0, 0] [3, 5, 2] [1, 1, 1] : memref<3x6x2xf32> to memref<3x5x2xf32, strided<[12, 2, 1]>>
  %o = memref.alloc() : memref<16x2x3xf32>
  linalg.fill ins(%filler : f32) outs(%o : memref<16x2x3xf32>)
  %points = memref.subview %o[0, 0, 0] [16, 2, 2] [1, 1, 1] : memref<16x2x3xf32> to memref<16x2x2xf32, strided<[6, 3, 1]>>
  tpp.winograd_input tile = 2 top = 1 left = 1 ins(%image : memref<3x5x2xf32, strided<[12, 2, 1]>>) outs(%points : memref<16x2x2xf32, strided<[6, 3, 1]>>)
  %u = memref.cast %o : memref<16x2x3xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()

  // One tile of 6 x 6 pixels, of which 5 x 5 are in the image.
  // CHECK-LABEL: rank = 2
  // CHECK: [44, -27, 165, {{-?}}0, {{-?}}0, -32]
  // CHECK-NEXT: [87, 204, -28, 23, -81, -100]
  // CHECK-NEXT: [55, -96, 220, -77, 99, 182]
  // CHECK-NEXT: [22, 27, -77, 22, -66, -100]
  // CHECK-NEXT: [66, -9, 143, -22, 66, 92]
  // CHECK-NEXT: [64, 2, 252, -42, 146, 209]
  %image4 = memref.get_global @image4 : memref<5x5x1xf32>
  %o4 = memref.alloc() : memref<36x1x1xf32>
  tpp.winograd_input tile = 4 ins(%image4 : memref<5x5x1xf32>) outs(%o4 : memref<36x1x1xf32>)
  %m4 = memref.reinterpret_cast %o4 to offset: [0], sizes: [6, 6], strides: [6, 1] : memref<36x1x1xf32> to memref<6x6xf32>
  %u4 = memref.cast %m4 : memref<6x6xf32> to memref<*xf32>
  call @printMemrefF32(%u4) : (memref<*xf32>) -> ()
  return
}

//--- kernels.mlir

// Vectors of channels and their remainders, tiles without pixels, images that are smaller than one tile, borders.
// CHECK: winograd_input_f32_2
// CHECK: winograd_input_f32_4
// CHECK-COUNT-12: equals the reference
// REFERENCE: tpp_uk_winograd_input_{{.*}}reference
// REFERENCE-COUNT-12: equals the reference
func.func @main(%x0: tensor<3x9x5xf32>, %x1: tensor<1x1x1xf32>, %x2: tensor<4x8x17xf32>, %x3: tensor<0x8x8xf32>, %x4: tensor<2x3x40xf32>, %x5: tensor<3x7x3xf32>, %x6: tensor<6x14x16xf32>, %x7: tensor<5x9x19xf32>, %x8: tensor<1x1x2xf32>, %x9: tensor<2x15x9xf32>, %x10: tensor<6x3x33xf32>, %x11: tensor<4x29x7xf32>)
    -> (tensor<16x4x5xf32>, tensor<16x1x1xf32>, tensor<16x3x17xf32>, tensor<16x3x8xf32>, tensor<16x2x40xf32>, tensor<16x5x3xf32>, tensor<36x3x16xf32>, tensor<36x2x19xf32>, tensor<36x1x2xf32>, tensor<36x4x9xf32>, tensor<36x2x33xf32>, tensor<36x7x7xf32>) {
  %e0 = tensor.empty() : tensor<16x4x5xf32>
  %0 = tpp.winograd_input tile = 2 top = 1 left = 1 ins(%x0 : tensor<3x9x5xf32>) outs(%e0 : tensor<16x4x5xf32>) -> tensor<16x4x5xf32>
  %e1 = tensor.empty() : tensor<16x1x1xf32>
  %1 = tpp.winograd_input tile = 2 top = 0 left = 0 ins(%x1 : tensor<1x1x1xf32>) outs(%e1 : tensor<16x1x1xf32>) -> tensor<16x1x1xf32>
  %e2 = tensor.empty() : tensor<16x3x17xf32>
  %2 = tpp.winograd_input tile = 2 top = 0 left = 0 ins(%x2 : tensor<4x8x17xf32>) outs(%e2 : tensor<16x3x17xf32>) -> tensor<16x3x17xf32>
  %e3 = tensor.empty() : tensor<16x3x8xf32>
  %3 = tpp.winograd_input tile = 2 top = 0 left = 0 ins(%x3 : tensor<0x8x8xf32>) outs(%e3 : tensor<16x3x8xf32>) -> tensor<16x3x8xf32>
  %e4 = tensor.empty() : tensor<16x2x40xf32>
  %4 = tpp.winograd_input tile = 2 top = 2 left = 3 ins(%x4 : tensor<2x3x40xf32>) outs(%e4 : tensor<16x2x40xf32>) -> tensor<16x2x40xf32>
  %e5 = tensor.empty() : tensor<16x5x3xf32>
  %5 = tpp.winograd_input tile = 2 top = 0 left = 1 ins(%x5 : tensor<3x7x3xf32>) outs(%e5 : tensor<16x5x3xf32>) -> tensor<16x5x3xf32>
  %e6 = tensor.empty() : tensor<36x3x16xf32>
  %6 = tpp.winograd_input tile = 4 top = 0 left = 0 ins(%x6 : tensor<6x14x16xf32>) outs(%e6 : tensor<36x3x16xf32>) -> tensor<36x3x16xf32>
  %e7 = tensor.empty() : tensor<36x2x19xf32>
  %7 = tpp.winograd_input tile = 4 top = 1 left = 1 ins(%x7 : tensor<5x9x19xf32>) outs(%e7 : tensor<36x2x19xf32>) -> tensor<36x2x19xf32>
  %e8 = tensor.empty() : tensor<36x1x2xf32>
  %8 = tpp.winograd_input tile = 4 top = 0 left = 0 ins(%x8 : tensor<1x1x2xf32>) outs(%e8 : tensor<36x1x2xf32>) -> tensor<36x1x2xf32>
  %e9 = tensor.empty() : tensor<36x4x9xf32>
  %9 = tpp.winograd_input tile = 4 top = 4 left = 2 ins(%x9 : tensor<2x15x9xf32>) outs(%e9 : tensor<36x4x9xf32>) -> tensor<36x4x9xf32>
  %e10 = tensor.empty() : tensor<36x2x33xf32>
  %10 = tpp.winograd_input tile = 4 top = 0 left = 0 ins(%x10 : tensor<6x3x33xf32>) outs(%e10 : tensor<36x2x33xf32>) -> tensor<36x2x33xf32>
  %e11 = tensor.empty() : tensor<36x7x7xf32>
  %11 = tpp.winograd_input tile = 4 top = 0 left = 1 ins(%x11 : tensor<4x29x7xf32>) outs(%e11 : tensor<36x7x7xf32>) -> tensor<36x7x7xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<16x4x5xf32>, tensor<16x1x1xf32>, tensor<16x3x17xf32>, tensor<16x3x8xf32>, tensor<16x2x40xf32>, tensor<16x5x3xf32>, tensor<36x3x16xf32>, tensor<36x2x19xf32>, tensor<36x1x2xf32>, tensor<36x4x9xf32>, tensor<36x2x33xf32>, tensor<36x7x7xf32>
}
