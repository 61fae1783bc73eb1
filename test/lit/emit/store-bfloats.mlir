// bf16 values of the LLVM dialect become 16-bit integers: constants, memory, conversions.
// RUN: tpp-opt %s --tpp-store-bfloats --split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @scalar(
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(16256 : i16) : i16
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK: %[[WIDE:.*]] = llvm.zext %[[X]] : i16 to i32
// CHECK: %[[HIGH:.*]] = llvm.shl %[[WIDE]], %{{.*}} : i32
// CHECK: %[[F:.*]] = llvm.bitcast %[[HIGH]] : i32 to f32
// CHECK: %[[ROUNDED:.*]] = llvm.fptrunc %[[F]] : f32 to bf16
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[ROUNDED]] : bf16 to i16
// CHECK: llvm.store %[[BITS]]
// CHECK: llvm.store %[[ONE]]
llvm.func @scalar(%p: !llvm.ptr) {
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %x = llvm.load %p : !llvm.ptr -> bf16
  %f = llvm.fpext %x : bf16 to f32
  %y = llvm.fptrunc %f : f32 to bf16
  llvm.store %y, %p : bf16, !llvm.ptr
  llvm.store %one, %p : bf16, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @vector(
// CHECK: llvm.mlir.constant(dense<[16256, 16384]> : vector<2xi16>) : vector<2xi16>
// CHECK: llvm.zext %{{.*}} : vector<2xi16> to vector<2xi32>
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to vector<2xf32>
// CHECK: llvm.fpext %{{.*}} : vector<2xf32> to vector<2xf64>
llvm.func @vector(%p: !llvm.ptr) -> vector<2xf64> {
  %c = llvm.mlir.constant(dense<[1.0, 2.0]> : vector<2xbf16>) : vector<2xbf16>
  llvm.store %c, %p : vector<2xbf16>, !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> vector<2xbf16>
  %f = llvm.fpext %x : vector<2xbf16> to vector<2xf64>
  llvm.return %f : vector<2xf64>
}

// -----

// f16 is selected by the code generator and stays.
// CHECK-LABEL: llvm.func @half(
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f16
llvm.func @half(%p: !llvm.ptr) -> f32 {
  %x = llvm.load %p : !llvm.ptr -> f16
  %f = llvm.fpext %x : f16 to f32
  llvm.return %f : f32
}
