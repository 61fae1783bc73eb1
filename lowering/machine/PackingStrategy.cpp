// Lookup of packing strategies, and verification of packings (see PackingStrategy.h).
#include "lowering/machine/PackingStrategy.h"

#include "mlir/AsmParser/AsmParser.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {

llvm::Expected<PackingStrategyAttrInterface> parsePackingStrategy(StringRef text, MLIRContext *context) {
  if (text.empty() || text == "default")
    return PackingStrategyAttrInterface();
  if (text == "none")
    return PackingFixedAttr::get(context, Packing());
  if (text.ends_with(".json"))
    return PackingTunedAttr::get(context, text);
  if (!text.starts_with("#"))
    return llvm::createStringError(
        "unknown packing '" + text +
        "': expected default, none, an attribute (#tpp.packing_fixed<panel = 64>) or a .json file of tuning "
        "records");
  std::string problem;
  ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
    problem += (problem.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  Attribute attribute = parseAttribute(text, context);
  if (auto strategy = dyn_cast_or_null<PackingStrategyAttrInterface>(attribute))
    return strategy;
  return llvm::createStringError("'" + text + "' is no packing strategy" + (problem.empty() ? "" : ": " + problem));
}

PackingStrategyAttrInterface getPackingStrategy(Operation *op) {
  for (Operation *scope = op; scope; scope = scope->getParentOp())
    if (auto strategy = scope->getAttrOfType<PackingStrategyAttrInterface>(kPackingAttr))
      return strategy;
  return PackingCostModelAttr::get(op->getContext());
}

FailureOr<Packing> choosePacking(ContractOp op, const ContractionInfo &contraction) {
  PackingStrategyAttrInterface strategy = getPackingStrategy(op);
  std::string name;
  llvm::raw_string_ostream(name) << strategy;
  bool complained = false;
  auto emitError = [&]() -> InFlightDiagnostic {
    complained = true;
    return op.emitOpError("cannot be packed by ") << name << ": ";
  };
  std::optional<Packing> packing = strategy.choosePacking(contraction, emitError);
  if (!packing) {
    if (!complained)
      emitError() << "the strategy returned no packing and gave no reason";
    return failure();
  }
  if (complained)
    return failure();
  if (failed(verifyPacking(emitError, *packing, contraction)))
    return failure();
  if (packing->by.empty())
    packing->by = name;
  return *packing;
}

bool mayUseOtherKernels(ContractOp op) { return isa<PackingCostModelAttr, PackingTunedAttr>(getPackingStrategy(op)); }

Packing getChosenPacking(ContractOp op) {
  auto chosen = op->getAttrOfType<PackingAttr>(kChosenPackingAttr);
  return chosen ? chosen.getPacking() : Packing();
}

} // namespace mlir::tpp
