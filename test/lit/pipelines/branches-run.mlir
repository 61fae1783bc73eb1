// Programs with blocks and branches: conditions, loops and switches on tensors, also in functions that are called from a loop.
// RUN: split-file %s %t
// RUN: tpp-run %t/condition.mlir --input=random,1 --check=reference | FileCheck %s
// RUN: tpp-run %t/condition.mlir --input=random,0 --check=reference | FileCheck %s
// RUN: tpp-run %t/loop.mlir --input=1,3 --output=%t/loop.npy --check=reference | FileCheck %s
// RUN: tail -c 16 %t/loop.npy | od -An -tf4 | FileCheck %s --check-prefix=LOOP
// RUN: tpp-run %t/loop.mlir --input=random,0 --check=reference | FileCheck %s
// RUN: tpp-run %t/switch.mlir --input=random,0 --check=reference | FileCheck %s
// RUN: tpp-run %t/switch.mlir --input=random,1 --check=reference | FileCheck %s
// RUN: tpp-run %t/switch.mlir --input=random,2 --check=reference | FileCheck %s
// RUN: tpp-run %t/called.mlir --input=random --check=reference | FileCheck %s

// CHECK: equals the reference

//--- condition.mlir

func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : tensor<4xf32>
^b:
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- loop.mlir

// x + n * x
// LOOP: 4 4 4 4
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<4xf32>)
^head(%i: index, %v: tensor<4xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.add ins(%v, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %w : index, tensor<4xf32>)
^end:
  return %v : tensor<4xf32>
}

//--- switch.mlir

func.func @main(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  cf.switch %n : i32, [default: ^same, 1: ^twice, 2: ^exp]
^same:
  return %x : tensor<4xf32>
^twice:
  %0 = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
^exp:
  %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end(%1 : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

//--- called.mlir

func.func private @absolute(%v: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %negative = arith.cmpf olt, %v, %zero : f32
  cf.cond_br %negative, ^a, ^b
^a:
  %0 = arith.negf %v : f32
  return %0 : f32
^b:
  return %v : f32
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %v = tensor.extract %x[%i] : tensor<4xf32>
    %a = func.call @absolute(%v) : (f32) -> f32
    %w = tensor.insert %a into %y[%i] : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
