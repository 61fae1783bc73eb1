// Sums of i8 products that are stored as u8 saturate at 0 and 255, and a u8 that they are added to is read as unsigned: in vector code and in loops.
// RUN: tpp-run %s --input=250 --output=%t.npy && od -An -t u1 -j 128 %t.npy | FileCheck %s
// RUN: tpp-run %s --pipeline=loops --input=250 --output=%t.npy && od -An -t u1 -j 128 %t.npy | FileCheck %s

// Without and with the init of 250: 3 * 70, 3 * -70; 3 * 90, 3 * 1.
// CHECK: 210 0 255 3 255 40 255 253
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%init: tensor<1x4xi8> {tpp.unsigned}) -> (tensor<2x4xi8> {tpp.unsigned}) {
  %a = arith.constant dense<1> : tensor<1x3xi8>
  %b = arith.constant dense<[[70, -70, 90, 1], [70, -70, 90, 1], [70, -70, 90, 1]]> : tensor<3x4xi8>
  %e = tensor.empty() : tensor<1x4xi8>
  %0 = tpp.contract ins(%a, %b : tensor<1x3xi8>, tensor<3x4xi8>) outs(%e : tensor<1x4xi8>)
    {c_unsigned, beta = 0 : i64, extents = array<i64: 1, 4, 3>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<1x4xi8>
  %1 = tpp.contract ins(%a, %b : tensor<1x3xi8>, tensor<3x4xi8>) outs(%init : tensor<1x4xi8>)
    {c_unsigned, beta = 1 : i64, extents = array<i64: 1, 4, 3>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<1x4xi8>
  %y = tensor.concat dim(0) %0, %1 : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<2x4xi8>
  return %y : tensor<2x4xi8>
}
