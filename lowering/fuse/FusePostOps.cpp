// Fuses elementwise consumers into tpp.contract as post-ops.
//
// A consumer fuses if its body is a chain from the contraction's element to the yielded element. The chain consists of unary kinds (also in the
// decomposed forms that exporters write), of binary kinds whose other operand does not depend on the chain, and of conversions between f32, bf16 and f16.
// A kernel computes the chain in f32 and rounds once, when it stores C, so conversions within the chain are dropped. A chain from integer sums may turn
// them into f32 once, and rounded values into 8-bit integers at its end.
#include "lowering/Passes.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Quantization.h"
#include "lowering/analysis/Relay.h"
#include "lowering/analysis/UnaryKinds.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tpp/types.h"
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/TppOps.h"
#include <cmath>

namespace mlir::tpp {
#define GEN_PASS_DEF_FUSEPOSTOPS
#include "lowering/Passes.h.inc"

namespace {

std::optional<BinaryKind> getBinaryKind(Operation *op) {
  if (Type type = op->getResult(0).getType(); type.isInteger() && !type.isInteger(32))
    return std::nullopt; // kernels compute no other integers
  if (isa<arith::AddFOp, arith::AddIOp>(op))
    return BinaryKind::Add;
  if (isa<arith::SubFOp, arith::SubIOp>(op))
    return BinaryKind::Sub;
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return BinaryKind::Mul;
  if (isa<arith::DivFOp>(op))
    return BinaryKind::Div;
  if (isa<arith::MaximumFOp, arith::MaxSIOp>(op))
    return BinaryKind::Max;
  if (isa<arith::MinimumFOp, arith::MinSIOp>(op))
    return BinaryKind::Min;
  return std::nullopt;
}

//===- chains ----------------------------------------------------------------------------------------------------------------===//

struct Step {
  PostOpAttr op;
  Value operand; // of a binary step: a block argument, or a scalar from outside the body
};

// A type that the elements of a chain of floating-point post-ops can have in the program.
bool isChainType(Type type) { return type.isF32() || type.isBF16() || type.isF16(); }

// `value` before conversions between the types of chains.
Value skipConversions(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op) || !isChainType(op->getOperand(0).getType()) || !isChainType(value.getType()))
      break;
    value = op->getOperand(0);
  }
  return value;
}

// Whether a floating-point value is an integer: it was rounded, or is a constant, or is computed from integers.
bool isIntegral(Value value) {
  value = skipConversions(value);
  if (auto constant = getConstant(value))
    return std::trunc(*constant) == *constant;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<math::RoundEvenOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    return true;
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MaximumFOp, arith::MinimumFOp>(op) &&
         llvm::all_of(op->getOperands(), isIntegral);
}

// The value that the body of a generic stores: an element of a chain, or one that becomes an 8-bit integer.
struct Stored {
  Value value;
  bool isUnsigned = false;
};
std::optional<Stored> getStored(Value yielded) {
  if (!yielded.getType().isInteger(8))
    return Stored{yielded};
  Operation *op = yielded.getDefiningOp();
  // Out of range, the program's result is not defined, and a kernel saturates. A kernel rounds, and the program truncates: it must be an integer.
  if (!isa_and_nonnull<arith::FPToSIOp, arith::FPToUIOp>(op) || !isIntegral(op->getOperand(0)))
    return std::nullopt;
  return Stored{op->getOperand(0), isa<arith::FPToUIOp>(op)};
}

