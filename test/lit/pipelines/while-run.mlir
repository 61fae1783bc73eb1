// Loops with conditions carry tensors that swap places, and one that is computed before the condition.
// RUN: tpp-run %s --input=ones,5 --output=%t0.npy,%t1.npy,%t2.npy,%t3.npy
// RUN: tail -q -c 12 %t0.npy %t1.npy %t2.npy %t3.npy | od -An -v -w12 -t d4 | FileCheck %s
// RUN: tpp-run %s --input=ones,0 --check=reference
// RUN: tpp-run %s --input=random:1,4 --check=reference --threads=2

// CHECK: 8 8 8
// CHECK-NEXT: 13 13 13
// CHECK-NEXT: 32 32 32
// CHECK-NEXT: 8 8 8

func.func @main(%x: tensor<3xi32>, %n: i32) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // Fibonacci's numbers.
  %r:3 = scf.while (%a = %x, %b = %x, %i = %c0) : (tensor<3xi32>, tensor<3xi32>, i32) -> (tensor<3xi32>, tensor<3xi32>, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %a, %b, %i : tensor<3xi32>, tensor<3xi32>, i32
  } do {
  ^bb0(%a: tensor<3xi32>, %b: tensor<3xi32>, %i: i32):
    %sum = arith.addi %a, %b : tensor<3xi32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %b, %sum, %next : tensor<3xi32>, tensor<3xi32>, i32
  }
  // Doubled at least once.
  %s:2 = scf.while (%a = %x, %i = %c0) : (tensor<3xi32>, i32) -> (tensor<3xi32>, i32) {
    %twice = arith.addi %a, %a : tensor<3xi32>
    %next = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %next, %n : i32
    scf.condition(%more) %twice, %next : tensor<3xi32>, i32
  } do {
  ^bb0(%a: tensor<3xi32>, %i: i32):
    scf.yield %a, %i : tensor<3xi32>, i32
  }
  // A product and a factor change places in each iteration, and again where the loop ends.
  %product = arith.muli %r#0, %r#1 : tensor<3xi32>
  %t:3 = scf.while (%a = %r#0, %b = %product, %i = %c0) : (tensor<3xi32>, tensor<3xi32>, i32) -> (tensor<3xi32>, tensor<3xi32>, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %b, %a, %i : tensor<3xi32>, tensor<3xi32>, i32
  } do {
  ^bb0(%b: tensor<3xi32>, %a: tensor<3xi32>, %i: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %b, %a, %next : tensor<3xi32>, tensor<3xi32>, i32
  }
  return %r#0, %r#1, %s#0, %t#0 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}
