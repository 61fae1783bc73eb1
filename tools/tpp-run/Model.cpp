// Loads model files and describes their functions. See Model.h.
#include "Model.h"
#include "lowering/compile/ParseProgram.h"
#include "lowering/prepack/PlaceWeights.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tpp::run {

// "file:line:col", or the model's path if the location has no file position (bytecode without debug information).
static std::string locationText(mlir::Location location, llvm::StringRef path) {
  std::string text = path.str();
  location->walk([&](mlir::Location inner) {
    auto position = llvm::dyn_cast<mlir::FileLineColLoc>(inner);
    if (!position)
      return mlir::WalkResult::advance();
    text = position.getFilename().str() + ":" + std::to_string(position.getLine()) + ":" + std::to_string(position.getColumn());
    return mlir::WalkResult::interrupt();
  });
  return text;
}

static void print(const mlir::Diagnostic &diagnostic, llvm::StringRef path) {
  static const char *severities[] = {"note", "warning", "error", "remark"};
  llvm::errs() << locationText(diagnostic.getLocation(), path) << ": " << severities[size_t(diagnostic.getSeverity())] << ": "
               << diagnostic << '\n';
}

Model::Model(const std::string &path, const mlir::DialectRegistry &registry)
    : path(path), context(registry), diagnostics(&context, [path](mlir::Diagnostic &diagnostic) {
        print(diagnostic, path);
        for (const mlir::Diagnostic &note : diagnostic.getNotes())
          print(note, path);
        return mlir::success();
      }) {
  // Diagnostics already print the location; printing the operation as well would be very long.
  context.printOpOnDiagnostic(false);
}

llvm::Expected<std::unique_ptr<Model>> Model::load(const std::string &path, const std::vector<std::string> &plugins) {
  mlir::DialectRegistry registry = mlir::tpp::getProgramDialects();
  for (const std::string &file : plugins) {
    llvm::Expected<mlir::DialectPlugin> plugin = mlir::DialectPlugin::load(file);
    if (!plugin)
      return makeError("--load-dialect-plugin: " + llvm::toString(plugin.takeError()));
    plugin->registerDialectRegistryCallbacks(registry);
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code error = buffer.getError())
    return makeError(path + ": cannot read: " + error.message());
  std::unique_ptr<Model> model(new Model(path, registry));
  auto parsed = mlir::tpp::parseProgram(std::move(*buffer), path, model->context);
  if (!parsed)
    return parsed.takeError();
  model->parsed = std::move(*parsed);
  return std::move(model);
}

llvm::Error Model::transform(const std::string &script) {
  mlir::OwningOpRef<mlir::ModuleOp> transforms;
  if (failed(mlir::transform::detail::parseTransformModuleFromFile(&context, script, transforms)) || !transforms)
    return makeError("--transform: " + script + ": not a readable file of transform-dialect IR");
  auto entry = mlir::transform::detail::findTransformEntryPoint(*parsed, *transforms);
  if (!entry)
    return makeError("--transform: " + script + ": has no @" + mlir::transform::TransformDialect::kTransformEntryPointSymbolName);
  if (failed(mlir::transform::applyTransformNamedSequence(*parsed, entry, *transforms, mlir::transform::TransformOptions())) ||
      failed(mlir::verify(*parsed)))
    return makeError("--transform: " + script + " cannot be applied to " + path);
  return llvm::Error::success();
}

static std::string functionList(llvm::ArrayRef<mlir::func::FuncOp> functions) {
  std::string names;
  for (mlir::func::FuncOp function : functions)
    names += (names.empty() ? "@" : ", @") + function.getName().str();
  return names;
}

static llvm::Expected<mlir::func::FuncOp> selectEntry(mlir::ModuleOp module, const std::string &path, const std::string &entry) {
  llvm::SmallVector<mlir::func::FuncOp> withBody, candidates;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!entry.empty() && function.getName() == entry && function.isExternal())
      return makeError(locationText(function.getLoc(), path) + ": --entry: function @" + entry + " has no body");
    if (function.isExternal())
      continue;
    withBody.push_back(function);
    if (function.isPublic())
      candidates.push_back(function);
  }
  if (withBody.empty())
    return makeError(path + ": there is no function with a body");
  auto named = [&](llvm::StringRef name) -> mlir::func::FuncOp {
    for (mlir::func::FuncOp function : withBody)
      if (function.getName() == name)
        return function;
    return nullptr;
  };
  if (!entry.empty()) {
    if (mlir::func::FuncOp function = named(entry))
      return function;
    return makeError(path + ": --entry: there is no function @" + entry + " (there is " + functionList(withBody) + ")");
  }
  if (candidates.size() == 1)
    return candidates.front();
  if (mlir::func::FuncOp function = named("main"))
    return function;
  if (candidates.empty())
    return makeError(path + ": there is no public function with a body; name one with --entry (there is " +
                     functionList(withBody) + ")");
  return makeError(path + ": several public functions and none is @main; name one with --entry (there is " +
                   functionList(candidates) + ")");
}

