// Extracts the contractions of a model. See Contractions.h.
//
// The model runs through the compiler's stages up to the point where packing strategies are applied. Each contraction is extracted there,
// with its operands in the layouts that they have in the model. It is then compiled alone, and these layouts are not changed.
#include "Contractions.h"
#include "lowering/Pipelines.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/machine/Target.h"
#include "lowering/prepack/PlaceWeights.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace tpp::tune {

using mlir::tpp::ConstantAnalysis;
using mlir::tpp::ContractionInfo;
using mlir::tpp::ContractOp;
using mlir::tpp::DimensionRole;

static std::string printed(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string typeText(const ContractionInfo &info) {
  std::string a = printed(info.a().elementType), b = printed(info.b().elementType), c = printed(info.c().elementType);
  return a == b && b == c ? a : a + " x " + b + " -> " + c;
}

std::string Contraction::title() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (int64_t batch = info.getExtent(DimensionRole::Batch); batch != 1)
    stream << batch << " times ";
  stream << info.getExtent(DimensionRole::Row) << " x " << info.getExtent(DimensionRole::Column) << " x "
         << info.getExtent(DimensionRole::Reduction) << ' ' << typeText(info) << ", B "
         << (info.b().isConstant ? "constant" : "variable");
  mlir::ArrayAttr steps = ContractOp(op).getPostOps();
  for (auto [i, step] : llvm::enumerate(steps))
    stream << (i ? "+" : ", ") << mlir::cast<mlir::tpp::PostOpAttr>(step).getKindName();
  stream << ", used " << (uses == 1 ? "once" : std::to_string(uses) + " times");
  if (forms > 1)
    stream << " in " << forms << " forms";
  return text;
}

// The properties that a record matches (TunedRecord::fits), as text. Contractions with the same key share one record.
static std::string recordKey(const ContractionInfo &info) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  for (DimensionRole role : {DimensionRole::Batch, DimensionRole::Row, DimensionRole::Column, DimensionRole::Reduction})
    stream << info.getExtent(role) << ' ';
  stream << typeText(info) << ' ' << info.target.getIsa().getValue() << ' ' << info.b().isConstant;
  return key;
}

// All properties that the generated code depends on, as text. Contractions with the same key compile to the same code.
static std::string formKey(ContractOp op, ConstantAnalysis &constants) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  for (mlir::Value operand : op->getOperands())
    stream << operand.getType() << (constants.dependsOnConstantsOnly(operand) ? " constant " : " ");
  stream << op.getProperties().indexing_maps << op.getProperties().extents << op.getBeta() << op.getPostOps() << op.getAUnsigned()
         << op.getBUnsigned() << op.getCUnsigned() << mlir::tpp::getTarget(op);
  return key;
}

// Whether a record can represent the contraction's element types.
static bool hasRecord(const ContractionInfo &info) {
  return mlir::tpp::getElementType(info.a().elementType) && mlir::tpp::getElementType(info.b().elementType) &&
         mlir::tpp::getElementType(info.c().elementType);
}

// Creates a module with one function that computes `op`: its arguments are the operands, except for an init that is only overwritten.
static Contraction extract(ContractOp op, ConstantAnalysis &constants) {
  mlir::MLIRContext *context = op.getContext();
  mlir::OpBuilder builder(context);
  mlir::Location loc = op.getLoc();
  Contraction contraction;
  contraction.module = mlir::ModuleOp::create(loc);
  contraction.module.get()->setAttr(mlir::tpp::kTargetAttr, mlir::tpp::getTarget(op));
  builder.setInsertionPointToStart(contraction.module->getBody());
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<bool> constant;
  bool accumulates = op.getBeta() != 0;
  auto isArgument = [&](mlir::OpOperand &operand) { return accumulates || &operand != &op.getInitMutable(); };
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (isArgument(operand)) {
      types.push_back(operand.get().getType());
      constant.push_back(constants.dependsOnConstantsOnly(operand.get()));
    }
  auto function = mlir::func::FuncOp::create(builder, loc, "contraction", builder.getFunctionType(types, op->getResultTypes()));
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  llvm::SmallVector<mlir::Value> operands;
  unsigned next = 0;
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    auto type = mlir::cast<mlir::RankedTensorType>(operand.get().getType());
    if (!isArgument(operand)) {
      operands.push_back(mlir::tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType()));
      continue;
    }
    if (constant[next])
      function.setArgAttr(next, mlir::tpp::kPrepackAttr, builder.getUnitAttr());
    operands.push_back(body->getArgument(next++));
  }
  contraction.op = mlir::cast<ContractOp>(builder.clone(*op));
  contraction.op->setOperands(operands);
  for (llvm::StringRef name : {mlir::tpp::kPackingAttr, mlir::tpp::kTargetAttr})
    contraction.op->removeDiscardableAttr(name);
  mlir::func::ReturnOp::create(builder, loc, contraction.op->getResults());
  return contraction;
}

