// Computes 3 x 3 convolutions of stride 1 by Winograd's algorithm where that is faster (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/Joins.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/layout/PackableOpModels.h"
#include "lowering/layout/ReorderOperand.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/Threads.h"
#include "lowering/machine/WinogradBlocking.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_USEWINOGRAD
#include "lowering/Passes.h.inc"

namespace {

// The loops of a contraction and its maps.
struct Loops {
  SmallVector<int64_t> extents;
  SmallVector<AffineMap> maps;
};

// A loop over rows or columns of outputs whose taps are `count` outputs apart.
struct Phases {
  unsigned loop;
  int64_t count;
};

SmallVector<Phases> findPhases(const Loops &loops, unsigned image) {
  SmallVector<Phases> found;
  AffineMap result = loops.maps[2];
  for (AffineExpr expr : loops.maps[image].getResults()) {
    std::optional<LinearExpr> index = getLinearExpr(expr, loops.extents.size());
    if (!index)
      continue;
    SmallVector<unsigned> outputs, taps;
    for (auto [loop, coefficient] : llvm::enumerate(index->coefficients))
      if (coefficient > 0 && loops.extents[loop] > 1)
        (result.isFunctionOfDim(loop) ? outputs : taps).push_back(loop);
    if (outputs.size() != 1 || taps.size() != 1)
      continue;
    int64_t step = index->coefficients[outputs.front()], apart = index->coefficients[taps.front()], count = apart / step;
    if (count > 1 && apart % step == 0 && loops.extents[outputs.front()] >= 2 * count && findDim(result, outputs.front()))
      found.push_back({outputs.front(), count});
  }
  return found;
}

// Splits each such loop into `count` images, each of which takes every such output: the taps are neighbours in it. Outputs after the last whole group are
// left out.
void splitPhases(Loops &loops, ArrayRef<Phases> phases) {
  for (auto [loop, count] : phases) {
    for (AffineMap &map : loops.maps)
      map = splitDim(map, loop, count);
    loops.extents[loop] /= count;
    loops.extents.push_back(count);
  }
}

// Computes a contraction in parts, each of which runs over a box of its loops.
class Parts {
public:
  Parts(ContractOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), join(rewriter, op.getLoc(), op.getInit(), /*isRead=*/false) {}

  // Loops in which a part begins are those that alone index a dimension of C.
  struct Box {
    SmallVector<int64_t> offsets, extents;
  };
  // Adds the part that `create` computes: from maps of the operands for the box, into an init.
  void add(const Box &box, function_ref<Value(SmallVector<AffineMap>, Value)> create) {
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<int64_t> offsets(maps[2].getNumResults()),
        sizes = llvm::to_vector(cast<ShapedType>(op.getInit().getType()).getShape());
    SmallVector<AffineExpr> moved;
    for (auto [loop, offset, extent] : llvm::enumerate(box.offsets, box.extents)) {
      moved.push_back(rewriter.getAffineDimExpr(loop) + offset);
      if (extent != op.getExtents()[loop]) {
        int64_t dim = getAccepted(findDim(maps[2], loop));
        offsets[dim] = offset, sizes[dim] = extent;
      }
    }
    for (auto [i, map] : llvm::enumerate(maps))
      if (i != 2)
        map = map.replaceDimsAndSymbols(moved, {}, moved.size(), 0);
    SmallVector<int64_t> strides(sizes.size(), 1);
    join.add(create(maps, join.getInit(offsets, sizes, strides)), offsets, strides);
  }
  Value getResult() const { return join.getResult(); }

private:
  ContractOp op;
  RewriterBase &rewriter;
  JoinBuilder join;
};

// A convolution, and the tile that is faster than the direct computation.
struct WinogradChoice {
  ContractOp op;
  SmallVector<Phases> phases;
  Loops loops; // in phases
  ContractionInfo contraction;
  WinogradConvolution convolution;
  int64_t tile = 0, panel = 0;
};

// Transforms the filters of a convolution.
class FilterTransform {
public:
  FilterTransform(const WinogradChoice &choice, RewriterBase &rewriter)
      : choice(choice), rewriter(rewriter), loc(ContractOp(choice.op).getLoc()), k(choice.convolution.k.extent),
        n(choice.convolution.n.extent) {}

