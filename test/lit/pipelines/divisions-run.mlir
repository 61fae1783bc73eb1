// A divisor of 0 and a quotient that overflows end the call with an error that says where, instead of ending the process.
// RUN: tpp-run %s --input=random,3 --check=reference
// RUN: not tpp-run %s --input=7,zeros 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tpp-run %s --input=7,zeros --pipeline=loops 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tpp-run %s --input=-2147483648,-1 --threads=2 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not tpp-run %s --input=-2147483648,-1 --pipeline=loops 2>&1 | FileCheck %s --check-prefix=OVERFLOW

// ZERO: error: the call failed: {{.*}}divisions-run.mlir:[[#@LINE+3]]:8: arith.divsi: the divisor is 0
// OVERFLOW: error: the call failed: {{.*}}divisions-run.mlir:[[#@LINE+2]]:8: arith.divsi: the quotient overflows
func.func @main(%x: tensor<37x40xi32>, %y: tensor<37x40xi32>) -> tensor<37x40xi32> {
  %r = arith.divsi %x, %y : tensor<37x40xi32>
  return %r : tensor<37x40xi32>
}
