// Lowers ops that only move elements to parallel loops over tpp.unary tiles: transpositions, VNNI packs, and copies of rows.
//
// If source and target of a copy are contiguous along different dimensions, one side has strided accesses, however the copy is vectorized. The
// transpose kernels transpose squares in registers instead. Identity kernels copy rows that keep their order. Both have variants with
// non-temporal stores for targets larger than the caches: an ordinary store reads each line of such a target before it overwrites it.
// docs/decisions/relayouts.md gives the reasons for the tile sizes and the order of tiles.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Relay.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/Threads.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/ThreadShares.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp/transpose_sizes.hpp"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_TILERELAYOUTS
#include "lowering/Passes.h.inc"

namespace {

// A transposition with a smaller dimension than smallestSquare is not worth a call, unless this dimension is the channels of at least
// fewestPoints adjacent points. A copy of rows shorter than a cache line is not worth one either.
constexpr int64_t smallestSquare = 4, smallestRowBytes = TPP_LINE_BYTES, fewestPoints = 16;
// Largest number of strided rows of a tile. Each row is in a page of its own. Rows beyond the number of L1 TLB entries cost more than a larger
// tile gains.
constexpr int64_t rowBlock = 64;
// The same limit for a copy whose source rows have gaps between them: half of the streams that the hardware prefetcher follows. Identity kernels
// prefetch the piece after each short piece. Tiles of short pieces therefore have more rows, up to rowBlock, so that the prefetches are issued early
// enough.
int64_t getCopyRows(const tpp_machine &machine) { return std::clamp<int64_t>(machine.prefetch_streams / 2, 1, rowBlock); }
// Largest bytes of a tile: of a transposition along a contiguous dimension, and of a whole copy.
constexpr int64_t runBytes = TPP_PAGE_BYTES, copyBytes = 64 << 10;
// Sizes of a call of a streamed transposition; all in bytes but leastCalls and shortRun, a multiple of the rows of the kernel's blocks.
// - A source row of the call is as long as possible, a multiple of rowUnit up to longestRow, if at least leastCalls calls remain for threads to
//   share. If runs in the target are short, the call spans at most callSpan of the target, so that the TLBs still hold its pages when the next
//   call accesses them.
// - A run in the target has shortRun elements, or else is as long as leaves leastCalls calls, from runBytes to longestRun.
// - A call moves about callBytes in all, because it starts without prefetched data.
// A piece of longPieceBytes contains a whole cache line wherever it starts.
constexpr int64_t lineBytes = TPP_LINE_BYTES, rowUnit = 1024, shortRun = 2 * ::tpp::transpose_block_rows;
constexpr int64_t longestRow = 64 << 10, leastCalls = 8, callBytes = 256 << 10, longestRun = 16384, callSpan = 32 << 20,
                  longPieceBytes = 2 * lineBytes;

struct Dim : StridedDim {
  int64_t in() const { return strides[0]; }
  int64_t out() const { return strides[1]; }
};

// An op that only moves elements, described as loops over strided dimensions.
struct Relayout {
  Value in, out;
  int64_t inOffset = 0, outOffset = 0;
  int64_t elementBytes = 0, bytes = 0;
  SmallVector<Dim> dims;
};

// The tiling of a relayout. A tile has rowStep x colStep elements of the target in each panel; columns are contiguous in the target. Each
// dimension in `outer` becomes a loop with steps of 1.
struct Tiling {
  UnaryKind kind;
  Dim rows, cols;
  int64_t rowStep, colStep;
  SmallVector<Dim> outer;
  Dim panels = {};
  Dim group = {}; // of a VNNI pack: the elements of a group. `rows` are groups
};

std::optional<Relayout> view(Value in, AffineMap inMap, Value out, AffineMap outMap, ArrayRef<int64_t> extents) {
  auto inType = dyn_cast<MemRefType>(in.getType()), outType = dyn_cast<MemRefType>(out.getType());
  if (!inType || !outType || inType.getElementType() != outType.getElementType())
    return std::nullopt;
  std::optional<ElementType> element = getMovedElementType(outType.getElementType());
  auto inView = getLinearView(inMap, inType), outView = getLinearView(outMap, outType);
  if (!element || !inView || !outView || llvm::is_contained(extents, ShapedType::kDynamic))
    return std::nullopt;
  Relayout r{in, out, inView->offset, outView->offset, 0, 0, {}};
  r.bytes = r.elementBytes =
      outType.getElementType().isIndex() ? 8 : std::max<int64_t>(outType.getElementType().getIntOrFloatBitWidth() / 8, 1);
  SmallVector<StridedDim> dims;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    r.bytes *= extent;
    if (extent != 1)
      dims.push_back({extent, false, -1, {inView->strides[i], outView->strides[i]}});
  }
  mergeRuns(dims);
  for (const StridedDim &dim : dims)
    r.dims.push_back(Dim{dim});
  return r;
}

