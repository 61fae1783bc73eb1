// Quantizes the operands of f32 contractions with constant weights (--precision=int8), or records the ranges of the values that it would quantize.
//
// Only quantizations and dequantizations are inserted here, as an exporter of a quantized model would. tpp-fold-quantization does the rest.
#include "lowering/Passes.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Quantization.h"
#include "lowering/normalize/MoveDequantizations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include <cmath>
#include <limits>

namespace mlir::tpp {
#define GEN_PASS_DEF_QUANTIZECONTRACTIONS
#include "lowering/Passes.h.inc"

namespace {

// A contraction of an f32 value and an f32 constant.
struct Candidate {
  linalg::LinalgOp op;
  OpOperand *value, *weight;
};

std::optional<Candidate> getCandidate(linalg::LinalgOp op, ConstantAnalysis &constants) {
  if (op.getNumReductionLoops() == 0 || op.hasDynamicShape() || !op.hasPureTensorSemantics())
    return std::nullopt;
  Operation *product = getAccumulatedProduct(op);
  if (!product || !product->getResult(0).getType().isF32())
    return std::nullopt;
  OpOperand *operands[2];
  bool isConstant[2];
  for (unsigned i : {0u, 1u}) {
    auto argument = dyn_cast<BlockArgument>(product->getOperand(i));
    if (!argument || argument.getOwner() != op.getBlock())
      return std::nullopt;
    operands[i] = op.getMatchingOpOperand(argument);
    if (!op.isDpsInput(operands[i]) || !isa<RankedTensorType>(operands[i]->get().getType()))
      return std::nullopt;
    isConstant[i] = constants.dependsOnConstantsOnly(operands[i]->get());
  }
  if (isConstant[0] == isConstant[1])
    return std::nullopt;
  return isConstant[1] ? Candidate{op, operands[0], operands[1]} : Candidate{op, operands[1], operands[0]};
}

// The tensor.pad that defines `value`, if it pads with zeros; else null.
tensor::PadOp getZeroPad(Value value) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  bool isZero = pad && pad.getSourceType().hasStaticShape() && pad.getConstantPaddingValue() &&
                matchPattern(pad.getConstantPaddingValue(), m_AnyZeroFloat());
  return isZero ? pad : nullptr;
}
Value getUnpadded(Value value) {
  auto pad = getZeroPad(value);
  return pad ? pad.getSource() : value;
}

// Dimensions of an operand that are indexed by exactly one loop, which also indexes the result: rows of a matrix, output channels of a filter.
SmallVector<int64_t> getResultDims(linalg::LinalgOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand), result = op.getIndexingMapsArray().back();
  SmallVector<int64_t> dims;
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr); loop && result.isFunctionOfDim(loop.getPosition()))
      dims.push_back(dim);
  return dims;
}

// Reduces a tensor along all dimensions except `kept`, starting from 0.
Value createReduction(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> kept,
                      llvm::function_ref<Value(OpBuilder &, Value element, Value soFar)> combine) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::reduction);
  SmallVector<AffineExpr> results;
  SmallVector<int64_t> shape;
  for (int64_t dim : kept) {
    iterators[dim] = utils::IteratorType::parallel;
    results.push_back(b.getAffineDimExpr(dim));
    shape.push_back(type.getDimSize(dim));
  }
  Value init = createFilled(b, loc, shape, b.getF32FloatAttr(0));
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(type.getRank()),
                                 AffineMap::get(type.getRank(), 0, results, b.getContext())};
  return linalg::GenericOp::create(b, loc, init.getType(), value, init, maps, iterators,
                                   [&](OpBuilder &nested, Location at, ValueRange arguments) {
                                     linalg::YieldOp::create(nested, at, combine(nested, arguments[0], arguments[1]));
                                   })
      .getResult(0);
}

