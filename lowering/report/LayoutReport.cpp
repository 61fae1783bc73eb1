// Writes the moves that tpp-count-moves has listed, and the reason for each.
#include "lowering/Passes.h"
#include "lowering/report/MoveReport.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LAYOUTREPORT
#include "lowering/Passes.h.inc"

namespace {

struct LayoutReport : public impl::LayoutReportBase<LayoutReport> {
  using LayoutReportBase::LayoutReportBase;

  LogicalResult initializeOptions(StringRef options, function_ref<LogicalResult(const Twine &)> errorHandler) override {
    return LayoutReportBase::initializeOptions(nameFileOption(options), errorHandler);
  }

  // A @NAME_prepack that takes arguments runs again whenever they change, so its moves are reported too.
  static bool takesArguments(func::FuncOp func) {
    return llvm::any_of(llvm::seq(func.getNumArguments()),
                        [&](unsigned i) { return !func.getArgAttr(i, kResultAttr) && !func.getArgAttr(i, kWorkspaceAttr); });
  }

  void runOnOperation() override {
    std::vector<MovesOfFunction> functions;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal() || (isPrepack(func) && !takesArguments(func)) || !func->hasAttr(kMovesAttr))
        continue;
      std::optional<std::vector<Move>> moves = getMoves(func);
      if (!moves) {
        func.emitOpError("has an attribute tpp.moves that is not a list of moves");
        return signalPassFailure();
      }
      functions.push_back({func.getName().str(), std::move(*moves)});
    }
    if (functions.empty()) {
      getOperation().emitError(
          "no moves have been counted: run tpp-layout-report after tpp-default, tpp-loops or tpp-count-moves");
      return signalPassFailure();
    }
    if (file.empty())
      return writeMoveText(functions, llvm::errs());
    if (llvm::Error error = writeMoveReport(functions, file)) {
      getOperation().emitError(llvm::toString(std::move(error)));
      signalPassFailure();
    }
  }
};

} // namespace
} // namespace mlir::tpp
