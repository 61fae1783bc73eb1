// A strategy of an out-of-tree library: on an op, by flag, in tpp-opt and in tpp-run. Its answers are validated like those of any
// strategy.
// RUN: tpp-opt %s --load-dialect-plugin=%packing_strategy --tpp-default-tensors=entry=main | FileCheck %s
// RUN: tpp-opt %s --load-dialect-plugin=%packing_strategy '--tpp-packing=#narrow.panels<16>' --tpp-default-tensors=entry=plain | FileCheck %s --check-prefix=FLAG
// RUN: tpp-run %s --load-dialect-plugin=%packing_strategy --entry=main --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --load-dialect-plugin=%packing_strategy '--packing=#narrow.panels<16>' --entry=plain --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: not tpp-opt %s --load-dialect-plugin=%packing_strategy '--tpp-packing=#narrow.panels<-5>' --tpp-default-tensors=entry=plain 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tpp-run %s --load-dialect-plugin=%packing_strategy '--packing=#narrow.panels<18>' --entry=plain 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not tpp-run %s --entry=plain 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tpp-run %s --load-dialect-plugin=nowhere.so 2>&1 | FileCheck %s --check-prefix=NOWHERE
// UNSUPPORTED: sanitizer

// EQUAL: check
// NEGATIVE: packing-plugin.mlir:{{.*}}: error: 'tpp.contract' op cannot be packed by #narrow.panels<-5>: panel must not be negative, got -5
// ODD: cannot be packed by #narrow.panels<18>: panel = 18 is no multiple of the {{4|8|16}} columns that a vector of the target holds
// UNKNOWN: error: {{.*}}narrow
// NOWHERE: tpp-run: error: --load-dialect-plugin: {{.*}}nowhere.so

// CHECK-LABEL: @main(
// CHECK: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 32, by = "narrow panels">, tpp.packing = #narrow.panels<32>
func.func @main(%x: tensor<24x40xf32>) -> tensor<24x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<40x64xf32>
  %e = tensor.empty() : tensor<24x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %0 = linalg.matmul {tpp.packing = #narrow.panels<32>} ins(%x, %w : tensor<24x40xf32>, tensor<40x64xf32>) outs(%z : tensor<24x64xf32>) -> tensor<24x64xf32>
  return %0 : tensor<24x64xf32>
}

// FLAG-LABEL: @plain(
// FLAG: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 16, by = "narrow panels">
func.func @plain(%x: tensor<24x40xf32>) -> tensor<24x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<40x64xf32>
  %e = tensor.empty() : tensor<24x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x64xf32>) outs(%z : tensor<24x64xf32>) -> tensor<24x64xf32>
  return %0 : tensor<24x64xf32>
}