  // [(tile + 2)^2][panels][K][panel]
  Value create() {
    int64_t size = choice.tile + 2;
    // Along the height: [3][3][K][N] to [size][3][K][N]; then along the width: to [size][size][K][N].
    Value rows = multiply(order(), {size, 3, k, n}, /*summed=*/0);
    Value both = multiply(rows, {size, size, k, n}, /*summed=*/1);
    auto pointsType = RankedTensorType::get({size * size, k, n}, rewriter.getF32Type());
    Value points =
        tensor::CollapseShapeOp::create(rewriter, loc, pointsType, both, SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}});
    int64_t panels = llvm::divideCeil(n, choice.panel);
    Value dest = tensor::EmptyOp::create(rewriter, loc, {size * size, panels, k, choice.panel}, rewriter.getF32Type());
    std::optional<Value> padding;
    if (n % choice.panel != 0)
      padding = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
    return linalg::PackOp::create(rewriter, loc, points, dest, ArrayRef<int64_t>{2}, {rewriter.getIndexAttr(choice.panel)},
                                  padding, ArrayRef<int64_t>{0, 2, 1})
        ->getResult(0);
  }

private:
  // The filters as [3][3][K][N].
  Value order() {
    ContractOp op = choice.op;
    const WinogradConvolution &convolution = choice.convolution;
    unsigned operand = choice.contraction.getOpOperand(1);
    unsigned loops[] = {convolution.heightTap, convolution.widthTap, static_cast<unsigned>(convolution.k.index),
                        static_cast<unsigned>(convolution.n.index)};
    Value filters = op->getOperand(operand);
    if (!getElementTypeOrSelf(filters).isF32())
      filters = createConversion(rewriter, loc, filters, rewriter.getF32Type());
    return reorderOperand(rewriter, loc, filters, choice.loops.maps[operand], choice.loops.extents, loops);
  }

  // Multiplies dimension `summed` of a [.][.][K][N] tensor with the filters' matrix.
  Value multiply(Value filters, ArrayRef<int64_t> shape, unsigned summed) {
    SmallMatrix matrix = getWinogradFilterMatrix(choice.tile);
    SmallVector<float> elements(matrix.elements.begin(), matrix.elements.end());
    auto type = RankedTensorType::get({matrix.rows, matrix.columns}, rewriter.getF32Type());
    Value factors = arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, ArrayRef<float>(elements)));
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, rewriter.getF32Type());
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
    Value init = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    // Loops: the result's dimensions, then the summed one.
    AffineExpr sum = rewriter.getAffineDimExpr(4);
    SmallVector<AffineExpr> read;
    for (unsigned i = 0; i < 4; ++i)
      read.push_back(i == summed ? sum : rewriter.getAffineDimExpr(i));
    auto map = [&](ArrayRef<AffineExpr> exprs) { return AffineMap::get(5, 0, exprs, rewriter.getContext()); };
    SmallVector<AffineMap> maps = {map(read), map({rewriter.getAffineDimExpr(summed), sum}),
                                   rewriter.getMultiDimIdentityMap(5).dropResult(4)};
    SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    auto body = [](OpBuilder &builder, Location at, ValueRange arguments) {
      Value product = arith::MulFOp::create(builder, at, arguments[0], arguments[1]);
      linalg::YieldOp::create(builder, at, arith::AddFOp::create(builder, at, arguments[2], product).getResult());
    };
    return linalg::GenericOp::create(rewriter, loc, init.getType(), ValueRange{filters, factors}, init, maps, iterators, body)
        ->getResult(0);
  }

  const WinogradChoice &choice;
  RewriterBase &rewriter;
  Location loc;
  int64_t k, n;
};

struct UseWinograd : public impl::UseWinogradBase<UseWinograd> {
  using UseWinogradBase::UseWinogradBase;

  void runOnOperation() override {
    if (failed(verifyThreads(getOperation(), threads)))
      return signalPassFailure();
    if (!llvm::is_contained({"auto", "always", "off"}, mode)) {
      getOperation().emitError("unknown mode '") << mode << "' of Winograd's algorithm: there are auto, always and off";
      return signalPassFailure();
    }
    if (mode == "off")
      return;
    ConstantAnalysis constants;
    std::vector<WinogradChoice> choices;
    getOperation().walk([&](ContractOp op) {
      if (std::optional<WinogradChoice> choice = choose(op, constants))
        choices.push_back(std::move(*choice));
    });
    IRRewriter rewriter(&getContext());
    for (const WinogradChoice &choice : choices)
      rewrite(choice, rewriter);
  }

