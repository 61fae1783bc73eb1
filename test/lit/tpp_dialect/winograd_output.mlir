// tpp.winograd_output and its descriptor: they parse, verify and print as written, without default values. Then one test for each message of
// their verifiers.
// RUN: split-file %s %t
// RUN: tpp-opt %t/valid.mlir | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir | tpp-opt | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir --mlir-print-op-generic | tpp-opt | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN: | FileCheck %t/valid.mlir --check-prefix=BUFFERS
// RUN: tpp-opt %t/invalid.mlir -split-input-file -verify-diagnostics

//--- valid.mlir

// CHECK-LABEL: @on_tensors(
// CHECK: tpp.winograd_output tile = 4 ins(%{{.*}} : tensor<36x14x64xf32>) outs(%{{.*}} : tensor<4x56x64xf32>) -> tensor<4x56x64xf32>
func.func @on_tensors(%m: tensor<36x14x64xf32>, %c: tensor<4x56x64xf32>) -> tensor<4x56x64xf32> {
  %0 = tpp.winograd_output tile = 4 ins(%m : tensor<36x14x64xf32>) outs(%c : tensor<4x56x64xf32>) -> tensor<4x56x64xf32>
  return %0 : tensor<4x56x64xf32>
}

// Operands of post-ops have the height as their first dimension.
// CHECK-LABEL: @post_ops(
// CHECK: tpp.winograd_output tile = 2 ins(%{{.*}} : memref<16x3x5xf32>)
// CHECK-SAME: post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary add>]
// CHECK-SAME: post(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x5xf32>, memref<2x6xbf16>, memref<2xf16>, memref<2x6x5xf32>) outs(%{{.*}} : memref<2x6x5xf32>)
func.func @post_ops(%m: memref<16x3x5xf32>, %row: memref<2x5xf32>, %col: memref<2x6xbf16>, %scalar: memref<2xf16>, %all: memref<2x6x5xf32>,
                    %c: memref<2x6x5xf32>) {
  tpp.winograd_output tile = 2 ins(%m : memref<16x3x5xf32>)
    post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>, #tpp.post_op<binary mul col>, #tpp.post_op<binary max scalar>, #tpp.post_op<binary add>]
    post(%row, %col, %scalar, %all : memref<2x5xf32>, memref<2x6xbf16>, memref<2xf16>, memref<2x6x5xf32>) outs(%c : memref<2x6x5xf32>)
  return
}

// The image may be smaller than the tiles, also by whole tiles, and it may be empty. Empty lists are not printed.
// CHECK-LABEL: @small(
// CHECK: tpp.winograd_output tile = 4 ins(%{{.*}} : memref<36x3x5xf32>) outs(%{{.*}} : memref<1x1x5xf32>)
// CHECK: tpp.winograd_output tile = 4 ins(%{{.*}} : memref<36x3x5xf32>) outs(%{{.*}} : memref<0x12x5xf32>) {note}
func.func @small(%m: memref<36x3x5xf32>, %c: memref<1x1x5xf32>, %d: memref<0x12x5xf32>) {
  tpp.winograd_output tile = 4 ins(%m : memref<36x3x5xf32>) outs(%c : memref<1x1x5xf32>)
  tpp.winograd_output tile = 4 ins(%m : memref<36x3x5xf32>) outs(%d : memref<0x12x5xf32>) {note}
  return
}

