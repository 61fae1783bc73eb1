// Ops between two convolutions on NCHW take the convolutions' layout: only values that enter or leave the function are
// transposed.
// RUN: tpp-opt %s --tpp-target=zen4 --split-input-file --tpp-normalize-contractions --tpp-propagate-layouts -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// A second run changes nothing.
// RUN: tpp-opt %s --tpp-target=zen4 --split-input-file --tpp-normalize-contractions --tpp-propagate-layouts --tpp-propagate-layouts -o %t.twice
// RUN: diff %t.once %t.twice

// Two convolutions of one input: it is moved once.
// CHECK-LABEL: @shared_input(
// CHECK-SAME: %[[X:.*]]: tensor<1x64x56x56xf32>)
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[C0:.*]] = tpp.contract ins(%[[XT]],
// CHECK: %[[C1:.*]] = tpp.contract ins(%[[XT]],
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[C0]], %[[C1]] : tensor<1x54x54x64xf32>, tensor<1x54x54x64xf32>)
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[SUM]] : {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NOT: linalg.transpose
// CHECK: return %[[BACK]]
func.func @shared_input(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x54x54xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v7 = arith.constant dense_resource<v6> : tensor<64x64x3x3xf32>
  %v8 = tensor.empty() : tensor<1x64x54x54xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v7 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v9 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v11 = tensor.empty() : tensor<1x64x54x54xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5, %v10 : tensor<1x64x54x54xf32>, tensor<1x64x54x54xf32>) outs(%v11 : tensor<1x64x54x54xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x54x54xf32>
  return %v12 : tensor<1x64x54x54xf32>
}

// -----

// An argument with different kinds of users (a convolution, and the residual around it): moved once as well, and returned
// unchanged.
// CHECK-LABEL: @argument(
// CHECK-SAME: %[[X:.*]]: tensor<1x64x56x56xf32>)
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} permutation = [0, 2, 3, 1]
// CHECK-NOT: linalg.transpose
// CHECK: %[[C:.*]] = tpp.contract ins(%[[XT]],
// CHECK: %[[S:.*]] = tensor.extract_slice %[[XT]][0, 1, 1, 0] [1, 54, 54, 64] [1, 1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[C]], %[[S]] :
// CHECK: %[[BACK:.*]] = linalg.transpose
// CHECK-NOT: linalg.transpose
// CHECK: return %[[BACK]], %[[X]]
func.func @argument(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x52x52xf32>, tensor<1x64x56x56xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.extract_slice %x[0, 0, 1, 1] [1, 64, 54, 54] [1, 1, 1, 1] : tensor<1x64x56x56xf32> to tensor<1x64x54x54xf32>
  %v7 = tensor.empty() : tensor<1x64x54x54xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5, %v6 : tensor<1x64x54x54xf32>, tensor<1x64x54x54xf32>) outs(%v7 : tensor<1x64x54x54xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x54x54xf32>
  %v10 = arith.constant dense_resource<v9> : tensor<64x64x3x3xf32>
  %v11 = tensor.empty() : tensor<1x64x52x52xf32>
  %v12 = linalg.fill ins(%zero : f32) outs(%v11 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v13 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v10 : tensor<1x64x54x54xf32>, tensor<64x64x3x3xf32>) outs(%v12 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  return %v13, %x : tensor<1x64x52x52xf32>, tensor<1x64x56x56xf32>
}

// -----

// Slices that drop a dimension: the channels are innermost in the inserted and in the extracted value.
// CHECK-LABEL: @rows(
// CHECK-SAME: %[[ROW:[^ ]*]]: tensor<64x54xf32>)
// CHECK: %[[ROWT:.*]] = linalg.transpose ins(%[[ROW]] : {{.*}} permutation = [1, 0]
// CHECK: %[[C:.*]] = tpp.contract
// CHECK: %[[I:.*]] = tensor.insert_slice %[[ROWT]] into %[[C]][0, 7, 0, 0] [1, 1, 54, 64] [1, 1, 1, 1] : tensor<54x64xf32> into tensor<1x54x54x64xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[I]][0, 5, 0, 0] [1, 1, 54, 64] [1, 1, 1, 1] : tensor<1x54x54x64xf32> to tensor<1x54x64xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<1x54x64xf32>)
// CHECK: linalg.transpose ins(%[[T]] : {{.*}} permutation = [0, 2, 1]
// CHECK: tpp.contract ins(%[[I]],
func.func @rows(%x: tensor<1x64x56x56xf32>, %row: tensor<64x54xf32>) -> (tensor<1x64x54xf32>, tensor<1x64x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.insert_slice %row into %v5[0, 0, 7, 0] [1, 64, 1, 54] [1, 1, 1, 1] : tensor<64x54xf32> into tensor<1x64x54x54xf32>
  %v7 = tensor.extract_slice %v6[0, 0, 5, 0] [1, 64, 1, 54] [1, 1, 1, 1] : tensor<1x64x54x54xf32> to tensor<1x64x54xf32>
  %v8 = tensor.empty() : tensor<1x64x54xf32>
  %v9 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7 : tensor<1x64x54xf32>) outs(%v8 : tensor<1x64x54xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x54xf32>
  %v11 = arith.constant dense_resource<v10> : tensor<64x64x3x3xf32>
  %v12 = tensor.empty() : tensor<1x64x52x52xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v14 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v6, %v11 : tensor<1x64x54x54xf32>, tensor<64x64x3x3xf32>) outs(%v13 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  return %v9, %v14 : tensor<1x64x54xf32>, tensor<1x64x52x52xf32>
}

// -----

// Channels that are concatenated, and a slice of them.
// CHECK-LABEL: @channels(
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0] [1, 54, 54, 32] [1, 1, 1, 1] : tensor<1x54x54x32xf32> into tensor<1x54x54x64xf32>
// CHECK: %[[Z:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 32] [1, 54, 54, 32]
// CHECK: %[[S:.*]] = tensor.extract_slice %[[Z]][0, 0, 0, 16] [1, 54, 54, 32] [1, 1, 1, 1]
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<1x54x54x32xf32>)
// CHECK: tpp.contract ins(%[[T]],
func.func @channels(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<32x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x32x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x32x54x54xf32>) -> tensor<1x32x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<32x64x3x3xf32>) outs(%v4 : tensor<1x32x54x54xf32>) -> tensor<1x32x54x54xf32>
  %v7 = arith.constant dense_resource<v6> : tensor<32x64x3x3xf32>
  %v8 = tensor.empty() : tensor<1x32x54x54xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x32x54x54xf32>) -> tensor<1x32x54x54xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v7 : tensor<1x64x56x56xf32>, tensor<32x64x3x3xf32>) outs(%v9 : tensor<1x32x54x54xf32>) -> tensor<1x32x54x54xf32>
  %v11 = tensor.empty() : tensor<1x64x54x54xf32>
  %v12 = tensor.insert_slice %v5 into %v11[0, 0, 0, 0] [1, 32, 54, 54] [1, 1, 1, 1] : tensor<1x32x54x54xf32> into tensor<1x64x54x54xf32>
  %v13 = tensor.insert_slice %v10 into %v12[0, 32, 0, 0] [1, 32, 54, 54] [1, 1, 1, 1] : tensor<1x32x54x54xf32> into tensor<1x64x54x54xf32>
  %v14 = tensor.extract_slice %v13[0, 16, 0, 0] [1, 32, 54, 54] [1, 1, 1, 1] : tensor<1x64x54x54xf32> to tensor<1x32x54x54xf32>
  %v15 = tensor.empty() : tensor<1x32x54x54xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v14 : tensor<1x32x54x54xf32>) outs(%v15 : tensor<1x32x54x54xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x32x54x54xf32>
  %v18 = arith.constant dense_resource<v17> : tensor<64x32x3x3xf32>
  %v19 = tensor.empty() : tensor<1x64x52x52xf32>
  %v20 = linalg.fill ins(%zero : f32) outs(%v19 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v21 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v16, %v18 : tensor<1x32x54x54xf32>, tensor<64x32x3x3xf32>) outs(%v20 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  return %v21 : tensor<1x64x52x52xf32>
}

// -----

// A reshape that merges the pixels, not the channels, and one that splits them again.
// CHECK-LABEL: @pixels(
// CHECK: %[[C:.*]] = tpp.contract
// CHECK: %[[P:.*]] = tensor.collapse_shape %[[C]] {{\[\[}}0], [1, 2], [3]] : tensor<1x54x54x64xf32> into tensor<1x2916x64xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<1x2916x64xf32>)
// CHECK: %[[E:.*]] = tensor.expand_shape %[[T]] {{\[\[}}0], [1, 2], [3]] output_shape [1, 54, 54, 64]
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[E]] :
// CHECK: tpp.contract ins(%[[F]],
func.func @pixels(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.collapse_shape %v5 [[0], [1], [2, 3]] : tensor<1x64x54x54xf32> into tensor<1x64x2916xf32>
  %v7 = tensor.empty() : tensor<1x64x2916xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v6 : tensor<1x64x2916xf32>) outs(%v7 : tensor<1x64x2916xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x2916xf32>
  %v9 = tensor.expand_shape %v8 [[0], [1], [2, 3]] output_shape [1, 64, 54, 54] : tensor<1x64x2916xf32> into tensor<1x64x54x54xf32>
  %v10 = tensor.empty() : tensor<1x64x54x54xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9 : tensor<1x64x54x54xf32>) outs(%v10 : tensor<1x64x54x54xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x54x54xf32>
  %v13 = arith.constant dense_resource<v12> : tensor<64x64x3x3xf32>
  %v14 = tensor.empty() : tensor<1x64x52x52xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v16 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v11, %v13 : tensor<1x64x54x54xf32>, tensor<64x64x3x3xf32>) outs(%v15 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  return %v16 : tensor<1x64x52x52xf32>
}

