//===- SplitPrepack.cpp - @NAME_prepack as a list of independent computations ------------------------------------------------===//
//
// @NAME_prepack computes every weight. Run as a whole, it would hold all sources and all results in memory at once, and the same packing would
// be compiled once for each layer. This pass splits it into a list of calls. The driver (prepack/PrepackPlan.h) runs one call after the
// other, and each writes its result directly into the weights segment. A deep model then has only a few functions to compile.
//
// Arguments of @NAME_prepack are known only when the compiled code runs. The parser's constants no longer exist then. A constant that is used
// together with an argument is therefore stored in the segment as well.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/prepack/PlaceWeights.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SPLITPREPACK
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

/// Constants up to this size may stay in the code.
static constexpr int64_t kMaxConstantBytes = 1024;

static bool isTensorConstant(Operation *op) {
  auto constant = dyn_cast_or_null<arith::ConstantOp>(op);
  return constant && isa<RankedTensorType>(constant.getType()) && isa<ElementsAttr>(constant.getValue());
}

static bool isSplat(Operation *op) {
  auto dense = dyn_cast<DenseElementsAttr>(cast<arith::ConstantOp>(op).getValue());
  return dense && dense.isSplat();
}

static bool isLarge(Operation *op) {
  std::optional<int64_t> bytes = tpp::getBufferBytes(cast<ShapedType>(op->getResult(0).getType()));
  return !bytes || *bytes > kMaxConstantBytes;
}

/// Replaces large splats by fills of empty tensors, so that they take space neither in the code nor in the weights.
static void fillLargeSplats(func::FuncOp func) {
  SmallVector<arith::ConstantOp> splats;
  func.walk([&](arith::ConstantOp constant) {
    if (isTensorConstant(constant) && isSplat(constant) && isLarge(constant))
      splats.push_back(constant);
  });
  for (arith::ConstantOp constant : splats) {
    OpBuilder builder(constant);
    auto type = cast<RankedTensorType>(constant.getType());
    auto value = cast<DenseElementsAttr>(constant.getValue()).getSplatValue<TypedAttr>();
    Value filled = tpp::createFilled(builder, constant.getLoc(), type.getShape(), value);
    constant.replaceAllUsesWith(filled);
    constant.erase();
  }
}

/// The constant or argument that `value` is, possibly reshaped: reshapes do not change the bytes. Null for a computed value.
static Value findSource(Value value) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return isa<BlockArgument>(value) || isTensorConstant(value.getDefiningOp()) ? value : Value();
}

namespace {
/// The inputs of a weight and the ops that compute it.
struct Slice {
  SmallVector<Value> sources;    // first the arguments, then the constants, each in program order
  SmallVector<Operation *> body; // in program order
};
} // namespace

static Slice collectSlice(Value value) {
  SetVector<Operation *> ops;
  SetVector<Value> arguments;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op)
      arguments.insert(next);
    else if (ops.insert(op)) {
      llvm::append_range(worklist, op->getOperands());
      SetVector<Value> captured;
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      llvm::append_range(worklist, captured);
    }
  }
  Slice slice;
  llvm::append_range(slice.sources, arguments);
  llvm::sort(slice.sources,
             [](Value a, Value b) { return cast<BlockArgument>(a).getArgNumber() < cast<BlockArgument>(b).getArgNumber(); });
  SmallVector<Operation *> ordered(ops.begin(), ops.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered) {
    // A splat is part of the computation (a padding value, an epsilon); other constants are inputs.
    if (isTensorConstant(op) && !isSplat(op))
      slice.sources.push_back(op->getResult(0));
    else
      slice.body.push_back(op);
  }
  return slice;
}

