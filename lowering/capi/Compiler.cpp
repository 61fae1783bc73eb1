//===- Compiler.cpp - the C API of the compiler ------------------------------------------------------------------------------===//
// Contract: tpp/compiler.h.

#include "tpp/compiler.h"

#include "lowering/compile/CompileModel.h"
#include "lowering/compile/ParseProgram.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"

#include <omp.h>

#include <dlfcn.h>

#include "tpp/tpp.h"

using namespace mlir;
using mlir::tpp::CompiledModel;

namespace {
struct ModelValue {
  tpp_value description;
  std::string type;
  SmallVector<int64_t> shape;
};

// The text of tpp_compiler_last_error.
thread_local std::string lastError;

tpp_status fail(tpp_status status, const Twine &message) {
  lastError = message.str();
  return status;
}

// The status and text of an error; `status` if it has none of its own.
tpp_status fail(tpp_status status, llvm::Error error) {
  std::string message;
  llvm::handleAllErrors(
      std::move(error),
      [&](const mlir::tpp::StatusError &own) {
        status = static_cast<tpp_status>(own.status);
        message = own.message();
      },
      [&](const llvm::ErrorInfoBase &other) { message += (message.empty() ? "" : "; ") + other.message(); });
  return fail(status, message);
}

// Compiled code finds the functions of the runtime and of OpenMP by name in the process. A library that was loaded for one module only, as
// Python does, hides those of its dependencies: this makes them visible.
void exposeLibraries() {
  for (auto *function : {reinterpret_cast<void *>(&tpp_abi_version), reinterpret_cast<void *>(&omp_get_max_threads)}) {
    Dl_info library;
    if (dladdr(function, &library) != 0 && library.dli_fname)
      dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }
}

// Passes the diagnostics of a context on, with their positions.
class Reporter {
public:
  Reporter(MLIRContext &context, StringRef name, tpp_diagnose_function diagnose, void *user)
      : name(name), diagnose(diagnose), user(user), handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && firstError.empty())
            firstError = report(diagnostic);
          else
            report(diagnostic);
          for (const Diagnostic &note : diagnostic.getNotes())
            report(note);
          return success();
        }) {}

  // The first error, "file:line:column: text"; "" if there was none.
  std::string firstError;

private:
  std::string report(const Diagnostic &diagnostic) {
    static constexpr tpp_severity severities[] = {TPP_SEVERITY_note, TPP_SEVERITY_warning, TPP_SEVERITY_error,
                                                  TPP_SEVERITY_remark};
    std::string message = diagnostic.str(), file = name;
    tpp_diagnostic reported = {severities[static_cast<size_t>(diagnostic.getSeverity())], message.c_str(), nullptr, 0, 0};
    std::string where = file;
    if (auto position = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
      file = position.getFilename().str();
      reported.line = position.getLine();
      reported.column = position.getColumn();
      where = (file + ":" + Twine(reported.line) + ":" + Twine(reported.column)).str();
    }
    reported.file = file.c_str();
    if (diagnose)
      diagnose(user, &reported);
    return where + ": " + message;
  }

  std::string name;
  tpp_diagnose_function diagnose;
  void *user;
  ScopedDiagnosticHandler handler;
};

// Bytes of an element in memory; none if it cannot be passed.
std::optional<int64_t> getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat())
    return std::nullopt;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 1)
    return 1;
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? std::optional<int64_t>(bits / 8) : std::nullopt;
}

llvm::Expected<std::unique_ptr<ModelValue>> describeValue(const mlir::tpp::ValueSpec &spec, const Twine &what) {
  auto value = std::make_unique<ModelValue>();
  llvm::raw_string_ostream(value->type) << spec.elementType;
  std::optional<int64_t> bytes = getElementBytes(spec.elementType);
  if (!bytes)
    return llvm::createStringError(what + " has elements of type " + value->type + ", which cannot be passed");
  value->shape = spec.shape;
  value->description = {value->type.c_str(), *bytes,       static_cast<int64_t>(value->shape.size()), value->shape.data(), *bytes,
                        spec.isWeight,       spec.isMemref};
  for (int64_t extent : value->shape)
    value->description.bytes *= extent;
  return value;
}

