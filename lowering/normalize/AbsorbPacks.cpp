// Rewrites computations on packed values to computations on the unpacked values.
//
// A program that something else has packed (upstream's linalg-block-pack-matmul, data tiling with linalg.mmt4d) holds pack -> computation -> unpack.
// Its packs are layouts, which tpp-propagate-layouts chooses for the whole function. This pass moves unpacks up and packs down past computations until
// they meet. What is left of them (at values that the caller gives or takes in tiles) stays as it is.
//
// In a computation on tiles, two loops step through a dimension: one over tiles, one within a tile. They become one loop over the dimension.
#include "lowering/Passes.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_ABSORBPACKS
#include "lowering/Passes.h.inc"

namespace {

// The layout of a packed tensor. Dimensions are those of the unpacked tensor.
struct PackedForm {
  RankedTensorType unpacked;
  SmallVector<int64_t> innerDims, tiles, order;

  template <typename Op>
  PackedForm(Op op, RankedTensorType unpacked)
      : unpacked(unpacked), innerDims(op.getInnerDimsPos()), tiles(op.getStaticInnerTiles()), order(op.getOuterDimsPerm()) {
    if (order.empty())
      order = llvm::to_vector(llvm::seq<int64_t>(0, unpacked.getRank()));
  }
  static PackedForm get(linalg::PackOp op) { return PackedForm(op, op.getSourceType()); }
  static PackedForm get(linalg::UnPackOp op) { return PackedForm(op, op.getDestType()); }

  bool operator==(const PackedForm &other) const {
    return unpacked == other.unpacked && innerDims == other.innerDims && tiles == other.tiles && order == other.order;
  }
  PackedForm(RankedTensorType unpacked, ArrayRef<int64_t> innerDims, ArrayRef<int64_t> tiles)
      : unpacked(unpacked), innerDims(innerDims), tiles(tiles),
        order(llvm::to_vector(llvm::seq<int64_t>(0, unpacked.getRank()))) {}

  bool isStatic() const { return unpacked.hasStaticShape() && !llvm::is_contained(tiles, ShapedType::kDynamic); }
  // Positions in the packed tensor of a dimension's tile number and of its element in a tile; -1 for the latter if it is not tiled.
  int64_t getOuter(int64_t dim) const { return llvm::find(order, dim) - order.begin(); }
  int64_t getInner(int64_t dim) const {
    auto *it = llvm::find(innerDims, dim);
    return it == innerDims.end() ? -1 : static_cast<int64_t>(order.size()) + (it - innerDims.begin());
  }
};

// Two loops that step through one dimension of `extent` elements in tiles.
struct LoopPair {
  unsigned outer, inner;
  int64_t tile, extent;
  bool hasRest() const { return extent % tile != 0; }
};

class Absorber {
public:
  Absorber(linalg::LinalgOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), context(op.getContext()), extents(op.getStaticLoopRanges()) {}

  bool run() {
    if (!findPairs() || pairs.empty() || !canSkipRests() || readsIndices())
      return false;
    numberLoops();
    SmallVector<Form> forms;
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<Form> form = getForm(operand);
      if (!form)
        return false;
      forms.push_back(std::move(*form));
    }
    if (addsMoves(forms))
      return false;
    rewrite(forms);
    return true;
  }

private:
  // An operand in terms of the new loops: how it gets there, and its map then.
  struct Form {
    enum Kind { Keep, Unpacked, Unpack, Fill, Empty } kind;
    AffineMap map;
    std::optional<PackedForm> packed = {}; // of the operand as it is
  };

  // Collects the pairs of loops from operands that are packed and results that are unpacked. False if they contradict each other.
  bool findPairs() {
    for (OpOperand &operand : op->getOpOperands())
      if (auto pack = operand.get().getDefiningOp<linalg::PackOp>();
          pack && !addPairs(PackedForm::get(pack), op.getMatchingIndexingMap(&operand)))
        return false;
    for (OpResult result : op->getResults())
      for (Operation *user : result.getUsers())
        if (auto unpack = dyn_cast<linalg::UnPackOp>(user);
            unpack && unpack.getSource() == result && !addPairs(PackedForm::get(unpack), op.getIndexingMapMatchingResult(result)))
          return false;
    return true;
  }