std::optional<Relayout> view(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto type = dyn_cast<MemRefType>(copy.getTarget().getType());
    if (!type)
      return std::nullopt;
    AffineMap identity = AffineMap::getMultiDimIdentityMap(type.getRank(), op->getContext());
    return view(copy.getSource(), identity, copy.getTarget(), identity, type.getShape());
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureBufferSemantics() || !isCopy(linalgOp))
    return std::nullopt;
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  return view(linalgOp.getDpsInputs()[0], maps[0], linalgOp.getDpsInits()[0], maps[1], linalgOp.getStaticLoopRanges());
}

// Removes and returns the first dimension for which `wanted` holds; nullopt if there is none.
std::optional<Dim> take(SmallVectorImpl<Dim> &dims, function_ref<bool(const Dim &)> wanted) {
  auto it = llvm::find_if(dims, wanted);
  if (it == dims.end())
    return std::nullopt;
  Dim dim = *it;
  dims.erase(it);
  return dim;
}

// Distance between consecutive iterations of a loop: the product of its strides in source and target. Loops of larger distance are further out.
double distance(const Dim &dim, int64_t step = 1) {
  return static_cast<double>(dim.in()) * static_cast<double>(dim.out()) * static_cast<double>(step) * static_cast<double>(step);
}

// The step that splits `extent` into nearly equal parts, so that threads get equal shares: at most `largest`, then rounded up to a multiple of
// `unit`, and at most `extent`.
int64_t evenStep(int64_t extent, int64_t largest, int64_t unit) {
  int64_t step = llvm::divideCeil(extent, llvm::divideCeil(extent, largest));
  return std::min(extent, static_cast<int64_t>(llvm::alignTo(step, unit)));
}

// Number of iterations of a loop nest over `dims`.
int64_t getCount(ArrayRef<Dim> dims) {
  int64_t count = 1;
  for (const Dim &dim : dims)
    count *= dim.extent;
  return count;
}

std::optional<Tiling> tileTransposition(const Relayout &r, bool streaming) {
  Tiling t{UnaryKind::Transpose, {}, {}, 0, 0, r.dims};
  std::optional<Dim> cols = take(t.outer, [](const Dim &d) { return d.out() == 1 && d.in() > 1; });
  std::optional<Dim> rows = take(t.outer, [](const Dim &d) { return d.in() == 1 && d.out() > 1; });
  if (!cols || !rows)
    return std::nullopt;
  t.rows = *rows, t.cols = *cols;
  bool joins = t.cols.extent < smallestSquare && t.rows.out() == t.cols.extent && t.rows.extent >= fewestPoints;
  bool splits = t.rows.extent < smallestSquare && t.cols.in() == t.rows.extent && t.cols.extent >= fewestPoints;
  if (joins || splits) {
    auto getStep = [&](const Dim &points, const Dim &channels) {
      return evenStep(points.extent, copyBytes / (channels.extent * r.elementBytes), lineBytes);
    };
    t.rowStep = splits ? t.rows.extent : getStep(t.rows, t.cols);
    t.colStep = splits ? getStep(t.cols, t.rows) : t.cols.extent;
    return t;
  }
  if (t.rows.extent < smallestSquare || t.cols.extent < smallestSquare)
    return std::nullopt;
  if (streaming) {
    // If target rows are not line-aligned, runs are long: each run of a call shares its first and its last cache line with the calls before and
    // after it.
    bool shortRuns = t.rows.out() * r.elementBytes % lineBytes == 0;
    int64_t fewest = shortRuns ? runBytes : rowUnit / 2, outer = getCount(t.outer);
    int64_t strips = llvm::divideCeil(t.rows.extent * r.elementBytes, fewest) * outer;
    int64_t run = shortRuns
                      ? shortRun
                      : std::clamp(t.cols.extent * strips / leastCalls, runBytes / r.elementBytes, longestRun / r.elementBytes);
    int64_t calls = llvm::divideCeil(t.cols.extent, run) * outer;
    auto share =
        static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(t.rows.extent * calls * r.elementBytes, leastCalls), lineBytes));
    int64_t longest = shortRuns ? std::clamp(callSpan / t.rows.out(), fewest, longestRow) : longestRow;
    int64_t row = std::clamp(share, fewest, longest);
    t.rowStep = evenStep(t.rows.extent, row / r.elementBytes, (shortRuns ? rowUnit : lineBytes) / r.elementBytes);
    int64_t runs = std::max<int64_t>(callBytes / (t.rowStep * r.elementBytes * run), 1);
    t.colStep = shortRuns ? std::min(t.cols.extent, runs * run) : evenStep(t.cols.extent, runs * run, rowBlock);
  } else {
    t.rowStep = std::min(t.rows.extent, runBytes / r.elementBytes);
    t.colStep = std::min(t.cols.extent, rowBlock);
  }
  return t;
}

