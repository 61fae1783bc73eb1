// Makes every function but the one compiled private, so that the rest is inlined or dropped and its weights are not packed.
#include "lowering/Passes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SELECTENTRY
#include "lowering/Passes.h.inc"

namespace {

struct SelectEntry : public impl::SelectEntryBase<SelectEntry> {
  using SelectEntryBase::SelectEntryBase;

  void runOnOperation() override {
    if (entry.empty())
      return;
    auto chosen = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!chosen || chosen.isExternal()) {
      getOperation().emitError("has no function @") << entry << " with a body";
      return signalPassFailure();
    }
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func != chosen)
        func.setPrivate();
  }
};

} // namespace
} // namespace mlir::tpp
