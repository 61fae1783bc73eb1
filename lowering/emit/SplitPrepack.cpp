//===- SplitPrepack.cpp - @NAME_prepack as a list of independent computations ------------------------------------------------===//
//
// @NAME_prepack says what every weight is; run as a whole it would hold all sources and all results at once and compile the same
// packing once for each layer. Split, it is a script of calls: the driver (emit/PrepackPlan.h) runs one call after the other,
// straight into the weights segment, and a deep model has a handful of functions to compile.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/bufferize/BufferSize.h"
#include "lowering/emit/PlaceWeights.h"

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

/// A large splat becomes a fill of an empty tensor: neither code nor weights.
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
    Value scalar = arith::ConstantOp::create(builder, constant.getLoc(), value);
    Value empty = tensor::EmptyOp::create(builder, constant.getLoc(), type.getShape(), type.getElementType());
    Value filled = linalg::FillOp::create(builder, constant.getLoc(), scalar, empty).getResult(0);
    constant.replaceAllUsesWith(filled);
    constant.erase();
  }
}

/// The constant whose bytes `value` has: reshapes change none. Null for a value that is computed.
static Operation *findSource(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isTensorConstant(op) ? op : nullptr;
}

/// Everything `value` is computed from, in the order of the program.
static SmallVector<Operation *> collectSlice(Value value) {
  SetVector<Operation *> slice;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !slice.insert(op))
      continue;
    llvm::append_range(worklist, op->getOperands());
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(worklist, captured);
  }
  SmallVector<Operation *> ordered(slice.begin(), slice.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

namespace {
/// The computation of one weight and the constants it takes.
struct Item {
  func::FuncOp function;
  SmallVector<Operation *> sources;
};

struct SplitPrepack : public tpp::impl::SplitPrepackBase<SplitPrepack> {
  using SplitPrepackBase::SplitPrepackBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto func = module.lookupSymbol<func::FuncOp>(entry);
    if (!func || func.isExternal()) {
      module.emitError("has no function @") << entry;
      return signalPassFailure();
    }
    std::string name = entry + "_prepack";
    auto prepack = module.lookupSymbol<func::FuncOp>(name);
    if (prepack && (prepack.isExternal() || !prepack.getBody().hasOneBlock() || prepack.getNumArguments() != 0)) {
      prepack.emitOpError("must be one block without arguments");
      return signalPassFailure();
    }
    fillLargeSplats(func);
    if (failed(moveLargeConstants(func, prepack)))
      return signalPassFailure();
    if (prepack) {
      fillLargeSplats(prepack);
      split(prepack);
    }
  }

  /// Constants that earlier stages left in the function become weights. Creates @NAME_prepack where there is none yet.
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
      prepack = func::FuncOp::create(builder, func.getLoc(), entry + "_prepack", builder.getFunctionType({}, {}));
      builder.setInsertionPointToStart(prepack.addEntryBlock());
      func::ReturnOp::create(builder, func.getLoc());
    }
    auto terminator = cast<func::ReturnOp>(prepack.getBody().front().getTerminator());
    for (auto &[value, ops] : constants) {
      auto type = cast<RankedTensorType>(ops.front().getType());
      builder.setInsertionPoint(terminator);
      Operation *moved = builder.clone(*ops.front());
      unsigned number = terminator.getNumOperands(), index = func.getNumArguments();
      terminator->insertOperands(number, moved->getResult(0));
      if (failed(func.insertArgument(
              index, type, builder.getDictionaryAttr(builder.getNamedAttr(tpp::kWeightAttr, builder.getI64IntegerAttr(number))),
              ops.front().getLoc())))
        return failure();
      for (arith::ConstantOp op : ops) {
        op.replaceAllUsesWith(func.getArgument(index));
        op.erase();
      }
    }
    prepack.setFunctionType(builder.getFunctionType({}, llvm::to_vector(terminator.getOperandTypes())));
    return success();
  }

  /// Rewrites @NAME_prepack as constants and calls.
  void split(func::FuncOp prepack) {
    OpBuilder builder(prepack.getContext());
    auto terminator = cast<func::ReturnOp>(prepack.getBody().front().getTerminator());
    SmallVector<func::FuncOp> functions;
    DenseMap<Value, Value> done;
    Operation *position = prepack;
    for (OpOperand &weight : terminator->getOpOperands()) {
      Value value = weight.get();
      if (findSource(value) == value.getDefiningOp())
        continue;
      Value &replacement = done[value];
      if (!replacement) {
        builder.setInsertionPoint(terminator);
        if (Operation *source = findSource(value)) {
          replacement = reshapeConstant(builder, source, cast<RankedTensorType>(value.getType()));
        } else {
          Item item = outline(value, prepack, functions, position);
          SmallVector<Value> sources;
          for (Operation *source : item.sources)
            sources.push_back(source->getResult(0));
          builder.setInsertionPoint(terminator);
          replacement = func::CallOp::create(builder, value.getLoc(), item.function, sources).getResult(0);
        }
      }
      weight.set(replacement);
    }
    // What is left without users has moved into the items.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(prepack.getBody().front())))
      if (&op != terminator && op.use_empty())
        op.erase();
    // Calls take their constants from above.
    for (Operation &op : llvm::make_early_inc_range(prepack.getBody().front()))
      if (isTensorConstant(&op))
        op.moveBefore(&prepack.getBody().front(), prepack.getBody().front().begin());
  }

  /// A constant with the same bytes and another shape.
  static Value reshapeConstant(OpBuilder &builder, Operation *source, RankedTensorType type) {
    auto value = cast<arith::ConstantOp>(source).getValue();
    Attribute reshaped;
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      reshaped = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    else
      reshaped = cast<DenseElementsAttr>(value).reshape(type);
    return arith::ConstantOp::create(builder, source->getLoc(), cast<TypedAttr>(reshaped));
  }

  /// The function that computes `value` from its constants: one that exists already, or a new one behind `position`.
  Item outline(Value value, func::FuncOp prepack, SmallVectorImpl<func::FuncOp> &functions, Operation *&position) {
    Item item;
    SmallVector<Operation *> body;
    for (Operation *op : collectSlice(value)) {
      // Splats are part of what is computed (a padding value, an epsilon); all else is data.
      if (isTensorConstant(op) && !isSplat(op))
        item.sources.push_back(op);
      else
        body.push_back(op);
    }
    SmallVector<Type> inputs;
    for (Operation *source : item.sources)
      inputs.push_back(source->getResult(0).getType());

    OpBuilder builder(prepack.getContext());
    builder.setInsertionPointAfter(position);
    std::string name = (prepack.getSymName() + "_item" + Twine(functions.size())).str();
    auto function = func::FuncOp::create(builder, value.getLoc(), name, builder.getFunctionType(inputs, value.getType()));
    builder.setInsertionPointToStart(function.addEntryBlock());
    IRMapping mapping;
    for (auto [source, argument] : llvm::zip_equal(item.sources, function.getArguments()))
      mapping.map(source->getResult(0), argument);
    for (Operation *op : body)
      builder.clone(*op, mapping);
    func::ReturnOp::create(builder, value.getLoc(), mapping.lookup(value));

    for (func::FuncOp existing : functions)
      if (existing.getFunctionType() == function.getFunctionType() &&
          OperationEquivalence::isRegionEquivalentTo(&existing.getBody(), &function.getBody(),
                                                     OperationEquivalence::IgnoreLocations)) {
        function.erase();
        item.function = existing;
        return item;
      }
    functions.push_back(function);
    position = function;
    item.function = function;
    return item;
  }
};
} // namespace
