// RUN: tpp-opt %s --tpp-plan-workspace=max-stack-buffer=0 --split-input-file | FileCheck %s
// RUN: tpp-opt %s --tpp-plan-workspace --split-input-file | FileCheck %s --check-prefix=STACK

// Three buffers of a chain: the third reuses the memory of the first.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[WS:[^:]*]]: memref<12288xi8> {tpp.workspace}
// CHECK-SAME: attributes {tpp.workspace_bytes = 12288 : i64}
// CHECK: %[[O0:.*]] = arith.constant 8192 : index
// CHECK: %[[A:.*]] = memref.view %[[WS]][%[[O0]]][] : memref<12288xi8> to memref<1024xf32>
// CHECK: linalg.exp {{.*}} outs(%[[A]]
// CHECK: %[[O1:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[WS]][%[[O1]]][] : memref<12288xi8> to memref<2048xf32>
// CHECK: linalg.broadcast ins(%[[A]]
// CHECK: %[[O2:.*]] = arith.constant 8192 : index
// CHECK: memref.view %[[WS]][%[[O2]]][] : memref<12288xi8> to memref<1024xf32>
// CHECK-NOT: memref.dealloc
// STACK-LABEL: func.func @chain
// STACK-SAME: memref<8192xi8> {tpp.workspace}
func.func @chain(%x: memref<1024xf32>, %r: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<2048xf32>
  %e = memref.expand_shape %b [[0, 1]] output_shape [1024, 2] : memref<2048xf32> into memref<1024x2xf32>
  linalg.broadcast ins(%a : memref<1024xf32>) outs(%e : memref<1024x2xf32>) dimensions = [1]
  memref.dealloc %a : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.reduce { arith.addf } ins(%e : memref<1024x2xf32>) outs(%c : memref<1024xf32>) dimensions = [1]
  linalg.exp ins(%c : memref<1024xf32>) outs(%r : memref<1024xf32>)
  return
}

// -----

// Near miss: the first buffer is read again at the end, through a view, so its memory cannot be reused.
// CHECK-LABEL: func.func @alive
// CHECK-SAME: memref<768xi8> {tpp.workspace}
func.func @alive(%x: memref<64xf32>, %r: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %v = memref.subview %a[0] [64] [1] : memref<64xf32> to memref<64xf32, strided<[1]>>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.add ins(%c, %v : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%r : memref<64xf32>)
  return
}

// -----

// Best fit: the small buffer is placed in the gap left by two dead buffers, not at the end. Offsets are multiples of 64 bytes.
// CHECK-LABEL: func.func @gap
// CHECK-SAME: memref<448xi8> {tpp.workspace}
func.func @gap(%x: memref<17xf32>, %r: memref<17xf32>) {
  %a = memref.alloc() : memref<17xf32>
  linalg.exp ins(%x : memref<17xf32>) outs(%a : memref<17xf32>)
  %big = memref.alloc() : memref<80xf32>
  %s = memref.subview %big[0] [17] [1] : memref<80xf32> to memref<17xf32, strided<[1]>>
  linalg.exp ins(%a : memref<17xf32>) outs(%s : memref<17xf32, strided<[1]>>)
  %c = memref.alloc() : memref<17xf32>
  linalg.exp ins(%s : memref<17xf32, strided<[1]>>) outs(%c : memref<17xf32>)
  linalg.exp ins(%c : memref<17xf32>) outs(%r : memref<17xf32>)
  return
}

// -----

// A buffer in a sequential loop is allocated once; one in a parallel loop has an instance per iteration.
// CHECK-LABEL: func.func @loops
// CHECK-SAME: %[[WS:[^:]*]]: memref<24576xi8> {tpp.workspace}
// CHECK-SAME: tpp.workspace_bytes = 24576
// CHECK: memref.view %[[WS]]
// CHECK: scf.for
// CHECK: scf.forall (%[[I:.*]]) in (4)
// CHECK: %[[EXTENT:.*]] = arith.constant 4096
// CHECK: %[[SHIFT:.*]] = arith.muli %{{.*}}, %[[EXTENT]]
// CHECK: %[[OFFSET:.*]] = arith.addi %[[SHIFT]]
// CHECK: memref.view %[[WS]][%[[OFFSET]]][]
// STACK-LABEL: func.func @loops
// STACK: scf.forall
// STACK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
func.func @loops(%x: memref<2048xf32>, %r: memref<4x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %j = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<2048xf32>
    linalg.exp ins(%x : memref<2048xf32>) outs(%a : memref<2048xf32>)
    scf.forall (%i) in (4) {
      %b = memref.alloc() : memref<1024xf32>
      %s = memref.subview %a[0] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1]>>
      linalg.exp ins(%s : memref<1024xf32, strided<[1]>>) outs(%b : memref<1024xf32>)
      %t = memref.subview %r[%i, 0] [1, 1024] [1, 1] : memref<4x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
      linalg.exp ins(%b : memref<1024xf32>) outs(%t : memref<1024xf32, strided<[1], offset: ?>>)
    }
  }
  return
}

// -----

