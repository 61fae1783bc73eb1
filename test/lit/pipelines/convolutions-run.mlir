// Every form of convolution gives the same results as plain loops: layouts of images and filters, strides, dilations, padding,
// accumulators.
// RUN: tpp-run %s --entry=nhwc_hwcf --check=reference
// RUN: tpp-run %s --entry=nhwc_fhwc --check=reference
// RUN: tpp-run %s --entry=nchw_fchw --check=reference
// RUN: tpp-run %s --entry=nchw_stride_2 --check=reference
// RUN: tpp-run %s --entry=nchw_padded_bias_relu --check=reference
// RUN: tpp-run %s --entry=nchw_stem --check=reference
// RUN: tpp-run %s --entry=pointwise --check=reference
// RUN: tpp-run %s --entry=accumulated --check=reference
// RUN: tpp-run %s --entry=one_dimension --check=reference
// RUN: tpp-run %s --entry=three_dimensions --check=reference
// RUN: tpp-run %s --entry=depthwise --check=reference
// RUN: tpp-run %s --entry=grouped --check=reference
// RUN: tpp-run %s --entry=variable_filter --check=reference

func.func @nhwc_hwcf(%x: tensor<2x9x10x4xf32>) -> (tensor<2x7x8x16xf32>, tensor<2x4x4x16xf32>, tensor<2x5x6x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w> : tensor<3x3x4x16xf32>
  %e = tensor.empty() : tensor<2x7x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7x8x16xf32>) -> tensor<2x7x8x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x9x10x4xf32>, tensor<3x3x4x16xf32>) outs(%z : tensor<2x7x8x16xf32>) -> tensor<2x7x8x16xf32>
  %e1 = tensor.empty() : tensor<2x4x4x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x9x10x4xf32>, tensor<3x3x4x16xf32>) outs(%z1 : tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
  %e2 = tensor.empty() : tensor<2x5x6x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x5x6x16xf32>) -> tensor<2x5x6x16xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x9x10x4xf32>, tensor<3x3x4x16xf32>) outs(%z2 : tensor<2x5x6x16xf32>) -> tensor<2x5x6x16xf32>
  return %0, %1, %2 : tensor<2x7x8x16xf32>, tensor<2x4x4x16xf32>, tensor<2x5x6x16xf32>
}

func.func @nhwc_fhwc(%x: tensor<1x8x8x3xf32>) -> (tensor<1x6x6x16xf32>, tensor<1x3x6x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense_resource<w> : tensor<3x3x4x16xf32>
  %c = tensor.collapse_shape %w0 [[0, 1, 2, 3]] : tensor<3x3x4x16xf32> into tensor<576xf32>
  %s = tensor.extract_slice %c[5] [432] [1] : tensor<576xf32> to tensor<432xf32>
  %w = tensor.expand_shape %s [[0, 1, 2, 3]] output_shape [16, 3, 3, 3] : tensor<432xf32> into tensor<16x3x3x3xf32>
  %e = tensor.empty() : tensor<1x6x6x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<16x3x3x3xf32>) outs(%z : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %e1 = tensor.empty() : tensor<1x3x6x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x3x6x16xf32>) -> tensor<1x3x6x16xf32>
  %1 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<16x3x3x3xf32>) outs(%z1 : tensor<1x3x6x16xf32>) -> tensor<1x3x6x16xf32>
  return %0, %1 : tensor<1x6x6x16xf32>, tensor<1x3x6x16xf32>
}

func.func @nchw_fchw(%x: tensor<2x4x9x10xf32>) -> (tensor<2x16x7x8xf32>, tensor<2x16x5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense_resource<w> : tensor<3x3x4x16xf32>
  %ew = tensor.empty() : tensor<16x4x3x3xf32>
  %w = linalg.transpose ins(%w0 : tensor<3x3x4x16xf32>) outs(%ew : tensor<16x4x3x3xf32>) permutation = [3, 2, 0, 1]
  %e = tensor.empty() : tensor<2x16x7x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x7x8xf32>) -> tensor<2x16x7x8xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x4x9x10xf32>, tensor<16x4x3x3xf32>) outs(%z : tensor<2x16x7x8xf32>) -> tensor<2x16x7x8xf32>
  %e2 = tensor.empty() : tensor<2x16x5x6xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x16x5x6xf32>) -> tensor<2x16x5x6xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x4x9x10xf32>, tensor<16x4x3x3xf32>) outs(%z2 : tensor<2x16x5x6xf32>) -> tensor<2x16x5x6xf32>
  return %0, %2 : tensor<2x16x7x8xf32>, tensor<2x16x5x6xf32>
}

