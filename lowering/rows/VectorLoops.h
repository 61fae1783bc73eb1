// The vectorizer of tpp-vectorize-linalg: lowers one linalg.generic on buffers to loops over vector code.
#ifndef TPP_LOWERING_ROWS_VECTORLOOPS_H
#define TPP_LOWERING_ROWS_VECTORLOOPS_H

#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::tpp {

// A loop dimension and its current index.
using Iv = std::pair<const StridedDim *, Value>;

// One operand: a one-dimensional view of its buffer, or a scalar.
struct Operand {
  Value flat;
  Value scalar;
  Value held; // the vector that every load returns, if all iterations of the sequential loops load the same
  int64_t offset = 0;
  Type elementType; // in the body
  Type memoryType;  // of `flat`
};

// Elements of a chunk. A parallel vector dimension of at least two chunks is split into chunks, which are iterations of the parallel loop.
constexpr int64_t chunkElements = 4096;

// The operation that combines the values of an output.
struct Combiner {
  Operation *op = nullptr;
  TypedAttr neutral;
  vector::CombiningKind kind = vector::CombiningKind::ADD;
};

// Whether vectors of this type can be loaded and stored: the types without padding between elements in memory, and booleans, which are bytes.
bool isMemoryElement(Type type);

// Loads from other buffers and assertions, which a body may hold beside elementwise ops.
bool isGatherOp(Operation *op);

// Usage: call analyze(). If it returns null, call emit(), which emits at the rewriter's insertion point; then erase the op.
class Vectorizer {
public:
  // Vectors have as many lanes as `vectorBits` hold elements of 32 bits. All types of an op have this number of lanes, so that conversions are lane by
  // lane: f64 takes two registers, and small floats are computed in f32.
  Vectorizer(linalg::GenericOp op, RewriterBase &rewriter, int64_t vectorBits)
      : op(op), body(*op.getBlock()), rewriter(rewriter), loc(op.getLoc()), lanes(std::max<int64_t>(1, vectorBits / 32)) {}

  // Returns the reason why the op cannot be vectorized, or null if it can. Does not change the IR.
  const char *analyze();
  void emit();
  int64_t getPoints() const {
    int64_t points = 1;
    for (const StridedDim &dim : dims)
      points *= dim.extent;
    return points;
  }

private:
  const char *analyzeBody();
  bool chooseVectorDim();
  void emitBody(ValueRange parallelIvs, Value chunk, bool main, bool tail);
  Value getIndex(unsigned operand, ArrayRef<Iv> ivs);
  Value fromMemory(const Operand &info, Value value);
  Value toMemory(const Operand &info, Value value);
  Value load(unsigned operand, ArrayRef<Iv> ivs, int64_t count);
  void holdScalars(ArrayRef<Iv> ivs);
  void store(Value value, unsigned operand, ArrayRef<Iv> ivs, int64_t count);
  SmallVector<Value> compute(ArrayRef<Value> arguments, ArrayRef<Iv> ivs, int64_t count);
  // Emits a nest of sequential loops over `loops` that carry the values `carried`; `visit` emits the innermost body and returns the new values.
  // Returns the final values.
  SmallVector<Value> nest(ArrayRef<const StridedDim *> loops, ArrayRef<Iv> ivs, ValueRange carried,
                          function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit);
  SmallVector<Value> vectorLoop(ArrayRef<Iv> ivs, Value from, Value to, int64_t step, ValueRange carried,
                                function_ref<SmallVector<Value>(ArrayRef<Iv>, ValueRange)> visit);
  SmallVector<Value> loadInputs(ArrayRef<Iv> ivs, int64_t count);
  SmallVector<Value> computeStep(ArrayRef<Iv> ivs, ValueRange accumulators, int64_t count);
  void computeChunk(ArrayRef<Iv> ivs, int64_t count);
  // In Gathers.cpp.
  bool isUniform(Value value);
  bool findUniform(Value value);
  const char *analyzeGathers();
  bool computeGather(Operation &inner, ArrayRef<Iv> ivs, int64_t count, IRMapping &scalars, IRMapping &vectors);
  // In ReduceVectors.cpp.
  SmallVector<Value> makeNeutrals();
  Operation *combine(const Combiner &combiner, Value x, Value y);
  SmallVector<Value> reduceInChains(ArrayRef<Iv> ivs, ValueRange accumulators, int64_t count);
  SmallVector<Value> reduceStep(ArrayRef<Iv> ivs, ValueRange accumulators, int64_t count);
  void combinePartials(ArrayRef<Iv> ivs, ArrayRef<Value> results, int64_t accumulators);
  void reduceVectors(ArrayRef<Iv> ivs);

  Value makeIndex(int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); }
  Value broadcast(Value scalar) {
    return vector::BroadcastOp::create(rewriter, loc, VectorType::get({lanes}, scalar.getType()), scalar);
  }
  Value makeZero(Type elementType) {
    return arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(VectorType::get({lanes}, elementType)));
  }
  Value makeMask(int64_t count) {
    return vector::ConstantMaskOp::create(rewriter, loc, VectorType::get({lanes}, rewriter.getI1Type()),
                                          ArrayRef<int64_t>{count});
  }

  linalg::GenericOp op;
  Block &body;
  RewriterBase &rewriter;
  Location loc;
  int64_t lanes;
  SmallVector<StridedDim> dims;
  SmallVector<Operand> operands;
  unsigned inputs = 0;
  bool gathers = false; // the body holds ops for which isGatherOp holds
  const StridedDim *vectorDim = nullptr;
  llvm::DenseMap<Value, bool> uniform;                  // what isUniform found, of values of the body
  SmallVector<const StridedDim *> parallel, reductions; // without vectorDim
  SmallVector<Combiner> combiners;                      // one per output, or fewer if one is not a known reduction
};

} // namespace mlir::tpp

#endif
