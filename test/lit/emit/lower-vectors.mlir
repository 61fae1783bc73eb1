// Operations on vectors become those that LLVM has, and nothing else changes.
// RUN: tpp-opt %s --tpp-lower-vectors | FileCheck %s

// A transfer that stays inside is a load or a store.
// CHECK-LABEL: func @transfers
// CHECK: %[[X:.*]] = vector.load %{{.*}}[%{{.*}}] : memref<32xf32>, vector<16xf32>
// CHECK: vector.store %[[X]], %{{.*}}[%{{.*}}] : memref<32xf32>, vector<16xf32>
func.func @transfers(%from: memref<32xf32>, %to: memref<32xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %from[%i], %zero {in_bounds = [true]} : memref<32xf32>, vector<16xf32>
  vector.transfer_write %x, %to[%i] {in_bounds = [true]} : vector<16xf32>, memref<32xf32>
  return
}

// One that may not is masked, by a comparison of indices of 32 bits.
// CHECK-LABEL: func @masked
// CHECK: arith.cmpi {{.*}} : vector<16xi32>
// CHECK: vector.maskedload
func.func @masked(%from: memref<?xf32>, %i: index) -> vector<16xf32> {
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %from[%i], %zero : memref<?xf32>, vector<16xf32>
  return %x : vector<16xf32>
}

// Operations on vectors of two dimensions become operations on their rows.
// CHECK-LABEL: func @two_dimensions
// CHECK-COUNT-2: vector.fma {{.*}} : vector<8xf32>
// CHECK-NOT: vector.transpose
// CHECK-NOT: vector.gather {{.*}} vector<2x
func.func @two_dimensions(%a: vector<2x8xf32>, %b: vector<2x8xf32>, %c: vector<2x8xf32>, %m: memref<64xf32>,
                          %places: vector<2x4xindex>, %mask: vector<2x4xi1>, %rest: vector<2x4xf32>) -> (vector<8x2xf32>, vector<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %sum = vector.fma %a, %b, %c : vector<2x8xf32>
  %t = vector.transpose %sum, [1, 0] : vector<2x8xf32> to vector<8x2xf32>
  %g = vector.gather %m[%c0] [%places], %mask, %rest
      : memref<64xf32>, vector<2x4xindex>, vector<2x4xi1>, vector<2x4xf32> into vector<2x4xf32>
  return %t, %g : vector<8x2xf32>, vector<2x4xf32>
}

// What has no vectors is left as it is, foldable or not.
// CHECK-LABEL: func @scalars
// CHECK: arith.addi
func.func @scalars() -> index {
  %c1 = arith.constant 1 : index
  %two = arith.addi %c1, %c1 : index
  return %two : index
}
