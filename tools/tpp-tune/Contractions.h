// The contractions of a model, each as a module of its own that can be compiled in any packing.
#pragma once
#include "../tpp-run/Model.h"
#include "Options.h"
#include "tpp_dialect/PackingProblem.h"
#include "tpp_dialect/TppOps.h"

namespace tpp::tune {

// One product as the compiler sees it: in the layouts of the model's values, with its post-ops. Several contractions of the model are
// one here where no record could tell them apart.
struct Contraction {
  mlir::OwningOpRef<mlir::ModuleOp> module; // one function, whose weights have the attribute tpp.prepack
  mlir::tpp::ContractOp op;                 // in it: its attribute tpp.packing is what a variant sets
  mlir::tpp::PackingProblem problem;
  int64_t uses = 0;
  int64_t forms = 1; // that differ in strides or post-ops; the module holds the one that is used most

  // "128 x 3072 x 768 f32, B constant, add+gelu, used 12 times"
  std::string title() const;
};

// All contractions of `entry`, in the order in which the model computes them. What is wrong with the model is also a diagnostic.
llvm::Expected<std::vector<Contraction>> findContractions(run::Model &model, const Options &options);

// "f32", or "bf16 x bf16 -> f32".
std::string typeText(const mlir::tpp::PackingProblem &problem);

} // namespace tpp::tune
