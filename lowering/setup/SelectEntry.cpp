// Makes every function except the entry private, so that the others are inlined or dropped and their weights are not packed.
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

  // Marks the memref arguments of the program, which a call may write. Tensor arguments become memrefs later and are read-only.
  static void markMutableArguments(func::FuncOp func) {
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      if (isa<MemRefType>(type))
        func.setArgAttr(i, kMutableAttr, UnitAttr::get(func.getContext()));
  }

  // Emits an error if `func` is packed: its @NAME_prepack is private and has no caller, so symbol DCE would drop it.
  static bool isPacked(func::FuncOp func) {
    if (!func->hasAttr(kPackedAttr))
      return false;
    func.emitOpError("is packed already (") << kPackedAttr
                                            << "): the stages on tensors have run; continue with tpp-default-buffers";
    return true;
  }
};

} // namespace
} // namespace mlir::tpp
