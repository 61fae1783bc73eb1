// Every reason, each in its own function. layout-report-rules.mlir has the reasons about layout rules.
// RUN: tpp-opt %s --tpp-default --tpp-layout-report=- -o /dev/null | FileCheck %s --implicit-check-not=_prepack
// RUN: tpp-opt %s --tpp-default --tpp-layout-report -o /dev/null 2>&1 | FileCheck %s
// RUN: tpp-opt %s --tpp-default --tpp-layout-report=file=%t.txt -o /dev/null
// RUN: FileCheck %s --input-file=%t.txt
// RUN: tpp-opt %s --tpp-default --tpp-layout-report=%t.json -o /dev/null
// RUN: FileCheck %s --input-file=%t.json --check-prefix=JSON
// RUN: tpp-opt %s --strip-debuginfo --tpp-default --tpp-layout-report=- -o /dev/null | FileCheck %s --check-prefix=STRIPPED

// Arguments and results have the caller's layout; their memory has no padding and no space for joined values.
// CHECK-LABEL: @edge: packs 0, unpacks 1, copies 5, 98304 bytes read and written in a call
// CHECK-NEXT: what times bytes from to where reason note
// CHECK-NEXT: transpose 1 16384 32x64xf32 64x32xf32 layout-report.mlir:[[#@LINE+9]]:8 edge argument 0 comes in another order
// CHECK-NEXT: unpack 1 16384 4x32x16xf32 32x64xf32 layout-report.mlir:[[#@LINE+15]]:8 edge argument 1 comes in another order
// CHECK-NEXT: pad 1 16384 32x64xf32 34x66xf32 layout-report.mlir:[[#@LINE+8]]:8 edge argument 0: the caller's memory has no border
// CHECK-NEXT: concat 1 16384 32x64xf32 64x64xf32 layout-report.mlir:[[#@LINE+11]]:8 edge argument 0: the caller's memory is not part of the concatenation
// CHECK-NEXT: concat 1 16384 32x64xf32 64x64xf32 layout-report.mlir:[[#@LINE+10]]:8 edge argument 0: the caller's memory is not part of the concatenation
// CHECK-NEXT: copy 1 16384 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+12]]:3 edge result 4 is in another buffer: argument 0
func.func @edge(%x: tensor<32x64xf32>, %p: tensor<4x32x16xf32>) -> (tensor<64x32xf32>, tensor<34x66xf32>, tensor<64x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.transpose ins(%x : tensor<32x64xf32>) outs(%e0 : tensor<64x32xf32>) permutation = [1, 0]
  %1 = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<32x64xf32> to tensor<34x66xf32>
  %2 = tensor.concat dim(0) %x, %x : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %e3 = tensor.empty() : tensor<32x64xf32>
  %3 = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16] into %e3 : tensor<4x32x16xf32> -> tensor<32x64xf32>
  return %0, %1, %2, %3, %x : tensor<64x32xf32>, tensor<34x66xf32>, tensor<64x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
}

