// Moves of @NAME_prepack are listed if it takes arguments, because it then runs again. Argument numbers are those of the program.
// RUN: tpp-opt %s --tpp-default=target=avx512 --tpp-layout-report=- -o /dev/null | FileCheck %s

// CHECK: @layer_prepack: packs 1, unpacks 0, copies 0, 262144 bytes
// CHECK-NEXT: what
// CHECK-NEXT: pack {{.*}} 128x256xf32 {{.*}} contraction {{.*}}operand B, argument 0, in panels of 64 columns
// CHECK: @layer: packs 0, unpacks 0, copies 1,
// CHECK-NEXT: what
// CHECK-NEXT: transpose {{.*}} edge {{.*}}argument 1
func.func @layer(%w: tensor<128x256xf32> {tpp.prepack}, %x: tensor<32x128xf32>) -> (tensor<32x256xf32>, tensor<128x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x256xf32>) -> tensor<32x256xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x128xf32>, tensor<128x256xf32>) outs(%init : tensor<32x256xf32>) -> tensor<32x256xf32>
  %turned = tensor.empty() : tensor<128x32xf32>
  %t = linalg.transpose ins(%x : tensor<32x128xf32>) outs(%turned : tensor<128x32xf32>) permutation = [1, 0]
  return %y, %t : tensor<32x256xf32>, tensor<128x32xf32>
}

// A value computed from such an argument is called a weight, both where it is packed and where a call copies it.
// CHECK: @scaled_prepack: packs 1,
// CHECK: pack {{.*}} contraction {{.*}}operand B, a weight, in panels of 64 columns
// CHECK: @scaled: packs 0, unpacks 0, copies 1,
// CHECK-NEXT: what
// CHECK-NEXT: copy {{.*}} a weight
func.func @scaled(%x: tensor<32x128xf32>, %w: tensor<128x256xf32> {tpp.prepack}) -> (tensor<32x256xf32>, tensor<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %turned = tensor.empty() : tensor<128x256xf32>
  %twice = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%w : tensor<128x256xf32>) outs(%turned : tensor<128x256xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.mulf %a, %two : f32
    linalg.yield %m : f32
  } -> tensor<128x256xf32>
  %empty = tensor.empty() : tensor<32x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x256xf32>) -> tensor<32x256xf32>
  %y = linalg.matmul ins(%x, %twice : tensor<32x128xf32>, tensor<128x256xf32>) outs(%init : tensor<32x256xf32>) -> tensor<32x256xf32>
  return %y, %twice : tensor<32x256xf32>, tensor<128x256xf32>
}
