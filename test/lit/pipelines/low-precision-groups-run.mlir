// Convolutions of groups of channels in bf16 and 8-bit integers: kernels for groups compute them, without copies, and the result equals the reference.
// RUN: tpp-run %s --entry=unsigned --threads=1 --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// RUN: tpp-run %s --entry=unsigned --threads=2 --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// RUN: tpp-run %s --entry=no_zero_point --threads=1 --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// RUN: tpp-run %s --entry=no_zero_point --threads=2 --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// RUN: tpp-run %s --entry=signed --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=signed --threads=2 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=sums --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=sums --threads=2 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=groups --threads=1 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=groups --threads=2 --check=reference | FileCheck %s --check-prefixes=I8,EQUAL
// RUN: tpp-run %s --entry=filters_first --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// RUN: tpp-run %s --entry=bf16 --threads=1 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// RUN: tpp-run %s --entry=bf16 --threads=2 --check=reference | FileCheck %s --check-prefixes=BF16,EQUAL
// The reference kernel, and a target without vectors.
// RUN: tpp-run %s --entry=unsigned --provider=reference --check=reference | FileCheck %s --check-prefixes=REFERENCE,EQUAL
// RUN: tpp-run %s --entry=unsigned --target=portable --check=reference | FileCheck %s --check-prefixes=U8,EQUAL
// Without packing, vector code computes them.
// RUN: tpp-run %s --entry=unsigned --packing=none --check=reference | FileCheck %s --check-prefixes=EQUAL

// EQUAL-NOT: {{scalar|DIFFERS}}
// U8: copies 0
// U8: kernel {{.*}}grouped_conv_u8i8i32
// I8: copies 0
// I8: kernel {{.*}}grouped_conv_i8i8i32
// BF16: copies 0
// BF16: kernel {{.*}}grouped_conv_bf16
// REFERENCE: kernel {{.*}}grouped_conv_reference
// EQUAL: result #0 equals the reference

#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#last4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>

