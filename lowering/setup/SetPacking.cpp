// Sets the packing strategy of a module from the text of the pass option.
#include "lowering/Passes.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/setup/OnlyOption.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SETPACKING
#include "lowering/Passes.h.inc"

namespace {

struct SetPacking : public impl::SetPackingBase<SetPacking> {
  using SetPackingBase::SetPackingBase;

  LogicalResult initializeOptions(StringRef options, function_ref<LogicalResult(const Twine &)> errorHandler) override {
    return readOnlyOption(options, "packing", packing);
  }

  // Parses here, not in runOnOperation: the attribute may belong to another dialect, which must be loaded before passes run.
  LogicalResult initialize(MLIRContext *context) override {
    llvm::Expected<PackingStrategyAttrInterface> parsed = parsePackingStrategy(packing, context);
    if (parsed)
      strategy = *parsed;
    else
      problem = llvm::toString(parsed.takeError());
    return success();
  }

  void runOnOperation() override {
    if (!problem.empty()) {
      getOperation().emitError(problem);
      return signalPassFailure();
    }
    if (strategy)
      getOperation()->setAttr(kPackingAttr, strategy);
    else
      getOperation()->removeAttr(kPackingAttr);
  }

private:
  PackingStrategyAttrInterface strategy;
  std::string problem;
};

} // namespace
} // namespace mlir::tpp