// After prepacking is outlined, the weights are function arguments. Marks them for prepacking, so that they count as constants.
static void markWeights(mlir::func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, mlir::tpp::kWeightAttr))
      function.setArgAttr(i, mlir::tpp::kPrepackAttr, mlir::UnitAttr::get(function.getContext()));
}

static llvm::Error markPrepackArguments(mlir::func::FuncOp function, llvm::ArrayRef<int64_t> arguments) {
  for (int64_t argument : arguments) {
    if (argument >= int64_t(function.getNumArguments()))
      return run::makeError("--weights: @" + function.getName() + " has " + llvm::Twine(function.getNumArguments()) +
                            " arguments, there is no argument " + llvm::Twine(argument));
    function.setArgAttr(argument, mlir::tpp::kPrepackAttr, mlir::UnitAttr::get(function.getContext()));
  }
  return llvm::Error::success();
}

static llvm::Error lowerToContractions(mlir::ModuleOp module, const std::string &entry, const Options &options) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  mlir::tpp::DefaultOptions pipeline;
  pipeline.entry = entry;
  if (!options.target.empty())
    pipeline.target = options.target;
  mlir::tpp::buildContractionPipeline(passes, pipeline);
  if (mlir::failed(passes.run(module)))
    return run::makeError(options.model + ": the model cannot be lowered");
  return llvm::Error::success();
}

namespace {
struct Form {
  Contraction contraction;
  int64_t uses = 0;
};
using Forms = llvm::MapVector<std::string, Form, std::map<std::string, unsigned>>; // in program order
} // namespace

// Merges forms with the same record key into one contraction. Keeps the form that is used most, and counts uses and forms.
static std::vector<Contraction> mergeForms(Forms &forms) {
  Forms groups;
  for (auto &[text, form] : forms) {
    auto [group, isNew] = groups.insert({recordKey(form.contraction.info), Form()});
    int64_t uses = form.uses, earlier = isNew ? 0 : group->second.contraction.uses;
    int64_t count = isNew ? 1 : group->second.contraction.forms + 1;
    if (uses > group->second.uses)
      group->second = std::move(form);
    group->second.contraction.uses = earlier + uses;
    group->second.contraction.forms = count;
  }
  std::vector<Contraction> contractions;
  for (auto &[text, group] : groups)
    contractions.push_back(std::move(group.contraction));
  return contractions;
}

llvm::Expected<std::vector<Contraction>> findContractions(run::Model &model, const Options &options) {
  llvm::Expected<mlir::func::FuncOp> chosen = model.function(options.entry);
  if (!chosen)
    return chosen.takeError();
  std::string entry = chosen->getName().str();
  if ((*chosen)->hasAttr(mlir::tpp::kPackedAttr))
    return run::makeError(options.model + ": @" + entry + " is packed already: tune the original model");
  mlir::OwningOpRef<mlir::ModuleOp> copy = model.module().clone();
  if (llvm::Error error = markPrepackArguments(copy->lookupSymbol<mlir::func::FuncOp>(entry), options.weights))
    return std::move(error);
  if (llvm::Error error = lowerToContractions(*copy, entry, options))
    return std::move(error);
  auto function = copy->lookupSymbol<mlir::func::FuncOp>(entry);
  markWeights(function);
  Forms forms;
  ConstantAnalysis constants;
  function.walk([&](ContractOp op) {
    if (!op.getResult())
      return; // on memrefs in the input model: the layouts of its operands are fixed
    auto [form, isNew] = forms.insert({formKey(op, constants), Form()});
    ++form->second.uses;
    if (!isNew)
      return;
    Contraction contraction = extract(op, constants);
    std::optional<ContractionInfo> info = mlir::tpp::getContractionInfo(contraction.op, mlir::tpp::getTarget(op));
    if (info && info->columnDim && hasRecord(*info)) {
      contraction.info = *info;
      form->second.contraction = std::move(contraction);
    }
  });
  forms.remove_if([](auto &entry) { return !entry.second.contraction.module; });
  if (forms.empty())
    return run::makeError(options.model + ": @" + entry + " has no contraction that can be packed: there is nothing to tune");
  return mergeForms(forms);
}

} // namespace tpp::tune