// A factor that is computed in each call (attention's K^T) is computed in the layout it is needed in: its source is transposed in
// each call.
// CHECK-LABEL: @contraction: packs 0, unpacks 0, copies 1, 32768 bytes read and written in a call
// CHECK-NEXT: what times bytes from to where reason note
// CHECK-NEXT: transpose 1 32768 128x32xf32 32x128xf32 layout-report.mlir:[[#@LINE+5]]:8 contraction operand B, argument 1, to make its columns contiguous
func.func @contraction(%q: tensor<128x32xf32>, %x: tensor<128x32xf32>, %w: tensor<32x32xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<128x32xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<128x32xf32>) -> tensor<128x32xf32>
  %k = linalg.matmul ins(%x, %w : tensor<128x32xf32>, tensor<32x32xf32>) outs(%f0 : tensor<128x32xf32>) -> tensor<128x32xf32>
  %e1 = tensor.empty() : tensor<128x128xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<128x32xf32>, tensor<128x32xf32>) outs(%f1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// Two layouts of one value: with another layout, only the other use would need a move.
// CHECK-LABEL: @cost: packs 0, unpacks 0, copies 1, 1048576 bytes read and written in a call
// CHECK-NEXT: what times bytes from to where reason note
// CHECK-NEXT: transpose 1 1048576 256x512xf32 512x256xf32 layout-report.mlir:[[#@LINE+8]]:8 cost {{[0-9.]+}} us estimated with this move, {{[0-9.]+}} us in a layout without it, for all values that share the layout
func.func @cost(%x: tensor<256x128xf32>) -> (tensor<256x512xf32>, tensor<512x256xf32>) {
  %w = arith.constant dense_resource<w> : tensor<128x512xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<256x512xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<256x128xf32>, tensor<128x512xf32>) outs(%f0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %e1 = tensor.empty() : tensor<512x256xf32>
  %1 = linalg.transpose ins(%0 : tensor<256x512xf32>) outs(%e1 : tensor<512x256xf32>) permutation = [1, 0]
  %2 = linalg.exp ins(%1 : tensor<512x256xf32>) outs(%e1 : tensor<512x256xf32>) -> tensor<512x256xf32>
  return %0, %2 : tensor<256x512xf32>, tensor<512x256xf32>
}

// Moves that no layout avoids.
// CHECK-LABEL: @program: packs 0, unpacks 0, copies 2, 10496 bytes read and written in a call
// CHECK-NEXT: what times bytes from to where reason note
// CHECK-NEXT: broadcast 1 8448 64xf32 32x64xf32 layout-report.mlir:[[#@LINE+4]]:8 program required by the program: argument 0, returned as a result
// CHECK-NEXT: slice 1 2048 32x64xf32 16x16xf32 layout-report.mlir:[[#@LINE+7]]:8 program computed at layout-report.mlir:[[#@LINE+5]]:8: a part of it is made contiguous
func.func @program(%v: tensor<64xf32>, %x: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<256xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.broadcast ins(%v : tensor<64xf32>) outs(%e0 : tensor<32x64xf32>) dimensions = [0]
  %e1 = tensor.empty() : tensor<32x64xf32>
  %1 = linalg.exp ins(%x : tensor<32x64xf32>) outs(%e1 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %2 = tensor.extract_slice %1[8, 16] [16, 16] [1, 1] : tensor<32x64xf32> to tensor<16x16xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<16x16xf32> into tensor<256xf32>
  return %0, %3 : tensor<32x64xf32>, tensor<256xf32>
}

// A value is still needed after the op that would overwrite it.
// CHECK-LABEL: @conflict: packs 0, unpacks 0, copies 2, 16896 bytes read and written in a call
// CHECK-NEXT: what times bytes from to where reason note
// CHECK-NEXT: copy 1 16384 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+5]]:8 conflict computed at layout-report.mlir:[[#@LINE+4]]:8: it is still read after this op has written over it
// CHECK-NEXT: copy 1 512 1x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+4]]:8 edge argument 1: it is put into a larger value
func.func @conflict(%x: tensor<32x64xf32>, %y: tensor<1x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %e = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.exp ins(%x : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %1 = tensor.insert_slice %y into %0[5, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<32x64xf32>
  return %0, %1 : tensor<32x64xf32>, tensor<32x64xf32>
}

// Swapped in each of four iterations: moves are counted as often as they are executed.
// CHECK-LABEL: @loop: packs 0, unpacks 0, copies 19, 311296 bytes read and written in a call
// CHECK-NEXT: what times bytes from to where reason note
// CHECK-NEXT: copy 4 65536 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+13]]:5 loop carried around the loop at layout-report.mlir:[[#@LINE+12]]:10
// CHECK-NEXT: copy 4 65536 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+12]]:5 loop carried around the loop at layout-report.mlir:[[#@LINE+11]]:10
// CHECK-NEXT: copy 4 65536 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+10]]:10 loop the loop carries it from one iteration to the next
// CHECK-NEXT: copy 4 65536 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+9]]:10 loop the loop carries it from one iteration to the next
// CHECK-NEXT: copy 1 16384 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+8]]:10 edge argument 0: the caller's memory must not be written, as this op would
// CHECK-NEXT: copy 1 16384 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+7]]:10 edge argument 1: the caller's memory must not be written, as this op would
// CHECK-NEXT: copy 1 16384 32x64xf32 32x64xf32 layout-report.mlir:[[#@LINE+9]]:3 edge result 0 is in another buffer: computed at layout-report.mlir:[[#@LINE+6]]:10
func.func @loop(%x: tensor<32x64xf32>, %y: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<32x64xf32>
  %0:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
    scf.yield %b, %a : tensor<32x64xf32>, tensor<32x64xf32>
  }
  return %0#0 : tensor<32x64xf32>
}

// Without debug locations, the location is printed as `-`.
// STRIPPED-LABEL: @contraction:
// STRIPPED: transpose 1 32768 128x32xf32 32x128xf32 - contraction operand B, argument 1, to make its columns contiguous

// JSON: "functions": [
// JSON: "name": "edge",
// JSON-NEXT: "packs": 0,
// JSON-NEXT: "unpacks": 1,
// JSON-NEXT: "copies": 5,
// JSON-NEXT: "copy_bytes": 98304,
// JSON-NEXT: "moves": [
// JSON-NEXT: {
// JSON-NEXT: "what": "transpose",
// JSON-NEXT: "from": "32x64xf32",
// JSON-NEXT: "to": "64x32xf32",
// JSON-NEXT: "layout": "outer_dims_perm = [1, 0]",
// JSON-NEXT: "times": 1,
// JSON-NEXT: "bytes": 16384,
// JSON-NEXT: "location": "{{.*}}layout-report.mlir:{{[0-9]+}}:8",
// JSON-NEXT: "reason": "edge",
// JSON-NEXT: "note": "argument 0 comes in another order"
// JSON: "what": "unpack",
// JSON: "layout": "inner_dims_pos = [1], inner_tiles = [16], outer_dims_perm = [1, 0]",
// JSON: "what": "pad",
// JSON: "layout": null,
