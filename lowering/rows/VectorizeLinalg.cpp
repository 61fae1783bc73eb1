// Lowers linalg ops on buffers to parallel loops over vector code: all ops that earlier stages did not lower to tpp ops.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/machine/Target.h"
#include "lowering/rows/VectorLoops.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_VECTORIZELINALG
#include "lowering/Passes.h.inc"

namespace {

// Scalar loops of at most this many iterations get no remark.
constexpr int64_t fewPoints = 64;

// Bits of the vectors for a target: its registers, and at least a cache line. A vector of several registers gives them independent work, and only
// stores of whole lines can be non-temporal (docs/decisions/vector-code.md).
int64_t getVectorBits(TargetAttr target) { return std::max<int64_t>(target.getVectorBits(), 8 * kSegmentAlignment); }

struct VectorizeLinalg : public impl::VectorizeLinalgBase<VectorizeLinalg> {
  using VectorizeLinalgBase::VectorizeLinalgBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (vectorBits != 0 && (vectorBits < 32 || vectorBits > 65536 || !llvm::isPowerOf2_64(vectorBits))) {
      func.emitError("vector-bits must be 0 or a power of two from 32 to 65536");
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    copiesToGenerics(func, rewriter);
    SmallVector<linalg::LinalgOp> ops;
    func.walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    int64_t scalarLoops = 0;
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        StringRef name = op->getName().getStringRef();
        std::optional<linalg::GenericOp> general = linalg::generalizeNamedOp(rewriter, op);
        if (!general) {
          getOperation().emitError("cannot lower ") << name;
          return signalPassFailure();
        }
        generic = *general;
        rewriter.setInsertionPoint(generic);
      }
      Vectorizer vectorizer(generic, rewriter, vectorBits != 0 ? vectorBits : getVectorBits(getTarget(generic)));
      const char *reason = vectorizer.analyze();
      if (!reason) {
        vectorizer.emit();
        rewriter.eraseOp(generic);
        continue;
      }
      if (vectorizer.getPoints() > fewPoints) {
        ++scalarLoops;
        generic.emitRemark("computed in scalar loops: ") << reason;
      }
      if (failed(linalg::linalgOpToLoops(rewriter, generic))) {
        generic.emitError("cannot be lowered to loops");
        return signalPassFailure();
      }
      rewriter.eraseOp(generic);
    }
    if (scalarLoops > 0)
      func->setAttr(kScalarLoopsAttr, rewriter.getI64IntegerAttr(scalarLoops));
  }

  static void copiesToGenerics(func::FuncOp func, RewriterBase &rewriter) {
    SmallVector<memref::CopyOp> copies;
    func.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      auto type = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!type || !type.hasStaticShape() || !isa<MemRefType>(copy.getSource().getType()))
        continue;
      rewriter.setInsertionPoint(copy);
      AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
      SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
      linalg::GenericOp::create(rewriter, copy.getLoc(), ValueRange{copy.getSource()}, ValueRange{copy.getTarget()},
                                ArrayRef<AffineMap>{identity, identity}, iterators,
                                [](OpBuilder &b, Location l, ValueRange args) { linalg::YieldOp::create(b, l, args[0]); });
      rewriter.eraseOp(copy);
    }
  }
};

} // namespace
} // namespace mlir::tpp