// -----

// Dimensions of size 1 are removed and added.
// CHECK-LABEL: @unit_dims(
// CHECK: %[[P:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2], [3]] : tensor<1x54x54x64xf32> into tensor<54x54x64xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<54x54x64xf32>)
// CHECK: %[[E:.*]] = tensor.expand_shape %[[T]] {{\[\[}}0, 1], [2], [3]] output_shape [1, 54, 54, 64]
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[E]] :
// CHECK: tpp.contract ins(%[[F]],
func.func @unit_dims(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.collapse_shape %v5 [[0, 1], [2], [3]] : tensor<1x64x54x54xf32> into tensor<64x54x54xf32>
  %v7 = tensor.empty() : tensor<64x54x54xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v6 : tensor<64x54x54xf32>) outs(%v7 : tensor<64x54x54xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<64x54x54xf32>
  %v9 = tensor.expand_shape %v8 [[0, 1], [2], [3]] output_shape [1, 64, 54, 54] : tensor<64x54x54xf32> into tensor<1x64x54x54xf32>
  %v10 = tensor.empty() : tensor<1x64x54x54xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9 : tensor<1x64x54x54xf32>) outs(%v10 : tensor<1x64x54x54xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x54x54xf32>
  %v13 = arith.constant dense_resource<v12> : tensor<64x64x3x3xf32>
  %v14 = tensor.empty() : tensor<1x64x52x52xf32>
  %v15 = linalg.fill ins(%zero : f32) outs(%v14 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v16 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v11, %v13 : tensor<1x64x54x54xf32>, tensor<64x64x3x3xf32>) outs(%v15 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  return %v16 : tensor<1x64x52x52xf32>
}

// -----

// A depthwise convolution takes the layout, and so does its constant filter (moved once, in prepack).
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @depthwise(
// CHECK: %[[K:.*]] = linalg.transpose ins(%{{.*}} : tensor<64x3x3xf32>) outs(%{{.*}} : tensor<3x3x64xf32>) permutation = [1, 2, 0]
// CHECK: %[[Z:.*]] = linalg.fill ins(%{{.*}}) outs(%{{.*}} : tensor<1x52x52x64xf32>)
// CHECK: %[[D:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #[[OUT]]], {{.*}} ins(%{{.*}}, %[[K]] : tensor<1x54x54x64xf32>, tensor<3x3x64xf32>) outs(%[[Z]] :
// CHECK: tpp.contract ins(%[[D]],
func.func @depthwise(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x50x50xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v7 = arith.constant dense_resource<v6> : tensor<64x3x3xf32>
  %v8 = tensor.empty() : tensor<1x64x52x52xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v10 = linalg.depthwise_conv_2d_nchw_chw ins(%v5, %v7 : tensor<1x64x54x54xf32>, tensor<64x3x3xf32>) outs(%v9 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v12 = arith.constant dense_resource<v11> : tensor<64x64x3x3xf32>
  %v13 = tensor.empty() : tensor<1x64x50x50xf32>
  %v14 = linalg.fill ins(%zero : f32) outs(%v13 : tensor<1x64x50x50xf32>) -> tensor<1x64x50x50xf32>
  %v15 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v10, %v12 : tensor<1x64x52x52xf32>, tensor<64x64x3x3xf32>) outs(%v14 : tensor<1x64x50x50xf32>) -> tensor<1x64x50x50xf32>
  return %v15 : tensor<1x64x50x50xf32>
}

// -----

// A sum over pixels and its broadcast (squeeze and excitation): the channels of the small tensor are innermost already.
// CHECK-DAG: #[[OF:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
// CHECK-LABEL: @mean(
// CHECK: %[[C:.*]] = tpp.contract
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<1x54x54x64xf32>) outs(%{{.*}} : tensor<1x64xf32>)
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[OF]], #{{.*}}], {{.*}} ins(%[[C]], %[[M]] :
// CHECK: tpp.contract ins(%[[S]],
func.func @mean(%x: tensor<1x64x56x56xf32>) -> (tensor<1x64x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %v3 = tensor.empty() : tensor<1x64x54x54xf32>
  %v4 = linalg.fill ins(%zero : f32) outs(%v3 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v5 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v2 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%v4 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %v6 = tensor.empty() : tensor<1x64xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<1x64xf32>) -> tensor<1x64xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v5 : tensor<1x64x54x54xf32>) outs(%v7 : tensor<1x64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x64xf32>
  %v9 = tensor.empty() : tensor<1x64x54x54xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5, %v8 : tensor<1x64x54x54xf32>, tensor<1x64xf32>) outs(%v9 : tensor<1x64x54x54xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x54x54xf32>
  %v12 = arith.constant dense_resource<v11> : tensor<64x64x3x3xf32>
  %v13 = tensor.empty() : tensor<1x64x52x52xf32>
  %v14 = linalg.fill ins(%zero : f32) outs(%v13 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  %v15 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v10, %v12 : tensor<1x64x54x54xf32>, tensor<64x64x3x3xf32>) outs(%v14 : tensor<1x64x52x52xf32>) -> tensor<1x64x52x52xf32>
  return %v15 : tensor<1x64x52x52xf32>
}

