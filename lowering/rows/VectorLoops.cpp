// Lowers one linalg.generic on buffers to loops over vector code (see VectorLoops.h).
//
// Each operand has one stride per loop dimension, so any linear map works: broadcasts, transposes, pooling windows. One dimension is computed in
// vectors, the one with the fewest strided accesses. If it is a reduction, vectors hold partial results. Tails are masked. A boolean is stored as a
// byte: buffers of i1 are accessed as bytes, with a conversion at each load and store.
#include "lowering/rows/VectorLoops.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/rows/Combiners.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {

// Steps of a reduction that is computed in several chains.
constexpr int64_t fewestInChains = 16;
// Costs in units of a contiguous vector load: of an access with stride 0, of an access with a stride other than 0 and 1, and of reducing the lanes.
constexpr double broadcastCost = 0.2, gatherCost = 16, reductionCost = 4;

bool isMemoryElement(Type type) {
  return type.isIndex() || isa<Float32Type, Float64Type, Float16Type, BFloat16Type>(type) || type.isInteger(1) ||
         type.isInteger(8) || type.isInteger(16) || type.isInteger(32) || type.isInteger(64);
}

// The type as which an element is loaded and stored. The vector dialect stores a vector of i1 as packed bits, but a buffer holds one byte per
// boolean.
static Type getMemoryType(Type elementType) {
  return elementType.isInteger(1) ? IntegerType::get(elementType.getContext(), 8) : elementType;
}

const char *Vectorizer::analyzeBody() {
  for (Operation &inner : body.without_terminator()) {
    if (isa<linalg::IndexOp, arith::ConstantOp>(inner))
      continue;
    gathers |= isGatherOp(&inner);
    if (!isGatherOp(&inner) && !OpTrait::hasElementwiseMappableTraits(&inner))
      return "its body holds an operation that has no vector form";
    for (Type type : llvm::concat<const Type>(inner.getOperandTypes(), inner.getResultTypes()))
      if (!isa<MemRefType>(type) && !VectorType::isValidElementType(type))
        return "its body holds a type that vectors cannot hold";
  }
  return nullptr;
}

const char *Vectorizer::analyze() {
  inputs = op.getNumDpsInputs();
  bool usesIndex = op.hasIndexSemantics();
  SmallVector<LinearView> views;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type) {
      views.push_back({SmallVector<int64_t>(map.getNumDims(), 0), 0});
      continue;
    }
    auto view = getLinearView(map, type);
    if (!view)
      return "an operand has a map that is not linear, or dynamic strides";
    views.push_back(*view);
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (llvm::is_contained(ranges, ShapedType::kDynamic))
    return "its loops are of dynamic extent";
  for (auto [i, extent] : llvm::enumerate(ranges)) {
    StridedDim dim{extent, linalg::isReductionIterator(op.getIteratorTypesArray()[i]), static_cast<int>(i), {}};
    for (const LinearView &view : views)
      dim.strides.push_back(view.strides[i]);
    if (extent != 1 || usesIndex)
      dims.push_back(dim);
  }
  for (const StridedDim &dim : dims)
    if (dim.reduction && llvm::any_of(ArrayRef(dim.strides).drop_front(inputs), [](int64_t stride) { return stride != 0; }))
      return "a loop that is marked as a reduction writes several elements";
  for (const LinearView &view : views)
    operands.push_back({{}, {}, {}, view.offset, {}, {}});
  if (!usesIndex)
    mergeRuns(dims);
  if (llvm::any_of(dims, [](const StridedDim &dim) { return dim.extent == 0; }))
    return nullptr; // nothing to compute
  for (OpOperand &operand : op->getOpOperands()) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    if (!isMemoryElement(element) && isa<MemRefType>(operand.get().getType()))
      return "an operand's element type has no vector form in memory";
    operands[operand.getOperandNumber()].elementType = element;
    operands[operand.getOperandNumber()].memoryType = getMemoryType(element);
  }
  if (const char *reason = analyzeBody())
    return reason;
  // A reduction may have several outputs if each has a combiner of its own.
  if (!chooseVectorDim())
    return "no dimension can be computed in vectors";
  if (gathers)
    return analyzeGathers();
  return nullptr;
}

