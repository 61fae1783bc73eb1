// Descriptions of contractions and their dimensions in brgemm (see Contractions.h).
#include "lowering/analysis/Contractions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tpp {

//===- descriptions ----------------------------------------------------------------------------------------------------------===//

// Finds C's contiguous dimension, and makes B the operand that has it. The only place that decides which operand is B.
static void orient(ContractionInfo &info) {
  for (auto [i, dim] : llvm::enumerate(info.dims))
    if (dim.extent > 1 && dim.c() == 1) {
      info.columnDim = i;
      if (dim.b() == 0 && dim.a() != 0)
        info.swapInputs();
      break;
    }
}

// The view of an operand. In VNNI form, a step of the loop over groups moves by a group divided by its steps: the address of every first step of a
// group is exact, and kernels know the places of the others.
static std::optional<LinearView> getOperandView(AffineMap map, ShapedType type, std::optional<VnniForm> vnni) {
  if (!vnni)
    return getLinearView(map, type);
  std::optional<SmallVector<int64_t>> strides = getStaticStrides(type);
  if (!strides || strides->back() != 1 || (*strides)[vnni->group] % vnni->factor != 0)
    return std::nullopt;
  SmallVector<AffineExpr> exprs(map.getResults().drop_back());
  exprs[vnni->group] = getAffineDimExpr(vnni->loop, map.getContext());
  strides->pop_back();
  (*strides)[vnni->group] /= vnni->factor;
  return getLinearView(AffineMap::get(map.getNumDims(), 0, exprs, map.getContext()), *strides);
}

std::optional<ContractionInfo> getContractionInfo(ArrayRef<AffineMap> maps, ArrayRef<ShapedType> types, ArrayRef<int64_t> extents,
                                                  TargetAttr target, ArrayRef<bool> isConstant) {
  ContractionInfo info;
  info.target = target;
  SmallVector<LinearView> views;
  std::optional<unsigned> groupedLoop;
  for (auto [i, map, type] : llvm::enumerate(maps, types)) {
    std::optional<VnniForm> vnni = getVnniForm(map);
    std::optional<LinearView> view = getOperandView(map, type, vnni);
    if (!view)
      return std::nullopt;
    bool constant = i < isConstant.size() && isConstant[i];
    info.operands.push_back(
        {type.getElementType(), /*isUnsigned=*/false, constant, vnni ? vnni->factor : 1, view->offset, type.getNumElements()});
    views.push_back(std::move(*view));
    if (vnni)
      groupedLoop = vnni->loop;
  }
  for (auto [i, extent] : llvm::enumerate(extents)) {
    ContractionDim dim;
    dim.extent = extent, dim.index = static_cast<int>(i);
    for (const LinearView &view : views)
      dim.strides.push_back(view.strides[i]);
    dim.reduction = dim.c() == 0;
    dim.grouped = groupedLoop == i;
    info.dims.push_back(dim);
  }
  orient(info);
  return info;
}

std::optional<ContractionInfo> getContractionInfo(ContractOp op, ArrayRef<AffineMap> maps, ArrayRef<ShapedType> types,
                                                  ArrayRef<int64_t> extents, TargetAttr target, ArrayRef<bool> isConstant) {
  std::optional<ContractionInfo> info = getContractionInfo(maps, types, extents, target, isConstant);
  if (!info)
    return std::nullopt;
  bool isUnsigned[] = {op.getAUnsigned(), op.getBUnsigned()};
  for (unsigned i : {0u, 1u})
    info->operands[i].isUnsigned = isUnsigned[info->getOpOperand(i)];
  info->operands[2].isUnsigned = op.getCUnsigned();
  info->beta = static_cast<int64_t>(op.getBeta());
  info->postOps = llvm::to_vector<0>(op.getPostOps().getAsRange<PostOpAttr>());
  return info;
}

static SmallVector<ShapedType> getOperandTypes(ContractOp op) {
  return llvm::map_to_vector(op->getOperands(), [](Value operand) { return cast<ShapedType>(operand.getType()); });
}

static std::optional<ContractionInfo> describe(ContractOp op, TargetAttr target, ArrayRef<bool> isConstant) {
  if (op.getWinograd())
    return std::nullopt;
  return getContractionInfo(op, op.getMaps(), getOperandTypes(op), op.getExtents(), target, isConstant);
}

std::optional<ContractionInfo> getWinogradInfo(ContractOp op, TargetAttr target) {
  SmallVector<AffineMap> maps = op.getMaps();
  SmallVector<AffineExpr> first(maps[1].getNumResults(), getAffineConstantExpr(0, op.getContext()));
  maps[1] = AffineMap::get(maps[1].getNumDims(), 0, first, op.getContext());
  return getContractionInfo(op, maps, getOperandTypes(op), op.getExtents(), target, {});
}

