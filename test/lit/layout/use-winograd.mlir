// 3 x 3 convolutions of stride 1 are computed by Winograd's algorithm if the machine's figures say that this is faster. Their filters are transformed,
// which moves into the function that packs weights. Every other convolution stays as it is.
// RUN: split-file %s %t
// DEFINE: %{contractions} = tpp-target{target=zen4},func.func(tpp-normalize-linalg,tpp-normalize-contractions,tpp-fuse-post-ops
// RUN: tpp-opt %t/chosen.mlir --pass-pipeline='builtin.module(%{contractions},tpp-use-winograd))' | FileCheck %t/chosen.mlir
// RUN: tpp-opt %t/chosen.mlir --pass-pipeline='builtin.module(%{contractions},tpp-use-winograd{threads=32}))' | FileCheck %t/chosen.mlir --check-prefix=THREADS
// RUN: tpp-opt %t/slower.mlir --pass-pipeline='builtin.module(%{contractions},tpp-use-winograd))' | FileCheck %t/slower.mlir
// RUN: tpp-opt %t/slower.mlir --pass-pipeline='builtin.module(%{contractions},tpp-use-winograd{mode=always}))' | FileCheck %t/slower.mlir --check-prefix=ALWAYS
// RUN: tpp-opt %t/near-misses.mlir --pass-pipeline='builtin.module(%{contractions},tpp-use-winograd{mode=always}))' | FileCheck %t/near-misses.mlir
// RUN: tpp-opt %t/strategies.mlir --pass-pipeline='builtin.module(%{contractions},tpp-use-winograd{mode=always}))' | FileCheck %t/strategies.mlir
// RUN: tpp-opt %t/prepack.mlir --tpp-default-tensors=target=zen4 | FileCheck %t/prepack.mlir
// RUN: tpp-opt %t/prepack.mlir --tpp-default-tensors="target=zen4 winograd=off" | FileCheck %t/prepack.mlir --check-prefix=OFF
// RUN: tpp-opt %t/prepack.mlir --tpp-default-tensors="target=zen4 provider=xsmm" | FileCheck %t/prepack.mlir --check-prefix=OFF
// RUN: tpp-opt %t/strided.mlir --tpp-default="target=zen4 winograd=always" | FileCheck %t/strided.mlir
// RUN: not tpp-opt %t/prepack.mlir --pass-pipeline='builtin.module(func.func(tpp-use-winograd{threads=0}))' 2>&1 | FileCheck %t/prepack.mlir --check-prefix=INVALID

//--- chosen.mlir

// Filters [3][3][K][N] become [36][N/64][K][64], transformed along the height and along the width.
// CHECK-DAG: #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
// CHECK-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (0, d3 floordiv 64, d6, d3 mod 64)>
// CHECK-LABEL: @layers_56(
// CHECK-SAME: %[[X:.*]]: tensor<1x58x58x64xf32>, %[[W:.*]]: tensor<3x3x64x128xf32>
// CHECK: %[[ORDERED:.*]] = linalg.generic {{.*}} ins(%[[W]] : {{.*}}) outs({{.*}} : tensor<3x3x64x128xf32>)
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[ORDERED]], %{{.*}} : {{.*}}, tensor<6x3xf32>) outs({{.*}} : tensor<6x3x64x128xf32>)
// CHECK: %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %{{.*}} : {{.*}}, tensor<6x3xf32>) outs({{.*}} : tensor<6x6x64x128xf32>)
// CHECK: %[[POINTS:.*]] = tensor.collapse_shape %[[BOTH]] {{.*}} into tensor<36x64x128xf32>
// CHECK: %[[U:.*]] = linalg.pack %[[POINTS]] outer_dims_perm = [0, 2, 1] inner_dims_pos = [2] inner_tiles = [64] into %{{.*}} -> tensor<36x2x64x64xf32>
// CHECK: tpp.contract ins(%[[X]], %[[U]] : {{.*}}) {{.*}} extents = array<i64: 1, 56, 56, 128, 3, 3, 64>, indexing_maps = [#[[PIXELS]], #[[FILTERS]], {{.*}} post_ops = [], winograd = 4 : i64}
// THREADS-LABEL: @layers_56(
// THREADS: winograd = 4 : i64
func.func @layers_56(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x128xf32> {tpp.prepack}) -> tensor<1x56x56x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x128xf32>) outs(%z : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  return %0 : tensor<1x56x56x128xf32>
}