bool Vectorizer::chooseVectorDim() {
  // A vectorized reduction requires that each yielded value is one known combiner applied to its output.
  SmallVector<BlockArgument> outs(op.getRegionOutputArgs());
  for (unsigned i = 0; i < outs.size(); ++i) {
    SmallVector<Operation *> chain;
    if (!matchReduction(outs, i, chain) || chain.size() != 1 || !outs[i].hasOneUse())
      break;
    auto combiner = getCombiner(chain[0]);
    if (!combiner)
      break;
    dropPromises(chain[0]);
    combiners.push_back({chain[0], combiner->first, combiner->second});
  }
  bool reducible = combiners.size() == outs.size();
  double best = 0;
  for (const StridedDim &dim : dims) {
    if (dim.extent == 1 || (dim.reduction && !reducible))
      continue;
    double cost = dim.reduction ? reductionCost : 0;
    for (unsigned i = 0; i < operands.size(); ++i) {
      int64_t stride = dim.strides[i];
      cost += stride == 1 ? 1 : stride == 0 ? broadcastCost : gatherCost;
    }
    cost *= static_cast<double>(lanes) / std::min(lanes, dim.extent);
    if (!vectorDim || cost < best) {
      vectorDim = &dim;
      best = cost;
    }
  }
  for (const StridedDim &dim : dims)
    if (&dim != vectorDim)
      (dim.reduction ? reductions : parallel).push_back(&dim);
  auto outer = [&](const StridedDim *x, const StridedDim *y) { return x->strides.back() > y->strides.back(); };
  if (!op.hasIndexSemantics())
    llvm::stable_sort(parallel, outer);
  return vectorDim != nullptr;
}

Value Vectorizer::getIndex(unsigned operand, ArrayRef<Iv> ivs) {
  AffineExpr expr = rewriter.getAffineConstantExpr(operands[operand].offset);
  SmallVector<OpFoldResult> symbols;
  for (auto [dim, iv] : ivs) {
    if (dim->strides[operand] == 0)
      continue;
    expr = expr + rewriter.getAffineSymbolExpr(symbols.size()) * dim->strides[operand];
    symbols.push_back(iv);
  }
  OpFoldResult index = affine::makeComposedFoldedAffineApply(rewriter, loc, AffineMap::get(0, symbols.size(), expr), symbols);
  return getValueOrCreateConstantIndexOp(rewriter, loc, index);
}

// Converts a loaded scalar or vector to the body's type: any byte other than 0 is true.
Value Vectorizer::fromMemory(const Operand &info, Value value) {
  if (info.memoryType == info.elementType)
    return value;
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, value, zero);
}

// Converts a scalar or vector of the body's type to the stored type: true is 1.
Value Vectorizer::toMemory(const Operand &info, Value value) {
  if (info.memoryType == info.elementType)
    return value;
  auto vector = dyn_cast<VectorType>(value.getType());
  return arith::ExtUIOp::create(rewriter, loc, vector ? vector.clone(info.memoryType) : info.memoryType, value);
}

// Loads `count` elements along the vector dimension into the first lanes; the other lanes are zero. A scalar, or an element with stride 0, fills all
// lanes.
Value Vectorizer::load(unsigned operand, ArrayRef<Iv> ivs, int64_t count) {
  Operand &info = operands[operand];
  if (info.scalar)
    return broadcast(info.scalar);
  if (info.held)
    return info.held;
  Value index = getIndex(operand, ivs);
  int64_t stride = vectorDim->strides[operand];
  if (stride == 0)
    return broadcast(fromMemory(info, memref::LoadOp::create(rewriter, loc, info.flat, index)));
  auto type = VectorType::get({lanes}, info.memoryType);
  if (stride == 1 && count == lanes)
    return fromMemory(info, vector::LoadOp::create(rewriter, loc, type, info.flat, index));
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  if (stride == 1)
    return fromMemory(info, vector::MaskedLoadOp::create(rewriter, loc, type, info.flat, index, makeMask(count), zero));
  SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < lanes; ++lane)
    steps.push_back(lane * stride);
  Value positions = arith::ConstantOp::create(
      rewriter, loc, DenseElementsAttr::get(VectorType::get({lanes}, rewriter.getI64Type()), ArrayRef<int64_t>(steps)));
  Value gathered = vector::GatherOp::create(rewriter, loc, type, info.flat, ValueRange{index}, positions, makeMask(count), zero);
  return fromMemory(info, gathered);
}

