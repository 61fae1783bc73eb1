// The functions that run in a thread compute with zeros instead of denormal numbers: that of an entry point and those of teams, and no other.
// RUN: tpp-opt %s --tpp-target=target=znver3 --tpp-flush-denormals | FileCheck %s
// RUN: tpp-opt %s --tpp-target=target=neoverse-n1 --tpp-flush-denormals | FileCheck %s --check-prefix=ARM

// CHECK-LABEL: llvm.func internal @main(
// CHECK: %[[PLACE:.*]] = llvm.alloca
// CHECK: llvm.call_intrinsic "llvm.x86.sse.stmxcsr"(%[[PLACE]])
// CHECK: %[[BEFORE:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> i32
// CHECK: %[[DURING:.*]] = llvm.or %[[BEFORE]], %{{.*}} : i32
// CHECK: llvm.store %[[DURING]], %[[PLACE]]
// CHECK: llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[PLACE]])
// CHECK: llvm.call @tpp_run_team
// CHECK: llvm.store %[[BEFORE]], %[[PLACE]]
// CHECK: llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[PLACE]])
// CHECK-NEXT: llvm.return

// CHECK-LABEL: llvm.func internal @main_team0(
// CHECK: llvm.x86.sse.stmxcsr
// CHECK: llvm.x86.sse.ldmxcsr
// CHECK: llvm.x86.sse.ldmxcsr
// CHECK-NEXT: llvm.return

// CHECK-LABEL: llvm.func internal @helper(
// CHECK-NOT: mxcsr

// ARM-LABEL: llvm.func internal @main(
// ARM: %[[BEFORE:.*]] = llvm.call_intrinsic "llvm.aarch64.get.fpcr"() : () -> i64
// ARM: %[[DURING:.*]] = llvm.or %[[BEFORE]], %{{.*}} : i64
// ARM: llvm.call_intrinsic "llvm.aarch64.set.fpcr"(%[[DURING]])
// ARM: llvm.call_intrinsic "llvm.aarch64.set.fpcr"(%[[BEFORE]])
// ARM-NEXT: llvm.return
module {
  llvm.func @tpp_run_team(i32, !llvm.ptr, !llvm.ptr)
  llvm.func internal @main(%frame: !llvm.ptr) attributes {tpp.entry_point} {
    %threads = llvm.mlir.constant(2 : i32) : i32
    %function = llvm.mlir.addressof @main_team0 : !llvm.ptr
    llvm.call @tpp_run_team(%threads, %function, %frame) : (i32, !llvm.ptr, !llvm.ptr) -> ()
    llvm.return
  }
  llvm.func internal @main_team0(%frame: !llvm.ptr, %team: !llvm.ptr, %thread: i32, %threads: i32) {
    llvm.call @helper() : () -> ()
    llvm.return
  }
  llvm.func internal @helper() {
    llvm.return
  }
}
