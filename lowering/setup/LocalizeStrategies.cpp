// Copies a private function's target and packing strategy to its contractions, so that inlining does not lose them.
#include "lowering/Passes.h"
#include "tpp_dialect/PackingStrategies.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOCALIZESTRATEGIES
#include "lowering/Passes.h.inc"

namespace {

struct LocalizeStrategies : public impl::LocalizeStrategiesBase<LocalizeStrategies> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      for (StringRef name : {kTargetAttr, kPackingAttr})
        if (Attribute value = func.isPrivate() ? func->getDiscardableAttr(name) : Attribute())
          localize(func, name, value);
  }

  static void localize(func::FuncOp func, StringRef name, Attribute value) {
    bool tosa = false;
    func.walk([&](Operation *op) {
      tosa |= op->getName().getDialectNamespace() == "tosa";
      if (isContraction(op) && !op->hasAttr(name))
        op->setDiscardableAttr(name, value);
    });
    // TOSA ops become linalg after inlining, which drops their attributes.
    if (tosa)
      func.emitWarning("is private and contains TOSA: its ")
          << name << " does not reach the TOSA ops; set it on the caller or the module";
    else
      func->removeDiscardableAttr(name);
  }
};

} // namespace
} // namespace mlir::tpp
