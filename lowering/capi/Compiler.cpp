//===- Compiler.cpp - the C API of the compiler ------------------------------------------------------------------------------===//
// Contract: tpp/compiler.h.

#include "lowering/capi/Model.h"

#include "lowering/analysis/BufferSize.h"
#include "lowering/compile/AlignedMemory.h"
#include "lowering/compile/CompileModel.h"
#include "lowering/compile/ParseProgram.h"
#include "lowering/machine/Target.h"
#include "lowering/report/MoveReport.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tpp/machine.hpp"
#include "tpp/tpp.h"
#include "tpp_dialect/TppDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cstring>
#include <mutex>
#include <set>

using namespace mlir;
using mlir::tpp::CompiledModel;
using namespace ::tpp::capi;

namespace {
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

// Bytes of an element in memory; none if it cannot be passed: only bits, bytes and words of up to 64 bits can.
std::optional<int64_t> getPassedBytes(Type type) {
  if (type.isIndex() || type.isInteger(1))
    return mlir::tpp::getElementBytes(type);
  if (!type.isIntOrFloat())
    return std::nullopt;
  std::optional<int64_t> bytes = mlir::tpp::getElementBytes(type);
  return *bytes * 8 == type.getIntOrFloatBitWidth() && *bytes <= 8 ? bytes : std::nullopt;
}

llvm::Expected<ModelValues> describeValues(ArrayRef<mlir::tpp::ValueSpec> specs, StringRef kind) {
  ModelValues values;
  for (const mlir::tpp::ValueSpec &spec : specs) {
    std::string type;
    llvm::raw_string_ostream(type) << spec.elementType;
    std::optional<int64_t> bytes = getPassedBytes(spec.elementType);
    if (!bytes)
      return llvm::createStringError(kind + " #" + Twine(values.size()) + " has elements of type " + type +
                                     ", which cannot be passed");
    values.push_back(std::make_unique<ModelValue>(type, *bytes, spec.shape, spec.isWeight, spec.isMemref));
  }
  return values;
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
    json.attributeArray("moves", [&] {
      for (const mlir::tpp::Move &move : report.moves)
        json.object([&] { mlir::tpp::writeMove(move, json); });
    });
    json.attributeArray("remarks", [&] {
      for (const std::string &remark : report.remarks)
        json.value(remark);
    });
  });
  return text;
}
} // namespace

// Checks the options and converts them.
static tpp_status readOptions(const tpp_compile_options *given, mlir::tpp::CompileOptions &options) {
  // Programs that were compiled before `drawing`, `winograd` or `denormals` existed give a smaller structure.
  const bool hasDenormals = given->struct_size == sizeof(tpp_compile_options);
  const bool hasWinograd = hasDenormals || given->struct_size == offsetof(tpp_compile_options, denormals);
  const bool hasDrawing = hasWinograd || given->struct_size == offsetof(tpp_compile_options, winograd);
  if (!hasDrawing && given->struct_size != offsetof(tpp_compile_options, drawing))
    return fail(TPP_STATUS_STRUCT_SIZE,
                "options.struct_size is " + Twine(given->struct_size) + ", must be " + Twine(sizeof(tpp_compile_options)));
  auto text = [](const char *value, StringRef otherwise) { return value ? std::string(value) : otherwise.str(); };
  options.entry = text(given->entry, "");
  options.target = text(given->target, "");
  options.packing = text(given->packing, "");
  options.provider = text(given->provider, "auto");
  options.precision = text(given->precision, "program");
  static const SmallVector<StringRef> providers = {
#define TPP_PROVIDER(name, value, summary) #name,
#include "tpp/kinds.def"
  };
  if (!llvm::is_contained(providers, options.provider))
    return fail(TPP_STATUS_INVALID_ARGUMENT,
                "options.provider is '" + options.provider + "': there are " + llvm::join(providers, ", "));
  if (!llvm::is_contained({"program", "bf16", "int8"}, options.precision))
    return fail(TPP_STATUS_INVALID_ARGUMENT,
                "options.precision is '" + options.precision + "': there are program, bf16 and int8");
  options.winograd = text(hasWinograd ? given->winograd : nullptr, "auto");
  if (!llvm::is_contained({"auto", "always", "off"}, options.winograd))
    return fail(TPP_STATUS_INVALID_ARGUMENT, "options.winograd is '" + options.winograd + "': there are auto, always and off");
  options.denormals = text(hasDenormals ? given->denormals : nullptr, "keep");
  if (!llvm::is_contained({"keep", "zero"}, options.denormals))
    return fail(TPP_STATUS_INVALID_ARGUMENT, "options.denormals is '" + options.denormals + "': there are keep and zero");
  if (given->threads < 0 || given->threads > mlir::tpp::CompileOptions::mostThreads)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "options.threads is " + Twine(given->threads) + ", must be 0 to " +
                                                 Twine(mlir::tpp::CompileOptions::mostThreads));
  options.threads = std::max(given->threads, 1);
  if (given->reference)
    options.pipeline = mlir::tpp::CompileOptions::Pipeline::Loops;
  options.drawing = hasDrawing && given->drawing != 0;
  if (given->weight_count < 0 || (given->weight_count > 0 && !given->weights))
    return fail(TPP_STATUS_INVALID_ARGUMENT,
                "options.weight_count is " + Twine(given->weight_count) + " for " + (given->weights ? "a list" : "no list"));
  options.weights.assign(given->weights, given->weights + given->weight_count);
  return TPP_STATUS_OK;
}

