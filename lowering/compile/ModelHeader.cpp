//===- ModelHeader.cpp - the C header of an emitted model --------------------------------------------------------------------===//

#include "lowering/compile/ModelHeader.h"

#include "lowering/emit/KernelDescriptors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

/// The C type of an element. Types that C lacks are passed as their bits.
static std::string cType(Type type) {
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isIndex())
    return "int64_t";
  if (type.isIntOrFloat()) {
    unsigned bits = llvm::PowerOf2Ceil(std::max(8u, type.getIntOrFloatBitWidth()));
    if (bits <= 64)
      return llvm::formatv("{0}int{1}_t", type.isSignlessInteger() || type.isSignedInteger() ? "" : "u", bits).str();
  }
  return "void";
}

static std::string describe(const tpp::ValueSpec &spec) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t size : spec.shape)
    stream << size << "x";
  stream << spec.elementType;
  return text;
}

namespace {
/// The parameters of a function after its workspace.
struct Parameters {
  std::string declarations, documentation;
};
} // namespace

static void addParameter(Parameters &parameters, const tpp::ValueSpec &spec, bool isResult) {
  bool written = isResult || spec.isMemref;
  parameters.declarations +=
      llvm::formatv(",\n              {0}{1} *{2}", written ? "" : "const ", cType(spec.elementType), spec.name);
  parameters.documentation += llvm::formatv(" *   {0}: {1}, row-major{2}\n", spec.name, describe(spec),
                                            isResult        ? ", written"
                                            : spec.isMemref ? ", read and written"
                                                            : "");
}

/// The additional declarations of a model with weight arguments.
static std::string declarePrepack(StringRef name, const tpp::BuiltModel &model, const Parameters &parameters) {
  return llvm::formatv(R"(
/* Bytes of workspace that {0}_prepack needs. */
size_t {0}_prepack_workspace_bytes(const {0}_t *model);

/* Computes the weights that depend on the weight arguments and writes them to the segment given to {0}_create. Must be called before the
 * first call of {0}_run, and again when the arguments have changed, but not while another call runs. `workspace` is 64-byte aligned and has
 * {1} bytes. The arguments are not needed afterwards.
{2} *
 * Returns TPP_STATUS_OK, or TPP_STATUS_ASSERTION if an assertion of the program failed (tpp_last_error says which). */
tpp_status {0}_prepack(const {0}_t *model, void *workspace{3});
)",
                       name, model.prepackWorkspaceBytes, parameters.documentation, parameters.declarations)
      .str();
}

llvm::Expected<std::string> tpp::writeModelHeader(const BuiltModel &model, int threads, StringRef weightsFile) {
  StringRef name = model.entry;
  if (name.empty() || llvm::isDigit(name.front()) || !llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return makeError("@" + name + " is not an identifier in C: the model cannot have C entry points");

  Parameters run, prepack;
  for (const ValueSpec &argument : model.arguments)
    addParameter(argument.isWeight ? prepack : run, argument, /*isResult=*/false);
  for (const ValueSpec &result : model.results)
    addParameter(run, result, /*isResult=*/true);
  bool prepacks = !model.prepack.arguments.empty();
  std::string kernels;
  for (const auto &[descriptor, calls] : model.kernelCalls)
    kernels += llvm::formatv(" *   {0}: {1} calls\n", describeDescriptor(descriptor), calls);

  std::string upper = name.upper();
  return llvm::formatv(R"(/* A model compiled by TPP for one processor. Link with libtpp_runtime and libm{1}.
 *
 * Kernels of one call:
{2} */
#ifndef TPP_MODEL_{0}_H
#define TPP_MODEL_{0}_H

#include "tpp/types.h"

#ifdef __cplusplus
extern "C" {{
#endif

typedef struct {3}_t {3}_t;

/* Bytes of the weights segment: the file {4}. */
enum {{ {3}_weights_bytes = {5} };

/* Creates a model and dispatches every kernel once. `weights` is the whole segment, 64-byte aligned, and must stay valid as long as the
 * model; {9}.
 * On failure *out is null, and the status is TPP_STATUS_WEIGHTS_SIZE if `bytes` is not the size this model was compiled for,
 * TPP_STATUS_UNSUPPORTED_CPU if this processor lacks instructions that the code uses, TPP_STATUS_NULL_POINTER,
 * TPP_STATUS_OUT_OF_MEMORY, or that of a failed kernel dispatch (tpp_last_error gives the reason). */
tpp_status {3}_create({10}void *weights, size_t bytes, {3}_t **out);

/* Bytes of workspace that a call needs. */
size_t {3}_workspace_bytes(const {3}_t *model);
{11}
/* Runs the model once. Re-entrant: all state is in `workspace`, which has {6} bytes, is 64-byte aligned and need not be initialized. Memory
 * that is written must not overlap any other operand.
{7} *
 * Returns TPP_STATUS_OK, or TPP_STATUS_ASSERTION if the arguments fail an assertion of the program, for instance an index is out of range
 * (tpp_last_error says which). In that case the contents of all results and written arguments are undefined. */
tpp_status {3}_run(const {3}_t *model, void *workspace{8});

/* Frees a model; null is ignored. */
void {3}_destroy({3}_t *model);

#ifdef __cplusplus
}
#endif

#endif
)",
                       upper, threads > 1 ? llvm::formatv(". It runs on {0} threads", threads).str() : std::string(),
                       kernels.empty() ? std::string(" *   none\n") : kernels, name, weightsFile, model.weights.bytes,
                       model.report.workspaceBytes, run.documentation, run.declarations,
                       prepacks ? "only " + name.str() + "_prepack writes to it" : std::string("it is only read"),
                       prepacks ? "" : "const ", prepacks ? declarePrepack(name, model, prepack) : std::string())
      .str();
}