  // nullopt if the direct computation is about as fast, or if a packing strategy prescribes layouts.
  std::optional<WinogradChoice> choose(ContractOp op, ConstantAnalysis &constants) {
    if (!op.getResult() || op.getWinograd())
      return std::nullopt;
    std::optional<ContractionInfo> contraction = getContractionInfo(op, getTarget(op), constants);
    if (!contraction || !mayUseWinograd(op, *contraction) || !hasContiguousRows(op->getOperand(contraction->getOpOperand(0))))
      return std::nullopt;
    Loops loops = {llvm::to_vector(op.getExtents()), op.getMaps()};
    SmallVector<Phases> phases = findPhases(loops, contraction->getOpOperand(0));
    const double directNs = estimateDirectConvolutionNs(*contraction, threads);
    double outside = 1; // the share of outputs after the last whole groups, which are computed directly
    if (!phases.empty()) {
      SmallVector<ShapedType> types;
      for (Value operand : op->getOperands())
        types.push_back(cast<ShapedType>(operand.getType()));
      bool isConstant[] = {constants.dependsOnConstantsOnly(op.getA()), constants.dependsOnConstantsOnly(op.getB())};
      splitPhases(loops, phases);
      contraction = getContractionInfo(op, loops.maps, types, loops.extents, getTarget(op), isConstant);
    }
    for (auto [loop, count] : phases)
      outside *= static_cast<double>(loops.extents[loop] * count) / static_cast<double>(op.getExtents()[loop]);
    outside = 1 - outside;
    std::optional<WinogradConvolution> convolution = contraction ? matchWinogradConvolution(*contraction) : std::nullopt;
    if (!convolution)
      return std::nullopt;
    WinogradChoice choice{op, phases, loops, *contraction, *convolution};
    choice.panel = getWinogradPanel(*contraction, *convolution);
    double limit = mode == "always" ? std::numeric_limits<double>::infinity() : (kWorthwhileWinograd - outside) * directNs;
    std::optional<WinogradTile> best = chooseWinogradTile(*contraction, *convolution, choice.panel, threads, limit);
    if (!best)
      return std::nullopt;
    choice.tile = best->tile;
    return choice;
  }

  void rewrite(const WinogradChoice &choice, RewriterBase &rewriter) {
    ContractOp op = choice.op;
    rewriter.setInsertionPoint(op);
    Parts::Box whole{SmallVector<int64_t>(op.getExtents().size()), llvm::to_vector(op.getExtents())}, main = whole;
    for (auto [loop, count] : choice.phases)
      main.extents[loop] = choice.loops.extents[loop] * count;
    if (main.extents == whole.extents) {
      Value result = createContract(choice, choice.loops.maps, op.getInit(), rewriter);
      return rewriter.replaceOp(op, result);
    }
    Parts parts(op, rewriter);
    parts.add(main, [&](SmallVector<AffineMap> maps, Value init) {
      Loops loops{llvm::to_vector(op.getExtents()), std::move(maps)};
      splitPhases(loops, choice.phases);
      return createContract(choice, loops.maps, init, rewriter);
    });
    Parts::Box rest = whole; // of what is not in a box yet
    for (auto [loop, count] : choice.phases) {
      Parts::Box behind = rest;
      behind.offsets[loop] = main.extents[loop], behind.extents[loop] -= main.extents[loop];
      rest.extents[loop] = main.extents[loop];
      if (behind.extents[loop] > 0)
        parts.add(behind, [&](ArrayRef<AffineMap> maps, Value init) -> Value {
          return ContractOp::create(rewriter, op.getLoc(), op, op.getA(), op.getB(), init, op.getPostOperands(), maps,
                                    behind.extents)
              .getResult();
        });
    }
    rewriter.replaceOp(op, parts.getResult());
  }

  // The contraction with transformed filters, over the loops in phases.
  Value createContract(const WinogradChoice &choice, SmallVector<AffineMap> maps, Value init, RewriterBase &rewriter) {
    ContractOp op = choice.op;
    Value filters = FilterTransform(choice, rewriter).create();
    MLIRContext *context = rewriter.getContext();
    AffineExpr n = getAffineDimExpr(choice.convolution.n.index, context),
               k = getAffineDimExpr(choice.convolution.k.index, context);
    AffineExpr exprs[] = {getAffineConstantExpr(0, context), n.floorDiv(choice.panel), k, n % choice.panel};
    unsigned pixels = choice.contraction.getOpOperand(0);
    maps[0] = maps[pixels];
    maps[1] = AffineMap::get(choice.loops.extents.size(), 0, exprs, context);
    auto contract = ContractOp::create(rewriter, op.getLoc(), op, op->getOperand(pixels), filters, init, op.getPostOperands(),
                                       maps, choice.loops.extents);
    contract.setWinograd(choice.tile);
    return contract.getResult();
  }
};

} // namespace
} // namespace mlir::tpp
