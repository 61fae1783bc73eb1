//===- RowAccesses.cpp - loads and stores of a loop over rows, by row --------------------------------------------------------===//
//
// Each access is traced back to a multiple of the row index plus a range of bytes.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/rows/RowAccesses.h"
#include "lowering/analysis/BufferSize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using tpp::RowAccess, tpp::RowRange;

namespace {
/// The memory of a buffer, as the bytes [first, last) of `base`: for a part of the workspace a range of the workspace, for any other buffer all of
/// that buffer.
struct Extent {
  Value base;
  int64_t first = 0, last = std::numeric_limits<int64_t>::max();
};
} // namespace

static RowRange operator+(RowRange x, RowRange y) { return {x.perRow + y.perRow, x.least + y.least, x.most + y.most}; }
static RowRange operator*(RowRange x, int64_t by) {
  RowRange product = {x.perRow * by, x.least * by, x.most * by};
  if (by < 0)
    std::swap(product.least, product.most);
  return product;
}

/// The values of an index inside the loop `row`. nullopt unless the index is a sum of constants and of multiples of the row index and of counters of
/// loops with constant bounds.
static std::optional<RowRange> rangeOf(Value index, scf::ForallOp row);

/// The same for an affine expression whose dimensions and symbols are `operands`.
static std::optional<RowRange> rangeOf(AffineExpr expr, unsigned dims, ValueRange operands, scf::ForallOp row) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return RowRange{0, constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return rangeOf(operands[dim.getPosition()], row);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return rangeOf(operands[dims + symbol.getPosition()], row);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<RowRange> lhs = rangeOf(binary.getLHS(), dims, operands, row);
  if (!lhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return factor ? std::optional<RowRange>(*lhs * factor.getValue()) : std::nullopt;
  }
  std::optional<RowRange> rhs = rangeOf(binary.getRHS(), dims, operands, row);
  return rhs && expr.getKind() == AffineExprKind::Add ? std::optional<RowRange>(*lhs + *rhs) : std::nullopt;
}

static std::optional<RowRange> rangeOf(Value index, scf::ForallOp row) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return RowRange{0, *constant, *constant};
  if (index == row.getInductionVars().front())
    return RowRange{1, 0, 0};
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return std::nullopt;
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    if (!lower || !upper || !step || *step < 1)
      return std::nullopt;
    int64_t last = *upper <= *lower ? *lower : *lower + (*upper - 1 - *lower) / *step * *step;
    return RowRange{0, *lower, last};
  }
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
    return rangeOf(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands(), row);
  if (auto add = index.getDefiningOp<arith::AddIOp>()) {
    std::optional<RowRange> lhs = rangeOf(add.getLhs(), row), rhs = rangeOf(add.getRhs(), row);
    return lhs && rhs ? std::optional<RowRange>(*lhs + *rhs) : std::nullopt;
  }
  return std::nullopt;
}

/// Number of lanes that a vector access may touch: those of a constant mask, otherwise all.
static int64_t countLanes(VectorType type, Value mask) {
  if (mask)
    if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
      return constant.getMaskDimSizes().front();
  return type.getNumElements();
}

/// The access of a load or store; nullopt for other operations and for unknown addresses.
static std::optional<RowAccess> accessOf(Operation *op, scf::ForallOp row) {
  Value memref;
  ValueRange indices;
  int64_t elements = 1;
  bool writes = false;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    memref = load.getMemRef(), indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    memref = store.getMemRef(), indices = store.getIndices(), writes = true;
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    memref = load.getBase(), indices = load.getIndices(), elements = load.getVectorType().getNumElements();
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    memref = store.getBase(), indices = store.getIndices(), writes = true, elements = store.getVectorType().getNumElements();
  } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    memref = load.getBase(), indices = load.getIndices(), elements = countLanes(load.getVectorType(), load.getMask());
  } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    memref = store.getBase(), indices = store.getIndices(), writes = true;
    elements = countLanes(store.getVectorType(), store.getMask());
  } else {
    return std::nullopt;
  }
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  std::optional<int64_t> bytes = tpp::getElementBytes(type.getElementType());
  // A vector extends along the last dimension, which must be contiguous.
  if (!bytes || failed(type.getStridesAndOffset(strides, offset)) || (elements > 1 && strides.back() != 1))
    return std::nullopt;
  Value anchor;
  if (ShapedType::isDynamic(offset)) {
    if (!memref.getDefiningOp() || row->isProperAncestor(memref.getDefiningOp()))
      return std::nullopt;
    anchor = memref, offset = 0;
  }
  RowRange range = {0, offset, offset + elements};
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    std::optional<RowRange> part = rangeOf(index, row);
    if (!part || ShapedType::isDynamic(stride))
      return std::nullopt;
    range = range + *part * stride;
  }
  Value buffer = tpp::getBuffer(memref);
  // Different values of these kinds are different buffers. Values of other kinds (casts of booleans to bytes) may alias.
  if (!isa<BlockArgument>(buffer) &&
      !isa<memref::AllocaOp, memref::AllocOp, memref::ViewOp, memref::GetGlobalOp>(buffer.getDefiningOp()))
    return std::nullopt;
  return RowAccess{op, memref, buffer, anchor, *bytes, range * *bytes, writes};
}

std::optional<SmallVector<RowAccess>> tpp::accessesOf(scf::ForallOp loop) {
  SmallVector<RowAccess> accesses;
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (std::optional<RowAccess> access = accessOf(op, loop)) {
      accesses.push_back(*access);
      return WalkResult::advance();
    }
    bool harmless =
        isa<scf::ForOp, scf::YieldOp, scf::InParallelOp, memref::AllocaOp, memref::PrefetchOp>(op) || isMemoryEffectFree(op);
    return harmless ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? std::nullopt : std::optional(std::move(accesses));
}

static Extent extentOf(Value buffer) {
  if (auto view = buffer.getDefiningOp<memref::ViewOp>())
    if (std::optional<int64_t> shift = getConstantIntValue(view.getByteShift()))
      if (std::optional<int64_t> bytes = tpp::getBufferBytes(view.getType()))
        return {tpp::getBuffer(view.getSource()), *shift, *shift + *bytes};
  // A view at an offset that is not constant may be any part of its source.
  if (auto view = buffer.getDefiningOp<memref::ViewOp>())
    return {tpp::getBuffer(view.getSource())};
  return {buffer};
}

bool tpp::overlap(Value x, Value y) {
  Extent a = extentOf(x), b = extentOf(y);
  return a.base == b.base && a.first < b.last && b.first < a.last;
}

bool tpp::mayConflict(const RowAccess &x, const RowAccess &y) {
  if (!x.writes && !y.writes)
    return false;
  if (x.buffer != y.buffer)
    return overlap(x.buffer, y.buffer);
  if (x.anchor != y.anchor)
    return true;
  int64_t least = std::min(x.range.least, y.range.least), most = std::max(x.range.most, y.range.most);
  return x.range.perRow != y.range.perRow || most - least > std::abs(x.range.perRow);
}

std::optional<int64_t> tpp::rowsOf(scf::ForallOp loop) {
  if (loop.getRank() != 1 || loop.getNumResults() != 0 || loop.getMapping() || !loop.isNormalized())
    return std::nullopt;
  return getConstantIntValue(loop.getMixedUpperBound().front());
}