namespace {
struct SplitPrepack : public tpp::impl::SplitPrepackBase<SplitPrepack> {
  using SplitPrepackBase::SplitPrepackBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto func = module.lookupSymbol<func::FuncOp>(entry);
    if (!func || func.isExternal()) {
      module.emitError("has no function @") << entry;
      return signalPassFailure();
    }
    std::string name = tpp::getPrepackName(entry);
    auto prepack = module.lookupSymbol<func::FuncOp>(name);
    if (prepack && (prepack.isExternal() || !prepack.getBody().hasOneBlock())) {
      prepack.emitOpError("must be one block");
      return signalPassFailure();
    }
    if (failed(checkName(func, prepack, name)))
      return signalPassFailure();
    fillLargeSplats(func);
    if (failed(moveLargeConstants(func, prepack)))
      return signalPassFailure();
    if (prepack) {
      fillLargeSplats(prepack);
      if (failed(split(func, prepack)))
        return signalPassFailure();
    }
  }

  /// Checks that a symbol of this name is the function that tpp-outline-prepack created, not another symbol of the program.
  static LogicalResult checkName(func::FuncOp func, func::FuncOp prepack, StringRef name) {
    auto isWeight = [&](unsigned i) { return bool(func.getArgAttr(i, tpp::kWeightAttr)); };
    int64_t weights = llvm::count_if(llvm::seq(func.getNumArguments()), isWeight);
    Operation *taken = SymbolTable::lookupSymbolIn(func->getParentOp(), name);
    // It is empty if the function uses none of the weight arguments, which it still takes.
    bool isEmpty = prepack && prepack.getNumArguments() > 0 && llvm::hasSingleElement(prepack.getBody().front());
    bool computesWeights = prepack && int64_t(prepack.getNumResults()) == weights && (weights > 0 || isEmpty);
    if (!taken || (computesWeights && SymbolTable::symbolKnownUseEmpty(taken, func->getParentOp())))
      return success();
    return taken->emitOpError("has the name of the function that computes the weights of @")
           << func.getName() << ", but is called or does not return one result for each of its " << weights
           << " weights: rename it";
  }

  /// Turns large constants that earlier stages left in the function into weights. Creates @NAME_prepack if it does not exist.
  LogicalResult moveLargeConstants(func::FuncOp func, func::FuncOp &prepack) {
    llvm::MapVector<Attribute, SmallVector<arith::ConstantOp>> constants;
    func.walk([&](arith::ConstantOp constant) {
      if (isTensorConstant(constant) && isLarge(constant))
        constants[constant.getValue()].push_back(constant);
    });
    if (constants.empty())
      return success();
    OpBuilder builder(func.getContext());
    if (!prepack) {
      builder.setInsertionPointAfter(func);
      prepack = func::FuncOp::create(builder, func.getLoc(), tpp::getPrepackName(entry), builder.getFunctionType({}, {}));
      builder.setInsertionPointToStart(prepack.addEntryBlock());
      func::ReturnOp::create(builder, func.getLoc());
    }
    for (auto &[value, ops] : constants) {
      std::optional<Value> stored = addWeight(func, prepack, ops.front());
      if (!stored)
        return failure();
      for (arith::ConstantOp op : ops) {
        op.replaceAllUsesWith(*stored);
        op.erase();
      }
    }
    return success();
  }

  /// Adds a weight that is a copy of `constant`. Returns the new argument of `func` for it.
  static FailureOr<Value> addWeight(func::FuncOp func, func::FuncOp prepack, arith::ConstantOp constant) {
    auto terminator = cast<func::ReturnOp>(prepack.getBody().front().getTerminator());
    OpBuilder builder(terminator);
    Operation *copy = builder.clone(*constant);
    unsigned number = terminator.getNumOperands(), index = func.getNumArguments();
    terminator->insertOperands(number, copy->getResult(0));
    prepack.setFunctionType(builder.getFunctionType(prepack.getArgumentTypes(), llvm::to_vector(terminator.getOperandTypes())));
    NamedAttribute attr = builder.getNamedAttr(tpp::kWeightAttr, builder.getI64IntegerAttr(number));
    if (failed(func.insertArgument(index, constant.getType(), builder.getDictionaryAttr(attr), constant.getLoc())))
      return failure();
    return Value(func.getArgument(index));
  }