// -----

// A grouped convolution between two others, on an image that is channels-last: all are, although two loops index its channels.
// CHECK-LABEL: @grouped(
// CHECK: %[[A:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x58x58x64xf32>)
// CHECK: %[[B:.*]] = tpp.contract ins(%[[A]], {{.*}} outs({{.*}} : tensor<1x28x28x64xf32>)
// CHECK: %[[C:.*]] = tpp.contract ins(%[[B]], {{.*}} outs({{.*}} : tensor<1x28x28x64xf32>)
// CHECK: return %[[C]]
func.func @grouped(%image: tensor<1x58x58x64xf32>) -> tensor<1x28x28x64xf32> {
  %e = tensor.empty() : tensor<1x64x58x58xf32>
  %x = linalg.transpose ins(%image : tensor<1x58x58x64xf32>) outs(%e : tensor<1x64x58x58xf32>) permutation = [0, 3, 1, 2]
  %w0 = arith.constant dense_resource<v0> : tensor<64x64x1x1xf32>
  %w1 = arith.constant dense_resource<v1> : tensor<16x4x4x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x64x58x58xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x64x58x58xf32>) -> tensor<1x64x58x58xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w0 : tensor<1x64x58x58xf32>, tensor<64x64x1x1xf32>) outs(%z0 : tensor<1x64x58x58xf32>) -> tensor<1x64x58x58xf32>
  %g = tensor.expand_shape %0 [[0], [1, 2], [3], [4]] output_shape [1, 16, 4, 58, 58] : tensor<1x64x58x58xf32> into tensor<1x16x4x58x58xf32>
  %e1 = tensor.empty() : tensor<1x16x4x28x28xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x16x4x28x28xf32>) -> tensor<1x16x4x28x28xf32>
  %1 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%g, %w1 : tensor<1x16x4x58x58xf32>, tensor<16x4x4x3x3xf32>) outs(%z1 : tensor<1x16x4x28x28xf32>) -> tensor<1x16x4x28x28xf32>
  %c = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<1x16x4x28x28xf32> into tensor<1x64x28x28xf32>
  %e2 = tensor.empty() : tensor<1x64x28x28xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%c, %w0 : tensor<1x64x28x28xf32>, tensor<64x64x1x1xf32>) outs(%z2 : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %e3 = tensor.empty() : tensor<1x28x28x64xf32>
  %3 = linalg.transpose ins(%2 : tensor<1x64x28x28xf32>) outs(%e3 : tensor<1x28x28x64xf32>) permutation = [0, 2, 3, 1]
  return %3 : tensor<1x28x28x64xf32>
}

