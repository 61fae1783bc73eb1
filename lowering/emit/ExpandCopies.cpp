//===- ExpandCopies.cpp - strided copies and leftover linalg become loops ----------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_EXPANDCOPIES
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

/// Replaces a copy by a nest of loops over all elements. LLVM turns an innermost loop over contiguous memory into vector code or memcpy.
static void expandCopy(memref::CopyOp copy) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  auto type = cast<MemRefType>(copy.getSource().getType());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> lower(type.getRank(), zero), step(type.getRank(), one), upper;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    upper.push_back(builder.createOrFold<memref::DimOp>(loc, copy.getSource(), dim));
  scf::buildLoopNest(builder, loc, lower, upper, step, [&](OpBuilder &nested, Location nestedLoc, ValueRange indices) {
    Value element = memref::LoadOp::create(nested, nestedLoc, copy.getSource(), indices);
    memref::StoreOp::create(nested, nestedLoc, element, copy.getTarget(), indices);
  });
  copy.erase();
}

static bool isContiguous(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && memref::isStaticShapeAndContiguousRowMajor(type);
}

namespace {
struct ExpandCopies : public tpp::impl::ExpandCopiesBase<ExpandCopies> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    SmallVector<linalg::LinalgOp> leftovers;
    getOperation().walk([&](Operation *op) {
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        if (isa<MemRefType>(copy.getSource().getType()) && !(isContiguous(copy.getSource()) && isContiguous(copy.getTarget())))
          copies.push_back(copy);
      } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
        leftovers.push_back(linalgOp);
      }
    });
    for (memref::CopyOp copy : copies)
      expandCopy(copy);
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : leftovers) {
      if (!op.hasPureBufferSemantics()) {
        op.emitOpError("has not been bufferized");
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      if (failed(linalg::linalgOpToLoops(rewriter, op))) {
        op.emitOpError("has no lowering to loops");
        return signalPassFailure();
      }
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