// An unsigned image whose zero point is around it, quantized to unsigned integers. 40 channels: whole vectors and a part of one.
func.func @unsigned(%x: tensor<1x12x13x40xi8>, %w: tensor<3x3x40xi8> {tpp.prepack}, %scales: tensor<40xf32> {tpp.prepack}, %bias: tensor<40xf32> {tpp.prepack}) -> tensor<1x12x13x40xi8> {
  %zero = arith.constant 0.0 : f32
  %zp = arith.constant 3 : i32
  %scale = arith.constant 0.0078125 : f32
  %inverse = arith.constant 0.125 : f32
  %zo = arith.constant 17.0 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %ex = tensor.empty() : tensor<1x12x13x40xf32>
  %dx = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x12x13x40xi8>) outs(%ex : tensor<1x12x13x40xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x12x13x40xf32>
  %p = tensor.pad %dx low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x12x13x40xf32> to tensor<1x14x15x40xf32>
  %ew = tensor.empty() : tensor<3x3x40xf32>
  %dw = linalg.generic {indexing_maps = [#id3, #last, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<3x3x40xi8>, tensor<40xf32>) outs(%ew : tensor<3x3x40xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x40xf32>
  %e = tensor.empty() : tensor<1x12x13x40xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x13x40xf32>) -> tensor<1x12x13x40xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>} ins(%p, %dw : tensor<1x14x15x40xf32>, tensor<3x3x40xf32>) outs(%z : tensor<1x12x13x40xf32>) -> tensor<1x12x13x40xf32>
  %eq = tensor.empty() : tensor<1x12x13x40xi8>
  %q = linalg.generic {indexing_maps = [#id4, #last4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %bias : tensor<1x12x13x40xf32>, tensor<40xf32>) outs(%eq : tensor<1x12x13x40xi8>) {
  ^bb0(%in: f32, %b: f32, %out: i8):
    %0 = arith.addf %in, %b : f32
    %1 = arith.divf %0, %inverse : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x12x13x40xi8>
  return %q : tensor<1x12x13x40xi8>
}

// The zero point is 0; steps of two; two images.
func.func @no_zero_point(%x: tensor<2x11x14x16xi8>, %w: tensor<5x5x16xi8> {tpp.prepack}, %scales: tensor<16xf32> {tpp.prepack}, %bias: tensor<16xf32> {tpp.prepack}) -> tensor<2x6x7x16xi8> {
  %zero = arith.constant 0.0 : f32
  %zp = arith.constant 0 : i32
  %scale = arith.constant 0.0078125 : f32
  %inverse = arith.constant 0.125 : f32
  %zo = arith.constant 17.0 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %ex = tensor.empty() : tensor<2x11x14x16xf32>
  %dx = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x11x14x16xi8>) outs(%ex : tensor<2x11x14x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<2x11x14x16xf32>
  %p = tensor.pad %dx low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x11x14x16xf32> to tensor<2x15x18x16xf32>
  %ew = tensor.empty() : tensor<5x5x16xf32>
  %dw = linalg.generic {indexing_maps = [#id3, #last, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<5x5x16xi8>, tensor<16xf32>) outs(%ew : tensor<5x5x16xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x5x16xf32>
  %e = tensor.empty() : tensor<2x6x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>} ins(%p, %dw : tensor<2x15x18x16xf32>, tensor<5x5x16xf32>) outs(%z : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %eq = tensor.empty() : tensor<2x6x7x16xi8>
  %q = linalg.generic {indexing_maps = [#id4, #last4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %bias : tensor<2x6x7x16xf32>, tensor<16xf32>) outs(%eq : tensor<2x6x7x16xi8>) {
  ^bb0(%in: f32, %b: f32, %out: i8):
    %0 = arith.addf %in, %b : f32
    %1 = arith.divf %0, %inverse : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<2x6x7x16xi8>
  return %q : tensor<2x6x7x16xi8>
}

// A signed image and a signed result.
func.func @signed(%x: tensor<1x9x30x24xi8>, %w: tensor<3x3x24xi8> {tpp.prepack}, %scales: tensor<24xf32> {tpp.prepack}, %bias: tensor<24xf32> {tpp.prepack}) -> tensor<1x9x30x24xi8> {
  %zero = arith.constant 0.0 : f32
  %zp = arith.constant -7 : i32
  %scale = arith.constant 0.0078125 : f32
  %inverse = arith.constant 0.125 : f32
  %zo = arith.constant 17.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %ex = tensor.empty() : tensor<1x9x30x24xf32>
  %dx = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x30x24xi8>) outs(%ex : tensor<1x9x30x24xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x9x30x24xf32>
  %p = tensor.pad %dx low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x9x30x24xf32> to tensor<1x11x32x24xf32>
  %ew = tensor.empty() : tensor<3x3x24xf32>
  %dw = linalg.generic {indexing_maps = [#id3, #last, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<3x3x24xi8>, tensor<24xf32>) outs(%ew : tensor<3x3x24xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x3x24xf32>
  %e = tensor.empty() : tensor<1x9x30x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x30x24xf32>) -> tensor<1x9x30x24xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>} ins(%p, %dw : tensor<1x11x32x24xf32>, tensor<3x3x24xf32>) outs(%z : tensor<1x9x30x24xf32>) -> tensor<1x9x30x24xf32>
  %eq = tensor.empty() : tensor<1x9x30x24xi8>
  %q = linalg.generic {indexing_maps = [#id4, #last4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %bias : tensor<1x9x30x24xf32>, tensor<24xf32>) outs(%eq : tensor<1x9x30x24xi8>) {
  ^bb0(%in: f32, %b: f32, %out: i8):
    %0 = arith.addf %in, %b : f32
    %1 = arith.divf %0, %inverse : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x9x30x24xi8>
  return %q : tensor<1x9x30x24xi8>
}

// Sums of signed integers, of an exporter of integers.
func.func @sums(%x: tensor<1x10x10x20xi8>, %w: tensor<3x3x20xi8> {tpp.prepack}) -> tensor<1x8x8x20xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x8x8x20xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x10x10x20xi8>, tensor<3x3x20xi8>) outs(%z : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  return %y : tensor<1x8x8x20xi32>
}

// Groups of four channels.
func.func @groups(%x: tensor<1x12x12x8x4xi8>, %w: tensor<8x4x3x3x4xi8> {tpp.prepack}) -> tensor<1x10x10x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x10x10x8x4xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x10x10x8x4xi32>) -> tensor<1x10x10x8x4xi32>
  %y = linalg.conv_2d_nhwgc_gfhwc ins(%x, %w : tensor<1x12x12x8x4xi8>, tensor<8x4x3x3x4xi8>) outs(%z : tensor<1x10x10x8x4xi32>) -> tensor<1x10x10x8x4xi32>
  %c = tensor.collapse_shape %y [[0], [1], [2], [3, 4]] : tensor<1x10x10x8x4xi32> into tensor<1x10x10x32xi32>
  return %c : tensor<1x10x10x32xi32>
}

// bf16, of an exporter that multiplies in f32, with a bias and relu.
func.func @bf16(%x: tensor<1x14x14x48xbf16>, %w: tensor<3x3x48xbf16> {tpp.prepack}, %b: tensor<48xf32> {tpp.prepack}) -> tensor<1x12x12x48xbf16> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x14x14x48xf32>
  %fx = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x14x14x48xbf16>) outs(%ex : tensor<1x14x14x48xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<1x14x14x48xf32>
  %ew = tensor.empty() : tensor<3x3x48xf32>
  %fw = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x3x48xbf16>) outs(%ew : tensor<3x3x48xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<3x3x48xf32>
  %e = tensor.empty() : tensor<1x12x12x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x12x48xf32>) -> tensor<1x12x12x48xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%fx, %fw : tensor<1x14x14x48xf32>, tensor<3x3x48xf32>) outs(%z : tensor<1x12x12x48xf32>) -> tensor<1x12x12x48xf32>
  %eo = tensor.empty() : tensor<1x12x12x48xbf16>
  %o = linalg.generic {indexing_maps = [#id4, #last4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x12x12x48xf32>, tensor<48xf32>) outs(%eo : tensor<1x12x12x48xbf16>) {
  ^bb0(%in: f32, %bias: f32, %out: bf16):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<1x12x12x48xbf16>
  return %o : tensor<1x12x12x48xbf16>
}

// Signed filters are the first operand, and the image is unsigned.
func.func @filters_first(%arg0: tensor<1x3xi8>) -> (tensor<1x3xi32>) {
    %k0 = arith.constant dense<[-2, 1, 3]> : tensor<3xi8>
    %c1 = arith.constant 0 : i32
    %e2 = tensor.empty() : tensor<1x3xi32>
    %f3 = linalg.fill ins(%c1 : i32) outs(%e2 : tensor<1x3xi32>) -> tensor<1x3xi32>
    %v13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%k0, %arg0 : tensor<3xi8>, tensor<1x3xi8>) outs(%f3 : tensor<1x3xi32>) {
    ^bb0(%v13x: i8, %v13y: i8, %v13z: i32):
      %v13xw = arith.extsi %v13x : i8 to i32
      %v13yw = arith.extui %v13y : i8 to i32
      %v13m = arith.muli %v13yw, %v13xw : i32
      %v13s = arith.addi %v13m, %v13z : i32
      linalg.yield %v13s : i32
    } -> tensor<1x3xi32>
    return %v13 : tensor<1x3xi32>
}
