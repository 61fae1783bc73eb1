// Lowers tpp.contract on buffers to parallel loops over tpp.brgemm tiles.
//
// ContractionBlocking.h chooses the loops and tiles; this file emits them.
#include "lowering/Passes.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "lowering/tile/ContractionBlocking.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/TileEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_TILECONTRACTIONS
#include "lowering/Passes.h.inc"

namespace {

// Returns the packing that the layout stage has chosen. A contraction that was on buffers from the start has none: its strategy chooses one
// now, of which only the block sizes and the task order are used, since the operands' layouts are fixed.
FailureOr<Packing> getPacking(ContractOp op, const ContractionInfo &contraction) {
  if (op->hasAttr(kChosenPackingAttr) || !contraction.columnDim)
    return getChosenPacking(op);
  FailureOr<Packing> packing = choosePacking(op, contraction);
  if (succeeded(packing) && !packing->remark.empty())
    op.emitRemark(packing->remark);
  return packing;
}

// Emits the loops and tiles of one contraction.
class ContractionTiler {
public:
  ContractionTiler(ContractOp op, const ContractionInfo &contraction, const ContractionBlocking &blocking, RewriterBase &rewriter)
      : op(op), contraction(contraction), blocking(blocking), rewriter(rewriter), loc(op.getLoc()) {}

  void emit() {
    if (!blocking.aOffsets.empty()) {
      aTable = makeConstantTable(rewriter, loc, "tpp_offsets", rewriter.getI64TensorAttr(blocking.aOffsets));
      bTable = makeConstantTable(rewriter, loc, "tpp_offsets", rewriter.getI64TensorAttr(blocking.bOffsets));
    }
    bool beta = contraction.beta == 1;
    int64_t last = blocking.kcBlocks.extent - 1;
    if (last == 0)
      return emitKCBlock(nullptr, KCBlock{beta, /*finishes=*/true, Value()});
    emitKCBlock(rewriter.getAffineConstantExpr(0), KCBlock{beta, /*finishes=*/false, Value()});
    if (last > 1) {
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1), end = arith::ConstantIndexOp::create(rewriter, loc, last);
      auto loop = scf::ForOp::create(rewriter, loc, one, end, one);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(loop.getBody());
      emitKCBlock(nullptr, KCBlock{/*beta=*/true, /*finishes=*/false, loop.getInductionVar()});
    }
    emitKCBlock(rewriter.getAffineConstantExpr(last), KCBlock{/*beta=*/true, /*finishes=*/true, Value()});
  }

private:
  // What one KC block does with C, and the block's index if that is the induction variable of a loop (else null).
  struct KCBlock {
    bool beta = false, finishes = true; // adds to C; applies the post-ops
    Value number;
  };

  // The loops over the tiles of one KC block: their trip counts, and each loop's index as an expression of symbols. The symbols are the
  // induction variables of the loops. If all tasks of a batch are one loop, the task's row and column are symbols in its place.
  struct Nest {
    SmallVector<OpFoldResult> bounds;
    SmallVector<std::pair<const TaskLoop *, AffineExpr>> indices;
    unsigned symbols = 0;
  };

  Nest getNest() const {
    Nest nest;
    auto addLoops = [&](ArrayRef<TaskLoop> loops) {
      for (const TaskLoop &loop : loops) {
        nest.bounds.push_back(rewriter.getIndexAttr(loop.count));
        nest.indices.emplace_back(&loop, rewriter.getAffineSymbolExpr(nest.symbols++));
      }
    };
    addLoops(blocking.batches);
    if (!blocking.order.isSequence()) {
      bool columnsFirst = blocking.order.kind == LoopOrder::Columns;
      addLoops(columnsFirst ? blocking.columnLoops : blocking.rowLoops);
      addLoops(columnsFirst ? blocking.rowLoops : blocking.columnLoops);
      return nest;
    }
    nest.bounds.push_back(rewriter.getIndexAttr(blocking.grid.rows * blocking.grid.columns));
    for (ArrayRef<TaskLoop> loops : {ArrayRef(blocking.rowLoops), ArrayRef(blocking.columnLoops)}) {
      AffineExpr rest = rewriter.getAffineSymbolExpr(nest.symbols++);
      for (const TaskLoop &loop : llvm::reverse(loops)) {
        bool outermost = &loop == loops.begin();
        nest.indices.emplace_back(&loop, outermost ? rest : rest % loop.count);
        rest = rest.floorDiv(loop.count);
      }
    }
    return nest;
  }

