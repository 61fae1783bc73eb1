// Lowers linalg on buffers to parallel loops over vector code: whatever has no primitive.
//
// Operands are seen as one stride per loop dimension (LinearMap.h), so that any linear map works: broadcasts, transposes, windows of a
// pooling. Neighbouring dimensions that are one run everywhere are merged; one dimension is computed in vectors, chosen for the
// fewest strided accesses; a reduced one keeps vectors of partial results. Tails are masked.
#include "lowering/LinearMap.h"
#include "lowering/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_VECTORIZELINALG
#include "lowering/Passes.h.inc"

namespace {

// Elements of a vector loop that one thread takes when only that loop is parallel.
constexpr int64_t chunkElements = 4096;
// Iterations below which scalar code is not worth a remark.
constexpr int64_t fewPoints = 64;
// Vectors of partial results of a reduction: enough to hide the latency of an addition on two ports.
constexpr int64_t partials = 4;
// Costs of one access by stride, in units of a vector load.
constexpr double broadcastCost = 0.2, gatherCost = 16, reductionCost = 4;

struct Dim {
  int64_t extent;
  bool reduction;
  int index; // linalg.index dimension, -1 when merged
  SmallVector<int64_t, 4> strides;
};

// A loop dimension at an induction variable.
using Iv = std::pair<const Dim *, Value>;

// One operand: its buffer seen as a row of elements, or a scalar.
struct Operand {
  Value flat;
  Value scalar;
  int64_t offset = 0;
  Type elementType;
};

bool isMemoryElement(Type type) {
  return type.isIndex() || isa<Float32Type, Float64Type, Float16Type, BFloat16Type>(type) || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32) || type.isInteger(64);
}

// The neutral element of a combiner, and its vector.reduction kind.
std::optional<std::pair<TypedAttr, vector::CombiningKind>> getCombiner(Operation *op) {
  TypedAttr neutral;
  std::optional<arith::AtomicRMWKind> atomic;
  std::optional<vector::CombiningKind> kind;
  auto set = [&](arith::AtomicRMWKind a, vector::CombiningKind k) { atomic = a, kind = k; };
  if (isa<arith::AddFOp>(op))
    set(arith::AtomicRMWKind::addf, vector::CombiningKind::ADD);
  else if (isa<arith::MulFOp>(op))
    set(arith::AtomicRMWKind::mulf, vector::CombiningKind::MUL);
  else if (isa<arith::MaximumFOp>(op))
    set(arith::AtomicRMWKind::maximumf, vector::CombiningKind::MAXIMUMF);
  else if (isa<arith::MinimumFOp>(op))
    set(arith::AtomicRMWKind::minimumf, vector::CombiningKind::MINIMUMF);
  else if (isa<arith::MaxNumFOp>(op))
    set(arith::AtomicRMWKind::maxnumf, vector::CombiningKind::MAXNUMF);
  else if (isa<arith::MinNumFOp>(op))
    set(arith::AtomicRMWKind::minnumf, vector::CombiningKind::MINNUMF);
  else if (isa<arith::AddIOp>(op))
    set(arith::AtomicRMWKind::addi, vector::CombiningKind::ADD);
  else if (isa<arith::MulIOp>(op))
    set(arith::AtomicRMWKind::muli, vector::CombiningKind::MUL);
  else if (isa<arith::MaxSIOp>(op))
    set(arith::AtomicRMWKind::maxs, vector::CombiningKind::MAXSI);
  else if (isa<arith::MinSIOp>(op))
    set(arith::AtomicRMWKind::mins, vector::CombiningKind::MINSI);
  else if (isa<arith::MaxUIOp>(op))
    set(arith::AtomicRMWKind::maxu, vector::CombiningKind::MAXUI);
  else if (isa<arith::MinUIOp>(op))
    set(arith::AtomicRMWKind::minu, vector::CombiningKind::MINUI);
  else if (isa<arith::AndIOp>(op))
    set(arith::AtomicRMWKind::andi, vector::CombiningKind::AND);
  else if (isa<arith::OrIOp>(op))
    set(arith::AtomicRMWKind::ori, vector::CombiningKind::OR);
  if (!kind)
    return std::nullopt;
  OpBuilder builder(op->getContext());
  Type type = op->getResult(0).getType();
  // maxnum's and minnum's neutral element is NaN upstream, which an all-masked lane must not leak into maximum; infinities serve both.
  neutral = arith::getIdentityValueAttr(*atomic, type, builder, op->getLoc(), /*useOnlyFiniteValue=*/false);
  if (!neutral)
    return std::nullopt;
  return std::make_pair(neutral, *kind);
}

