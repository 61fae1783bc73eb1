// RUN: tpp-opt %s --tpp-approximate-math --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @vectors
// CHECK-NOT: math.{{exp|tanh|erf|log|powf|sin}}
// CHECK: math.sqrt
// CHECK: return
func.func @vectors(%a: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %a : vector<16xf32>
  %1 = math.tanh %0 : vector<16xf32>
  %2 = math.erf %1 : vector<16xf32>
  %3 = math.log %2 : vector<16xf32>
  %4 = math.sin %3 : vector<16xf32>
  %5 = math.sqrt %4 : vector<16xf32>
  return %5 : vector<16xf32>
}

// f16 is computed in f32.
// CHECK-LABEL: func.func @half
// CHECK: arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK-NOT: math.exp
// CHECK: arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
func.func @half(%a: vector<16xbf16>) -> vector<16xbf16> {
  %0 = math.exp %a : vector<16xbf16>
  return %0 : vector<16xbf16>
}

// Near misses: scalars keep libm's accuracy; f64 has no approximation.
// CHECK-LABEL: func.func @kept
// CHECK: math.exp %{{.*}} : f32
// CHECK: math.exp %{{.*}} : vector<8xf64>
func.func @kept(%a: f32, %b: vector<8xf64>) -> (f32, vector<8xf64>) {
  %0 = math.exp %a : f32
  %1 = math.exp %b : vector<8xf64>
  return %0, %1 : f32, vector<8xf64>
}

// -----

// Division of vectors by one scalar: two multiplications, by the high and the low part of the reciprocal. If the divisor is not
// constant, it is checked before the loop, which gets two versions.
// CHECK-LABEL: func.func @one_divisor
// CHECK-SAME: (%[[X:.*]]: memref<64xf32>, %[[S:.*]]: f32)
// CHECK: %[[ORDINARY:.*]] = arith.andi
// CHECK: arith.divf %{{.*}}, %[[S]] : f32
// CHECK: scf.if %[[ORDINARY]]
// CHECK-NEXT: scf.for
// CHECK: %[[V:.*]] = vector.load
// CHECK: %[[REST:.*]] = arith.mulf %[[V]], %[[LOW:.*]] : vector<16xf32>
// CHECK: %[[Q:.*]] = math.fma %[[V]], %[[HIGH:.*]], %[[REST]]
// CHECK: %[[REST2:.*]] = arith.mulf %[[Q]]
// CHECK: math.fma %[[Q]], %{{.*}}, %[[REST2]]
// CHECK: else
// CHECK: scf.for
// CHECK: math.fma
// CHECK: arith.divf %{{.*}}, %{{.*}} : vector<16xf32>
module attributes {tpp.target = #tpp.target<isa = "avx2", vector_bits = 256, registers = 16, caches = [32768, 524288], cores = 1>} {
func.func @one_divisor(%x: memref<64xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %third = arith.constant dense<3.3> : vector<16xf32>
  %sums = vector.broadcast %s : f32 to vector<16xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    %v = vector.load %x[%i] : memref<64xf32>, vector<16xf32>
    %a = arith.divf %v, %third : vector<16xf32>
    %b = arith.divf %a, %sums : vector<16xf32>
    vector.store %b, %x[%i] : memref<64xf32>, vector<16xf32>
  }
  return
}

// Near misses: an exact reciprocal (left to LLVM), a reciprocal that is not a normal value, different divisors, other types.
// CHECK-LABEL: func.func @divisions
// CHECK-NOT: math.fma
// CHECK-COUNT-6: arith.divf
// CHECK: return
func.func @divisions(%x: vector<4xf32>, %y: vector<4xf32>, %d: vector<4xf64>, %s: f32, %t: f32) -> (vector<4xf32>, vector<4xf64>, f32) {
  %exact = arith.constant dense<0.5> : vector<4xf32>
  %tiny = arith.constant dense<1.0e-39> : vector<4xf32>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %third = arith.constant dense<3.3> : vector<4xf64>
  %0 = arith.divf %x, %exact : vector<4xf32>
  %1 = arith.divf %0, %tiny : vector<4xf32>
  %2 = arith.divf %1, %zero : vector<4xf32>
  %3 = arith.divf %2, %y : vector<4xf32>
  %4 = arith.divf %d, %third : vector<4xf64>
  %5 = arith.divf %s, %t : f32
  return %3, %4, %5 : vector<4xf32>, vector<4xf64>, f32
}
}

// -----

