// Turns every contraction and convolution into tpp.contract, a common form with linear maps.
//
// Relayouts next to a contraction become part of its maps: a transposed, sliced, broadcast or reshaped operand is read in place, without the
// relayout, and a transposed result is written directly. Contractions that brgemm cannot compute fast (no kernel for the types, a
// matrix-vector product along the rows of the matrix) stay linalg and are vectorized inline.
#include "lowering/Passes.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/Relay.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_NORMALIZECONTRACTIONS
#include "lowering/Passes.h.inc"

namespace {

// The arguments of the tpp.contract to create: C[cMap] = sum of A[aMap] * B[bMap], over a loop nest of `extents`.
struct ContractForm {
  Value a, b;
  AffineMap aMap, bMap, cMap;
  SmallVector<int64_t> extents;
};

// True for `yield(out + lhs * rhs)`, in any order of operands.
bool isMultiplyAccumulate(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  if (body.getNumArguments() != 3 || body.getOperations().size() != 3)
    return false;
  Operation *add = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp>(add))
    return false;
  Value product = add->getOperand(0) == body.getArgument(2) ? add->getOperand(1) : add->getOperand(0);
  if (add->getOperand(0) != body.getArgument(2) && add->getOperand(1) != body.getArgument(2))
    return false;
  auto multiply = product.getDefiningOp<arith::MulFOp>();
  if (!multiply)
    return false;
  Value x = multiply.getLhs(), y = multiply.getRhs();
  return (x == body.getArgument(0) && y == body.getArgument(1)) || (x == body.getArgument(1) && y == body.getArgument(0));
}

// True if an operand read at `map` varies along every reduction loop. Kernels do not accept an operand that is broadcast along a reduction.
bool variesAlongReductions(AffineMap map, const ContractForm &c) {
  for (auto [loop, extent] : llvm::enumerate(c.extents))
    if (extent > 1 && !c.cMap.isFunctionOfDim(loop) && !map.isFunctionOfDim(loop))
      return false;
  return true;
}

// Replaces `operand` by the source of the relay that produces it (Relay.h), as long as the map stays linear and varies along the sum.
void readThroughRelays(ContractForm &c, Value ContractForm::*operand, AffineMap ContractForm::*map, ConstantAnalysis &constants) {
  while (auto relay = getRelay(c.*operand)) {
    // The relayout of a constant runs once, in prepack, so it may stay. It is read through only if it is a permutation, after which the
    // constant can still be packed, or a broadcast, which would enlarge the constant.
    if (constants.dependsOnConstantsOnly(c.*operand) && !relay->second.isProjectedPermutation())
      return;
    ContractForm next = c;
    next.*operand = relay->first;
    next.*map = dropDivisions(relay->second.compose(c.*map), next.extents);
    while (auto split = findDimToSplit(next.*map, next.extents)) {
      auto [dim, inner] = *split;
      for (AffineMap ContractForm::*each : {&ContractForm::aMap, &ContractForm::bMap, &ContractForm::cMap})
        next.*each = splitDim(next.*each, dim, inner);
      next.extents.push_back(inner);
      next.extents[dim] /= inner;
      next.*map = dropDivisions(next.*map, next.extents);
    }
    for (AffineExpr expr : (next.*map).getResults())
      if (!getLinearExpr(expr, (next.*map).getNumDims()))
        return;
    if (!variesAlongReductions(next.*map, next))
      return;
    c = next;
  }
}

// True if a reshape merges several dimensions of a size other than 1 into one.
bool mergesDims(Operation *reshape) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape);
  return collapse && llvm::any_of(collapse.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
           return llvm::count_if(group, [&](int64_t dim) { return collapse.getSrcType().getDimSize(dim) != 1; }) > 1;
         });
}

