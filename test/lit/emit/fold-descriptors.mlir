// Fields of descriptors become the inserted values; what is left without users goes.
// RUN: tpp-opt %s --tpp-fold-descriptors | FileCheck %s

// CHECK-LABEL: llvm.func @pointer(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr
// CHECK-NEXT: %[[X:.*]] = llvm.load %[[P]]
// CHECK-NEXT: llvm.return %[[X]]
llvm.func @pointer(%p: !llvm.ptr) -> f32 {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %2 = llvm.insertvalue %p, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %3 = llvm.insertvalue %c0, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %4 = llvm.insertvalue %c0, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %5 = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %6 = llvm.load %5 : !llvm.ptr -> f32
  llvm.return %6 : f32
}

// A team captures the pointer, not the descriptor.
// CHECK-LABEL: llvm.func @region(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr
// CHECK-NOT: llvm.insertvalue
// CHECK: tpp.team threads(2) {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: llvm.load volatile %[[P]]
llvm.func @region(%p: !llvm.ptr) {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %p, %0[1] : !llvm.struct<(ptr, ptr, i64)>
  tpp.team threads(2) {
  ^bb0(%thread: i64, %threads: i64):
    %2 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64)>
    %3 = llvm.load volatile %2 : !llvm.ptr -> f32
    tpp.team_end
  }
  llvm.return
}

// The descriptor stays where it is used as a whole, and the field of one that is not built here.
// CHECK-LABEL: llvm.func @unknown(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[D:.*]]: !llvm.struct
// CHECK: %[[WHOLE:.*]] = llvm.insertvalue %[[P]]
// CHECK: %[[Q:.*]] = llvm.extractvalue %[[D]][1]
// CHECK: llvm.store %[[WHOLE]], %[[Q]]
llvm.func @unknown(%p: !llvm.ptr, %d: !llvm.struct<(ptr, ptr)>) {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr)>
  %2 = llvm.insertvalue %p, %d[0] : !llvm.struct<(ptr, ptr)>
  %3 = llvm.extractvalue %2[1] : !llvm.struct<(ptr, ptr)>
  llvm.store %1, %3 : !llvm.struct<(ptr, ptr)>, !llvm.ptr
  llvm.return
}
