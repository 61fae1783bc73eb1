//===- TppDialect.td - the tpp dialect and its one type -------------------------------------------------------------------------===//

#ifndef TPP_DIALECT
#define TPP_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Tpp_Dialect : Dialect {
  let name = "tpp";
  let summary = "Tensor processing primitives: operations on 2-D tiles";
  let description = [{
    A small instruction set whose operands are 2-D tiles. The operations (`tpp.brgemm`, `tpp.unary` and so on, one for each entry of
    operations.def) work on tensors (destination-passing) and on memrefs. Binding kernels replaces them with `tpp.dispatch` and `tpp.invoke`.
    See README.md.
  }];
  let cppNamespace = "::mlir::tpp";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1; // StageAttributes.h
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The records of a tuning file. The file is read at the first call.
    const TunedPackings &getTunedPackings(::llvm::StringRef file);

  private:
    std::shared_ptr<TunedPackingFiles> tunedPackingFiles;

  public:
  }];
}

def Tpp_KernelType : TypeDef<Tpp_Dialect, "Kernel"> {
  let mnemonic = "kernel";
  let summary = "A handle of a dispatched kernel (const tpp_kernel *)";
  let description = "Created once by `tpp.dispatch`; used by `tpp.invoke` any number of times, from any thread.";
}

#endif
