// Moves everything that depends on constants only into @NAME_prepack, which runs once.
//
// The boundary: values over 1 KiB that are constants, or computed from constants without growing. An expansion of constants (a
// broadcast, a splat) stays in the function: storing it would cost more than making it. Small constants stay as they are.
#include "lowering/LinearMap.h"
#include "lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_OUTLINEPREPACK
#include "lowering/Passes.h.inc"

namespace {

constexpr int64_t maxInlineBytes = 1024;

int64_t getBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  Type element = tensor.getElementType();
  int64_t bits = element.isIndex() ? 64 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return tensor.getNumElements() * ((bits + 7) / 8);
}

// Values without content of their own: a destination, or one scalar repeated.
bool isSplatLike(Value value) {
  DenseElementsAttr attr;
  if (matchPattern(value, m_Constant(&attr)))
    return attr.isSplat();
  return isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(value.getDefiningOp());
}

// A constant-only value that is worth storing: at most as large as what it is computed from.
bool isWorthStoring(Value value) {
  Operation *op = value.getDefiningOp();
  if (isSplatLike(value))
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  int64_t inputs = 0;
  llvm::SmallSetVector<Value, 4> operands(op->operand_begin(), op->operand_end());
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (Value operand : operands)
    if (!isSplatLike(operand) && !(dps && llvm::is_contained(dps.getDpsInits(), operand)))
      inputs += getBytes(operand.getType());
  // A pad of a panel may grow a little.
  return getBytes(value.getType()) <= inputs + inputs / 4;
}

struct OutlinePrepack : public impl::OutlinePrepackBase<OutlinePrepack> {
  void runOnOperation() override {
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!func.isExternal() && !func.isPrivate() && !func.getName().ends_with("_prepack"))
        outline(func);
  }

  void outline(func::FuncOp func) {
    llvm::DenseMap<Value, bool> known;
    llvm::SetVector<Value> roots;
    // A root is stored when used by something that is not constant; what is not worth storing hands the question to its operands.
    auto isConstant = [&](Value value) {
      auto [it, inserted] = known.try_emplace(value, false);
      if (inserted)
        it->second = dependsOnConstantsOnly(value);
      return known[value];
    };
    std::function<void(Value)> visit = [&](Value value) {
      if (!isa<RankedTensorType>(value.getType()) || !isConstant(value) || isSplatLike(value))
        return;
      if (isWorthStoring(value)) {
        if (getBytes(value.getType()) > maxInlineBytes || !value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
          roots.insert(value);
        return;
      }
      for (Value operand : value.getDefiningOp()->getOperands())
        visit(operand);
    };
    func.walk([&](Operation *op) {
      if (op == func.getOperation() || (op->getNumResults() > 0 && llvm::all_of(op->getResults(), isConstant)))
        return;
      auto contract = dyn_cast<ContractOp>(op);
      for (OpOperand &operand : op->getOpOperands()) {
        // What a contraction multiplies is read in its layout, even where it repeats one value: it is stored, not filled in each call.
        bool multiplied = contract && (&operand == &contract.getAMutable() || &operand == &contract.getBMutable());
        if (multiplied && isConstant(operand.get()) && getBytes(operand.get().getType()) > maxInlineBytes)
          roots.insert(operand.get());
        else
          visit(operand.get());
      }
    });
    if (roots.empty())
      return;

    // The ops that roots need, in order.
    llvm::SetVector<Operation *> slice;
    std::function<void(Operation *)> collect = [&](Operation *op) {
      if (slice.contains(op))
        return;
      for (Value operand : op->getOperands())
        collect(operand.getDefiningOp());
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (Operation *def = operand.getDefiningOp(); def && !op->isAncestor(def))
            collect(def);
      });
      slice.insert(op);
    };
    for (Value root : roots)
      collect(root.getDefiningOp());

    OpBuilder builder(func);
    SmallVector<Type> types(llvm::map_range(roots, [](Value root) { return root.getType(); }));
    auto prepack =
        func::FuncOp::create(builder, func.getLoc(), (func.getName() + "_prepack").str(), builder.getFunctionType({}, types));
    IRMapping mapping;
    builder.setInsertionPointToStart(prepack.addEntryBlock());
    for (Operation *op : slice)
      builder.clone(*op, mapping);
    SmallVector<Value> results(llvm::map_range(roots, [&](Value root) { return mapping.lookup(root); }));
    func::ReturnOp::create(builder, func.getLoc(), results);

    for (unsigned i = 0; i < roots.size(); ++i) {
      Value root = roots[i];
      unsigned position = func.getNumArguments();
      NamedAttribute attr = builder.getNamedAttr("tpp.weight", builder.getI64IntegerAttr(i));
      if (failed(func.insertArgument(position, root.getType(), builder.getDictionaryAttr(attr), root.getLoc())))
        return signalPassFailure();
      root.replaceAllUsesWith(func.getArgument(position));
    }
    // What only prepack needed is gone from the function.
    bool changed = true;
    while (changed) {
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
};

} // namespace
} // namespace mlir::tpp
