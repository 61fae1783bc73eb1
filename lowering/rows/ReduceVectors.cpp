// Reductions along the vector dimension of a linalg.generic (see VectorLoops.h): vectors hold partial results, which are combined at the end.
#include "lowering/rows/Combiners.h"
#include "lowering/rows/VectorLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

// Accumulators (vectors of partial results) per output: enough to hide the latency of an addition on two ports.
constexpr int64_t partials = 4;

// Combines the accumulator of each output with a vector of `count` elements. The other lanes of the accumulator keep their values.
SmallVector<Value> Vectorizer::reduceStep(ArrayRef<Iv> ivs, ValueRange accumulators, int64_t count) {
  SmallVector<Value> results = computeStep(ivs, accumulators, count);
  if (count != lanes) {
    Value mask = makeMask(count);
    for (auto [result, old] : llvm::zip_equal(results, accumulators))
      result = arith::SelectOp::create(rewriter, loc, mask, result, old);
  }
  return results;
}

Operation *Vectorizer::combine(const Combiner &combiner, Value x, Value y) {
  return rewriter.create(loc, combiner.op->getName().getIdentifier(), {x, y}, {x.getType()}, combiner.op->getAttrs());
}

// A vector of each output's neutral element.
SmallVector<Value> Vectorizer::makeNeutrals() {
  return llvm::map_to_vector(
      combiners, [&](const Combiner &combiner) { return broadcast(arith::ConstantOp::create(rewriter, loc, combiner.neutral)); });
}

// Emits the innermost reduction; the vector dimension is parallel. Each chain takes every fourth step, so that it need not wait for the step before.
SmallVector<Value> Vectorizer::reduceInChains(ArrayRef<Iv> ivs, ValueRange accumulators, int64_t count) {
  const StridedDim *inner = reductions.back();
  size_t outputs = combiners.size();
  SmallVector<Value> carried = llvm::to_vector(accumulators);
  SmallVector<Value> neutrals = makeNeutrals();
  for (int64_t p = 1; p < partials; ++p)
    llvm::append_range(carried, neutrals);
  auto stepAt = [&](Value iv, ValueRange chain) {
    SmallVector<Iv> at(ivs);
    at.push_back({inner, iv});
    return computeStep(at, chain, count);
  };
  int64_t done = inner->extent / partials * partials;
  auto loop = scf::ForOp::create(rewriter, loc, makeIndex(0), makeIndex(done), makeIndex(partials), carried);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next;
    for (int64_t p = 0; p < partials; ++p) {
      Value iv = arith::AddIOp::create(rewriter, loc, loop.getInductionVar(), makeIndex(p));
      llvm::append_range(next, stepAt(iv, loop.getRegionIterArgs().slice(static_cast<size_t>(p) * outputs, outputs)));
    }
    scf::YieldOp::create(rewriter, loc, next);
  }
  SmallVector<Value> totals;
  for (auto [i, combiner] : llvm::enumerate(combiners)) {
    Value total = loop.getResult(i);
    for (int64_t p = 1; p < partials; ++p)
      total = combine(combiner, total, loop.getResult(static_cast<size_t>(p) * outputs + i))->getResult(0);
    totals.push_back(total);
  }
  if (done == inner->extent)
    return totals;
  auto rest = scf::ForOp::create(rewriter, loc, makeIndex(done), makeIndex(inner->extent), makeIndex(1), totals);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(rest.getBody());
  scf::YieldOp::create(rewriter, loc, stepAt(rest.getInductionVar(), rest.getRegionIterArgs()));
  return llvm::to_vector_of<Value>(rest.getResults());
}

// Emits the whole reduction along the vector dimension.
void Vectorizer::reduceVectors(ArrayRef<Iv> ivs) {
  unsigned outputs = operands.size() - inputs;
  int64_t extent = vectorDim->extent, wide = lanes * partials;
  int64_t accumulators = extent >= wide ? partials : 1;
  SmallVector<Value> neutrals = makeNeutrals(), initial;
  for (int64_t p = 0; p < accumulators; ++p)
    llvm::append_range(initial, neutrals);
  // After the accumulators: for each maximum or minimum (asksForNanInPairs), the mask of lanes in which a NaN was found.
  SmallVector<unsigned> asked;
  for (unsigned i = 0; i < outputs && accumulators > 1; ++i)
    if (asksForNanInPairs(combiners[i].kind, operands[inputs + i].elementType, lanes)) {
      asked.push_back(i);
      initial.push_back(broadcast(arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(false))));
    }
  SmallVector<Value> results = nest(reductions, ivs, initial, [&](ArrayRef<Iv> outerIvs, ValueRange outerCarried) {
    SmallVector<Iv> all(outerIvs);
    SmallVector<Value> carried = llvm::to_vector(outerCarried);
    int64_t done = 0, full = extent / lanes * lanes;
    if (accumulators > 1) {
      done = extent / wide * wide;
      carried = vectorLoop(all, makeIndex(0), makeIndex(done), wide, carried, [&](ArrayRef<Iv> at, ValueRange values) {
        SmallVector<Value> next, areNan;
        for (int64_t p = 0; p < accumulators; ++p) {
          SmallVector<Iv> shifted(at);
          shifted.back().second = arith::AddIOp::create(rewriter, loc, at.back().second, makeIndex(p * lanes));
          llvm::append_range(next, reduceStep(shifted, values.slice(p * outputs, outputs), lanes));
        }
        for (auto [i, isNan] : llvm::zip_equal(asked, values.take_back(asked.size())))
          areNan.push_back(askForNanInPairs(rewriter, next, values, i, outputs, isNan));
        llvm::append_range(next, areNan);
        return next;
      });
    }
    auto first = [&](ArrayRef<Value> values) { return SmallVector<Value>(values.take_front(outputs)); };
    if (full > done) {
      SmallVector<Value> one = vectorLoop(all, makeIndex(done), makeIndex(full), lanes, first(carried),
                                          [&](ArrayRef<Iv> at, ValueRange values) { return reduceStep(at, values, lanes); });
      llvm::copy(one, carried.begin());
    }
    if (extent > full) {
      all.push_back({vectorDim, makeIndex(full)});
      SmallVector<Value> one = reduceStep(all, first(carried), extent - full);
      llvm::copy(one, carried.begin());
    }
    return carried;
  });
  for (auto [i, isNan] : llvm::zip_equal(asked, ArrayRef(results).take_back(asked.size())))
    results[i] = arith::SelectOp::create(rewriter, loc, isNan, getNan(rewriter, loc, results[i].getType()), results[i]);
  combinePartials(ivs, results, accumulators);
}

// Reduces the accumulators of each output to a scalar, combines it with the output's value in memory and stores the result.
void Vectorizer::combinePartials(ArrayRef<Iv> ivs, ArrayRef<Value> results, int64_t accumulators) {
  for (auto [i, combiner] : llvm::enumerate(combiners)) {
    auto join = [&, &combiner = combiner](Value x, Value y) {
      Operation *both = combine(combiner, x, y);
      ignoreSignOfZero(both);
      return both->getResult(0);
    };
    Value total = results[i];
    for (int64_t p = 1; p < accumulators; ++p)
      total = join(total, results[p * combiners.size() + i]);
    Value scalar = reduceLanes(rewriter, loc, combiner.kind, total);
    const Operand &info = operands[inputs + i];
    Value index = getIndex(inputs + i, ivs);
    Value old = fromMemory(info, memref::LoadOp::create(rewriter, loc, info.flat, index));
    memref::StoreOp::create(rewriter, loc, toMemory(info, join(old, scalar)), info.flat, index);
  }
}

} // namespace mlir::tpp
