// Lowers linalg.pack and linalg.unpack on tensors to reshapes and transposes, which the following stages handle.
//
// If a tile size does not divide its dimension, the whole tiles and the partial tile at the end are moved separately, directly between the
// unpacked and the packed tensor. A pack fills the padding in the packed tensor. Padding the source first would write and read all of it
// once more.
#include "lowering/Passes.h"
#include "lowering/analysis/Moves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERRELAYOUTS
#include "lowering/Passes.h.inc"

namespace {

// A range of one dimension of the unpacked tensor: its whole tiles, or its last, partial tile.
struct Range {
  int64_t offset, size;
};
using Part = SmallVector<Range>; // one range per dimension

// A slice with unit strides.
struct Slice {
  SmallVector<int64_t> offsets, sizes;
};

// The layout of a packed tensor of static shape. Packs and unpacks share it.
class PackedForm {
public:
  template <typename Op>
  PackedForm(Op op, RankedTensorType unpacked, RankedTensorType packed)
      : shape(unpacked.getShape()), packedShape(packed.getShape()), innerDims(op.getInnerDimsPos()),
        tiles(op.getStaticInnerTiles()), order(op.getOuterDimsPerm()), tileOf(shape.size(), 0) {
    if (order.empty())
      order = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    for (auto [dim, tile] : llvm::zip_equal(innerDims, tiles))
      tileOf[dim] = tile;
  }

  SmallVector<Part> getParts() const {
    SmallVector<Part> parts(1);
    for (auto [extent, tile] : llvm::zip_equal(shape, tileOf)) {
      int64_t whole = tile ? extent / tile * tile : extent;
      SmallVector<Part> next;
      for (const Part &part : parts)
        for (Range range : {Range{0, whole}, Range{whole, extent - whole}})
          if (range.size > 0) {
            next.push_back(part);
            next.back().push_back(range);
          }
      parts = std::move(next);
    }
    return parts;
  }

  Slice getUnpackedSlice(const Part &part) const {
    Slice slice;
    for (Range range : part) {
      slice.offsets.push_back(range.offset);
      slice.sizes.push_back(range.size);
    }
    return slice;
  }

  Slice getPackedSlice(const Part &part) const {
    Slice slice;
    for (int64_t dim : order) {
      int64_t tile = std::max<int64_t>(tileOf[dim], 1);
      slice.offsets.push_back(part[dim].offset / tile);
      slice.sizes.push_back(llvm::divideCeil(part[dim].size, tile));
    }
    for (int64_t dim : innerDims) {
      slice.offsets.push_back(0);
      slice.sizes.push_back(std::min(part[dim].size, tileOf[dim]));
    }
    return slice;
  }

  // The slices of the packed tensor that are padding: one for each dimension that its tile does not divide.
  SmallVector<Slice> getPadding() const {
    SmallVector<Slice> slices;
    for (auto [i, dim] : llvm::enumerate(innerDims)) {
      int64_t rest = shape[dim] % tileOf[dim];
      if (rest == 0)
        continue;
      Slice slice{SmallVector<int64_t>(packedShape.size(), 0), SmallVector<int64_t>(packedShape)};
      size_t outer = llvm::find(order, dim) - order.begin(), inner = order.size() + i;
      slice.offsets[outer] = packedShape[outer] - 1;
      slice.sizes[outer] = 1;
      slice.offsets[inner] = rest;
      slice.sizes[inner] -= rest;
      slices.push_back(slice);
    }
    return slices;
  }

  // The sizes of a part after each tiled dimension is split into tile number and position in the tile, and the reassociation of that split.
  std::pair<SmallVector<int64_t>, SmallVector<ReassociationIndices>> getExpanded(const Part &part) const {
    SmallVector<int64_t> sizes;
    SmallVector<ReassociationIndices> groups;
    for (auto [range, tile] : llvm::zip_equal(part, tileOf)) {
      ReassociationIndices group{static_cast<int64_t>(sizes.size())};
      if (tile) {
        group.push_back(group[0] + 1);
        sizes.push_back(llvm::divideCeil(range.size, tile));
        sizes.push_back(std::min(range.size, tile));
      } else {
        sizes.push_back(range.size);
      }
      groups.push_back(group);
    }
    return {sizes, groups};
  }