// Makes the machine that dispatch chooses for the one that is compiled for: the runtime, a library of its own, may have been told another one
// (tpp_set_machine).
static tpp_status copyMachine() {
  tpp_machine machine;
  machine.struct_size = sizeof machine;
  if (tpp_status status = tpp_get_machine(&machine))
    return fail(status, tpp_last_error());
  if (std::strcmp(machine.isa, ::tpp::host_machine().isa) != 0)
    return fail(TPP_STATUS_BAD_MACHINE, Twine("tpp_set_machine was called with a machine that has ") + machine.isa +
                                            "; this one has " + ::tpp::host_machine().isa +
                                            ". To compile for another machine, name it as target");
  if (!::tpp::set_current_machine(&machine))
    return fail(TPP_STATUS_OUT_OF_MEMORY, "no memory for a machine");
  return TPP_STATUS_OK;
}

static tpp_status compile(std::unique_ptr<llvm::MemoryBuffer> content, StringRef name, const tpp_compile_options *given,
                          tpp_model **model) {
  static const tpp_compile_options defaults = TPP_COMPILE_OPTIONS;
  given = given ? given : &defaults;
  mlir::tpp::CompileOptions options;
  if (tpp_status status = readOptions(given, options))
    return status;
  if (options.target.empty())
    if (tpp_status status = copyMachine())
      return status;
  exposeRuntime();

  MLIRContext context(mlir::tpp::getProgramDialects());
  context.printOpOnDiagnostic(false); // the position is reported, and the operation can be very long
  Reporter reporter(context, name, given->diagnose, given->user);
  auto invalid = [&](llvm::Error error) {
    tpp_status status = fail(TPP_STATUS_INVALID_PROGRAM, std::move(error));
    return reporter.firstError.empty() ? status : fail(status, reporter.firstError + " (" + tpp_compiler_last_error() + ")");
  };
  auto parsed = mlir::tpp::parseProgram(std::move(content), name, context);
  if (!parsed)
    return invalid(parsed.takeError());
  options.releaseConstants = true;
  auto compiled = CompiledModel::compile(**parsed, options);
  if (!compiled)
    return invalid(compiled.takeError());

  auto arguments = describeValues((*compiled)->arguments(), "argument"),
       results = describeValues((*compiled)->results(), "result");
  if (!arguments || !results)
    return invalid(llvm::joinErrors(arguments.takeError(), results.takeError()));
  auto made = std::make_unique<tpp_model>();
  made->loaded = (*compiled)->loaded();
  made->setValues(std::move(*arguments), std::move(*results));
  made->isPacked = made->passed.size() == made->arguments.size() + made->results.size();
  made->report = describeReport((*compiled)->report());
  made->drawing = (*compiled)->report().drawing;
  made->slots = (*compiled)->report().slots;
  *model = made.release();
  return TPP_STATUS_OK;
}

int tpp_compiler_abi_version(void) { return TPP_COMPILER_ABI_VERSION; }

const char *tpp_compiler_identity(void) {
  static const std::optional<uint64_t> hash = hashLibrary();
  if (!hash || copyMachine() != TPP_STATUS_OK)
    return nullptr;
  std::string text;
  {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<mlir::tpp::TppDialect>();
    mlir::tpp::TargetAttr target = mlir::tpp::getHostTarget(&context);
    llvm::raw_string_ostream(text) << "tpp " << TPP_PROJECT_VERSION << " " << llvm::format_hex_no_prefix(*hash, 16) << " "
                                   << target << " " << mlir::tpp::getCpuFeatures(target);
  }
  // Each text stays valid: there are as many as machines that tpp_set_machine was called with.
  static std::mutex mutex;
  static std::set<std::string> texts;
  std::lock_guard<std::mutex> lock(mutex);
  return texts.insert(std::move(text)).first->c_str();
}