// Follows the only user of `value`, through reshapes that merge nothing but unit dimensions, to a transposition that keeps the innermost
// dimension. Returns the transposed value and changes `map`, the output's map, to write it directly. Null if there is no such transposition.
Value writeThroughTranspose(Value value, AffineMap &map) {
  MLIRContext *context = value.getContext();
  AffineMap current = map;
  while (value.hasOneUse()) {
    Operation *user = *value.getUsers().begin();
    if (auto reshaped = writeThroughReshape(user, current)) {
      if (mergesDims(user))
        return {};
      current = *reshaped;
      value = user->getResult(0);
      continue;
    }
    auto transpose = dyn_cast<linalg::TransposeOp>(user);
    if (!transpose || transpose.getInput() != value || transpose.getPermutation().empty() ||
        transpose.getPermutation().back() != static_cast<int64_t>(current.getNumResults()) - 1)
      return {};
    SmallVector<AffineExpr> exprs;
    for (int64_t p : transpose.getPermutation())
      exprs.push_back(current.getResult(p));
    map = AffineMap::get(current.getNumDims(), 0, exprs, context);
    return transpose->getResult(0);
  }
  return {};
}

// If the only user of `value` collapses the groups of a grouped contraction (a dimension of both operands) with their channels: returns the
// collapsed value and changes c.cMap to write it directly. Then the layout stage sees the collapsed channels as one dimension. Null otherwise.
Value writeThroughCollapsedGroups(Value value, ContractForm &c) {
  auto isGroup = [&](AffineExpr expr) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    return loop && c.extents[loop.getPosition()] > 1 && c.aMap.isFunctionOfDim(loop.getPosition()) &&
           c.bMap.isFunctionOfDim(loop.getPosition());
  };
  auto collapse = value.hasOneUse() ? dyn_cast<tensor::CollapseShapeOp>(*value.getUsers().begin()) : tensor::CollapseShapeOp();
  if (!collapse || llvm::none_of(collapse.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
        return group.size() > 1 && llvm::any_of(group, [&](int64_t dim) { return isGroup(c.cMap.getResult(dim)); });
      }))
    return {};
  std::optional<AffineMap> collapsed = writeThroughReshape(collapse, c.cMap);
  if (!collapsed)
    return {};
  c.cMap = *collapsed;
  return collapse->getResult(0);
}

// The reason why brgemm does not compute this contraction into a value of type `cType`; null if it does.
const char *whyNot(const ContractForm &form, RankedTensorType cType, TargetAttr target, ConstantAnalysis &constants) {
  auto contraction = getContractionInfo(
      {form.aMap, form.bMap, form.cMap},
      {cast<RankedTensorType>(form.a.getType()), cast<RankedTensorType>(form.b.getType()), cType}, form.extents, target);
  if (!contraction)
    return "an operand's map is not linear";
  if (!hasBrgemmKernel(*contraction))
    return "no brgemm kernel for these element types";
  if (llvm::is_contained(form.extents, 0) || cType.getNumElements() == 0)
    return "a dimension is empty";
  if (!variesAlongReductions(form.aMap, form) || !variesAlongReductions(form.bMap, form))
    return "an operand is broadcast along a reduction";
  if (!contraction->columnDim)
    return "the output has one element";
  const ContractionDim &columns = contraction->dims[*contraction->columnDim];
  if (columns.getRole() != DimensionRole::Column)
    return "the output's contiguous dimension is not in exactly one operand";
  int64_t rows = contraction->getExtent(DimensionRole::Row), depth = contraction->getExtent(DimensionRole::Reduction);
  if (depth == 1)
    return "there is no reduction";
  if (rows > 1 || constants.dependsOnConstantsOnly(contraction->swapped ? form.a : form.b))
    return nullptr;
  // Depthwise convolutions: each sum is too short for one kernel call per channel and row.
  constexpr int64_t shortSum = 32;
  if (depth < shortSum)
    return "a short reduction for a single row, which is vectorized instead";
  if (columns.b() != 1)
    return "a matrix-vector product along the rows of the matrix, which is vectorized over the reduction instead";
  return nullptr;
}