// A residual may share the result's buffer. A row for each row of pixels may not: it is read again for the next pixel.
// BUFFERS-LABEL: @residual(
// BUFFERS-SAME: %[[M:.*]]: memref<36x2x8xf32>, %[[R:.*]]: memref<4x8x8xf32>)
// BUFFERS-NEXT: tpp.winograd_output tile = 4 ins(%[[M]] : {{.*}}) post_ops = {{.*}} post(%[[R]] : memref<4x8x8xf32>) outs(%[[R]] : memref<4x8x8xf32>)
// BUFFERS-NEXT: return %[[R]]
func.func @residual(%m: tensor<36x2x8xf32>, %r: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %0 = tpp.winograd_output tile = 4 ins(%m : tensor<36x2x8xf32>) post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add>]
    post(%r : tensor<4x8x8xf32>) outs(%r : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %0 : tensor<4x8x8xf32>
}
// BUFFERS-LABEL: @row_of_the_result(
// BUFFERS-SAME: , %[[R:[^:]*]]: memref<4x8x8xf32>)
// BUFFERS: memref.copy
// BUFFERS: tpp.winograd_output
// BUFFERS: return
func.func @row_of_the_result(%m: tensor<36x2x8xf32>, %r: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %s = tensor.extract_slice %r[0, 7, 0] [4, 1, 8] [1, 1, 1] : tensor<4x8x8xf32> to tensor<4x8xf32>
  %0 = tpp.winograd_output tile = 4 ins(%m : tensor<36x2x8xf32>) post_ops = [#tpp.post_op<binary add row>]
    post(%s : tensor<4x8xf32>) outs(%r : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %0 : tensor<4x8x8xf32>
}

// CHECK-LABEL: @descriptors
// CHECK-SAME: a = #tpp.winograd_output_desc<tile = 4, tiles = 14, channels = 64, height = 4, width = 56, in = <type = f32, ld = 80>, out = <type = f32, ld = 64>, in_point_stride = 1120, out_row_stride = 3584>,
// CHECK-SAME: b = #tpp.winograd_output_desc<{{.*}}, out_row_stride = 15, provider = native, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add row, <type = bf16, ld = 5>>], post_row_strides = 0, 5>
func.func private @descriptors() attributes {
  a = #tpp.winograd_output_desc<tile = 4, tiles = 14, channels = 64, height = 4, width = 56, in = <type = f32, ld = 80>, out = <type = f32, ld = 64>, in_point_stride = 1120, out_row_stride = 3584, provider = auto>,
  b = #tpp.winograd_output_desc<tile = 2, tiles = 2, channels = 5, height = 2, width = 3, in = <type = f32, ld = 5>, out = <type = f32, ld = 5>, in_point_stride = 10, out_row_stride = 15, provider = native, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add row, <type = bf16, ld = 5>>], post_row_strides = 0, 5>
}

//--- invalid.mlir

func.func @mixed(%m: tensor<36x2x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{mixes tensors and memrefs}}
  tpp.winograd_output tile = 4 ins(%m : tensor<36x2x8xf32>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @mixed_post(%m: memref<36x2x8xf32>, %p: tensor<4x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{mixes tensors and memrefs}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) post_ops = [#tpp.post_op<binary add row>] post(%p : tensor<4x8xf32>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @no_result_on_tensors(%m: tensor<36x2x8xf32>, %c: tensor<4x8x8xf32>) {
  // expected-error @below {{needs a result on tensors}}
  tpp.winograd_output tile = 4 ins(%m : tensor<36x2x8xf32>) outs(%c : tensor<4x8x8xf32>)
  return
}

// -----

func.func @tile(%m: memref<64x2x8xf32>, %c: memref<6x12x8xf32>) {
  // expected-error @below {{tile must be 2 or 4, got 6}}
  tpp.winograd_output tile = 6 ins(%m : memref<64x2x8xf32>) outs(%c : memref<6x12x8xf32>)
  return
}

// -----

func.func @rank(%m: memref<36x2x8xf32>, %c: memref<4x64xf32>) {
  // expected-error @below {{operand 'out' must have three static dimensions and elements of f32 or bf16, got 'memref<4x64xf32>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) outs(%c : memref<4x64xf32>)
  return
}

// -----

func.func @dynamic(%m: memref<36x?x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{operand 'in' must have three static dimensions and elements of f32, got 'memref<36x?x8xf32>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x?x8xf32>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @element_type(%m: memref<36x2x8xf32>, %c: memref<4x8x8xf64>) {
  // expected-error @below {{operand 'out' must have three static dimensions and elements of f32 or bf16, got 'memref<4x8x8xf64>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) outs(%c : memref<4x8x8xf64>)
  return
}

// -----

func.func @points(%m: memref<36x2x8xf32>, %c: memref<2x4x8xf32>) {
  // expected-error @below {{operand 'in' has 36 points, a tile of 2 needs 16}}
  tpp.winograd_output tile = 2 ins(%m : memref<36x2x8xf32>) outs(%c : memref<2x4x8xf32>)
  return
}

// -----

func.func @channels(%m: memref<36x2x9xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{operands 'in' and 'out' have 9 and 8 channels}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x9xf32>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @height(%m: memref<36x2x8xf32>, %c: memref<5x8x8xf32>) {
  // expected-error @below {{operand 'out' has 5 x 8 pixels, 2 tiles have 4 x 8}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) outs(%c : memref<5x8x8xf32>)
  return
}

// -----

func.func @width(%m: memref<36x2x8xf32>, %c: memref<4x9x8xf32>) {
  // expected-error @below {{operand 'out' has 4 x 9 pixels, 2 tiles have 4 x 8}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) outs(%c : memref<4x9x8xf32>)
  return
}

// -----

func.func @many_post_ops(%m: memref<36x2x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{at most 16 post-ops are possible, got 17}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>)
    post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>,
                #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>,
                #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>,
                #tpp.post_op<unary relu>, #tpp.post_op<unary relu>] outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @post_operands(%m: memref<36x2x8xf32>, %p: memref<4x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{has 2 binary post-ops and 1 operands for them}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<binary mul row>]
    post(%p : memref<4x8xf32>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @form(%m: memref<36x2x8xf32>, %p: memref<4x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{post-op #tpp.post_op<binary add row, <type = f32, ld = 8>> carries a form, which belongs in a descriptor}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) post_ops = [#tpp.post_op<binary add row, <type = f32, ld = 8>>]
    post(%p : memref<4x8xf32>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @conversion(%m: memref<36x2x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{post-op 'convert' applies to i32 sums, once}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) post_ops = [#tpp.post_op<unary convert>] outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @movement(%m: memref<36x2x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{'transpose' cannot be a post-op}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) post_ops = [#tpp.post_op<unary transpose>] outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @type_of_a_post_operand(%m: memref<36x2x8xf32>, %p: memref<4x8xf64>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{a post-op's operand must be of f32, bf16 or f16, got 'memref<4x8xf64>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) post_ops = [#tpp.post_op<binary add row>] post(%p : memref<4x8xf64>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @none(%m: memref<36x2x8xf32>, %p: memref<4x7x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{operand 'post' must have the shape [4, 8, 8] (broadcast none), got 'memref<4x7x8xf32>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x8xf32>) post_ops = [#tpp.post_op<binary add>] post(%p : memref<4x7x8xf32>) outs(%c : memref<4x8x8xf32>)
  return
}

// -----

func.func @row(%m: memref<36x2x5xf32>, %p: memref<5xf32>, %c: memref<4x8x5xf32>) {
  // expected-error @below {{operand 'post' must have the shape [4, 5] (broadcast row), got 'memref<5xf32>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x5xf32>) post_ops = [#tpp.post_op<binary add row>] post(%p : memref<5xf32>) outs(%c : memref<4x8x5xf32>)
  return
}

// -----

func.func @col(%m: memref<36x2x5xf32>, %p: memref<8x4xf32>, %c: memref<4x8x5xf32>) {
  // expected-error @below {{operand 'post' must have the shape [4, 8] (broadcast col), got 'memref<8x4xf32>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x5xf32>) post_ops = [#tpp.post_op<binary add col>] post(%p : memref<8x4xf32>) outs(%c : memref<4x8x5xf32>)
  return
}

// -----

func.func @scalar(%m: memref<36x2x5xf32>, %p: memref<f32>, %c: memref<4x8x5xf32>) {
  // expected-error @below {{operand 'post' must have the shape [4] (broadcast scalar), got 'memref<f32>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x5xf32>) post_ops = [#tpp.post_op<binary add scalar>] post(%p : memref<f32>) outs(%c : memref<4x8x5xf32>)
  return
}

// -----

func.func @dynamic_post(%m: memref<36x2x5xf32>, %p: memref<?xf32>, %c: memref<4x8x5xf32>) {
  // expected-error @below {{operand 'post' must have the shape [4] (broadcast scalar), got 'memref<?xf32>'}}
  tpp.winograd_output tile = 4 ins(%m : memref<36x2x5xf32>) post_ops = [#tpp.post_op<binary add scalar>] post(%p : memref<?xf32>) outs(%c : memref<4x8x5xf32>)
  return
}

// -----

// expected-error @below {{tile must be 2 or 4, got 0}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 0, tiles = 1, channels = 8, height = 4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32>}

// -----

// expected-error @below {{tiles must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = -1, channels = 8, height = 4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32>}

// -----

// expected-error @below {{channels must not be negative, got -8}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = -8, height = 4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32>}

// -----

// expected-error @below {{height must not be negative, got -4}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = 8, height = -4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32>}

// -----

// expected-error @below {{width must not be negative, got -4}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = 8, height = 4, width = -4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32>}

// -----

// expected-error @below {{post_ops must hold #tpp.post_op attributes, got 1 : i64}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = 8, height = 4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32, post_ops = [1 : i64], post_row_strides = 0>}

// -----

// expected-error @below {{a descriptor's binary post-op needs its operand's form}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = 8, height = 4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32, post_ops = [#tpp.post_op<binary add row>], post_row_strides = 0>}

// -----

// expected-error @below {{post_row_strides has 1 entries for 2 post-ops}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = 8, height = 4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary relu>], post_row_strides = 0>}

// -----

// expected-error @below {{post_row_strides has 1 entries for 0 post-ops}}
func.func private @f() attributes {a = #tpp.winograd_output_desc<tile = 4, tiles = 1, channels = 8, height = 4, width = 4, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_point_stride = 8, out_row_stride = 32, post_row_strides = 0>}
