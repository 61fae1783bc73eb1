// Bodies that read other buffers at indices which depend on data (gathers), and their assertions. What all lanes share is computed once per
// vector, as scalars: a row of a table is found by a scalar index and loaded in vectors.
#include "lowering/rows/VectorLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::tpp {

bool isGatherOp(Operation *op) { return isa<memref::LoadOp, cf::AssertOp>(op); }

// Whether the value is the same in all lanes.
bool Vectorizer::isUniform(Value value) {
  if (auto known = uniform.find(value); known != uniform.end())
    return known->second;
  bool found = findUniform(value);
  uniform[value] = found;
  return found;
}

bool Vectorizer::findUniform(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &body)
    return argument.getArgNumber() < inputs && vectorDim->strides[argument.getArgNumber()] == 0;
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != &body)
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return static_cast<int>(index.getDim()) != vectorDim->index;
  return llvm::all_of(def->getOperands(), [&](Value operand) { return isUniform(operand); });
}

// Whether each lane has the value of the lane before plus one: the index of the vector dimension, or a sum of it and what all lanes share.
static bool isStep(Value value, const StridedDim &vectorDim, function_ref<bool(Value)> isUniform) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return static_cast<int>(index.getDim()) == vectorDim.index;
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return false;
  auto isSum = [&](Value step, Value rest) { return isUniform(rest) && isStep(step, vectorDim, isUniform); };
  return isSum(sum.getLhs(), sum.getRhs()) || isSum(sum.getRhs(), sum.getLhs());
}

// The value of the first lane, as a scalar, if isStep holds.
static Value getFirstLane(OpBuilder &builder, Value value, Value index, const IRMapping &scalars) {
  if (Value known = scalars.lookupOrNull(value))
    return known;
  if (value.getDefiningOp<linalg::IndexOp>())
    return index;
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return value; // from outside the body
  return arith::AddIOp::create(builder, sum.getLoc(), getFirstLane(builder, sum.getLhs(), index, scalars),
                               getFirstLane(builder, sum.getRhs(), index, scalars));
}

// Whether the lanes load adjacent elements: only the last index differs between them, by one from lane to lane.
static bool loadsRow(memref::LoadOp load, const StridedDim &vectorDim, function_ref<bool(Value)> isUniform) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (load.getIndices().empty() || load.getType().isInteger(1) || !isMemoryElement(load.getType()) ||
      failed(load.getMemRefType().getStridesAndOffset(strides, offset)))
    return false;
  return isStep(load.getIndices().back(), vectorDim, isUniform) && strides.back() == 1 && isUniform(load.getMemRef()) &&
         llvm::all_of(load.getIndices().drop_back(), isUniform);
}

const char *Vectorizer::analyzeGathers() {
  auto uniformAt = [&](Value value) { return isUniform(value); };
  for (Operation &inner : body.without_terminator()) {
    if (isa<cf::AssertOp>(inner) && !isUniform(inner.getOperand(0)))
      return "it asserts a condition of each element";
    if (auto load = dyn_cast<memref::LoadOp>(inner); load && !isUniform(load) && !loadsRow(load, *vectorDim, uniformAt))
      return "each element is loaded from an index of its own";
  }
  return nullptr;
}

// Emits `inner` if it is uniform, as a scalar (a loop's index has one already), or if it loads a row, as a vector of which the first `count` lanes are
// loaded. False otherwise: the caller computes it in vectors.
bool Vectorizer::computeGather(Operation &inner, ArrayRef<Iv> ivs, int64_t count, IRMapping &scalars, IRMapping &vectors) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner); index && isUniform(index)) {
    for (auto [dim, iv] : ivs)
      if (dim->index == static_cast<int>(index.getDim()))
        scalars.map(index.getResult(), iv);
    return true;
  }
  if (llvm::all_of(inner.getOperands(), [&](Value operand) { return isUniform(operand); }) && !isa<linalg::IndexOp>(inner)) {
    rewriter.clone(inner, scalars);
    return true;
  }
  auto load = dyn_cast<memref::LoadOp>(inner);
  if (!load)
    return false;
  SmallVector<Value> indices =
      llvm::map_to_vector(load.getIndices().drop_back(), [&](Value index) { return scalars.lookupOrDefault(index); });
  Value vectorIndex = llvm::find_if(ivs, [&](const Iv &iv) { return iv.first == vectorDim; })->second;
  indices.push_back(getFirstLane(rewriter, load.getIndices().back(), vectorIndex, scalars));
  auto type = VectorType::get({lanes}, load.getType());
  Value row;
  if (count == lanes)
    row = vector::LoadOp::create(rewriter, loc, type, load.getMemRef(), indices);
  else
    row = vector::MaskedLoadOp::create(rewriter, loc, type, load.getMemRef(), indices, makeMask(count), makeZero(load.getType()));
  vectors.map(load.getResult(), row);
  return true;
}

} // namespace mlir::tpp
