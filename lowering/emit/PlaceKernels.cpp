//===- PlaceKernels.cpp - assigns each kernel a slot in the compiled model ---------------------------------------------------===//
//
// NAME_create dispatches every distinct kernel once; a call only loads handles. The loads are placed directly before the loop nest that
// uses them. If they were earlier, a deep model would have a hundred live handles. Inside the nest, each tile would load its own.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/emit/KernelDescriptors.h"
#include "tpp_dialect/TppOps.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PLACEKERNELS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
struct PlaceKernels : public tpp::impl::PlaceKernelsBase<PlaceKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder(&getContext());
    llvm::SetVector<Attribute> descriptors;
    for (func::FuncOp func : module.getOps<func::FuncOp>()) {
      SmallVector<tpp::DispatchOp> dispatches;
      func.walk([&](tpp::DispatchOp dispatch) { dispatches.push_back(dispatch); });
      if (!dispatches.empty() && !func.getBody().hasOneBlock()) {
        func.emitOpError("has unstructured control flow: its kernels cannot be placed");
        return signalPassFailure();
      }
      // One dispatch per descriptor and operation of the function's top-level block.
      DenseMap<std::pair<Operation *, Attribute>, Value> placed;
      for (tpp::DispatchOp dispatch : dispatches) {
        descriptors.insert(dispatch.getDesc());
        for (OpOperand &use : llvm::make_early_inc_range(dispatch.getKernel().getUses())) {
          Operation *position = func.getBody().front().findAncestorOpInBlock(*use.getOwner());
          Value &kernel = placed[{position, dispatch.getDesc()}];
          if (!kernel) {
            builder.setInsertionPoint(position);
            auto moved = tpp::DispatchOp::create(builder, dispatch.getLoc(), dispatch.getKernel().getType(), dispatch.getDesc());
            int64_t slot = std::distance(descriptors.begin(), llvm::find(descriptors, dispatch.getDesc()));
            moved->setAttr(tpp::kSlotAttr, builder.getI64IntegerAttr(slot));
            kernel = moved.getKernel();
          }
          use.set(kernel);
        }
        dispatch.erase();
      }
    }
    module->setAttr(tpp::kKernelsAttr, builder.getArrayAttr(descriptors.getArrayRef()));
  }
};
} // namespace
