//===- PackableOpInterface.td - ops that compute on values in any layout -----------------------------------------------------------===//
//
// The op interface through which tpp-propagate-layouts asks what layouts an op accepts and what they cost.
//
//===------------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_PACKABLE_OP_INTERFACE
#define TPP_PACKABLE_OP_INTERFACE

include "mlir/IR/OpBase.td"

def PackableOpInterface : OpInterface<"PackableOpInterface"> {
  let description = [{
    `tpp-propagate-layouts` queries this interface on ops on tensors of static shape. An op without the interface reads and writes values in
    the program's own layout (the identity layout).

    Lists of layouts (`#tpp.layout`) have one entry for each operand or each result. The entry is the identity for a value that is not a
    tensor and for a tensor to which the pass assigns no layout.
  }];
  let cppNamespace = "::mlir::tpp";
  let methods = [
    InterfaceMethod<"States which dimensions of the operands and results are the same dimension of the computation.",
                    "::mlir::tpp::LayoutRule", "getLayoutRule">,
    InterfaceMethod<"The layouts that make this op faster, each with the amount of work that benefits.",
                    "::llvm::SmallVector<::mlir::tpp::LayoutWish>", "getLayoutWishes", (ins), "", "return {};">,
    InterfaceMethod<[{Replaces the layouts of the values that are the op's operands by layouts that the op must have them in. A value that has
                      another layout is moved for this op.}],
                    "void", "requireLayouts",
                    (ins "::llvm::MutableArrayRef<::mlir::tpp::LayoutAttr>":$operands), "", "return;">,
    InterfaceMethod<"Returns whether applyLayouts would succeed. Changes nothing.",
                    "bool", "acceptsLayouts",
                    (ins "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$operands, "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$results)>,
    InterfaceMethod<"Estimated nanoseconds of the op in these accepted layouts. Only the part that depends on layouts is required.",
                    "::mlir::tpp::CostEstimate", "estimateCost",
                    (ins "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$operands, "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$results),
                    "", "return {};">,
    InterfaceMethod<[{Creates the op at the rewriter's insertion point. `values` are its operands, already in the layouts `operands`. Returns
                      the results, in the layouts `results`. Does not change the original op.}],
                    "::llvm::SmallVector<::mlir::Value>", "applyLayouts",
                    (ins "::mlir::RewriterBase &":$rewriter, "::mlir::ValueRange":$values,
                         "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$operands, "::llvm::ArrayRef<::mlir::tpp::LayoutAttr>":$results)>
  ];
}

#endif