  // Emits the loops over the tiles of one KC block. `number` is the block's index if that is a constant; null if the index is which.number, or
  // if there is only one block.
  void emitKCBlock(AffineExpr number, KCBlock which) {
    block = which;
    Nest nest = getNest();
    SmallVector<AffineExpr> offsets;
    for (const ContractionInfo::Operand &operand : contraction.operands)
      offsets.push_back(rewriter.getAffineConstantExpr(operand.offset));
    AffineExpr rowBlock, columnBlock; // null if there is only one block
    rowStep = rewriter.getAffineConstantExpr(0);
    for (auto &[loop, index] : nest.indices) {
      if (loop >= blocking.rowLoops.begin() && loop < blocking.rowLoops.end())
        rowStep = rowStep * loop->count + index;
      for (auto [offset, stride] : llvm::zip_equal(offsets, loop->strides))
        offset = offset + index * stride;
      if (loop->kind == TaskLoop::RowBlocks)
        rowBlock = index;
      if (loop->kind == TaskLoop::ColumnBlocks)
        columnBlock = index;
    }
    if (block.number)
      number = rewriter.getAffineSymbolExpr(nest.symbols);
    if (number)
      for (auto [offset, stride] : llvm::zip_equal(offsets, blocking.kcBlocks.strides))
        offset = offset + number * stride;
    if (nest.bounds.empty())
      return emitTile(offsets, block.number ? ValueRange(block.number) : ValueRange(), blocking.mc, blocking.nc);
    Value curve;
    if (blocking.order.kind == LoopOrder::Curve)
      curve = makeConstantTable(rewriter, loc, "tpp_tasks",
                                rewriter.getI32TensorAttr(getCurve(blocking.grid.rows, blocking.grid.columns)));
    auto forall = scf::ForallOp::create(rewriter, loc, nest.bounds, ValueRange(), std::nullopt);
    forall->setAttr(kWorkNsAttr, rewriter.getI64IntegerAttr(blocking.workNs));
    rewriter.setInsertionPoint(forall.getTerminator());
    SmallVector<Value> ivs = llvm::to_vector_of<Value>(forall.getInductionVars());
    if (blocking.order.isSequence()) {
      auto [row, column] = emitTask(rewriter, loc, blocking.order, blocking.grid, ivs.pop_back_val(), curve);
      ivs.append({row, column});
    }
    if (block.number)
      ivs.push_back(block.number);
    auto evaluate = [&](AffineExpr index) { return index ? evaluateIndex(rewriter, loc, index, ivs) : Value(); };
    Value row = evaluate(rowBlock), column = evaluate(columnBlock);
    emitBlocks(rewriter, loc, row, blocking.mc, blocking.m.extent, [&](int64_t m) {
      emitBlocks(rewriter, loc, column, blocking.nc, blocking.n.extent, [&](int64_t n) { emitTile(offsets, ivs, m, n); });
    });
    rewriter.setInsertionPointAfter(forall);
  }

  // A view of operand `i` of the contraction.
  Value makeView(unsigned i, ArrayRef<AffineExpr> offsets, ValueRange ivs, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
    return makeStridedView(rewriter, loc, op->getOperand(contraction.getOpOperand(i)), offsets[i], ivs, sizes, strides);
  }

