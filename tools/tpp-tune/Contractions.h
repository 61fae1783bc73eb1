// Extracts the contractions of a model. Each becomes a separate module that can be compiled with any packing.
#pragma once
#include "../tpp-run/Model.h"
#include "Options.h"
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/TppOps.h"

namespace tpp::tune {

// A contraction with the operand layouts and post-ops that it has in the compiled model. Contractions that match the same record are
// merged into one.
struct Contraction {
  mlir::OwningOpRef<mlir::ModuleOp> module; // one function; its weight arguments have the attribute tpp.prepack
  mlir::tpp::ContractOp op;                 // in `module`; a variant sets its attribute tpp.packing
  mlir::tpp::ContractionInfo info;
  int64_t uses = 0;  // number of occurrences in the model
  int64_t forms = 1; // merged forms that differ in strides or post-ops; `module` has the one that is used most

  // M x N x K, types, post-ops and uses: "128 x 3072 x 768 f32, B constant, add+gelu, used 12 times".
  std::string title() const;
};

// Returns all contractions of the function options.entry, in program order. Errors in the model are also reported as diagnostics.
llvm::Expected<std::vector<Contraction>> findContractions(run::Model &model, const Options &options);

// The element types of A, B and C: "f32" if they are equal, else "bf16 x bf16 -> f32".
std::string typeText(const mlir::tpp::ContractionInfo &info);

} // namespace tpp::tune
