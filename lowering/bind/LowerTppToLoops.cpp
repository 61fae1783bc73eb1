// Lowers tpp ops on buffers to scalar loops. This is the executable specification of the ops, and the fallback if no kernel supports one.
//
// It is written for clarity: one loop per dimension, every element addressed through the operand's form. Accumulators are f32 (f64 for f64,
// i32 for integers); results are rounded once.
#include "lowering/Passes.h"
#include "lowering/bind/Bind.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <functional>

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERTPPTOLOOPS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;
using namespace mlir::tpp;

namespace {

using Indices = SmallVector<Value>;

/// Loops and element accesses at one location.
class LoopBuilder {
public:
  LoopBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  /// A loop that executes `body` for 0 <= i < size.
  void loop(Value size, function_ref<void(Value)> body) {
    auto forOp = scf::ForOp::create(builder, loc, index(0), size, index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    body(forOp.getInductionVar());
  }

  /// A loop that carries a value: `body` gets the index and the value of the previous iteration (first `init`). Returns the last value.
  Value fold(Value size, Value init, function_ref<Value(Value, Value)> body) {
    auto forOp = scf::ForOp::create(builder, loc, index(0), size, index(1), init);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    scf::YieldOp::create(builder, loc, body(forOp.getInductionVar(), forOp.getRegionIterArg(0)));
    return forOp.getResult(0);
  }

  /// A loop nest that executes `body` for every (i, j) of rows x cols.
  void tile(int64_t rows, int64_t cols, function_ref<void(Value, Value)> body) {
    loop(index(rows), [&](Value i) { loop(index(cols), [&](Value j) { body(i, j); }); });
  }

  Value load(Value memref, ValueRange indices) { return memref::LoadOp::create(builder, loc, memref, indices); }

  /// Stores `value`, converted to the element type of `memref`.
  void store(Value value, Value memref, ValueRange indices) {
    value = convertScalar(builder, loc, value, cast<MemRefType>(memref.getType()).getElementType());
    memref::StoreOp::create(builder, loc, value, memref, indices);
  }

  /// The indices of element (i, j) of entry `batch` of a tile.
  Indices at(Value tile, TileDims dims, Value i, Value j, Value batch = {}) {
    auto type = cast<MemRefType>(tile.getType());
    Indices indices(type.getRank());
    if (dims.batch >= 0)
      indices[dims.batch] = batch;
    if (dims.vnni >= 0)
      std::tie(i, indices[dims.vnni]) = divide(i, type.getDimSize(dims.vnni));
    if (dims.isPanelled())
      std::tie(indices[dims.panels], j) = divide(j, type.getDimSize(dims.cols));
    indices[dims.rows] = i;
    indices[dims.cols] = j;
    return indices;
  }

  /// The indices of the element that a (broadcast) operand contributes to (i, j).
  Indices at(Value operand, Broadcast broadcast, Value i, Value j) {
    switch (broadcast) {
    case Broadcast::None:
      return at(operand, getVerifiedTileDims(operand), i, j);
    case Broadcast::Row:
      return {j};
    case Broadcast::Col:
      return {i};
    case Broadcast::Scalar:
      return Indices(cast<MemRefType>(operand.getType()).getRank(), index(0));
    }
    llvm_unreachable("every broadcast has a case");
  }

  /// The tile that starts `offsets[entry]` bytes after the start of `memref`.
  Value shifted(Value memref, Value offsets, Value entry) {
    auto type = cast<MemRefType>(memref.getType());
    Value bytes = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), load(offsets, entry));
    Value elements = arith::DivSIOp::create(builder, loc, bytes, index(type.getElementTypeBitWidth() / 8));
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memref);
    Value offset = arith::AddIOp::create(builder, loc, metadata.getOffset(), elements);
    SmallVector<int64_t> strides;
    int64_t ignored;
    // A layout without strides cannot occur: the verifier of the op above rejects it.
    if (failed(type.getStridesAndOffset(strides, ignored)))
      strides.assign(type.getRank(), ShapedType::kDynamic);
    auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
    auto shiftedType = MemRefType::get(type.getShape(), type.getElementType(), layout, type.getMemorySpace());
    return memref::ReinterpretCastOp::create(builder, loc, shiftedType, memref, OpFoldResult(offset),
                                             metadata.getConstifiedMixedSizes(), metadata.getConstifiedMixedStrides());
  }

  OpBuilder &builder;
  Location loc;

private:
  std::pair<Value, Value> divide(Value value, int64_t by) {
    Value divisor = index(by);
    return {arith::DivUIOp::create(builder, loc, value, divisor), arith::RemUIOp::create(builder, loc, value, divisor)};
  }
};

} // namespace