// -----

// Images between two convolutions that are resized, by selecting rows and columns: they are selected where channels are innermost.
// CHECK-LABEL: @resized(
// CHECK: %[[C0:.*]] = tpp.contract {{.*}} -> tensor<1x28x28x64xf32>
// CHECK-NOT: linalg.transpose
// CHECK: %[[R:.*]] = tpp.gather %[[C0]] at(%{{.*}}, %{{.*}} : tensor<56xi64>, tensor<56xi64>) along [1, 2] : tensor<1x28x28x64xf32> -> tensor<1x56x56x64xf32>
// CHECK: %[[C1:.*]] = tpp.contract ins(%[[R]],
// CHECK: linalg.transpose ins(%[[C1]]
// CHECK-NOT: linalg.transpose
func.func @resized(%x: tensor<1x64x30x30xf32>, %rows: tensor<56xi64>) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<v1> : tensor<64x64x3x3xf32>
  %e0 = tensor.empty() : tensor<1x64x28x28xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x64x30x30xf32>, tensor<64x64x3x3xf32>) outs(%z0 : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %1 = tpp.gather %0 at(%rows, %rows : tensor<56xi64>, tensor<56xi64>) along [2, 3] : tensor<1x64x28x28xf32> -> tensor<1x64x56x56xf32>
  %e1 = tensor.empty() : tensor<1x64x54x54xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %2 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%1, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%z1 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  return %2 : tensor<1x64x54x54xf32>
}