struct NormalizeContraction : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  NormalizeContraction(MLIRContext *context, bool fusesBias, ConstantAnalysis &constants)
      : OpInterfaceRewritePattern(context), fusesBias(fusesBias), constants(constants) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
      return rewriter.notifyMatchFailure(op, "not two input tensors and one output tensor");
    if (op.hasDynamicShape() || !isMultiplyAccumulate(op))
      return rewriter.notifyMatchFailure(op, "not a static multiply-accumulate");
    auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
    TargetAttr target = getTarget(op);

    ContractForm c{op.getDpsInputs()[0],         op.getDpsInputs()[1],         op.getIndexingMapsArray()[0],
                   op.getIndexingMapsArray()[1], op.getIndexingMapsArray()[2], op.getStaticLoopRanges()};
    readThroughRelays(c, &ContractForm::a, &ContractForm::aMap, constants);
    readThroughRelays(c, &ContractForm::b, &ContractForm::bMap, constants);

    // The accumulator is zero (beta 0), a broadcast bias (beta 0 and a post-op), or another value (beta 1).
    Value init = op.getDpsInits()[0];
    int64_t beta = 1;
    SmallVector<Value> postOperands;
    SmallVector<Attribute> postOps;
    SmallVector<AffineMap> postMaps;
    if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
      if (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
        beta = 0;
    } else if (auto relay = fusesBias ? getRelay(init) : std::nullopt;
               relay && isa_and_nonnull<linalg::BroadcastOp, linalg::GenericOp>(init.getDefiningOp())) {
      beta = 0;
      postOperands.push_back(relay->first);
      postOps.push_back(PostOpAttr::get(rewriter.getContext(), BinaryKind::Add, Broadcast::None));
      postMaps.push_back(relay->second.compose(c.cMap));
    }

    Value replaced = op->getResult(0);
    if (beta == 0) {
      AffineMap before = c.cMap;
      Value written = writeThroughCollapsedGroups(replaced, c);
      if (!written)
        written = writeThroughTranspose(replaced, c.cMap);
      if (written) {
        replaced = written;
        resultType = cast<RankedTensorType>(written.getType());
        if (whyNot(c, resultType, target, constants)) {
          c.cMap = before;
          replaced = op->getResult(0);
          resultType = cast<RankedTensorType>(replaced.getType());
        }
      }
    }
    if (const char *reason = whyNot(c, resultType, target, constants))
      return rewriter.notifyMatchFailure(op, reason);
    if (beta == 0)
      init = tensor::EmptyOp::create(rewriter, op.getLoc(), resultType.getShape(), resultType.getElementType());

    SmallVector<AffineMap> maps = {c.aMap, c.bMap, c.cMap};
    llvm::append_range(maps, postMaps);
    auto contract = ContractOp::create(rewriter, op.getLoc(), TypeRange{resultType}, c.a, c.b, init, postOperands,
                                       rewriter.getAffineMapArrayAttr(maps), rewriter.getDenseI64ArrayAttr(c.extents),
                                       rewriter.getI64IntegerAttr(beta), rewriter.getArrayAttr(postOps));
    for (StringRef name : kStrategyAttrs)
      if (Attribute value = op->getDiscardableAttr(name))
        contract->setDiscardableAttr(name, value);
    if (replaced == op->getResult(0)) {
      rewriter.replaceOp(op, contract);
    } else {
      rewriter.replaceAllUsesWith(replaced, contract->getResult(0));
    }
    return success();
  }

private:
  bool fusesBias;
  ConstantAnalysis &constants;
};

struct NormalizeContractions : public impl::NormalizeContractionsBase<NormalizeContractions> {
  using NormalizeContractionsBase::NormalizeContractionsBase;

  void runOnOperation() override {
    // One forward sweep: the contractions that produce operands are normalized before their users, and relays between two contractions are
    // absorbed once. So the analysis has only visited values defined before the op that is replaced, and its answers stay valid.
    ConstantAnalysis constants;
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    NormalizeContraction pattern(&getContext(), postOps, constants);
    PatternRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      if (failed(pattern.matchAndRewrite(op, rewriter)) && op->hasAttr(kPackingAttr))
        op->emitRemark("the packing strategy is ignored: no kernel computes this contraction, it becomes vector code");
    }
  }
};

} // namespace
} // namespace mlir::tpp