  // Emits one tile of m x n: a single brgemm, or a sequential loop of brgemms, whose last iteration applies the post-ops.
  void emitTile(ArrayRef<AffineExpr> offsets, ValueRange ivs, int64_t m, int64_t n) {
    if (blocking.steps.empty()) {
      emitBrgemm(offsets, ivs, m, n, block.beta, block.finishes);
      return;
    }
    int64_t rounds = 1;
    for (const ContractionDim &dim : blocking.steps)
      rounds *= dim.extent;
    if (!block.beta)
      UnaryOp::create(rewriter, loc, UnaryKind::Zero, Value(), makeView(2, offsets, ivs, {m, n}, cStrides(m, n)));
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0), one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value count = arith::ConstantIndexOp::create(rewriter, loc, rounds);
    auto loop = scf::ForOp::create(rewriter, loc, zero, count, one);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> symbols = llvm::to_vector(ivs);
    SmallVector<AffineExpr> inner = llvm::to_vector(offsets);
    AffineExpr round = rewriter.getAffineSymbolExpr(symbols.size());
    symbols.push_back(loop.getInductionVar());
    int64_t below = 1;
    for (const ContractionDim &dim : llvm::reverse(blocking.steps)) {
      AffineExpr index = round.floorDiv(below) % dim.extent;
      for (auto [offset, stride] : llvm::zip_equal(inner, dim.strides))
        offset = offset + index * stride;
      below *= dim.extent;
    }
    if (contraction.postOps.empty() || !block.finishes) {
      emitBrgemm(inner, symbols, m, n, /*beta=*/true, block.finishes);
      return;
    }
    Value last = arith::ConstantIndexOp::create(rewriter, loc, rounds - 1);
    Value isLast = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, loop.getInductionVar(), last);
    auto branch = scf::IfOp::create(rewriter, loc, isLast, /*withElseRegion=*/true);
    for (bool withPostOps : {true, false}) {
      rewriter.setInsertionPointToStart(withPostOps ? branch.thenBlock() : branch.elseBlock());
      emitBrgemm(inner, symbols, m, n, /*beta=*/true, withPostOps);
    }
  }

  SmallVector<int64_t> cStrides(int64_t m, int64_t n) const { return {m == 1 ? n : blocking.m.c(), 1}; }

  void emitBrgemm(ArrayRef<AffineExpr> offsets, ValueRange ivs, int64_t m, int64_t n, bool beta, bool withPostOps) {
    int64_t k = blocking.k.extent;
    // The stride of a dimension of extent 1 is arbitrary; the stride of a dense tile is used.
    SmallVector<int64_t> aSizes = {m, k}, bSizes = {k, n};
    SmallVector<int64_t> aStrides = {m == 1 ? k : blocking.m.a(), k == 1 ? 1 : blocking.k.a()};
    SmallVector<int64_t> bStrides = {k == 1 ? n : blocking.k.b(), n == 1 ? 1 : blocking.n.b()};
    int64_t vnni = contraction.b().vnni;
    if (vnni > 1) {
      bSizes = {static_cast<int64_t>(llvm::divideCeil(k, vnni)), n, vnni};
      bStrides = {blocking.k.b() * vnni, vnni, 1};
    }
    BatchKind kind = aTable ? BatchKind::Offset : blocking.batch.empty() ? BatchKind::None : BatchKind::Stride;
    if (int64_t panels = blocking.aPanels.extent; panels > 1) {
      aSizes = {panels, m, k / panels};
      aStrides.insert(aStrides.begin(), blocking.aPanels.a());
    }
    if (kind == BatchKind::Stride) {
      const ContractionDim &batch = blocking.batch.front();
      aSizes.insert(aSizes.begin(), batch.extent);
      bSizes.insert(bSizes.begin(), batch.extent);
      aStrides.insert(aStrides.begin(), batch.a());
      bStrides.insert(bStrides.begin(), batch.b());
    }
    Value a = makeView(0, offsets, ivs, aSizes, aStrides), b = makeView(1, offsets, ivs, bSizes, bStrides);
    Value c = makeView(2, offsets, ivs, {m, n}, cStrides(m, n));
    SmallVector<Attribute> postOps;
    SmallVector<Value> postOperands;
    if (withPostOps)
      addPostOps(offsets, ivs, m, n, postOps, postOperands);
    Value bUse = blocking.reusesB ? evaluateIndex(rewriter, loc, rowStep, ivs) : Value();
    ArrayAttr postOpsAttr = postOps.empty() ? ArrayAttr() : rewriter.getArrayAttr(postOps);
    auto brgemm = BrgemmOp::create(rewriter, loc, a, b, c, ArrayRef<int64_t>{m, n, k}, kind, beta, postOpsAttr, postOperands,
                                   aTable, bTable, vnni > 1 ? vnni : 0);
    brgemm.setAUnsigned(contraction.a().isUnsigned);
    brgemm.setBUnsigned(contraction.b().isUnsigned);
    brgemm.setCUnsigned(contraction.c().isUnsigned);
    brgemm.setStreaming(blocking.streamed && !beta && withPostOps); // otherwise a later brgemm reads C again
    if (bUse) {
      brgemm.getBUseMutable().assign(bUse);
      brgemm.setBUses(std::min<int64_t>(blocking.grid.rows, INT32_MAX));
    }
  }

  // Adds the post-ops of a tile of m x n, with views of their operands.
  void addPostOps(ArrayRef<AffineExpr> offsets, ValueRange ivs, int64_t m, int64_t n, SmallVectorImpl<Attribute> &postOps,
                  SmallVectorImpl<Value> &postOperands) {
    unsigned operand = 3;
    for (PostOpAttr postOp : contraction.postOps) {
      if (postOp.isUnary()) {
        postOps.push_back(postOp);
        continue;
      }
      int64_t rowStride = m == 1 ? 0 : blocking.m.strides[operand], columnStride = n == 1 ? 0 : blocking.n.strides[operand];
      Broadcast broadcast = rowStride == 0 ? (columnStride == 0 ? Broadcast::Scalar : Broadcast::Row)
                                           : (columnStride == 0 ? Broadcast::Col : Broadcast::None);
      SmallVector<int64_t> sizes, strides;
      if (broadcast == Broadcast::None)
        sizes = {m, n}, strides = {rowStride, columnStride};
      else if (broadcast == Broadcast::Row)
        sizes = {n}, strides = {columnStride};
      else if (broadcast == Broadcast::Col)
        sizes = {m}, strides = {rowStride};
      else
        sizes = {1}, strides = {1};
      postOperands.push_back(makeView(operand, offsets, ivs, sizes, strides));
      postOps.push_back(PostOpAttr::get(rewriter.getContext(), postOp.getBinaryKind(), broadcast));
      ++operand;
    }
  }

  ContractOp op;
  const ContractionInfo &contraction;
  const ContractionBlocking &blocking;
  KCBlock block;
  AffineExpr rowStep; // the number of the step of the row loops
  RewriterBase &rewriter;
  Location loc;
  Value aTable, bTable; // of offsets
};

