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

// Half precision is computed in f32.
// CHECK-LABEL: func.func @half
// CHECK: arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK-NOT: math.exp
// CHECK: arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
func.func @half(%a: vector<16xbf16>) -> vector<16xbf16> {
  %0 = math.exp %a : vector<16xbf16>
  return %0 : vector<16xbf16>
}

// Near misses: scalars keep libm's accuracy, f64 has no approximation.
// CHECK-LABEL: func.func @kept
// CHECK: math.exp %{{.*}} : f32
// CHECK: math.exp %{{.*}} : vector<8xf64>
func.func @kept(%a: f32, %b: vector<8xf64>) -> (f32, vector<8xf64>) {
  %0 = math.exp %a : f32
  %1 = math.exp %b : vector<8xf64>
  return %0, %1 : f32, vector<8xf64>
}

// -----

// A division of a vector by one number: two products with the reciprocal's parts. A number that is not known is looked at first, where it
// is made, outside of the loop.
// CHECK-LABEL: func.func @one_divisor
// CHECK-SAME: (%[[X:.*]]: memref<64xf32>, %[[S:.*]]: f32)
// CHECK: %[[ORDINARY:.*]] = arith.andi
// CHECK: arith.divf %{{.*}}, %[[S]] : f32
// CHECK: scf.for
// CHECK: %[[V:.*]] = vector.load
// CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<0.303030282> : vector<16xf32>
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<2.{{.*}}E-8> : vector<16xf32>
// CHECK: %[[REST:.*]] = arith.mulf %[[V]], %[[LOW]]
// CHECK: %[[Q:.*]] = math.fma %[[V]], %[[HIGH]], %[[REST]]
// CHECK: scf.if %[[ORDINARY]]
// CHECK: math.fma %[[Q]]
// CHECK: else
// CHECK: arith.divf %[[Q]], %{{.*}} : vector<16xf32>
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

// Near misses: a reciprocal that is exact (LLVM's), one that is no normal number, divisors that differ, other types.
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

// Without fused multiply-add two products would be less exact than a division.
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

// AVX-512 has an instruction that multiplies by powers of two; for vectors of its length.
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