func.func @nchw_stride_2(%x: tensor<1x4x9x11xf32>) -> (tensor<1x16x4x5xf32>, tensor<1x16x4x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense_resource<w> : tensor<3x3x4x16xf32>
  %ew = tensor.empty() : tensor<16x4x3x3xf32>
  %w = linalg.transpose ins(%w0 : tensor<3x3x4x16xf32>) outs(%ew : tensor<16x4x3x3xf32>) permutation = [3, 2, 0, 1]
  %e = tensor.empty() : tensor<1x16x4x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x4x5xf32>) -> tensor<1x16x4x5xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x4x9x11xf32>, tensor<16x4x3x3xf32>) outs(%z : tensor<1x16x4x5xf32>) -> tensor<1x16x4x5xf32>
  %e1 = tensor.empty() : tensor<1x16x4x9xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x16x4x9xf32>) -> tensor<1x16x4x9xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x4x9x11xf32>, tensor<16x4x3x3xf32>) outs(%z1 : tensor<1x16x4x9xf32>) -> tensor<1x16x4x9xf32>
  return %0, %1 : tensor<1x16x4x5xf32>, tensor<1x16x4x9xf32>
}

// As torch-mlir writes a layer: pad, broadcast bias as the accumulator, relu by compare and select, residual.
func.func @nchw_padded_bias_relu(%x: tensor<1x4x7x7xf32>, %residual: tensor<1x16x7x7xf32>) -> (tensor<1x16x7x7xf32>, tensor<1x16x4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense_resource<w> : tensor<3x3x4x16xf32>
  %bias = arith.constant dense<[1., -2., 3., -4., 5., -6., 7., -8., 9., -10., 11., -12., 13., -14., 15., -16.]> : tensor<16xf32>
  %ew = tensor.empty() : tensor<16x4x3x3xf32>
  %w = linalg.transpose ins(%w0 : tensor<3x3x4x16xf32>) outs(%ew : tensor<16x4x3x3xf32>) permutation = [3, 2, 0, 1]
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x7x7xf32> to tensor<1x4x9x9xf32>
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %b = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e : tensor<1x16x7x7xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x4x9x9xf32>, tensor<16x4x3x3xf32>) outs(%b : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0, %residual : tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>) outs(%e : tensor<1x16x7x7xf32>) {
  ^bb0(%v: f32, %r: f32, %o: f32):
    %s = arith.addf %v, %r : f32
    %t = arith.cmpf ugt, %s, %zero : f32
    %u = arith.select %t, %s, %zero : f32
    linalg.yield %u : f32
  } -> tensor<1x16x7x7xf32>
  %e2 = tensor.empty() : tensor<1x16x4x4xf32>
  %b2 = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e2 : tensor<1x16x4x4xf32>) dimensions = [0, 2, 3]
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x4x9x9xf32>, tensor<16x4x3x3xf32>) outs(%b2 : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%2 : tensor<1x16x4x4xf32>) outs(%e2 : tensor<1x16x4x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.cmpf ugt, %v, %zero : f32
    %u = arith.select %t, %v, %zero : f32
    linalg.yield %u : f32
  } -> tensor<1x16x4x4xf32>
  return %1, %3 : tensor<1x16x7x7xf32>, tensor<1x16x4x4xf32>
}

// The first layer of an image network: three channels, a large filter, stride 2.
func.func @nchw_stem(%x: tensor<1x3x17x19xf32>, %w: tensor<16x3x7x7xf32>) -> tensor<1x16x6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x6x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x3x17x19xf32>, tensor<16x3x7x7xf32>) outs(%z : tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  return %0 : tensor<1x16x6x7xf32>
}