// Filters in another order. 100 columns end with zeros in the last of two panels.
// CHECK-LABEL: @filters_first(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<100x3x3x128xf32>) outs({{.*}} : tensor<3x3x128x100xf32>)
// CHECK: linalg.pack %{{.*}} padding_value(%{{.*}} : f32) outer_dims_perm = [0, 2, 1] inner_dims_pos = [2] inner_tiles = [64] into %{{.*}} -> tensor<36x2x128x64xf32>
// CHECK: winograd = 4 : i64
func.func @filters_first(%x: tensor<1x30x30x128xf32>, %w: tensor<100x3x3x128xf32> {tpp.prepack}) -> tensor<1x28x28x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x100xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x28x28x100xf32>) -> tensor<1x28x28x100xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x30x30x128xf32>, tensor<100x3x3x128xf32>) outs(%z : tensor<1x28x28x100xf32>) -> tensor<1x28x28x100xf32>
  return %0 : tensor<1x28x28x100xf32>
}

// Taps two pixels apart: four images, each of which takes every second row and column.
// CHECK-LABEL: @dilation_2(
// CHECK: tpp.contract {{.*}} extents = array<i64: 1, 28, 28, 64, 3, 3, 64, 2, 2>, {{.*}} winograd = 4 : i64}
func.func @dilation_2(%x: tensor<1x60x60x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x60x60x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// An odd number of rows: the last one is computed directly.
// CHECK-LABEL: @dilation_2_odd(
// CHECK: %[[IMAGES:.*]] = tpp.contract {{.*}} extents = array<i64: 1, 28, 28, 64, 3, 3, 64, 2, 2>, {{.*}} winograd = 4 : i64}
// CHECK: %[[MOST:.*]] = tensor.insert_slice %[[IMAGES]] into %{{.*}}[0, 0, 0, 0] [1, 56, 56, 64]
// CHECK: %[[ROW:.*]] = tpp.contract ins(%arg0, %arg1 : {{.*}} extents = array<i64: 1, 1, 56, 64, 3, 3, 64>
// CHECK: tensor.insert_slice %[[ROW]] into %[[MOST]][0, 56, 0, 0] [1, 1, 56, 64]
func.func @dilation_2_odd(%x: tensor<1x61x60x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x57x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x57x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x57x56x64xf32>) -> tensor<1x57x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x61x60x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x57x56x64xf32>) -> tensor<1x57x56x64xf32>
  return %0 : tensor<1x57x56x64xf32>
}

// Images of bf16 stay in bf16. Their filters are converted before they are transformed.
// CHECK-LABEL: @images_of_bf16(
// CHECK-SAME: %[[X:.*]]: tensor<1x58x58x64xbf16>, %[[W:.*]]: tensor<3x3x64x64xbf16>
// CHECK: %[[FILTERS:.*]] = linalg.generic {{.*}} ins(%[[W]] : {{.*}}) outs(%{{.*}} : tensor<3x3x64x64xf32>)
// CHECK: %[[U:.*]] = linalg.pack {{.*}} -> tensor<36x1x64x64xf32>
// CHECK: tpp.contract ins(%[[X]], %[[U]] : {{.*}}) outs(%{{.*}} : tensor<1x56x56x64xbf16>) {{.*}} winograd = 4 : i64}
func.func @images_of_bf16(%x: tensor<1x58x58x64xbf16>, %w: tensor<3x3x64x64xbf16> {tpp.prepack}) -> tensor<1x56x56x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x56x56x64xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xbf16>, tensor<3x3x64x64xbf16>) outs(%z : tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16>
  return %0 : tensor<1x56x56x64xbf16>
}