tpp_status tpp_compile(const void *program, size_t bytes, const char *name, const tpp_compile_options *options,
                       tpp_model **model) {
  if (model)
    *model = nullptr;
  if (!model || (!program && bytes > 0))
    return fail(TPP_STATUS_NULL_POINTER, model ? "program is null" : "model is null");
  StringRef text(static_cast<const char *>(program), bytes), known = name ? name : "program";
  // The copy has a zero after the text, which the parser needs.
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

int64_t tpp_model_argument_count(const tpp_model *model) { return model ? static_cast<int64_t>(model->arguments.size()) : 0; }
int64_t tpp_model_result_count(const tpp_model *model) { return model ? static_cast<int64_t>(model->results.size()) : 0; }

static const tpp_value *valueAt(const ModelValues &values, int64_t index) {
  return index >= 0 && index < static_cast<int64_t>(values.size()) ? &values[static_cast<size_t>(index)]->description : nullptr;
}
const tpp_value *tpp_model_argument(const tpp_model *model, int64_t index) {
  return model ? valueAt(model->arguments, index) : nullptr;
}
const tpp_value *tpp_model_result(const tpp_model *model, int64_t index) {
  return model ? valueAt(model->results, index) : nullptr;
}

size_t tpp_model_workspace_bytes(const tpp_model *model) {
  return model ? static_cast<size_t>(model->loaded->getParts().workspaceBytes) : 0;
}

// Checks `count` pointers of the list `name`; those of the values that are empty may be null.
static tpp_status checkPointers(const char *name, const void *const *pointers, ArrayRef<const ModelValue *> values) {
  if (!pointers && !values.empty())
    return fail(TPP_STATUS_NULL_POINTER, Twine(name) + " is null");
  for (auto [i, value] : llvm::enumerate(values))
    if (!pointers[i] && value->description.bytes > 0)
      return fail(TPP_STATUS_NULL_POINTER, Twine(name) + "[" + Twine(i) + "] is null");
  return TPP_STATUS_OK;
}

tpp_status tpp_model_prepack(tpp_model *model, const void *const *weights) {
  if (!model)
    return fail(TPP_STATUS_NULL_POINTER, "model is null");
  SmallVector<const ModelValue *> values;
  for (const std::unique_ptr<ModelValue> &argument : model->arguments)
    if (argument->description.is_weight)
      values.push_back(argument.get());
  if (tpp_status status = checkPointers("weights", weights, values))
    return status;
  SmallVector<void *> pointers;
  for (size_t i = 0; i < values.size(); ++i)
    pointers.push_back(const_cast<void *>(weights[i]));
  model->isPacked = values.empty();
  if (llvm::Error error = model->loaded->prepack(pointers))
    return fail(TPP_STATUS_OUT_OF_MEMORY, std::move(error));
  model->isPacked = true;
  return TPP_STATUS_OK;
}

tpp_status tpp_model_touch_weights(const tpp_model *model) {
  if (!model)
    return fail(TPP_STATUS_NULL_POINTER, "model is null");
  const auto &parts = model->loaded->getParts();
  if (!parts.hasMappedWeights)
    mlir::tpp::touchPages(parts.weights.get(), parts.weightsBytes);
  return TPP_STATUS_OK;
}

namespace tpp::capi {
tpp_status checkRun(const tpp_model *model, const void *workspace, void *const *values) {
  if (!model)
    return fail(TPP_STATUS_NULL_POINTER, "model is null");
  if (!model->isPacked)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "the model has weight arguments: call tpp_model_prepack first");
  if (tpp_status status = checkPointers("values", values, model->passed))
    return status;
  if (tpp_model_workspace_bytes(model) > 0) {
    if (!workspace)
      return fail(TPP_STATUS_NULL_POINTER, "workspace is null");
    if (reinterpret_cast<uintptr_t>(workspace) % 64 != 0)
      return fail(TPP_STATUS_INVALID_ARGUMENT, "workspace is not aligned to 64 bytes");
  }
  return TPP_STATUS_OK;
}
} // namespace tpp::capi

tpp_status tpp_model_run(const tpp_model *model, void *workspace, void *const *values) {
  if (tpp_status status = checkRun(model, workspace, values))
    return status;
  if (llvm::Error error = model->loaded->run(workspace, ArrayRef(values, model->passed.size())))
    return fail(TPP_STATUS_ASSERTION, std::move(error));
  return TPP_STATUS_OK;
}

const char *tpp_model_report(const tpp_model *model) { return model ? model->report.c_str() : nullptr; }
const char *tpp_model_drawing(const tpp_model *model) { return model ? model->drawing.c_str() : nullptr; }