// Scales: the largest magnitude along all dimensions except `kept`, divided by 127.
QuantizationParameter createScales(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> kept) {
  Value largest = createReduction(b, loc, value, kept, [&](OpBuilder &nested, Value element, Value soFar) -> Value {
    return arith::MaximumFOp::create(nested, loc, soFar, math::AbsFOp::create(nested, loc, element));
  });
  auto type = cast<RankedTensorType>(largest.getType());
  ElementwiseInput input = {largest, b.getMultiDimIdentityMap(type.getRank())};
  QuantizationParameter scales;
  scales.value =
      createElementwise(b, loc, input, type.getShape(), b.getF32Type(), [&](OpBuilder &nested, ValueRange arguments) -> Value {
        auto number = [&](float x) { return arith::ConstantOp::create(nested, loc, nested.getF32FloatAttr(x)); };
        Value scale = arith::DivFOp::create(nested, loc, arguments[0], number(127));
        // Keeps the scale of all-zero data above 0. NaN stays NaN.
        return arith::MaximumFOp::create(nested, loc, scale, number(std::numeric_limits<float>::min()));
      });
  SmallVector<AffineExpr> indices;
  for (int64_t dim : kept)
    indices.push_back(b.getAffineDimExpr(dim));
  scales.map = AffineMap::get(cast<RankedTensorType>(value.getType()).getRank(), 0, indices, b.getContext());
  return scales;
}

// The value quantized and dequantized. The quantized value is padded if `pad` is given.
Value createBoth(OpBuilder &b, Location loc, const Quantization &quantization, tensor::PadOp pad = {}) {
  Dequantization d;
  d.source = createQuantization(b, loc, quantization);
  if (pad) {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(static_cast<int8_t>(static_cast<int64_t>(quantization.zero))));
    d.source = tensor::PadOp::create(b, loc, pad.getResultType().clone(b.getI8Type()), d.source, pad.getMixedLowPad(),
                                     pad.getMixedHighPad(), zero);
  }
  auto type = cast<RankedTensorType>(d.source.getType());
  d.map = b.getMultiDimIdentityMap(type.getRank());
  d.isUnsigned = quantization.isUnsigned;
  d.zero.number = quantization.zero;
  d.scale = quantization.scale;
  return createDequantization(b, loc, d, type.getShape(), b.getF32Type());
}

// Parameters for values from `low` to `high`. Zero is represented exactly.
Quantization getStatic(double low, double high) {
  low = std::min(low, 0.0), high = std::max(high, 0.0);
  Quantization result;
  result.isUnsigned = true;
  result.scale.number = 1;
  double scale = static_cast<float>((high - low) / 255);
  if (scale > 0) {
    result.scale.number = scale;
    result.zero = std::clamp(std::nearbyint(-low / scale), 0.0, 255.0);
  }
  return result;
}

struct QuantizeContractions : public impl::QuantizeContractionsBase<QuantizeContractions> {
  using QuantizeContractionsBase::QuantizeContractionsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    quantized.clear();
    ConstantAnalysis constants;
    SmallVector<Candidate> candidates;
    func.walk([&](linalg::LinalgOp op) {
      // Ranges are recorded at the end of the function, where values of nested regions are not visible.
      auto candidate = getCandidate(op, constants);
      if (candidate && getUnpadded(candidate->value->get()).getParentBlock() == &func.front())
        candidates.push_back(*candidate);
    });
    if (candidates.empty() && !record)
      func.emitWarning()
          << "nothing is quantized: found no contraction of an f32 value and a constant with static shapes, outside loops";

