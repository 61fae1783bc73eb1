// RUN: tpp-opt %s --tpp-expand-arithmetic | FileCheck %s

// CHECK-LABEL: func.func @divisions
// CHECK-NOT: arith.{{floordiv|ceildiv}}
// CHECK: return
func.func @divisions(%a: vector<8xi32>, %b: vector<8xi32>, %i: index, %j: index) -> (vector<8xi32>, vector<8xi32>, index) {
  %0 = arith.floordivsi %a, %b : vector<8xi32>
  %1 = arith.ceildivsi %a, %b : vector<8xi32>
  %2 = arith.ceildivui %i, %j : index
  return %0, %1, %2 : vector<8xi32>, vector<8xi32>, index
}

// CHECK-LABEL: func.func @clamp
// CHECK: %[[UPPER:.*]] = arith.minimumf %arg0, %arg2 : f32
// CHECK: arith.maximumf %[[UPPER]], %arg1 : f32
func.func @clamp(%x: f32, %lo: f32, %hi: f32) -> f32 {
  %0 = math.clampf %x to [%lo, %hi] : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @classes
// CHECK: %[[INF:.*]] = arith.constant dense<0x7C00> : vector<8xf16>
// CHECK: %[[MAGNITUDE:.*]] = math.absf
// CHECK: arith.cmpf oeq, %[[MAGNITUDE]], %[[INF]]
// CHECK: %[[SMALLEST:.*]] = arith.constant dense<6.10{{.*}}e-05> : vector<8xf16>
// CHECK: %[[FINITE:.*]] = arith.cmpf olt
// CHECK: %[[LARGE:.*]] = arith.cmpf oge, %{{.*}}, %[[SMALLEST]]
// CHECK: arith.andi %[[FINITE]], %[[LARGE]]
func.func @classes(%x: vector<8xf16>) -> (vector<8xi1>, vector<8xi1>) {
  %0 = math.isinf %x : vector<8xf16>
  %1 = math.isnormal %x : vector<8xf16>
  return %0, %1 : vector<8xi1>, vector<8xi1>
}

// CHECK-LABEL: func.func @fma
// CHECK: math.fma %{{.*}} : vector<8xf32>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
// CHECK: math.fma %{{.*}} : f32
func.func @fma(%x: vector<8xbf16>, %y: f32) -> (vector<8xbf16>, f32) {
  %0 = math.fma %x, %x, %x : vector<8xbf16>
  %1 = math.fma %y, %y, %y : f32 // near miss: an instruction
  return %0, %1 : vector<8xbf16>, f32
}
