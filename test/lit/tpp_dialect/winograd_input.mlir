// tpp.winograd_input and its descriptor: they parse, verify and print as written, without default values. Then one test for each message of
// their verifiers.
// RUN: split-file %s %t
// RUN: tpp-opt %t/valid.mlir | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir | tpp-opt | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir --mlir-print-op-generic | tpp-opt | FileCheck %t/valid.mlir
// RUN: tpp-opt %t/valid.mlir --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN: | FileCheck %t/valid.mlir --check-prefix=BUFFERS
// RUN: tpp-opt %t/invalid.mlir -split-input-file -verify-diagnostics

//--- valid.mlir

// The old value of `out` is not read, so it needs no copy.
// CHECK-LABEL: @on_tensors(
// CHECK: tpp.winograd_input tile = 4 ins(%{{.*}} : tensor<6x58x64xf32>) outs(%{{.*}} : tensor<36x14x64xf32>) -> tensor<36x14x64xf32>
// BUFFERS-LABEL: @on_tensors(
// BUFFERS-SAME: %[[X:.*]]: memref<6x58x64xf32>, %[[O:.*]]: memref<36x14x64xf32>)
// BUFFERS-NEXT: tpp.winograd_input tile = 4 ins(%[[X]] : memref<6x58x64xf32>) outs(%[[O]] : memref<36x14x64xf32>)
// BUFFERS-NEXT: return %[[O]]
func.func @on_tensors(%x: tensor<6x58x64xf32>, %o: tensor<36x14x64xf32>) -> tensor<36x14x64xf32> {
  %0 = tpp.winograd_input tile = 4 ins(%x : tensor<6x58x64xf32>) outs(%o : tensor<36x14x64xf32>) -> tensor<36x14x64xf32>
  return %0 : tensor<36x14x64xf32>
}

// The image may be smaller than the tiles, also by whole tiles, and it may be empty.
// CHECK-LABEL: @on_buffers(
// CHECK: tpp.winograd_input tile = 2 top = 1 left = 1 ins(%{{.*}} : memref<3x9x5xf32>) outs(%{{.*}} : memref<16x4x5xf32>)
// CHECK: tpp.winograd_input tile = 2 left = 1 ins(%{{.*}} : memref<3x9x5xf32>) outs(%{{.*}} : memref<16x4x5xf32>)
// CHECK: tpp.winograd_input tile = 4 ins(%{{.*}} : memref<1x1x5xf32>) outs(%{{.*}} : memref<36x3x5xf32>)
// CHECK: tpp.winograd_input tile = 4 top = 6 left = 6 ins(%{{.*}} : memref<0x9x5xf32>) outs(%{{.*}} : memref<36x4x5xf32>) {note}
func.func @on_buffers(%x: memref<3x9x5xf32>, %o: memref<16x4x5xf32>, %y: memref<1x1x5xf32>, %p: memref<36x3x5xf32>,
                      %z: memref<0x9x5xf32>, %q: memref<36x4x5xf32>) {
  tpp.winograd_input tile = 2 top = 1 left = 1 ins(%x : memref<3x9x5xf32>) outs(%o : memref<16x4x5xf32>)
  tpp.winograd_input tile = 2 top = 0 left = 1 ins(%x : memref<3x9x5xf32>) outs(%o : memref<16x4x5xf32>)
  tpp.winograd_input tile = 4 ins(%y : memref<1x1x5xf32>) outs(%p : memref<36x3x5xf32>)
  tpp.winograd_input tile = 4 top = 6 left = 6 ins(%z : memref<0x9x5xf32>) outs(%q : memref<36x4x5xf32>) {note}
  return
}

// CHECK-LABEL: @descriptors
// CHECK-SAME: a = #tpp.winograd_input_desc<tile = 4, tiles = 14, channels = 64, height = 6, width = 58, in = <type = f32, ld = 64>, out = <type = f32, ld = 80>, in_row_stride = 3712, out_point_stride = 1120>,
// CHECK-SAME: b = #tpp.winograd_input_desc<tile = 2, tiles = 1, channels = 3, height = 3, width = 3, in = <type = f32, ld = 3>, out = <type = f32, ld = 3>, in_row_stride = 9, out_point_stride = 3, top = 1, left = 1, provider = native>
func.func private @descriptors() attributes {
  a = #tpp.winograd_input_desc<tile = 4, tiles = 14, channels = 64, height = 6, width = 58, in = <type = f32, ld = 64>, out = <type = f32, ld = 80>, in_row_stride = 3712, out_point_stride = 1120, top = 0, left = 0, provider = auto>,
  b = #tpp.winograd_input_desc<tile = 2, tiles = 1, channels = 3, height = 3, width = 3, in = <type = f32, ld = 3>, out = <type = f32, ld = 3>, in_row_stride = 9, out_point_stride = 3, top = 1, left = 1, provider = native>
}

//--- invalid.mlir

func.func @mixed(%x: tensor<6x10x8xf32>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{mixes tensors and memrefs}}
  tpp.winograd_input tile = 4 ins(%x : tensor<6x10x8xf32>) outs(%o : memref<36x2x8xf32>)
  return
}

// -----

func.func @result_on_memrefs(%x: memref<6x10x8xf32>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{has no result on memrefs}}
  %0 = tpp.winograd_input tile = 4 ins(%x : memref<6x10x8xf32>) outs(%o : memref<36x2x8xf32>) -> tensor<36x2x8xf32>
  return
}

// -----

func.func @no_result_on_tensors(%x: tensor<6x10x8xf32>, %o: tensor<36x2x8xf32>) {
  // expected-error @below {{needs a result on tensors}}
  tpp.winograd_input tile = 4 ins(%x : tensor<6x10x8xf32>) outs(%o : tensor<36x2x8xf32>)
  return
}

