// How the weights segment is filled: what tpp-split-prepack leaves in @NAME_prepack, as data.
#ifndef TPP_LOWERING_PREPACK_PREPACKPLAN_H
#define TPP_LOWERING_PREPACK_PREPACKPLAN_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::tpp {

struct PrepackPlan {
  /// What a weight is computed from: a constant, still where the parser put it, or an argument of @NAME_prepack.
  struct Source {
    TypedAttr constant;
    int64_t argument = -1; // its position, where there is no constant
  };
  struct Weight {
    std::string function; // computes the weight from its sources; empty: the only source's bytes are the weight
    SmallVector<Source> sources;
    RankedTensorType type;

    /// Known only when the compiled code runs; else filled in before, from the model.
    bool dependsOnArguments() const {
      return llvm::any_of(sources, [](const Source &source) { return !source.constant; });
    }
  };
  std::vector<Weight> weights;       // weight N at N
  SmallVector<Type> arguments;       // of @NAME_prepack
  OwningOpRef<ModuleOp> module;      // the functions of weights that depend on constants only, on tensors
  SmallVector<std::string> compiled; // the functions of weights that depend on arguments: they stay beside @NAME

  /// The weight that is a copy of a constant.
  std::optional<size_t> findStored(TypedAttr constant) const;
};

/// Moves @NAME_prepack out of `module`, which tpp-split-prepack has been run on, with the functions that only constants are given to.
/// Empty where there are no weights.
FailureOr<PrepackPlan> takePrepack(ModuleOp module, StringRef entry);

/// The elements of a constant as compiled code expects them in memory. The bytes are the parser's own where that is their form
/// already (a mapped file is not copied), else in `storage`.
llvm::Expected<ArrayRef<char>> readConstant(TypedAttr constant, std::vector<char> &storage);

} // namespace mlir::tpp

#endif
