//===- TppInterfaces.td - the interface of packing strategies -------------------------------------------------------------------===//

#ifndef TPP_INTERFACES
#define TPP_INTERFACES

include "mlir/IR/OpBase.td"

def Tpp_PackingStrategyAttrInterface : AttrInterface<"PackingStrategyAttrInterface"> {
  let cppNamespace = "::mlir::tpp";
  let description = [{
    Chooses how one contraction is laid out and cut, for a target. Set as the attribute `tpp.packing` of the contraction, its function or
    its module; the nearest one is asked.
  }];
  let methods = [
    InterfaceMethod<[{
        The packing of a contraction. It is checked against the contraction before it is used: sizes that fit no kernel are refused with a
        diagnostic at the op. A strategy that cannot answer explains why through `emitError` and fails.
      }],
      "::llvm::FailureOr<::mlir::tpp::Packing>", "choosePacking",
      (ins "const ::mlir::tpp::PackingProblem &":$problem, "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>
  ];
}

#endif
