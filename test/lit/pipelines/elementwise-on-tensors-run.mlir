// arith and math ops on whole tensors are elementwise ops like linalg's.
// RUN: tpp-run %s --check=reference | FileCheck %s
// RUN: tpp-opt %s --tpp-default | FileCheck %s --check-prefix=CODE

// CHECK: result #0 equals the reference
// CODE-LABEL: func.func @main
// CODE-NOT: tensor
func.func @main(%a: tensor<7x19xf32>, %b: tensor<7x19xf32>) -> tensor<7x19xf32> {
  %0 = math.exp %a : tensor<7x19xf32>
  %1 = arith.cmpf olt, %0, %b : tensor<7x19xf32>
  %2 = arith.select %1, %a, %b : tensor<7x19xi1>, tensor<7x19xf32>
  %3 = arith.addf %2, %0 : tensor<7x19xf32>
  return %3 : tensor<7x19xf32>
}
