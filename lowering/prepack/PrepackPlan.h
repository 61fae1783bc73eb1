// The plan for filling the weights segment: how each weight is computed. It holds as data what tpp-split-prepack leaves in @NAME_prepack.
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
  /// An input of a weight: a constant, whose data stays in the parser's memory, or an argument of @NAME_prepack.
  struct Source {
    TypedAttr constant;
    int64_t argument = -1; // its position, if there is no constant
  };
  struct Weight {
    std::string function; // computes the weight from its sources; empty: the weight is a copy of the only source
    SmallVector<Source> sources;
    RankedTensorType type;

    /// True if the weight is known only when the compiled code runs. Other weights are computed before, from the model.
    bool dependsOnArguments() const {
      return llvm::any_of(sources, [](const Source &source) { return !source.constant; });
    }
  };
  std::vector<Weight> weights;       // indexed by N
  SmallVector<Type> arguments;       // of @NAME_prepack
  OwningOpRef<ModuleOp> module;      // the functions that compute weights from constants only, on tensors
  SmallVector<std::string> compiled; // the functions that compute weights from arguments: they stay in the module of @NAME

  /// The index of the weight that is a copy of `constant`.
  std::optional<size_t> findStored(TypedAttr constant) const;
};

/// Reads the plan from @NAME_prepack in `module`, after tpp-split-prepack. Removes @NAME_prepack, and moves the functions that are called with
/// constants only to the plan. The plan is empty if there are no weights.
FailureOr<PrepackPlan> takePrepack(ModuleOp module, StringRef entry);

/// Returns the elements of a constant in the form that compiled code expects in memory. The result refers to the parser's data if that has
/// this form already (a mapped file is not copied), else to `storage`.
llvm::Expected<ArrayRef<char>> readConstant(TypedAttr constant, std::vector<char> &storage);

} // namespace mlir::tpp

#endif
