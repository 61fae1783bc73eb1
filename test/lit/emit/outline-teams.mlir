// A team's region becomes a function. Values are passed in a structure; constants and addresses are repeated in the function.
// RUN: tpp-opt %s --tpp-outline-teams | FileCheck %s
llvm.func @use(!llvm.ptr, i64, i64, f32)
llvm.mlir.global internal constant @text("x")

// CHECK-LABEL: llvm.func @work(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[X:.*]]: f32)
// CHECK: %[[FRAME:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, f32)>
// CHECK: %[[F0:.*]] = llvm.getelementptr %[[FRAME]][0, 0]
// CHECK: llvm.store %[[P]], %[[F0]]
// CHECK: %[[F1:.*]] = llvm.getelementptr %[[FRAME]][0, 1]
// CHECK: llvm.store %[[X]], %[[F1]]
// CHECK: %[[THREADS:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[FUNCTION:.*]] = llvm.mlir.addressof @work_team0
// CHECK: llvm.call @tpp_run_team(%[[THREADS]], %[[FUNCTION]], %[[FRAME]])
// CHECK-NOT: tpp.team

// CHECK-LABEL: llvm.func internal @work_team0(
// CHECK-SAME: %[[GIVEN:[a-z0-9]*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[TEAM:[a-z0-9]*]]: !llvm.ptr,
// CHECK-SAME: %[[THREAD:[a-z0-9]*]]: i32, %[[COUNT:[a-z0-9]*]]: i32)
// CHECK: %[[G0:.*]] = llvm.getelementptr %[[GIVEN]][0, 0]
// CHECK: %[[Q:.*]] = llvm.load %[[G0]]
// CHECK: %[[G1:.*]] = llvm.getelementptr %[[GIVEN]][0, 1]
// CHECK: %[[Y:.*]] = llvm.load %[[G1]]
// CHECK: %[[I:.*]] = llvm.zext %[[THREAD]]
// CHECK: %[[N:.*]] = llvm.zext %[[COUNT]]
// CHECK-DAG: llvm.mlir.addressof @text
// CHECK-DAG: llvm.mlir.constant(7 : i64)
// CHECK: llvm.cond_br
// CHECK: llvm.call @use(%[[Q]], %[[I]], %[[N]], %[[Y]])
// CHECK: llvm.call @tpp_team_barrier(%[[TEAM]])
// CHECK: llvm.return
llvm.func @work(%p: !llvm.ptr, %x: f32) {
  %c7 = llvm.mlir.constant(7 : i64) : i64
  %text = llvm.mlir.addressof @text : !llvm.ptr
  tpp.team threads(3) {
  ^bb0(%thread: i64, %threads: i64):
    %first = llvm.icmp "ult" %thread, %c7 : i64
    llvm.cond_br %first, ^bb1, ^bb2
  ^bb1:
    llvm.call @use(%p, %thread, %threads, %x) : (!llvm.ptr, i64, i64, f32) -> ()
    llvm.br ^bb2
  ^bb2:
    tpp.team_barrier
    llvm.call @use(%text, %thread, %c7, %x) : (!llvm.ptr, i64, i64, f32) -> ()
    tpp.team_end
  }
  llvm.return
}