class Vectorizer {
public:
  Vectorizer(linalg::GenericOp op, RewriterBase &rewriter, int64_t vectorBits)
      : op(op), body(*op.getBlock()), rewriter(rewriter), loc(op.getLoc()), lanes(std::max<int64_t>(vectorBits / 32, 1)) {}

  // Why the op cannot be vectorized, or null. Changes nothing.
  const char *analyze();
  void emit();
  int64_t getPoints() const {
    int64_t points = 1;
    for (const Dim &dim : dims)
      points *= dim.extent;
    return points;
  }

private:
  void mergeRuns();
  const char *analyzeBody();
  bool chooseVectorDim();
  void emitBody(ValueRange parallelIvs, Value chunk, bool main, bool tail);
  Value getIndex(unsigned operand, ArrayRef<Iv> ivs);
  Value load(unsigned operand, ArrayRef<Iv> ivs, int64_t count);
  void store(Value value, unsigned operand, ArrayRef<Iv> ivs, int64_t count);
  SmallVector<Value> compute(ArrayRef<Value> arguments, ArrayRef<Iv> ivs);
  // Runs `visit` inside a nest of sequential loops over `loops`, threading values through them.
  SmallVector<Value> nest(ArrayRef<const Dim *> loops, SmallVector<Iv> ivs, SmallVector<Value> carried,
                          function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit);
  SmallVector<Value> vectorLoop(SmallVector<Iv> ivs, Value from, Value to, int64_t step,
                                SmallVector<Value> carried,
                                function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit);
  void computeChunk(SmallVector<Iv> ivs, int64_t count);
  void reduceVectors(SmallVector<Iv> ivs);

  Value makeIndex(int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); }
  Value broadcast(Value scalar) { return vector::BroadcastOp::create(rewriter, loc, VectorType::get({lanes}, scalar.getType()), scalar); }
  Value makeMask(int64_t count) {
    return vector::ConstantMaskOp::create(rewriter, loc, VectorType::get({lanes}, rewriter.getI1Type()), ArrayRef<int64_t>{count});
  }

  linalg::GenericOp op;
  Block &body;
  RewriterBase &rewriter;
  Location loc;
  int64_t lanes;
  SmallVector<Dim> dims;
  SmallVector<Operand> operands;
  unsigned inputs = 0;
  const Dim *vectorDim = nullptr;
  SmallVector<const Dim *> parallel, reductions; // without vectorDim
  SmallVector<Operation *> combiners;            // one for each output, where a vector of partial results is reduced
};