// A buffer that a branch allocates and yields is live around the branch.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: memref<512xi8> {tpp.workspace}
func.func @branch(%c: i1, %x: memref<64xf32>, %r: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %0 = scf.if %c -> memref<64xf32> {
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  linalg.exp ins(%0 : memref<64xf32>) outs(%r : memref<64xf32>)
  return
}

// -----

// Small buffers are on the stack, allocated once, outside of sequential loops.
// STACK-LABEL: func.func @small
// STACK-SAME: memref<0xi8> {tpp.workspace}
// STACK: memref.alloca() {alignment = 64 : i64} : memref<f32>
// STACK: scf.for
// STACK-NOT: memref.alloca
// STACK: return
func.func @small(%x: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %j = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<f32>
    linalg.exp ins(%x : memref<f32>) outs(%a : memref<f32>)
    linalg.exp ins(%a : memref<f32>) outs(%x : memref<f32>)
  }
  return
}

// -----

// A value carried by a loop has one buffer outside of the loop. Each iteration copies its result there.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: (%[[INIT:[^:]*]]: memref<64xf32>, %[[R:[^:]*]]: memref<64xf32>, %[[WS:[^:]*]]: memref<512xi8> {tpp.workspace})
// CHECK: memref.view %[[WS]]{{.*}} to memref<64xf32>
// CHECK: memref.view %[[WS]]{{.*}} to memref<64xf32>
// CHECK: memref.copy %[[INIT]], %[[HOME:.*]] :
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[HOME]])
// CHECK: linalg.exp ins(%[[A]] : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK: memref.copy %[[B]], %[[A]]
// CHECK: scf.yield %[[A]]
func.func @carried(%init: memref<64xf32>, %r: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %init) -> memref<64xf32> {
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  linalg.exp ins(%0 : memref<64xf32>) outs(%r : memref<64xf32>)
  return
}

// -----

// Two carried values are swapped: both are read before either is written, which needs two buffers and two copies.
// CHECK-LABEL: func.func @swapped
// CHECK-SAME: memref<1024xi8> {tpp.workspace}
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: memref.copy %[[B]], %[[T0:.*]] :
// CHECK: memref.copy %[[A]], %[[T1:.*]] :
// CHECK: memref.copy %[[T0]], %[[A]]
// CHECK: memref.copy %[[T1]], %[[B]]
func.func @swapped(%x: memref<64xf32>, %y: memref<64xf32>, %r: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %0:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %x, %b = %y) -> (memref<64xf32>, memref<64xf32>) {
    scf.yield %b, %a : memref<64xf32>, memref<64xf32>
  }
  linalg.sub ins(%0#0, %0#1 : memref<64xf32>, memref<64xf32>) outs(%r : memref<64xf32>)
  return
}

// -----

// Alignments beyond the workspace's: room for the largest, and all offsets from the first address that has it.
// CHECK-LABEL: func.func @aligned
// CHECK-SAME: %[[WS:[^:]*]]: memref<20672xi8> {tpp.workspace}
// CHECK-DAG: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[WS]]
// CHECK-DAG: %[[MASK:.*]] = arith.constant 4095 : index
// CHECK: %[[BEHIND:.*]] = arith.subi %{{.*}}, %[[ADDRESS]] : index
// CHECK: %[[BASE:.*]] = arith.andi %[[BEHIND]], %[[MASK]] : index
// CHECK: %[[OFFSET:.*]] = arith.addi %[[BASE]], %{{.*}} : index
// CHECK: memref.view %[[WS]][%[[OFFSET]]][] : memref<20672xi8> to memref<4096xf32>
// STACK-LABEL: func.func @aligned
// STACK: memref.alloca() {alignment = 256 : i64} : memref<4xf32>
func.func @aligned(%x: memref<4096xf32>, %s: memref<4xf32>) {
  %a = memref.alloc() {alignment = 4096} : memref<4096xf32>
  %b = memref.alloc() {alignment = 256} : memref<4xf32>
  linalg.exp ins(%x : memref<4096xf32>) outs(%a : memref<4096xf32>)
  linalg.exp ins(%s : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.exp ins(%a : memref<4096xf32>) outs(%x : memref<4096xf32>)
  linalg.exp ins(%b : memref<4xf32>) outs(%s : memref<4xf32>)
  return
}

// -----

// What a loop with a condition carries lives outside of it: one buffer for both of its regions and its result.
// STACK-LABEL: func.func @carried_by_while(
// STACK-SAME: %[[INIT:[^:]*]]: memref<64xf32>, %[[RESULT:[^:]*]]: memref<64xf32>
// STACK: %[[NEXT:.*]] = memref.alloca()
// STACK: %[[HOME:.*]] = memref.alloca()
// STACK: memref.copy %[[INIT]], %[[HOME]]
// STACK: scf.while
// STACK: do {
// STACK: linalg.exp ins(%[[HOME]] : {{.*}}) outs(%[[NEXT]] :
// STACK: memref.copy %[[NEXT]], %[[HOME]]
// STACK: linalg.exp ins(%[[HOME]] : {{.*}}) outs(%[[RESULT]] :
func.func @carried_by_while(%init: memref<64xf32>, %result: memref<64xf32>, %more: i1) {
  %0 = scf.while (%a = %init) : (memref<64xf32>) -> memref<64xf32> {
    scf.condition(%more) %a : memref<64xf32>
  } do {
  ^bb0(%a: memref<64xf32>):
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  linalg.exp ins(%0 : memref<64xf32>) outs(%result : memref<64xf32>)
  return
}
