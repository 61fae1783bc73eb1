// Moves computations that depend only on constants and on tpp.prepack arguments into @NAME_prepack, which runs once, before the first call.
//
// The pass stores values over 1 KiB that are constants, or are computed from constants and not larger than they are. An expansion of constants
// (a broadcast, a splat, but not a pack) stays in the function, because storing it would cost more than computing it. Small constants stay in the function,
// too. A tpp.prepack argument counts as a constant, with one difference: the function no longer has it. Values that the function still needs
// of it are therefore stored, whatever their size.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_OUTLINEPREPACK
#include "lowering/Passes.h.inc"

namespace {

constexpr int64_t maxInlineBytes = 1024;

// True for a value without data of its own: an empty or filled tensor, or a splat constant.
bool isSplatLike(Value value) {
  DenseElementsAttr attr;
  if (matchPattern(value, m_Constant(&attr)))
    return attr.isSplat();
  return isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(value.getDefiningOp());
}

// True if a value computed from constants should be stored: it is packed, or at most 1.25 times as large as its inputs.
bool isWorthStoring(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return true; // an argument of @NAME_prepack
  if (isSplatLike(value))
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<linalg::PackOp>(op)) // whatever zeros a pack adds, it would be computed in each call
    return true;
  int64_t inputs = 0;
  llvm::SmallSetVector<Value, 4> operands(op->operand_begin(), op->operand_end());
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (Value operand : operands)
    if (!isSplatLike(operand) && !(dps && llvm::is_contained(dps.getDpsInits(), operand)))
      inputs += getValueBytes(operand);
  return getValueBytes(value) <= inputs + inputs / 4;
}

// The operands of an op, and the values from outside that its regions use.
llvm::SetVector<Value> getInputs(Operation *op) {
  llvm::SetVector<Value> inputs(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), inputs);
  return inputs;
}

// Outlines the constant part of one function.
class Outliner {
public:
  explicit Outliner(func::FuncOp func) : func(func), given(func.getNumArguments()) {
    for (BlockArgument argument : func.getArguments())
      given[argument.getArgNumber()] = isPrepackArgument(argument);
  }

