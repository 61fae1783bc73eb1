// Values assembled from parts (see Joins.h).
#include "lowering/analysis/Joins.h"
#include "lowering/analysis/Contractions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tpp {

bool isStaticInsert(tensor::InsertSliceOp insert) {
  return insert.getSourceType().hasStaticShape() && insert.getSourceType().getRank() == insert.getDestType().getRank() &&
         insert.getDestType().hasStaticShape() && llvm::none_of(insert.getStaticOffsets(), ShapedType::isDynamic) &&
         llvm::all_of(insert.getStaticStrides(), [](int64_t stride) { return stride > 0; }); // a dynamic one is negative
}

bool isPlainInsert(tensor::InsertSliceOp insert) { return isStaticInsert(insert) && insert.hasUnitStride(); }

bool isZeroPad(tensor::InsertSliceOp insert) {
  return isStaticInsert(insert) && isa<FloatType>(insert.getDestType().getElementType()) && isZeroFill(insert.getDest());
}

tensor::InsertSliceOp getZeroInsertion(Value value) {
  auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
  return insert && !insert.hasUnitStride() && isZeroPad(insert) ? insert : tensor::InsertSliceOp();
}

// Whether the op that computes `value` writes memory that no other value uses: its chain of inits starts at a tensor.empty.
static bool isFresh(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<tensor::EmptyOp>(op))
      return true;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      value = insert.getDest();
      continue;
    }
    auto destination = dyn_cast<DestinationStyleOpInterface>(op);
    if (!destination)
      return false;
    value = destination.getTiedOpOperand(cast<OpResult>(value))->get();
  }
  return false;
}

bool isComputedInPlace(tensor::InsertSliceOp insert) {
  Value source = insert.getSource();
  Operation *op = source.getDefiningOp();
  if (!op || op->getBlock() != insert->getBlock() || isa<tensor::EmptyOp>(op) || !isFresh(source))
    return false;
  // A value has one place only: that of its first insert. A result of the program has a place of its own.
  return llvm::none_of(source.getUses(), [&](OpOperand &use) {
    auto other = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    bool isPut = other && other.getSource() == source && other->getBlock() == insert->getBlock();
    return isa<func::ReturnOp>(use.getOwner()) || (isPut && other->isBeforeInBlock(insert));
  });
}

// Whether two parts of one value share elements.
static bool overlap(const JoinedPart &x, const JoinedPart &y) {
  for (auto [from, size, otherFrom, otherSize] : llvm::zip_equal(x.offsets, x.sizes, y.offsets, y.sizes))
    if (from + size <= otherFrom || otherFrom + otherSize <= from)
      return false;
  return true;
}

SmallVector<JoinedPart> getJoin(Value value) {
  SmallVector<JoinedPart> parts;
  int64_t covered = 0, whole = 0;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    JoinedPart part{insert, insert.getSource(), insert.getStaticOffsets(), insert.getStaticSizes()};
    if (!isPlainInsert(insert) || (!parts.empty() && !value.hasOneUse()) ||
        llvm::any_of(parts, [&](const JoinedPart &other) { return overlap(other, part); }))
      return {};
    parts.push_back(part);
    covered += insert.getSourceType().getNumElements();
    whole = insert.getDestType().getNumElements();
    value = insert.getDest();
  }
  if (covered != whole)
    return {};
  std::reverse(parts.begin(), parts.end());
  return parts;
}

JoinBuilder::JoinBuilder(RewriterBase &rewriter, Location loc, Value init, bool isRead)
    : rewriter(rewriter), loc(loc), isSliced(false), result(init) {
  auto filled = isRead ? init.getDefiningOp<linalg::FillOp>() : linalg::FillOp();
  if (filled)
    fill = filled.getInputs()[0];
  isSliced = isRead && !filled;
  auto type = cast<RankedTensorType>(init.getType());
  if (!isSliced)
    result = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
}

Value JoinBuilder::getInit(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  MLIRContext *context = rewriter.getContext();
  if (isSliced)
    return tensor::ExtractSliceOp::create(rewriter, loc, result, getAsIndexOpFoldResult(context, offsets),
                                          getAsIndexOpFoldResult(context, sizes), getAsIndexOpFoldResult(context, strides));
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, cast<RankedTensorType>(result.getType()).getElementType());
  return fill ? linalg::FillOp::create(rewriter, loc, fill, empty).getResult(0) : empty;
}

void JoinBuilder::add(Value part, ArrayRef<int64_t> offsets, ArrayRef<int64_t> strides) {
  MLIRContext *context = rewriter.getContext();
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(part.getType()).getShape();
  result = tensor::InsertSliceOp::create(rewriter, loc, part, result, getAsIndexOpFoldResult(context, offsets),
                                         getAsIndexOpFoldResult(context, sizes), getAsIndexOpFoldResult(context, strides));
}

} // namespace mlir::tpp
