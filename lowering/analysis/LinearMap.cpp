// Linear views of operands (see LinearMap.h).
#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tpp {

static bool addLinear(AffineExpr expr, int64_t factor, LinearExpr &result) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    result.coefficients[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    result.constant += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, result) && addLinear(binary.getRHS(), factor, result);
  if (binary.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return addLinear(binary.getLHS(), factor * constant.getValue(), result);
  return false;
}

std::optional<LinearExpr> getLinearExpr(AffineExpr expr, unsigned numDims) {
  LinearExpr result;
  result.coefficients.assign(numDims, 0);
  if (!addLinear(expr, 1, result))
    return std::nullopt;
  return result;
}

std::optional<unsigned> getInnermostLoop(AffineExpr expr, ArrayRef<int64_t> extents) {
  std::optional<LinearExpr> linear = getLinearExpr(expr, extents.size());
  if (!linear)
    return std::nullopt;
  std::optional<unsigned> innermost;
  for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients))
    if (coefficient == 1 && extents[loop] > 1) {
      if (innermost)
        return std::nullopt;
      innermost = loop;
    }
  for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients))
    if (innermost && loop != *innermost && extents[loop] > 1 && coefficient % extents[*innermost] != 0)
      return std::nullopt;
  return innermost;
}

std::optional<int64_t> findDim(AffineMap map, unsigned loop) {
  std::optional<int64_t> position;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (position || !isa<AffineDimExpr>(expr))
      return std::nullopt;
    position = i;
  }
  return position;
}

SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

bool hasContiguousRows(Value value) {
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
    int64_t last = slice.getSourceType().getRank() - 1;
    return !slice.getDroppedDims().test(last) && slice.getStaticStride(last) == 1 && hasContiguousRows(slice.getSource());
  }
  if (Operation *reshape = value.getDefiningOp(); isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshape))
    return hasContiguousRows(reshape->getOperand(0));
  if (auto buffer = value.getDefiningOp<bufferization::ToTensorOp>()) {
    std::optional<SmallVector<int64_t>> strides = getStaticStrides(cast<ShapedType>(buffer.getBuffer().getType()));
    return strides && !strides->empty() && strides->back() == 1;
  }
  return true;
}

std::optional<LinearView> getLinearView(AffineMap map, ArrayRef<int64_t> typeStrides) {
  if (map.getNumSymbols() != 0 || map.getNumResults() != typeStrides.size())
    return std::nullopt;
  LinearView view;
  view.strides.assign(map.getNumDims(), 0);
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), typeStrides)) {
    std::optional<LinearExpr> linear = getLinearExpr(expr, map.getNumDims());
    if (!linear)
      return std::nullopt;
    for (auto [total, coefficient] : llvm::zip_equal(view.strides, linear->coefficients))
      total += coefficient * stride;
    view.offset += linear->constant * stride;
  }
  return view;
}

std::optional<SmallVector<int64_t>> getStaticStrides(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return getRowMajorStrides(type.getShape());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(memref.getStridesAndOffset(strides, offset)) || llvm::is_contained(strides, ShapedType::kDynamic))
    return std::nullopt;
  return strides;
}

std::optional<LinearView> getLinearView(AffineMap map, ShapedType type) {
  std::optional<SmallVector<int64_t>> strides = getStaticStrides(type);
  return strides ? getLinearView(map, *strides) : std::nullopt;
}

Attribute getArgAttr(Value value, StringRef name) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp()) : FunctionOpInterface();
  return func && argument.getOwner()->isEntryBlock() ? func.getArgAttr(argument.getArgNumber(), name) : Attribute();
}

bool isPrepackArgument(Value value) { return bool(getArgAttr(value, kPrepackAttr)); }

bool ConstantAnalysis::dependsOnConstantsOnly(Value value) {
  auto [it, inserted] = known.try_emplace(value, false);
  if (!inserted)
    return it->second;
  if (isPrepackArgument(value))
    return known[value] = true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 1 || !isMemoryEffectFree(op))
    return false;
  bool constant = true;
  for (Value operand : op->getOperands())
    constant = constant && dependsOnConstantsOnly(operand);
  // Values that the op's region uses from outside count as operands.
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (constant && !op->isAncestor(operand.getParentBlock()->getParentOp()))
        constant = dependsOnConstantsOnly(operand);
  });
  known[value] = constant;
  return constant;
}

bool dependsOnConstantsOnly(Value value) { return ConstantAnalysis().dependsOnConstantsOnly(value); }

} // namespace mlir::tpp
