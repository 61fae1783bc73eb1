// RUN: tpp-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @team
// CHECK: tpp.team threads(4) {
// CHECK-NEXT: ^bb0(%[[THREAD:.*]]: index, %[[THREADS:.*]]: index):
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[THREAD]]]
// CHECK-NEXT: tpp.team_barrier
// CHECK: tpp.team_end
func.func @team(%a: memref<4xf32>, %x: f32) {
  tpp.team threads(4) {
  ^bb0(%thread: index, %threads: index):
    memref.store %x, %a[%thread] : memref<4xf32>
    tpp.team_barrier
    tpp.team_end
  }
  return
}

// -----

func.func @arguments() {
  // expected-error@+1 {{'tpp.team' op has a region whose arguments are not the thread's number and the number of threads, of type index}}
  tpp.team threads(4) {
  ^bb0(%thread: index):
    tpp.team_end
  }
  return
}

// -----

func.func @threads() {
  // expected-error@+1 {{attribute 'threads' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  tpp.team threads(0) {
  ^bb0(%thread: index, %threads: index):
    tpp.team_end
  }
  return
}

// -----

func.func @outside() {
  // expected-error@+1 {{'tpp.team_barrier' op expects parent op 'tpp.team'}}
  tpp.team_barrier
  return
}