    // First quantize with dynamic scales, to find the contractions that fold. This numbers the values alike when recording and when quantizing.
    IRRewriter rewriter(&getContext());
    SmallVector<Candidate> folded;
    llvm::MapVector<Value, unsigned> values; // that are quantized, and their numbers
    for (const Candidate &candidate : candidates) {
      linalg::LinalgOp op = candidate.op;
      Value value = candidate.value->get(), weight = candidate.weight->get();
      candidate.weight->set(quantizeWeight(rewriter, weight, getResultDims(op, candidate.weight)));
      candidate.value->set(quantizeValue(rewriter, value, getResultDims(op, candidate.value), {}));
      Foldable foldable = getFoldable(op, constants);
      bool isTooSmall = foldable == Foldable::Depthwise && ranges.empty() && !record;
      bool isFolded = foldable != Foldable::No && !isTooSmall;
      if (!isFolded && !record)
        op.emitRemark() << "stays f32: "
                        << (isTooSmall
                                ? "finding the range of a depthwise convolution's image in each call costs more than it saves"
                                : "tpp-fold-quantization cannot convert it to 8-bit integers");
      if (!isFolded || record || !ranges.empty()) {
        candidate.weight->set(weight);
        candidate.value->set(value);
      }
      if (isFolded) {
        folded.push_back(candidate);
        values.insert({getUnpadded(value), values.size()});
      }
    }
    if (record) {
      recordRanges(values.takeVector());
    } else if (!ranges.empty()) {
      if (ranges.size() != 2 * values.size()) {
        func.emitError() << "ranges: expected " << 2 * values.size()
                         << " numbers, the smallest and the largest element of each quantized value, got " << ranges.size();
        return signalPassFailure();
      }
      for (const Candidate &candidate : folded) {
        Value value = candidate.value->get();
        unsigned number = values.lookup(getUnpadded(value));
        candidate.weight->set(quantizeWeight(rewriter, candidate.weight->get(), getResultDims(candidate.op, candidate.weight)));
        candidate.value->set(quantizeValue(rewriter, value, {}, getStatic(ranges[2 * number], ranges[2 * number + 1])));
      }
    }
    (void)runRegionDCE(rewriter, func->getRegions()); // removes the ops of the trial
  }

private:
  // The dequantized form of a weight or a value; one for all contractions with the same scales. `key` tells scales apart.
  Value &getKnown(Value value, Attribute key, OpBuilder &b) {
    b.setInsertionPointAfterValue(value);
    return quantized[{value, key}];
  }

  Value quantizeWeight(OpBuilder &b, Value weight, ArrayRef<int64_t> kept) {
    Value &known = getKnown(weight, b.getDenseI64ArrayAttr(kept), b);
    if (known)
      return known;
    Quantization quantization;
    quantization.source = weight;
    quantization.scale = createScales(b, weight.getLoc(), weight, kept);
    return known = createBoth(b, weight.getLoc(), quantization);
  }

  // With the parameters given or, without them, with scales that vary along the dimensions `kept`.
  Value quantizeValue(OpBuilder &b, Value value, ArrayRef<int64_t> kept, std::optional<Quantization> given) {
    Value &known = getKnown(value, given ? Attribute(b.getUnitAttr()) : b.getDenseI64ArrayAttr(kept), b);
    if (known)
      return known;
    Location loc = value.getLoc();
    tensor::PadOp pad = getZeroPad(value);
    Quantization quantization = given.value_or(Quantization());
    quantization.source = getUnpadded(value);
    if (!given) {
      // A padded dimension has no scales of its own.
      SmallVector<int64_t> wanted(kept);
      if (pad)
        llvm::erase_if(wanted,
                       [&](int64_t dim) { return pad.getSourceType().getDimSize(dim) != pad.getResultType().getDimSize(dim); });
      quantization.scale = createScales(b, loc, quantization.source, wanted);
      quantization.isUnsigned = true;
      quantization.zero = signShift;
    }
    return known = createBoth(b, loc, quantization, pad);
  }

  void recordRanges(ArrayRef<std::pair<Value, unsigned>> values) {
    func::FuncOp func = getOperation();
    Operation *terminator = func.getBody().back().getTerminator();
    OpBuilder b(terminator);
    SmallVector<Value> results(terminator->getOperands());
    for (auto [value, number] : values) {
      Location loc = value.getLoc();
      for (bool isLargest : {false, true})
        results.push_back(createReduction(b, loc, value, {}, [&](OpBuilder &nested, Value element, Value soFar) -> Value {
          if (isLargest)
            return arith::MaximumFOp::create(nested, loc, soFar, element);
          return arith::MinimumFOp::create(nested, loc, soFar, element);
        }));
    }
    terminator->setOperands(results);
    func.setType(FunctionType::get(&getContext(), func.getArgumentTypes(), TypeRange(ValueRange(results))));
  }

  llvm::DenseMap<std::pair<Value, Attribute>, Value> quantized;
};

} // namespace
} // namespace mlir::tpp
