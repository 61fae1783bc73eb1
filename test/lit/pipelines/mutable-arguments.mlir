// Arguments that are memrefs in the program may be written, tensors are only read, whether tpp-opt lowers a model or tpp-run compiles it.
// RUN: tpp-opt %s --tpp-default --tpp-emit | FileCheck %s
// RUN: tpp-opt %s --tpp-default --tpp-emit | FileCheck %s --check-prefix=NOTES
// RUN: tpp-run %s --check=reference

// CHECK: llvm.func internal @tpp.model.main(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr {llvm.nonnull}, %{{[^:]*}}: !llvm.ptr {llvm.nonnull, llvm.readonly},
// NOTES-NOT: tpp.mutable
// NOTES: llvm.func internal @tpp.model.main(
// NOTES-NOT: tpp.mutable
func.func @main(%state: memref<4x64xf32>, %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  linalg.add ins(%state, %state : memref<4x64xf32>, memref<4x64xf32>) outs(%state : memref<4x64xf32>)
  %e = tensor.empty() : tensor<4x64xf32>
  %z = linalg.exp ins(%x : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %z : tensor<4x64xf32>
}
