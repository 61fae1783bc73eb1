// Lets contractions read the source of a zero pad in place, so that the padded copy is not created.
//
// A pad is free if its source can be computed directly into the padded buffer. A source in the caller's memory (the image argument of a model)
// would be copied in each call. Instead, this pass splits the result, in each padded dimension, into runs of outputs that read the same filter
// taps. For 7 taps with stride 2 and a border of 3 around 224 pixels, the runs are {0}, {1}, {2..110} and {111}. Each combination of runs
// becomes a contraction over its own taps, which writes its slice of the result. Offsets in the maps skip the other taps, so that neither the
// weights nor the image are moved.
#include "lowering/Passes.h"
#include "lowering/analysis/Joins.h"
#include "lowering/analysis/Moves.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SKIPPADDEDTAPS
#include "lowering/Passes.h.inc"

namespace {

// How the loops of a contraction are split into contractions that read no padding.
struct Range {
  int64_t first = 0, count = 0;
};
struct Run {
  Range outputs, taps; // for all of these outputs exactly these taps read the source; other taps read padding
};
struct PaddedDim {
  int64_t output = -1, tap = -1; // loop of the result, loop of the reduction; -1: none
  SmallVector<Run> runs;
};

bool isZeroFill(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

// Finds the loops that index a padded dimension through `expr`. False unless there is at most one of the result and one of the reduction.
bool findLoops(AffineExpr expr, ContractOp op, LinearExpr &linear, PaddedDim &dim) {
  auto found = getLinearExpr(expr, op.getExtents().size());
  if (!found)
    return false;
  linear = *found;
  AffineMap cMap = op.getMaps()[2];
  for (auto [loop, coefficient] : llvm::enumerate(linear.coefficients)) {
    if (coefficient == 0 || op.getExtents()[loop] == 1)
      continue;
    int64_t &place = cMap.isFunctionOfDim(loop) ? dim.output : dim.tap;
    if (coefficient < 0 || place >= 0)
      return false;
    place = loop;
  }
  return true;
}

// Splits one dimension, read at `expr`, into runs. Elements [low, low + size) of it are not padding. False if the loops do not fit or an output
// reads only padding.
bool cutDim(AffineExpr expr, int64_t low, int64_t size, ContractOp op, PaddedDim &dim) {
  LinearExpr linear;
  if (!findLoops(expr, op, linear, dim))
    return false;
  int64_t outputs = dim.output < 0 ? 1 : op.getExtents()[dim.output], taps = dim.tap < 0 ? 1 : op.getExtents()[dim.tap];
  int64_t step = dim.output < 0 ? 0 : linear.coefficients[dim.output], tapStep = dim.tap < 0 ? 1 : linear.coefficients[dim.tap];
  for (int64_t output = 0; output < outputs; ++output) {
    int64_t start = linear.constant + step * output;
    int64_t first = std::max<int64_t>(0, llvm::divideCeilSigned(low - start, tapStep));
    int64_t last = std::min(taps - 1, llvm::divideFloorSigned(low + size - 1 - start, tapStep));
    if (first > last)
      return false;
    Range valid{first, last - first + 1};
    if (dim.runs.empty() || dim.runs.back().taps.first != valid.first || dim.runs.back().taps.count != valid.count)
      dim.runs.push_back({{output, 0}, valid});
    ++dim.runs.back().outputs.count;
  }
  return true;
}

// The dimension of the result that each split output loop alone indexes; -1 for a padded dimension without output loop. nullopt if an output
// loop shares a dimension of the result with another loop or indexes several.
std::optional<SmallVector<int64_t>> getSlicedPositions(ContractOp op, ArrayRef<PaddedDim> dims) {
  AffineMap cMap = op.getMaps()[2];
  SmallVector<int64_t> positions;
  for (const PaddedDim &dim : dims) {
    positions.push_back(-1);
    if (dim.output < 0)
      continue;
    for (auto [position, expr] : llvm::enumerate(cMap.getResults())) {
      if (!expr.isFunctionOfDim(dim.output))
        continue;
      if (!isa<AffineDimExpr>(expr) || positions.back() >= 0)
        return std::nullopt;
      positions.back() = position;
    }
  }
  return positions;
}

// One of the contractions that replace a contraction on a padded value. Its loops start at iterations `firsts` of the original loops.
struct Part {
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> firsts, extents;
};

// A contraction that reads a pad, and the contractions that compute its result without the pad.
class Skipping {
public:
  // nullopt if `op` cannot skip the padding; the rewriter is notified of the reason.
  static std::optional<Skipping> plan(ContractOp op, OpOperand &operand, RewriterBase &rewriter) {
    auto refuse = [&](const Twine &reason) -> std::optional<Skipping> {
      (void)rewriter.notifyMatchFailure(op, reason);
      return std::nullopt;
    };
    auto pad = operand.get().getDefiningOp<tensor::InsertSliceOp>();
    if (operand.getOperandNumber() > 1 || op.getA() == op.getB())
      return refuse("reads the padded value as a post operand, as the accumulator, or as both A and B");
    if (op.getWinograd() || op.getGrouped())
      return refuse("the convolution's kernels read whole filters");
    if (getChosenPacking(op).kc != 0)
      return refuse("the chosen packing has a fixed KC block");
    Skipping plan(op, pad, operand.getOperandNumber());
    ArrayRef<int64_t> low = pad.getStaticOffsets(), sizes = pad.getStaticSizes(), padded = pad.getDestType().getShape();
    llvm::SmallDenseSet<int64_t> loops;
    for (auto [d, expr] : llvm::enumerate(op.getMaps()[plan.operand].getResults())) {
      if (sizes[d] == padded[d])
        continue;
      PaddedDim dim;
      if (!cutDim(expr, low[d], sizes[d], op, dim))
        return refuse(
            "an output reads only padding, or the loops along a padded dimension are not one output loop and one tap loop");
      for (int64_t loop : {dim.output, dim.tap})
        if (loop >= 0 && !loops.insert(loop).second)
          return refuse("a loop indexes two padded dimensions");
      for (AffineMap map : {op.getMaps()[0], op.getMaps()[1]})
        if (auto vnni = getVnniForm(map); vnni && dim.tap == static_cast<int64_t>(vnni->loop))
          return refuse("the taps are the steps of B's VNNI groups");
      plan.dims.push_back(dim);
    }
    auto positions = getSlicedPositions(op, plan.dims);
    if (!positions)
      return refuse("an output loop that must be split does not alone index one dimension of the result");
    plan.positions = *positions;
    int64_t count = 1;
    for (const PaddedDim &dim : plan.dims)
      count *= dim.runs.size();
    constexpr int64_t mostParts = 64;
    if (count > mostParts)
      return refuse("too many combinations of filter taps");
    plan.makeParts();
    return plan;
  }

  // Estimated nanoseconds of the contractions on the source of the pad (estimateParts), and of the original contraction on the padded value
  // (estimateWhole), without the copy.
  double estimateParts() {
    double ns = 0;
    for (const Part &part : parts)
      ns += estimate(part, pad.getSourceType());
    return ns;
  }
  double estimateWhole() {
    return estimate({op.getMaps(), SmallVector<int64_t>(op.getExtents().size(), 0), llvm::to_vector(op.getExtents())},
                    pad.getDestType());
  }

  void rewrite(RewriterBase &rewriter) {
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getInit().getType()).getShape();
    JoinBuilder result(rewriter, loc, op.getInit(), /*isRead=*/op.getBeta() == 1);
    for (const Part &part : parts) {
      SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape);
      for (auto [dim, position] : llvm::zip_equal(dims, positions))
        if (position >= 0) {
          offsets[position] = part.firsts[dim.output];
          sizes[position] = part.extents[dim.output];
        }
      Value init = result.getInit(offsets, sizes), a = op.getA(), b = op.getB();
      (operand == 0 ? a : b) = pad.getSource();
      auto contract = ContractOp::create(rewriter, loc, op, a, b, init, op.getPostOperands(), part.maps, part.extents);
      result.add(contract->getResult(0), offsets);
    }
    rewriter.replaceOp(op, result.getResult());
  }

private:
  Skipping(ContractOp op, tensor::InsertSliceOp pad, unsigned operand) : op(op), pad(pad), operand(operand) {}

