// An out-of-tree library gives linalg.softmax a layout rule, so layouts propagate through it. Without it, the op gets values in
// their original layout.
// RUN: tpp-opt %s --tpp-propagate-layouts | FileCheck %s --check-prefixes=CHECK,WITHOUT
// RUN: tpp-opt %s --load-dialect-plugin=%softmax_layout --tpp-propagate-layouts | FileCheck %s --check-prefixes=CHECK,WITH
// RUN: mlir-opt %s --load-dialect-plugin=%tpp_plugin --load-dialect-plugin=%softmax_layout --load-pass-plugin=%tpp_plugin \
// RUN:   --pass-pipeline='builtin.module(func.func(tpp-propagate-layouts))' | FileCheck %s --check-prefixes=CHECK,WITH
// UNSUPPORTED: sanitizer

// The channels, the softmax dimension, are dimension 1 before and 3 after.
// CHECK-LABEL: @segment(
// CHECK: %[[C:.*]] = tpp.contract {{.*}} outs({{.*}} : tensor<1x54x54x64xf32>)
// WITHOUT: %[[BACK:.*]] = linalg.transpose ins(%[[C]] : tensor<1x54x54x64xf32>) {{.*}} permutation = [0, 3, 1, 2]
// WITHOUT: %[[S:.*]] = linalg.softmax dimension(1) ins(%[[BACK]] : tensor<1x64x54x54xf32>)
// WITHOUT: %[[AGAIN:.*]] = linalg.transpose ins(%[[S]] : tensor<1x64x54x54xf32>) {{.*}} permutation = [0, 2, 3, 1]
// WITHOUT: tpp.contract ins(%[[AGAIN]],
// WITH-NOT: linalg.transpose
// WITH: %[[S:.*]] = linalg.softmax dimension(3) ins(%[[C]] : tensor<1x54x54x64xf32>)
// WITH-NEXT: tensor.empty
// WITH-NEXT: tpp.contract ins(%[[S]],
// CHECK: return
#x = affine_map<(n, o, h, w, c, r, s) -> (n, c, h + r, w + s)>
#w = affine_map<(n, o, h, w, c, r, s) -> (o, c, r, s)>
#y = affine_map<(n, o, h, w, c, r, s) -> (n, o, h, w)>
func.func @segment(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x52x52xf32> {
  %w0 = arith.constant dense_resource<w0> : tensor<64x64x3x3xf32>
  %w1 = arith.constant dense_resource<w1> : tensor<64x64x3x3xf32>
  %e0 = tensor.empty() : tensor<1x64x54x54xf32>
  %0 = tpp.contract ins(%x, %w0 : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e0 : tensor<1x64x54x54xf32>) {beta = 0 : i64, extents = array<i64: 1, 64, 54, 54, 64, 3, 3>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x64x54x54xf32>
  %e1 = tensor.empty() : tensor<1x64x54x54xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<1x64x54x54xf32>) outs(%e1 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %e2 = tensor.empty() : tensor<1x64x52x52xf32>
  %2 = tpp.contract ins(%1, %w1 : tensor<1x64x54x54xf32>, tensor<64x64x3x3xf32>) outs(%e2 : tensor<1x64x52x52xf32>) {beta = 0 : i64, extents = array<i64: 1, 64, 52, 52, 64, 3, 3>, indexing_maps = [#x, #w, #y], post_ops = []} -> tensor<1x64x52x52xf32>
  return %2 : tensor<1x64x52x52xf32>
}
