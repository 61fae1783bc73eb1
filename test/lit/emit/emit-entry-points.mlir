// RUN: tpp-opt %s --tpp-emit=entry=mlp | FileCheck %s
// RUN: tpp-opt %s --tpp-emit=entry=mlp | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// The descriptor is a constant, NAME_create dispatches it, and every failure path frees the model.
// CHECK: llvm.mlir.global internal constant @mlp_descriptor0
// CHECK: llvm.func internal @tpp.model.mlp
// CHECK-LABEL: llvm.func @mlp_create
// CHECK-SAME: (%[[WEIGHTS:.*]]: !llvm.ptr, %[[BYTES:.*]]: i64, %[[OUT:.*]]: !llvm.ptr) -> i32
// CHECK: %[[WANTED:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: llvm.icmp "ne" %[[BYTES]], %[[WANTED]]
// CHECK: llvm.mlir.constant(10 : i32)
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[MODEL:.*]] = llvm.call @malloc(%[[SIZE]])
// CHECK: llvm.store %[[WEIGHTS]], %[[MODEL]]
// CHECK: %[[STATUS:.*]] = llvm.call @tpp_dispatch_unary
// CHECK: llvm.cond_br %{{.*}}, ^[[FAIL:.*]](%[[STATUS]], %[[MODEL]] : i32, !llvm.ptr)
// CHECK: ^[[FAIL]](
// CHECK: llvm.call @free
// CHECK-LABEL: llvm.func @mlp_workspace_bytes
// CHECK: %[[WS:.*]] = llvm.mlir.constant(128 : i64)
// CHECK: llvm.return %[[WS]]
// CHECK-LABEL: llvm.func @mlp_run
// CHECK-SAME: (%[[MODEL:.*]]: !llvm.ptr, %[[WORKSPACE:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[R:.*]]: !llvm.ptr)
// CHECK: %[[SEGMENT:.*]] = llvm.load %[[MODEL]]
// CHECK: llvm.call @tpp.model.mlp(%[[MODEL]], %[[X]], %[[R]], %[[WORKSPACE]], %[[SEGMENT]])
// CHECK-LABEL: llvm.func @mlp_destroy

// IR: define internal void @tpp.model.mlp
// IR: define i32 @mlp_create(ptr %0, i64 %1, ptr %2)
// IR: define i32 @mlp_run(ptr %0, ptr %1, ptr %2, ptr %3)
// IR-NOT: llvm.global_ctors
func.func @mlp(%x: memref<4x8xf32>, %w: memref<8xf32> {tpp.weight = 0 : i64}, %r: memref<4x8xf32> {tpp.result},
               %ws: memref<128xi8> {tpp.workspace}) attributes {tpp.workspace_bytes = 128 : i64} {
  %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 4, n = 8, in = <type = f32, ld = 8>, out = <type = f32, ld = 8>>
  tpp.invoke %k ins(%x : memref<4x8xf32>) outs(%r : memref<4x8xf32>)
  return
}
