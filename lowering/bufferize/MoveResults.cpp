//===- MoveResults.cpp - results become trailing arguments -------------------------------------------------------------------===//
//
// A compiled model writes its results into the caller's buffers. Upstream's buffer-results-to-out-params does this without a copy only if the
// result is itself an allocation. This pass also looks through reshapes (a model's last op is often a tensor.expand_shape or collapse_shape).
// It copies only results that are not allocations of the function, such as an argument, a constant or another result.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/Moves.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_MOVERESULTS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {

/// An allocation and the reshapes between it and the returned value, the last reshape first.
struct ReshapedAllocation {
  memref::AllocOp alloc;
  SmallVector<Operation *> reshapes;
};

} // namespace

/// Follows reshapes from `value` back to an allocation in the function's top-level block, which runs exactly once per call.
static std::optional<ReshapedAllocation> findAllocation(Value value, Block &body) {
  ReshapedAllocation found;
  while (Operation *op = value.getDefiningOp()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      MemRefType type = alloc.getType();
      if (op->getBlock() != &body || !type.hasStaticShape() || !type.getLayout().isIdentity())
        return std::nullopt;
      found.alloc = alloc;
      return found;
    }
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op))
      return std::nullopt;
    found.reshapes.push_back(op);
    value = op->getOperand(0);
  }
  return std::nullopt;
}

/// Returns `argument` with the shape of `found.alloc`, by undoing the reshapes one after the other.
static Value undoReshapes(OpBuilder &builder, Value argument, const ReshapedAllocation &found) {
  Value value = argument;
  for (Operation *op : found.reshapes) {
    auto source = cast<MemRefType>(op->getOperand(0).getType());
    if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
      value = memref::CollapseShapeOp::create(builder, op->getLoc(), source, value, expand.getReassociationIndices());
    else
      value = memref::ExpandShapeOp::create(builder, op->getLoc(), source.getShape(), value,
                                            cast<memref::CollapseShapeOp>(op).getReassociationIndices());
  }
  return value;
}

namespace {
struct MoveResults : public tpp::impl::MoveResultsBase<MoveResults> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    for (func::FuncOp func : module.getOps<func::FuncOp>())
      if (!func.isExternal() && failed(moveResults(func, users)))
        return signalPassFailure();
  }

  static LogicalResult moveResults(func::FuncOp func, const SymbolUserMap &users) {
    if (llvm::none_of(func.getResultTypes(), llvm::IsaPred<MemRefType>))
      return success();
    if (!func.getBody().hasOneBlock())
      return func.emitOpError("has unstructured control flow: results cannot become arguments");
    if (!users.useEmpty(func))
      return users.getUsers(func).front()->emitOpError("uses function @")
             << func.getSymName()
             << ", whose results become arguments: only functions that can be inlined, thus no recursive ones, may return "
                "tensors";

    Block &body = func.getBody().front();
    auto terminator = cast<func::ReturnOp>(body.getTerminator());
    SmallVector<Value> kept;
    SmallVector<Value> arguments;
    for (Value result : terminator.getOperands()) {
      auto type = dyn_cast<MemRefType>(result.getType());
      if (!type) {
        kept.push_back(result);
        continue;
      }
      if (!type.hasStaticShape() || !type.getLayout().isIdentity())
        return func.emitOpError("returns ") << type << ": a result must have static shape and the identity layout";
      unsigned index = func.getNumArguments();
      if (failed(func.insertArgument(
              index, type,
              DictionaryAttr::get(func.getContext(),
                                  {{StringAttr::get(func.getContext(), tpp::kResultAttr), UnitAttr::get(func.getContext())}}),
              result.getLoc())))
        return failure();
      arguments.push_back(func.getArgument(index));
    }

    OpBuilder builder(func.getContext());
    auto argument = arguments.begin();
    // If an allocation is returned twice, it is an argument by the second time, and is copied.
    for (auto [index, result] : llvm::enumerate(terminator.getOperands())) {
      if (!isa<MemRefType>(result.getType()))
        continue;
      Value target = *argument++;
      std::optional<ReshapedAllocation> found = findAllocation(result, body);
      if (found) {
        builder.setInsertionPoint(found->alloc);
        Value replacement = undoReshapes(builder, target, *found);
        found->alloc.getResult().replaceAllUsesWith(replacement);
        found->alloc.erase();
        continue;
      }
      builder.setInsertionPoint(terminator);
      Location loc = tpp::explainMove(terminator.getLoc(), tpp::MoveReason::Edge,
                                      "result " + Twine(index) + " is in another buffer: " + tpp::describeOrigin(result));
      memref::CopyOp::create(builder, loc, result, target);
    }

    builder.setInsertionPoint(terminator);
    func::ReturnOp::create(builder, terminator.getLoc(), kept);
    terminator.erase();
    SmallVector<Type> keptTypes(ValueRange(kept).getTypes());
    func.setType(FunctionType::get(func.getContext(), func.getArgumentTypes(), keptTypes));
    // Clear the result attributes: those of removed results would fail verification.
    func.setAllResultAttrs(SmallVector<DictionaryAttr>(keptTypes.size(), DictionaryAttr::get(func.getContext())));
    return success();
  }
};
} // namespace
