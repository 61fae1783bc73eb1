//===- Passes.td - the passes that run compiled code at compile time ----------------------------------------------------------===//
//
// One record per pass. The pass tpp-verb-object is defined in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_COMPILE_PASSES
#define TPP_LOWERING_COMPILE_PASSES

include "mlir/Pass/PassBase.td"

def EvaluatePrepack : Pass<"tpp-evaluate-prepack", "ModuleOp"> {
  let summary = "Run @NAME_prepack at compile time and store its results as constants";
  let description = [{
    Run this pass after tpp-default-tensors or tpp-loops-tensors. The module can then be written to a file, and compiling that file needs no
    prepacking (docs/prepack.md). @NAME_prepack is compiled like any function and run in this process, one weight at a time. It becomes
    private. @NAME gets the attribute `tpp.packed`: the stages on tensors have been run.

    ```mlir
    func.func @main_prepack() -> tensor<8x256x64xf32> {
      %w = arith.constant dense_resource<w> : tensor<256x512xf32>
      %p = linalg.pack %w ...
      return %p
    }
    ```
    becomes
    ```mlir
    func.func private @main_prepack() -> tensor<8x256x64xf32> {
      %p = arith.constant dense_resource<main_weight0> : tensor<8x256x64xf32>
      return %p
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "threads that compute a weight">,
                 Option<"provider", "provider", "std::string", "\"auto\"", "auto, native or reference">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::tpp::TppDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif
