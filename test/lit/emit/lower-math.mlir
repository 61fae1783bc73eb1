// RUN: tpp-opt %s --tpp-lower-math | FileCheck %s

// Instructions and intrinsics of LLVM where it has them; libm's functions where a formula would be inaccurate for small arguments.

// CHECK-DAG: func.func private @expm1f(f32) -> f32
// CHECK-DAG: func.func private @log1p(f64) -> f64
// CHECK-LABEL: func @scalars
func.func @scalars(%x: f32, %y: f64) -> (f32, f32, f32, f64) {
  // CHECK: llvm.intr.sqrt(%arg0) : (f32) -> f32
  %0 = math.sqrt %x : f32
  // CHECK: llvm.intr.exp(%arg0) : (f32) -> f32
  %1 = math.exp %x : f32
  // CHECK: call @expm1f(%arg0)
  %2 = math.expm1 %x : f32
  // CHECK: call @log1p(%arg1)
  %3 = math.log1p %y : f64
  return %0, %1, %2, %3 : f32, f32, f32, f64
}

// CHECK-LABEL: func @vectors
func.func @vectors(%x: vector<2xf64>) -> (vector<2xf64>, vector<2xf64>) {
  // CHECK: llvm.intr.sqrt(%arg0) : (vector<2xf64>) -> vector<2xf64>
  %0 = math.sqrt %x : vector<2xf64>
  // CHECK-COUNT-2: call @expm1
  %1 = math.expm1 %x : vector<2xf64>
  return %0, %1 : vector<2xf64>, vector<2xf64>
}
