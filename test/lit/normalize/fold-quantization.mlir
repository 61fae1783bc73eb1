// Contractions of dequantized values become contractions of 8-bit integers.
// RUN: tpp-opt %s --tpp-fold-quantization --canonicalize --split-input-file | FileCheck %s

// Unsigned values with a zero point, signed weights with a scale for each column. The sums of the weights are constant.
// CHECK-LABEL: @by_columns(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xi8>
// CHECK: %[[W:.*]] = arith.constant {{.*}} : tensor<4x2xi8>
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<8x4xi8>, tensor<4x2xi8>) outs({{.*}} : tensor<8x2xi32>) attrs = {tpp.packing = #tpp.packing_fixed<panel = 16>}
// CHECK: arith.extui
// CHECK: arith.extsi
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<4x2xi8>) outs({{.*}} : tensor<2xi32>)
// CHECK: %[[ZEROS:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] :
// CHECK: arith.muli %{{.*}}, %c3_i32
// CHECK: %[[SCALES:.*]] = linalg.generic
// CHECK: arith.mulf
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[PRODUCTS]], %[[ZEROS]], %[[SCALES]] :
// CHECK: arith.subi
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK: return %[[RESULT]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @by_columns(%x: tensor<8x4xi8>) -> tensor<8x2xf32> {
  %w = arith.constant dense<[[1, -2], [3, 4], [-128, 127], [5, 6]]> : tensor<4x2xi8>
  %scales = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : i64
  %scale = arith.constant 0.125 : f32
  %ex = tensor.empty() : tensor<8x4xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xi8>) outs(%ex : tensor<8x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i64
    %1 = arith.subi %0, %c3 : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<8x4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %dw = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %scales : tensor<4x2xi8>, tensor<2xf32>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %y = linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 16>} ins(%dx, %dw : tensor<8x4xf32>, tensor<4x2xf32>) outs(%z : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}

// -----

// Signed values that are quantized here become unsigned ones: the zero point -128 becomes 0, and no sums are needed. The pad moves to the integers.
// CHECK-LABEL: @image(
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<1x6x6x4xi8>)
// CHECK: arith.fptoui
// CHECK: %[[PAD:.*]] = tensor.pad %[[Q]]
// CHECK: tensor.yield %c0_i8
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}} ins(%[[PAD]], %{{.*}} : tensor<1x8x8x4xi8>, tensor<3x3x4x8xi8>)
// CHECK: arith.extui
// CHECK: arith.extsi
// CHECK-NOT: "reduction"
// CHECK: return
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @image(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xi8>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %c128 = arith.constant -128 : i32
  %eq = tensor.empty() : tensor<1x6x6x4xi8>
  %q = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x6x6x4xf32>) outs(%eq : tensor<1x6x6x4xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %least : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x6x4xi8>
  %ex = tensor.empty() : tensor<1x6x6x4xf32>
  %dx = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x6x6x4xi8>) outs(%ex : tensor<1x6x6x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %c128 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x6x6x4xf32>
  %ew = tensor.empty() : tensor<3x3x4x8xf32>
  %dw = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<3x3x4x8xi8>) outs(%ew : tensor<3x3x4x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x4x8xf32>
  %p = tensor.pad %dx low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x6x6x4xf32> to tensor<1x8x8x4xf32>
  %e = tensor.empty() : tensor<1x6x6x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>} ins(%p, %dw : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) outs(%z : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

// ONNX's MatMulInteger: wide integers, of which 32 bits are enough. The zero point of A is known at run time.
// CHECK-LABEL: @wide(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xi8>, %[[W:.*]]: tensor<4x2xi8>, %[[ZERO:.*]]: tensor<i8>
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<8x4xi8>, tensor<4x2xi8>) outs({{.*}} : tensor<8x2xi32>)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<4x2xi8>) outs({{.*}} : tensor<2xi32>)
// CHECK: %[[ZEROS:.*]] = linalg.generic {{.*}} ins(%[[SUMS]], %[[ZERO]] :
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[PRODUCTS]], %[[ZEROS]] :
// CHECK: arith.subi
// CHECK: return %[[RESULT]] : tensor<8x2xi32>
#idw = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @wide(%x: tensor<8x4xi8>, %w: tensor<4x2xi8>, %zp: tensor<i8>) -> tensor<8x2xi32> {
  %zero = arith.constant 0 : i64
  %ex = tensor.empty() : tensor<8x4xi32>
  %wide = linalg.generic {indexing_maps = [#idw, #idw], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xi8>) outs(%ex : tensor<8x4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<8x4xi32>
  %dx = linalg.generic {indexing_maps = [#idw, #scalar, #idw], iterator_types = ["parallel", "parallel"]} ins(%wide, %zp : tensor<8x4xi32>, tensor<i8>) outs(%ex : tensor<8x4xi32>) {
  ^bb0(%in: i32, %z: i8, %out: i32):
    %0 = arith.extui %z : i8 to i32
    %1 = arith.subi %in, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<8x4xi32>
  %ew = tensor.empty() : tensor<4x2xi32>
  %dw = linalg.generic {indexing_maps = [#idw, #idw], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x2xi8>) outs(%ew : tensor<4x2xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x2xi32>
  %e = tensor.empty() : tensor<8x2xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<8x2xi64>) -> tensor<8x2xi64>
  %y = linalg.matmul ins(%dx, %dw : tensor<8x4xi32>, tensor<4x2xi32>) outs(%f : tensor<8x2xi64>) -> tensor<8x2xi64>
  %er = tensor.empty() : tensor<8x2xi32>
  %r = linalg.generic {indexing_maps = [#idw, #idw], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x2xi64>) outs(%er : tensor<8x2xi32>) {
  ^bb0(%in: i64, %out: i32):
    %0 = arith.trunci %in : i64 to i32
    linalg.yield %0 : i32
  } -> tensor<8x2xi32>
  return %r : tensor<8x2xi32>
}

// -----

// Named quantized ops. Both zero points count.
// CHECK-LABEL: @named(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xi8>, %[[W:.*]]: tensor<4x2xi8>
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<8x4xi8>, tensor<4x2xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[W]] : tensor<4x2xi8>) outs({{.*}} : tensor<2xi32>)
// CHECK: arith.subi %{{.*}}, %c-5_i32
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<8x4xi8>) outs({{.*}} : tensor<8xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[PRODUCTS]], %{{.*}}, %{{.*}} : tensor<8x2xi32>, tensor<2xi32>, tensor<8xi32>)
func.func @named(%x: tensor<8x4xi8>, %w: tensor<4x2xi8>) -> tensor<8x2xi32> {
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %c5 = arith.constant -5 : i32
  %e = tensor.empty() : tensor<8x2xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8x2xi32>) -> tensor<8x2xi32>
  %y = linalg.quantized_matmul ins(%x, %w, %c7, %c5 : tensor<8x4xi8>, tensor<4x2xi8>, i32, i32) outs(%z : tensor<8x2xi32>) -> tensor<8x2xi32>
  return %y : tensor<8x2xi32>
}