void Vectorizer::mergeRuns() {
  auto areOneRun = [](const Dim &outer, const Dim &inner) {
    return outer.reduction == inner.reduction &&
           llvm::all_of(llvm::zip_equal(outer.strides, inner.strides),
                        [&](auto pair) { return std::get<0>(pair) == std::get<1>(pair) * inner.extent; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t x = 0; x < dims.size() && !changed; ++x)
      for (size_t y = 0; y < dims.size() && !changed; ++y)
        if (x != y && areOneRun(dims[x], dims[y])) {
          dims[y].extent *= dims[x].extent;
          dims.erase(dims.begin() + x);
          changed = true;
        }
  }
}

const char *Vectorizer::analyzeBody() {
  for (Operation &inner : body.without_terminator()) {
    if (isa<linalg::IndexOp, arith::ConstantOp>(inner))
      continue;
    if (inner.getNumRegions() != 0 || !OpTrait::hasElementwiseMappableTraits(&inner))
      return "its body holds an operation that has no vector form";
    for (Type type : llvm::concat<const Type>(inner.getOperandTypes(), inner.getResultTypes()))
      if (!VectorType::isValidElementType(type))
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
    Dim dim{extent, linalg::isReductionIterator(op.getIteratorTypesArray()[i]), static_cast<int>(i), {}};
    for (const LinearView &view : views)
      dim.strides.push_back(view.strides[i]);
    if (extent != 1 || usesIndex)
      dims.push_back(dim);
  }
  for (const LinearView &view : views)
    operands.push_back({{}, {}, view.offset, {}});
  if (!usesIndex)
    mergeRuns();
  if (llvm::any_of(dims, [](const Dim &dim) { return dim.extent == 0; }))
    return nullptr; // nothing to compute
  for (OpOperand &operand : op->getOpOperands()) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    if (!isMemoryElement(element) && isa<MemRefType>(operand.get().getType()))
      return "an operand's element type has no vector form in memory";
    operands[operand.getOperandNumber()].elementType = element;
  }
  if (const char *reason = analyzeBody())
    return reason;
  // More than one output per reduction is legal as long as each has a combiner of its own.
  if (!chooseVectorDim())
    return "no dimension can be computed in vectors";
  return nullptr;
}

