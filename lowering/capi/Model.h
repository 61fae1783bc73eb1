// What tpp_model holds, and the errors of the C API.
#ifndef TPP_LOWERING_CAPI_MODEL_H
#define TPP_LOWERING_CAPI_MODEL_H

#include "tpp/compiler.h"

#include "lowering/compile/CompileModel.h"
#include "lowering/compile/LoadedModel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tpp::capi {

// An argument or result. Its description points to the other members.
struct ModelValue {
  ModelValue(llvm::StringRef type, int64_t elementBytes, llvm::ArrayRef<int64_t> shape, bool isWeight, bool isWritten);
  ModelValue(const ModelValue &) = delete;
  ModelValue &operator=(const ModelValue &) = delete;

  std::string type;
  llvm::SmallVector<int64_t> shape;
  tpp_value description;
};
using ModelValues = std::vector<std::unique_ptr<ModelValue>>;

// Sets the text of tpp_compiler_last_error, and returns `status`.
tpp_status fail(tpp_status status, const llvm::Twine &message);
// The same with the text of an error, and its status if it has one of its own.
tpp_status fail(tpp_status status, llvm::Error error);

// Whether tpp_model_run may be called; else sets its error.
tpp_status checkRun(const tpp_model *model, const void *workspace, void *const *values);

// A hash of the file that this code is in; nothing if it cannot be read.
std::optional<uint64_t> hashLibrary();

// Makes the runtime, which compiled code calls, visible to it. Call it before code is loaded.
void exposeRuntime();

} // namespace tpp::capi

struct tpp_model {
  std::shared_ptr<mlir::tpp::LoadedModel> loaded;
  tpp::capi::ModelValues arguments, results;
  std::string report, drawing;
  std::string profile;                               // the last one
  std::vector<mlir::tpp::CompileReport::Slot> slots; // of its kernels, for profiles
  bool isPacked = false;                             // the weights that depend on arguments are computed, or there are none
  std::vector<const tpp::capi::ModelValue *> passed; // to tpp_model_run: arguments that are no weights, and results

  void setValues(tpp::capi::ModelValues arguments, tpp::capi::ModelValues results);
};

#endif
