// Near misses: pads that stay, because one of their readers needs the padding, or because no kernel knows such a border.
// RUN: tpp-opt %s --pass-pipeline='builtin.module(tpp-target{target=zen4},func.func(tpp-read-padding))' --split-input-file | FileCheck %s

// The padded image is a result, too.
// CHECK-LABEL: @returned(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @returned(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> (tensor<1x8x8x16xf32>, tensor<1x10x10x16xf32>) {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  return %0, %p : tensor<1x8x8x16xf32>, tensor<1x10x10x16xf32>
}

// -----

// An elementwise op reads the padded image, too.
// CHECK-LABEL: @elementwise(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @elementwise(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> (tensor<1x8x8x16xf32>, tensor<1x10x10x16xf32>) {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x10x10x16xf32>
  %1 = linalg.exp ins(%p : tensor<1x10x10x16xf32>) outs(%e1 : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  return %0, %1 : tensor<1x8x8x16xf32>, tensor<1x10x10x16xf32>
}

// -----

// A contraction that is neither one for Winograd's kernels nor one for groups reads it.
// CHECK-LABEL: @plain(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @plain(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// One of two readers is no convolution of groups: both read the pad.
// CHECK-LABEL: @one_of_two(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @one_of_two(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e1 : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  return %0, %1 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
}

// -----

// Channels are padded.
// CHECK-LABEL: @channels(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @channels(%x: tensor<1x8x8x14xf32>, %w: tensor<3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 1] [1, 8, 8, 14] [1, 1, 1, 1] : tensor<1x8x8x14xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// Images are padded: the batch is no dimension of an image.
// CHECK-LABEL: @images(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @images(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> tensor<3x8x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<3x10x10x16xf32>) -> tensor<3x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[1, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<3x10x10x16xf32>
  %e = tensor.empty() : tensor<3x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<3x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<3x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 3, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<3x8x8x16xf32>
  return %0 : tensor<3x8x8x16xf32>
}

// -----

// Padding with ones.
// CHECK-LABEL: @ones(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @ones(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  %value = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// The image is written into another tensor than zeros.
// CHECK-LABEL: @other_tensor(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @other_tensor(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>, %d: tensor<1x10x10x16xf32>) -> tensor<1x8x8x16xf32> {
  %p = tensor.insert_slice %x into %d[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// Pixels of the image are two pixels apart.
// CHECK-LABEL: @apart(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @apart(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> tensor<1x15x15x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x17x17x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x17x17x16xf32>) -> tensor<1x17x17x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 2, 2, 1] : tensor<1x8x8x16xf32> into tensor<1x17x17x16xf32>
  %e = tensor.empty() : tensor<1x15x15x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x17x17x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x15x15x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 15, 15, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x15x15x16xf32>
  return %0 : tensor<1x15x15x16xf32>
}

// -----

// The padded tensor is the filter, operand B.
// CHECK-LABEL: @filters(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%{{.*}}, %[[P]]
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @filters(%x: tensor<1x10x10x16xf32>, %w: tensor<1x1x16xf32>) -> tensor<1x8x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x3x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<3x3x16xf32>) -> tensor<3x3x16xf32>
  %p = tensor.insert_slice %w into %values[1, 1, 0] [1, 1, 16] [1, 1, 1] : tensor<1x1x16xf32> into tensor<3x3x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%x, %p : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result], post_ops = []} -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// The padded tensor is the operand of a post-op, too.
// CHECK-LABEL: @post_operand(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, c, r, s) -> (i, y + r, x + s, c)>
#filters = affine_map<(i, y, x, c, r, s) -> (r, s, c)>
#result = affine_map<(i, y, x, c, r, s) -> (i, y, x, c)>
func.func @post_operand(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>) outs(%e : tensor<1x8x8x16xf32>) post(%p : tensor<1x10x10x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3>, grouped, indexing_maps = [#image, #filters, #result, #result], post_ops = [#tpp.post_op<binary add>]} -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// A border of three pixels: tiles of Winograd's algorithm at the border would read nothing else.
// CHECK-LABEL: @winograd_wide(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>
#filters = affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>
#result = affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>
func.func @winograd_wide(%x: tensor<1x8x8x16xf32>, %u: tensor<16x1x16x16xf32>) -> tensor<1x9x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x11x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x11x10x16xf32>) -> tensor<1x11x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 3, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<1x11x10x16xf32>
  %e = tensor.empty() : tensor<1x9x8x16xf32>
  %0 = tpp.contract ins(%p, %u : tensor<1x11x10x16xf32>, tensor<16x1x16x16xf32>) outs(%e : tensor<1x9x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 9, 8, 16, 3, 3, 16>, indexing_maps = [#image, #filters, #result], post_ops = [], winograd = 2 : i64} -> tensor<1x9x8x16xf32>
  return %0 : tensor<1x9x8x16xf32>
}

// -----

// Channels of Winograd's convolutions are padded.
// CHECK-LABEL: @winograd_channels(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>
#filters = affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>
#result = affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>
func.func @winograd_channels(%x: tensor<1x8x8x15xf32>, %u: tensor<16x1x16x16xf32>) -> tensor<1x8x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 15] [1, 1, 1, 1] : tensor<1x8x8x15xf32> into tensor<1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = tpp.contract ins(%p, %u : tensor<1x10x10x16xf32>, tensor<16x1x16x16xf32>) outs(%e : tensor<1x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 1, 8, 8, 16, 3, 3, 16>, indexing_maps = [#image, #filters, #result], post_ops = [], winograd = 2 : i64} -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// Images of Winograd's convolutions are padded.
// CHECK-LABEL: @winograd_images(
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tpp.contract ins(%[[P]],
// CHECK-NOT: padded
// CHECK: return
#image = affine_map<(i, y, x, n, r, s, k) -> (i, y + r, x + s, k)>
#filters = affine_map<(i, y, x, n, r, s, k) -> (0, n floordiv 16, k, n mod 16)>
#result = affine_map<(i, y, x, n, r, s, k) -> (i, y, x, n)>
func.func @winograd_images(%x: tensor<1x8x8x16xf32>, %u: tensor<16x1x16x16xf32>) -> tensor<2x8x8x16xf32> {
  %value = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x10x10x16xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<2x10x10x16xf32>) -> tensor<2x10x10x16xf32>
  %p = tensor.insert_slice %x into %values[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> into tensor<2x10x10x16xf32>
  %e = tensor.empty() : tensor<2x8x8x16xf32>
  %0 = tpp.contract ins(%p, %u : tensor<2x10x10x16xf32>, tensor<16x1x16x16xf32>) outs(%e : tensor<2x8x8x16xf32>)
    {beta = 0 : i64, extents = array<i64: 2, 8, 8, 16, 3, 3, 16>, indexing_maps = [#image, #filters, #result], post_ops = [], winograd = 2 : i64} -> tensor<2x8x8x16xf32>
  return %0 : tensor<2x8x8x16xf32>
}
