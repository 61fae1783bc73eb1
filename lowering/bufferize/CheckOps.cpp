// Reports operations on tensors that have no form on buffers (see Passes.td).
#include "lowering/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_CHECKOPS
#include "lowering/Passes.h.inc"

namespace {

struct CheckOps : public impl::CheckOpsBase<CheckOps> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (bufferization::hasTensorSemantics(op) && !isa<bufferization::BufferizableOpInterface>(op)) {
        op->emitOpError("is not supported: nothing lowers it to loops or kernels");
        signalPassFailure();
      }
    });
  }
};

} // namespace
} // namespace mlir::tpp
