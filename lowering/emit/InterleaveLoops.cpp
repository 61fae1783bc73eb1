// Unrolls loops over math functions and interleaves their iterations (see InterleaveLoops.h).
#include "lowering/emit/InterleaveLoops.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/rows/RowAccesses.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

/// Chains to interleave. exp and tanh have the shortest chains: four of them and their constants fit into 32 registers.
constexpr int64_t shortChains = 4, longChains = 2;

/// Whether an operation on vectors becomes a long chain of arithmetic. Functions of f64 do not: they become calls.
static bool isFunction(Operation *op) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  return isa<math::MathDialect>(op->getDialect()) && type && type.getElementType().isFloat() && !type.getElementType().isF64() &&
         !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::FloorOp, math::FmaOp, math::RoundEvenOp,
              math::RoundOp, math::RsqrtOp, math::SqrtOp, math::TruncOp>(op);
}

namespace {
/// A position in a buffer as a linear expression: `constant` plus each value times its coefficient.
struct Place {
  llvm::SmallMapVector<Value, int64_t, 4> values;
  int64_t constant = 0;
};

/// A load or store of a vector or scalar.
struct Access {
  Operation *op;
  Value memref;
  Value index; // null unless the memref has exactly one index
  int64_t elements;
  bool writes;
};
} // namespace

/// The linear expression of an index in the operands of the affine.apply that computes it. Null if the expression is not linear or another
/// op computes the index.
static std::optional<tpp::LinearExpr> getAppliedExpr(Value index) {
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return std::nullopt;
  AffineMap map = apply.getAffineMap();
  unsigned operands = map.getNumInputs();
  auto dims = AffineMap::getMultiDimIdentityMap(operands, map.getContext());
  return tpp::getLinearExpr(map.getResult(0).replaceSymbols(dims.getResults().drop_front(map.getNumDims())), operands);
}

static void addTo(Place &place, Value index, int64_t times) {
  if (std::optional<int64_t> constant = getConstantIntValue(index)) {
    place.constant += times * *constant;
  } else if (auto add = index.getDefiningOp<arith::AddIOp>()) {
    addTo(place, add.getLhs(), times);
    addTo(place, add.getRhs(), times);
  } else if (auto mul = index.getDefiningOp<arith::MulIOp>(); mul && getConstantIntValue(mul.getRhs())) {
    addTo(place, mul.getLhs(), times * *getConstantIntValue(mul.getRhs()));
  } else if (std::optional<tpp::LinearExpr> linear = getAppliedExpr(index)) {
    place.constant += times * linear->constant;
    for (auto [operand, coefficient] : llvm::zip_equal(index.getDefiningOp()->getOperands(), linear->coefficients))
      addTo(place, operand, times * coefficient);
  } else {
    place.values[index] += times;
  }
}

/// The distance `to` - `from` in elements, if it is a constant.
static std::optional<int64_t> distance(Value from, Value to) {
  Place place;
  addTo(place, to, 1);
  addTo(place, from, -1);
  bool constant = llvm::all_of(place.values, [](const auto &value) { return value.second == 0; });
  return constant ? std::optional(place.constant) : std::nullopt;
}

/// Whether an operation may be moved. An intrinsic with a result is taken to be an arithmetic instruction.
static bool isMovable(Operation *op) {
  return isPure(op) || isa<memref::PrefetchOp>(op) || (isa<LLVM::CallIntrinsicOp>(op) && op->getNumResults() == 1);
}

/// The loads and stores of a loop's body; nullopt if it has regions or other side effects. A prefetch does not count as a side effect.
static std::optional<SmallVector<Access>> accessesOf(Block &body) {
  SmallVector<Access> accesses;
  for (Operation &op : body.without_terminator()) {
    auto add = [&](Value memref, ValueRange indices, Type type, bool writes) {
      auto vector = dyn_cast<VectorType>(type);
      accesses.push_back(
          {&op, memref, indices.size() == 1 ? indices.front() : Value(), vector ? vector.getNumElements() : 1, writes});
    };
    if (auto load = dyn_cast<vector::LoadOp>(op))
      add(load.getBase(), load.getIndices(), load.getType(), false);
    else if (auto load = dyn_cast<memref::LoadOp>(op))
      add(load.getMemRef(), load.getIndices(), load.getType(), false);
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      add(store.getBase(), store.getIndices(), store.getVectorType(), true);
    else if (op.getNumRegions() != 0 || !isMovable(&op))
      return std::nullopt;
  }
  return accesses;
}

/// The pairs of accesses whose order must be kept, since they overlap. nullopt if it is unknown for a pair whether it overlaps.
static std::optional<SmallVector<std::pair<Operation *, Operation *>>> orderedAccesses(Block &body) {
  std::optional<SmallVector<Access>> accesses = accessesOf(body);
  if (!accesses)
    return std::nullopt;
  SmallVector<std::pair<Operation *, Operation *>> pairs;
  for (auto [number, second] : llvm::enumerate(*accesses))
    for (const Access &first : ArrayRef(*accesses).take_front(number)) {
      if ((!first.writes && !second.writes) || !tpp::overlap(tpp::getBuffer(first.memref), tpp::getBuffer(second.memref)))
        continue;
      std::optional<int64_t> far =
          first.memref == second.memref && first.index && second.index ? distance(first.index, second.index) : std::nullopt;
      if (!far)
        return std::nullopt;
      if (*far > -second.elements && *far < first.elements)
        pairs.push_back({first.op, second.op});
    }
  return pairs;
}

void tpp::markMathLoops(Operation *root) {
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    Block &body = *loop.getBody();
    int64_t functions = 0, most = shortChains;
    for (Operation &op : body) {
      if (op.getNumResults() != 1 || !isFunction(&op))
        continue;
      ++functions;
      if (!isa<math::ExpOp, math::TanhOp>(op))
        most = longChains;
    }
    if (functions == 0 || functions > shortChains || !orderedAccesses(body))
      continue;
    int64_t times = std::max<int64_t>(1, most / functions);
    if (std::optional<llvm::APInt> trips = loop.getStaticTripCount())
      times = std::min<int64_t>(times, llvm::bit_floor(trips->getZExtValue()));
    if (times > 1) {
      FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(loop, times);
      if (failed(unrolled) || !unrolled->mainLoopOp)
        continue;
      loop = *unrolled->mainLoopOp;
    }
    if (functions * times > 1)
      loop->setAttr(tpp::kInterleaveAttr, UnitAttr::get(loop.getContext()));
  }
}

void tpp::interleaveMarkedLoops(Operation *root) {
  root->walk([](scf::ForOp loop) {
    if (!loop->removeAttr(tpp::kInterleaveAttr))
      return;
    Block &body = *loop.getBody();
    auto ordered = orderedAccesses(body);
    if (!ordered)
      return;
    llvm::DenseMap<Operation *, int64_t>
        steps; // length of the longest chain that ends with an operation; computing an index does not count
    SmallVector<std::pair<int64_t, Operation *>> order;
    for (Operation &op : body.without_terminator()) {
      int64_t step = 0;
      for (Value operand : op.getOperands())
        if (Operation *from = operand.getDefiningOp(); from && from->getBlock() == &body)
          step = std::max(step, steps.lookup(from) + (operand.getType().isIndex() ? 0 : 1));
      for (auto [first, second] : *ordered)
        if (second == &op)
          step = std::max(step, steps.lookup(first) + 1);
      steps[&op] = step;
      order.push_back({step, &op});
    }
    llvm::stable_sort(order, llvm::less_first());
    for (auto &[step, op] : order)
      op->moveBefore(body.getTerminator());
  });
}