// x (1 + erf(x / sqrt(2))) / 2 becomes one function, with the factors in any order.
// CHECK-LABEL: func.func @gelu
// CHECK-NOT: math.copysign
// CHECK: math.absf
// CHECK-NOT: math.copysign
// CHECK: return
func.func @gelu(%x: vector<16xf32>, %y: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %root = arith.constant dense<0.707106769> : vector<16xf32>
  %two = arith.constant dense<1.41421354> : vector<16xf32>
  %half = arith.constant dense<0.5> : vector<16xf32>
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = arith.mulf %x, %root : vector<16xf32>
  %1 = math.erf %0 : vector<16xf32>
  %2 = arith.addf %1, %one : vector<16xf32>
  %3 = arith.mulf %2, %half : vector<16xf32>
  %4 = arith.mulf %x, %3 : vector<16xf32>
  %5 = arith.divf %y, %two : vector<16xf32>
  %6 = math.erf %5 : vector<16xf32>
  %7 = arith.addf %one, %6 : vector<16xf32>
  %8 = arith.mulf %half, %y : vector<16xf32>
  %9 = arith.mulf %8, %7 : vector<16xf32>
  return %4, %9 : vector<16xf32>, vector<16xf32>
}

// The argument is a product itself, and the half is a division of the whole.
// CHECK-LABEL: func.func @gelu_of_product
// CHECK-NOT: math.copysign
// CHECK: math.absf
// CHECK-NOT: math.copysign
// CHECK: return
func.func @gelu_of_product(%a: vector<16xf32>, %b: vector<16xf32>) -> vector<16xf32> {
  %root = arith.constant dense<0.707106769> : vector<16xf32>
  %two = arith.constant dense<2.0> : vector<16xf32>
  %one = arith.constant dense<1.0> : vector<16xf32>
  %x = arith.mulf %a, %b : vector<16xf32>
  %0 = arith.mulf %x, %root : vector<16xf32>
  %1 = math.erf %0 : vector<16xf32>
  %2 = arith.addf %1, %one : vector<16xf32>
  %3 = arith.mulf %x, %2 : vector<16xf32>
  %4 = arith.divf %3, %two : vector<16xf32>
  return %4 : vector<16xf32>
}

// Near misses: another factor than x, another scale, a fourth factor, another use of the sum (erf stays, and gelu is computed in
// addition).
// CHECK-LABEL: func.func @no_gelu
// CHECK-COUNT-4: math.copysign
// CHECK: return
func.func @no_gelu(%x: vector<16xf32>, %y: vector<16xf32>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %root = arith.constant dense<0.707106769> : vector<16xf32>
  %other = arith.constant dense<0.7> : vector<16xf32>
  %half = arith.constant dense<0.5> : vector<16xf32>
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = arith.mulf %x, %root : vector<16xf32>
  %1 = math.erf %0 : vector<16xf32>
  %2 = arith.addf %1, %one : vector<16xf32>
  %3 = arith.mulf %2, %half : vector<16xf32>
  %4 = arith.mulf %y, %3 : vector<16xf32>
  %5 = arith.mulf %x, %other : vector<16xf32>
  %6 = math.erf %5 : vector<16xf32>
  %7 = arith.addf %6, %one : vector<16xf32>
  %8 = arith.mulf %7, %half : vector<16xf32>
  %9 = arith.mulf %x, %8 : vector<16xf32>
  %10 = arith.mulf %y, %root : vector<16xf32>
  %11 = math.erf %10 : vector<16xf32>
  %12 = arith.addf %11, %one : vector<16xf32>
  %13 = arith.mulf %12, %half : vector<16xf32>
  %14 = arith.mulf %13, %x : vector<16xf32>
  %15 = arith.mulf %14, %y : vector<16xf32>
  %16 = arith.mulf %0, %root : vector<16xf32>
  %17 = math.erf %16 : vector<16xf32>
  %18 = arith.addf %17, %one : vector<16xf32>
  %19 = arith.mulf %18, %half : vector<16xf32>
  %20 = arith.mulf %19, %x : vector<16xf32>
  return %4, %9, %15, %20, %12 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// -----

// Without fused multiply-add, two multiplications would be less accurate than a division.
// CHECK-LABEL: func.func @no_fma
// CHECK: arith.divf
// CHECK-NOT: math.fma
module attributes {tpp.target = #tpp.target<isa = "sse4", vector_bits = 128, registers = 16, caches = [32768, 262144], cores = 1>} {
func.func @no_fma(%x: vector<4xf32>) -> vector<4xf32> {
  %third = arith.constant dense<3.3> : vector<4xf32>
  %0 = arith.divf %x, %third : vector<4xf32>
  return %0 : vector<4xf32>
}
}

// -----

// AVX-512 has an instruction that multiplies by powers of two, for vectors of its length.
// CHECK-LABEL: func.func @scaled
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [32768, 1048576], cores = 1>} {
func.func @scaled(%x: vector<16xf32>, %y: vector<8xf32>) -> (vector<16xf32>, vector<8xf32>) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.exp %y : vector<8xf32>
  return %0, %1 : vector<16xf32>, vector<8xf32>
}
}