  // Creates a part for each combination of runs, in the order of the result.
  void makeParts() {
    SmallVector<size_t> chosen(dims.size(), 0);
    for (bool more = true; more;) {
      parts.push_back(makePart(chosen));
      more = false;
      for (size_t i = dims.size(); i-- > 0 && !more;) {
        more = ++chosen[i] < dims[i].runs.size();
        if (!more)
          chosen[i] = 0;
      }
    }
  }

  Part makePart(ArrayRef<size_t> chosen) {
    Part part{op.getMaps(), SmallVector<int64_t>(op.getExtents().size(), 0), llvm::to_vector(op.getExtents())};
    for (auto [dim, run] : llvm::zip_equal(dims, chosen))
      for (auto [loop, range] : {std::pair(dim.output, dim.runs[run].outputs), std::pair(dim.tap, dim.runs[run].taps)})
        if (loop >= 0) {
          part.firsts[loop] = range.first;
          part.extents[loop] = range.count;
        }
    for (auto [i, map] : llvm::enumerate(part.maps))
      if (i != 2) // the init is a slice that starts at `firsts` already
        map = shift(map, part.firsts, i == operand ? pad.getStaticOffsets() : ArrayRef<int64_t>());
    return part;
  }

  // `map` for loops that start at `firsts` of the original loops and a tensor that starts at `origin` of the original tensor.
  static AffineMap shift(AffineMap map, ArrayRef<int64_t> firsts, ArrayRef<int64_t> origin) {
    SmallVector<AffineExpr> exprs;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      std::optional<LinearExpr> linear = getLinearExpr(expr, firsts.size());
      if (!linear) { // the indices of a VNNI group, whose loop is not split
        exprs.push_back(expr);
        continue;
      }
      AffineExpr shifted = getAffineConstantExpr(0, map.getContext());
      int64_t constant = linear->constant - (origin.empty() ? 0 : origin[position]);
      for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients)) {
        shifted = shifted + getAffineDimExpr(loop, map.getContext()) * coefficient;
        constant += coefficient * firsts[loop];
      }
      exprs.push_back(shifted + constant);
    }
    return AffineMap::get(firsts.size(), 0, exprs, map.getContext());
  }

  double estimate(const Part &part, RankedTensorType operandType) {
    SmallVector<ShapedType> types;
    for (unsigned i : {0u, 1u, 2u})
      types.push_back(i == operand ? operandType : cast<RankedTensorType>(op->getOperand(i).getType()));
    // A and B count as constants: any packing is already done, so that the estimate includes no moves of operands.
    auto contraction = getContractionInfo(ArrayRef(part.maps).take_front(3), types, part.extents, getTarget(op), {true, true});
    return contraction ? estimateContraction(*contraction).ns : std::numeric_limits<double>::infinity();
  }

  ContractOp op;
  tensor::InsertSliceOp pad;
  unsigned operand;
  SmallVector<PaddedDim> dims;
  SmallVector<int64_t> positions; // see getSlicedPositions; one per entry of `dims`
  SmallVector<Part> parts;
};

