// Sets the target of a module from the text of the pass option.
#include "lowering/Passes.h"
#include "lowering/machine/Target.h"
#include "lowering/setup/OnlyOption.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SETTARGET
#include "lowering/Passes.h.inc"

namespace {

struct SetTarget : public impl::SetTargetBase<SetTarget> {
  using SetTargetBase::SetTargetBase;

  LogicalResult initializeOptions(StringRef options, function_ref<LogicalResult(const Twine &)> errorHandler) override {
    return readOnlyOption(options, "target", target);
  }

  void runOnOperation() override {
    llvm::Expected<TargetAttr> parsed = parseTarget(target, &getContext());
    if (!parsed) {
      getOperation().emitError(llvm::toString(parsed.takeError()));
      return signalPassFailure();
    }
    if (*parsed)
      getOperation()->setAttr(kTargetAttr, *parsed);
    else
      getOperation()->removeAttr(kTargetAttr);
  }
};

} // namespace
} // namespace mlir::tpp
