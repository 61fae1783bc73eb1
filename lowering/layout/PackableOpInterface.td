//===- PackableOpInterface.td - ops that compute on values in any layout -----------------------------------------------------------===//

#ifndef TPP_PACKABLE_OP_INTERFACE
#define TPP_PACKABLE_OP_INTERFACE

include "mlir/IR/OpBase.td"

def PackableOpInterface : OpInterface<"PackableOpInterface"> {
  let description = [{
    What `tpp-propagate-layouts` asks of an op on tensors of static shape. An op without this interface gets and gives values as they are.

    Layouts (`#tpp.layout`) are lists with one entry for each operand and each result; entries of values that are no tensors, or that
    have no layout of their own, are the identity.
  }];
  let cppNamespace = "::mlir::tpp";
  let methods = [
    InterfaceMethod<"Which dimensions of which operands and results are the same dimension of the computation.",
                    "::mlir::tpp::LayoutRule", "getLayoutRule">,
    InterfaceMethod<"The layouts this op would gain from, with how much is at stake.",
                    "::llvm::SmallVector<::mlir::tpp::LayoutWish>", "getLayoutWishes", (ins), "", "return {};">,
    InterfaceMethod<"Whether applyLayouts would succeed; changes nothing.",
                    "bool", "acceptsLayouts",
                    (ins "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$operands, "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$results)>,
    InterfaceMethod<"Estimated nanoseconds of the op on operands and results in these (accepted) layouts, where that depends on them.",
                    "double", "estimateNs",
                    (ins "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$operands, "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$results),
                    "", "return 0;">,
    InterfaceMethod<[{Creates the op on `values`, its operands in their layouts, at the rewriter's insertion point; returns the results in
                      theirs. The original op is left alone.}],
                    "::llvm::SmallVector<::mlir::Value>", "applyLayouts",
                    (ins "::mlir::RewriterBase &":$rewriter, "::mlir::ValueRange":$values,
                         "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$operands, "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$results)>
  ];
}

#endif
