//===- PlaceCopied.cpp - buffers that are copied into a part of another one become that part ---------------------------------===//
//
// Example: an image is pooled, and is also a part of a concatenation. Bufferization sees the pool read the image while other parts are written into
// the same buffer, and gives the image a buffer of its own, which it copies. The parts do not overlap, so the image can be computed in its part.
//
// A copy is removed if
// - its source is an allocation of the function, the only view of one, or one whose parts are all copied to places beside each other (the halves of
//   a split image), and nothing writes the source after the copy,
// - nothing accesses its place in the target between the first use of the source and the copy, and nothing writes there before the last use of the
//   source. A fill that is the first access of the target is moved before the first use.
// - all users of the source can use it with the strides of the target.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "tpp_dialect/TppDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

namespace mlir::tpp {
#define GEN_PASS_DEF_PLACECOPIED
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {

/// Where a view is in its buffer.
struct Place {
  SmallVector<int64_t> first, end; // the range of its elements in each dimension of the buffer
  // The buffer's index of the view's first element, and the distance of two elements, in each dimension. Only for views of the same rank.
  SmallVector<int64_t> offset, stride;

  static Place getWhole(MemRefType type) {
    SmallVector<int64_t> zeros(type.getRank(), 0), ones(type.getRank(), 1);
    return {zeros, SmallVector<int64_t>(type.getShape()), zeros, ones};
  }

  /// Of a part of this view: `sizes` elements from `offsets` on. Exact ranges need views of the same rank.
  Place getPart(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) const {
    Place part = *this;
    if (offset.size() != offsets.size())
      return part;
    for (size_t i = 0; i < offset.size(); ++i) {
      part.offset[i] = part.first[i] = offset[i] + stride[i] * offsets[i];
      part.stride[i] = stride[i] * strides[i];
      part.end[i] = part.first[i] + (sizes[i] == 0 ? 0 : (sizes[i] - 1) * part.stride[i] + 1);
    }
    return part;
  }

  Place getView(Operation *view) const {
    auto subview = dyn_cast<memref::SubViewOp>(view);
    Place place = *this;
    if (subview && subview->getNumOperands() == 1)
      place = getPart(subview.getStaticOffsets(), subview.getStaticSizes(), subview.getStaticStrides());
    if (!subview || subview.getType().getRank() != subview.getSourceType().getRank())
      place.offset.clear(), place.stride.clear();
    return place;
  }

  bool overlaps(const Place &other) const {
    for (auto [f, e, otherFirst, otherEnd] : llvm::zip_equal(first, end, other.first, other.end))
      if (e <= otherFirst || otherEnd <= f)
        return false;
    return true;
  }
};

/// An op that reads or writes a buffer, perhaps through views.
struct Access {
  Operation *op;
  Value view;  // the operand
  Place place; // in the buffer
};

} // namespace

static bool isStaticView(Operation *op) {
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return view->getNumOperands() == 1 && view.getType().hasStaticShape();
  return isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op) && op->getNumOperands() == 1 &&
         cast<MemRefType>(op->getResult(0).getType()).hasStaticShape();
}

/// The chain of static views that ends in `view`, the view of a buffer first.
static SmallVector<Operation *> getViews(Value view) {
  SmallVector<Operation *> views;
  for (Operation *op = view.getDefiningOp(); op && isStaticView(op); op = op->getOperand(0).getDefiningOp())
    views.push_back(op);
  std::reverse(views.begin(), views.end());
  return views;
}

/// The part that `view` shows of what it views, if it has steps of 1 and the same rank.
static std::optional<std::pair<Value, ArrayRef<int64_t>>> getPlainPart(Value view) {
  auto subview = view.getDefiningOp<memref::SubViewOp>();
  if (!subview || !isStaticView(subview) || subview.getType().getRank() != subview.getSourceType().getRank() ||
      llvm::any_of(subview.getStaticStrides(), [](int64_t stride) { return stride != 1; }))
    return std::nullopt;
  return std::make_pair(subview.getSource(), subview.getStaticOffsets());
}

