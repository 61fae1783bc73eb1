// Turns tpp.gather into linalg.generic (see Passes.td).
#include "lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERGATHERS
#include "lowering/Passes.h.inc"

namespace {

void lower(GatherOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps;
  for (int64_t dim : op.getDims())
    maps.push_back(AffineMap::get(rank, 0, rewriter.getAffineDimExpr(dim)));
  maps.push_back(rewriter.getMultiDimIdentityMap(rank));
  rewriter.setInsertionPoint(op);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, type, op.getIndices(), empty, maps, iterators, [&](OpBuilder &builder, Location loc, ValueRange elements) {
        SmallVector<Value> indices;
        for (unsigned dim = 0; dim < rank; ++dim) {
          auto list = llvm::find(op.getDims(), dim) - op.getDims().begin();
          if (list == static_cast<int64_t>(op.getDims().size()))
            indices.push_back(linalg::IndexOp::create(builder, loc, dim));
          else
            indices.push_back(builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), elements[list]));
        }
        Value element = tensor::ExtractOp::create(builder, loc, op.getSource(), indices);
        linalg::YieldOp::create(builder, loc, element);
      });
}

struct LowerGathers : public impl::LowerGathersBase<LowerGathers> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](GatherOp op) { lower(op, rewriter); });
  }
};

} // namespace
} // namespace mlir::tpp