  bool addPairs(const PackedForm &form, AffineMap map) {
    if (!form.isStatic())
      return false;
    for (auto [dim, tile] : llvm::zip_equal(form.innerDims, form.tiles)) {
      auto outer = dyn_cast<AffineDimExpr>(map.getResult(form.getOuter(dim)));
      auto inner = dyn_cast<AffineDimExpr>(map.getResult(form.getInner(dim)));
      if (!outer || !inner)
        return false;
      LoopPair pair{outer.getPosition(), inner.getPosition(), tile, form.unpacked.getDimSize(dim)};
      const LoopPair *known = nullptr;
      for (const LoopPair &other : pairs)
        if (other.outer == pair.outer || other.inner == pair.inner || other.outer == pair.inner || other.inner == pair.outer)
          known = &other;
      if (!known)
        pairs.push_back(pair);
      else if (known->outer != pair.outer || known->inner != pair.inner || known->extent != pair.extent)
        return false;
    }
    return true;
  }

  // Whether the elements beyond a dimension's end, in its last tile, may be left out. A sum of products adds nothing for them if an operand is packed
  // with zeros; a result has them only where every reader unpacks it.
  bool canSkipRests() {
    auto iterators = op.getIteratorTypesArray();
    for (const LoopPair &pair : pairs) {
      if (!pair.hasRest())
        continue;
      if (iterators[pair.outer] == utils::IteratorType::parallel) {
        if (!llvm::all_of(op->getUsers(), [](Operation *user) { return isa<linalg::UnPackOp>(user); }))
          return false;
        continue;
      }
      if (!getAccumulatedProduct(op) || llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
            auto pack = operand->get().getDefiningOp<linalg::PackOp>();
            return pack && pack.getPaddingValue() && isZero(pack.getPaddingValue()) &&
                   op.getMatchingIndexingMap(operand).isFunctionOfDim(pair.inner);
          }))
        return false;
    }
    return true;
  }

  // Whether more values of a call would be moved than are moved now.
  bool addsMoves(ArrayRef<Form> forms) {
    int64_t before = 0, after = 0;
    for (auto [operand, form] : llvm::zip_equal(op->getOperands(), forms))
      if (!dependsOnConstantsOnly(operand))
        (form.kind == Form::Unpacked ? before : after) += form.kind == Form::Unpacked || form.kind == Form::Unpack;
    for (auto [result, form] : llvm::zip_equal(op->getResults(), forms.drop_front(op.getNumDpsInputs()))) {
      auto unpacks = [&form = form](Operation *user) { return isUnpackOf(user, form); };
      before += llvm::any_of(result.getUsers(), unpacks);
      after += form.packed && !llvm::all_of(result.getUsers(), unpacks);
    }
    return after > before;
  }
  static bool isUnpackOf(Operation *user, const Form &form) {
    auto unpack = dyn_cast<linalg::UnPackOp>(user);
    return unpack && form.packed && PackedForm::get(unpack) == *form.packed;
  }

  bool readsIndices() {
    WalkResult walk = op->getRegion(0).walk([](linalg::IndexOp) { return WalkResult::interrupt(); });
    return walk.wasInterrupted();
  }

  // Numbers the new loops in the order of the old ones. A pair has the number of its outer loop.
  void numberLoops() {
    newLoop.assign(extents.size(), -1);
    auto oldIterators = op.getIteratorTypesArray();
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      if (llvm::none_of(pairs, [&](const LoopPair &pair) { return pair.inner == loop; })) {
        newLoop[loop] = iterators.size();
        iterators.push_back(oldIterators[loop]);
      }
  }

  // The same indices in the new loops; nullopt if they depend on a loop of a pair.
  std::optional<AffineMap> getPlainMap(ArrayRef<AffineExpr> exprs) {
    SmallVector<AffineExpr> results, replacements;
    for (int64_t loop : newLoop)
      replacements.push_back(loop < 0 ? AffineExpr() : getAffineDimExpr(loop, context));
    for (AffineExpr expr : exprs) {
      for (const LoopPair &pair : pairs)
        if (expr.isFunctionOfDim(pair.inner) || expr.isFunctionOfDim(pair.outer))
          return std::nullopt;
      results.push_back(expr.replaceDims(replacements));
    }
    return AffineMap::get(iterators.size(), 0, results, context);
  }

  // The map that reads the unpacked form of an operand.
  std::optional<AffineMap> getUnpackedMap(const PackedForm &form, AffineMap map) {
    SmallVector<AffineExpr> results;
    for (int64_t dim = 0; dim < form.unpacked.getRank(); ++dim) {
      AffineExpr outer = map.getResult(form.getOuter(dim));
      if (int64_t inner = form.getInner(dim); inner >= 0) {
        unsigned loop = cast<AffineDimExpr>(outer).getPosition();
        if (llvm::none_of(pairs, [&](const LoopPair &pair) {
              return pair.outer == loop && map.getResult(inner) == getAffineDimExpr(pair.inner, context);
            }))
          return std::nullopt;
        results.push_back(getAffineDimExpr(newLoop[loop], context));
        continue;
      }
      std::optional<AffineMap> plain = getPlainMap({outer});
      if (!plain)
        return std::nullopt;
      results.push_back(plain->getResult(0));
    }
    return AffineMap::get(iterators.size(), 0, results, context);
  }

  std::optional<Form> getForm(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Value value = operand.get();
    if (auto pack = value.getDefiningOp<linalg::PackOp>()) {
      if (std::optional<AffineMap> unpacked = getUnpackedMap(PackedForm::get(pack), map))
        return Form{Form::Unpacked, *unpacked, PackedForm::get(pack)};
      return std::nullopt;
    }
    if (std::optional<AffineMap> plain = getPlainMap(map.getResults()))
      return Form{Form::Keep, *plain};
    std::optional<PackedForm> form = inferForm(map, cast<RankedTensorType>(value.getType()));
    if (!form)
      return std::nullopt;
    std::optional<AffineMap> unpacked = getUnpackedMap(*form, map);
    if (!unpacked)
      return std::nullopt;
    bool isInit = op.isDpsInit(&operand);
    if (isInit && value.getDefiningOp<tensor::EmptyOp>())
      return Form{Form::Empty, *unpacked, form};
    if (isInit && value.getDefiningOp<linalg::FillOp>())
      return Form{Form::Fill, *unpacked, form};
    return Form{Form::Unpack, *unpacked, form};
  }

  // The packed form of a value of which pairs of loops index pairs of dimensions: outer dimensions first, then tiles.
  std::optional<PackedForm> inferForm(AffineMap map, RankedTensorType packed) {
    SmallVector<std::pair<int64_t, const LoopPair *>> inner; // of each tile: the position of its tile number
    SmallVector<bool> isInner(map.getNumResults(), false);
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      for (const LoopPair &pair : pairs)
        if (expr == getAffineDimExpr(pair.inner, context)) {
          const auto *outer = llvm::find(map.getResults(), getAffineDimExpr(pair.outer, context));
          if (outer == map.getResults().end())
            return std::nullopt;
          inner.push_back({outer - map.getResults().begin(), &pair});
          isInner[position] = true;
        }
    int64_t rank = map.getNumResults() - inner.size();
    if (inner.empty() || llvm::is_contained(ArrayRef(isInner).take_front(rank), true))
      return std::nullopt;
    SmallVector<int64_t> shape(packed.getShape().take_front(rank)), innerDims, tiles;
    for (auto [position, pair] : inner) {
      if (position >= rank)
        return std::nullopt;
      shape[position] = pair->extent;
      innerDims.push_back(position);
      tiles.push_back(pair->tile);
    }
    return PackedForm(packed.clone(shape), innerDims, tiles);
  }

  void rewrite(ArrayRef<Form> forms) {
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    SmallVector<AffineMap> newMaps;
    for (auto [operand, form] : llvm::zip_equal(op->getOpOperands(), forms)) {
      newMaps.push_back(form.map);
      operands.push_back(create(operand.get(), form, loc));
    }
    unsigned inputs = op.getNumDpsInputs();
    ValueRange inits = ValueRange(operands).drop_front(inputs);
    auto generic = linalg::GenericOp::create(rewriter, loc, TypeRange(inits), ValueRange(operands).take_front(inputs), inits,
                                             newMaps, iterators);
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(), generic.getRegion().begin());
    for (StringRef name : kStrategyAttrs)
      if (Attribute value = op->getDiscardableAttr(name))
        generic->setDiscardableAttr(name, value);
    for (auto [result, unpacked, form] : llvm::zip_equal(op->getResults(), generic->getResults(), forms.drop_front(inputs)))
      replaceResult(result, unpacked, form);
    rewriter.eraseOp(op);
  }

  Value create(Value value, const Form &form, Location loc) {
    auto makeEmpty = [&] {
      RankedTensorType type = form.packed->unpacked;
      return tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    };
    switch (form.kind) {
    case Form::Keep:
      return value;
    case Form::Unpacked:
      return value.getDefiningOp<linalg::PackOp>().getSource();
    case Form::Empty:
      return makeEmpty();
    case Form::Fill: {
      Value number = value.getDefiningOp<linalg::FillOp>().getInputs()[0];
      return linalg::FillOp::create(rewriter, value.getLoc(), number, makeEmpty().getResult()).getResult(0);
    }
    default:
      return linalg::UnPackOp::create(rewriter, loc, value, makeEmpty(), form.packed->innerDims,
                                      getAsIndexOpFoldResult(context, form.packed->tiles))
          ->getResult(0);
    }
  }

  // Readers that unpack the result read the unpacked one; others, a pack of it.
  void replaceResult(OpResult result, Value unpacked, const Form &form) {
    if (!form.packed)
      return rewriter.replaceAllUsesWith(result, unpacked);
    for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
      if (isUnpackOf(user, form))
        rewriter.replaceOp(user, unpacked);
    if (result.use_empty())
      return;
    Location loc = op.getLoc();
    rewriter.setInsertionPointAfterValue(unpacked);
    auto type = cast<RankedTensorType>(result.getType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    std::optional<Value> padding;
    if (llvm::any_of(pairs, [](const LoopPair &pair) { return pair.hasRest(); }))
      padding = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    Value packed = linalg::PackOp::create(rewriter, loc, unpacked, empty, form.packed->innerDims,
                                          getAsIndexOpFoldResult(context, form.packed->tiles), padding, form.packed->order)
                       ->getResult(0);
    rewriter.replaceAllUsesWith(result, packed);
  }

  linalg::LinalgOp op;
  RewriterBase &rewriter;
  MLIRContext *context;
  SmallVector<int64_t> extents;
  SmallVector<LoopPair> pairs;
  SmallVector<int64_t> newLoop; // per old loop: its number; -1 for the inner loop of a pair
  SmallVector<utils::IteratorType> iterators;
};

struct AbsorbPacks : public impl::AbsorbPacksBase<AbsorbPacks> {
  void runOnOperation() override {
    // First unpacks move up, from the last op to the first, then packs move down.
    IRRewriter rewriter(&getContext());
    for (bool up : {true, false}) {
      SmallVector<linalg::LinalgOp> ops;
      getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
      if (up)
        std::reverse(ops.begin(), ops.end());
      for (linalg::LinalgOp op : ops)
        if (op.hasPureTensorSemantics() && !op.hasDynamicShape() && !isa<linalg::FillOp>(op))
          Absorber(op, rewriter).run();
    }
  }
};

} // namespace
} // namespace mlir::tpp