// 1x1 filters: a matmul, and one that skips every second row and column.
func.func @pointwise(%x: tensor<2x12x6x6xf32>, %w: tensor<20x12x1x1xf32>, %y: tensor<2x6x6x12xf32>, %v: tensor<1x1x12x20xf32>) -> (tensor<2x20x6x6xf32>, tensor<2x20x3x3xf32>, tensor<2x6x6x20xf32>, tensor<2x3x3x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x20x6x6xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x20x6x6xf32>) -> tensor<2x20x6x6xf32>
  %e1 = tensor.empty() : tensor<2x20x3x3xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x20x3x3xf32>) -> tensor<2x20x3x3xf32>
  %e2 = tensor.empty() : tensor<2x6x6x20xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x6x6x20xf32>) -> tensor<2x6x6x20xf32>
  %e3 = tensor.empty() : tensor<2x3x3x20xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x3x3x20xf32>) -> tensor<2x3x3x20xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x12x6x6xf32>, tensor<20x12x1x1xf32>) outs(%z0 : tensor<2x20x6x6xf32>) -> tensor<2x20x6x6xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x12x6x6xf32>, tensor<20x12x1x1xf32>) outs(%z1 : tensor<2x20x3x3xf32>) -> tensor<2x20x3x3xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%y, %v : tensor<2x6x6x12xf32>, tensor<1x1x12x20xf32>) outs(%z2 : tensor<2x6x6x20xf32>) -> tensor<2x6x6x20xf32>
  %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%y, %v : tensor<2x6x6x12xf32>, tensor<1x1x12x20xf32>) outs(%z3 : tensor<2x3x3x20xf32>) -> tensor<2x3x3x20xf32>
  return %0, %1, %2, %3 : tensor<2x20x6x6xf32>, tensor<2x20x3x3xf32>, tensor<2x6x6x20xf32>, tensor<2x3x3x20xf32>
}

// The accumulator is an argument: strided in NCHW it cannot be computed channels-last.
func.func @accumulated(%x: tensor<1x5x8x8xf32>, %w: tensor<20x5x3x3xf32>, %c: tensor<1x20x6x6xf32>, %d: tensor<1x20x3x3xf32>) -> (tensor<1x20x6x6xf32>, tensor<1x20x3x3xf32>) {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x5x8x8xf32>, tensor<20x5x3x3xf32>) outs(%c : tensor<1x20x6x6xf32>) -> tensor<1x20x6x6xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x5x8x8xf32>, tensor<20x5x3x3xf32>) outs(%d : tensor<1x20x3x3xf32>) -> tensor<1x20x3x3xf32>
  return %0, %1 : tensor<1x20x6x6xf32>, tensor<1x20x3x3xf32>
}

func.func @one_dimension(%x: tensor<2x5x30xf32>, %w: tensor<7x5x3xf32>, %y: tensor<2x30x5xf32>, %v: tensor<3x5x7xf32>) -> (tensor<2x7x28xf32>, tensor<2x14x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7x28xf32>) -> tensor<2x7x28xf32>
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x, %w : tensor<2x5x30xf32>, tensor<7x5x3xf32>) outs(%z : tensor<2x7x28xf32>) -> tensor<2x7x28xf32>
  %e1 = tensor.empty() : tensor<2x14x7xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x14x7xf32>) -> tensor<2x14x7xf32>
  %1 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%y, %v : tensor<2x30x5xf32>, tensor<3x5x7xf32>) outs(%z1 : tensor<2x14x7xf32>) -> tensor<2x14x7xf32>
  return %0, %1 : tensor<2x7x28xf32>, tensor<2x14x7xf32>
}

func.func @three_dimensions(%x: tensor<1x5x6x7x4xf32>, %w: tensor<2x3x2x4x9xf32>) -> tensor<1x4x4x6x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x6x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x6x9xf32>) -> tensor<1x4x4x6x9xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x, %w : tensor<1x5x6x7x4xf32>, tensor<2x3x2x4x9xf32>) outs(%z : tensor<1x4x4x6x9xf32>) -> tensor<1x4x4x6x9xf32>
  return %0 : tensor<1x4x4x6x9xf32>
}