// Fewer pixels: the larger filters of 4 x 4 tiles are read from memory for few products, and more of a tile would be beyond the image. On many threads,
// reading them takes longer than the products.
// CHECK-LABEL: @layers_7(
// CHECK: linalg.pack {{.*}} -> tensor<16x8x512x64xf32>
// CHECK: winograd = 2 : i64
// THREADS-LABEL: @layers_7(
// THREADS-NOT: winograd =
// THREADS-LABEL: @post_ops(
func.func @layers_7(%x: tensor<1x9x9x512xf32>, %w: tensor<3x3x512x512xf32> {tpp.prepack}) -> tensor<1x7x7x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x512xf32>, tensor<3x3x512x512xf32>) outs(%z : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  return %0 : tensor<1x7x7x512xf32>
}

// Post-ops stay: the bias that is the initial value, relu, the residual.
// CHECK-LABEL: @post_ops(
// CHECK: tpp.contract {{.*}} post(%{{.*}}, %{{.*}} : tensor<64xf32>, tensor<2x14x14x64xf32>) {{.*}} post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>, #tpp.post_op<binary add>], winograd = 4 : i64}
func.func @post_ops(%x: tensor<2x16x16x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}, %bias: tensor<64xf32>, %residual: tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x14x14x64xf32>
  %b = linalg.broadcast ins(%bias : tensor<64xf32>) outs(%e : tensor<2x14x14x64xf32>) dimensions = [0, 1, 2]
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x16x16x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0, %residual : tensor<2x14x14x64xf32>, tensor<2x14x14x64xf32>) outs(%e : tensor<2x14x14x64xf32>) {
  ^bb0(%v: f32, %r: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    %s = arith.addf %m, %r : f32
    linalg.yield %s : f32
  } -> tensor<2x14x14x64xf32>
  return %1 : tensor<2x14x14x64xf32>
}

//--- slower.mlir

// Two channels: the transforms take longer than the products that they save. Few pixels: the same.
// CHECK-NOT: winograd =
// ALWAYS-LABEL: @few_channels(
// ALWAYS: winograd = 4 : i64
func.func @few_channels(%x: tensor<1x58x58x2xf32>, %w: tensor<3x3x2x2xf32> {tpp.prepack}) -> tensor<1x56x56x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x2xf32>) -> tensor<1x56x56x2xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x2xf32>, tensor<3x3x2x2xf32>) outs(%z : tensor<1x56x56x2xf32>) -> tensor<1x56x56x2xf32>
  return %0 : tensor<1x56x56x2xf32>
}
// ALWAYS-LABEL: @few_pixels(
// ALWAYS: tensor<4x3xf32>
// ALWAYS: linalg.pack {{.*}} -> tensor<16x1x16x20xf32>
// ALWAYS: winograd = 2 : i64
func.func @few_pixels(%x: tensor<1x4x4x16xf32>, %w: tensor<3x3x16x20xf32> {tpp.prepack}) -> tensor<1x2x2x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2x20xf32>) -> tensor<1x2x2x20xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x4x4x16xf32>, tensor<3x3x16x20xf32>) outs(%z : tensor<1x2x2x20xf32>) -> tensor<1x2x2x20xf32>
  return %0 : tensor<1x2x2x20xf32>
}
// Outputs in steps of two pixels, and taps as far apart: a convolution of stride 1 of every second pixel.
// CHECK-LABEL: @every_second_pixel(
// CHECK: winograd = 4 : i64
// ALWAYS-LABEL: @every_second_pixel(
// ALWAYS: winograd = 4 : i64
func.func @every_second_pixel(%x: tensor<1x60x60x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x60x60x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %0 : tensor<1x28x28x64xf32>
}

//--- near-misses.mlir

// CHECK-NOT: winograd =

// Stride 2.
func.func @stride_2(%x: tensor<1x57x57x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x57x57x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %0 : tensor<1x28x28x64xf32>
}

// Stride 2 along one dimension.
func.func @stride_2_1(%x: tensor<1x57x58x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x28x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x28x56x64xf32>) -> tensor<1x28x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x57x58x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x28x56x64xf32>) -> tensor<1x28x56x64xf32>
  return %0 : tensor<1x28x56x64xf32>
}