Dim takeNearest(SmallVectorImpl<Dim> &dims, function_ref<double(const Dim &)> distance) {
  auto nearest = llvm::min_element(dims, [&](const Dim &x, const Dim &y) { return distance(x) < distance(y); });
  Dim dim = *nearest;
  dims.erase(nearest);
  return dim;
}

std::optional<Tiling> tileCopy(const Relayout &r, bool streaming, int64_t copyRows) {
  Tiling t{UnaryKind::Identity, {}, {}, 0, 0, r.dims};
  std::optional<Dim> cols = take(t.outer, [](const Dim &d) { return d.in() == 1 && d.out() == 1; });
  if (!cols || cols->extent * r.elementBytes < smallestRowBytes)
    return std::nullopt;
  t.cols = *cols;
  t.colStep = std::min(t.cols.extent, copyBytes / r.elementBytes);
  if (t.outer.empty()) {
    t.rows.strides = {t.cols.extent, t.cols.extent};
    t.rowStep = 1;
    return t;
  }
  int64_t rowBytes = t.colStep * r.elementBytes;
  std::optional<Dim> next;
  if (streaming && (rowBytes % lineBytes == 0 || rowBytes >= longPieceBytes))
    next = take(t.outer, [&](const Dim &d) { return d.in() == t.colStep; });
  if (next) {
    // The rows are adjacent in the source, so each call reads the source sequentially.
    t.rows = *next;
    t.rowStep = std::clamp(callBytes / rowBytes, int64_t{1}, t.rows.extent);
    if (t.rowStep == t.rows.extent && !t.outer.empty()) {
      t.panels = t.rows;
      t.rows = takeNearest(t.outer, [](const Dim &d) { return static_cast<double>(d.in()); });
      int64_t most = t.rows.extent * getCount(t.outer);
      t.rowStep = std::clamp(callBytes / (t.panels.extent * rowBytes), int64_t{1},
                             std::clamp(most / leastCalls, int64_t{1}, t.rows.extent));
    }
    return t;
  }
  t.rows = takeNearest(t.outer, [](const Dim &d) { return distance(d); });
  int64_t most = t.rows.in() > t.colStep ? std::clamp(2 * runBytes / rowBytes, copyRows, rowBlock) : rowBlock;
  t.rowStep = std::clamp(copyBytes / rowBytes, int64_t{1}, std::min(most, t.rows.extent));
  return t;
}

// Packs rows in groups of four bytes (VNNI): the elements of a group are adjacent in the target, and so are the groups of a row. The source is
// contiguous along the rows or along the columns.
std::optional<Tiling> tileVnniPack(const Relayout &r, bool streaming, int64_t copyRows) {
  Tiling t{UnaryKind::VnniPack, {}, {}, 0, 0, r.dims};
  std::optional<Dim> group = take(t.outer, [&](const Dim &d) { return d.out() == 1 && d.extent * r.elementBytes == 4; });
  if (!group || group->extent == 1)
    return std::nullopt;
  std::optional<Dim> cols = take(t.outer, [&](const Dim &d) { return d.out() == group->extent; });
  if (!cols || (group->in() != 1 && cols->in() != 1))
    return std::nullopt;
  std::optional<Dim> rows = take(t.outer, [&](const Dim &d) { return d.in() == group->in() * group->extent; });
  if (!rows)
    return std::nullopt;
  t.group = *group, t.cols = *cols, t.rows = *rows;
  // A source that is contiguous along the groups: strips of whole cache lines from rowBlock columns. transposedGroups was not tuned.
  constexpr int64_t transposedGroups = 256;
  if (group->in() == 1) {
    t.rowStep = std::min(t.rows.extent, transposedGroups);
    t.colStep = std::min(t.cols.extent, rowBlock);
    return t;
  }
  // Else whole rows, through all panels; threads share at least leastCalls calls of copyRows rows or more.
  t.colStep = t.cols.extent;
  if (std::optional<Dim> panels = take(t.outer, [&](const Dim &d) { return d.in() == cols->extent; }))
    t.panels = *panels;
  int64_t groupBytes = t.cols.extent * std::max<int64_t>(t.panels.extent, 1) * group->extent * r.elementBytes;
  int64_t share = std::max<int64_t>(llvm::divideCeil(t.rows.extent, leastCalls), copyRows / group->extent);
  t.rowStep = evenStep(t.rows.extent, std::clamp<int64_t>((streaming ? callBytes : copyBytes) / groupBytes, 1, share), 1);
  return t;
}