  // The expanded dimensions in the packed tensor's order.
  SmallVector<int64_t> getPermutation(ArrayRef<ReassociationIndices> groups) const {
    SmallVector<int64_t> permutation;
    for (int64_t dim : order)
      permutation.push_back(groups[dim][0]);
    for (int64_t dim : innerDims)
      permutation.push_back(groups[dim][1]);
    return permutation;
  }

private:
  ArrayRef<int64_t> shape, packedShape;
  SmallVector<int64_t> innerDims, tiles, order, tileOf; // tileOf: 0 where a dimension is not tiled
};

class Lowering {
public:
  Lowering(RewriterBase &rewriter, Location loc) : rewriter(rewriter), loc(loc) {}

  void lower(linalg::PackOp op) {
    RankedTensorType source = op.getSourceType();
    PackedForm form(op, source, op.getDestType());
    Value result = op.getDest();
    for (const Slice &slice : form.getPadding()) {
      Value target = extract(result, slice);
      insert(linalg::FillOp::create(rewriter, loc, op.getPaddingValue(), target).getResult(0), result, slice);
    }
    for (const Part &part : form.getParts()) {
      auto [sizes, groups] = form.getExpanded(part);
      Value from = extract(op.getSource(), form.getUnpackedSlice(part));
      from = tensor::ExpandShapeOp::create(rewriter, loc, source.clone(sizes), from, groups);
      Slice slice = form.getPackedSlice(part);
      Value target = extract(result, slice);
      insert(transpose(from, target, form.getPermutation(groups)), result, slice);
    }
    rewriter.replaceOp(op, result);
  }

  void lower(linalg::UnPackOp op) {
    RankedTensorType type = op.getDestType();
    PackedForm form(op, type, op.getSourceType());
    Value result = op.getDest();
    for (const Part &part : form.getParts()) {
      auto [sizes, groups] = form.getExpanded(part);
      Value from = extract(op.getSource(), form.getPackedSlice(part));
      Slice slice = form.getUnpackedSlice(part);
      Value target = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(sizes), extract(result, slice), groups);
      Value moved = transpose(from, target, invertPermutationVector(form.getPermutation(groups)));
      insert(tensor::CollapseShapeOp::create(rewriter, loc, type.clone(slice.sizes), moved, groups), result, slice);
    }
    rewriter.replaceOp(op, result);
  }

private:
  static bool isWhole(Value tensor, const Slice &slice) {
    return cast<RankedTensorType>(tensor.getType()).getShape() == ArrayRef<int64_t>(slice.sizes);
  }
  SmallVector<OpFoldResult> attributes(ArrayRef<int64_t> values) { return getAsIndexOpFoldResult(rewriter.getContext(), values); }
  SmallVector<OpFoldResult> ones(const Slice &slice) {
    return SmallVector<OpFoldResult>(slice.sizes.size(), rewriter.getIndexAttr(1));
  }

  Value extract(Value tensor, const Slice &slice) {
    if (isWhole(tensor, slice))
      return tensor;
    return tensor::ExtractSliceOp::create(rewriter, loc, tensor, attributes(slice.offsets), attributes(slice.sizes), ones(slice));
  }
  // `into` becomes the tensor that holds the slice.
  void insert(Value value, Value &into, const Slice &slice) {
    if (isWhole(into, slice))
      into = value;
    else
      into = tensor::InsertSliceOp::create(rewriter, loc, value, into, attributes(slice.offsets), attributes(slice.sizes),
                                           ones(slice));
  }
  Value transpose(Value from, Value target, ArrayRef<int64_t> permutation) {
    return linalg::TransposeOp::create(rewriter, loc, from, target, permutation)->getResult(0);
  }

  RewriterBase &rewriter;
  Location loc;
};

struct LowerRelayouts : public impl::LowerRelayoutsBase<LowerRelayouts> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<linalg::PackOp, linalg::UnPackOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      auto isStatic = [](Type type) { return cast<ShapedType>(type).hasStaticShape(); };
      if (!llvm::all_of(op->getResultTypes(), isStatic) || !isStatic(op->getOperand(0).getType())) {
        op->emitError() << op->getName() << " cannot be lowered: its shape or tiles are dynamic";
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      Lowering lowering(rewriter, op->getLoc());
      if (auto pack = dyn_cast<linalg::PackOp>(op))
        lowering.lower(pack);
      else
        lowering.lower(cast<linalg::UnPackOp>(op));
    }
    // These pads come from the program. Once decomposed they are plain fills and copies, so their locations keep the name.
    getOperation().walk([](tensor::PadOp op) { op->setLoc(nameMove(op->getLoc(), "pad")); });
    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposePadPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp
