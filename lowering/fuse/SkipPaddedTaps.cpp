// Lets contractions read the source of zero padding in place, so that the padded copy is not created.
//
// Padding surrounds an image, or lies between its pixels: a transposed convolution of stride 2 is a convolution of an image with a row and a column
// of zeros after each of its own. Products with it are wasted. A pad itself is free if its source can be computed directly into the padded buffer; a
// source in the caller's memory (the image argument of a model) would be copied in each call. Instead, this pass splits the result, in each padded
// dimension, into runs of outputs that read the same filter taps. For 7 taps with stride 2 and a border of 3 around 224 pixels, the runs are {0}, {1},
// {2..110} and {111}. Each combination of runs becomes a contraction over its own taps, which writes its slice of the result. Offsets in the maps skip
// the other taps, so that neither the weights nor the image are moved. With zeros between pixels, a run is every second output, for example, and reads
// every second tap.
#include "lowering/Passes.h"
#include "lowering/analysis/Joins.h"
#include "lowering/analysis/Moves.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

namespace mlir::tpp {
#define GEN_PASS_DEF_SKIPPADDEDTAPS
#include "lowering/Passes.h.inc"

namespace {

// How the loops of a contraction are split into contractions that read no padding.
struct Range {
  int64_t first = 0, count = 0, step = 1;
};
struct Run {
  Range outputs, taps; // for all of these outputs exactly these taps read the source; other taps read padding
};
// The elements of a padded dimension that are not padding: `size` ones from `low` on, `stride` apart.
struct Pixels {
  int64_t low, size, stride;
};
struct PaddedDim {
  int64_t output = -1, tap = -1; // loop of the result, loop of the reduction; -1: none
  SmallVector<Run> runs;
};

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

// Splits one dimension, read at `expr`, into runs. False if the loops do not fit or an output reads only padding.
bool cutDim(AffineExpr expr, Pixels pixels, ContractOp op, PaddedDim &dim) {
  LinearExpr linear;
  if (!findLoops(expr, op, linear, dim))
    return false;
  int64_t outputs = dim.output < 0 ? 1 : op.getExtents()[dim.output], taps = dim.tap < 0 ? 1 : op.getExtents()[dim.tap];
  int64_t step = dim.output < 0 ? 0 : linear.coefficients[dim.output], tapStep = dim.tap < 0 ? 1 : linear.coefficients[dim.tap];
  // Outputs that are `period` apart, and taps that are `tapPeriod` apart, have the same place between two pixels.
  int64_t period = pixels.stride / std::gcd(step, pixels.stride), tapPeriod = pixels.stride / std::gcd(tapStep, pixels.stride);
  for (int64_t phase = 0; phase < std::min(period, outputs); ++phase) {
    int64_t start = linear.constant + step * phase - pixels.low, firstTap = 0;
    while (firstTap < tapPeriod && (start + tapStep * firstTap) % pixels.stride != 0)
      ++firstTap;
    if (firstTap == tapPeriod || firstTap >= taps)
      return false;
    for (int64_t output = phase; output < outputs; output += period) {
      // The place of a tap, in pixels: that of firstTap, plus a whole number of pixels for each tapPeriod.
      int64_t place = (linear.constant + step * output - pixels.low + tapStep * firstTap) / pixels.stride;
      int64_t perTap = tapStep * tapPeriod / pixels.stride, last = (taps - 1 - firstTap) / tapPeriod;
      int64_t from = std::max<int64_t>(0, llvm::divideCeilSigned(-place, perTap));
      int64_t to = std::min(last, llvm::divideFloorSigned(pixels.size - 1 - place, perTap));
      if (from > to)
        return false;
      Range valid{firstTap + from * tapPeriod, to - from + 1, tapPeriod};
      bool starts = output == phase || dim.runs.back().taps.first != valid.first || dim.runs.back().taps.count != valid.count;
      if (starts)
        dim.runs.push_back({{output, 0, period}, valid});
      ++dim.runs.back().outputs.count;
    }
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

// One of the contractions that replace a contraction on a padded value. Its loops are the iterations `ranges` of the original loops.
struct Part {
  SmallVector<AffineMap> maps;
  SmallVector<Range> ranges;

  SmallVector<int64_t> getExtents() const {
    return llvm::map_to_vector(ranges, [](Range range) { return range.count; });
  }
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
    ArrayRef<int64_t> sizes = pad.getStaticSizes(), padded = pad.getDestType().getShape();
    llvm::SmallDenseSet<int64_t> loops;
    for (auto [d, expr] : llvm::enumerate(op.getMaps()[plan.operand].getResults())) {
      if (sizes[d] == padded[d])
        continue;
      PaddedDim dim;
      if (!cutDim(expr, {pad.getStaticOffsets()[d], sizes[d], pad.getStaticStrides()[d]}, op, dim))
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
  double estimateWhole() { return estimate({op.getMaps(), getWhole()}, pad.getDestType()); }

  void rewrite(RewriterBase &rewriter) {
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getInit().getType()).getShape();
    JoinBuilder result(rewriter, loc, op.getInit(), /*isRead=*/op.getBeta() == 1);
    for (const Part &part : parts) {
      SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape), strides(shape.size(), 1);
      for (auto [dim, position] : llvm::zip_equal(dims, positions))
        if (position >= 0) {
          Range outputs = part.ranges[dim.output];
          offsets[position] = outputs.first, sizes[position] = outputs.count, strides[position] = outputs.step;
        }
      Value init = result.getInit(offsets, sizes, strides), a = op.getA(), b = op.getB();
      (operand == 0 ? a : b) = pad.getSource();
      auto contract = ContractOp::create(rewriter, loc, op, a, b, init, op.getPostOperands(), part.maps, part.getExtents());
      result.add(contract->getResult(0), offsets, strides);
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

  SmallVector<Range> getWhole() {
    return llvm::map_to_vector(op.getExtents(), [](int64_t extent) { return Range{0, extent}; });
  }

  Part makePart(ArrayRef<size_t> chosen) {
    Part part{op.getMaps(), getWhole()};
    for (auto [dim, run] : llvm::zip_equal(dims, chosen)) {
      if (dim.output >= 0)
        part.ranges[dim.output] = dim.runs[run].outputs;
      if (dim.tap >= 0)
        part.ranges[dim.tap] = dim.runs[run].taps;
    }
    for (auto [i, map] : llvm::enumerate(part.maps))
      if (i != 2) // the init is a slice of these outputs already
        map = restrict(map, part.ranges, i == operand ? pad : tensor::InsertSliceOp());
    return part;
  }

  // `map` for loops over `ranges` of the original loops, and for the source of `insert` instead of its result, if it is not null.
  static AffineMap restrict(AffineMap map, ArrayRef<Range> ranges, tensor::InsertSliceOp insert) {
    SmallVector<AffineExpr> exprs;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      std::optional<LinearExpr> linear = getLinearExpr(expr, ranges.size());
      if (!linear) { // the indices of a VNNI group, whose loop is not split
        exprs.push_back(expr);
        continue;
      }
      int64_t low = insert ? insert.getStaticOffsets()[position] : 0, stride = insert ? insert.getStaticStrides()[position] : 1;
      AffineExpr restricted = getAffineConstantExpr(0, map.getContext());
      int64_t constant = linear->constant - low;
      for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients)) {
        restricted = restricted + getAffineDimExpr(loop, map.getContext()) * (coefficient * ranges[loop].step / stride);
        constant += coefficient * ranges[loop].first;
      }
      exprs.push_back(restricted + constant / stride);
    }
    return AffineMap::get(ranges.size(), 0, exprs, map.getContext());
  }

  double estimate(const Part &part, RankedTensorType operandType) {
    SmallVector<ShapedType> types;
    for (unsigned i : {0u, 1u, 2u})
      types.push_back(i == operand ? operandType : cast<RankedTensorType>(op->getOperand(i).getType()));
    SmallVector<AffineMap> maps(ArrayRef(part.maps).take_front(3));
    maps[2] = restrict(maps[2], part.ranges, {});
    // A and B count as constants: any packing is already done, so that the estimate includes no moves of operands.
    auto contraction = getContractionInfo(maps, types, part.getExtents(), getTarget(op), {true, true});
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
    SmallVector<tensor::InsertSliceOp> inserts;
    getOperation().walk([&](tensor::InsertSliceOp insert) {
      if (isZeroPad(insert) && !insert->use_empty())
        inserts.push_back(insert);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::InsertSliceOp insert : inserts)
      skip(insert, rewriter);
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
    // A source that is computed in place costs no copy. Then many products with padding must be saved (wide borders, large dilations), because
    // contractions of parts have smaller tiles, and more code.
    constexpr double worthwhile = 0.8;
    bool inPlace = pad.hasUnitStride() && isComputedInPlace(pad);
    int64_t elementBytes = llvm::divideCeil(pad.getDestType().getElementTypeBitWidth(), 8);
    if (!inPlace)
      with += estimateMoveNs(pad.getDestType().getNumElements() * elementBytes, getTarget(pad).getMachine());
    if (!std::isfinite(without) || without > with * (inPlace ? worthwhile : 1)) {
      if (inPlace)
        return;
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
