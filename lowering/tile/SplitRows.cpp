// Computes what is between two contractions on buffers for some rows at a time (see Passes.td). RowRuns.h chooses the rows; this file emits them.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/tile/RowRuns.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/TileEach.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SPLITROWS
#include "lowering/Passes.h.inc"

namespace {

// Emits the loop of one run where its last operation stands.
class RowSplitter {
public:
  RowSplitter(const RowRun &run, int64_t threads, RewriterBase &rewriter)
      : run(run), threads(threads), rewriter(rewriter), loc(run.ops.back().op->getLoc()) {}

  void emit() {
    rewriter.setInsertionPoint(run.ops.back().op);
    emitConsecutive(
        rewriter, loc, run.countOuter() * run.countBlocks(), threads, run.workNs, /*allocate=*/[] {},
        [&](ArrayRef<Value> ivs, AffineExpr number) { emitBlock(ivs, number); });
    freeAfter(rewriter, run.ops.front().op, run.ops.back().op); // the loop uses their buffers
    for (const RowOp &row : llvm::reverse(run.ops))
      rewriter.eraseOp(row.op);
    for (Value buffer : run.inner)
      eraseBuffer(rewriter, buffer.getDefiningOp());
  }

private:
  // The block with this number, those of the first outer index first.
  void emitBlock(ArrayRef<Value> ivs, AffineExpr number) {
    const int64_t blocks = run.countBlocks();
    AffineExpr block = blocks == 1 ? rewriter.getAffineConstantExpr(0) : run.countOuter() == 1 ? number : number % blocks;
    SmallVector<AffineExpr> first(run.extents.size());
    first.back() = block * run.blockRows;
    AffineExpr rest = blocks == 1 ? number : number.floorDiv(blocks);
    for (size_t i = run.extents.size() - 1; i-- > 0;) {
      first[i] = i == 0 ? rest : rest % run.extents[i];
      rest = rest.floorDiv(run.extents[i]);
    }
    // Blocks that follow one another and differ in their position only have the same code.
    SmallVector<int64_t> runs;
    for (int64_t i = 0; i < blocks; ++i)
      if (i == 0 || !(run.getBlock(i) == run.getBlock(i - 1)))
        runs.push_back(i);
    Value index = blocks == 1 ? Value() : evaluateIndex(rewriter, loc, block, ivs);
    emitRuns(rewriter, loc, index, runs, [&](int64_t number) { emitRows(ivs, first, run.getBlock(number)); });
  }

  void emitRows(ArrayRef<Value> ivs, ArrayRef<AffineExpr> first, const RowBlock &block) {
    llvm::DenseMap<Value, Value> buffers; // for these rows, of each inner buffer
    for (Value buffer : run.inner) {
      auto type = cast<MemRefType>(buffer.getType());
      SmallVector<int64_t> shape(type.getShape());
      size_t axis = 0;
      for (int64_t &extent : shape)
        if (extent != 1 && axis < run.extents.size())
          extent = ++axis == run.extents.size() ? block.rows : 1;
      buffers[buffer] = memref::AllocOp::create(rewriter, loc, MemRefType::get(shape, type.getElementType()),
                                                buffer.getDefiningOp<memref::AllocOp>().getAlignmentAttr());
    }
    for (const RowOp &row : run.ops) {
      SmallVector<LoopPart> parts;
      for (const AxisLoop &each : ArrayRef(row.loops).drop_back()) {
        const int64_t count = row.nest.extents[each.loop];
        AffineExpr digit = first[each.axis].floorDiv(each.step);
        parts.push_back({each.loop, count * each.step == run.extents[each.axis] ? digit : digit % count, 1});
      }
      parts.push_back({row.getRowLoop(), first.back(), block.rows});
      // Ranges begin and end at multiples of the step, or at the last column.
      if (const std::optional<AxisLoop> column = row.column) {
        const int64_t step = column->step, begin = block.columns.begin / step;
        parts.push_back({column->loop, rewriter.getAffineConstantExpr(begin), (block.columns.end + step - 1) / step - begin,
                         /*isStoredWhole=*/true});
      }
      SmallVector<Value> operands(row.op->getOperands());
      for (auto [i, operand] : llvm::enumerate(operands))
        if (isa<MemRefType>(operand.getType()))
          operand = cutOperand(rewriter, row.op, row.nest, i, parts, ivs, buffers.lookup(getBuffer(operand)));
      emitPart(rewriter, row.op, parts, operands, ivs);
    }
  }

  const RowRun &run;
  int64_t threads;
  RewriterBase &rewriter;
  Location loc;
};

struct SplitRows : public impl::SplitRowsBase<SplitRows> {
  using SplitRowsBase::SplitRowsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto split = [&](Block &block, const tpp_machine &machine, int64_t blockThreads) {
      for (const RowRun &run : planRowRuns(block, machine, blockThreads))
        RowSplitter(run, blockThreads, rewriter).emit();
    };
    if (failed(forEachLoopBody(getOperation(), threads, l2Bytes, split)))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp
