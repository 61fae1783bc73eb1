// RUN: tpp-opt %s --tpp-approximate-math | FileCheck %s

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