// Collects the steps from one of `sources` (the block arguments that hold the contraction's element) to `value`, in order. False if there is no
// chain.
bool getChain(Value value, ArrayRef<BlockArgument> sources, Block &body, SmallVectorImpl<Step> &steps) {
  MLIRContext *context = value.getContext();
  value = skipConversions(value);
  if (llvm::is_contained(sources, value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &body)
    return false;
  if (auto toFloat = dyn_cast<arith::SIToFPOp>(op); toFloat && toFloat.getIn().getType().isInteger(32)) {
    if (!getChain(toFloat.getIn(), sources, body, steps))
      return false;
    steps.push_back({PostOpAttr::get(context, UnaryKind::Convert), {}});
    return true;
  }
  UnaryKind kind{};
  if (Value x = matchUnary(value, kind)) {
    if (!getChain(x, sources, body, steps))
      return false;
    steps.push_back({PostOpAttr::get(context, kind), {}});
    return true;
  }
  auto binary = getBinaryKind(op);
  if (!binary)
    return false;
  // A leaf is a scalar that does not depend on the contraction's element and is not computed in the body.
  auto isLeaf = [&](Value operand) {
    operand = skipConversions(operand);
    if (llvm::is_contained(sources, operand))
      return false;
    return isa<BlockArgument>(operand) || operand.getParentBlock() != &body || getConstant(operand).has_value();
  };
  bool commutes = *binary != BinaryKind::Sub && *binary != BinaryKind::Div;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (commutes && isLeaf(lhs))
    std::swap(lhs, rhs);
  if (!isLeaf(rhs) || !getChain(lhs, sources, body, steps))
    return false;
  steps.push_back({PostOpAttr::get(context, *binary, Broadcast::None), getConstant(rhs) ? rhs : skipConversions(rhs)});
  return true;
}

//===- rewriting -------------------------------------------------------------------------------------------------------------===//

// The operands and attributes of a contraction that fusion changes.
struct Fusion {
  SmallVector<Value> postOperands;
  SmallVector<AffineMap> maps;
  SmallVector<Attribute> postOps;
};

ContractOp rebuild(ContractOp op, RankedTensorType type, const Fusion &fusion, PatternRewriter &rewriter) {
  Value init = op.getInit();
  if (op.getBeta() == 0)
    init = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
  return ContractOp::create(rewriter, op.getLoc(), op, op.getA(), op.getB(), init, fusion.postOperands, fusion.maps,
                            op.getExtents(), rewriter.getArrayAttr(fusion.postOps));
}

// The other operand of a binary step: a tensor, a scalar, or a number.
struct PostOperand {
  Value value;
  std::optional<double> number; // set if there is no value
  AffineMap map;                // from the contraction's loops to the tensor's indices
};

// The loop along which a tensor indexed by `map` is contiguous; -1 if there is none.
int64_t getContiguousLoop(AffineMap map, RankedTensorType type, ArrayRef<int64_t> extents) {
  if (auto view = getLinearView(map, type))
    for (auto [loop, stride] : llvm::enumerate(view->strides))
      if (stride == 1 && extents[loop] > 1)
        return loop;
  return -1;
}

// True if a kernel can load the operand along C's columns: its stride along `loop`, C's contiguous loop, is 1 (one vector of the operand for each
// vector of C) or 0 (one broadcast element). Also true if C has no contiguous loop.
bool followsColumns(AffineMap map, RankedTensorType type, int64_t loop) {
  auto view = getLinearView(map, type);
  return view && (loop < 0 || view->strides[loop] == 0 || view->strides[loop] == 1);
}

// Finds the operand `value` that a binary step of `generic` combines with the contraction's element. `cMap` is the contraction's map of C, and
// `extents` are its loop extents. Creates no ops. nullopt if a kernel cannot load it: its type is none of isChainType, or it does not follow C's
// columns.
std::optional<PostOperand> findPostOperand(Value value, linalg::GenericOp generic, AffineMap cMap, ArrayRef<int64_t> extents) {
  int64_t columns = getContiguousLoop(cMap, cast<RankedTensorType>(generic.getResult(0).getType()), extents);
  AffineMap map = AffineMap::get(cMap.getNumDims(), 0, {}, cMap.getContext());
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == generic.getBlock()) {
    OpOperand *input = generic.getMatchingOpOperand(argument);
    value = input->get();
    if (isa<RankedTensorType>(value.getType()))
      map = generic.getMatchingIndexingMap(input).compose(cMap);
  }
  if (auto number = getConstant(value))
    return PostOperand{{}, number, map};
  if (Type element = getElementTypeOrSelf(value.getType()); !isChainType(element) && !element.isInteger(32))
    return std::nullopt;
  if (!isa<RankedTensorType>(value.getType()))
    return PostOperand{value, std::nullopt, map};
  // Follow relays back to the farthest source that a kernel can load. The relays before that source stay.
  std::optional<PostOperand> found;
  while (true) {
    if (followsColumns(map, cast<RankedTensorType>(value.getType()), columns))
      found = PostOperand{value, std::nullopt, map};
    auto relay = getRelay(value);
    if (!relay)
      return found;
    map = dropDivisions(relay->second.compose(map), extents);
    if (llvm::any_of(map.getResults(), [&](AffineExpr e) { return !getLinearExpr(e, map.getNumDims()); }))
      return found;
    value = relay->first;
  }
}

Value getTensor(const PostOperand &operand, Location loc, OpBuilder &builder) {
  if (operand.number) {
    auto scalar = RankedTensorType::get({}, builder.getF32Type());
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(scalar, static_cast<float>(*operand.number)));
  }
  if (isa<RankedTensorType>(operand.value.getType()))
    return operand.value;
  return tensor::FromElementsOp::create(builder, loc, RankedTensorType::get({}, operand.value.getType()), operand.value);
}

