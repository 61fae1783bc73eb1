// Verification of the attributes through which the stages pass information to each other (see StageAttributes.h).
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
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
enum class Place { Module, Function, Operation, Argument, Buffer, Value };

// The required form of an attribute's value (a unit, a non-negative number, or an array), and where the attribute may be. All attributes have
// such a rule, except those for targets and packings.
struct Rule {
  StringRef name;
  Form form;
  Place place;
};

constexpr Rule rules[] = {
    {kPrepackAttr, Form::Unit, Place::Argument},        {kUnsignedAttr, Form::Unit, Place::Value},
    {kArgumentAttr, Form::Number, Place::Argument},     {kWeightAttr, Form::Number, Place::Argument},
    {kMutableAttr, Form::Unit, Place::Buffer},          {kResultAttr, Form::Unit, Place::Buffer},
    {kWorkspaceAttr, Form::Unit, Place::Buffer},        {kWeightsAttr, Form::Unit, Place::Buffer},
    {kPackedAttr, Form::Unit, Place::Function},         {kWorkspaceBytesAttr, Form::Number, Place::Function},
    {kWeightsBytesAttr, Form::Number, Place::Function}, {kMovesAttr, Form::Array, Place::Function},
    {kScalarLoopsAttr, Form::Number, Place::Function},  {kEntryPointAttr, Form::Unit, Place::Function},
    {kTiledAttr, Form::Unit, Place::Operation},         {kCutAttr, Form::Unit, Place::Operation},
    {kWorkNsAttr, Form::Number, Place::Operation},      {kInterleaveAttr, Form::Unit, Place::Operation},
    {kSlotAttr, Form::Number, Place::Operation},        {kKernelsAttr, Form::Array, Place::Module},
    {kAssertionsAttr, Form::Array, Place::Module}};

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

constexpr llvm::StringLiteral placeTexts[] = {"a module",
                                              "a function",
                                              "an op in a function",
                                              "an argument of a function",
                                              "an argument that is a buffer",
                                              "an argument or result of signless integers"};

// Fails with a message if no rule has the attribute's name, or if the value or the place differ from the rule's. `where` is appended to the
// name of the place.
LogicalResult verifyRule(Operation *op, NamedAttribute attribute, ArrayRef<Place> places, const Twine &where) {
  const Rule *rule = llvm::find_if(rules, [&](const Rule &rule) { return rule.name == attribute.getName(); });
  if (rule == std::end(rules))
    return op->emitOpError("has ") << attribute.getName() << where << ", an attribute that tpp does not know";
  if (!llvm::is_contained(places, rule->place))
    return op->emitOpError("has ") << attribute.getName() << where << ": it is an attribute of "
                                   << placeTexts[static_cast<int>(rule->place)];
  if (!hasForm(attribute.getValue(), rule->form))
    return op->emitOpError("has ") << attribute.getName() << " = " << attribute.getValue() << where << ": it is "
                                   << formTexts[static_cast<int>(rule->form)];
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

// 0 for the scores' source or 1 for their reader; the numbers of rows, of columns and of rows in a group; of each group the first visible column and the one
// after the last.
LogicalResult verifyVisible(Operation *op, NamedAttribute attribute) {
  auto array = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  ArrayRef<int64_t> numbers = array ? array.asArrayRef() : ArrayRef<int64_t>();
  bool valid = isContraction(op) && numbers.size() > 4 && llvm::all_of(numbers, [](int64_t number) { return number >= 0; }) &&
               numbers[0] <= 1 && numbers[3] > 0 &&
               static_cast<int64_t>(numbers.size()) == 4 + 2 * static_cast<int64_t>(llvm::divideCeil(numbers[1], numbers[3]));
  for (size_t i = 4; valid && i < numbers.size(); i += 2)
    valid = numbers[i] < numbers[i + 1] && numbers[i + 1] <= numbers[2];
  return valid ? success()
               : op->emitOpError()
                     << "has " << attribute.getName() << " = " << attribute.getValue()
                     << ": on a contraction, it is an array of its role (0 or 1), of the numbers of rows, columns and "
                        "rows in a group, and of the first visible column of each group and the one after the last";
}

} // namespace

LogicalResult TppDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kTargetAttr)
    return isa<TargetAttr>(attribute.getValue())
               ? success()
               : op->emitOpError() << "has " << name << " = " << attribute.getValue() << ", which is no #tpp.target";
  if (name == kPackingAttr)
    return verifyPackingScope(op, attribute);
  if (name == kChosenPackingAttr)
    return isa<PackingAttr>(attribute.getValue()) && isa<ContractOp>(op) ? success()
                                                                         : op->emitOpError()
                                                                               << "has " << name << " = " << attribute.getValue()
                                                                               << ": it is a #tpp.packing on a tpp.contract";
  if (name == kVisibleAttr)
    return verifyVisible(op, attribute);
  Place place = isa<ModuleOp>(op) ? Place::Module : isa<FunctionOpInterface>(op) ? Place::Function : Place::Operation;
  return verifyRule(op, attribute, place, "");
}

// Whether values of a type are integers without a sign. The elements of what a pointer points to are not known.
static bool isOfSignlessIntegers(Type type) {
  return isa<LLVM::LLVMPointerType>(type) || getElementTypeOrSelf(type).isSignlessInteger();
}

LogicalResult TppDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument, NamedAttribute attribute) {
  SmallVector<Place> places = {Place::Argument};
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    Type type = function.getArgumentTypes()[argument];
    if (isa<BaseMemRefType, LLVM::LLVMPointerType>(type))
      places.push_back(Place::Buffer);
    if (isOfSignlessIntegers(type))
      places.push_back(Place::Value);
  }
  return verifyRule(op, attribute, places, " on argument " + Twine(argument));
}

LogicalResult TppDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  SmallVector<Place> places;
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function && isOfSignlessIntegers(function.getResultTypes()[result]))
    places.push_back(Place::Value);
  return verifyRule(op, attribute, places, " on result " + Twine(result));
}

} // namespace mlir::tpp