struct SkipPaddedTaps : public impl::SkipPaddedTapsBase<SkipPaddedTaps> {
  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> pads;
    getOperation().walk([&](tensor::InsertSliceOp insert) {
      if (isPlainInsert(insert) && isZeroFill(insert.getDest()) && !isComputedInPlace(insert) && !insert->use_empty())
        pads.push_back(insert);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::InsertSliceOp pad : pads)
      skip(pad, rewriter);
  }

  // Rewrites all readers of the pad or none: if one reader needs the pad, it is created anyway.
  static void skip(tensor::InsertSliceOp pad, RewriterBase &rewriter) {
    std::vector<Skipping> plans;
    double without = 0, with = 0;
    for (OpOperand &use : pad->getUses()) {
      auto contract = dyn_cast<ContractOp>(use.getOwner());
      if (!contract)
        return;
      auto plan = Skipping::plan(contract, use, rewriter);
      if (!plan)
        return;
      without += plan->estimateParts();
      with += plan->estimateWhole();
      plans.push_back(*plan);
    }
    int64_t elementBytes = llvm::divideCeil(pad.getDestType().getElementTypeBitWidth(), 8);
    with += estimateMoveNs(pad.getDestType().getNumElements() * elementBytes, getTarget(pad).getMachine());
    if (without > with) {
      pad->setLoc(explainMove(
          pad.getLoc(), MoveReason::Cost,
          llvm::formatv("{0:f1} us estimated without the pad, skipping the filter taps that read it, {1:f1} us with it",
                        without / 1e3, with / 1e3)
              .str()));
      return;
    }
    for (Skipping &plan : plans)
      plan.rewrite(rewriter);
    rewriter.eraseOp(pad);
  }
};

} // namespace
} // namespace mlir::tpp
