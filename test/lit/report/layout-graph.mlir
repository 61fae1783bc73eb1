// Two drawings in one document: valid XML, deterministic, with every node and edge, without overlapping boxes. The module does
// not change.
// RUN: tpp-opt %s --tpp-default-tensors=winograd=off --tpp-layout-graph=%t.svg -o /dev/null
// RUN: tpp-opt %s --tpp-default-tensors=winograd=off --tpp-layout-graph=file=- -o /dev/null | cmp - %t.svg
// RUN: python3 %S/Inputs/outline.py %t.svg | FileCheck %s
// RUN: tpp-opt %s --tpp-default-tensors=winograd=off -o %t.before
// RUN: tpp-opt %s --tpp-default-tensors=winograd=off --tpp-layout-graph=%t.svg | cmp - %t.before

// A network in NCHW becomes channels-last, except for its argument, which is read in its layout and without its padding: the
// convolution is computed in parts. Ops that produce one value together are one node: the pooling, the scale, and the softmax.
// The pad is not a move, because its producer can write into it; with Winograd's algorithm, it would not be needed.
// CHECK: drawing @main: 8 nodes, 1 of them moves, 32768 bytes read and written
// CHECK-NEXT: legend the program's layout
// CHECK-NEXT: legend outer_dims_perm = [0, 2, 3, 1]
// CHECK-NEXT: legend moves data in every call
// CHECK-NEXT: node value | argument 0 | 1x3x30x30xf32
// CHECK-NEXT: node value | argument 1 | 64x64xf32
// CHECK-NEXT: node contraction | convolution 3x3 | 784 x 64 x 27 | then add | the largest of 9 parts | layout-graph.mlir:{{[0-9:]+}}
// CHECK-NEXT: node compute | pad | layout-graph.mlir:{{[0-9:]+}}
// CHECK-NEXT: node contraction | convolution 3x3 | 900 x 64 x 576 | then add | layout-graph.mlir:{{[0-9:]+}}
// CHECK-NEXT: node compute | reduction | add, mul, maxnum, sub, exp, div | layout-graph.mlir:{{[0-9:]+}}
// CHECK-NEXT: node move | transpose | 32768 bytes, edge | outer_dims_perm = [1, 0] | layout-graph.mlir:{{[0-9:]+}}
// CHECK-NEXT: node value | result 0
// CHECK-NEXT: label 1x3x30x30xf32
// CHECK-NEXT: label 1x30x30x64xf32
// CHECK-NEXT: label 1x32x32x64xf32
// CHECK-NEXT: label 1x30x30x64xf32
// CHECK-NEXT: label 1x30x30x64xf32
// CHECK-NEXT: label 64x1x1x1x64xf32
// CHECK-NEXT: label 64x64xf32
// CHECK-NEXT: label 64x64xf32
// CHECK-NEXT: 8 nodes, 8 edges
func.func @main(%x: tensor<1x3x30x30xf32>, %q: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %w0 = arith.constant dense_resource<w0> : tensor<64x3x3x3xf32>
  %w1 = arith.constant dense_resource<w1> : tensor<64x64x3x3xf32>
  %bias = arith.constant dense_resource<bias> : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %x1 = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x3x30x30xf32> to tensor<1x3x32x32xf32>
  %e0 = tensor.empty() : tensor<1x64x30x30xf32>
  %b0 = linalg.broadcast ins(%bias : tensor<64xf32>) outs(%e0 : tensor<1x64x30x30xf32>) dimensions = [0, 2, 3]
  %c0 = linalg.conv_2d_nchw_fchw ins(%x1, %w0 : tensor<1x3x32x32xf32>, tensor<64x3x3x3xf32>) outs(%b0 : tensor<1x64x30x30xf32>) -> tensor<1x64x30x30xf32>
  %x2 = tensor.pad %c0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x64x30x30xf32> to tensor<1x64x32x32xf32>
  %e1 = tensor.empty() : tensor<1x64x30x30xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x64x30x30xf32>) -> tensor<1x64x30x30xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%x2, %w1 : tensor<1x64x32x32xf32>, tensor<64x64x3x3xf32>) outs(%f1 : tensor<1x64x30x30xf32>) -> tensor<1x64x30x30xf32>
  %e2 = tensor.empty() : tensor<1x64x30x30xf32>
  %sum = linalg.add ins(%c0, %c1 : tensor<1x64x30x30xf32>, tensor<1x64x30x30xf32>) outs(%e2 : tensor<1x64x30x30xf32>) -> tensor<1x64x30x30xf32>
  %window = tensor.empty() : tensor<30x30xf32>
  %e3 = tensor.empty() : tensor<1x64x1x1xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32>
  %pool = linalg.pooling_nchw_sum ins(%sum, %window : tensor<1x64x30x30xf32>, tensor<30x30xf32>) outs(%f3 : tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32>
  %flat = tensor.collapse_shape %pool [[0], [1, 2, 3]] : tensor<1x64x1x1xf32> into tensor<1x64xf32>
  %row = tensor.collapse_shape %flat [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
  %e4 = tensor.empty() : tensor<64x64xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q, %row : tensor<64x64xf32>, tensor<64xf32>) outs(%e4 : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  %e5 = tensor.empty() : tensor<64x64xf32>
  %soft = linalg.softmax dimension(1) ins(%scaled : tensor<64x64xf32>) outs(%e5 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e6 = tensor.empty() : tensor<64x64xf32>
  %t = linalg.transpose ins(%soft : tensor<64x64xf32>) outs(%e6 : tensor<64x64xf32>) permutation = [1, 0]
  return %t : tensor<64x64xf32>
}

// Names are escaped. The concatenation of two arguments is drawn as a move, because it copies. Ops with regions are separate
// nodes. Slices are edges with another shape.
// CHECK: drawing @a<b>&c: 6 nodes, 1 of them moves, 8192 bytes read and written
// CHECK-NEXT: legend the program's layout
// CHECK-NEXT: legend moves data in every call
// CHECK-NEXT: node value | argument 0 | 8x64xf32
// CHECK-NEXT: node value | argument 1 | 8x64xf32
// CHECK-NEXT: node move | concat | 8192 bytes, edge | layout-graph.mlir:{{[0-9:]+}}
// CHECK-NEXT: node compute | for | layout-graph.mlir:{{[0-9:]+}}
// CHECK-NEXT: node value | result 0
// CHECK-NEXT: node value | result 1
// CHECK-NEXT: label 8x64xf32
// CHECK-NEXT: label 8x64xf32
// CHECK-NEXT: label 8x64xf32
// CHECK-NEXT: label 8x64xf32
// CHECK-NEXT: label 16x64xf32
// CHECK-NEXT: label 4x64xf32
// CHECK-NEXT: 6 nodes, 6 edges
func.func @"a<b>&c"(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<16x64xf32>, tensor<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.concat dim(0) %x, %y : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> tensor<8x64xf32> {
    %e = tensor.empty() : tensor<8x64xf32>
    %2 = linalg.add ins(%a, %y : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.yield %2 : tensor<8x64xf32>
  }
  %3 = tensor.extract_slice %1[2, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
  return %0, %3 : tensor<16x64xf32>, tensor<4x64xf32>
}
