// Lookup of packing strategies, construction of packing problems, and verification of packings (see PackingStrategy.h).
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"

#include "mlir/AsmParser/AsmParser.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {

llvm::Expected<PackingStrategyAttrInterface> parsePackingStrategy(StringRef text, MLIRContext *context) {
  if (text.empty() || text == "default")
    return PackingStrategyAttrInterface();
  if (text == "none") {
    Packing none;
    return PackingFixedAttr::get(context, none.panel, none.k, none.rows, none.columns, none.order, PackingAttr(), PackingAttr());
  }
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

static PackingProblem getProblem(ContractOp op, const ContractionView &view) {
  PackingProblem problem;
  for (auto [i, extent] : llvm::enumerate(view.extents)) {
    ContractionDimension dimension{extent, DimensionRole::Batch, view.a.strides[i], view.b.strides[i], view.c.strides[i]};
    bool inA = dimension.a != 0, inB = dimension.b != 0;
    if (dimension.c == 0)
      dimension.role = DimensionRole::Sum;
    else if (inA != inB)
      dimension.role = inA ? DimensionRole::Row : DimensionRole::Column;
    problem.dimensions.push_back(dimension);
  }
  problem.panelDimension = view.panelDimension;
  problem.aType = view.aType, problem.bType = view.bType, problem.cType = view.cType;
  problem.constantA = view.constantA, problem.constantB = view.constantB;
  problem.target = getTarget(op);
  return problem;
}

std::optional<PackingProblem> getPackingProblem(ContractOp op) {
  Value operands[] = {op.getA(), op.getB(), op.getInit()};
  SmallVector<LinearView> views;
  for (auto [operand, map] : llvm::zip(operands, op.getMaps())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    std::optional<LinearView> view = type ? getLinearView(map, type) : std::nullopt;
    if (!view)
      return std::nullopt;
    views.push_back(*view);
  }
  auto elementType = [](Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); };
  for (auto [dim, extent] : llvm::enumerate(op.getExtents())) {
    if (extent <= 1 || views[2].strides[dim] != 1)
      continue;
    unsigned a = views[1].strides[dim] == 0, b = 1 - a; // B is the operand that is cut into panels
    return getProblem(op, {op.getExtents(), views[a], views[b], views[2], static_cast<unsigned>(dim),
                           dependsOnConstantsOnly(operands[a]), dependsOnConstantsOnly(operands[b]), elementType(operands[a]),
                           elementType(operands[b]), elementType(operands[2])});
  }
  return std::nullopt;
}

FailureOr<Packing> choosePacking(ContractOp op, const ContractionView &view) {
  PackingStrategyAttrInterface strategy = getPackingStrategy(op);
  PackingProblem problem = getProblem(op, view);
  std::string name;
  llvm::raw_string_ostream(name) << strategy;
  bool complained = false;
  auto emitError = [&]() -> InFlightDiagnostic {
    complained = true;
    return op.emitOpError("cannot be packed by ") << name << ": ";
  };
  std::optional<Packing> packing = strategy.choosePacking(problem, emitError);
  if (!packing) {
    if (!complained)
      emitError() << "the strategy returned no packing and gave no reason";
    return failure();
  }
  if (complained)
    return failure();
  if (failed(verifyPacking(emitError, *packing, problem)))
    return failure();
  if (packing->by.empty())
    packing->by = name;
  if (!packing->remark.empty())
    op.emitRemark(packing->remark);
  return *packing;
}

Packing getChosenPacking(ContractOp op) {
  auto chosen = op->getAttrOfType<PackingAttr>(kChosenPackingAttr);
  return chosen ? chosen.getPacking() : Packing();
}

void copyStrategy(Operation *from, Operation *to) {
  for (StringRef name : {kPackingAttr, kTargetAttr, kChosenPackingAttr})
    if (Attribute value = from->getDiscardableAttr(name))
      to->setDiscardableAttr(name, value);
}

} // namespace mlir::tpp