  /// Rewrites @NAME_prepack as constants and calls.
  static LogicalResult split(func::FuncOp func, func::FuncOp prepack) {
    OpBuilder builder(prepack.getContext());
    auto terminator = cast<func::ReturnOp>(prepack.getBody().front().getTerminator());
    SmallVector<func::FuncOp> functions;
    DenseMap<Value, Value> done;
    llvm::MapVector<Attribute, arith::ConstantOp> besideArguments;
    Operation *position = prepack;
    for (OpOperand &weight : terminator->getOpOperands()) {
      Value value = weight.get(), source = findSource(value);
      if (source && (source == value || isa<BlockArgument>(source)))
        continue;
      Value &replacement = done[value];
      if (!replacement) {
        builder.setInsertionPoint(terminator);
        if (source) {
          replacement = reshapeConstant(builder, source.getDefiningOp(), cast<RankedTensorType>(value.getType()));
        } else {
          Slice slice = collectSlice(value);
          func::FuncOp function = outline(value, slice, prepack, functions, position);
          builder.setInsertionPoint(terminator);
          replacement = func::CallOp::create(builder, value.getLoc(), function, slice.sources).getResult(0);
          if (llvm::any_of(slice.sources, llvm::IsaPred<BlockArgument>))
            for (Value other : slice.sources)
              if (auto constant = other.getDefiningOp<arith::ConstantOp>())
                besideArguments.try_emplace(constant.getValue(), constant);
        }
      }
      weight.set(replacement);
    }
    for (Value weight : terminator.getOperands())
      if (auto constant = weight.getDefiningOp<arith::ConstantOp>())
        besideArguments.erase(constant.getValue()); // is a weight already
    for (auto &[value, constant] : besideArguments)
      if (failed(addWeight(func, prepack, constant)))
        return failure();
    // Erase the ops without users: they are now in the outlined functions.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(prepack.getBody().front())))
      if (&op != terminator && op.use_empty())
        op.erase();
    // Move the constants to the start of the block, before the calls that use them.
    for (Operation &op : llvm::make_early_inc_range(prepack.getBody().front()))
      if (isTensorConstant(&op))
        op.moveBefore(&prepack.getBody().front(), prepack.getBody().front().begin());
    return success();
  }

  /// Returns a constant with the bytes of `source` and the type `type`.
  static Value reshapeConstant(OpBuilder &builder, Operation *source, RankedTensorType type) {
    auto value = cast<arith::ConstantOp>(source).getValue();
    Attribute reshaped;
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      reshaped = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    else
      reshaped = cast<DenseElementsAttr>(value).reshape(type);
    return arith::ConstantOp::create(builder, source->getLoc(), cast<TypedAttr>(reshaped));
  }

  /// Returns the function that computes `value` from its sources: an equal existing one, or a new one inserted after `position`.
  static func::FuncOp outline(Value value, const Slice &slice, func::FuncOp prepack, SmallVectorImpl<func::FuncOp> &functions,
                              Operation *&position) {
    OpBuilder builder(prepack.getContext());
    builder.setInsertionPointAfter(position);
    std::string name = (prepack.getSymName() + "_item" + Twine(functions.size())).str();
    FunctionType type = builder.getFunctionType(llvm::to_vector(TypeRange(ValueRange(slice.sources))), value.getType());
    auto function = func::FuncOp::create(builder, value.getLoc(), name, type);
    builder.setInsertionPointToStart(function.addEntryBlock());
    IRMapping mapping;
    mapping.map(slice.sources, function.getArguments());
    for (Operation *op : slice.body)
      builder.clone(*op, mapping);
    func::ReturnOp::create(builder, value.getLoc(), mapping.lookup(value));

    for (func::FuncOp existing : functions)
      if (existing.getFunctionType() == function.getFunctionType() &&
          OperationEquivalence::isRegionEquivalentTo(&existing.getBody(), &function.getBody(),
                                                     OperationEquivalence::IgnoreLocations)) {
        function.erase();
        return existing;
      }
    functions.push_back(function);
    position = function;
    return function;
  }
};
} // namespace