/// All accesses of `value`, a view of a buffer at `place`. Fails if an op lets it escape, for instance returns or deallocates it.
static LogicalResult collectAccesses(Value value, const Place &place, SmallVectorImpl<Access> &accesses) {
  for (Operation *user : value.getUsers()) {
    if (isa<ViewLikeOpInterface>(user)) {
      if (!isa<MemRefType>(user->getResult(0).getType()) ||
          failed(collectAccesses(user->getResult(0), place.getView(user), accesses)))
        return failure();
      continue;
    }
    bool isKnown =
        isa<linalg::LinalgOp, memref::CopyOp, memref::LoadOp, memref::StoreOp>(user) || isa<tpp::TppDialect>(user->getDialect());
    if (!isKnown)
      return failure();
    accesses.push_back({user, value, place});
  }
  return success();
}

static bool writes(const Access &access) {
  if (auto copy = dyn_cast<memref::CopyOp>(access.op))
    return copy.getTarget() == access.view;
  if (isa<memref::LoadOp>(access.op))
    return false;
  auto destinations = dyn_cast<DestinationStyleOpInterface>(access.op);
  return !destinations || llvm::is_contained(destinations.getDpsInits(), access.view);
}

/// The type of `view` if its operand has the type `source` instead; null if it cannot be a view of that.
static MemRefType getViewType(Operation *view, MemRefType source) {
  if (auto subview = dyn_cast<memref::SubViewOp>(view))
    return subview->getNumOperands() != 1 ? MemRefType()
                                          : cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
                                                subview.getType().getShape(), source, subview.getStaticOffsets(),
                                                subview.getStaticSizes(), subview.getStaticStrides()));
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(view)) {
    return memref::ExpandShapeOp::computeExpandedType(source, expand.getResultType().getShape(), expand.getReassociationIndices())
        .value_or(MemRefType());
  }
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view))
    return memref::CollapseShapeOp::isGuaranteedCollapsible(source, collapse.getReassociationIndices())
               ? memref::CollapseShapeOp::computeCollapsedType(source, collapse.getReassociationIndices())
               : MemRefType();
  return {};
}

/// The types of all views of `value` if it has the type `type`. Fails if a view or another user cannot have it.
static LogicalResult collectTypes(Value value, MemRefType type, SmallVectorImpl<std::pair<Value, MemRefType>> &types) {
  for (Operation *user : value.getUsers())
    if (isa<ViewLikeOpInterface>(user)) {
      MemRefType view = getViewType(user, type);
      if (!view)
        return failure();
      types.emplace_back(user->getResult(0), view);
      if (failed(collectTypes(user->getResult(0), view, types)))
        return failure();
    }
  return success();
}

namespace {

/// The removal of one copy, and of others that are then copies to themselves.
class Placement {
public:
  Placement(memref::CopyOp copy, Block &body) : copy(copy), body(body) {}

  /// Removes the copy if that is possible. Then `erased` gets it, and the others.
  void place(llvm::SmallPtrSetImpl<Operation *> &erased) {
    if (failed(findSource()) || failed(findTarget()) || failed(checkSource()) || failed(checkTarget()))
      return;
    SmallVector<std::pair<Value, MemRefType>> types;
    if (failed(collectTypes(source, targetType, types)))
      return;
    for (auto [view, type] : types)
      view.setType(type);
    rewrite();
    for (memref::CopyOp each : copies) {
      erased.insert(each);
      each.erase();
    }
  }

private:
  Operation *getPosition(Operation *op) { return body.findAncestorOpInBlock(*op); }

  // The source is an allocation, or the only view of one.
  LogicalResult findSource() {
    SmallVector<Operation *> views = getViews(copy.getSource());
    alloc = (views.empty() ? copy.getSource() : views.front()->getOperand(0)).getDefiningOp<memref::AllocOp>();
    if (!alloc || alloc->getBlock() != &body || !alloc.getType().hasStaticShape())
      return failure();
    source = alloc;
    ArrayRef<Operation *> rest = views;
    while (!rest.empty() && source.hasOneUse()) {
      source = rest.front()->getResult(0);
      rest = rest.drop_front();
    }
    if (rest.empty())
      return success();
    // A part of the source is copied.
    auto part = getPlainPart(copy.getSource());
    if (rest.size() > 1 || !part)
      return failure();
    partOffsets = part->second;
    return success();
  }