// Makes the tiles shorter along `dim` if threads then get more equal shares: a multiple of `unit`, and a page or more on average.
void divideAlong(const Dim &dim, int64_t &step, int64_t unit, const Tiling &t, const Relayout &r, int64_t threads) {
  int64_t outer = getCount(t.outer);
  auto getStep = [&](int64_t blocks) {
    return std::min(dim.extent, static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(dim.extent, blocks), unit)));
  };
  auto getTasks = [&] { return SmallVector<TaskBlocks>{{outer, 1}, {t.rows.extent, t.rowStep}, {t.cols.extent, t.colStep}}; };
  int64_t old = step, blocks = llvm::divideCeil(dim.extent, step), others = countTasks(getTasks()) / blocks;
  int64_t most = std::min(blocks + 2 * threads, r.bytes / (others * TPP_PAGE_BYTES));
  int64_t more = chooseBlockCount(blocks, most, [&](int64_t count) {
    step = getStep(count);
    return getLargestShare(getTasks(), threads);
  });
  step = more > blocks ? getStep(more) : old;
}

// Makes the tiles smaller if threads would otherwise get unequal shares: shorter columns of whole rows first, then shorter rows.
void divideAmongThreads(Tiling &t, const Relayout &r, int64_t threads) {
  int64_t line = std::max<int64_t>(lineBytes / r.elementBytes, 1);
  bool rowsAreRuns = t.kind == UnaryKind::Transpose || (t.kind == UnaryKind::VnniPack && t.group.in() == 1); // of the source
  divideAlong(t.rows, t.rowStep, rowsAreRuns ? line : 1, t, r, threads);
  if (t.kind != UnaryKind::VnniPack && t.panels.extent <= 1)
    divideAlong(t.cols, t.colStep, line, t, r, threads);
}

std::optional<Tiling> chooseTiling(const Relayout &r, bool streaming, int64_t threads, const tpp_machine &machine) {
  if (llvm::any_of(r.dims, [](const Dim &d) { return d.extent == 0 || d.in() < 1 || d.out() < 1; }))
    return std::nullopt;
  int64_t copyRows = getCopyRows(machine);
  std::optional<Tiling> t = tileCopy(r, streaming, copyRows);
  if (!t)
    t = tileVnniPack(r, streaming, copyRows);
  if (!t)
    t = tileTransposition(r, streaming);
  if (t && threads > 1)
    divideAmongThreads(*t, r, threads);
  return t;
}

// Bytes of the whole buffer of a view. Parts of one buffer (of a padded pack, of a concatenation) occupy the caches together.
int64_t getBufferBytes(Value view, int64_t elementBytes) {
  auto type = dyn_cast<MemRefType>(getBuffer(view).getType());
  return type && type.hasStaticShape() ? type.getNumElements() * elementBytes : 0;
}

class RelayoutTiler {
public:
  RelayoutTiler(const Relayout &relayout, const Tiling &tiling, bool streaming, const tpp_machine &machine, Location loc,
                RewriterBase &rewriter)
      : r(relayout), t(tiling), streaming(streaming), machine(machine), loc(loc), rewriter(rewriter),
        in(rewriter.getAffineConstantExpr(r.inOffset)), out(rewriter.getAffineConstantExpr(r.outOffset)) {}