std::optional<ContractionInfo> getContractionInfo(ContractOp op, TargetAttr target, ConstantAnalysis &constants) {
  if (!op.getResult())
    return describe(op, target, {});
  return describe(op, target, {constants.dependsOnConstantsOnly(op.getA()), constants.dependsOnConstantsOnly(op.getB())});
}

std::optional<ContractionInfo> getContractionInfo(ContractOp op, TargetAttr target) {
  ConstantAnalysis constants;
  return getContractionInfo(op, target, constants);
}

//===- dimensions of brgemm --------------------------------------------------------------------------------------------------===//

// Removes the best eligible dimension from `dims` and returns it. Returns a dimension of extent 1 if none is eligible.
template <typename Eligible, typename Better>
static ContractionDim takeDim(SmallVectorImpl<ContractionDim> &dims, size_t operands, Eligible eligible, Better better) {
  auto best = dims.end();
  for (auto it = dims.begin(); it != dims.end(); ++it)
    if (eligible(*it) && (best == dims.end() || better(*it, *best)))
      best = it;
  if (best == dims.end())
    return ContractionDim{{1, false, -1, SmallVector<int64_t, 4>(operands, 0)}, false};
  ContractionDim dim = *best;
  dims.erase(best);
  return dim;
}

int64_t BrgemmDims::getDepth() const {
  int64_t depth = k.extent;
  for (const ContractionDim &dim : reductions)
    depth *= dim.extent;
  return depth;
}

BrgemmDims getBrgemmDims(const ContractionInfo &info) {
  SmallVector<ContractionDim> dims;
  for (const ContractionDim &dim : info.dims)
    if (dim.extent != 1)
      dims.push_back(dim);
  mergeRuns(dims);

  BrgemmDims brgemm;
  size_t count = info.operands.size();
  auto longer = [](const ContractionDim &x, const ContractionDim &y) { return x.extent > y.extent; };
  // Of dimensions that fill a few register tiles (height and width of an image, or the rows of a block and the blocks), the one with the smaller
  // stride in C is used: a large stride maps rows of C to few cache sets.
  auto closer = [](const ContractionDim &x, const ContractionDim &y) {
    constexpr int64_t enoughRows = 16;
    int64_t xRows = std::min(x.extent, enoughRows), yRows = std::min(y.extent, enoughRows);
    return xRows != yRows ? xRows > yRows : x.c() < y.c();
  };
  brgemm.n =
      takeDim(dims, count, [](const ContractionDim &d) { return d.c() == 1 && d.getRole() == DimensionRole::Column; }, longer);
  brgemm.m = takeDim(dims, count, [](const ContractionDim &d) { return d.getRole() == DimensionRole::Row; }, closer);
  // A reduction that is contiguous in A is read in whole cache lines: it becomes k unless it is too short. Both operands must vary
  // along k, since kernels do not accept a stride of 0. A reduction along which one operand is broadcast becomes a batch dimension of
  // brgemm, where a stride of 0 is allowed. If B has VNNI form, k has its groups.
  brgemm.k = takeDim(
      dims, count, [](const ContractionDim &d) { return d.getRole() == DimensionRole::Reduction && d.a() != 0 && d.b() != 0; },
      [](const ContractionDim &x, const ContractionDim &y) {
        if (x.grouped != y.grouped)
          return x.grouped;
        bool xRuns = x.a() == 1 && x.extent >= fewestContiguousSteps, yRuns = y.a() == 1 && y.extent >= fewestContiguousSteps;
        if (xRuns != yRuns)
          return xRuns;
        return x.extent != y.extent ? x.extent > y.extent : x.a() < y.a();
      });
  for (const ContractionDim &dim : dims)
    (dim.reduction ? brgemm.reductions : brgemm.outer).push_back(dim);
  // Largest stride in C first, so that results are written in memory order.
  llvm::stable_sort(brgemm.outer, [](const ContractionDim &x, const ContractionDim &y) { return x.c() > y.c(); });
  return brgemm;
}

Operation *getAccumulatedProduct(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  BlockArgument out = body.getArguments().back();
  Operation *add = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) || !llvm::is_contained(add->getOperands(), out))
    return nullptr;
  Operation *multiply = add->getOperand(add->getOperand(0) == out ? 1 : 0).getDefiningOp();
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply) ? multiply : nullptr;
}

bool isZero(Value number) { return matchPattern(number, m_AnyZeroFloat()) || matchPattern(number, m_Zero()); }

bool isZeroFill(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && isZero(fill.getInputs()[0]);
}

} // namespace mlir::tpp
