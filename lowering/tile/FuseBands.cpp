// Computes chains of contractions on buffers in bands of rows (see Passes.td). Bands.h chooses the bands; this file emits them.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/tile/Bands.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/TileEach.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FUSEBANDS
#include "lowering/Passes.h.inc"

namespace {

// Emits the bands of one chain.
class BandFuser {
public:
  BandFuser(const BandPlan &plan, int64_t threads, RewriterBase &rewriter)
      : plan(plan), threads(threads), rewriter(rewriter), loc(plan.stages.back().op->getLoc()), runs(plan.getRuns()) {}

  void emit() {
    emitConsecutive(
        rewriter, loc, plan.countImages() * plan.countBands(), threads, plan.workNs, [&] { allocate(); },
        [&](ArrayRef<Value> ivs, AffineExpr number) { emitBand(ivs, number); });
  }

private:
  // One buffer between two stages each: the most rows that any band needs.
  void allocate() {
    buffers.clear();
    for (size_t i = 1; i < plan.stages.size(); ++i) {
      const BandStage &stage = plan.stages[i];
      auto type = cast<MemRefType>(stage.op->getOperand(stage.image).getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[stage.rows.inDim] = 0;
      for (int64_t first : runs)
        shape[stage.rows.inDim] = std::max(shape[stage.rows.inDim], plan.getRows(first)[i].inRows);
      for (const BandAxis &axis : stage.images)
        shape[axis.inDim] = 1;
      auto bandType = MemRefType::get(shape, type.getElementType());
      buffers.push_back(memref::AllocOp::create(rewriter, loc, bandType, rewriter.getI64IntegerAttr(kSegmentAlignment)));
    }
  }

  // The band with this number, those of the first image first.
  void emitBand(ArrayRef<Value> ivs, AffineExpr number) {
    symbols = llvm::to_vector(ivs);
    int64_t bands = plan.countBands();
    AffineExpr rest = bands == 1 ? number : number.floorDiv(bands);
    band = bands == 1 ? rewriter.getAffineConstantExpr(0) : plan.countImages() == 1 ? number : number % bands;
    imageIndices.assign(plan.stages.back().images.size(), AffineExpr());
    for (size_t i = imageIndices.size(); i-- > 0;) {
      int64_t extent = plan.stages.back().images[i].outExtent;
      imageIndices[i] = i == 0 ? rest : rest % extent;
      rest = rest.floorDiv(extent);
    }
    Value index = evaluateIndex(rewriter, loc, band, symbols);
    emitRuns(rewriter, loc, index, runs, [&](int64_t first) { emitStages(first); });
  }

  // The stages of the current band, for all bands of the run that begins with band `first`.
  void emitStages(int64_t first) {
    SmallVector<BandRows> rows = plan.getRows(first);
    // The first row of each stage, which is linear in the number of the band, within a run. If a band begins above the image, it is the image's first.
    AffineExpr row = band * plan.blockRows;
    SmallVector<AffineExpr> outRows(plan.stages.size()), inRows(plan.stages.size());
    for (size_t i = plan.stages.size(); i-- > 0;) {
      const BandAxis &axis = plan.stages[i].rows;
      outRows[i] = row;
      row = rows[i].before > 0 ? rewriter.getAffineConstantExpr(0) : row * axis.step + axis.start;
      inRows[i] = row;
    }
    for (size_t i = 0; i < plan.stages.size(); ++i)
      emitStage(i, rows[i], outRows[i], inRows[i]);
  }

  void emitStage(size_t i, const BandRows &part, AffineExpr outRow, AffineExpr inRow) {
    const BandStage &stage = plan.stages[i];
    ContractOp op = stage.op;
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<int64_t> extents(op.getExtents());
    extents[stage.rows.loop] = part.rows;
    for (const BandAxis &axis : stage.images)
      extents[axis.loop] = 1;
    // Its first output reads the image from row -before of the slice on.
    SmallVector<AffineExpr> results(maps[stage.image].getResults());
    results[stage.rows.inDim] = results[stage.rows.inDim] - (stage.rows.start + part.before);
    maps[stage.image] = AffineMap::get(maps[stage.image].getNumDims(), 0, results, rewriter.getContext());

    // The part of an operand that has the indices of the output: C, or one of a post-op.
    auto sliceLikeOutput = [&](Value operand, AffineMap map) {
      SmallVector<Cut> cuts;
      if (std::optional<int64_t> dim = findDim(map, stage.rows.loop))
        cuts.push_back({*dim, outRow, part.rows});
      for (auto [axis, index] : llvm::zip_equal(stage.images, imageIndices))
        if (std::optional<int64_t> dim = findDim(map, axis.loop))
          cuts.push_back({*dim, index, 1});
      return slice(operand, cuts);
    };
    SmallVector<Cut> ofImage = {{stage.rows.inDim, inRow, part.inRows}};
    for (auto [axis, index] : llvm::zip_equal(stage.images, imageIndices))
      ofImage.push_back({axis.inDim, index, 1});
    Value inputs[2];
    inputs[stage.image] =
        i == 0 ? slice(op->getOperand(stage.image), ofImage) : slice(buffers[i - 1], {{stage.rows.inDim, nullptr, part.inRows}});
    inputs[1 - stage.image] = op->getOperand(1 - stage.image);
    bool last = i + 1 == plan.stages.size();
    Value out = last ? sliceLikeOutput(op.getInit(), maps[2]) : slice(buffers[i], {{stage.rows.outDim, nullptr, part.rows}});
    SmallVector<Value> postOperands;
    for (auto [operand, map] : llvm::zip_equal(op.getPostOperands(), ArrayRef(maps).drop_front(3)))
      postOperands.push_back(sliceLikeOutput(operand, map));
    ContractOp::create(rewriter, op.getLoc(), op, inputs[0], inputs[1], out, postOperands, maps, extents);
  }

  // Some indices of a dimension of a buffer: `count` from `first` on, which is null for 0.
  struct Cut {
    int64_t dim;
    AffineExpr first;
    int64_t count;
  };

  Value slice(Value buffer, ArrayRef<Cut> cuts) const {
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<int64_t> sizes(type.getShape()), strides = type.getStridesAndOffset().first;
    AffineExpr offset = rewriter.getAffineConstantExpr(0);
    for (const Cut &cut : cuts) {
      sizes[cut.dim] = cut.count;
      if (cut.first)
        offset = offset + cut.first * strides[cut.dim];
    }
    return sizes == type.getShape() ? buffer : makeStridedView(rewriter, loc, buffer, offset, symbols, sizes, strides);
  }

  const BandPlan &plan;
  int64_t threads;
  RewriterBase &rewriter;
  Location loc;
  SmallVector<int64_t> runs;  // of bands
  SmallVector<Value> buffers; // between the stages
  SmallVector<Value> symbols; // those of the expressions that follow
  AffineExpr band;            // of its image
  SmallVector<AffineExpr> imageIndices;
};

struct FuseBands : public impl::FuseBandsBase<FuseBands> {
  using FuseBandsBase::FuseBandsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto fuseChains = [&](Block &block, const tpp_machine &machine, int64_t blockThreads) {
      for (const BandPlan &plan : planBands(block, machine, blockThreads))
        fuse(plan, blockThreads, rewriter);
    };
    if (failed(forEachLoopBody(getOperation(), threads, l2Bytes, fuseChains)))
      signalPassFailure();
  }

  void fuse(const BandPlan &plan, int64_t threads, RewriterBase &rewriter) {
    rewriter.setInsertionPoint(plan.stages.back().op);
    BandFuser(plan, threads, rewriter).emit();
    SmallVector<Operation *> buffers; // between the stages
    for (const BandStage &stage : ArrayRef(plan.stages).drop_front())
      buffers.push_back(stage.op->getOperand(stage.image).getDefiningOp());
    for (const BandStage &stage : llvm::reverse(plan.stages))
      rewriter.eraseOp(stage.op);
    for (Operation *buffer : buffers) {
      for (Operation *user : llvm::make_early_inc_range(buffer->getUsers()))
        rewriter.eraseOp(user); // memref.dealloc
      rewriter.eraseOp(buffer);
    }
  }
};

} // namespace
} // namespace mlir::tpp
