// TOSA's control flow and its scatter.
// RUN: tpp-run %s --input=random,0,2,random --check=reference --output=%t0.npy,%t1.npy,%t2.npy && od -An -t d4 -j 128 %t0.npy | FileCheck %s
// RUN: tpp-run %s --input=random,9,0,random --check=reference
// RUN: not tpp-run %s --input=random,0,6,random 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// CHECK: 4
// OUTSIDE: offset of dimension 1 is not in [0, 6)
func.func @main(%x: tensor<2x6x3xf32>, %n: tensor<i32>, %at: tensor<2x3xi32>, %s: tensor<2x3x3xf32>) -> (tensor<i32>, tensor<2x6x3xf32>, tensor<2x6x3xf32>) {
  %c4 = "tosa.const"() {values = dense<4> : tensor<i32>} : () -> tensor<i32>
  %c1 = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %0:2 = tosa.while_loop (%i = %n, %t = %x) : (tensor<i32>, tensor<2x6x3xf32>) -> (tensor<i32>, tensor<2x6x3xf32>) {
    %more = tosa.greater %c4, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %t: tensor<2x6x3xf32>):
    %next = tosa.add %i, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = tosa.tanh %t : (tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    tosa.yield %next, %y : tensor<i32>, tensor<2x6x3xf32>
  }
  %is4 = tosa.equal %0#0, %c4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = tosa.cond_if %is4 (%a = %x) : tensor<i1> (tensor<2x6x3xf32>) -> tensor<2x6x3xf32> {
  ^bb0(%a: tensor<2x6x3xf32>):
    %y = tosa.exp %a : (tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    tosa.yield %y : tensor<2x6x3xf32>
  } else {
  ^bb0(%a: tensor<2x6x3xf32>):
    tosa.yield %a : tensor<2x6x3xf32>
  }
  %2 = tosa.scatter %1, %at, %s : (tensor<2x6x3xf32>, tensor<2x3xi32>, tensor<2x3x3xf32>) -> tensor<2x6x3xf32>
  return %0#0, %0#1, %2 : tensor<i32>, tensor<2x6x3xf32>, tensor<2x6x3xf32>
}