  LogicalResult outline() {
    if (failed(checkArguments()))
      return failure();
    findRoots();
    keepGivenOutside();
    if (roots.empty() && given.none())
      return success();
    if (failed(checkName()))
      return failure();
    llvm::SetVector<Operation *> slice = getSlice();
    createPrepack(slice);
    if (failed(replaceRoots()))
      return failure();
    eraseUnused(slice);
    return eraseGiven();
  }

private:
  LogicalResult checkArguments() {
    for (unsigned i : given.set_bits())
      if (auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[i]); !type || !type.hasStaticShape())
        return func.emitOpError("argument ") << i << " of type " << func.getArgumentTypes()[i] << " cannot have the attribute "
                                             << kPrepackAttr << ": only tensors of static shape can";
    return success();
  }

  // Refuses a program that already has a symbol of this name: it would be taken for the function that computes the weights.
  LogicalResult checkName() {
    Operation *taken = SymbolTable::lookupNearestSymbolFrom(func, StringAttr::get(func.getContext(), getPrepackName()));
    return taken ? taken->emitOpError("has the name of the function that computes the weights of @")
                       << func.getName() << ", @" << getPrepackName() << ": rename it"
                 : success();
  }

  std::string getPrepackName() { return tpp::getPrepackName(func.getName()); }

  // Roots are the values to store: an op that is not constant uses them. If `value` is not worth storing, visits its operands instead.
  void visit(Value value) {
    if (!isa<RankedTensorType>(value.getType()) || !constants.dependsOnConstantsOnly(value) || isSplatLike(value))
      return;
    Operation *op = value.getDefiningOp();
    if (!isWorthStoring(value)) {
      for (Value operand : op->getOperands())
        visit(operand);
    } else if (!op || getValueBytes(value) > maxInlineBytes || !op->hasTrait<OpTrait::ConstantLike>()) {
      roots.insert(value);
    }
  }

  bool isConstantOp(Operation *op) {
    return op->getNumResults() > 0 &&
           llvm::all_of(op->getResults(), [&](Value result) { return constants.dependsOnConstantsOnly(result); });
  }

  void findRoots() {
    func.walk([&](Operation *op) {
      if (op == func.getOperation() || isConstantOp(op))
        return;
      auto contract = dyn_cast<ContractOp>(op);
      for (OpOperand &operand : op->getOpOperands()) {
        // A contraction reads A and B from memory in their layout. Even a splat is therefore stored, not filled again in each call.
        bool multiplied = contract && (&operand == &contract.getAMutable() || &operand == &contract.getBMutable());
        if (multiplied && constants.dependsOnConstantsOnly(operand.get()) && getValueBytes(operand.get()) > maxInlineBytes)
          roots.insert(operand.get());
        else
          visit(operand.get());
      }
    });
  }

  // Constant computations that stay in the function (an expansion, a scalar read from a tensor) must not read a tpp.prepack argument, which
  // the function loses. Makes each such argument a root, so that they read a stored copy of it.
  void keepGivenOutside() {
    if (given.none())
      return;
    llvm::DenseSet<Value> seen;
    SmallVector<Value> worklist;
    func.walk([&](Operation *op) {
      if (op != func.getOperation() && !isConstantOp(op))
        llvm::append_range(worklist, op->getOperands());
    });
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (roots.contains(value) || !seen.insert(value).second)
        continue;
      if (isPrepackArgument(value))
        roots.insert(value);
      else if (Operation *op = value.getDefiningOp(); op && isConstantOp(op))
        llvm::append_range(worklist, getInputs(op));
    }
  }

  // The ops that compute the roots, producers first.
  llvm::SetVector<Operation *> getSlice() {
    llvm::SetVector<Operation *> slice;
    std::function<void(Value)> collect = [&](Value value) {
      Operation *op = value.getDefiningOp();
      if (!op || slice.contains(op))
        return;
      for (Value input : getInputs(op))
        collect(input);
      slice.insert(op);
    };
    for (Value root : roots)
      collect(root);
    return slice;
  }

  void createPrepack(const llvm::SetVector<Operation *> &slice) {
    OpBuilder builder(func);
    SmallVector<Type> inputs, results(llvm::map_range(roots, [](Value root) { return root.getType(); }));
    for (unsigned i : given.set_bits())
      inputs.push_back(func.getArgumentTypes()[i]);
    auto prepack = func::FuncOp::create(builder, func.getLoc(), getPrepackName(), builder.getFunctionType(inputs, results));
    Block *body = prepack.addEntryBlock();
    IRMapping mapping;
    for (auto [position, i] : llvm::enumerate(given.set_bits())) {
      mapping.map(func.getArgument(i), body->getArgument(position));
      body->getArgument(position).setLoc(func.getArgument(i).getLoc());
    }
    builder.setInsertionPointToStart(body);
    for (Operation *op : slice)
      builder.clone(*op, mapping);
    func::ReturnOp::create(builder, func.getLoc(), llvm::map_to_vector(roots, [&](Value root) { return mapping.lookup(root); }));
  }

  LogicalResult replaceRoots() {
    Builder builder(func.getContext());
    int64_t number = 0;
    for (Value root : roots) {
      unsigned position = func.getNumArguments();
      NamedAttribute attr = builder.getNamedAttr(kWeightAttr, builder.getI64IntegerAttr(number++));
      if (failed(func.insertArgument(position, root.getType(), builder.getDictionaryAttr(attr), root.getLoc())))
        return failure();
      root.replaceAllUsesWith(func.getArgument(position));
    }
    return success();
  }

  // Erases the ops that only @NAME_prepack needs, and unused ops that read a tpp.prepack argument.
  void eraseUnused(llvm::SetVector<Operation *> &slice) {
    SmallVector<Value> worklist(llvm::map_range(given.set_bits(), [&](unsigned i) -> Value { return func.getArgument(i); }));
    while (!worklist.empty())
      for (Operation *user : worklist.pop_back_val().getUsers())
        if (Operation *op = func.getBody().findAncestorOpInRegion(*user); op && isConstantOp(op) && slice.insert(op))
          llvm::append_range(worklist, op->getResults());
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *op : llvm::to_vector(llvm::reverse(slice))) {
        if (op->use_empty()) {
          slice.remove(op);
          op->erase();
          changed = true;
        }
      }
    }
  }

  LogicalResult eraseGiven() {
    if (given.none())
      return success();
    // Record the original positions of the remaining arguments, which reports print.
    for (unsigned i = 0; i < given.size(); ++i)
      if (!given[i])
        func.setArgAttr(i, kArgumentAttr, IntegerAttr::get(IntegerType::get(func.getContext(), 64), i));
    given.resize(func.getNumArguments());
    return func.eraseArguments(given);
  }

  func::FuncOp func;
  llvm::BitVector given; // arguments of @NAME_prepack
  llvm::SetVector<Value> roots;
  ConstantAnalysis constants;
};

struct OutlinePrepack : public impl::OutlinePrepackBase<OutlinePrepack> {
  void runOnOperation() override {
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!func.isExternal() && !func.isPrivate() && !getPrepackedEntry(func.getName()) && failed(Outliner(func).outline()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp
