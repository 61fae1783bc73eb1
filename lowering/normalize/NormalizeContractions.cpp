// Turns every contraction and convolution into tpp.contract, a common form with linear maps.
//
// Relayouts next to a contraction become part of its maps: a transposed, sliced, broadcast or reshaped operand is read in place, without the
// relayout, and a transposed result is written directly. Contractions that brgemm cannot compute fast (no kernel for the types, a
// matrix-vector product along the rows of the matrix) stay linalg and are vectorized inline.
#include "lowering/Passes.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/analysis/Moves.h"
#include "lowering/analysis/Relay.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
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
  bool aUnsigned = false, bUnsigned = false;
};

// `yield(out + lhs * rhs)`, in any order of operands. The inputs may be extended to the type of the output first.
struct MultiplyAccumulate {
  bool isUnsigned[2] = {false, false}; // the inputs are extended as unsigned integers
};

std::optional<MultiplyAccumulate> matchMultiplyAccumulate(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  if (body.getNumArguments() != 3)
    return std::nullopt;
  BlockArgument out = body.getArgument(2);
  Operation *multiply = getAccumulatedProduct(op);
  if (!multiply)
    return std::nullopt;
  MultiplyAccumulate found;
  bool uses[2] = {false, false};
  for (Value factor : multiply->getOperands()) {
    Operation *extension = factor.getDefiningOp();
    if (extension && !isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(extension))
      return std::nullopt;
    auto input = dyn_cast<BlockArgument>(extension ? extension->getOperand(0) : factor);
    if (!input || input.getOwner() != &body || input == out || uses[input.getArgNumber()])
      return std::nullopt;
    uses[input.getArgNumber()] = true;
    found.isUnsigned[input.getArgNumber()] = isa_and_nonnull<arith::ExtUIOp>(extension);
  }
  if (body.getArgument(0).getType() != body.getArgument(1).getType())
    return std::nullopt; // tpp.contract has one type for both
  return found;
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

// The same contraction on the elements that the operands have before an op extends them, as exporters write it for bf16 and f16. nullopt if an operand is
// not extended, or they have several types then.
std::optional<ContractForm> readThroughExtensions(ContractForm c, ConstantAnalysis &constants) {
  auto read = [&](Value ContractForm::*operand, AffineMap ContractForm::*map, bool ContractForm::*isUnsigned) {
    std::optional<Extension> extension = getExtension(c.*operand);
    if (!extension)
      return false;
    c.*operand = extension->source;
    c.*map = extension->map.compose(c.*map);
    c.*isUnsigned = extension->isUnsigned;
    readThroughRelays(c, operand, map, constants);
    return true;
  };
  if (!read(&ContractForm::a, &ContractForm::aMap, &ContractForm::aUnsigned) ||
      !read(&ContractForm::b, &ContractForm::bMap, &ContractForm::bUnsigned) ||
      getElementTypeOrSelf(c.a) != getElementTypeOrSelf(c.b))
    return std::nullopt;
  return c;
}

// A value that is added to the sums as a post-op instead of as the first value of the accumulators: a broadcast (a bias), or an extended tensor.
struct AddedInit {
  Value value;
  AffineMap map; // from indices of the result
};
std::optional<AddedInit> getAddedInit(Value init) {
  std::optional<Extension> extension = getExtension(init);
  if (extension && !isa<FloatType>(getElementTypeOrSelf(extension->source)))
    return std::nullopt;
  AffineMap identity = AffineMap::getMultiDimIdentityMap(cast<RankedTensorType>(init.getType()).getRank(), init.getContext());
  AddedInit added = extension ? AddedInit{extension->source, extension->map} : AddedInit{init, identity};
  // A broadcast, perhaps transposed to the layout of the result, or with its channels divided into groups.
  AddedInit source = added;
  while (isa_and_nonnull<linalg::TransposeOp, tensor::ExpandShapeOp>(source.value.getDefiningOp())) {
    auto relay = getRelay(source.value);
    if (!relay)
      break;
    source = {relay->first, relay->second.compose(source.map)};
  }
  auto relay = isa_and_nonnull<linalg::BroadcastOp, linalg::GenericOp>(source.value.getDefiningOp()) ? getRelay(source.value)
                                                                                                     : std::nullopt;
  if (relay)
    return AddedInit{relay->first, relay->second.compose(source.map)};
  return extension ? std::optional(added) : std::nullopt;
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
Value writeThroughTranspose(Value value, AffineMap &map, ArrayRef<int64_t> extents) {
  MLIRContext *context = value.getContext();
  AffineMap current = map;
  while (value.hasOneUse()) {
    Operation *user = *value.getUsers().begin();
    if (auto reshaped = writeThroughReshape(user, current, extents)) {
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
  std::optional<AffineMap> collapsed = writeThroughReshape(collapse, c.cMap, c.extents);
  if (!collapsed)
    return {};
  c.cMap = *collapsed;
  return collapse->getResult(0);
}

void setUnsigned(ContractionInfo &contraction, const ContractForm &form) {
  bool isUnsigned[] = {form.aUnsigned, form.bUnsigned};
  for (unsigned i : {0u, 1u})
    contraction.operands[i].isUnsigned = isUnsigned[contraction.getOpOperand(i)];
}

// The reason why a contraction is no depthwise convolution that kernels compute; null if it is one.
const char *whyNotDepthwise(const ContractForm &form, RankedTensorType cType, TargetAttr target) {
  AffineMap maps[] = {form.aMap, form.bMap, form.cMap};
  ShapedType types[] = {cast<RankedTensorType>(form.a.getType()), cast<RankedTensorType>(form.b.getType()), cType};
  auto contraction = getContractionInfo(maps, types, form.extents, target);
  if (!contraction)
    return "an operand's map is not linear";
  setUnsigned(*contraction, form);
  std::optional<GroupedConvolution> convolution = matchGroupedConvolution(*contraction, maps, types, form.extents);
  return convolution && convolution->isDepthwise() ? nullptr : "it is no depthwise convolution on channels-last images";
}

// Whether each channel of the result is a sum over windows of its own channel of an image, and of nothing else. Kernels for groups compute it where
// channels are innermost, so no layout may be chosen for brgemm.
bool sumsWindowsOfChannels(const ContractForm &form, const ContractionInfo &contraction) {
  if (contraction.getExtent(DimensionRole::Batch) == 1 || contraction.getExtent(DimensionRole::Row) > 1)
    return false;
  // Whether another loop shares the index of an operand's dimension.
  auto slides = [&](const ContractionDim &loop) {
    for (AffineMap map : {form.aMap, form.bMap})
      for (AffineExpr expr : map.getResults())
        for (const ContractionDim &other : contraction.dims)
          if (other.index != loop.index && other.extent > 1 && expr.isFunctionOfDim(loop.index) &&
              expr.isFunctionOfDim(other.index))
            return true;
    return false;
  };
  return llvm::all_of(contraction.dims,
                      [&](const ContractionDim &dim) { return !dim.reduction || dim.extent == 1 || slides(dim); });
}

// The reason why brgemm does not compute this contraction into a value of type `cType`; null if it does.
const char *whyNotBrgemm(const ContractForm &form, RankedTensorType cType, TargetAttr target, ConstantAnalysis &constants) {
  auto contraction = getContractionInfo(
      {form.aMap, form.bMap, form.cMap},
      {cast<RankedTensorType>(form.a.getType()), cast<RankedTensorType>(form.b.getType()), cType}, form.extents, target);
  if (!contraction)
    return "an operand's map is not linear";
  setUnsigned(*contraction, form);
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
  if (sumsWindowsOfChannels(form, *contraction))
    return "a depthwise convolution";
  if (rows > 1 || constants.dependsOnConstantsOnly(contraction->swapped ? form.a : form.b))
    return nullptr;
  // Too short for one kernel call for each.
  constexpr int64_t shortSum = 32;
  if (depth < shortSum)
    return "a short reduction for a single row, which is vectorized instead";
  if (columns.b() != 1)
    return "a matrix-vector product along the rows of the matrix, which is vectorized over the reduction instead";
  return nullptr;
}

// Whether the strides in memory of `value` will be known only at run time: those of slices with dynamic strides.
static bool hasDynamicStrides(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op); slice && ShapedType::isDynamicShape(slice.getStaticStrides()))
      return true;
    if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

// Copies a tensor whose strides kernels could not be given, because they are fixed when kernels are dispatched.
static Value copyIfStridesAreDynamic(RewriterBase &rewriter, Location loc, Value value) {
  if (!hasDynamicStrides(value))
    return value;
  loc = explainMove(loc, MoveReason::Contraction, "kernels need strides that are known at compile time");
  return bufferization::AllocTensorOp::create(rewriter, loc, cast<RankedTensorType>(value.getType()),
                                              /*dynamicSizes=*/ValueRange(), value);
}

struct NormalizeContraction : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  NormalizeContraction(MLIRContext *context, bool fusesBias, bool depthwise, ConstantAnalysis &constants)
      : OpInterfaceRewritePattern(context), fusesBias(fusesBias), depthwise(depthwise), constants(constants) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
      return rewriter.notifyMatchFailure(op, "not two input tensors and one output tensor");
    std::optional<MultiplyAccumulate> body = op.hasDynamicShape() ? std::nullopt : matchMultiplyAccumulate(op);
    if (!body)
      return rewriter.notifyMatchFailure(op, "not a static multiply-accumulate");
    auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
    TargetAttr target = getTarget(op);

    ContractForm c{op.getDpsInputs()[0],         op.getDpsInputs()[1],         op.getIndexingMapsArray()[0],
                   op.getIndexingMapsArray()[1], op.getIndexingMapsArray()[2], op.getStaticLoopRanges(),
                   body->isUnsigned[0],          body->isUnsigned[1]};
    readThroughRelays(c, &ContractForm::a, &ContractForm::aMap, constants);
    readThroughRelays(c, &ContractForm::b, &ContractForm::bMap, constants);
    if (auto narrow = readThroughExtensions(c, constants); narrow && !whyNot(*narrow, resultType, target))
      c = *narrow;

    // The accumulator is zero (beta 0), added as a post-op (beta 0), or another value (beta 1).
    Value init = op.getDpsInits()[0];
    int64_t beta = 1;
    SmallVector<Value> postOperands;
    SmallVector<Attribute> postOps;
    SmallVector<AffineMap> postMaps;
    if (isZeroFill(init)) {
      beta = 0;
    } else if (auto added = fusesBias ? getAddedInit(init) : std::nullopt) {
      beta = 0;
      postOperands.push_back(added->value);
      postOps.push_back(PostOpAttr::get(rewriter.getContext(), BinaryKind::Add, Broadcast::None));
      postMaps.push_back(added->map.compose(c.cMap));
    }

    Value replaced = op->getResult(0);
    if (beta == 0) {
      AffineMap before = c.cMap;
      Value written = writeThroughCollapsedGroups(replaced, c);
      if (!written)
        written = writeThroughTranspose(replaced, c.cMap, c.extents);
      if (written) {
        replaced = written;
        resultType = cast<RankedTensorType>(written.getType());
        if (whyNot(c, resultType, target)) {
          c.cMap = before;
          replaced = op->getResult(0);
          resultType = cast<RankedTensorType>(replaced.getType());
        }
      }
    }
    if (const char *reason = whyNot(c, resultType, target))
      return rewriter.notifyMatchFailure(op, reason);
    if (beta == 0)
      init = tensor::EmptyOp::create(rewriter, op.getLoc(), resultType.getShape(), resultType.getElementType());

    for (Value *operand : {&c.a, &c.b, &init})
      *operand = copyIfStridesAreDynamic(rewriter, op.getLoc(), *operand);
    for (Value &operand : postOperands)
      operand = copyIfStridesAreDynamic(rewriter, op.getLoc(), operand);

    SmallVector<AffineMap> maps = {c.aMap, c.bMap, c.cMap};
    llvm::append_range(maps, postMaps);
    auto contract = ContractOp::create(rewriter, op.getLoc(), TypeRange{resultType}, c.a, c.b, init, postOperands,
                                       rewriter.getAffineMapArrayAttr(maps), rewriter.getDenseI64ArrayAttr(c.extents),
                                       rewriter.getI64IntegerAttr(beta), rewriter.getArrayAttr(postOps),
                                       /*a_unsigned=*/UnitAttr(),
                                       /*b_unsigned=*/UnitAttr(), /*c_unsigned=*/UnitAttr(), /*winograd=*/IntegerAttr(),
                                       /*grouped=*/UnitAttr(), /*padded=*/UnitAttr(), /*border=*/IntegerAttr());
    contract.setAUnsigned(c.aUnsigned);
    contract.setBUnsigned(c.bUnsigned);
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
  const char *whyNot(const ContractForm &form, RankedTensorType cType, TargetAttr target) const {
    return depthwise ? whyNotDepthwise(form, cType, target) : whyNotBrgemm(form, cType, target, constants);
  }

  bool fusesBias, depthwise;
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
    NormalizeContraction pattern(&getContext(), postOps, depthwise, constants);
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
