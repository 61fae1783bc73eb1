//===- FoldDescriptors.cpp - replaces fields of memref descriptors by their values --------------------------------------------===//
//
// Upstream's lowering builds a descriptor for each memref, with sizes and strides as fields: up to ten operations for each view. With static
// shapes only the pointer is read. LLVM would remove the rest, but the translation and LLVM's first passes would spend half of their time on it,
// and a team would store the whole descriptors to memory for its threads.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FOLDDESCRIPTORS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
struct FoldDescriptors : public tpp::impl::FoldDescriptorsBase<FoldDescriptors> {
  void runOnOperation() override {
    getOperation().walk([](LLVM::ExtractValueOp extract) {
      SmallVector<OpFoldResult> folded;
      if (failed(extract->fold(folded)) || folded.empty())
        return;
      if (auto value = dyn_cast<Value>(folded.front()))
        extract.replaceAllUsesWith(value);
    });
    // Users first, so that their operands are left without users.
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isa<LLVM::LLVMDialect>(op->getDialect()) && isOpTriviallyDead(op))
        op->erase();
    });
  }
};
} // namespace
