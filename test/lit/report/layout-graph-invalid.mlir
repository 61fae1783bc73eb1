// RUN: not tpp-opt %s --tpp-layout-graph=%t/no/such/folder.svg --split-input-file 2>&1 | FileCheck %s
// RUN: not tpp-opt %s --tpp-layout-graph --split-input-file 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: tpp-layout-graph needs a file: --tpp-layout-graph=FILE.svg

// CHECK: error: {{.*}}folder.svg: cannot write: No such file or directory
func.func @good(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// CHECK: error: 'func.func' op has no tensors: run tpp-layout-graph after tpp-default-tensors, before bufferization
func.func @buffers(%a: memref<4xf32>) {
  return
}

// -----

// CHECK: error: 'func.func' op has unstructured control flow, which is not drawn
func.func @branches(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<4xf32>
}

// -----

// CHECK: error: there is no function to draw
func.func private @external(tensor<4xf32>)