// Loads inputs that are the same element in all iterations of the sequential loops (a row's mean, maximum or sum) once, before these loops. LLVM
// cannot hoist these loads, because it cannot prove that the loops' stores do not alias them.
void Vectorizer::holdScalars(ArrayRef<Iv> ivs) {
  for (unsigned i = 0; i < inputs; ++i) {
    Operand &info = operands[i];
    auto moves = [&](const StridedDim *dim) { return dim->strides[i] != 0; };
    info.held = nullptr;
    if (!info.scalar && !body.getArgument(i).use_empty() && !moves(vectorDim) && llvm::none_of(reductions, moves))
      info.held = load(i, ivs, lanes);
  }
}

void Vectorizer::store(Value value, unsigned operand, ArrayRef<Iv> ivs, int64_t count) {
  Operand &info = operands[operand];
  value = toMemory(info, value);
  Value index = getIndex(operand, ivs);
  int64_t stride = vectorDim->strides[operand];
  if (stride == 1 && count == lanes) {
    vector::StoreOp::create(rewriter, loc, value, info.flat, index);
  } else if (stride == 1) {
    vector::MaskedStoreOp::create(rewriter, loc, info.flat, index, makeMask(count), value);
  } else {
    SmallVector<int64_t> steps;
    for (int64_t lane = 0; lane < lanes; ++lane)
      steps.push_back(lane * stride);
    Value positions = arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(VectorType::get({lanes}, rewriter.getI64Type()), ArrayRef<int64_t>(steps)));
    vector::ScatterOp::create(rewriter, loc, /*result=*/Type(), info.flat, ValueRange{index}, positions, makeMask(count), value);
  }
}

static bool isIntegerDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp>(op);
}

// Emits the body on vectors and returns the yielded values, of which the first `count` lanes are meaningful.
SmallVector<Value> Vectorizer::compute(ArrayRef<Value> arguments, ArrayRef<Iv> ivs, int64_t count) {
  IRMapping mapping, scalars;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments)) {
    mapping.map(argument, value);
    if (auto splat = value.getDefiningOp<vector::BroadcastOp>(); splat && gathers)
      scalars.map(argument, splat.getSource());
  }
  auto lookup = [&](Value value) -> Value {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Value vector = broadcast(scalars.lookupOrDefault(value)); // of all lanes, or from outside the body
    mapping.map(value, vector);
    return vector;
  };
  for (Operation &inner : body.without_terminator()) {
    if (gathers && computeGather(inner, ivs, count, scalars, mapping))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      Value result;
      for (auto [dim, iv] : ivs) {
        if (dim->index != static_cast<int>(index.getDim()))
          continue;
        result = broadcast(iv);
        if (dim == vectorDim) {
          Value step = vector::StepOp::create(rewriter, loc, VectorType::get({lanes}, rewriter.getIndexType()));
          result = arith::AddIOp::create(rewriter, loc, result, step);
        }
      }
      mapping.map(index.getResult(), result);
      continue;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      Value scalar = rewriter.clone(inner)->getResult(0);
      mapping.map(constant.getResult(), broadcast(scalar));
      continue;
    }
    SmallVector<Value> values = llvm::map_to_vector(inner.getOperands(), lookup);
    if (count < lanes && isIntegerDivision(&inner) && !matchPattern(inner.getOperand(1), m_Constant())) {
      Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getOneAttr(values[1].getType()));
      values[1] = arith::SelectOp::create(rewriter, loc, makeMask(count), values[1], one); // a division by zero traps
    }
    SmallVector<Type> types =
        llvm::map_to_vector(inner.getResultTypes(), [&](Type type) -> Type { return VectorType::get({lanes}, type); });
    Operation *vectorOp = rewriter.create(inner.getLoc(), inner.getName().getIdentifier(), values, types, inner.getAttrs());
    if (vectorDim->reduction && llvm::any_of(combiners, [&](const Combiner &combiner) { return combiner.op == &inner; }))
      ignoreSignOfZero(vectorOp);
    mapping.map(inner.getResults(), vectorOp->getResults());
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(), lookup);
}

