// Computes the contractions of f32 values in a lower precision, on request (--precision).
//
// Each operand is rounded where its value is defined, once for all contractions that read it. Sums, post-ops and all other ops stay f32. A value that
// contractions read, and that a contraction computes with the elementwise ops that follow it, is stored in the lower precision only: a kernel rounds
// it when it stores its tile, and other ops read half the bytes.
#include "lowering/Passes.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/analysis/Joins.h"
#include "lowering/layout/ContractionLayout.h"
#include "lowering/layout/OperandTiles.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERPRECISION
#include "lowering/Passes.h.inc"

namespace {

// Converts the elements of a tensor, directly after its definition.
Value convert(Value value, Type element, OpBuilder &builder) {
  builder.setInsertionPointAfterValue(value);
  return createConversion(builder, value.getLoc(), value, element);
}

// Whether a contraction computes the value, alone or with elementwise ops that become its post-ops.
bool isContractionResult(Value value) {
  if (value.getDefiningOp<ContractOp>())
    return true;
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumParallelLoops() != generic.getNumLoops())
    return false;
  return llvm::any_of(generic.getDpsInputs(), [&](Value input) {
    return input.hasOneUse() && input.getType() == value.getType() && isContractionResult(input);
  });
}

// The source of a pad.
Value getUnpadded(Value value) {
  auto pad = value.getDefiningOp<tensor::InsertSliceOp>();
  return pad && isZeroPad(pad) ? pad.getSource() : value;
}

class Rounding {
public:
  Rounding(Type low, MLIRContext *context) : low(low), rewriter(context) {}

  // Replaces the contraction by one on rounded operands. Returns the reason if it stays as it is; null if it was replaced.
  const char *round(ContractOp op) {
    auto isF32 = [](Value value) { return getElementTypeOrSelf(value).isF32(); };
    if (!op.getResult() || !isF32(op.getA()) || !isF32(op.getB()) || !isF32(op.getInit()))
      return "it is on buffers or of another type than f32";
    SmallVector<ShapedType> types;
    for (Value operand : op->getOperands())
      types.push_back(cast<RankedTensorType>(operand.getType()));
    types[0] = types[0].clone(low), types[1] = types[1].clone(low);
    const bool isConstant[] = {isConstantWithinLimit(op.getA()), isConstantWithinLimit(op.getB())};
    auto info = getContractionInfo(op, op.getMaps(), types, op.getExtents(), getTarget(op), isConstant);
    auto groups = info ? matchGroupedConvolution(*info, op.getMaps(), types, op.getExtents()) : std::nullopt;
    bool isGrouped = groups && prefersGroupedConv(*groups, *info, op.getMaps());
    if (!info || !(isGrouped || hasBrgemmKernel(*info)))
      return "the target has no kernel for it";
    if (!isGrouped && !isFaster(op, *info))
      return "f32 is estimated to be faster";
    if (isGrouped && groups->isDepthwise() && !isContractionResult(getUnpadded(op->getOperand(info->getOpOperand(0)))))
      return "rounding its image would read and write the whole image once more";
    if (!isGrouped && !canBeLaidOut(op))
      return "its operands cannot have the layouts that kernels of this type need";
    Value a = getRounded(op.getA()), b = getRounded(op.getB());
    rewriter.replaceOp(op, create(op, a, b));
    return nullptr;
  }

  // Lets the other users of values that are rounded read the rounded value, if that saves the store of the value in f32.
  void storeRounded() {
    for (auto [value, rounded] : all) {
      if (!isContractionResult(value))
        continue;
      auto isOther = [rounded = rounded](OpOperand &use) { return use.getOwner() != rounded.getDefiningOp(); };
      bool reads = llvm::all_of(value.getUses(), [&](OpOperand &use) {
        return !isOther(use) || isa<linalg::GenericOp>(use.getOwner()) ||
               (isa<ContractOp>(use.getOwner()) && use.getOperandNumber() > 2);
      });
      if (!reads || value.hasOneUse())
        continue;
      Value extended = convert(rounded, getElementTypeOrSelf(value), rewriter);
      value.replaceUsesWithIf(extended, isOther);
    }
  }

private:
  ContractOp create(ContractOp op, Value a, Value b) {
    rewriter.setInsertionPoint(op);
    return ContractOp::create(rewriter, op.getLoc(), op, a, b, op.getInit(), op.getPostOperands(), op.getMaps(), op.getExtents());
  }