// -----

// A depthwise convolution of long rows stays channels-first: moving its image costs more than vector code. Where rows are short, or outputs are two pixels
// apart, the kernels for groups are worth the moves.
// CHECK-LABEL: @depthwise_long_rows(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.depthwise_conv_2d_nchw_chw
func.func @depthwise_long_rows(%x: tensor<1x64x56x56xf32>, %w: tensor<64x3x3xf32> {tpp.prepack}) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x54x54xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x3x3xf32>) outs(%z : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  return %y : tensor<1x64x54x54xf32>
}
// CHECK-LABEL: @depthwise_short_rows(
// CHECK-SAME: %[[X:.*]]: tensor<1x960x9x9xf32>,
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[XT]], %{{.*}} : tensor<1x9x9x960xf32>, tensor<3x3x960xf32>)
// CHECK: linalg.transpose ins(%[[Y]] : {{.*}} permutation = [0, 3, 1, 2]
func.func @depthwise_short_rows(%x: tensor<1x960x9x9xf32>, %w: tensor<960x3x3xf32> {tpp.prepack}) -> tensor<1x960x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x960x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x960x9x9xf32>, tensor<960x3x3xf32>) outs(%z : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
  return %y : tensor<1x960x7x7xf32>
}
// CHECK-LABEL: @depthwise_steps(
// CHECK: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x58x58x144xf32>, tensor<3x3x144xf32>)
// CHECK: linalg.transpose
func.func @depthwise_steps(%x: tensor<1x144x58x58xf32>, %w: tensor<144x3x3xf32> {tpp.prepack}) -> tensor<1x144x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x144x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x144x58x58xf32>, tensor<144x3x3xf32>) outs(%z : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
  return %y : tensor<1x144x28x28xf32>
}
