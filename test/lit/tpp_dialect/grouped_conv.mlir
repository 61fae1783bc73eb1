// tpp.grouped_conv and its descriptor: they parse, verify and print as written, without default values. Then one test for each message of their
// verifiers.
// RUN: split-file %s %t
// RUN: tpp-opt %t/valid.mlir | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir | tpp-opt | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir --mlir-print-op-generic | tpp-opt | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN: | FileCheck %t/valid.mlir --check-prefix=BUFFERS
// RUN: tpp-opt %t/invalid.mlir -split-input-file -verify-diagnostics

//--- valid.mlir

// CHECK-LABEL: @on_tensors(
// CHECK: tpp.grouped_conv taps = [3, 3] ins(%{{.*}}, %{{.*}} : tensor<6x7x8xf32>, tensor<9x8xf32>) outs(%{{.*}} : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
func.func @on_tensors(%x: tensor<6x7x8xf32>, %w: tensor<9x8xf32>, %c: tensor<4x5x8xf32>) -> tensor<4x5x8xf32> {
  %0 = tpp.grouped_conv taps = [3, 3] steps = [1, 1] dilations = [1, 1] before = [0, 0] group = [1, 1]
    ins(%x, %w : tensor<6x7x8xf32>, tensor<9x8xf32>) outs(%c : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
  return %0 : tensor<4x5x8xf32>
}

// All attributes, and a filter in panels of which the last one is padded.
// CHECK-LABEL: @attributes(
// CHECK: tpp.grouped_conv taps = [3, 1] steps = [2, 3] dilations = [4, 2] before = [1, 2] group = [3, 5] ins(%{{.*}}, %{{.*}} : memref<6x7x12xf32>, memref<3x9x8xf32>) outs(%{{.*}} : memref<4x5x20xf32>) {note}
func.func @attributes(%x: memref<6x7x12xf32>, %w: memref<3x9x8xf32>, %c: memref<4x5x20xf32>) {
  tpp.grouped_conv taps = [3, 1] steps = [2, 3] dilations = [4, 2] before = [1, 2] group = [3, 5]
    ins(%x, %w : memref<6x7x12xf32>, memref<3x9x8xf32>) outs(%c : memref<4x5x20xf32>) {note}
  return
}

// Operands of post-ops have the height as their first dimension.
// CHECK-LABEL: @post_ops(
// CHECK: tpp.grouped_conv taps = [1, 2] ins(%{{.*}}, %{{.*}} : memref<2x7x5xf32>, memref<2x5xf32>)
// CHECK-SAME: post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary add>]
// CHECK-SAME: post(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x5xf32>, memref<2x6xbf16>, memref<2xf16>, memref<2x6x5xf32>) outs(%{{.*}} : memref<2x6x5xf32>)
func.func @post_ops(%x: memref<2x7x5xf32>, %w: memref<2x5xf32>, %row: memref<2x5xf32>, %col: memref<2x6xbf16>, %scalar: memref<2xf16>, %all: memref<2x6x5xf32>,
                    %c: memref<2x6x5xf32>) {
  tpp.grouped_conv taps = [1, 2] ins(%x, %w : memref<2x7x5xf32>, memref<2x5xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary add>]
    post(%row, %col, %scalar, %all : memref<2x5xf32>, memref<2x6xbf16>, memref<2xf16>, memref<2x6x5xf32>) outs(%c : memref<2x6x5xf32>)
  return
}

// Low precision. Unsigned images and results, and the border of an image, are attributes.
// CHECK-LABEL: @types(
// CHECK: tpp.grouped_conv taps = [3, 3] ins(%{{.*}}, %{{.*}} : memref<6x7x8xbf16>, memref<9x8xbf16>) outs(%{{.*}} : memref<4x5x8xbf16>)
// CHECK: tpp.grouped_conv taps = [3, 3] border = -128 ins(%{{.*}}, %{{.*}} : memref<6x7x8xi8>, memref<9x8xi8>) outs(%{{.*}} : memref<4x5x8xi32>)
// CHECK: tpp.grouped_conv taps = [3, 3] before = [1, 1] border = 255 in_unsigned out_unsigned ins({{.*}}post_ops = [#tpp.post_op<binary sub row>, #tpp.post_op<unary convert>, #tpp.post_op<binary mul row>]
func.func @types(%x: memref<6x7x8xbf16>, %w: memref<9x8xbf16>, %c: memref<4x5x8xbf16>, %qx: memref<6x7x8xi8>, %qw: memref<9x8xi8>, %s: memref<4x5x8xi32>,
                 %z: memref<4x8xi32>, %scale: memref<4x8xf32>, %q: memref<4x5x8xi8>) {
  tpp.grouped_conv taps = [3, 3] border = 0 ins(%x, %w : memref<6x7x8xbf16>, memref<9x8xbf16>) outs(%c : memref<4x5x8xbf16>)
  tpp.grouped_conv taps = [3, 3] border = -128 ins(%qx, %qw : memref<6x7x8xi8>, memref<9x8xi8>) outs(%s : memref<4x5x8xi32>)
  tpp.grouped_conv taps = [3, 3] before = [1, 1] border = 255 in_unsigned out_unsigned ins(%qx, %qw : memref<6x7x8xi8>, memref<9x8xi8>)
    post_ops = [#tpp.post_op<binary sub row>, #tpp.post_op<unary convert>, #tpp.post_op<binary mul row>] post(%z, %scale : memref<4x8xi32>, memref<4x8xf32>)
    outs(%q : memref<4x5x8xi8>)
  return
}

// Images may be empty, or smaller or larger than the window. The whole window may be outside.
// CHECK-LABEL: @small(
// CHECK: outs(%{{.*}} : memref<0x5x8xf32>)
// CHECK: ins(%{{.*}}, %{{.*}} : memref<0x7x8xf32>, memref<9x8xf32>)
// CHECK: before = [3, 3] ins(%{{.*}}, %{{.*}} : memref<2x2x8xf32>, memref<9x8xf32>)
// CHECK: ins(%{{.*}}, %{{.*}} : memref<9x9x8xf32>, memref<9x8xf32>)
func.func @small(%x: memref<2x2x8xf32>, %none: memref<0x7x8xf32>, %large: memref<9x9x8xf32>, %w: memref<9x8xf32>, %empty: memref<0x5x8xf32>, %c: memref<1x1x8xf32>) {
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<2x2x8xf32>, memref<9x8xf32>) outs(%empty : memref<0x5x8xf32>)
  tpp.grouped_conv taps = [3, 3] ins(%none, %w : memref<0x7x8xf32>, memref<9x8xf32>) outs(%c : memref<1x1x8xf32>)
  tpp.grouped_conv taps = [3, 3] before = [3, 3] ins(%x, %w : memref<2x2x8xf32>, memref<9x8xf32>) outs(%c : memref<1x1x8xf32>)
  tpp.grouped_conv taps = [3, 3] ins(%large, %w : memref<9x9x8xf32>, memref<9x8xf32>) outs(%c : memref<1x1x8xf32>)
  return
}

// A residual may share the result's buffer. The input may not: its pixels are read again for other outputs.
// BUFFERS-LABEL: @residual(
// BUFFERS-SAME: %[[X:.*]]: memref<4x8x8xf32>, %[[W:.*]]: memref<1x8xf32>, %[[R:.*]]: memref<4x8x8xf32>)
// BUFFERS-NEXT: tpp.grouped_conv taps = [1, 1] ins(%[[X]], %[[W]] : {{.*}}) post_ops = {{.*}} post(%[[R]] : memref<4x8x8xf32>) outs(%[[R]] : memref<4x8x8xf32>)
// BUFFERS-NEXT: return %[[R]]
func.func @residual(%x: tensor<4x8x8xf32>, %w: tensor<1x8xf32>, %r: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %0 = tpp.grouped_conv taps = [1, 1] ins(%x, %w : tensor<4x8x8xf32>, tensor<1x8xf32>) post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add>]
    post(%r : tensor<4x8x8xf32>) outs(%r : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %0 : tensor<4x8x8xf32>
}
// BUFFERS-LABEL: @input(
// BUFFERS: %[[COPY:.*]] = memref.alloc
// BUFFERS: tpp.grouped_conv
// BUFFERS-SAME: outs(%[[COPY]] : memref<4x8x8xf32>)
func.func @input(%x: tensor<4x8x8xf32>, %w: tensor<9x8xf32>) -> tensor<4x8x8xf32> {
  %0 = tpp.grouped_conv taps = [3, 3] before = [1, 1] ins(%x, %w : tensor<4x8x8xf32>, tensor<9x8xf32>) outs(%x : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %0 : tensor<4x8x8xf32>
}

// CHECK-LABEL: @descriptors
// CHECK-SAME: a = #tpp.grouped_conv_desc<height = 14, width = 14, channels = 96, in_height = 28, in_width = 28, tap_rows = 3, tap_cols = 3, row_step = 2, col_step = 2, top = 1, left = 1, in = <type = f32, ld = 96>, filter = <type = f32, ld = 96>, out = <type = f32, ld = 96>, in_row_stride = 2688, out_row_stride = 1344>,
// CHECK-SAME: b = #tpp.grouped_conv_desc<height = 2, width = 3, channels = 10, in_height = 2, in_width = 3, group_inputs = 3, group_outputs = 5, tap_rows = 1, tap_cols = 2, row_dilation = 4, col_dilation = 5, {{.*}}, provider = native, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add row, <type = bf16, ld = 5>>], post_row_strides = 0, 5>
func.func private @descriptors() attributes {
  a = #tpp.grouped_conv_desc<height = 14, width = 14, channels = 96, in_height = 28, in_width = 28, group_inputs = 1, group_outputs = 1, tap_rows = 3, tap_cols = 3, row_step = 2, col_step = 2, row_dilation = 1, top = 1, left = 1, in = <type = f32, ld = 96>, filter = <type = f32, ld = 96>, out = <type = f32, ld = 96>, in_row_stride = 2688, out_row_stride = 1344, provider = auto>,
  b = #tpp.grouped_conv_desc<height = 2, width = 3, channels = 10, in_height = 2, in_width = 3, group_inputs = 3, group_outputs = 5, tap_rows = 1, tap_cols = 2, row_dilation = 4, col_dilation = 5, in = <type = f32, ld = 6>, filter = <type = f32, ld = 8, panel = 8, panel_stride = 48>, out = <type = f32, ld = 10>, in_row_stride = 18, out_row_stride = 30, provider = native, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add row, <type = bf16, ld = 5>>], post_row_strides = 0, 5>
}

//--- invalid.mlir

func.func @mixed(%x: tensor<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{mixes tensors and memrefs}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : tensor<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @mixed_filter(%x: memref<6x7x8xf32>, %w: tensor<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{mixes tensors and memrefs}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, tensor<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @mixed_post(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %p: tensor<4x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{mixes tensors and memrefs}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>)
    post_ops = [#tpp.post_op<binary add row>] post(%p : tensor<4x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @no_result_on_tensors(%x: tensor<6x7x8xf32>, %w: tensor<9x8xf32>, %c: tensor<4x5x8xf32>) {
  // expected-error @below {{needs a result on tensors}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : tensor<6x7x8xf32>, tensor<9x8xf32>) outs(%c : tensor<4x5x8xf32>)
  return
}

// -----

func.func @taps(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{taps must be two numbers of at least 1, got [3]}}
  tpp.grouped_conv taps = [3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @no_taps(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{taps must be two numbers of at least 1, got [3, 0]}}
  tpp.grouped_conv taps = [3, 0] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @steps(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{steps must be two numbers of at least 1, got [0, 1]}}
  tpp.grouped_conv taps = [3, 3] steps = [0, 1] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @dilations(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{dilations must be two numbers of at least 1, got [1, 1, 1]}}
  tpp.grouped_conv taps = [3, 3] dilations = [1, 1, 1] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @before(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{before must be two numbers of at least 0, got [-1, 0]}}
  tpp.grouped_conv taps = [3, 3] before = [-1, 0] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @group(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{group must be two numbers of at least 1, got [2, 0]}}
  tpp.grouped_conv taps = [3, 3] group = [2, 0] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @rank(%x: memref<6x56xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operand 'in' must have three static dimensions, got 'memref<6x56xf32>'}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x56xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @dynamic(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<?x5x8xf32>) {
  // expected-error @below {{operand 'out' must have three static dimensions, got 'memref<?x5x8xf32>'}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<?x5x8xf32>)
  return
}

// -----

func.func @element_type(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xbf16>) {
  // expected-error @below {{cannot convolve 'f32' x 'f32' -> 'bf16'; possible are f32 x f32 -> f32, bf16 x bf16 -> f32 or bf16, i8 x i8 -> i32 (f32, bf16, f16 or i8 after the post-op convert)}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xbf16>)
  return
}

// -----

func.func @type_of_the_filter(%x: memref<6x7x8xf32>, %w: memref<9x8xf64>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{cannot convolve 'f32' x 'f64' -> 'f32'; possible are}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf64>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @unconverted(%x: memref<6x7x8xi8>, %w: memref<9x8xi8>, %c: memref<4x5x8xi8>) {
  // expected-error @below {{cannot convolve 'i8' x 'i8' -> 'i8'; possible are}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xi8>, memref<9x8xi8>) outs(%c : memref<4x5x8xi8>)
  return
}

// -----

func.func @unsigned_floats(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{in_unsigned needs operand 'in' of i8, got 'f32'}}
  tpp.grouped_conv taps = [3, 3] in_unsigned ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @unsigned_sums(%x: memref<6x7x8xi8>, %w: memref<9x8xi8>, %c: memref<4x5x8xi32>) {
  // expected-error @below {{out_unsigned needs operand 'out' of i8, got 'i32'}}
  tpp.grouped_conv taps = [3, 3] out_unsigned ins(%x, %w : memref<6x7x8xi8>, memref<9x8xi8>) outs(%c : memref<4x5x8xi32>)
  return
}

// -----

func.func @border_of_floats(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{border must be from 0 to 0 for this image, got 1}}
  tpp.grouped_conv taps = [3, 3] border = 1 ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @unsigned_border(%x: memref<6x7x8xi8>, %w: memref<9x8xi8>, %c: memref<4x5x8xi32>) {
  // expected-error @below {{border must be from 0 to 255 for this image, got -1}}
  tpp.grouped_conv taps = [3, 3] border = -1 in_unsigned ins(%x, %w : memref<6x7x8xi8>, memref<9x8xi8>) outs(%c : memref<4x5x8xi32>)
  return
}

// -----

func.func @post_operand_of_integers(%x: memref<6x7x8xi8>, %w: memref<9x8xi8>, %p: memref<4x8xf32>, %c: memref<4x5x8xi32>) {
  // expected-error @below {{a post-op's operand must be of i32, got 'memref<4x8xf32>'}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xi8>, memref<9x8xi8>)
    post_ops = [#tpp.post_op<binary add row>] post(%p : memref<4x8xf32>) outs(%c : memref<4x5x8xi32>)
  return
}

// -----

func.func @channels(%x: memref<6x7x9xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operands 'in' and 'out' have 9 and 8 channels, groups have 1 and 1}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x9xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @input_channels(%x: memref<6x7x9xf32>, %w: memref<18x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operands 'in' and 'out' have 9 and 8 channels, groups have 2 and 2}}
  tpp.grouped_conv taps = [3, 3] group = [2, 2] ins(%x, %w : memref<6x7x9xf32>, memref<18x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @output_channels(%x: memref<6x7x8xf32>, %w: memref<27x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operands 'in' and 'out' have 8 and 8 channels, groups have 3 and 3}}
  tpp.grouped_conv taps = [3, 3] group = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<27x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @filter_rows(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operand 'filter' has 9 rows, needs 18}}
  tpp.grouped_conv taps = [3, 3] group = [2, 2] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @filter_columns(%x: memref<6x7x8xf32>, %w: memref<9x7xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operand 'filter' has 7 columns, needs 8}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x7xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @filter_panels(%x: memref<6x7x8xf32>, %w: memref<3x9x4xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operand 'filter' has 3 panels of 4 columns, 8 columns need 2}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<3x9x4xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @filter_rank(%x: memref<6x7x8xf32>, %w: memref<3x3x1x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operand 'filter' must have rank 2 (plain) or 3 (panels), got 'memref<3x3x1x8xf32>'}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<3x3x1x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @many_taps(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{has more taps than 63 bits count}}
  tpp.grouped_conv taps = [4611686018427387904, 2] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @window(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{needs more rows of pixels than 63 bits count}}
  tpp.grouped_conv taps = [3, 3] steps = [4611686018427387904, 1] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @wide_window(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{needs more columns of pixels than 63 bits count}}
  tpp.grouped_conv taps = [3, 3] dilations = [1, 4611686018427387904] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @rows_before(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{has 7 rows before the image, but needs only 6}}
  tpp.grouped_conv taps = [3, 3] before = [7, 7] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @columns_before(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{has 8 columns before the image, but needs only 7}}
  tpp.grouped_conv taps = [3, 3] before = [6, 8] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @many_post_ops(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{at most 16 post-ops are possible, got 17}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>)
    post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>] outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @post_operands(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %p: memref<4x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{has 2 binary post-ops and 1 operands for them}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<binary mul row>] post(%p : memref<4x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @form(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %p: memref<4x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{post-op #tpp.post_op<binary add row, <type = f32, ld = 8>> carries a form, which belongs in a descriptor}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>)
    post_ops = [#tpp.post_op<binary add row, <type = f32, ld = 8>>] post(%p : memref<4x8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @conversion(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{post-op 'convert' applies to i32 sums, once}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>)
    post_ops = [#tpp.post_op<unary convert>] outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @type_of_a_post_operand(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %p: memref<4x8xf64>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{a post-op's operand must be of f32, bf16 or f16, got 'memref<4x8xf64>'}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>)
    post_ops = [#tpp.post_op<binary add row>] post(%p : memref<4x8xf64>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

func.func @row(%x: memref<6x7x8xf32>, %w: memref<9x8xf32>, %p: memref<8xf32>, %c: memref<4x5x8xf32>) {
  // expected-error @below {{operand 'post' must have the shape [4, 8] (broadcast row), got 'memref<8xf32>'}}
  tpp.grouped_conv taps = [3, 3] ins(%x, %w : memref<6x7x8xf32>, memref<9x8xf32>)
    post_ops = [#tpp.post_op<binary add row>] post(%p : memref<8xf32>) outs(%c : memref<4x5x8xf32>)
  return
}

// -----

// expected-error @below {{height must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = -1, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{width must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = -1, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{channels must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = -1, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{in_height must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = -1, in_width = 7, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{in_width must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = -1, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{top must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, top = -1, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{left must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, left = -1, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{group_inputs must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, group_inputs = 0, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{group_outputs must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, group_outputs = 0, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{tap_rows must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 0, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{tap_cols must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 0, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{row_step must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, row_step = 0, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{col_step must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, col_step = 0, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{row_dilation must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, row_dilation = 0, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{col_dilation must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, col_dilation = 0, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40>}

// -----

// expected-error @below {{a descriptor's binary post-op needs its operand's form}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40, post_ops = [#tpp.post_op<binary add row>], post_row_strides = 0>}

// -----

// expected-error @below {{post_row_strides has 1 entries for 2 post-ops}}
func.func private @f() attributes {a = #tpp.grouped_conv_desc<height = 4, width = 5, channels = 8, in_height = 6, in_width = 7, tap_rows = 3, tap_cols = 3, in = <type = f32, ld = 8>, filter = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 56, out_row_stride = 40, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary relu>], post_row_strides = 0>}
