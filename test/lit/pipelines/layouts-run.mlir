// Layout assignment for the whole function changes no value, whatever is between two convolutions.
// RUN: tpp-run %s --entry=shared --check=reference
// RUN: tpp-run %s --entry=concat --check=reference
// RUN: tpp-run %s --entry=split --check=reference
// RUN: tpp-run %s --entry=rows --check=reference
// RUN: tpp-run %s --entry=channel --check=reference
// RUN: tpp-run %s --entry=insert_row --check=reference
// RUN: tpp-run %s --entry=pixels --check=reference
// RUN: tpp-run %s --entry=group_norm --check=reference
// RUN: tpp-run %s --entry=channels_of_rows --check=reference
// RUN: tpp-run %s --entry=unit --check=reference
// RUN: tpp-run %s --entry=bias4 --check=reference
// RUN: tpp-run %s --entry=indexed --check=reference
// RUN: tpp-run %s --entry=cross --check=reference
// RUN: tpp-run %s --entry=returned --check=reference
// RUN: tpp-run %s --entry=nhwc_via_nchw --check=reference
// RUN: tpp-run %s --entry=fill_value --check=reference
// RUN: tpp-run %s --entry=depthwise --check=reference
// RUN: tpp-run %s --entry=pool --check=reference
// RUN: tpp-run %s --entry=mean --check=reference
// RUN: tpp-run %s --entry=accumulated --check=reference
// RUN: tpp-run %s --entry=captured --check=reference
// RUN: tpp-run %s --entry=extracted --check=reference
// RUN: tpp-run %s --entry=two_results --check=reference
// RUN: tpp-run %s --entry=tokens --check=reference

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>

// Two convolutions of one input.
func.func @shared(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v5: tensor<64x64x3x3xf32>, %v11: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v6 = tensor.empty() : tensor<1x64x16x16xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v8 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v5 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v7 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v9 = tensor.empty() : tensor<1x64x16x16xf32>
  %v10 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4, %v8 : tensor<1x64x16x16xf32>, tensor<1x64x16x16xf32>) outs(%v9 : tensor<1x64x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x16x16xf32>
  %v12 = tensor.empty() : tensor<1x64x14x14xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v14 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v10, %v11 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v13 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v14 : tensor<1x64x14x14xf32>
}