std::string describeReport(const mlir::tpp::CompileReport &report) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  mlir::tpp::MoveTotals moves = mlir::tpp::sumMoves(report.moves);
  json.object([&] {
    json.attribute("entry", report.entry);
    json.attribute("target", report.target);
    json.attribute("flops", report.flops);
    json.attribute("packs", moves.packs);
    json.attribute("unpacks", moves.unpacks);
    json.attribute("copies", moves.copies);
    json.attribute("moved_bytes", moves.bytes);
    json.attribute("scalar_loops", report.scalarLoops);
    json.attribute("weights_bytes", report.weightsBytes);
    json.attribute("workspace_bytes", report.workspaceBytes);
    json.attribute("compile_seconds",
                   report.parseSeconds + report.passesSeconds + std::max(report.prepackSeconds, report.jitSeconds));
    json.attributeArray("kernels", [&] {
      for (const mlir::tpp::CompileReport::Kernel &kernel : report.kernels)
        json.object([&] {
          json.attribute("name", kernel.name);
          json.attribute("provider", kernel.provider);
          json.attribute("calls", kernel.callsPerRun);
        });
    });
    json.attributeArray("remarks", [&] {
      for (const std::string &remark : report.remarks)
        json.value(remark);
    });
  });
  return text;
}
} // namespace

struct tpp_model {
  std::unique_ptr<CompiledModel> compiled;
  std::vector<std::unique_ptr<ModelValue>> arguments, results;
  std::string report;
  size_t values = 0; // that a call takes
  bool isPacked = false;
};

// Checks the options and converts them.
static tpp_status readOptions(const tpp_compile_options *given, mlir::tpp::CompileOptions &options) {
  if (given->struct_size != sizeof(tpp_compile_options))
    return fail(TPP_STATUS_STRUCT_SIZE,
                "options.struct_size is " + Twine(given->struct_size) + ", must be " + Twine(sizeof(tpp_compile_options)));
  auto text = [](const char *value, StringRef otherwise) { return value ? std::string(value) : otherwise.str(); };
  options.entry = text(given->entry, "");
  options.target = text(given->target, "");
  options.packing = text(given->packing, "");
  options.provider = text(given->provider, "auto");
  options.precision = text(given->precision, "program");
  if (!llvm::is_contained({"auto", "xsmm", "native", "reference"}, options.provider))
    return fail(TPP_STATUS_INVALID_ARGUMENT,
                "options.provider is '" + options.provider + "': there are auto, xsmm, native and reference");
  if (!llvm::is_contained({"program", "bf16", "int8"}, options.precision))
    return fail(TPP_STATUS_INVALID_ARGUMENT,
                "options.precision is '" + options.precision + "': there are program, bf16 and int8");
  if (given->threads < 0 || given->threads > mlir::tpp::CompileOptions::mostThreads)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "options.threads is " + Twine(given->threads) + ", must be 0 to " +
                                                 Twine(mlir::tpp::CompileOptions::mostThreads));
  options.threads = std::max(given->threads, 1);
  if (given->reference)
    options.pipeline = mlir::tpp::CompileOptions::Pipeline::Loops;
  if (given->weight_count < 0 || (given->weight_count > 0 && !given->weights))
    return fail(TPP_STATUS_INVALID_ARGUMENT,
                "options.weight_count is " + Twine(given->weight_count) + " for " + (given->weights ? "a list" : "no list"));
  options.weights.assign(given->weights, given->weights + given->weight_count);
  return TPP_STATUS_OK;
}

static tpp_status compile(std::unique_ptr<llvm::MemoryBuffer> content, StringRef name, const tpp_compile_options *given,
                          tpp_model **model) {
  static const tpp_compile_options defaults = TPP_COMPILE_OPTIONS;
  given = given ? given : &defaults;
  mlir::tpp::CompileOptions options;
  if (tpp_status status = readOptions(given, options))
    return status;
  static const int exposed = (exposeLibraries(), 0);
  (void)exposed;

  MLIRContext context(mlir::tpp::getProgramDialects());
  context.printOpOnDiagnostic(false); // the position is reported, and the operation can be very long
  Reporter reporter(context, name, given->diagnose, given->user);
  auto invalid = [&](llvm::Error error) {
    std::string message = llvm::toString(std::move(error));
    return fail(TPP_STATUS_INVALID_PROGRAM, reporter.firstError.empty() ? message : reporter.firstError + " (" + message + ")");
  };
  auto parsed = mlir::tpp::parseProgram(std::move(content), name, context);
  if (!parsed)
    return invalid(parsed.takeError());
  options.releaseConstants = true;
  auto compiled = CompiledModel::compile(**parsed, options);
  if (!compiled) {
    llvm::Error error = compiled.takeError();
    return error.isA<mlir::tpp::StatusError>() ? fail(TPP_STATUS_INVALID_PROGRAM, std::move(error)) : invalid(std::move(error));
  }

  auto made = std::make_unique<tpp_model>();
  made->compiled = std::move(*compiled);
  for (bool isArgument : {true, false}) {
    auto &values = isArgument ? made->arguments : made->results;
    for (const mlir::tpp::ValueSpec &spec : isArgument ? made->compiled->arguments() : made->compiled->results()) {
      auto value = describeValue(spec, (isArgument ? "argument #" : "result #") + Twine(values.size()));
      if (!value)
        return invalid(value.takeError());
      made->values += !spec.isWeight;
      values.push_back(std::move(*value));
    }
  }
  made->isPacked = llvm::none_of(made->compiled->arguments(), [](const mlir::tpp::ValueSpec &spec) { return spec.isWeight; });
  made->report = describeReport(made->compiled->report());
  *model = made.release();
  return TPP_STATUS_OK;
}

