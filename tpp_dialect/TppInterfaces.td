//===- TppInterfaces.td - the interface of packing strategies -------------------------------------------------------------------===//

#ifndef TPP_INTERFACES
#define TPP_INTERFACES

include "mlir/IR/OpBase.td"

def Tpp_PackingStrategyAttrInterface : AttrInterface<"PackingStrategyAttrInterface"> {
  let cppNamespace = "::mlir::tpp";
  let description = [{
    Chooses the layout and the tiling of one contraction, for a target. A strategy is the attribute `tpp.packing` of the contraction, its
    function or its module; the nearest one is used.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the packing of a contraction. The caller checks it against the contraction: sizes that fit no kernel cause a diagnostic at the
        op. A strategy that cannot choose a packing emits the reason through `emitError` and fails.
      }],
      "::llvm::FailureOr<::mlir::tpp::Packing>", "choosePacking",
      (ins "const ::mlir::tpp::ContractionInfo &":$contraction, "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>
  ];
}

#endif
