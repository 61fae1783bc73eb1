// Makes every function but the one compiled private, so that the rest is inlined or dropped and its weights are not packed.
#include "lowering/Passes.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SELECTENTRY
#include "lowering/Passes.h.inc"

namespace {

struct SelectEntry : public impl::SelectEntryBase<SelectEntry> {
  using SelectEntryBase::SelectEntryBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal())
        markMutableArguments(func);
    if (entry.empty()) {
      for (auto func : getOperation().getOps<func::FuncOp>())
        if (isPacked(func))
          return signalPassFailure();
      return;
    }
    auto chosen = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!chosen || chosen.isExternal()) {
      getOperation().emitError("has no function @") << entry << " with a body";
      return signalPassFailure();
    }
    if (isPacked(chosen))
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func != chosen)
        func.setPrivate();
  }

  // Memrefs of the program may be written. Tensors become memrefs too, later, and are only read.
  static void markMutableArguments(func::FuncOp func) {
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      if (isa<MemRefType>(type))
        func.setArgAttr(i, kMutableAttr, UnitAttr::get(func.getContext()));
  }

  // Says so: the @NAME_prepack of such a function, private and called by nobody, would be dropped.
  static bool isPacked(func::FuncOp func) {
    if (!func->hasAttr(kPackedAttr))
      return false;
    func.emitOpError("is packed already (") << kPackedAttr
                                            << "): the stages on tensors are behind it, tpp-default-buffers goes on from here";
    return true;
  }
};

} // namespace
} // namespace mlir::tpp
