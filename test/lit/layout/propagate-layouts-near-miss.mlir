// Users that cannot follow a layout get the value in its original layout, moved back once.
// RUN: tpp-opt %s --split-input-file --tpp-normalize-contractions --tpp-propagate-layouts -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// A second run changes nothing.
// RUN: tpp-opt %s --split-input-file --tpp-normalize-contractions --tpp-propagate-layouts --tpp-propagate-layouts -o %t.twice
// RUN: diff %t.once %t.twice

// A body that reads the whole value at its own indices.
// CHECK-LABEL: @extracted(
// CHECK: %[[C:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x54x54x64xf32>)
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[C]] : {{.*}} permutation = [0, 3, 1, 2]
// CHECK: linalg.generic
// CHECK: tensor.extract %[[BACK]][%{{.*}}] : tensor<1x64x54x54xf32>
func.func @extracted(%x: tensor<1x64x56x56xf32>) -> (tensor<54x54xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.empty() : tensor<54x54xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} outs(%v6 : tensor<54x54xf32>) {
  ^bb0(%o: f32):
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %h = linalg.index 0 : index
    %k = linalg.index 1 : index
    %y = tensor.extract %v5[%c0, %c5, %h, %k] : tensor<1x64x54x54xf32>
    linalg.yield %y : f32
  } -> tensor<54x54xf32>
  return %v7 : tensor<54x54xf32>
}

// -----

// Branches that capture the value: it is moved back once, before them. Their result is moved again after them, like any value in
// the original layout. Uninitialized tensors are not moved.
// CHECK-LABEL: @captured(
// CHECK: %[[C:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x54x54x64xf32>)
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[C]] : {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NOT: linalg.transpose
// CHECK: %[[IF:.*]] = scf.if
// CHECK-NEXT: linalg.exp ins(%[[BACK]] : tensor<1x64x54x54xf32>) outs(%{{.*}} : tensor<1x64x54x54xf32>)
// CHECK: else
// CHECK-NEXT: scf.yield %[[BACK]] : tensor<1x64x54x54xf32>
// CHECK: tpp.contract ins(%{{.*}}, {{.*}} outs(%{{.*}} : tensor<1x52x52x64xf32>)
func.func @captured(%x: tensor<1x64x56x56xf32>, %i: i1) -> (tensor<1x64x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.empty() : tensor<1x64x54x54xf32>
  %v7 = scf.if %i -> tensor<1x64x54x54xf32> {
    %y = linalg.exp ins(%v5 : tensor<1x64x54x54xf32>) outs(%v6 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
    scf.yield %y : tensor<1x64x54x54xf32>
  } else {
    scf.yield %v5 : tensor<1x64x54x54xf32>
  }
  %v9 = arith.constant dense_resource<v8> : tensor<64x64x3x3xf32>
  %v10 = tensor.empty() : tensor<1x64x52x52xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v7, %v9 : tensor<1x64x54x54xf32>, tensor<64x64x3x3xf32>) outs(%v11 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  return %v12 : tensor<1x64x52x52xf32>
}

// -----

// Channels split into groups (of a normalization): both dimensions cannot be innermost, so the reshape reads NCHW.
// CHECK-LABEL: @split_channels(
// CHECK: %[[C:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x54x54x64xf32>)
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[C]] : {{.*}} permutation = [0, 3, 1, 2]
// CHECK: %[[E:.*]] = tensor.expand_shape %[[BACK]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [1, 8, 8, 54, 54]
// CHECK: linalg.generic {{.*}} ins(%[[E]] : tensor<1x8x8x54x54xf32>)
func.func @split_channels(%x: tensor<1x64x56x56xf32>) -> (tensor<1x8x8x54x54xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.expand_shape %v5 [[0], [1, 2], [3], [4]] output_shape [1, 8, 8, 54, 54] : tensor<1x64x54x54xf32> into tensor<1x8x8x54x54xf32>
  %v7 = tensor.empty() : tensor<1x8x8x54x54xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v6 : tensor<1x8x8x54x54xf32>) outs(%v7 : tensor<1x8x8x54x54xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x8x8x54x54xf32>
  return %v8 : tensor<1x8x8x54x54xf32>
}

// -----

// Two ops that cannot follow, and the caller: moved back once for all three.
// CHECK-LABEL: @several_users(
// CHECK: %[[C:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x54x54x64xf32>)
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[C]] : {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NOT: linalg.transpose
// CHECK: tensor.collapse_shape %[[BACK]] {{\[\[}}0], [1, 2, 3]]
// CHECK: tensor.collapse_shape %[[BACK]] {{\[\[}}0, 1, 2], [3]]
// CHECK: return %[[BACK]],
func.func @several_users(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x54x54xf32>, tensor<1x186624xf32>, tensor<3456x54xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.collapse_shape %v5 [[0], [1, 2, 3]] : tensor<1x64x54x54xf32> into tensor<1x186624xf32>
  %v7 = tensor.collapse_shape %v5 [[0, 1, 2], [3]] : tensor<1x64x54x54xf32> into tensor<3456x54xf32>
  return %v5, %v6, %v7 : tensor<1x64x54x54xf32>, tensor<1x186624xf32>, tensor<3456x54xf32>
}

// -----

// An op without a layout rule. (Usually tpp-normalize-linalg turns pads into insertions first.)
// CHECK-LABEL: @padded(
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%{{.*}} : tensor<1x54x54x64xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK: %[[PAD:.*]] = tensor.pad %[[BACK]]
// CHECK: %[[AGAIN:.*]] = linalg.transpose ins(%[[PAD]] : tensor<1x64x56x56xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK: tpp.contract ins(%[[AGAIN]],
func.func @padded(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x54x54xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.pad %v5 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x64x54x54xf32> to tensor<1x64x56x56xf32>
  %v8 = arith.constant dense_resource<v7> : tensor<64x64x3x3xf32>
  %v9 = tensor.empty() : tensor<1x64x54x54xf32>
  %v10 = linalg.fill ins(%zero : f32) outs(%v9 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v11 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v6, %v8 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v10 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  return %v11 : tensor<1x64x54x54xf32>
}