// Taps 30 pixels apart: images of one row.
func.func @dilation_30(%x: tensor<1x116x116x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<30> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x116x116x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// Filters of other sizes.
func.func @filter_1x1(%x: tensor<1x56x56x64xf32>, %w: tensor<1x1x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x56x56x64xf32>, tensor<1x1x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
func.func @filter_5x5(%x: tensor<1x60x60x64xf32>, %w: tensor<5x5x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x60x60x64xf32>, tensor<5x5x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
func.func @filter_1x3(%x: tensor<1x56x58x64xf32>, %w: tensor<1x3x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x56x58x64xf32>, tensor<1x3x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
func.func @filter_3x2(%x: tensor<1x58x57x64xf32>, %w: tensor<3x2x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x57x64xf32>, tensor<3x2x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// Other types.
func.func @f16(%x: tensor<1x58x58x64xf16>, %w: tensor<3x3x64x64xf16> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf16>, tensor<3x3x64x64xf16>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
func.func @f64(%x: tensor<1x58x58x64xf64>, %w: tensor<3x3x64x64xf64> {tpp.prepack}) -> tensor<1x56x56x64xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x56x56x64xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<1x56x56x64xf64>) -> tensor<1x56x56x64xf64>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf64>, tensor<3x3x64x64xf64>) outs(%z : tensor<1x56x56x64xf64>) -> tensor<1x56x56x64xf64>
  return %0 : tensor<1x56x56x64xf64>
}

// Filters that are computed in each call.
func.func @variable(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// The sums are added to an argument.
func.func @accumulated(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}, %c: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%c : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// Channels first: those of a pixel are not contiguous.
func.func @channels_first(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32> {tpp.prepack}) -> tensor<1x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// One channel, one filter, one row, one column.
func.func @one_channel(%x: tensor<1x58x58x1xf32>, %w: tensor<3x3x1x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x1xf32>, tensor<3x3x1x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
func.func @one_filter(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x1xf32> {tpp.prepack}) -> tensor<1x56x56x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x1xf32>) -> tensor<1x56x56x1xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x1xf32>) outs(%z : tensor<1x56x56x1xf32>) -> tensor<1x56x56x1xf32>
  return %0 : tensor<1x56x56x1xf32>
}
func.func @one_row(%x: tensor<1x3x58x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x1x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x56x64xf32>) -> tensor<1x1x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x3x58x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x1x56x64xf32>) -> tensor<1x1x56x64xf32>
  return %0 : tensor<1x1x56x64xf32>
}
func.func @one_column(%x: tensor<1x58x3x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x56x1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x1x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x1x64xf32>) -> tensor<1x56x1x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x3x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x56x1x64xf32>) -> tensor<1x56x1x64xf32>
  return %0 : tensor<1x56x1x64xf32>
}

// Groups.
func.func @groups(%x: tensor<1x58x58x2x32xf32>, %w: tensor<2x32x3x3x32xf32> {tpp.prepack}) -> tensor<1x56x56x2x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x2x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x2x32xf32>) -> tensor<1x56x56x2x32xf32>
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x2x32xf32>, tensor<2x32x3x3x32xf32>) outs(%z : tensor<1x56x56x2x32xf32>) -> tensor<1x56x56x2x32xf32>
  return %0 : tensor<1x56x56x2x32xf32>
}

// Three dimensions of taps.
func.func @three_dimensions(%x: tensor<1x8x30x30x16xf32>, %w: tensor<3x3x3x16x32xf32> {tpp.prepack}) -> tensor<1x6x28x28x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x28x28x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x28x28x32xf32>) -> tensor<1x6x28x28x32xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x, %w : tensor<1x8x30x30x16xf32>, tensor<3x3x3x16x32xf32>) outs(%z : tensor<1x6x28x28x32xf32>) -> tensor<1x6x28x28x32xf32>
  return %0 : tensor<1x6x28x28x32xf32>
}

