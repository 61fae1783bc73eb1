// Computes runs of operations on buffers for some images of a batch at a time (see Passes.td). ImageRuns.h chooses the runs; this file emits them.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/Threads.h"
#include "lowering/tile/ImageRuns.h"
#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SPLITBATCH
#include "lowering/Passes.h.inc"

namespace {

// Emits the loop of one run where its last operation stands.
class Emitter {
public:
  Emitter(const ImageRun &run, int64_t threads, RewriterBase &rewriter)
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
    // Buffers are freed after the loop that uses them.
    for (Operation &op : llvm::make_early_inc_range(llvm::make_range(run.ops.front().op->getIterator(), last->getIterator())))
      if (isa<memref::DeallocOp>(op))
        rewriter.moveOpBefore(&op, last);
    for (const ImageOp &image : llvm::reverse(run.ops))
      rewriter.eraseOp(image.op);
    for (Value buffer : inner)
      eraseBuffer(buffer.getDefiningOp());
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
    Location loc = image.op->getLoc();
    SmallVector<Value> operands;
    for (auto [operand, buffer] : llvm::zip_equal(image.op->getOpOperands(), image.buffers)) {
      const unsigned i = operand.getOperandNumber();
      std::optional<int64_t> dim = findDim(image.maps[i], image.loop);
      Value value = operand.get();
      if (!dim) {
        operands.push_back(value);
        continue;
      }
      auto type = cast<MemRefType>(value.getType());
      auto [strides, offset] = type.getStridesAndOffset();
      SmallVector<int64_t> sizes(type.getShape());
      sizes[*dim] = getPart(sizes[*dim]);
      if (Value group = groups.lookup(buffer)) {
        AffineExpr first = rewriter.getAffineConstantExpr(offset);
        operands.push_back(value == buffer ? group : makeStridedView(rewriter, loc, group, first, {}, sizes, strides));
      } else {
        operands.push_back(makeStridedView(rewriter, loc, value, number * (sizes[*dim] * strides[*dim]), ivs, sizes, strides));
      }
    }
    if (auto contract = dyn_cast<ContractOp>(image.op)) {
      SmallVector<int64_t> extents(contract.getExtents());
      extents[image.loop] = getPart(image.extent);
      ContractOp::create(rewriter, loc, contract, operands[0], operands[1], operands[2], ArrayRef(operands).drop_front(3),
                         image.maps, extents);
      return;
    }
    Operation *part = rewriter.clone(*image.op);
    part->setOperands(operands);
    // Indices count from the first image of the batch.
    part->walk([&](linalg::IndexOp index) {
      if (index.getDim() != image.loop || index->getParentOp() != part)
        return;
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(part);
      Value first = evaluateIndex(rewriter, loc, number * getPart(image.extent), ivs);
      rewriter.setInsertionPointAfter(index);
      auto sum = arith::AddIOp::create(rewriter, loc, index, first);
      rewriter.replaceAllUsesExcept(index, sum, sum);
    });
  }

  // Erases a buffer with its views, which only a memref.dealloc still uses.
  void eraseBuffer(Operation *op) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      eraseBuffer(user);
    rewriter.eraseOp(op);
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
        Emitter(run, threads, rewriter).emit();
    }
  }
};

} // namespace
} // namespace mlir::tpp
