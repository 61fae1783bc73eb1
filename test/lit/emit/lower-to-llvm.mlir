// RUN: tpp-opt %s --tpp-place-kernels --tpp-lower-to-llvm --reconcile-unrealized-casts | FileCheck %s

// The model is the first argument. A dispatch becomes a load from its table, an invocation a call of the helper for its set of
// operands.
// CHECK-LABEL: llvm.func @f
// CHECK-SAME: (%[[MODEL:.*]]: !llvm.ptr, %[[A:[^:]*]]: !llvm.ptr {llvm.nonnull, llvm.readonly}, %{{[^:]*}}: !llvm.ptr {llvm.nonnull, llvm.readonly}, %{{[^:]*}}: !llvm.ptr {llvm.noalias, llvm.nonnull, tpp.result}, %{{[^:]*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias, tpp.workspace}, %{{[^:]*}}: !llvm.ptr {llvm.nonnull, tpp.mutable})
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[MODEL]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK: %[[KERNEL:.*]] = llvm.load %[[SLOT]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call @tpp_invoke_a_b_batch_b_use_a_batch_b_batch_post1_c(%[[KERNEL]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
func.func @f(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32> {tpp.result}, %w: memref<0xi8> {tpp.workspace},
             %offsets: memref<2xi64> {tpp.mutable}) {
  %n = arith.constant 2 : index
  %k = tpp.dispatch #tpp.brgemm_desc<m = 4, n = 8, k = 8, a = <type = f32, ld = 8>, b = <type = f32, ld = 8>, c = <type = f32, ld = 8>,
    batch_kind = offset, b_uses = 3, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add none, <type = f32, ld = 8>>]>
  tpp.invoke %k ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) batch(%n) b_use(%n) offsets(%offsets, %offsets : memref<2xi64>, memref<2xi64>)
    post(%a : memref<4x8xf32>) slots = [1] outs(%c : memref<4x8xf32>)
  return
}

// Buffers without elements are legal, whichever dimension is zero.
// CHECK-LABEL: llvm.func @empty
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr {llvm.readonly}, %{{[^:]*}}: !llvm.ptr {llvm.noalias, tpp.result})
func.func @empty(%a: memref<4x0xf32>, %r: memref<0x4xf32> {tpp.result}) {
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [0, 4], strides: [4, 1] : memref<4x0xf32> to memref<0x4xf32>
  memref.copy %0, %r : memref<0x4xf32> to memref<0x4xf32>
  return
}

// The helper fills an argument block on its own stack and calls through the handle.
// CHECK: llvm.func internal @tpp_invoke_a_b_batch_b_use_a_batch_b_batch_post1_c
// CHECK-SAME: passthrough = ["alwaysinline", "nounwind"]
// CHECK: %[[ARGS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, ptr, i64, ptr, ptr, array<16 x ptr>, i64)>
// CHECK: %[[USE:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 7]
// CHECK-NEXT: llvm.store %arg4, %[[USE]] : i64, !llvm.ptr
// CHECK: llvm.getelementptr inbounds %[[ARGS]][0, 6, 1]
// CHECK: %[[ENTRY:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call %[[ENTRY]](%{{.*}}, %[[ARGS]])