// The result is transposed: its pixels are in another order than those of the image.
func.func @transposed(%x: tensor<1x30x30x16xf32>, %w: tensor<3x3x16x32xf32> {tpp.prepack}) -> tensor<1x28x28x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>, affine_map<(i, y, x, n, r, s, k) -> (r, s, k, n)>, affine_map<(i, y, x, n, r, s, k) -> (i, x, y, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x30x30x16xf32>, tensor<3x3x16x32xf32>) outs(%z : tensor<1x28x28x32xf32>) {
  ^bb0(%p: f32, %q: f32, %c: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %c, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x28x28x32xf32>
  return %0 : tensor<1x28x28x32xf32>
}

//--- strategies.mlir

// Another packing strategy than the cost model's packs the filters.
// CHECK-LABEL: @fixed(
// CHECK-NOT: winograd =
// CHECK-LABEL: @cost_model(
// CHECK: winograd = 4 : i64
func.func @fixed(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> attributes {tpp.packing = #tpp.packing_fixed<panel = 16>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
func.func @cost_model(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> attributes {tpp.packing = #tpp.packing_cost_model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

//--- prepack.mlir

// INVALID: error: threads must be at least 1
// The transformed filters are a weight. Layouts and fusion leave the contraction as it is.
// CHECK-LABEL: func.func @layer_prepack(
// CHECK-SAME: %{{.*}}: tensor<3x3x64x64xf32>) -> tensor<36x1x64x64xf32>
// CHECK: linalg.pack
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[U:[^ ]*]]: tensor<36x1x64x64xf32> {tpp.weight = 0 : i64})
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract ins(%{{.*}}, %[[U]] : tensor<1x58x58x64xf32>, tensor<36x1x64x64xf32>) {{.*}}post_ops = [#tpp.post_op<unary relu>]{{.*}}, winograd = 4 : i64}
// OFF-NOT: winograd =
// OFF: tpp.contract
// OFF-NOT: winograd =
func.func @layer(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32> {tpp.prepack}) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%z : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0 : tensor<1x56x56x64xf32>) outs(%e : tensor<1x56x56x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x56x56x64xf32>
  return %1 : tensor<1x56x56x64xf32>
}

//--- strided.mlir

// The transformation of the image reads contiguous channels. Those of a slice with stride 2 are not.
// CHECK-LABEL: @contiguous(
// CHECK: winograd
// CHECK-LABEL: @strided(
// CHECK-NOT: winograd
// CHECK: return
func.func @contiguous(%x: tensor<4x16x16x64xf32>, %image: index, %w: tensor<3x3x32x32xf32> {tpp.prepack}) -> tensor<2x14x14x32xf32> {
  %zero = arith.constant 0.0 : f32
  %images = tensor.extract_slice %x[%image, 0, 0, 0] [2, 16, 16, 64] [2, 1, 1, 1] : tensor<4x16x16x64xf32> to tensor<2x16x16x64xf32>
  %channels = tensor.extract_slice %images[0, 0, 0, 8] [2, 16, 16, 32] [1, 1, 1, 1] : tensor<2x16x16x64xf32> to tensor<2x16x16x32xf32>
  %e = tensor.empty() : tensor<2x14x14x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%channels, %w : tensor<2x16x16x32xf32>, tensor<3x3x32x32xf32>) outs(%z : tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32>
  return %0 : tensor<2x14x14x32xf32>
}
func.func @strided(%x: tensor<4x16x16x64xf32>, %image: index, %w: tensor<3x3x32x32xf32> {tpp.prepack}) -> tensor<2x14x14x32xf32> {
  %zero = arith.constant 0.0 : f32
  %images = tensor.extract_slice %x[%image, 0, 0, 0] [2, 16, 16, 64] [2, 1, 1, 1] : tensor<4x16x16x64xf32> to tensor<2x16x16x64xf32>
  %channels = tensor.extract_slice %images[0, 0, 0, 0] [2, 16, 16, 32] [1, 1, 1, 2] : tensor<2x16x16x64xf32> to tensor<2x16x16x32xf32>
  %e = tensor.empty() : tensor<2x14x14x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%channels, %w : tensor<2x16x16x32xf32>, tensor<3x3x32x32xf32>) outs(%z : tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32>
  return %0 : tensor<2x14x14x32xf32>
}
