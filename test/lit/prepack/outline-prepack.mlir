// Values that depend on constants only move to @NAME_prepack and come back as weights, if they are worth storing.
// RUN: tpp-opt %s --tpp-outline-prepack --allow-unregistered-dialect --split-input-file | FileCheck %s

// A computed value of any size, and a constant over 1 KiB. The smaller constant stays in the code.
// CHECK-LABEL: func.func @stored_prepack() -> (tensor<2x4x64xf32>, tensor<300xf32>)
// CHECK: %[[P:.*]] = linalg.pack
// CHECK: return %[[P]], %{{.*}}
// CHECK-LABEL: func.func @stored(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[W0:.*]]: tensor<2x4x64xf32> {tpp.weight = 0 : i64}, %[[W1:.*]]: tensor<300xf32> {tpp.weight = 1 : i64})
// CHECK-NOT: dense_resource
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-NOT: linalg.pack
// CHECK: "test.use"(%{{.*}}, %[[W0]], %[[W1]], %{{.*}})
func.func @stored(%x: tensor<4xf32>) {
  %w = arith.constant dense_resource<w> : tensor<4x128xf32>
  %l = arith.constant dense_resource<l> : tensor<300xf32>
  %s = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x64xf32>
  %p = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %e : tensor<4x128xf32> -> tensor<2x4x64xf32>
  "test.use"(%x, %p, %l, %s) : (tensor<4xf32>, tensor<2x4x64xf32>, tensor<300xf32>, tensor<4xf32>) -> ()
  return
}

// -----

// Near miss: a value larger than its source is computed in every call, from the stored constant.
// CHECK-LABEL: func.func @grown_prepack() -> tensor<300xf32>
// CHECK-LABEL: func.func @grown(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[W:.*]]: tensor<300xf32> {tpp.weight = 0 : i64})
// CHECK: linalg.broadcast ins(%[[W]] : tensor<300xf32>)
func.func @grown(%x: tensor<4xf32>) {
  %l = arith.constant dense_resource<l> : tensor<300xf32>
  %e = tensor.empty() : tensor<64x300xf32>
  %b = linalg.broadcast ins(%l : tensor<300xf32>) outs(%e : tensor<64x300xf32>) dimensions = [0]
  "test.use"(%x, %b) : (tensor<4xf32>, tensor<64x300xf32>) -> ()
  return
}

// -----

// Near miss: destinations, fills and values that are computed from no tensor have no contents to store.
// CHECK-NOT: _prepack
// CHECK-LABEL: func.func @no_contents(%{{.*}}: tensor<4xf32>) {
// CHECK: linalg.fill
// CHECK: linalg.generic
func.func @no_contents(%x: tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x300xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x300xf32>) -> tensor<64x300xf32>
  %i = tensor.empty() : tensor<500xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%i : tensor<500xindex>) {
  ^bb0(%o: index):
    %k = linalg.index 0 : index
    linalg.yield %k : index
  } -> tensor<500xindex>
  "test.use"(%x, %z, %r) : (tensor<4xf32>, tensor<64x300xf32>, tensor<500xindex>) -> ()
  return
}

// -----

// A pack is stored whatever zeros it adds: here three rows become four.
// CHECK-LABEL: func.func @padded_pack_prepack() -> tensor<1x2x12x2xbf16>
// CHECK: linalg.pack
// CHECK-LABEL: func.func @padded_pack(
// CHECK-NOT: linalg.pack
func.func @padded_pack() {
  %zero = arith.constant 0.0 : bf16
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]]> : tensor<3x12xbf16>
  %e = tensor.empty() : tensor<1x2x12x2xbf16>
  %p = linalg.pack %w padding_value(%zero : bf16) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [12, 2] into %e : tensor<3x12xbf16> -> tensor<1x2x12x2xbf16>
  "test.use"(%p) : (tensor<1x2x12x2xbf16>) -> ()
  return
}

// -----

// A value that depends on an argument stays, with its constant operand as a weight. A private function is left to the inliner.
// CHECK-LABEL: func.func @mixed_prepack() -> tensor<300xf32>
// CHECK-LABEL: func.func @mixed(
// CHECK: linalg.add
// CHECK-NOT: @helper_prepack
// CHECK: func.func private @helper(
// CHECK: dense_resource<l>
func.func @mixed(%x: tensor<300xf32>) -> tensor<300xf32> {
  %l = arith.constant dense_resource<l> : tensor<300xf32>
  %e = tensor.empty() : tensor<300xf32>
  %0 = linalg.add ins(%x, %l : tensor<300xf32>, tensor<300xf32>) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  return %0 : tensor<300xf32>
}
func.func private @helper() -> tensor<300xf32> {
  %l = arith.constant dense_resource<l> : tensor<300xf32>
  return %l : tensor<300xf32>
}