struct TileContractions : public impl::TileContractionsBase<TileContractions> {
  using TileContractionsBase::TileContractionsBase;

  void runOnOperation() override {
    if (failed(tileEach(
            getOperation(), threads, [](ContractOp) { return true; },
            [&](ContractOp op, int64_t team, RewriterBase &rewriter) { return tile(op, team, rewriter); })))
      signalPassFailure();
  }

  LogicalResult tile(ContractOp op, int64_t team, RewriterBase &rewriter) {
    if (op.getWinograd())
      return op.emitOpError("has Winograd's filters: tpp-tile-winograd first");
    if (op.getGrouped())
      return op.emitOpError("is grouped: tpp-tile-grouped-convs first");
    TargetAttr target = getTarget(op);
    std::optional<ContractionInfo> contraction = getContractionInfo(op, target);
    if (!contraction)
      return op.emitOpError("has an operand of dynamic shape or strides");
    rewriter.setInsertionPoint(op);
    if (llvm::is_contained(op.getExtents(), 0))
      return op.emitOpError("has an empty loop: tpp-generalize-contractions first");
    FailureOr<Packing> packing = getPacking(op, *contraction);
    if (failed(packing))
      return failure();
    TaskCaches caches(target.getMachine(), team);
    if (l2Bytes > 0)
      caches.l2Bytes = l2Bytes;
    FailureOr<ContractionBlocking> blocking = chooseBlocking(op, *contraction, *packing, caches);
    if (failed(blocking))
      return failure();
    ContractionTiler(op, *contraction, *blocking, rewriter).emit();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace
} // namespace mlir::tpp