bool Vectorizer::chooseVectorDim() {
  // What a vectorized reduction needs: yields that are one known combiner of their output each.
  SmallVector<BlockArgument> outs(op.getRegionOutputArgs());
  bool reducible = true;
  for (unsigned i = 0; i < outs.size(); ++i) {
    SmallVector<Operation *> chain;
    Value combined = matchReduction(outs, i, chain);
    if (!combined || chain.size() != 1 || !outs[i].hasOneUse() || !getCombiner(chain[0])) {
      reducible = false;
      break;
    }
    combiners.push_back(chain[0]);
  }
  double best = 0;
  for (const Dim &dim : dims) {
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
  for (const Dim &dim : dims)
    if (&dim != vectorDim)
      (dim.reduction ? reductions : parallel).push_back(&dim);
  auto outer = [&](const Dim *x, const Dim *y) { return x->strides.back() > y->strides.back(); };
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

// `count` elements along the vector dimension; the lanes behind them are zero.
Value Vectorizer::load(unsigned operand, ArrayRef<Iv> ivs, int64_t count) {
  Operand &info = operands[operand];
  if (info.scalar)
    return broadcast(info.scalar);
  Value index = getIndex(operand, ivs);
  int64_t stride = vectorDim->strides[operand];
  if (stride == 0)
    return broadcast(memref::LoadOp::create(rewriter, loc, info.flat, index));
  auto type = VectorType::get({lanes}, info.elementType);
  if (stride == 1 && count == lanes)
    return vector::LoadOp::create(rewriter, loc, type, info.flat, index);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  if (stride == 1)
    return vector::MaskedLoadOp::create(rewriter, loc, type, info.flat, index, makeMask(count), zero);
  SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < lanes; ++lane)
    steps.push_back(lane * stride);
  Value positions = arith::ConstantOp::create(
      rewriter, loc, DenseElementsAttr::get(VectorType::get({lanes}, rewriter.getI64Type()), ArrayRef<int64_t>(steps)));
  return vector::GatherOp::create(rewriter, loc, type, info.flat, ValueRange{index}, positions, makeMask(count), zero);
}

void Vectorizer::store(Value value, unsigned operand, ArrayRef<Iv> ivs, int64_t count) {
  Operand &info = operands[operand];
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

// The body on vectors: the yielded values.
SmallVector<Value> Vectorizer::compute(ArrayRef<Value> arguments, ArrayRef<Iv> ivs) {
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    mapping.map(argument, value);
  auto lookup = [&](Value value) -> Value {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Value vector = broadcast(value); // a scalar from outside the body
    mapping.map(value, vector);
    return vector;
  };
  for (Operation &inner : body.without_terminator()) {
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
    SmallVector<Type> types = llvm::map_to_vector(inner.getResultTypes(), [&](Type type) -> Type { return VectorType::get({lanes}, type); });
    Operation *vectorOp = rewriter.create(inner.getLoc(), inner.getName().getIdentifier(), values, types, inner.getAttrs());
    mapping.map(inner.getResults(), vectorOp->getResults());
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(), lookup);
}

SmallVector<Value> Vectorizer::nest(ArrayRef<const Dim *> loops, SmallVector<Iv> ivs, SmallVector<Value> carried,
                                    function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit) {
  if (loops.empty())
    return visit(ivs, carried);
  auto loop = scf::ForOp::create(rewriter, loc, makeIndex(0), makeIndex(loops[0]->extent), makeIndex(1), carried);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ivs.push_back({loops[0], loop.getInductionVar()});
    SmallVector<Value> results = nest(loops.drop_front(), ivs, llvm::to_vector_of<Value>(loop.getRegionIterArgs()), visit);
    if (!carried.empty())
      scf::YieldOp::create(rewriter, loc, results);
  }
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> Vectorizer::vectorLoop(SmallVector<Iv> ivs, Value from, Value to, int64_t step,
                                          SmallVector<Value> carried,
                                          function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit) {
  auto loop = scf::ForOp::create(rewriter, loc, from, to, makeIndex(step), carried);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  ivs.push_back({vectorDim, loop.getInductionVar()});
  SmallVector<Value> results = visit(ivs, loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(rewriter, loc, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

// One vector of outputs (the vector dimension is parallel), reductions inside with the outputs in registers.
void Vectorizer::computeChunk(SmallVector<Iv> ivs, int64_t count) {
  unsigned outputs = operands.size() - inputs;
  SmallVector<Value> outs;
  for (unsigned i = 0; i < outputs; ++i) {
    bool read = !body.getArgument(inputs + i).use_empty();
    if (read)
      outs.push_back(load(inputs + i, ivs, count));
    else
      outs.push_back(arith::ConstantOp::create(rewriter, loc,
                                               rewriter.getZeroAttr(VectorType::get({lanes}, operands[inputs + i].elementType))));
  }
  SmallVector<Value> results =
      nest(reductions, ivs, outs, [&](ArrayRef<Iv> all, ValueRange accumulators) {
        SmallVector<Value> arguments;
        for (unsigned i = 0; i < inputs; ++i)
          arguments.push_back(body.getArgument(i).use_empty()
                                  ? Value(arith::ConstantOp::create(
                                        rewriter, loc, rewriter.getZeroAttr(VectorType::get({lanes}, operands[i].elementType))))
                                  : load(i, all, count));
        llvm::append_range(arguments, accumulators);
        return compute(arguments, all);
      });
  for (unsigned i = 0; i < outputs; ++i)
    store(results[i], inputs + i, ivs, count);
}

// All of a reduction along the vector dimension: partial results in vectors, combined at the end.
void Vectorizer::reduceVectors(SmallVector<Iv> ivs) {
  unsigned outputs = operands.size() - inputs;
  int64_t extent = vectorDim->extent, wide = lanes * partials;
  SmallVector<Value> neutrals;
  for (unsigned i = 0; i < outputs; ++i)
    neutrals.push_back(broadcast(arith::ConstantOp::create(rewriter, loc, getCombiner(combiners[i])->first)));
  // One step: each output's accumulator combined with `count` elements; masked lanes keep the neutral element.
  auto step = [&](ArrayRef<Iv> all, ValueRange accumulators, int64_t count) {
    SmallVector<Value> arguments;
    for (unsigned i = 0; i < inputs; ++i)
      arguments.push_back(body.getArgument(i).use_empty()
                              ? Value(arith::ConstantOp::create(rewriter, loc,
                                                                rewriter.getZeroAttr(VectorType::get({lanes}, operands[i].elementType))))
                              : load(i, all, count));
    llvm::append_range(arguments, accumulators);
    SmallVector<Value> results = compute(arguments, all);
    if (count != lanes) {
      Value mask = makeMask(count);
      for (auto [result, old] : llvm::zip_equal(results, accumulators))
        result = arith::SelectOp::create(rewriter, loc, mask, result, old);
    }
    return results;
  };
  int64_t accumulators = extent >= wide ? partials : 1;
  SmallVector<Value> initial;
  for (int64_t p = 0; p < accumulators; ++p)
    llvm::append_range(initial, neutrals);
  SmallVector<Value> results =
      nest(reductions, ivs, initial, [&](ArrayRef<Iv> outerIvs, ValueRange outerCarried) {
        SmallVector<Iv> all(outerIvs);
        SmallVector<Value> carried = llvm::to_vector(outerCarried);
        int64_t done = 0;
        if (accumulators > 1) {
          done = extent / wide * wide;
          carried = vectorLoop(all, makeIndex(0), makeIndex(done), wide, carried,
                               [&](ArrayRef<Iv> at, ValueRange values) {
                                 SmallVector<Value> next;
                                 for (int64_t p = 0; p < accumulators; ++p) {
                                   SmallVector<Iv> shifted(at);
                                   shifted.back().second =
                                       arith::AddIOp::create(rewriter, loc, at.back().second, makeIndex(p * lanes));
                                   llvm::append_range(next, step(shifted, values.slice(p * outputs, outputs), lanes));
                                 }
                                 return next;
                               });
        }
        int64_t full = extent / lanes * lanes;
        auto first = [&](ArrayRef<Value> values) { return SmallVector<Value>(values.take_front(outputs)); };
        if (full > done) {
          SmallVector<Value> one = vectorLoop(all, makeIndex(done), makeIndex(full), lanes, first(carried),
                                              [&](ArrayRef<Iv> at, ValueRange values) {
                                                return step(at, values, lanes);
                                              });
          llvm::copy(one, carried.begin());
        }
        if (extent > full) {
          all.push_back({vectorDim, makeIndex(full)});
          SmallVector<Value> one = step(all, first(carried), extent - full);
          llvm::copy(one, carried.begin());
        }
        return carried;
      });
  for (unsigned i = 0; i < outputs; ++i) {
    Operation *combiner = combiners[i];
    Value total = results[i];
    auto combine = [&](Value x, Value y) {
      Type type = x.getType();
      return rewriter.create(loc, combiner->getName().getIdentifier(), {x, y}, {type}, combiner->getAttrs())->getResult(0);
    };
    for (int64_t p = 1; p < accumulators; ++p)
      total = combine(total, results[p * outputs + i]);
    Value scalar = vector::ReductionOp::create(rewriter, loc, getCombiner(combiner)->second, total);
    Value index = getIndex(inputs + i, ivs);
    Value old = memref::LoadOp::create(rewriter, loc, operands[inputs + i].flat, index);
    memref::StoreOp::create(rewriter, loc, combine(old, scalar), operands[inputs + i].flat, index);
  }
}

// What one iteration of the parallel loop does: whole vectors (of one chunk, when chunked), the masked tail, or both.
void Vectorizer::emitBody(ValueRange parallelIvs, Value chunk, bool main, bool tail) {
  SmallVector<Iv> ivs;
  for (auto [dim, iv] : llvm::zip(parallel, parallelIvs))
    ivs.push_back({dim, iv});
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
      computeChunk(SmallVector<Iv>(at), lanes);
      return SmallVector<Value>();
    });
  }
  if (tail && vectorDim->extent > full) {
    ivs.push_back({vectorDim, makeIndex(full)});
    computeChunk(ivs, vectorDim->extent - full);
  }
}

void Vectorizer::emit() {
  if (llvm::any_of(dims, [](const Dim &dim) { return dim.extent == 0; }))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    Operand &info = operands[operand.getOperandNumber()];
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type) {
      info.scalar = operand.get();
      continue;
    }
    int64_t span = info.offset + 1;
    for (const Dim &dim : dims)
      span += (dim.extent - 1) * dim.strides[operand.getOperandNumber()];
    SmallVector<int64_t> ignored;
    int64_t base = 0;
    (void)type.getStridesAndOffset(ignored, base);
    OpFoldResult offset = rewriter.getIndexAttr(base);
    if (ShapedType::isDynamic(base))
      offset = memref::ExtractStridedMetadataOp::create(rewriter, loc, operand.get()).getOffset();
    auto flatType = MemRefType::get({span}, info.elementType, StridedLayoutAttr::get(rewriter.getContext(), base, {1}), type.getMemorySpace());
    info.flat = memref::ReinterpretCastOp::create(rewriter, loc, flatType, operand.get(), offset,
                                                  ArrayRef<OpFoldResult>{rewriter.getIndexAttr(span)},
                                                  ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)});
  }
  int64_t perPoint = static_cast<int64_t>(body.getOperations().size()) + static_cast<int64_t>(operands.size());
  int64_t work = std::max<int64_t>(1, getPoints() * perPoint / (2 * lanes));
  auto emitParallel = [&](bool chunked, bool main, bool tail) {
    SmallVector<OpFoldResult> bounds;
    for (const Dim *dim : parallel)
      bounds.push_back(rewriter.getIndexAttr(dim->extent));
    if (chunked)
      bounds.push_back(rewriter.getIndexAttr((vectorDim->extent + chunkElements - 1) / chunkElements));
    if (bounds.empty()) {
      emitBody({}, {}, main, tail);
      return;
    }
    auto forall = scf::ForallOp::create(rewriter, loc, bounds, ValueRange(), std::nullopt);
    forall->setAttr("tpp.work_ns", rewriter.getI64IntegerAttr(work));
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

struct VectorizeLinalg : public impl::VectorizeLinalgBase<VectorizeLinalg> {
  using VectorizeLinalgBase::VectorizeLinalgBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (vectorBits < 32 || vectorBits > 65536 || !llvm::isPowerOf2_64(vectorBits)) {
      func.emitError("vector-bits must be a power of two from 32 to 65536");
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    copiesToGenerics(func, rewriter);
    SmallVector<linalg::LinalgOp> ops;
    func.walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    int64_t scalarLoops = 0;
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        StringRef name = op->getName().getStringRef();
        FailureOr<linalg::GenericOp> general = linalg::generalizeNamedOp(rewriter, op);
        if (failed(general)) {
          getOperation().emitError("cannot lower ") << name;
          return signalPassFailure();
        }
        generic = *general;
        rewriter.setInsertionPoint(generic);
      }
      Vectorizer vectorizer(generic, rewriter, vectorBits);
      const char *reason = vectorizer.analyze();
      if (!reason) {
        vectorizer.emit();
        rewriter.eraseOp(generic);
        continue;
      }
      if (vectorizer.getPoints() > fewPoints) {
        ++scalarLoops;
        generic.emitRemark("computed in scalar loops: ") << reason;
      }
      if (failed(linalg::linalgOpToLoops(rewriter, generic))) {
        generic.emitError("cannot be lowered to loops");
        return signalPassFailure();
      }
      rewriter.eraseOp(generic);
    }
    if (scalarLoops > 0)
      func->setAttr("tpp.scalar_loops", rewriter.getI64IntegerAttr(scalarLoops));
  }

  static void copiesToGenerics(func::FuncOp func, RewriterBase &rewriter) {
    SmallVector<memref::CopyOp> copies;
    func.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      auto type = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!type || !type.hasStaticShape() || !isa<MemRefType>(copy.getSource().getType()))
        continue;
      rewriter.setInsertionPoint(copy);
      AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
      SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
      linalg::GenericOp::create(rewriter, copy.getLoc(), ValueRange{copy.getSource()}, ValueRange{copy.getTarget()},
                                ArrayRef<AffineMap>{identity, identity}, iterators,
                                [](OpBuilder &b, Location l, ValueRange args) { linalg::YieldOp::create(b, l, args[0]); });
      rewriter.eraseOp(copy);
    }
  }
};

} // namespace
} // namespace mlir::tpp
