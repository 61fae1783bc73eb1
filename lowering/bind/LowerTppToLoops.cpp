// Lowers tpp ops on buffers to scalar loops. This is the executable specification of the ops, and the fallback if no kernel supports one.
//
// It is written for clarity: one loop per dimension, every element addressed through the operand's form. Accumulators are f32 (f64 for f64,
// i32 for integers); results are rounded once.
#include "lowering/Passes.h"
#include "lowering/bind/TileOps.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#include <functional>

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERTPPTOLOOPS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;
using namespace mlir::tpp;

/// tpp.contract: outer loops over the dimensions of the result's map, inner loops over the reduction dimensions.
static void lowerContract(ContractOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  SmallVector<AffineMap> maps = op.getMaps();
  Type compute = getAccumulatorType(getElementTypeOrSelf(op.getA()), getElementTypeOrSelf(op.getInit()));
  SmallVector<unsigned> kept, summed;
  for (unsigned dim = 0; dim < op.getExtents().size(); ++dim)
    (maps[2].isFunctionOfDim(dim) ? kept : summed).push_back(dim);

  Indices point(op.getExtents().size(), loops.index(0));
  auto at = [&](unsigned operand) { return *affine::expandAffineMap(builder, loc, maps[operand], point); };
  auto extent = [&](unsigned dim) { return loops.index(op.getExtents()[dim]); };

  std::function<Value(unsigned, Value)> sum = [&](unsigned depth, Value acc) -> Value {
    if (depth < summed.size())
      return loops.reduceLoop(extent(summed[depth]), acc, [&](Value i, Value inner) {
        point[summed[depth]] = i;
        return sum(depth + 1, inner);
      });
    Value x = convertScalar(builder, loc, loops.load(op.getA(), at(0)), compute, op.getAUnsigned());
    Value y = convertScalar(builder, loc, loops.load(op.getB(), at(1)), compute, op.getBUnsigned());
    return createBinary(builder, loc, BinaryKind::Add, acc, createBinary(builder, loc, BinaryKind::Mul, x, y));
  };
  std::function<void(unsigned)> nest = [&](unsigned depth) {
    if (depth < kept.size())
      return loops.loop(extent(kept[depth]), [&](Value i) {
        point[kept[depth]] = i;
        nest(depth + 1);
      });
    auto atC = at(2);
    Value init = op.getBeta() == 1 ? convertScalar(builder, loc, loops.load(op.getInit(), atC), compute, op.getCUnsigned())
                                   : arith::ConstantOp::create(builder, loc, builder.getZeroAttr(compute)).getResult();
    Value acc = sum(0, init);
    SmallVector<PostOpAttr> postOps = llvm::to_vector(op.getPostOps().getAsRange<PostOpAttr>());
    acc = applyPostOps(builder, loc, postOps, acc,
                       [&](unsigned operand, Broadcast) { return loops.load(op.getPostOperands()[operand], at(3 + operand)); });
    acc = convertScalar(builder, loc, acc, getElementTypeOrSelf(op.getInit()), op.getCUnsigned());
    loops.store(acc, op.getInit(), atC);
  };
  nest(0);
}

/// Why an op cannot be lowered to loops; empty if it can.
static StringRef getRefusal(Operation *op) {
  if (!isTileOp(op) && !isa<ContractOp>(op))
    return "is no tile op";
  if (!cast<DestinationStyleOpInterface>(op).hasPureBufferSemantics())
    return "is on tensors; bufferize before lowering to loops";
  auto contract = dyn_cast<ContractOp>(op);
  if (contract && contract.getWinograd())
    return "has Winograd's filters: tpp-tile-winograd first";
  if (contract && contract.getPadded())
    return "reads outside of its image: tpp-tile-grouped-convs first";
  return "";
}

LogicalResult tpp::lowerTppToLoops(RewriterBase &rewriter, Operation *op) {
  if (StringRef refusal = getRefusal(op); !refusal.empty())
    return rewriter.notifyMatchFailure(op, refusal);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  LoopBuilder loops(rewriter, op->getLoc());
  if (auto contract = dyn_cast<ContractOp>(op))
    lowerContract(contract, loops);
  else
    visitTileOp(op, [&](auto tileOp) { lowerToLoops(tileOp, loops); });
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct LowerTppToLoops : public tpp::impl::LowerTppToLoopsBase<LowerTppToLoops> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isTileOp(op) || isa<ContractOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      if (failed(lowerTppToLoops(rewriter, op))) {
        op->emitOpError() << getRefusal(op);
        return signalPassFailure();
      }
  }
};
} // namespace