  // Whether kernels compute the contraction on rounded operands, of which `rounded` is the description, in the time that they take in f32. Without
  // arithmetic of its own, a type takes a little longer, which half the bytes are worth.
  static bool isFaster(ContractOp op, const ContractionInfo &rounded) {
    constexpr double most = 1.2;
    auto f32 = getContractionInfo(op, getTarget(op));
    return !f32 || estimateKernelNs(rounded) <= most * estimateKernelNs(*f32);
  }

  // Whether tpp-assign-layouts would lay out the contraction on rounded operands.
  bool canBeLaidOut(ContractOp op) {
    rewriter.setInsertionPoint(op);
    Value operands[] = {op.getA(), op.getB()};
    for (Value &operand : operands)
      operand = tensor::EmptyOp::create(rewriter, op.getLoc(), cast<RankedTensorType>(operand.getType()).getShape(), low);
    ContractOp trial = create(op, operands[0], operands[1]);
    ConstantAnalysis constants;
    FailureOr<LayoutPlan> plan = planLayout(trial, constants);
    rewriter.eraseOp(trial);
    for (Value operand : operands)
      rewriter.eraseOp(operand.getDefiningOp());
    return succeeded(plan) && !plan->parts.empty();
  }

  Value getRounded(Value value) {
    auto [it, inserted] = known.try_emplace(value, Value());
    if (!inserted)
      return it->second;
    Value rounded;
    auto pad = value.getDefiningOp<tensor::InsertSliceOp>();
    auto fill = pad ? pad.getDest().getDefiningOp<linalg::FillOp>() : linalg::FillOp();
    FloatAttr padding;
    if (fill && pad.getSourceType().getElementType().isF32() && matchPattern(fill.getInputs()[0], m_Constant(&padding))) {
      // The source of a pad is rounded, so that the pad stays visible to the passes that skip it.
      Value source = getRounded(pad.getSource());
      rewriter.setInsertionPoint(pad);
      Value filled = createFilled(rewriter, fill.getLoc(), pad.getDestType().getShape(),
                                  rewriter.getFloatAttr(low, padding.getValueAsDouble()));
      rounded = tensor::InsertSliceOp::create(rewriter, pad.getLoc(), source, filled, pad.getMixedOffsets(), pad.getMixedSizes(),
                                              pad.getMixedStrides());
    } else {
      rounded = convert(value, low, rewriter);
      all.push_back({value, rounded});
    }
    return known[value] = rounded;
  }

  Type low;
  IRRewriter rewriter;
  llvm::DenseMap<Value, Value> known;       // the rounded form of each value
  SmallVector<std::pair<Value, Value>> all; // those that a conversion rounds, in order
};

struct LowerPrecision : public impl::LowerPrecisionBase<LowerPrecision> {
  using LowerPrecisionBase::LowerPrecisionBase;

  void runOnOperation() override {
    if (type != "bf16") {
      getOperation().emitError() << "unknown precision '" << type << "': it is none of program, bf16, int8";
      return signalPassFailure();
    }
    Rounding rounding(BFloat16Type::get(&getContext()), &getContext());
    SmallVector<ContractOp> ops;
    getOperation().walk([&](ContractOp op) {
      if (getElementTypeOrSelf(op.getA()).isF32())
        ops.push_back(op);
    });
    for (ContractOp op : ops)
      if (const char *reason = rounding.round(op); reason && !silent)
        op.emitRemark() << "stays f32: " << reason;
    rounding.storeRounded();
  }
};

} // namespace
} // namespace mlir::tpp