static void lower(BrgemmOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  Type compute = getComputeType({getElementTypeOrSelf(op.getC())});
  bool offset = op.getBatch() == BatchKind::Offset;
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(compute));
  Value count = loops.index(1);
  if (Value counted = offset ? op.getAOffsets() : op.getBatch() == BatchKind::Stride ? op.getA() : Value())
    count = memref::DimOp::create(builder, loc, counted, 0);

  loops.tile(op.getM(), op.getN(), [&](Value i, Value j) {
    Indices atC = loops.at(op.getC(), op.getCDims(), i, j);
    Value init = op.getBeta() == 1 ? convertScalar(builder, loc, loops.load(op.getC(), atC), compute) : zero;
    Value acc = loops.fold(count, init, [&](Value entry, Value outer) {
      Value a = offset ? loops.shifted(op.getA(), op.getAOffsets(), entry) : op.getA();
      Value b = offset ? loops.shifted(op.getB(), op.getBOffsets(), entry) : op.getB();
      return loops.fold(loops.index(op.getK()), outer, [&](Value p, Value inner) {
        Value x = loops.load(a, loops.at(a, op.getADims(), i, p, entry)),
              y = loops.load(b, loops.at(b, op.getBDims(), p, j, entry));
        x = convertScalar(builder, loc, x, compute, op.getAUnsigned());
        y = convertScalar(builder, loc, y, compute);
        Value product = createBinary(builder, loc, BinaryKind::Mul, x, y);
        return createBinary(builder, loc, BinaryKind::Add, inner, product);
      });
    });
    acc = applyPostOps(builder, loc, op.getPostOpList(), acc, [&](unsigned operand, Broadcast broadcast) {
      Value source = op.getPostOperands()[operand];
      return loops.load(source, loops.at(source, broadcast, i, j));
    });
    loops.store(acc, op.getC(), atC);
  });
}

/// vnni_pack: copies every element of the input and fills a partial last group of rows with zeros.
static void lowerVnniPack(UnaryOp op, LoopBuilder &loops) {
  TileDims dims = op.getOutDims();
  auto [rows, cols] = getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn()));
  loops.tile(rows, cols, [&](Value i, Value j) {
    Value x = loops.load(op.getIn(), loops.at(op.getIn(), Broadcast::None, i, j));
    loops.store(x, op.getOut(), loops.at(op.getOut(), dims, i, j));
  });
  int64_t vnni = cast<MemRefType>(op.getOut().getType()).getDimSize(dims.vnni);
  Type element = getElementTypeOrSelf(op.getOut());
  loops.tile(llvm::alignTo(rows, vnni) - rows, cols, [&, rows = rows](Value i, Value j) {
    Value zero = arith::ConstantOp::create(loops.builder, loops.loc, loops.builder.getZeroAttr(element));
    Value row = arith::AddIOp::create(loops.builder, loops.loc, i, loops.index(rows));
    loops.store(zero, op.getOut(), loops.at(op.getOut(), dims, row, j));
  });
}

static void lower(UnaryOp op, LoopBuilder &loops) {
  UnaryKind kind = op.getKind();
  if (kind == UnaryKind::VnniPack)
    return lowerVnniPack(op, loops);
  auto [rows, cols] = getTileSizes(op.getOut(), getVerifiedTileDims(op.getOut()));
  Type out = getElementTypeOrSelf(op.getOut());
  Type in = op.getIn() ? getElementTypeOrSelf(op.getIn()) : out;
  // Kinds that move or convert elements keep the input's type. Formulas on floats are computed in f32 or f64.
  bool formula = kind == UnaryKind::Zero || (!movesBits(kind) && kind != UnaryKind::Convert);
  Type compute = formula && isa<FloatType>(in) ? getComputeType({in, out}) : in;
  loops.tile(rows, cols, [&](Value i, Value j) {
    Value x;
    if (kind == UnaryKind::Zero)
      x = arith::ConstantOp::create(loops.builder, loops.loc, loops.builder.getZeroAttr(compute));
    else if (kind == UnaryKind::Transpose)
      x = loops.load(op.getIn(), loops.at(op.getIn(), Broadcast::None, j, i));
    else
      x = loops.load(op.getIn(), loops.at(op.getIn(), op.getBroadcast(), i, j));
    x = convertScalar(loops.builder, loops.loc, x, compute);
    loops.store(createUnary(loops.builder, loops.loc, kind, x, op.getAlphaAttr()), op.getOut(),
                loops.at(op.getOut(), Broadcast::None, i, j));
  });
}

static void lower(BinaryOp op, LoopBuilder &loops) {
  auto [rows, cols] = getTileSizes(op.getOut(), getVerifiedTileDims(op.getOut()));
  Type lhs = getElementTypeOrSelf(op.getLhs()), rhs = getElementTypeOrSelf(op.getRhs()), out = getElementTypeOrSelf(op.getOut());
  Type compute = isa<FloatType>(out) ? getComputeType({lhs, rhs, out}) : out;
  loops.tile(rows, cols, [&](Value i, Value j) {
    Value x = loops.load(op.getLhs(), loops.at(op.getLhs(), op.getLhsBroadcast(), i, j));
    Value y = loops.load(op.getRhs(), loops.at(op.getRhs(), op.getRhsBroadcast(), i, j));
    x = convertScalar(loops.builder, loops.loc, x, compute);
    y = convertScalar(loops.builder, loops.loc, y, compute);
    loops.store(createBinary(loops.builder, loops.loc, op.getKind(), x, y), op.getOut(),
                loops.at(op.getOut(), Broadcast::None, i, j));
  });
}

