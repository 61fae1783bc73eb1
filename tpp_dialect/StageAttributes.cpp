// Verification of the attributes through which the stages pass information to each other (see StageAttributes.h).
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tpp {

static constexpr llvm::StringLiteral prepackSuffix = "_prepack";

std::string getPrepackName(StringRef entry) { return (entry + prepackSuffix).str(); }

std::optional<StringRef> getPrepackedEntry(StringRef name) {
  return name.consume_back(prepackSuffix) ? std::optional(name) : std::nullopt;
}

// True for tpp.contract, and for linalg ops that compute a sum of products, with casts of the operands at most.
bool isContraction(Operation *op) {
  if (isa<ContractOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  auto isSumOfProducts = [](Operation *product, Operation *sum) {
    return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) || (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
  };
  return linalgOp && linalgOp.getNumDpsInputs() == 2 && linalgOp.getNumDpsInits() == 1 &&
         linalg::detail::isContractionBody(*linalgOp.getBlock(), isSumOfProducts);
}

namespace {

enum class Form { Unit, Number, Array };

// The required form of an attribute's value: a unit, a non-negative number, or an array. All attributes have one of these forms, except
// those for targets and packings.
struct Rule {
  StringRef name;
  Form form;
};

constexpr llvm::StringLiteral formTexts[] = {"a unit attribute", "an i64 that is not negative", "an array"};

bool hasForm(Attribute value, Form form) {
  switch (form) {
  case Form::Unit:
    return isa<UnitAttr>(value);
  case Form::Number: {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && number.getType().isSignlessInteger(64) && number.getInt() >= 0;
  }
  case Form::Array:
    return isa<ArrayAttr>(value);
  }
  llvm_unreachable("every form has a case");
}

// Fails with a message if the value has another form than its rule requires. Attributes without a rule are accepted.
LogicalResult verifyForm(Operation *op, NamedAttribute attribute, ArrayRef<Rule> rules, const Twine &where) {
  for (const Rule &rule : rules)
    if (attribute.getName() == rule.name && !hasForm(attribute.getValue(), rule.form))
      return op->emitOpError("has ") << attribute.getName() << " = " << attribute.getValue() << where << ": it is "
                                     << formTexts[static_cast<int>(rule.form)];
  return success();
}

LogicalResult verifyPackingScope(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (!isa<PackingStrategyAttrInterface>(attribute.getValue()))
    return op->emitOpError() << "has " << name << " = " << attribute.getValue()
                             << ", which is no packing strategy (#tpp.packing_fixed, #tpp.packing_cost_model, #tpp.packing_tuned "
                                "or one of another dialect that implements PackingStrategyAttrInterface)";
  if (!isa<FunctionOpInterface, ModuleOp>(op) && !isContraction(op))
    return op->emitOpError() << "has " << name
                             << " but is neither a contraction nor a function or module: there is nothing to pack";
  return success();
}

} // namespace

LogicalResult TppDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kTargetAttr && !isa<TargetAttr>(attribute.getValue()))
    return op->emitOpError() << "has " << name << " = " << attribute.getValue() << ", which is no #tpp.target";
  if (name == kPackingAttr)
    return verifyPackingScope(op, attribute);
  if (name == kChosenPackingAttr && (!isa<PackingAttr>(attribute.getValue()) || !isa<ContractOp>(op)))
    return op->emitOpError() << "has " << name << " = " << attribute.getValue() << ": it is a #tpp.packing on a tpp.contract";
  static constexpr Rule rules[] = {
      {kPackedAttr, Form::Unit},      {kWorkspaceBytesAttr, Form::Number}, {kWeightsBytesAttr, Form::Number},
      {kMovesAttr, Form::Array},      {kScalarLoopsAttr, Form::Number},    {kWorkNsAttr, Form::Number},
      {kInterleaveAttr, Form::Unit},  {kSlotAttr, Form::Number},           {kKernelsAttr, Form::Array},
      {kAssertionsAttr, Form::Array}, {kEntryPointAttr, Form::Unit}};
  return verifyForm(op, attribute, rules, "");
}

LogicalResult TppDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument, NamedAttribute attribute) {
  static constexpr Rule rules[] = {{kPrepackAttr, Form::Unit}, {kArgumentAttr, Form::Number}, {kWeightAttr, Form::Number},
                                   {kMutableAttr, Form::Unit}, {kResultAttr, Form::Unit},     {kWorkspaceAttr, Form::Unit},
                                   {kWeightsAttr, Form::Unit}};
  return verifyForm(op, attribute, rules, " on argument " + Twine(argument));
}

} // namespace mlir::tpp