  // The buffer that the source becomes a part of, and its place there.
  LogicalResult findTarget() {
    target = copy.getTarget();
    targetType = cast<MemRefType>(target.getType());
    auto sourceType = cast<MemRefType>(source.getType());
    targetViews = getViews(target);
    buffer = targetViews.empty() ? target : targetViews.front()->getOperand(0);
    auto type = cast<MemRefType>(buffer.getType());
    Operation *def = buffer.getDefiningOp();
    if (!type.hasStaticShape() || buffer == alloc.getResult() || buffer.getParentBlock() != &body ||
        (def && !isa<memref::AllocOp>(def)))
      return failure();
    if (partOffsets) { // the target is what the part is a part of
      auto part = getPlainPart(target);
      if (!part)
        return failure();
      target = part->first;
      targetViews.pop_back();
      auto whole = cast<MemRefType>(target.getType());
      if (whole.getRank() != sourceType.getRank())
        return failure();
      for (auto [offset, inSource, size, extent] :
           llvm::zip_equal(part->second, *partOffsets, sourceType.getShape(), whole.getShape())) {
        displacement.push_back(offset - inSource);
        if (displacement.back() < 0 || displacement.back() + size > extent)
          return failure();
      }
    }
    wanted = Place::getWhole(type);
    for (Operation *view : targetViews)
      wanted = wanted.getView(view);
    if (partOffsets) {
      SmallVector<int64_t> ones(displacement.size(), 1);
      wanted = wanted.getPart(displacement, sourceType.getShape(), ones);
      targetType =
          memref::SubViewOp::inferResultType(cast<MemRefType>(target.getType()), displacement, sourceType.getShape(), ones);
    }
    return success();
  }

  // Whether `other` copies a part of the source to where it is once the source is a part of the target.
  bool isIdentity(memref::CopyOp other) const {
    if (other == copy)
      return true;
    auto from = getPlainPart(other.getSource()), to = getPlainPart(other.getTarget());
    if (!partOffsets || !from || !to || from->first != source || to->first != target || other->getBlock() != &body)
      return false;
    return llvm::all_of(llvm::zip_equal(from->second, to->second, displacement),
                        [](auto dims) { return std::get<1>(dims) - std::get<0>(dims) == std::get<2>(dims); });
  }

  /// Finds the first and the last use of the source, and the copies.
  LogicalResult checkSource() {
    SmallVector<Access, 0> accesses;
    if (failed(collectAccesses(source, Place::getWhole(cast<MemRefType>(source.getType())), accesses)))
      return failure();
    Operation *firstCopy = copy;
    first = last = lastCopy = copy;
    for (const Access &access : accesses) {
      Operation *position = getPosition(access.op);
      first = position->isBeforeInBlock(first) ? position : first;
      last = last->isBeforeInBlock(position) ? position : last;
      if (auto other = dyn_cast<memref::CopyOp>(access.op); other && isIdentity(other)) {
        copies.push_back(other);
        firstCopy = other->isBeforeInBlock(firstCopy) ? other : firstCopy;
        lastCopy = lastCopy->isBeforeInBlock(other) ? other : lastCopy;
      }
    }
    bool isWrittenLater = llvm::any_of(
        accesses, [&](const Access &access) { return writes(access) && !getPosition(access.op)->isBeforeInBlock(firstCopy); });
    return success(!isWrittenLater && copiesCoverSource(accesses));
  }

  // Whether all of the source is copied. Otherwise the rest of it would be written over what the target has there.
  bool copiesCoverSource(ArrayRef<Access> accesses) {
    SmallVector<const Place *> parts;
    int64_t copied = 0;
    for (const Access &access : accesses)
      if (llvm::is_contained(copies, access.op)) {
        if (llvm::any_of(parts, [&](const Place *other) { return other->overlaps(access.place); }))
          return false;
        parts.push_back(&access.place);
        copied += cast<MemRefType>(access.view.getType()).getNumElements();
      }
    return copied == cast<MemRefType>(source.getType()).getNumElements();
  }