int tpp_compiler_abi_version(void) { return TPP_COMPILER_ABI_VERSION; }

const char *tpp_compiler_last_error(void) { return lastError.c_str(); }

tpp_status tpp_compile(const void *program, size_t bytes, const char *name, const tpp_compile_options *options,
                       tpp_model **model) {
  if (model)
    *model = nullptr;
  if (!model || (!program && bytes > 0))
    return fail(TPP_STATUS_NULL_POINTER, model ? "program is null" : "model is null");
  StringRef text(static_cast<const char *>(program), bytes), known = name ? name : "program";
  // A copy: the parser wants a zero after the text.
  return compile(llvm::MemoryBuffer::getMemBufferCopy(text, known), known, options, model);
}

tpp_status tpp_compile_file(const char *path, const tpp_compile_options *options, tpp_model **model) {
  if (model)
    *model = nullptr;
  if (!model || !path)
    return fail(TPP_STATUS_NULL_POINTER, model ? "path is null" : "model is null");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(TPP_STATUS_FILE, StringRef(path) + ": cannot read: " + buffer.getError().message());
  return compile(std::move(*buffer), path, options, model);
}

void tpp_model_destroy(tpp_model *model) { delete model; }

int64_t tpp_model_argument_count(const tpp_model *model) { return static_cast<int64_t>(model->arguments.size()); }
int64_t tpp_model_result_count(const tpp_model *model) { return static_cast<int64_t>(model->results.size()); }

static const tpp_value *valueAt(const std::vector<std::unique_ptr<ModelValue>> &values, int64_t index) {
  return index >= 0 && index < static_cast<int64_t>(values.size()) ? &values[static_cast<size_t>(index)]->description : nullptr;
}
const tpp_value *tpp_model_argument(const tpp_model *model, int64_t index) { return valueAt(model->arguments, index); }
const tpp_value *tpp_model_result(const tpp_model *model, int64_t index) { return valueAt(model->results, index); }

size_t tpp_model_workspace_bytes(const tpp_model *model) { return model->compiled->workspaceBytes(); }

tpp_status tpp_model_prepack(tpp_model *model, const void *const *weights) {
  size_t count = model->arguments.size() + model->results.size() - model->values;
  if (!weights && count > 0)
    return fail(TPP_STATUS_NULL_POINTER, "weights is null");
  SmallVector<void *> pointers;
  for (size_t i = 0; i < count; ++i) {
    if (!weights[i])
      return fail(TPP_STATUS_NULL_POINTER, "weights[" + Twine(i) + "] is null");
    pointers.push_back(const_cast<void *>(weights[i]));
  }
  if (llvm::Error error = model->compiled->prepack(pointers))
    return fail(TPP_STATUS_OUT_OF_MEMORY, std::move(error));
  model->isPacked = true;
  return TPP_STATUS_OK;
}

tpp_status tpp_model_run(const tpp_model *model, void *workspace, void *const *values) {
  if (!model->isPacked)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "the model has weight arguments: call tpp_model_prepack first");
  if ((!values && model->values > 0) || (!workspace && model->compiled->workspaceBytes() > 0))
    return fail(TPP_STATUS_NULL_POINTER, values ? "workspace is null" : "values is null");
  if (reinterpret_cast<uintptr_t>(workspace) % 64 != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "workspace is not aligned to 64 bytes");
  for (size_t i = 0; i < model->values; ++i)
    if (!values[i])
      return fail(TPP_STATUS_NULL_POINTER, "values[" + Twine(i) + "] is null");
  if (llvm::Error error = model->compiled->run(workspace, ArrayRef(values, model->values)))
    return fail(TPP_STATUS_ASSERTION, std::move(error));
  return TPP_STATUS_OK;
}

const char *tpp_model_report(const tpp_model *model) { return model->report.c_str(); }