// Whether a kernel stores elements of type `to` after post-ops on the sums of `contract`.
bool canStore(ContractOp contract, Type to) {
  Type from = getElementTypeOrSelf(contract->getResult(0).getType()), input = getElementTypeOrSelf(contract.getA().getType());
  if (input.isInteger(8) && from.isInteger(32))
    return to == from || (contract.getBeta() == 0 && (isChainType(to) || to.isInteger(8)));
  if (input.isInteger(8)) // converted already; the elements of C must be those of the chain
    return isChainType(from) && (isChainType(to) || to.isInteger(8));
  return to == from || (contract.getBeta() == 0 && (to.isF32() || ((to.isBF16() || to.isF16()) && to == input)));
}

// Whether the kernels for groups of channels can read the post operands of a grouped contraction with this type, operands and maps.
bool canReadByChannels(ContractOp contract, RankedTensorType type, const Fusion &fusion, ArrayRef<PostOperand> operands) {
  SmallVector<ShapedType> types = {cast<ShapedType>(contract.getA().getType()), cast<ShapedType>(contract.getB().getType()),
                                   type};
  for (Value operand : fusion.postOperands)
    types.push_back(cast<ShapedType>(operand.getType()));
  SmallVector<AffineMap> maps = fusion.maps;
  for (const PostOperand &operand : operands) {
    auto tensor = operand.value ? dyn_cast<RankedTensorType>(operand.value.getType()) : RankedTensorType();
    types.push_back(tensor ? tensor : RankedTensorType::get({}, Float32Type::get(contract.getContext())));
    maps.push_back(operand.map);
  }
  auto contraction = getContractionInfo(maps, types, contract.getExtents(), getTarget(contract));
  auto convolution = contraction ? matchGroupedConvolution(*contraction, maps, types, contract.getExtents()) : std::nullopt;
  return convolution && convolution->hasChannelStrides(*contraction);
}

struct FuseGeneric : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp generic, PatternRewriter &rewriter) const override {
    if (!generic.hasPureTensorSemantics() || generic.getNumDpsInits() != 1 ||
        generic.getNumParallelLoops() != generic.getNumLoops())
      return rewriter.notifyMatchFailure(generic, "not elementwise into one tensor");
    auto type = cast<RankedTensorType>(generic.getResult(0).getType());
    if (!generic.getIndexingMapsArray().back().isIdentity())
      return rewriter.notifyMatchFailure(generic, "the output is not in loop order");
    Block &body = *generic.getBlock();
    std::optional<Stored> stored = getStored(body.getTerminator()->getOperand(0));
    if (!stored ||
        !(isChainType(type.getElementType()) || type.getElementType().isInteger(8) || type.getElementType().isInteger(32)))
      return rewriter.notifyMatchFailure(generic, "kernels do not store this type after post-ops");
    if (!body.getArguments().back().use_empty())
      return rewriter.notifyMatchFailure(generic, "reads its output");

    ContractOp contract;
    SmallVector<BlockArgument> sources;
    SmallVector<Step> steps;
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      auto candidate = operand->get().getDefiningOp<ContractOp>();
      auto candidateType = candidate ? cast<RankedTensorType>(candidate->getResult(0).getType()) : RankedTensorType();
      if (!candidate || candidateType.getShape() != type.getShape() || !canStore(candidate, type.getElementType()))
        continue;
      sources.clear();
      steps.clear();
      bool all = true;
      for (OpOperand &use : candidate->getResult(0).getUses()) {
        all = all && use.getOwner() == generic.getOperation() && !generic.isDpsInit(&use) &&
              generic.getMatchingIndexingMap(&use).isIdentity();
        if (all)
          sources.push_back(generic.getMatchingBlockArgument(&use));
      }
      if (all && getChain(stored->value, sources, body, steps)) {
        contract = candidate;
        break;
      }
    }
    if (!contract)
      return rewriter.notifyMatchFailure(generic,
                                         "no contraction has this as its only user, through a chain of unary and binary kinds");
    if (contract.getPostOps().size() + steps.size() > TPP_MAX_POST_OPS)
      return rewriter.notifyMatchFailure(generic, "more post-ops than a kernel supports");

    Fusion fusion{llvm::to_vector(contract.getPostOperands()), contract.getMaps(), llvm::to_vector(contract.getPostOps())};
    AffineMap cMap = fusion.maps[2];
    SmallVector<PostOperand> operands;
    for (const Step &step : steps) {
      fusion.postOps.push_back(step.op);
      if (!step.operand)
        continue;
      auto operand = findPostOperand(step.operand, generic, cMap, contract.getExtents());
      if (!operand)
        return rewriter.notifyMatchFailure(
            generic, "a post operand has another type, or is neither contiguous nor broadcast along the columns");
      operands.push_back(*operand);
    }
    if (contract.getGrouped() && !canReadByChannels(contract, type, fusion, operands))
      return rewriter.notifyMatchFailure(generic, "a post operand has no single stride along the channels");
    for (const PostOperand &operand : operands) {
      fusion.postOperands.push_back(getTensor(operand, generic.getLoc(), rewriter));
      fusion.maps.push_back(operand.map);
    }
    ContractOp fused = rebuild(contract, type, fusion, rewriter);
    fused.setCUnsigned(stored->isUnsigned);
    rewriter.replaceOp(generic, fused);
    return success();
  }
};