// One filter per channel: not a contraction, but vector code.
func.func @depthwise(%x: tensor<1x20x9x9xf32>, %w: tensor<20x3x3xf32>, %y: tensor<1x9x9x20xf32>, %v: tensor<3x3x20xf32>) -> (tensor<1x20x7x7xf32>, tensor<1x20x4x4xf32>, tensor<1x7x7x20xf32>, tensor<1x4x4x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x20x7x7xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x20x7x7xf32>) -> tensor<1x20x7x7xf32>
  %e1 = tensor.empty() : tensor<1x20x4x4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x20x4x4xf32>) -> tensor<1x20x4x4xf32>
  %e2 = tensor.empty() : tensor<1x7x7x20xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x7x7x20xf32>) -> tensor<1x7x7x20xf32>
  %e3 = tensor.empty() : tensor<1x4x4x20xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x4x4x20xf32>) -> tensor<1x4x4x20xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x20x9x9xf32>, tensor<20x3x3xf32>) outs(%z0 : tensor<1x20x7x7xf32>) -> tensor<1x20x7x7xf32>
  %1 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x20x9x9xf32>, tensor<20x3x3xf32>) outs(%z1 : tensor<1x20x4x4xf32>) -> tensor<1x20x4x4xf32>
  %2 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%y, %v : tensor<1x9x9x20xf32>, tensor<3x3x20xf32>) outs(%z2 : tensor<1x7x7x20xf32>) -> tensor<1x7x7x20xf32>
  %3 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%y, %v : tensor<1x9x9x20xf32>, tensor<3x3x20xf32>) outs(%z3 : tensor<1x4x4x20xf32>) -> tensor<1x4x4x20xf32>
  return %0, %1, %2, %3 : tensor<1x20x7x7xf32>, tensor<1x20x4x4xf32>, tensor<1x7x7x20xf32>, tensor<1x4x4x20xf32>
}

func.func @grouped(%x: tensor<1x2x6x9x9xf32>, %w: tensor<2x10x6x3x3xf32>) -> tensor<1x2x10x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x10x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x10x7x7xf32>) -> tensor<1x2x10x7x7xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x2x6x9x9xf32>, tensor<2x10x6x3x3xf32>) outs(%z : tensor<1x2x10x7x7xf32>) -> tensor<1x2x10x7x7xf32>
  return %0 : tensor<1x2x10x7x7xf32>
}