// Concatenated channels.
func.func @concat(%x: tensor<1x64x18x18xf32>, %v1: tensor<32x64x3x3xf32>, %v5: tensor<32x64x3x3xf32>, %v12: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x32x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<32x64x3x3xf32>) outs(%v3 : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %v6 = tensor.empty() : tensor<1x32x16x16xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %v8 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v5 : tensor<1x64x18x18xf32>, tensor<32x64x3x3xf32>) outs(%v7 : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %v9 = tensor.empty() : tensor<1x64x16x16xf32>
  %v10 = tensor.insert_slice %v4 into %v9[0, 0, 0, 0] [1, 32, 16, 16] [1, 1, 1, 1] : tensor<1x32x16x16xf32> into tensor<1x64x16x16xf32>
  %v11 = tensor.insert_slice %v8 into %v10[0, 32, 0, 0] [1, 32, 16, 16] [1, 1, 1, 1] : tensor<1x32x16x16xf32> into tensor<1x64x16x16xf32>
  %v13 = tensor.empty() : tensor<1x64x14x14xf32>
  %v14 = linalg.fill ins(%zero : f32) outs(%v13 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v15 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v11, %v12 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v14 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v15 : tensor<1x64x14x14xf32>
}

// Channels that are split in halves, and each half added to the other.
func.func @split(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v9: tensor<64x32x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.extract_slice %v4[0, 0, 0, 0] [1, 32, 16, 16] [1, 1, 1, 1] : tensor<1x64x16x16xf32> to tensor<1x32x16x16xf32>
  %v6 = tensor.extract_slice %v4[0, 32, 0, 0] [1, 32, 16, 16] [1, 1, 1, 1] : tensor<1x64x16x16xf32> to tensor<1x32x16x16xf32>
  %v7 = tensor.empty() : tensor<1x32x16x16xf32>
  %v8 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5, %v6 : tensor<1x32x16x16xf32>, tensor<1x32x16x16xf32>) outs(%v7 : tensor<1x32x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x32x16x16xf32>
  %v10 = tensor.empty() : tensor<1x64x14x14xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v9 : tensor<1x32x16x16xf32>, tensor<64x32x3x3xf32>) outs(%v11 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v12 : tensor<1x64x14x14xf32>
}

// A slice that drops a dimension of pixels.
func.func @rows(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>) -> (tensor<1x64x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.extract_slice %v4[0, 0, 5, 0] [1, 64, 1, 16] [1, 1, 1, 1] : tensor<1x64x16x16xf32> to tensor<1x64x16xf32>
  %v6 = tensor.empty() : tensor<1x64x16xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x64x16xf32>) outs(%v6 : tensor<1x64x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x16xf32>
  return %v7 : tensor<1x64x16xf32>
}

// A slice that drops the channels.
func.func @channel(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>) -> (tensor<1x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.extract_slice %v4[0, 5, 0, 0] [1, 1, 16, 16] [1, 1, 1, 1] : tensor<1x64x16x16xf32> to tensor<1x16x16xf32>
  %v6 = tensor.empty() : tensor<1x16x16xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x16x16xf32>) outs(%v6 : tensor<1x16x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x16x16xf32>
  return %v7 : tensor<1x16x16xf32>
}

// One row replaced.
func.func @insert_row(%x: tensor<1x64x18x18xf32>, %r: tensor<64x16xf32>, %v1: tensor<64x64x3x3xf32>, %v6: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.insert_slice %r into %v4[0, 0, 7, 0] [1, 64, 1, 16] [1, 1, 1, 1] : tensor<64x16xf32> into tensor<1x64x16x16xf32>
  %v7 = tensor.empty() : tensor<1x64x14x14xf32>
  %v8 = linalg.fill ins(%zero : f32) outs(%v7 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v9 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v5, %v6 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v8 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v9 : tensor<1x64x14x14xf32>
}

// Pixels merged and split again.
func.func @pixels(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v9: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.collapse_shape %v4 [[0], [1], [2, 3]] : tensor<1x64x16x16xf32> into tensor<1x64x256xf32>
  %v6 = tensor.empty() : tensor<1x64x256xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x64x256xf32>) outs(%v6 : tensor<1x64x256xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x256xf32>
  %v8 = tensor.expand_shape %v7 [[0], [1], [2, 3]] output_shape [1, 64, 16, 16] : tensor<1x64x256xf32> into tensor<1x64x16x16xf32>
  %v10 = tensor.empty() : tensor<1x64x14x14xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v9 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v11 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v12 : tensor<1x64x14x14xf32>
}

// Channels split and merged again.
func.func @group_norm(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v9: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.expand_shape %v4 [[0], [1, 2], [3], [4]] output_shape [1, 8, 8, 16, 16] : tensor<1x64x16x16xf32> into tensor<1x8x8x16x16xf32>
  %v6 = tensor.empty() : tensor<1x8x8x16x16xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x8x8x16x16xf32>) outs(%v6 : tensor<1x8x8x16x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x8x8x16x16xf32>
  %v8 = tensor.collapse_shape %v7 [[0], [1, 2], [3], [4]] : tensor<1x8x8x16x16xf32> into tensor<1x64x16x16xf32>
  %v10 = tensor.empty() : tensor<1x64x14x14xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v9 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v11 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v12 : tensor<1x64x14x14xf32>
}

// Channels merged with rows.
func.func @channels_of_rows(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v9: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.collapse_shape %v4 [[0], [1, 2], [3]] : tensor<1x64x16x16xf32> into tensor<1x1024x16xf32>
  %v6 = tensor.empty() : tensor<1x1024x16xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x1024x16xf32>) outs(%v6 : tensor<1x1024x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x1024x16xf32>
  %v8 = tensor.expand_shape %v7 [[0], [1, 2], [3]] output_shape [1, 64, 16, 16] : tensor<1x1024x16xf32> into tensor<1x64x16x16xf32>
  %v10 = tensor.empty() : tensor<1x64x14x14xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v9 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v11 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v12 : tensor<1x64x14x14xf32>
}

// Dimensions of size 1 removed and added again.
func.func @unit(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v9: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.collapse_shape %v4 [[0, 1], [2], [3]] : tensor<1x64x16x16xf32> into tensor<64x16x16xf32>
  %v6 = tensor.empty() : tensor<64x16x16xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<64x16x16xf32>) outs(%v6 : tensor<64x16x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<64x16x16xf32>
  %v8 = tensor.expand_shape %v7 [[0, 1], [2], [3]] output_shape [1, 64, 16, 16] : tensor<64x16x16xf32> into tensor<1x64x16x16xf32>
  %v10 = tensor.empty() : tensor<1x64x14x14xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v9 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v11 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v12 : tensor<1x64x14x14xf32>
}

// A broadcast of channels, stored with dimensions of size 1.
func.func @bias4(%x: tensor<1x64x18x18xf32>, %b: tensor<1x64x1x1xf32>, %v1: tensor<64x64x3x3xf32>, %v7: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<1x64x16x16xf32>
  %v6 = linalg.generic {indexing_maps = [#id, affine_map<(a, b, c, d) -> (0, b, 0, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4, %b : tensor<1x64x16x16xf32>, tensor<1x64x1x1xf32>) outs(%v5 : tensor<1x64x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x16x16xf32>
  %v8 = tensor.empty() : tensor<1x64x14x14xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v6, %v7 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v9 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v10 : tensor<1x64x14x14xf32>
}

// linalg.index must still give the indices of the original loops.
func.func @indexed(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v7: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<1x64x16x16xf32>
  %v6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x64x16x16xf32>) outs(%v5 : tensor<1x64x16x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %k = arith.muli %i, %j : index
    %l = arith.index_cast %k : index to i32
    %m = arith.sitofp %l : i32 to f32
    %r = arith.addf %a0, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x64x16x16xf32>
  %v8 = tensor.empty() : tensor<1x64x14x14xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v6, %v7 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v9 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v10 : tensor<1x64x14x14xf32>
}

// Channels and columns are swapped: both cannot be innermost.
func.func @cross(%x: tensor<1x16x18x18xf32>, %v1: tensor<16x16x3x3xf32>, %v7: tensor<64x16x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x16x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x16x18x18xf32>, tensor<16x16x3x3xf32>) outs(%v3 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %v5 = tensor.empty() : tensor<1x16x16x16xf32>
  %v6 = linalg.generic {indexing_maps = [#id, affine_map<(a, b, c, d) -> (a, d, c, b)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4, %v4 : tensor<1x16x16x16xf32>, tensor<1x16x16x16xf32>) outs(%v5 : tensor<1x16x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x16x16x16xf32>
  %v8 = tensor.empty() : tensor<1x64x14x14xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v6, %v7 : tensor<1x16x16x16xf32>, tensor<64x16x3x3xf32>) outs(%v9 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v10 : tensor<1x64x14x14xf32>
}

// All intermediate values are results, too.
func.func @returned(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v7: tensor<64x64x3x3xf32>) -> (tensor<1x64x16x16xf32>, tensor<1x64x16x16xf32>, tensor<1x64x14x14xf32>, tensor<1x64x18x18xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<1x64x16x16xf32>
  %v6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x64x16x16xf32>) outs(%v5 : tensor<1x64x16x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x16x16xf32>
  %v8 = tensor.empty() : tensor<1x64x14x14xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v6, %v7 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v9 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v4, %v6, %v10, %x : tensor<1x64x16x16xf32>, tensor<1x64x16x16xf32>, tensor<1x64x14x14xf32>, tensor<1x64x18x18xf32>
}

// To NCHW and back.
func.func @nhwc_via_nchw(%x: tensor<1x18x18x64xf32>, %v3: tensor<64x64x3x3xf32>, %v11: tensor<3x3x64x64xf32>) -> (tensor<1x14x14x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %v1 = tensor.empty() : tensor<1x64x18x18xf32>
  %v2 = linalg.transpose ins(%x : tensor<1x18x18x64xf32>) outs(%v1 : tensor<1x64x18x18xf32>) permutation = [0, 3, 1, 2]
  %v4 = tensor.empty() : tensor<1x64x16x16xf32>
  %v5 = linalg.fill ins(%zero : f32) outs(%v4 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v6 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v2, %v3 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v5 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v7 = tensor.empty() : tensor<1x64x16x16xf32>
  %v8 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v6 : tensor<1x64x16x16xf32>) outs(%v7 : tensor<1x64x16x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x16x16xf32>
  %v9 = tensor.empty() : tensor<1x16x16x64xf32>
  %v10 = linalg.transpose ins(%v8 : tensor<1x64x16x16xf32>) outs(%v9 : tensor<1x16x16x64xf32>) permutation = [0, 2, 3, 1]
  %v12 = tensor.empty() : tensor<1x14x14x64xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %v14 = linalg.conv_2d_nhwc_hwcf ins(%v10, %v11 : tensor<1x16x16x64xf32>, tensor<3x3x64x64xf32>) outs(%v13 : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  return %v14 : tensor<1x14x14x64xf32>
}

// A pad with a value that is an argument.
func.func @fill_value(%x: tensor<1x64x18x18xf32>, %number: tensor<f32>, %v1: tensor<64x64x3x3xf32>, %v8: tensor<64x64x3x3xf32>) -> (tensor<1x64x16x16xf32>) {
  %p = tensor.extract %number[] : tensor<f32>
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<1x64x18x18xf32>
  %v6 = linalg.fill ins(%p : f32) outs(%v5 : tensor<1x64x18x18xf32>) -> tensor<1x64x18x18xf32>
  %v7 = tensor.insert_slice %v4 into %v6[0, 0, 1, 1] [1, 64, 16, 16] [1, 1, 1, 1] : tensor<1x64x16x16xf32> into tensor<1x64x18x18xf32>
  %v9 = tensor.empty() : tensor<1x64x16x16xf32>
  %v10 = linalg.fill ins(%zero : f32) outs(%v9 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v11 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v7, %v8 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v10 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  return %v11 : tensor<1x64x16x16xf32>
}

// A depthwise convolution.
func.func @depthwise(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v5: tensor<64x3x3xf32>, %v9: tensor<64x64x3x3xf32>) -> (tensor<1x64x12x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v6 = tensor.empty() : tensor<1x64x14x14xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v8 = linalg.depthwise_conv_2d_nchw_chw ins(%v4, %v5 : tensor<1x64x16x16xf32>, tensor<64x3x3xf32>) outs(%v7 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v10 = tensor.empty() : tensor<1x64x12x12xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x12x12xf32>) -> tensor<1x64x12x12xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v9 : tensor<1x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%v11 : tensor<1x64x12x12xf32>) -> tensor<1x64x12x12xf32>
  return %v12 : tensor<1x64x12x12xf32>
}

// A pooling.
func.func @pool(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v9: tensor<64x64x3x3xf32>) -> (tensor<1x64x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<2x2xf32>
  %v6 = tensor.empty() : tensor<1x64x8x8xf32>
  %v7 = linalg.fill ins(%zero : f32) outs(%v6 : tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32>
  %v8 = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>} ins(%v4, %v5 : tensor<1x64x16x16xf32>, tensor<2x2xf32>) outs(%v7 : tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32>
  %v10 = tensor.empty() : tensor<1x64x6x6xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<1x64x6x6xf32>) -> tensor<1x64x6x6xf32>
  %v12 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v8, %v9 : tensor<1x64x8x8xf32>, tensor<64x64x3x3xf32>) outs(%v11 : tensor<1x64x6x6xf32>) -> tensor<1x64x6x6xf32>
  return %v12 : tensor<1x64x6x6xf32>
}

// A sum over pixels.
func.func @mean(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v10: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<1x64xf32>
  %v6 = linalg.fill ins(%zero : f32) outs(%v5 : tensor<1x64xf32>) -> tensor<1x64xf32>
  %v7 = linalg.reduce { arith.addf } ins(%v4 : tensor<1x64x16x16xf32>) outs(%v6 : tensor<1x64xf32>) dimensions = [2, 3]
  %v8 = tensor.empty() : tensor<1x64x16x16xf32>
  %v9 = linalg.generic {indexing_maps = [#id, affine_map<(a, b, c, d) -> (a, b)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4, %v7 : tensor<1x64x16x16xf32>, tensor<1x64xf32>) outs(%v8 : tensor<1x64x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x64x16x16xf32>
  %v11 = tensor.empty() : tensor<1x64x14x14xf32>
  %v12 = linalg.fill ins(%zero : f32) outs(%v11 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v13 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v9, %v10 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v12 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v13 : tensor<1x64x14x14xf32>
}

// A convolution whose accumulator is an argument.
func.func @accumulated(%x: tensor<1x64x18x18xf32>, %c: tensor<1x64x16x16xf32>, %v1: tensor<64x64x3x3xf32>, %v3: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = linalg.conv_2d_nchw_fchw ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%c : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = tensor.empty() : tensor<1x64x14x14xf32>
  %v5 = linalg.fill ins(%zero : f32) outs(%v4 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v6 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v2, %v3 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v5 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v6 : tensor<1x64x14x14xf32>
}

// Branches that capture the value.
func.func @captured(%x: tensor<1x64x18x18xf32>, %condition: tensor<i1>, %v1: tensor<64x64x3x3xf32>, %v7: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>) {
  %i = tensor.extract %condition[] : tensor<i1>
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<1x64x16x16xf32>
  %v6 = scf.if %i -> tensor<1x64x16x16xf32> {
    %y = linalg.exp ins(%v4 : tensor<1x64x16x16xf32>) outs(%v5 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
    scf.yield %y : tensor<1x64x16x16xf32>
  } else {
    scf.yield %v4 : tensor<1x64x16x16xf32>
  }
  %v8 = tensor.empty() : tensor<1x64x14x14xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%v6, %v7 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v9 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v10 : tensor<1x64x14x14xf32>
}

// A body that reads the value at its own indices.
func.func @extracted(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>) -> (tensor<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<16x16xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} outs(%v5 : tensor<16x16xf32>) {
  ^bb0(%o: f32):
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %h = linalg.index 0 : index
    %k = linalg.index 1 : index
    %y = tensor.extract %v4[%c0, %c5, %h, %k] : tensor<1x64x16x16xf32>
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  return %v6 : tensor<16x16xf32>
}

// One op with two results.
func.func @two_results(%x: tensor<1x64x18x18xf32>, %v1: tensor<64x64x3x3xf32>, %v7: tensor<64x64x3x3xf32>, %v11: tensor<64x64x3x3xf32>) -> (tensor<1x64x14x14xf32>, tensor<1x64x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x16x16xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%x, %v1 : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>) outs(%v3 : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %v5 = tensor.empty() : tensor<1x64x16x16xf32>
  %v6 = tensor.empty() : tensor<1x64x16x16xf32>
  %p:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x64x16x16xf32>) outs(%v5, %v6 : tensor<1x64x16x16xf32>, tensor<1x64x16x16xf32>) {
  ^bb0(%a0: f32, %o: f32, %q: f32):
    %r = math.tanh %a0 : f32
    %s = math.exp %r : f32
    linalg.yield %r, %s : f32, f32
  } -> (tensor<1x64x16x16xf32>, tensor<1x64x16x16xf32>)
  %v8 = tensor.empty() : tensor<1x64x14x14xf32>
  %v9 = linalg.fill ins(%zero : f32) outs(%v8 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v10 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%p#0, %v7 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v9 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v12 = tensor.empty() : tensor<1x64x14x14xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %v14 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>} ins(%p#1, %v11 : tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) outs(%v13 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %v10, %v14 : tensor<1x64x14x14xf32>, tensor<1x64x14x14xf32>
}

// Patches become tokens.
func.func @tokens(%x: tensor<1x3x32x32xf32>, %v1: tensor<64x3x8x8xf32>, %v8: tensor<1x64x64xf32>) -> (tensor<1x16x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x64x4x4xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<1x64x4x4xf32>) -> tensor<1x64x4x4xf32>
  %v4 = linalg.conv_2d_nchw_fchw {strides = dense<8> : tensor<2xi64>} ins(%x, %v1 : tensor<1x3x32x32xf32>, tensor<64x3x8x8xf32>) outs(%v3 : tensor<1x64x4x4xf32>) -> tensor<1x64x4x4xf32>
  %v5 = tensor.collapse_shape %v4 [[0], [1], [2, 3]] : tensor<1x64x4x4xf32> into tensor<1x64x16xf32>
  %v6 = tensor.empty() : tensor<1x16x64xf32>
  %v7 = linalg.transpose ins(%v5 : tensor<1x64x16xf32>) outs(%v6 : tensor<1x16x64xf32>) permutation = [0, 2, 1]
  %v9 = tensor.empty() : tensor<1x16x64xf32>
  %v10 = linalg.fill ins(%zero : f32) outs(%v9 : tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
  %v11 = linalg.batch_matmul ins(%v7, %v8 : tensor<1x16x64xf32>, tensor<1x64x64xf32>) outs(%v10 : tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
  return %v11 : tensor<1x16x64xf32>
}