static void lower(ReduceOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  auto [rows, cols] = getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn()));
  bool overRows = op.getAxis() == ReduceAxis::OverRows;
  int64_t results = overRows ? cols : rows, summands = overRows ? rows : cols;
  Type in = getElementTypeOrSelf(op.getIn()), out = getElementTypeOrSelf(op.getOut());
  Type compute = isa<FloatType>(in) ? getComputeType({in, out}) : in;
  loops.loop(loops.index(results), [&](Value kept) {
    Value init = op.getBeta() == 1 ? convertScalar(builder, loc, loops.load(op.getOut(), kept), compute)
                                   : createReduceInit(builder, loc, op.getKind(), compute);
    Value result = loops.fold(loops.index(summands), init, [&](Value reduced, Value acc) {
      Indices at = loops.at(op.getIn(), Broadcast::None, overRows ? reduced : kept, overRows ? kept : reduced);
      Value x = convertScalar(builder, loc, loops.load(op.getIn(), at), compute);
      return createReduceStep(builder, loc, op.getKind(), acc, x);
    });
    loops.store(result, op.getOut(), kept);
  });
}

/// tpp.contract: outer loops over the dimensions of the result's map, inner loops over the reduction dimensions.
static void lower(ContractOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  SmallVector<AffineMap> maps = op.getMaps();
  Type compute = getAccumulatorType(getElementTypeOrSelf(op.getInit()));
  SmallVector<unsigned> kept, summed;
  for (unsigned dim = 0; dim < op.getExtents().size(); ++dim)
    (maps[2].isFunctionOfDim(dim) ? kept : summed).push_back(dim);

  Indices point(op.getExtents().size(), loops.index(0));
  auto at = [&](unsigned operand) { return *affine::expandAffineMap(builder, loc, maps[operand], point); };
  auto extent = [&](unsigned dim) { return loops.index(op.getExtents()[dim]); };

  std::function<Value(unsigned, Value)> sum = [&](unsigned depth, Value acc) -> Value {
    if (depth < summed.size())
      return loops.fold(extent(summed[depth]), acc, [&](Value i, Value inner) {
        point[summed[depth]] = i;
        return sum(depth + 1, inner);
      });
    Value x = convertScalar(builder, loc, loops.load(op.getA(), at(0)), compute, op.getAUnsigned());
    Value y = convertScalar(builder, loc, loops.load(op.getB(), at(1)), compute, op.getBUnsigned());
    return createBinary(builder, loc, BinaryKind::Add, acc, createBinary(builder, loc, BinaryKind::Mul, x, y));
  };
  std::function<void(unsigned)> nest = [&](unsigned depth) {
    if (depth < kept.size())
      return loops.loop(extent(kept[depth]), [&](Value i) {
        point[kept[depth]] = i;
        nest(depth + 1);
      });
    auto atC = at(2);
    Value init = op.getBeta() == 1 ? convertScalar(builder, loc, loops.load(op.getInit(), atC), compute)
                                   : arith::ConstantOp::create(builder, loc, builder.getZeroAttr(compute)).getResult();
    Value acc = sum(0, init);
    SmallVector<PostOpAttr> postOps = llvm::to_vector(op.getPostOps().getAsRange<PostOpAttr>());
    acc = applyPostOps(builder, loc, postOps, acc,
                       [&](unsigned operand, Broadcast) { return loops.load(op.getPostOperands()[operand], at(3 + operand)); });
    loops.store(acc, op.getInit(), atC);
  };
  nest(0);
}

LogicalResult tpp::lowerTppToLoops(RewriterBase &rewriter, Operation *op) {
  if (!isTileOp(op) && !isa<ContractOp>(op))
    return rewriter.notifyMatchFailure(op, "no tile op");
  if (!cast<DestinationStyleOpInterface>(op).hasPureBufferSemantics())
    return rewriter.notifyMatchFailure(op, "on tensors");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  LoopBuilder loops(rewriter, op->getLoc());
  TypeSwitch<Operation *>(op).Case<BrgemmOp, UnaryOp, BinaryOp, ReduceOp, ContractOp>([&](auto tppOp) { lower(tppOp, loops); });
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct LowerTppToLoops : public tpp::impl::LowerTppToLoopsBase<LowerTppToLoops> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isTileOp(op) || isa<ContractOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      if (failed(lowerTppToLoops(rewriter, op))) {
        op->emitOpError() << "is on tensors; bufferize before lowering to loops";
        return signalPassFailure();
      }
  }
};
} // namespace
