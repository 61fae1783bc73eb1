// A transform-dialect script sets strategies without C++: upstream's transform.annotate and transform.param.constant.
// RUN: split-file %s %t
// RUN: tpp-opt %t/model.mlir --transform-preload-library=transform-library-paths=%t/script.mlir --transform-interpreter --tpp-default-tensors=entry=main | FileCheck %t/model.mlir
// RUN: tpp-run %t/model.mlir --transform=%t/script.mlir --threads=1 --check=reference | FileCheck %t/model.mlir --check-prefix=EQUAL
// RUN: not tpp-opt %t/model.mlir --transform-preload-library=transform-library-paths=%t/lies.mlir --transform-interpreter 2>&1 | FileCheck %t/lies.mlir
// RUN: not tpp-run %t/model.mlir --transform=%t/lies.mlir 2>&1 | FileCheck %t/lies.mlir
// RUN: not tpp-run %t/model.mlir --transform=%t/nowhere.mlir 2>&1 | FileCheck %t/lies.mlir --check-prefix=NOWHERE
// RUN: not tpp-run %t/model.mlir --transform=%t/model.mlir 2>&1 | FileCheck %t/lies.mlir --check-prefix=NONE

//--- script.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %narrow = transform.param.constant #tpp.packing_fixed<panel = 16> -> !transform.any_param
    transform.annotate %matmuls "tpp.packing" = %narrow : !transform.any_op, !transform.any_param
    transform.yield
  }
}

//--- model.mlir
// CHECK: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 16, by = "fixed sizes">, tpp.packing = #tpp.packing_fixed<panel = 16>
// EQUAL: check
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x64xf32>) -> tensor<24x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x64xf32>) outs(%z : tensor<24x64xf32>) -> tensor<24x64xf32>
  return %0 : tensor<24x64xf32>
}

//--- lies.mlir
// CHECK: model.mlir:{{.*}}: error: 'linalg.fill' op has tpp.packing but is neither a contraction nor a function or module
// NOWHERE: tpp-run: error: --transform: {{.*}}nowhere.mlir: not a readable file of transform-dialect IR
// NONE: tpp-run: error: --transform: {{.*}}model.mlir: has no @__transform_main
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %fills = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %narrow = transform.param.constant #tpp.packing_fixed<panel = 16> -> !transform.any_param
    transform.annotate %fills "tpp.packing" = %narrow : !transform.any_op, !transform.any_param
    transform.yield
  }
}
