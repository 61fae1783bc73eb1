//===- Model.cpp - values, errors and libraries of the C API -----------------------------------------------------------------===//

#include "lowering/capi/Model.h"

#include "lowering/compile/CompileModel.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <dlfcn.h>

#include "tpp/tpp.h"

namespace tpp::capi {

// The text of tpp_compiler_last_error.
static thread_local std::string lastError;

tpp_status fail(tpp_status status, const llvm::Twine &message) {
  lastError = message.str();
  return status;
}

tpp_status fail(tpp_status status, llvm::Error error) {
  std::string message;
  llvm::handleAllErrors(
      std::move(error),
      [&](const mlir::tpp::StatusError &own) {
        status = static_cast<tpp_status>(own.status);
        message += (message.empty() ? "" : "; ") + own.message();
      },
      [&](const llvm::ErrorInfoBase &other) { message += (message.empty() ? "" : "; ") + other.message(); });
  return fail(status, message);
}

std::optional<uint64_t> hashLibrary() {
  Dl_info library;
  if (dladdr(reinterpret_cast<void *>(&tpp_compiler_identity), &library) == 0 || !library.dli_fname)
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(library.dli_fname, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  return llvm::xxh3_64bits((*file)->getBuffer());
}

// Compiled code finds the functions of the runtime by name in the process. A library that was loaded for one module only, as Python does,
// hides those of its dependencies.
void exposeRuntime() {
  static const bool exposed = [] {
    Dl_info library;
    if (dladdr(reinterpret_cast<void *>(&tpp_abi_version), &library) != 0 && library.dli_fname)
      dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    return true;
  }();
  (void)exposed;
}

ModelValue::ModelValue(llvm::StringRef type, int64_t elementBytes, llvm::ArrayRef<int64_t> shape, bool isWeight, bool isWritten)
    : type(type.str()), shape(shape) {
  int64_t bytes = elementBytes;
  for (int64_t extent : shape)
    bytes *= extent;
  description = {this->type.c_str(), elementBytes, static_cast<int64_t>(shape.size()), this->shape.data(), bytes,
                 isWeight,           isWritten};
}

} // namespace tpp::capi

void tpp_model::setValues(tpp::capi::ModelValues given, tpp::capi::ModelValues returned) {
  arguments = std::move(given);
  results = std::move(returned);
  for (const tpp::capi::ModelValues *values : {&arguments, &results})
    for (const std::unique_ptr<tpp::capi::ModelValue> &value : *values)
      if (!value->description.is_weight)
        passed.push_back(value.get());
}

const char *tpp_compiler_last_error(void) { return tpp::capi::lastError.c_str(); }