  void emit() {
    SmallVector<Loop> loops;
    auto addLoop = [&](const Dim &dim, int64_t step, LoopRole role) {
      if (int64_t count = llvm::divideCeil(dim.extent, step); count > 1)
        loops.push_back({&dim, step, count, role});
    };
    for (const Dim &dim : t.outer)
      addLoop(dim, 1, LoopRole::Outer);
    addLoop(t.rows, t.rowStep, LoopRole::Rows);
    addLoop(t.cols, t.colStep, LoopRole::Cols);
    llvm::stable_sort(loops, [](const Loop &x, const Loop &y) { return distance(*x.dim, x.step) > distance(*y.dim, y.step); });
    if (loops.empty())
      return emitTile({}, t.rowStep, t.colStep);

    SmallVector<OpFoldResult> bounds;
    for (const Loop &loop : loops) {
      AffineExpr iv = rewriter.getAffineSymbolExpr(bounds.size());
      in = in + iv * (loop.dim->in() * loop.step);
      out = out + iv * (loop.dim->out() * loop.step);
      bounds.push_back(rewriter.getIndexAttr(loop.count));
    }
    auto forall = scf::ForallOp::create(rewriter, loc, bounds, ValueRange(), std::nullopt);
    int64_t work = std::max<int64_t>(1, static_cast<int64_t>(estimateMoveNs(r.bytes, machine)));
    forall->setAttr(kWorkNsAttr, rewriter.getI64IntegerAttr(work));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(forall.getTerminator());
    SmallVector<Value> ivs = llvm::to_vector(forall.getInductionVars());
    auto ivOf = [&](LoopRole role) {
      auto it = llvm::find_if(loops, [&](const Loop &loop) { return loop.role == role; });
      return it == loops.end() ? Value() : ivs[it - loops.begin()];
    };
    emitBlocks(rewriter, loc, ivOf(LoopRole::Rows), t.rowStep, t.rows.extent, [&](int64_t m) {
      emitBlocks(rewriter, loc, ivOf(LoopRole::Cols), t.colStep, t.cols.extent, [&](int64_t n) { emitTile(ivs, m, n); });
    });
  }

private:
  enum class LoopRole { Outer, Rows, Cols };
  struct Loop {
    const Dim *dim;
    int64_t step, count;
    LoopRole role;
  };

  void emitTile(ValueRange ivs, int64_t m, int64_t n) {
    SmallVector<int64_t> inSizes = {m, n}, inStrides = {t.rows.in(), 1}, outSizes = inSizes, outStrides = {t.rows.out(), 1};
    if (t.kind == UnaryKind::Transpose) {
      inSizes = {n, m}, inStrides = {t.cols.in(), 1};
    } else if (t.kind == UnaryKind::VnniPack) {
      inSizes = {m * t.group.extent, n}, inStrides = {t.group.in(), t.cols.in()};
      outSizes = {m, n, t.group.extent}, outStrides = {t.rows.out(), t.group.extent, 1};
    }
    if (t.panels.extent > 1) {
      inSizes.insert(inSizes.begin(), t.panels.extent), inStrides.insert(inStrides.begin(), t.panels.in());
      outSizes.insert(outSizes.begin(), t.panels.extent), outStrides.insert(outStrides.begin(), t.panels.out());
    }
    Value source = makeStridedView(rewriter, loc, r.in, in, ivs, inSizes, inStrides);
    Value target = makeStridedView(rewriter, loc, r.out, out, ivs, outSizes, outStrides);
    UnaryOp::create(rewriter, loc, t.kind, source, target).setStreaming(streaming);
  }

  const Relayout &r;
  const Tiling &t;
  bool streaming;
  const tpp_machine &machine;
  Location loc;
  RewriterBase &rewriter;
  AffineExpr in, out; // offsets of a tile in elements; symbol i is loop i
};

struct TileRelayouts : public impl::TileRelayoutsBase<TileRelayouts> {
  using TileRelayoutsBase::TileRelayoutsBase;

  void runOnOperation() override {
    if (failed(verifyThreads(getOperation(), threads)))
      return signalPassFailure();
    SmallVector<std::pair<Operation *, Relayout>> relayouts;
    getOperation().walk([&](Operation *op) {
      if (std::optional<Relayout> relayout = view(op))
        relayouts.push_back({op, *relayout});
    });
    IRRewriter rewriter(&getContext());
    tpp_machine machine = getMachine(getOperation(), l2Bytes);
    for (auto &[op, relayout] : relayouts) {
      bool streaming = std::max(relayout.bytes, getBufferBytes(relayout.out, relayout.elementBytes)) > machine.l2_bytes;
      std::optional<Tiling> tiling = chooseTiling(relayout, streaming, threads, machine);
      if (!tiling)
        continue;
      rewriter.setInsertionPoint(op);
      RelayoutTiler(relayout, *tiling, streaming, machine, op->getLoc(), rewriter).emit();
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
} // namespace mlir::tpp
