//===- PlaceJoins.cpp - values of parts are put together where they are wanted -----------------------------------------------===//
//
// A convolution that writes its result in parts, and a pad around the result: each part should be computed into the middle of the border.
// Upstream's elimination of empty tensors goes from the first op to the last: when it looks at the first part, the whole still is a buffer
// of its own, and once it sees the pad the first part lies in that. So the whole is given its place first.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PLACEJOINS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

/// The first of a chain of inserts into an empty tensor that nothing else uses; null where `value` is none.
static tensor::InsertSliceOp findFirstInsert(Value value) {
  tensor::InsertSliceOp first;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    first = insert;
    value = insert.getDest();
  }
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  return empty && empty->hasOneUse() && first ? first : tensor::InsertSliceOp();
}

/// Moves what makes `dest` before `op`, unless it is there already; false where it cannot: only empty tensors, fills and slices of them are
/// made anywhere.
static bool hoist(Value dest, Operation *op) {
  Operation *def = dest.getDefiningOp();
  if (!def || def->getBlock() != op->getBlock())
    return true; // a value from around the block is there before all its ops
  if (def->isBeforeInBlock(op))
    return true;
  if (!isa<tensor::EmptyOp, tensor::ExtractSliceOp, linalg::FillOp>(def) && !def->hasTrait<OpTrait::ConstantLike>())
    return false;
  if (!llvm::all_of(def->getOperands(), [&](Value operand) { return hoist(operand, op); }))
    return false;
  def->moveBefore(op);
  return true;
}

namespace {
struct PlaceJoins : public tpp::impl::PlaceJoinsBase<PlaceJoins> {
  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> inserts;
    getOperation().walk([&](tensor::InsertSliceOp insert) { inserts.push_back(insert); });
    OpBuilder builder(&getContext());
    // The last first: a join of joins has its place before its parts look for theirs.
    for (tensor::InsertSliceOp insert : llvm::reverse(inserts)) {
      tensor::InsertSliceOp first = findFirstInsert(insert.getSource());
      bool isStatic = insert->getNumOperands() == 2;
      if (!first || !isStatic || first->getBlock() != insert->getBlock() || !hoist(insert.getDest(), first))
        continue;
      builder.setInsertionPoint(first);
      Value place = tensor::ExtractSliceOp::create(builder, first.getLoc(), insert.getSourceType(), insert.getDest(),
                                                   insert.getMixedOffsets(), insert.getMixedSizes(), insert.getMixedStrides());
      first.getDestMutable().assign(place);
    }
  }
};
} // namespace