// Composes a reshape or transpose of a contraction's result into the contraction's map of C. Elementwise consumers of the reshape or transpose can
// then fuse.
struct AbsorbRelayout : public OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op, PatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getInit().getType()) || op.getBeta() != 0 || !op->getResult(0).hasOneUse())
      return rewriter.notifyMatchFailure(op, "the result has several users, or its accumulator is an input");
    Operation *user = *op->getResult(0).getUsers().begin();
    if ((op.getWinograd() || op.getGrouped()) && isa<linalg::TransposeOp>(user))
      return rewriter.notifyMatchFailure(op, "kernels of images write pixels in the order in which they read them");
    Fusion fusion{llvm::to_vector(op.getPostOperands()), op.getMaps(), llvm::to_vector(op.getPostOps())};
    auto written = writeThroughReshape(user, fusion.maps[2], op.getExtents());
    if (auto transpose = dyn_cast<linalg::TransposeOp>(user); transpose && transpose.getInput() == op->getResult(0))
      written = AffineMap::get(fusion.maps[2].getNumDims(), 0,
                               applyPermutation(fusion.maps[2].getResults(), transpose.getPermutation()), rewriter.getContext());
    if (!written)
      return rewriter.notifyMatchFailure(op, "neither reshaped nor transposed, or a loop is split in two");
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user)) {
      ArrayRef<int64_t> shape = expand.getResultType().getShape();
      if (llvm::count_if(expand.getReassociationIndices().back(), [&](int64_t dim) { return shape[dim] != 1; }) > 1)
        return rewriter.notifyMatchFailure(op, "channels are split, which kernels know as one dimension");
    }
    auto type = cast<RankedTensorType>(user->getResult(0).getType());
    if (getContiguousLoop(*written, type, op.getExtents()) !=
        getContiguousLoop(fusion.maps[2], cast<RankedTensorType>(op->getResult(0).getType()), op.getExtents()))
      return rewriter.notifyMatchFailure(op, "another dimension would become innermost, and the operand layouts do not suit it");
    fusion.maps[2] = *written;
    rewriter.replaceOp(user, rebuild(op, type, fusion, rewriter));
    return success();
  }
};

// Drops the last post-ops before a store of 8-bit integers if they do what the store does: it rounds to nearest even and saturates.
struct DropStoreSteps : public OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast_if_present<RankedTensorType>(op->getNumResults() ? op->getResult(0).getType() : Type());
    if (!type || !type.getElementType().isInteger(8))
      return rewriter.notifyMatchFailure(op, "stores no 8-bit integers");
    Fusion fusion{llvm::to_vector(op.getPostOperands()), op.getMaps(), llvm::to_vector(op.getPostOps())};
    double low = lowest8(op.getCUnsigned()), high = highest8(op.getCUnsigned());
    auto isStep = [&](PostOpAttr step) {
      if (step.isUnary())
        return step.getUnaryKind() == UnaryKind::Round || (step.getUnaryKind() == UnaryKind::Relu && low == 0);
      std::optional<double> number = getConstant(fusion.postOperands.back());
      if (!number)
        return false;
      BinaryKind kind = step.getBinaryKind();
      return (kind == BinaryKind::Max && *number <= low) || (kind == BinaryKind::Min && *number >= high) ||
             (kind == BinaryKind::Add && *number == 0);
    };
    size_t before = fusion.postOps.size();
    for (; !fusion.postOps.empty(); fusion.postOps.pop_back()) {
      auto step = cast<PostOpAttr>(fusion.postOps.back());
      if (!isStep(step))
        break;
      if (!step.isUnary())
        fusion.postOperands.pop_back(), fusion.maps.pop_back();
    }
    if (fusion.postOps.size() == before)
      return rewriter.notifyMatchFailure(op, "the last post-op changes what is stored");
    rewriter.replaceOp(op, rebuild(op, type, fusion, rewriter));
    return success();
  }
};

struct FusePostOps : public impl::FusePostOpsBase<FusePostOps> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseGeneric, AbsorbRelayout, DropStoreSteps>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp
