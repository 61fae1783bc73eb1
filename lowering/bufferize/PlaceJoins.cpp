//===- PlaceJoins.cpp - builds concatenations in the value that they are inserted into ---------------------------------------===//
//
// Example: a convolution writes its result in parts, and the result is padded. Each part should be computed directly in the padded buffer.
// Upstream's elimination of empty tensors processes ops from first to last. When it reaches the first part, the whole result still has its own
// buffer, and it places the part there. When it reaches the pad, this cannot be changed any more. This pass therefore places the whole result in
// the padded buffer before.
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

/// The first insert of a chain of inserts that starts from an empty tensor without other uses; null if `value` is not such a chain.
static tensor::InsertSliceOp findFirstInsert(Value value) {
  tensor::InsertSliceOp first;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    first = insert;
    value = insert.getDest();
  }
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  return empty && empty->hasOneUse() && first ? first : tensor::InsertSliceOp();
}

/// Moves the ops that compute `dest` before `op`, unless they are there already. False if an op cannot be moved: only empty tensors, slices,
/// fills and constants can.
static bool hoist(Value dest, Operation *op) {
  Operation *def = dest.getDefiningOp();
  if (!def || def->getBlock() != op->getBlock())
    return true; // a value from outside the block is available before all of its ops
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
    // Process the last insert first: a concatenation of concatenations must be placed before its parts.
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