SmallVector<Value> Vectorizer::nest(ArrayRef<const StridedDim *> loops, ArrayRef<Iv> ivs, ValueRange carried,
                                    function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit) {
  if (loops.empty())
    return visit(ivs, carried);
  auto loop = scf::ForOp::create(rewriter, loc, makeIndex(0), makeIndex(loops[0]->extent), makeIndex(1), carried);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Iv> inner(ivs);
    inner.push_back({loops[0], loop.getInductionVar()});
    SmallVector<Value> results = nest(loops.drop_front(), inner, loop.getRegionIterArgs(), visit);
    if (!carried.empty())
      scf::YieldOp::create(rewriter, loc, results);
  }
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> Vectorizer::vectorLoop(ArrayRef<Iv> ivs, Value from, Value to, int64_t step, ValueRange carried,
                                          function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit) {
  auto loop = scf::ForOp::create(rewriter, loc, from, to, makeIndex(step), carried);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Iv> inner(ivs);
  inner.push_back({vectorDim, loop.getInductionVar()});
  SmallVector<Value> results = visit(inner, loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(rewriter, loc, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

// Loads a vector of each input; zeros for inputs that the body does not use.
SmallVector<Value> Vectorizer::loadInputs(ArrayRef<Iv> ivs, int64_t count) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < inputs; ++i)
    values.push_back(body.getArgument(i).use_empty() ? makeZero(operands[i].elementType) : load(i, ivs, count));
  return values;
}

// Computes one vector of each output from vectors of the inputs and the accumulators.
SmallVector<Value> Vectorizer::computeStep(ArrayRef<Iv> ivs, ValueRange accumulators, int64_t count) {
  SmallVector<Value> arguments = loadInputs(ivs, count);
  llvm::append_range(arguments, accumulators);
  return compute(arguments, ivs, count);
}

// Computes and stores one vector of each output; the vector dimension is parallel. Reductions are loops that hold the outputs in registers.
void Vectorizer::computeChunk(ArrayRef<Iv> ivs, int64_t count) {
  unsigned outputs = operands.size() - inputs;
  SmallVector<Value> outs;
  for (unsigned i = 0; i < outputs; ++i) {
    bool read = !body.getArgument(inputs + i).use_empty();
    if (read)
      outs.push_back(load(inputs + i, ivs, count));
    else
      outs.push_back(makeZero(operands[inputs + i].elementType));
  }
  ArrayRef<const StridedDim *> loops = reductions;
  bool inChains = !loops.empty() && combiners.size() == outputs && loops.back()->extent >= fewestInChains;
  SmallVector<Value> results =
      nest(inChains ? loops.drop_back() : loops, ivs, outs, [&](ArrayRef<Iv> all, ValueRange accumulators) {
        return inChains ? reduceInChains(all, accumulators, count) : computeStep(all, accumulators, count);
      });
  for (unsigned i = 0; i < outputs; ++i)
    store(results[i], inputs + i, ivs, count);
}

// Emits the body of the parallel loop: the whole vectors (of one chunk, if chunked), the masked tail, or both.
void Vectorizer::emitBody(ValueRange parallelIvs, Value chunk, bool main, bool tail) {
  SmallVector<Iv> ivs;
  for (auto [dim, iv] : llvm::zip(parallel, parallelIvs))
    ivs.push_back({dim, iv});
  holdScalars(ivs);
  if (vectorDim->reduction) {
    reduceVectors(ivs);
    return;
  }
  int64_t full = vectorDim->extent / lanes * lanes;
  if (main && full > 0) {
    Value from = makeIndex(0), to = makeIndex(full);
    if (chunk) {
      AffineExpr symbol = rewriter.getAffineSymbolExpr(0);
      from = affine::AffineApplyOp::create(rewriter, loc, AffineMap::get(0, 1, symbol * chunkElements), ValueRange{chunk});
      to = affine::AffineMinOp::create(
          rewriter, loc,
          AffineMap::get(0, 1, {(symbol + 1) * chunkElements, rewriter.getAffineConstantExpr(full)}, rewriter.getContext()),
          ValueRange{chunk});
    }
    vectorLoop(ivs, from, to, lanes, {}, [&](ArrayRef<Iv> at, ValueRange) {
      computeChunk(at, lanes);
      return SmallVector<Value>();
    });
  }
  if (tail && vectorDim->extent > full) {
    ivs.push_back({vectorDim, makeIndex(full)});
    computeChunk(ivs, vectorDim->extent - full);
  }
}

void Vectorizer::emit() {
  if (llvm::any_of(dims, [](const StridedDim &dim) { return dim.extent == 0; }))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    Operand &info = operands[operand.getOperandNumber()];
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type) {
      info.scalar = operand.get();
      continue;
    }
    int64_t span = info.offset + 1;
    for (const StridedDim &dim : dims)
      span += (dim.extent - 1) * dim.strides[operand.getOperandNumber()];
    SmallVector<int64_t> ignored;
    int64_t base = 0;
    (void)type.getStridesAndOffset(ignored, base);
    OpFoldResult offset = rewriter.getIndexAttr(base);
    if (ShapedType::isDynamic(base))
      offset = memref::ExtractStridedMetadataOp::create(rewriter, loc, operand.get()).getOffset();
    auto flatType = MemRefType::get({span}, info.elementType, StridedLayoutAttr::get(rewriter.getContext(), base, {1}),
                                    type.getMemorySpace());
    info.flat = memref::ReinterpretCastOp::create(rewriter, loc, flatType, operand.get(), offset,
                                                  ArrayRef<OpFoldResult>{rewriter.getIndexAttr(span)},
                                                  ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)});
    // Both memref types have the same descriptor in LLVM, so the cast disappears there.
    if (info.memoryType != info.elementType) {
      Type bytes = MemRefType::get({span}, info.memoryType, flatType.getLayout(), type.getMemorySpace());
      info.flat = UnrealizedConversionCastOp::create(rewriter, loc, bytes, info.flat).getResult(0);
    }
  }
  int64_t perPoint = static_cast<int64_t>(body.getOperations().size()) + static_cast<int64_t>(operands.size());
  int64_t work = std::max<int64_t>(1, getPoints() * perPoint / (2 * lanes));
  auto emitParallel = [&](bool chunked, bool main, bool tail) {
    SmallVector<OpFoldResult> bounds;
    for (const StridedDim *dim : parallel)
      bounds.push_back(rewriter.getIndexAttr(dim->extent));
    if (chunked)
      bounds.push_back(rewriter.getIndexAttr((vectorDim->extent + chunkElements - 1) / chunkElements));
    if (bounds.empty()) {
      emitBody({}, {}, main, tail);
      return;
    }
    auto forall = scf::ForallOp::create(rewriter, loc, bounds, ValueRange(), std::nullopt);
    forall->setAttr(kWorkNsAttr, rewriter.getI64IntegerAttr(work));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(forall.getTerminator());
    SmallVector<Value> ivs = llvm::to_vector(forall.getInductionVars());
    emitBody(ArrayRef(ivs).take_front(parallel.size()), chunked ? ivs.back() : Value(), main, tail);
  };
  bool chunked = !vectorDim->reduction && vectorDim->extent >= 2 * chunkElements;
  emitParallel(chunked, /*main=*/true, /*tail=*/!chunked);
  if (chunked && vectorDim->extent % lanes != 0)
    emitParallel(/*chunked=*/false, /*main=*/false, /*tail=*/true);
}

} // namespace mlir::tpp
