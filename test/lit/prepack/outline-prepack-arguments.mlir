// Arguments with tpp.prepack are treated like constants: @NAME_prepack takes them, and @NAME loses them.
// RUN: tpp-opt %s --tpp-outline-prepack --allow-unregistered-dialect --split-input-file | FileCheck %s

// A pack of an argument, and a constant. The remaining arguments get the attribute tpp.argument, their number in the program.
// CHECK-LABEL: func.func @packed_prepack(
// CHECK-SAME: %[[W:.*]]: tensor<4x128xf32>) -> tensor<2x4x64xf32>
// CHECK: %[[L:.*]] = arith.constant dense_resource<l>
// CHECK: %[[S:.*]] = linalg.mul ins(%[[W]], %[[L]]
// CHECK: %[[P:.*]] = linalg.pack %[[S]]
// CHECK: return %[[P]]
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {tpp.argument = 1 : i64}, %[[P:.*]]: tensor<2x4x64xf32> {tpp.weight = 0 : i64})
// CHECK-NEXT: "test.use"(%[[X]], %[[P]])
// CHECK-NEXT: return
func.func @packed(%w: tensor<4x128xf32> {tpp.prepack}, %x: tensor<4xf32>) {
  %l = arith.constant dense_resource<l> : tensor<4x128xf32>
  %e = tensor.empty() : tensor<4x128xf32>
  %s = linalg.mul ins(%w, %l : tensor<4x128xf32>, tensor<4x128xf32>) outs(%e : tensor<4x128xf32>) -> tensor<4x128xf32>
  %pe = tensor.empty() : tensor<2x4x64xf32>
  %p = linalg.pack %s outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %pe : tensor<4x128xf32> -> tensor<2x4x64xf32>
  "test.use"(%x, %p) : (tensor<4xf32>, tensor<2x4x64xf32>) -> ()
  return
}

// -----

// If such an argument is still used in the function, the function reads a stored copy, however small: by a broadcast, by a direct
// use, and by an extracted scalar. An unused argument is an argument of @NAME_prepack, too: these are all marked arguments.
// CHECK-LABEL: func.func @small_prepack(
// CHECK-SAME: %[[B:.*]]: tensor<8xf32>, %{{.*}}: tensor<8xf32>, %[[S:.*]]: tensor<1xf32>) -> (tensor<8xf32>, tensor<1xf32>)
// CHECK-NEXT: return %[[B]], %[[S]]
// CHECK-LABEL: func.func @small(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {tpp.argument = 0 : i64}, %[[B:.*]]: tensor<8xf32> {tpp.weight = 0 : i64}, %[[S:.*]]: tensor<1xf32> {tpp.weight = 1 : i64})
// CHECK: %[[V:.*]] = tensor.extract %[[S]]
// CHECK: %[[WIDE:.*]] = linalg.broadcast ins(%[[B]] : tensor<8xf32>)
// CHECK: "test.use"(%[[X]], %[[WIDE]], %[[B]], %[[V]])
func.func @small(%x: tensor<4xf32>, %b: tensor<8xf32> {tpp.prepack}, %unused: tensor<8xf32> {tpp.prepack}, %s: tensor<1xf32> {tpp.prepack}) {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %s[%c0] : tensor<1xf32>
  %e = tensor.empty() : tensor<64x8xf32>
  %wide = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<64x8xf32>) dimensions = [0]
  "test.use"(%x, %wide, %b, %v) : (tensor<4xf32>, tensor<64x8xf32>, tensor<8xf32>, f32) -> ()
  return
}

// -----

// Unused operations are removed, even if they read a marked argument.
// CHECK-LABEL: func.func @dead_prepack(%{{.*}}: tensor<8xf32>) {
// CHECK-NEXT: return
// CHECK-LABEL: func.func @dead() {
// CHECK-NOT: linalg
// CHECK: return
func.func @dead(%w: tensor<8xf32> {tpp.prepack}) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Near miss: an argument without the attribute stays an ordinary argument.
// CHECK-NOT: _prepack
// CHECK: func.func @given_in_each_call(%{{.*}}: tensor<4x128xf32>)
// CHECK: linalg.pack
func.func @given_in_each_call(%w: tensor<4x128xf32>) {
  %e = tensor.empty() : tensor<2x4x64xf32>
  %p = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64] into %e : tensor<4x128xf32> -> tensor<2x4x64xf32>
  "test.use"(%p) : (tensor<2x4x64xf32>) -> ()
  return
}