// -----

// The largest integer is the largest value: the maximum is computed on bytes, and the quantization with the same parameters is dropped.
// CHECK-LABEL: @maximum(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x4xi8>
// CHECK: %[[PAD:.*]] = tensor.pad %[[X]]
// CHECK: tensor.yield %c0_i8
// CHECK: %[[MAXIMUM:.*]] = linalg.generic {{.*}} ins(%[[PAD]], %{{.*}} :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.maxui
// CHECK: return %[[MAXIMUM]]
#idm = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @maximum(%x: tensor<1x8x8x4xi8>) -> tensor<1x4x4x4xi8> {
  %scale = arith.constant 0.125 : f32
  %c9 = arith.constant 9 : i32
  %f9 = arith.constant 9.0 : f32
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %ex = tensor.empty() : tensor<1x8x8x4xf32>
  %dx = linalg.generic {indexing_maps = [#idm, #idm], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x8x4xi8>) outs(%ex : tensor<1x8x8x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %c9 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x8x8x4xf32>
  %p = tensor.pad %dx low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %infinity : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %z = linalg.fill ins(%infinity : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>} ins(%p, %window : tensor<1x10x10x4xf32>, tensor<3x3xf32>) outs(%z : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %eq = tensor.empty() : tensor<1x4x4x4xi8>
  %q = linalg.generic {indexing_maps = [#idm, #idm], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x4x4x4xf32>) outs(%eq : tensor<1x4x4x4xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %f9 : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x4xi8>
  return %q : tensor<1x4x4x4xi8>
}

// -----

// No 8-bit integer dequantizes to zero: the pad stays in f32.
// CHECK-LABEL: @zero_point_out_of_range(
// CHECK: tensor.pad {{.*}}
// CHECK: tensor<4xf32> to tensor<6xf32>
#idp = affine_map<(d0) -> (d0)>
func.func @zero_point_out_of_range(%x: tensor<4xi8>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.5 : f32
  %c300 = arith.constant 300 : i32
  %e = tensor.empty() : tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#idp, #idp], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %c300 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %p = tensor.pad %d low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}

// -----

// The conversion to an integer truncates towards zero, so that unsigned integers would be other ones.
// CHECK-LABEL: @zero_point_between_integers(
// CHECK-NOT: arith.fptoui
// CHECK: return
#idf = affine_map<(d0) -> (d0)>
func.func @zero_point_between_integers(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %scale = arith.constant 0.5 : f32
  %zero = arith.constant 0.25 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %eq = tensor.empty() : tensor<4xi8>
  %q = linalg.generic {indexing_maps = [#idf, #idf], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%eq : tensor<4xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<4xi8>
  %e = tensor.empty() : tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#idf, #idf], iterator_types = ["parallel"]} ins(%q : tensor<4xi8>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %r = tensor.expand_shape %d [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// The subtraction in 64 bits is not narrowed to 32.
// CHECK-LABEL: @wide_zero_point(
// CHECK: tensor.expand_shape {{.*}} : tensor<4xf32> into tensor<2x2xf32>
#idz = affine_map<(d0) -> (d0)>
func.func @wide_zero_point(%x: tensor<4xi8>, %zero: i64) -> tensor<2x2xf32> {
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#idz, #idz], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i64
    %1 = arith.subi %0, %zero : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %r = tensor.expand_shape %d [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// A depthwise convolution of an image whose zero point is 3, which pads it, with a scale for each channel.
// CHECK-LABEL: @depthwise(
// CHECK-SAME: %[[X:.*]]: tensor<1x6x6x4xi8>, %[[W:.*]]: tensor<3x3x4xi8>
// CHECK: %[[PAD:.*]] = tensor.pad %[[X]]
// CHECK: tensor.yield %c3_i8
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}} ins(%[[PAD]], %[[W]] : tensor<1x8x8x4xi8>, tensor<3x3x4xi8>) outs({{.*}} : tensor<1x6x6x4xi32>)
// CHECK: arith.extui
// CHECK: arith.extsi
// CHECK: linalg.generic {{.*}} ins(%[[W]] : tensor<3x3x4xi8>) outs({{.*}} : tensor<4xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[PRODUCTS]], {{.*}} outs({{.*}} : tensor<1x6x6x4xf32>)
#pixels = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#taps = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d2)>
func.func @depthwise(%x: tensor<1x6x6x4xi8>, %w: tensor<3x3x4xi8> {tpp.prepack}) -> tensor<1x6x6x4xf32> {
  %scales = arith.constant dense<[0.5, 0.25, 1.0, 2.0]> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : i64
  %scale = arith.constant 0.125 : f32
  %ex = tensor.empty() : tensor<1x6x6x4xf32>
  %dx = linalg.generic {indexing_maps = [#pixels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x6x6x4xi8>) outs(%ex : tensor<1x6x6x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i64
    %1 = arith.subi %0, %c3 : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x6x6x4xf32>
  %ew = tensor.empty() : tensor<3x3x4xf32>
  %dw = linalg.generic {indexing_maps = [#taps, #channel, #taps], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<3x3x4xi8>, tensor<4xf32>) outs(%ew : tensor<3x3x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x4xf32>
  %p = tensor.pad %dx low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x6x6x4xf32> to tensor<1x8x8x4xf32>
  %e = tensor.empty() : tensor<1x6x6x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %dw : tensor<1x8x8x4xf32>, tensor<3x3x4xf32>) outs(%z : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %y : tensor<1x6x6x4xf32>
}

// -----

// The output channels of a quantized filter are split into groups; so is their scale.
// CHECK-LABEL: @groups(
// CHECK-SAME: %[[W:.*]]: tensor<8x2x3x3xi8>
// CHECK: %[[SCALES:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<8x2x3x3xi8> into tensor<2x4x2x3x3xi8>
// CHECK: linalg.generic {{.*}} ins(%[[SPLIT]], %[[SCALES]] : tensor<2x4x2x3x3xi8>, tensor<2x4xf32>)
#filter = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#output = affine_map<(d0, d1, d2, d3) -> (d0)>
func.func @groups(%w: tensor<8x2x3x3xi8>, %scales: tensor<8xf32>) -> tensor<2x4x2x3x3xf32> {
  %e = tensor.empty() : tensor<8x2x3x3xf32>
  %d = linalg.generic {indexing_maps = [#filter, #output, #filter], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<8x2x3x3xi8>, tensor<8xf32>) outs(%e : tensor<8x2x3x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<8x2x3x3xf32>
  %0 = tensor.expand_shape %d [[0, 1], [2], [3], [4]] output_shape [2, 4, 2, 3, 3] : tensor<8x2x3x3xf32> into tensor<2x4x2x3x3xf32>
  return %0 : tensor<2x4x2x3x3xf32>
}

// -----

// A convolution of groups whose channels are collapsed: scales follow the products in the collapsed shape.
// CHECK-LABEL: @grouped(
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x2x3x8x8xi8>, tensor<2x4x3x3x3xi8>) outs(%{{.*}} : tensor<1x2x4x6x6xi32>)
// CHECK: %[[SUMS:.*]] = tensor.collapse_shape %[[PRODUCTS]] {{\[\[}}0], [1, 2], [3], [4]] : tensor<1x2x4x6x6xi32> into tensor<1x8x6x6xi32>
// CHECK: %[[SCALES:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<2x4xf32> into tensor<8xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[SUMS]], %[[SCALES]] : tensor<1x8x6x6xi32>, tensor<8xf32>) outs(%{{.*}} : tensor<1x8x6x6xf32>)
// CHECK: return %[[R]]
#image = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#of_outputs = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
func.func @grouped(%x: tensor<1x2x3x8x8xi8>, %w: tensor<2x4x3x3x3xi8> {tpp.prepack}, %scales: tensor<2x4xf32> {tpp.prepack}) -> tensor<1x8x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %ex = tensor.empty() : tensor<1x2x3x8x8xf32>
  %dx = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x3x8x8xi8>) outs(%ex : tensor<1x2x3x8x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x3x8x8xf32>
  %ew = tensor.empty() : tensor<2x4x3x3x3xf32>
  %dw = linalg.generic {indexing_maps = [#image, #of_outputs, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<2x4x3x3x3xi8>, tensor<2x4xf32>) outs(%ew : tensor<2x4x3x3x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x3x3x3xf32>
  %e = tensor.empty() : tensor<1x2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
  %y = linalg.conv_2d_ngchw_gfchw ins(%dx, %dw : tensor<1x2x3x8x8xf32>, tensor<2x4x3x3x3xf32>) outs(%z : tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
  %c = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x2x4x6x6xf32> into tensor<1x8x6x6xf32>
  return %c : tensor<1x8x6x6xf32>
}
