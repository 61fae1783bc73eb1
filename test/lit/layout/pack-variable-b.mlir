// Which variable B the cost model packs in every call: one that many rows of A share and that the L2 does not hold unpacked. Rows of B that
// begin a page apart map to few L2 sets, so their conflict misses start at a smaller B. The cases are far from the sizes at which the
// decision changes: those are fitted to measurements (docs/decisions/layout.md) and may move. The L2 has 1 MiB; with the prefix LARGER 8 MiB.
// RUN: tpp-opt %s --tpp-target='target=#tpp.target<isa="avx512", vector_bits=512, registers=32, caches=[49152, 1048576, 33554432], cores=2>' --tpp-default-tensors | FileCheck %s
// RUN: tpp-opt %s --tpp-target='target=#tpp.target<isa="avx512", vector_bits=512, registers=32, caches=[49152, 8388608, 33554432], cores=2>' --tpp-default-tensors | FileCheck %s --check-prefix=LARGER

// Rows of B that begin a page apart and overfill their sets, shared by many rows of A: packed. A larger L2 holds them.
// CHECK-LABEL: @many_rows(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @many_rows(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @many_rows(%a: tensor<512x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// One row of A reads each element of B once.
// CHECK-LABEL: @one_row(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @one_row(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @one_row(%a: tensor<1x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<1x1024xf32>) -> tensor<1x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  return %0 : tensor<1x1024xf32>
}

// Rows that begin a page apart are packed for fewer rows of A than rows that map to all sets.
// CHECK-LABEL: @few_sets(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @few_sets(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @few_sets(%a: tensor<160x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<160x1024xf32>) -> tensor<160x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<160x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<160x1024xf32>) -> tensor<160x1024xf32>
  return %0 : tensor<160x1024xf32>
}

// CHECK-LABEL: @all_sets(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @all_sets(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @all_sets(%a: tensor<160x1024xf32>, %b: tensor<1024x992xf32>, %c: tensor<160x992xf32>) -> tensor<160x992xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<160x1024xf32>, tensor<1024x992xf32>) outs(%c : tensor<160x992xf32>) -> tensor<160x992xf32>
  return %0 : tensor<160x992xf32>
}

// B has few rows, which stay in their sets.
// CHECK-LABEL: @short_sum(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @short_sum(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @short_sum(%a: tensor<512x64xf32>, %b: tensor<64x1024xf32>, %c: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x64xf32>, tensor<64x1024xf32>) outs(%c : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// Rows that begin four pages apart map to fewer sets, so few rows overfill them.
// CHECK-LABEL: @several_pages_apart(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @several_pages_apart(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @several_pages_apart(%a: tensor<512x128xf32>, %b: tensor<128x4096xf32>, %c: tensor<512x4096xf32>) -> tensor<512x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x128xf32>, tensor<128x4096xf32>) outs(%c : tensor<512x4096xf32>) -> tensor<512x4096xf32>
  return %0 : tensor<512x4096xf32>
}

// CHECK-LABEL: @several_pages_apart_one_row(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @several_pages_apart_one_row(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @several_pages_apart_one_row(%a: tensor<1x128xf32>, %b: tensor<128x4096xf32>, %c: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x128xf32>, tensor<128x4096xf32>) outs(%c : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  return %0 : tensor<1x4096xf32>
}

// Rows that map to all sets: packed if A and B are much larger than L2 and K is long, whatever the L2.
// CHECK-LABEL: @large(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @large(
// LARGER: linalg.pack
// LARGER: tpp.contract
func.func @large(%a: tensor<2048x2048xf32>, %b: tensor<2048x2016xf32>, %c: tensor<2048x2016xf32>) -> tensor<2048x2016xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2048x2048xf32>, tensor<2048x2016xf32>) outs(%c : tensor<2048x2016xf32>) -> tensor<2048x2016xf32>
  return %0 : tensor<2048x2016xf32>
}

// CHECK-LABEL: @large_few_rows(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @large_few_rows(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @large_few_rows(%a: tensor<16x2048xf32>, %b: tensor<2048x2016xf32>, %c: tensor<16x2016xf32>) -> tensor<16x2016xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x2048xf32>, tensor<2048x2016xf32>) outs(%c : tensor<16x2016xf32>) -> tensor<16x2016xf32>
  return %0 : tensor<16x2016xf32>
}

// CHECK-LABEL: @large_short_sum(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @large_short_sum(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @large_short_sum(%a: tensor<2048x64xf32>, %b: tensor<64x2016xf32>, %c: tensor<2048x2016xf32>) -> tensor<2048x2016xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2048x64xf32>, tensor<64x2016xf32>) outs(%c : tensor<2048x2016xf32>) -> tensor<2048x2016xf32>
  return %0 : tensor<2048x2016xf32>
}
