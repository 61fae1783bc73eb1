// Which variable B the cost model packs in every call, by L2 size (1 MiB; with the prefix LARGER 2 MiB) and by the number of rows
// of A that share B. The names describe the rows of B. docs/decisions/layout.md has the measurements.
// RUN: tpp-opt %s --tpp-target='target=#tpp.target<isa="avx512", vector_bits=512, registers=32, caches=[49152, 1048576, 33554432], cores=2>' --tpp-default-tensors | FileCheck %s
// RUN: tpp-opt %s --tpp-target='target=#tpp.target<isa="avx512", vector_bits=512, registers=32, caches=[49152, 2097152, 33554432], cores=2>' --tpp-default-tensors | FileCheck %s --check-prefix=LARGER

// K = 1024, and every row of B starts a page, so the rows map to few L2 sets and need four times the capacity of these: packed
// from 64 rows on.
// CHECK-LABEL: @long_in_pages(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @long_in_pages(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @long_in_pages(%a: tensor<64x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %0 : tensor<64x1024xf32>
}

// CHECK-LABEL: @long_in_pages_fewer_rows(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @long_in_pages_fewer_rows(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @long_in_pages_fewer_rows(%a: tensor<63x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<63x1024xf32>) -> tensor<63x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<63x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<63x1024xf32>) -> tensor<63x1024xf32>
  return %0 : tensor<63x1024xf32>
}

// More than 2.5 times the capacity of their sets: packed from 128 rows on.
// CHECK-LABEL: @thrice_the_room(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @thrice_the_room(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @thrice_the_room(%a: tensor<128x704xf32>, %b: tensor<704x1024xf32>, %c: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x704xf32>, tensor<704x1024xf32>) outs(%c : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  return %0 : tensor<128x1024xf32>
}

// CHECK-LABEL: @thrice_the_room_fewer_rows(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @thrice_the_room_fewer_rows(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @thrice_the_room_fewer_rows(%a: tensor<127x704xf32>, %b: tensor<704x1024xf32>, %c: tensor<127x1024xf32>) -> tensor<127x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<127x704xf32>, tensor<704x1024xf32>) outs(%c : tensor<127x1024xf32>) -> tensor<127x1024xf32>
  return %0 : tensor<127x1024xf32>
}

// CHECK-LABEL: @twice_the_room(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @twice_the_room(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @twice_the_room(%a: tensor<512x512xf32>, %b: tensor<512x1024xf32>, %c: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x1024xf32>) outs(%c : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// A long K whose rows of B fill the L2 sets that they map to.
// CHECK-LABEL: @long(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @long(
// LARGER: linalg.pack
// LARGER: tpp.contract
func.func @long(%a: tensor<128x1024xf32>, %b: tensor<1024x512xf32>, %c: tensor<128x512xf32>) -> tensor<128x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x1024xf32>, tensor<1024x512xf32>) outs(%c : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %0 : tensor<128x512xf32>
}

// CHECK-LABEL: @not_so_long(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @not_so_long(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @not_so_long(%a: tensor<128x1008xf32>, %b: tensor<1008x512xf32>, %c: tensor<128x512xf32>) -> tensor<128x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x1008xf32>, tensor<1008x512xf32>) outs(%c : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %0 : tensor<128x512xf32>
}

// Rows of B that are two pages apart and fill half of the capacity of their sets.
// CHECK-LABEL: @two_pages_apart(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @two_pages_apart(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @two_pages_apart(%a: tensor<128x64xf32>, %b: tensor<64x2048xf32>, %c: tensor<128x2048xf32>) -> tensor<128x2048xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x2048xf32>) outs(%c : tensor<128x2048xf32>) -> tensor<128x2048xf32>
  return %0 : tensor<128x2048xf32>
}

// CHECK-LABEL: @two_pages_apart_shorter(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @two_pages_apart_shorter(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @two_pages_apart_shorter(%a: tensor<128x48xf32>, %b: tensor<48x2048xf32>, %c: tensor<128x2048xf32>) -> tensor<128x2048xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x48xf32>, tensor<48x2048xf32>) outs(%c : tensor<128x2048xf32>) -> tensor<128x2048xf32>
  return %0 : tensor<128x2048xf32>
}

// Rows that map to all sets: packed if A and B are large and K is long.
// CHECK-LABEL: @large_a(
// CHECK: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @large_a(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @large_a(%a: tensor<512x1024xf32>, %b: tensor<1024x992xf32>, %c: tensor<512x992xf32>) -> tensor<512x992xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x1024xf32>, tensor<1024x992xf32>) outs(%c : tensor<512x992xf32>) -> tensor<512x992xf32>
  return %0 : tensor<512x992xf32>
}

// CHECK-LABEL: @smaller_a(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @smaller_a(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @smaller_a(%a: tensor<384x1024xf32>, %b: tensor<1024x992xf32>, %c: tensor<384x992xf32>) -> tensor<384x992xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<384x1024xf32>, tensor<1024x992xf32>) outs(%c : tensor<384x992xf32>) -> tensor<384x992xf32>
  return %0 : tensor<384x992xf32>
}

// CHECK-LABEL: @smaller_b(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @smaller_b(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @smaller_b(%a: tensor<2048x1024xf32>, %b: tensor<1024x384xf32>, %c: tensor<2048x384xf32>) -> tensor<2048x384xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2048x1024xf32>, tensor<1024x384xf32>) outs(%c : tensor<2048x384xf32>) -> tensor<2048x384xf32>
  return %0 : tensor<2048x384xf32>
}

// CHECK-LABEL: @shorter_sum(
// CHECK-NOT: linalg.pack
// CHECK: tpp.contract
// LARGER-LABEL: @shorter_sum(
// LARGER-NOT: linalg.pack
// LARGER: tpp.contract
func.func @shorter_sum(%a: tensor<1000x1000xf32>, %b: tensor<1000x992xf32>, %c: tensor<1000x992xf32>) -> tensor<1000x992xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1000x1000xf32>, tensor<1000x992xf32>) outs(%c : tensor<1000x992xf32>) -> tensor<1000x992xf32>
  return %0 : tensor<1000x992xf32>
}