// -----

func.func @tile(%x: memref<5x8x8xf32>, %o: memref<25x2x8xf32>) {
  // expected-error @below {{tile must be 2 or 4, got 3}}
  tpp.winograd_input tile = 3 ins(%x : memref<5x8x8xf32>) outs(%o : memref<25x2x8xf32>)
  return
}

// -----

func.func @rank_of_the_image(%x: memref<1x6x10x8xf32>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{operand 'in' must have three static dimensions and elements of f32 or bf16, got 'memref<1x6x10x8xf32>'}}
  tpp.winograd_input tile = 4 ins(%x : memref<1x6x10x8xf32>) outs(%o : memref<36x2x8xf32>)
  return
}

// -----

func.func @rank_of_the_points(%x: memref<6x10x8xf32>, %o: memref<6x6x2x8xf32>) {
  // expected-error @below {{operand 'out' must have three static dimensions and elements of f32, got 'memref<6x6x2x8xf32>'}}
  tpp.winograd_input tile = 4 ins(%x : memref<6x10x8xf32>) outs(%o : memref<6x6x2x8xf32>)
  return
}

// -----

func.func @dynamic(%x: memref<6x?x8xf32>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{operand 'in' must have three static dimensions and elements of f32 or bf16, got 'memref<6x?x8xf32>'}}
  tpp.winograd_input tile = 4 ins(%x : memref<6x?x8xf32>) outs(%o : memref<36x2x8xf32>)
  return
}

// -----

func.func @element_type(%x: memref<6x10x8xf64>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{operand 'in' must have three static dimensions and elements of f32 or bf16, got 'memref<6x10x8xf64>'}}
  tpp.winograd_input tile = 4 ins(%x : memref<6x10x8xf64>) outs(%o : memref<36x2x8xf32>)
  return
}

// -----

func.func @points(%x: memref<6x10x8xf32>, %o: memref<16x2x8xf32>) {
  // expected-error @below {{operand 'out' has 16 points, a tile of 4 needs 36}}
  tpp.winograd_input tile = 4 ins(%x : memref<6x10x8xf32>) outs(%o : memref<16x2x8xf32>)
  return
}

// -----

func.func @channels(%x: memref<6x10x8xf32>, %o: memref<36x2x9xf32>) {
  // expected-error @below {{operands 'out' and 'in' have 9 and 8 channels}}
  tpp.winograd_input tile = 4 ins(%x : memref<6x10x8xf32>) outs(%o : memref<36x2x9xf32>)
  return
}

// -----

func.func @top(%x: memref<0x10x8xf32>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{top must be 0 to 6, got 7}}
  tpp.winograd_input tile = 4 top = 7 ins(%x : memref<0x10x8xf32>) outs(%o : memref<36x2x8xf32>)
  return
}

// -----

func.func @left(%x: memref<4x4x8xf32>, %o: memref<16x2x8xf32>) {
  // expected-error @below {{left must be 0 to 4, got -1}}
  tpp.winograd_input tile = 2 left = -1 ins(%x : memref<4x4x8xf32>) outs(%o : memref<16x2x8xf32>)
  return
}

// -----

func.func @height(%x: memref<6x10x8xf32>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{operand 'in' reaches beyond the tiles: top = 1 and 6 pixels, 2 tiles have 6}}
  tpp.winograd_input tile = 4 top = 1 ins(%x : memref<6x10x8xf32>) outs(%o : memref<36x2x8xf32>)
  return
}

// -----

func.func @width(%x: memref<6x11x8xf32>, %o: memref<36x2x8xf32>) {
  // expected-error @below {{operand 'in' reaches beyond the tiles: left = 0 and 11 pixels, 2 tiles have 10}}
  tpp.winograd_input tile = 4 ins(%x : memref<6x11x8xf32>) outs(%o : memref<36x2x8xf32>)
  return
}

// -----

// expected-error @below {{tile must be 2 or 4, got 6}}
func.func private @f() attributes {a = #tpp.winograd_input_desc<tile = 6, tiles = 1, channels = 8, height = 8, width = 8, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 64, out_point_stride = 8>}

// -----

// expected-error @below {{tiles must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.winograd_input_desc<tile = 4, tiles = -1, channels = 8, height = 6, width = 6, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 48, out_point_stride = 8>}

// -----

// expected-error @below {{channels must not be negative, got -8}}
func.func private @f() attributes {a = #tpp.winograd_input_desc<tile = 4, tiles = 1, channels = -8, height = 6, width = 6, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 48, out_point_stride = 8>}

// -----

// expected-error @below {{height must not be negative, got -6}}
func.func private @f() attributes {a = #tpp.winograd_input_desc<tile = 4, tiles = 1, channels = 8, height = -6, width = 6, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 48, out_point_stride = 8>}

// -----

// expected-error @below {{width must not be negative, got -6}}
func.func private @f() attributes {a = #tpp.winograd_input_desc<tile = 4, tiles = 1, channels = 8, height = 6, width = -6, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 48, out_point_stride = 8>}

// -----

// expected-error @below {{top must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.winograd_input_desc<tile = 4, tiles = 1, channels = 8, height = 6, width = 6, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 48, out_point_stride = 8, top = -1>}

// -----

// expected-error @below {{left must not be negative, got -2}}
func.func private @f() attributes {a = #tpp.winograd_input_desc<tile = 4, tiles = 1, channels = 8, height = 6, width = 6, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>, in_row_stride = 48, out_point_stride = 8, left = -2>}
