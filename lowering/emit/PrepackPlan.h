// How the weights segment is filled: what tpp-split-prepack leaves in @NAME_prepack, as data.
#ifndef TPP_LOWERING_EMIT_PREPACKPLAN_H
#define TPP_LOWERING_EMIT_PREPACKPLAN_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::tpp {

struct PrepackPlan {
  struct Weight {
    std::string function;           // computes the weight from its sources; empty: the only source's bytes are the weight
    SmallVector<TypedAttr> sources; // constants, still where the parser put them
    RankedTensorType type;
  };
  std::vector<Weight> weights;  // weight N at N
  OwningOpRef<ModuleOp> module; // the functions, on tensors
};

/// Moves the prepack functions out of `module`, which tpp-split-prepack has been run on. Empty where there are no weights.
FailureOr<PrepackPlan> takePrepack(ModuleOp module, StringRef entry);

/// The elements of a constant as compiled code expects them in memory. The bytes are the parser's own where that is their form
/// already (a mapped file is not copied), else in `storage`.
llvm::Expected<ArrayRef<char>> readConstant(TypedAttr constant, std::vector<char> &storage);

} // namespace mlir::tpp

#endif