static std::optional<ElementType> elementTypeOf(mlir::Type type) {
  if (type.isF32())
    return ElementType::f32;
  if (type.isF64())
    return ElementType::f64;
  if (type.isF16())
    return ElementType::f16;
  if (type.isBF16())
    return ElementType::bf16;
  if (type.isIndex())
    return ElementType::index;
  auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return ElementType::i1;
  case 8:
    return isUnsigned ? ElementType::ui8 : ElementType::i8;
  case 16:
    return isUnsigned ? ElementType::ui16 : ElementType::i16;
  case 32:
    return isUnsigned ? ElementType::ui32 : ElementType::i32;
  case 64:
    return isUnsigned ? ElementType::ui64 : ElementType::i64;
  default:
    return std::nullopt;
  }
}

static llvm::Expected<TensorSpec> specOf(mlir::Type type, const llvm::Twine &what) {
  TensorSpec spec;
  spec.what = what.str();
  std::string typeText;
  llvm::raw_string_ostream(typeText) << type;
  auto unsupported = [&](llvm::StringRef why) { return makeError(spec.what + " has type " + typeText + ": " + why); };
  if (std::optional<ElementType> scalar = elementTypeOf(type)) {
    spec.element = *scalar;
    return spec;
  }
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  if (!shaped || !llvm::isa<mlir::TensorType, mlir::BaseMemRefType>(type))
    return unsupported("only tensors, memrefs and scalars of supported types can be passed");
  if (!shaped.hasStaticShape())
    return unsupported("dynamic shapes are not supported, compile one model for each shape");
  if (auto memref = llvm::dyn_cast<mlir::MemRefType>(type); memref && !memref.getLayout().isIdentity())
    return unsupported("only memrefs of the default layout can be passed");
  std::optional<ElementType> element = elementTypeOf(shaped.getElementType());
  if (!element)
    return unsupported("supported element types are f16, bf16, f32, f64, index and integers of 1, 8, 16, 32 and 64 bits");
  spec.element = *element;
  spec.shape = shaped.getShape().vec();
  return spec;
}

llvm::Expected<mlir::func::FuncOp> Model::function(const std::string &entry) { return selectEntry(*parsed, path, entry); }

llvm::Expected<Signature> Model::signature(const std::string &entry) {
  llvm::Expected<mlir::func::FuncOp> chosen = function(entry);
  if (!chosen)
    return chosen.takeError();
  return describeSignature(*chosen, path);
}

llvm::Expected<Signature> describeSignature(mlir::func::FuncOp function, llvm::StringRef path) {
  Signature signature;
  signature.entry = function.getName().str();
  auto add = [&](std::vector<TensorSpec> &specs, mlir::Type type, llvm::StringRef kind) -> llvm::Error {
    llvm::Expected<TensorSpec> spec = specOf(type, kind + " #" + llvm::Twine(specs.size()));
    if (!spec)
      return makeError(locationText(function.getLoc(), path) + ": @" + signature.entry + ": " + llvm::toString(spec.takeError()));
    specs.push_back(std::move(*spec));
    return llvm::Error::success();
  };
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    if (function.getArgAttr(index, mlir::tpp::kWeightAttr))
      continue; // a packed model contains its weights: the caller does not pass them
    mlir::Type type = mlir::tpp::getPassedArgumentType(function, index);
    if (llvm::Error error = add(signature.arguments, type, "argument"))
      return std::move(error);
    signature.isMemref.push_back(llvm::isa<mlir::BaseMemRefType>(type));
  }
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    if (llvm::Error error = add(signature.results, mlir::tpp::getPassedResultType(function, index), "result"))
      return std::move(error);
  return signature;
}

std::string Signature::text() const {
  auto list = [](llvm::ArrayRef<TensorSpec> specs) {
    std::string text = "(";
    for (const TensorSpec &spec : specs) {
      std::string type = spec.typeText(); // tensor<...>
      text += (text.size() > 1 ? ", " : "") + type.substr(7, type.size() - 8);
    }
    return text + ")";
  };
  return list(arguments) + " -> " + list(results);
}

} // namespace tpp::run
