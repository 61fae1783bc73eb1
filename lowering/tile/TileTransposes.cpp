// Lowers transpositions on buffers to parallel loops over tpp.unary transpose tiles.
//
// A copy whose source and target are contiguous along different dimensions moves strided elements whichever way it is vectorized;
// the transpose kernels move squares of them in registers. Copies that keep the contiguous dimension are left to vector code.
#include "lowering/LinearMap.h"
#include "lowering/Passes.h"
#include "lowering/Relay.h"
#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_TILETRANSPOSES
#include "lowering/Passes.h.inc"

namespace {

// Rows and columns of a tile: two such tiles of f32 fit the first-level cache, and a row is four cache lines.
constexpr int64_t block = 64;
// Smaller squares are not worth a call.
constexpr int64_t smallest = 4;

struct Dim : StridedDim {
  int64_t in() const { return strides[0]; }
  int64_t out() const { return strides[1]; }
};

struct Transposition {
  Value in, out;
  int64_t inOffset, outOffset;
  Dim rows, cols; // of the target: cols is contiguous there, rows in the source
  SmallVector<Dim> outer;
};

std::optional<Transposition> match(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.hasDynamicShape() || !isCopy(op))
    return std::nullopt;
  Transposition t{op.getDpsInputs()[0], op.getDpsInits()[0], 0, 0, {}, {}, {}};
  auto inType = dyn_cast<MemRefType>(t.in.getType());
  auto outType = cast<MemRefType>(t.out.getType());
  if (!inType || !inType.getElementType().isF32() || !outType.getElementType().isF32())
    return std::nullopt;
  auto in = getLinearView(op.getIndexingMapsArray()[0], inType), out = getLinearView(op.getIndexingMapsArray()[1], outType);
  if (!in || !out)
    return std::nullopt;
  t.inOffset = in->offset, t.outOffset = out->offset;
  SmallVector<StridedDim> dims;
  for (auto [i, extent] : llvm::enumerate(op.getStaticLoopRanges()))
    if (extent != 1)
      dims.push_back({extent, false, -1, {in->strides[i], out->strides[i]}});
  mergeRuns(dims);
  for (const StridedDim &dim : dims)
    t.outer.push_back(Dim{dim});
  auto take = [&](auto wanted, Dim &dim) {
    auto it = llvm::find_if(t.outer, wanted);
    if (it == t.outer.end())
      return false;
    dim = *it;
    t.outer.erase(it);
    return true;
  };
  if (!take([](const Dim &d) { return d.out() == 1 && d.in() > 1; }, t.cols) ||
      !take([](const Dim &d) { return d.in() == 1 && d.out() > 1; }, t.rows))
    return std::nullopt;
  if (t.rows.extent < smallest || t.cols.extent < smallest)
    return std::nullopt;
  llvm::stable_sort(t.outer, [](const Dim &x, const Dim &y) { return x.out() > y.out(); });
  return t;
}

void emit(const Transposition &t, Location loc, RewriterBase &rewriter) {
  int64_t rows = std::min(t.rows.extent, block), cols = std::min(t.cols.extent, block);
  SmallVector<OpFoldResult> bounds;
  AffineExpr in = rewriter.getAffineConstantExpr(t.inOffset), out = rewriter.getAffineConstantExpr(t.outOffset);
  auto addLoop = [&](const Dim &dim, int64_t step) -> int {
    int64_t count = (dim.extent + step - 1) / step;
    if (count == 1)
      return -1;
    AffineExpr iv = rewriter.getAffineSymbolExpr(bounds.size());
    in = in + iv * (dim.in() * step);
    out = out + iv * (dim.out() * step);
    bounds.push_back(rewriter.getIndexAttr(count));
    return bounds.size() - 1;
  };
  int64_t elements = t.rows.extent * t.cols.extent;
  for (const Dim &dim : t.outer) {
    addLoop(dim, 1);
    elements *= dim.extent;
  }
  int rowLoop = addLoop(t.rows, rows), colLoop = addLoop(t.cols, cols);
  auto emitTile = [&](ValueRange ivs, int64_t m, int64_t n) {
    Value source = makeStridedView(rewriter, loc, t.in, in, ivs, {n, m}, {t.cols.in(), 1});
    Value target = makeStridedView(rewriter, loc, t.out, out, ivs, {m, n}, {t.rows.out(), 1});
    UnaryOp::create(rewriter, loc, UnaryKind::Transpose, source, target);
  };
  if (bounds.empty())
    return emitTile({}, rows, cols);
  auto forall = scf::ForallOp::create(rewriter, loc, bounds, ValueRange(), std::nullopt);
  forall->setAttr("tpp.work_ns", rewriter.getI64IntegerAttr(std::max<int64_t>(1, elements / 2)));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = llvm::to_vector(forall.getInductionVars());
  auto iv = [&](int loop) { return loop < 0 ? Value() : ivs[loop]; };
  emitBlocks(rewriter, loc, iv(rowLoop), rows, t.rows.extent, [&](int64_t m) {
    emitBlocks(rewriter, loc, iv(colLoop), cols, t.cols.extent, [&](int64_t n) { emitTile(ivs, m, n); });
  });
}

struct TileTransposes : public impl::TileTransposesBase<TileTransposes> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      std::optional<Transposition> transposition = match(op);
      if (!transposition)
        continue;
      rewriter.setInsertionPoint(op);
      emit(*transposition, op.getLoc(), rewriter);
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
} // namespace mlir::tpp