func.func @variable_filter(%x: tensor<1x16x18x18xf32>, %w: tensor<32x16x3x3xf32>, %y: tensor<1x18x18x16xf32>, %v: tensor<3x3x16x32xf32>) -> (tensor<1x32x16x16xf32>, tensor<1x32x8x8xf32>, tensor<1x16x16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x32x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %e1 = tensor.empty() : tensor<1x32x8x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %e2 = tensor.empty() : tensor<1x16x16x32xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x16x18x18xf32>, tensor<32x16x3x3xf32>) outs(%z0 : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x16x18x18xf32>, tensor<32x16x3x3xf32>) outs(%z1 : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%y, %v : tensor<1x18x18x16xf32>, tensor<3x3x16x32xf32>) outs(%z2 : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %0, %1, %2 : tensor<1x32x16x16xf32>, tensor<1x32x8x8xf32>, tensor<1x16x16x32xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000E0BF0000C0BF0000C0BF0000403F000040BF0000803E00000000000000BF0000E0BF000040BF0000A03F0000803F000000400000403F0000C03F00000040000000000000E0BF000000C00000403F0000C03F0000003F0000803F0000A03F00000040000040BF000040BF000080BE000080BE000000C0000040BF0000003F000040BF000080BF00000040000000400000403F00000040000040BF0000C03F0000A03F000000400000403F0000403F0000403F0000C03F000040BF0000803F0000C03F00000040000080BE0000E03F000000000000E03F00000040000000400000403F0000C03F0000C03F0000403F0000C03F0000E03F000080BE0000003F000040BF000000000000E03F0000803E0000803E0000004000000040000000400000A03F0000803E000000BF0000E03F000000400000403F0000C0BF0000003F000000C0000000BF0000A0BF0000E0BF0000E0BF00000000000080BE0000A0BF00000040000080BF00000000000080BE000000BF0000E0BF0000A03F0000E0BF0000E0BF0000403F0000403F000040BF000080BE000000C00000C0BF0000A0BF0000C0BF000000C00000E0BF000000C00000403F00000000000080BF000040BF000040BF00000040000000C00000803F0000E0BF000080BE000080BF0000E0BF000000C00000403F0000A0BF0000803E0000003F0000E03F000000C00000803E0000C03F0000E0BF000000000000803F000080BF0000E03F000080BE0000C0BF0000003F0000A0BF000000C00000C03F000080BF000000400000803F0000E03F000000400000003F000080BF0000003F00000000000000000000A03F000000C0000080BF0000E0BF000000000000E0BF000080BF000040BF000040BF0000A0BF0000C03F000080BE000000400000E0BF000080BE000080BE0000C03F0000C0BF000000000000C0BF000080BE0000403F000000000000A03F0000000000000040000000C0000080BF0000E0BF0000803F0000A03F000040BF0000A0BF000000400000C0BF000080BE0000A0BF0000A0BF000000C0000040BF000080BE0000A0BF000000BF000000C0000000400000C03F0000C03F0000803E0000803F000000BF000000BF0000A03F0000A03F00000040000000C00000E0BF0000A03F00000040000040BF0000A0BF0000E03F0000403F000000C0000000400000A0BF0000403F0000803E0000403F0000803E000000C00000A03F0000A0BF0000A0BF0000803E000000BF000000C00000C03F0000E0BF0000A03F0000E03F0000C03F000000BF0000C0BF000000C00000803E000000C00000403F0000803E0000C0BF000080BE0000E03F000000BF0000A0BF0000403F0000803F0000C03F000080BF0000403F0000803F0000A0BF000000000000A0BF0000A0BF0000C0BF0000003F0000803F000000BF0000A0BF000000C00000E03F0000E0BF0000E03F0000803E0000403F0000C03F000080BF0000403F000000000000E03F000000400000E03F0000A03F0000E03F0000803E0000803F000080BE000040BF0000E03F000000000000A03F0000C0BF0000A0BF0000C0BF0000403F000040BF000080BF0000A03F0000C0BF0000C0BF0000E0BF000080BF0000803E0000803F000080BE0000003F0000C03F000040BF000000400000803E0000A0BF000080BF0000A03F0000A0BF0000003F00000040000080BE0000004000000000000040BF000040BF0000C03F000080BE0000803F0000403F000080BF0000C03F0000C03F000000C00000803F000040BF0000803F000000400000E0BF0000E03F000000000000803F000000000000A03F0000E03F0000403F0000003F0000C0BF000080BE000000BF0000803F0000803F000000C00000003F0000C03F000000400000C03F000040BF0000A0BF000000C00000803F000000BF0000803F000000BF0000A0BF0000803F000000BF00000000000000BF0000E03F000080BF000000C00000A03F0000E03F0000000000000040000040BF0000C03F000000BF0000C0BF0000403F000000C00000E03F0000C0BF0000E03F0000003F0000C03F00000000000000400000C03F000000C00000C0BF0000403F000040BF0000803F00000000000080BF0000E0BF000040BF0000E03F0000803F0000C03F0000803E000080BF000000C00000803E0000C03F000000C00000403F0000E0BF0000803F0000C03F000000BF0000803E0000E03F000080BF0000E03F0000803E0000C0BF000000000000003F0000803E0000003F0000803E0000803F000000400000C0BF00000040000000BF0000803F00000040000080BF000000400000C0BF0000803E0000E0BF000080BE0000C03F000080BE00000040000000000000E0BF0000A0BF0000A0BF0000803F0000403F000000BF0000003F0000403F0000C0BF0000003F0000C03F0000403F000040BF0000E03F0000C03F0000803E0000C03F000080BF0000C03F000000BF000000000000003F000040BF0000A0BF000080BE0000E03F000000BF0000403F000040BF0000403F000080BF000080BF000080BE000000000000803F0000803F0000003F00000000000000400000003F0000803F0000803E0000C0BF0000403F0000803E0000803F0000E03F000040BF000000000000403F0000C03F0000E03F0000C0BF000040BF0000003F0000803F000080BF000000C00000A0BF0000403F000040BF0000403F0000C0BF0000A03F000000C00000003F000080BE0000803F0000803E0000E03F000080BF0000403F0000003F000000BF0000E03F0000A0BF000080BF000000BF0000003F00000000000080BF0000A03F0000403F000000000000C0BF0000003F000000BF000080BE000080BE0000E0BF0000003F0000403F0000E0BF000080BF000040BF0000C0BF0000A03F0000C03F00000000000080BF0000003F000000400000A0BF0000003F0000803F000080BE0000E0BF0000803F0000E03F0000E03F0000003F0000C0BF000000400000E03F0000803F0000C03F000040BF0000A03F0000803F000000400000C03F0000E0BF0000A0BF0000C03F000080BF0000A0BF00000040000040BF0000C0BF0000803F0000803E0000C03F000000C0000000000000A0BF0000403F000080BE000040BF000000C0000080BF0000A03F0000C0BF0000003F0000C03F0000E0BF0000E03F000080BE0000C0BF0000E03F000080BF000000C0"
    }
  }
#-}