  LogicalResult checkTarget() {
    SmallVector<Access, 0> accesses;
    if (failed(collectAccesses(buffer, Place::getWhole(cast<MemRefType>(buffer.getType())), accesses)))
      return failure();
    for (const Access &access : accesses) {
      Operation *position = getPosition(access.op);
      if (llvm::is_contained(copies, access.op) || !access.place.overlaps(wanted) || position->isBeforeInBlock(first))
        continue;
      if (lastCopy->isBeforeInBlock(position)) {
        if (writes(access) && !last->isBeforeInBlock(position))
          return failure();
        continue;
      }
      auto filled = dyn_cast<linalg::FillOp>(access.op);
      if (fill || !filled || position != filled || access.view != buffer || !isAvailable(filled.getInputs()[0]))
        return failure();
      fill = filled;
    }
    // The fill writes all of the buffer, so it must be the first access.
    return success(!fill ||
                   llvm::none_of(accesses, [&](const Access &access) { return getPosition(access.op)->isBeforeInBlock(fill); }));
  }

  /// Whether a scalar can be used before the first use of the source.
  bool isAvailable(Value value) {
    Operation *op = value.getDefiningOp();
    return !op || op->getBlock() != &body || op->isBeforeInBlock(first) || op->hasTrait<OpTrait::ConstantLike>();
  }

  void rewrite() {
    if (Operation *op = buffer.getDefiningOp(); op && alloc->isBeforeInBlock(op))
      op->moveBefore(alloc);
    if (fill) {
      if (Operation *scalar = fill->getOperand(0).getDefiningOp();
          scalar && scalar->getBlock() == &body && first->isBeforeInBlock(scalar))
        scalar->moveBefore(first);
      fill->moveBefore(first);
    }
    OpBuilder builder(alloc);
    Value value = buffer;
    for (Operation *view : targetViews) {
      IRMapping mapping;
      mapping.map(view->getOperand(0), value);
      value = builder.clone(*view, mapping)->getResult(0);
    }
    if (partOffsets) {
      SmallVector<OpFoldResult> offsets = getAsIndexOpFoldResult(builder.getContext(), displacement);
      SmallVector<OpFoldResult> sizes =
          getAsIndexOpFoldResult(builder.getContext(), cast<MemRefType>(source.getType()).getShape());
      SmallVector<OpFoldResult> strides(displacement.size(), builder.getIndexAttr(1));
      value = memref::SubViewOp::create(builder, copy.getLoc(), targetType, value, offsets, sizes, strides);
    }
    source.replaceAllUsesWith(value);
    for (Operation *op = source.getDefiningOp(); op;) { // the allocation and its only views
      Operation *next = op == alloc ? nullptr : op->getOperand(0).getDefiningOp();
      op->erase();
      op = next;
    }
  }

  memref::CopyOp copy;
  Block &body;
  memref::AllocOp alloc;
  Value source;                                 // the allocation, or the only view of it
  std::optional<ArrayRef<int64_t>> partOffsets; // of the part of the source that is copied
  Value buffer, target; // an allocation or an argument, and the view of it that the source becomes, or becomes a part of
  SmallVector<Operation *> targetViews;        // from the buffer to the target
  SmallVector<int64_t> displacement;           // of the source in the target, if a part is copied
  MemRefType targetType;                       // of the source when it is placed
  Place wanted;                                // of the source in the buffer
  SmallVector<memref::CopyOp> copies;          // from the source to itself when it is placed
  linalg::FillOp fill;                         // is moved before the first use of the source
  Operation *first = nullptr, *last = nullptr; // ops of the block that use the source
  Operation *lastCopy = nullptr;
};

struct PlaceCopied : public tpp::impl::PlaceCopiedBase<PlaceCopied> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    Block &body = func.getBody().front();
    SmallVector<memref::CopyOp> copies(body.getOps<memref::CopyOp>());
    // The last one first: a buffer that others are placed in is placed before them, so that what is left of it is one subview.
    llvm::SmallPtrSet<Operation *, 8> erased;
    for (memref::CopyOp copy : llvm::reverse(copies))
      if (!erased.contains(copy))
        Placement(copy, body).place(erased);
  }
};

} // namespace
