// Computes runs of operations on buffers for some images of a batch at a time (see Passes.td). ImageRuns.h chooses the runs; this file emits them.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/Threads.h"
#include "lowering/tile/ImageRuns.h"
#include "lowering/tile/OpParts.h"
#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SPLITBATCH
#include "lowering/Passes.h.inc"

namespace {

// Emits the loop of one run where its last operation stands.
class BatchSplitter {
public:
  BatchSplitter(const ImageRun &run, int64_t threads, RewriterBase &rewriter)
      : run(run), threads(threads), rewriter(rewriter), inner(run.getInner()) {}

  void emit() {
    Operation *last = run.ops.back().op;
    rewriter.setInsertionPoint(last);
    emitConsecutive(
        rewriter, last->getLoc(), run.countGroups(), threads, run.workNs, /*allocate=*/[] {},
        [&](ArrayRef<Value> ivs, AffineExpr number) {
          allocate(last->getLoc()); // in the loop, where buffers whose lifetimes do not overlap get the same memory
          for (const ImageOp &image : run.ops)
            emitOp(image, ivs, number);
        });
    freeAfter(rewriter, run.ops.front().op, last); // the loop uses their buffers
    for (const ImageOp &image : llvm::reverse(run.ops))
      rewriter.eraseOp(image.op);
    for (Value buffer : inner)
      eraseBuffer(rewriter, buffer.getDefiningOp());
  }

private:
  // Each inner buffer gets one for a group of images.
  void allocate(Location loc) {
    for (Value buffer : inner) {
      auto type = cast<MemRefType>(buffer.getType());
      SmallVector<int64_t> shape(type.getShape());
      int64_t &first = *llvm::find_if(shape, [](int64_t extent) { return extent != 1; });
      first = getPart(first);
      auto alloc = cast<memref::AllocOp>(buffer.getDefiningOp());
      groups[buffer] =
          memref::AllocOp::create(rewriter, loc, MemRefType::get(shape, type.getElementType()), alloc.getAlignmentAttr());
    }
  }

  int64_t getPart(int64_t extent) const { return extent / run.images * run.group; }

  void emitOp(const ImageOp &image, ArrayRef<Value> ivs, AffineExpr number) {
    const int64_t count = getPart(image.getExtent());
    const LoopPart part = {image.loop, number * count, count};
    SmallVector<Value> operands(image.op->getOperands());
    for (auto [i, operand] : llvm::enumerate(operands))
      if (isa<MemRefType>(operand.getType()))
        operand = cutOperand(rewriter, image.op, image.nest, i, part, ivs, groups.lookup(image.buffers[i]));
    emitPart(rewriter, image.op, part, operands, ivs);
  }

  const ImageRun &run;
  int64_t threads;
  RewriterBase &rewriter;
  llvm::SetVector<Value> inner;
  llvm::DenseMap<Value, Value> groups; // for a group of images, of each inner buffer
};

struct SplitBatch : public impl::SplitBatchBase<SplitBatch> {
  using SplitBatchBase::SplitBatchBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyThreads(module, threads)))
      return signalPassFailure();
    IRRewriter rewriter(module.getContext());
    for (func::FuncOp func : module.getOps<func::FuncOp>()) {
      if (func.isExternal() || getPrepackedEntry(func.getName())) // weights are no batch
        continue;
      tpp_machine machine = getMachine(func, l2Bytes);
      for (const ImageRun &run : planImageRuns(func.getBody().front(), machine, threads))
        BatchSplitter(run, threads, rewriter).emit();
    }
  }
};

} // namespace
} // namespace mlir::tpp
