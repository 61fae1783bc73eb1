//===- FillWeights.cpp - computes the weights that depend on constants only ---------------------------------------------------===//
//
// Runs the functions that tpp-split-prepack created from @NAME_prepack, one weight at a time. So memory holds only the segment, the constants
// as the parser stored them, and the workspace of one weight.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSize.h"
#include "lowering/compile/ModelBuilder.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir;

/// Writes one weight to `target`: runs its function, or copies its constant if it has none.
static llvm::Error fillWeight(const tpp::PrepackPlan::Weight &weight, tpp::LoadedCode *code, const void *handle, char *workspace,
                              char *target, int64_t bytes) {
  SmallVector<std::vector<char>> storage(weight.sources.size());
  SmallVector<void *> pointers;
  for (auto [source, copy] : llvm::zip_equal(weight.sources, storage)) {
    llvm::Expected<ArrayRef<char>> data = tpp::readConstant(source.constant, copy);
    if (!data)
      return data.takeError();
    pointers.push_back(const_cast<char *>(data->data())); // the code only reads it (tpp-protect-arguments)
    if (weight.function.empty() && int64_t(data->size()) != bytes)
      return tpp::makeError("a weight has " + llvm::Twine(bytes) + " bytes, but its constant has " + llvm::Twine(data->size()));
  }
  if (weight.function.empty()) {
    std::memcpy(target, pointers.front(), bytes);
    return llvm::Error::success();
  }
  auto run = code->lookup<tpp::RunArray>(weight.function + "_run_array");
  if (!run)
    return run.takeError();
  pointers.push_back(target);
  if (llvm::Error error = tpp::checkStatus((*run)(handle, workspace, pointers.data()), "the weights cannot be computed"))
    return error;
  return llvm::Error::success();
}

namespace {
/// Frees each resource constant after the last weight that needs it. Replacing a blob runs its owner's deleter.
class ConstantReleaser {
public:
  explicit ConstantReleaser(ArrayRef<tpp::PrepackPlan::Weight> weights) {
    for (auto [number, weight] : llvm::enumerate(weights))
      for (const tpp::PrepackPlan::Source &source : weight.sources)
        if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(source.constant))
          lastUse[resource.getRawHandle().getResource()] = number;
  }

  void release(size_t number, const tpp::PrepackPlan::Weight &weight) {
    for (const tpp::PrepackPlan::Source &source : weight.sources)
      if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(source.constant))
        if (auto *entry = resource.getRawHandle().getResource(); entry->getBlob() && lastUse.lookup(entry) == number) {
          releasedBytes += entry->getBlob()->getData().size();
          entry->setBlob(AsmResourceBlob());
        }
    trim();
  }

private:
  /// Returns free pages of the heap to the system. Constants that were parsed from text are in the heap, which otherwise keeps its free
  /// pages.
  void trim() {
#ifdef __GLIBC__
    constexpr size_t kWorthTrimming = size_t(8) << 20;
    if (releasedBytes < kWorthTrimming)
      return;
    malloc_trim(0);
    releasedBytes = 0;
#endif
  }

  size_t releasedBytes = 0; // since the last trim
  llvm::DenseMap<DialectResourceBlobManager::BlobEntry *, size_t> lastUse;
};
} // namespace

llvm::Expected<tpp::AlignedMemory> tpp::fillWeights(BuiltModel &model, HostCompiler &compiler, bool releaseConstants) {
  // Zero between the weights, too, so that equal models give equal files.
  llvm::Expected<AlignedMemory> segment = allocateZeroed(model.weights.bytes, "the weights");
  if (!segment)
    return segment.takeError();
  std::unique_ptr<LoadedCode> code;
  ModelHandle handle;
  AlignedMemory workspace;
  if (!model.prepack.module->getBody()->empty()) {
    std::string name = tpp::getPrepackName(model.entry);
    llvm::Expected<LLVMModule> translated = compiler.translate(*model.prepack.module, name, Optimize::ForOneRun);
    if (!translated)
      return translated.takeError();
    auto object = compiler.compile(*translated->module);
    if (!object)
      return object.takeError();
    auto loaded = LoadedCode::load(*object);
    if (!loaded)
      return loaded.takeError();
    code = std::move(*loaded);
    auto created = ModelHandle::create(*code, name, nullptr, 0);
    if (!created)
      return created.takeError();
    handle = std::move(*created);
    auto memory = allocateAligned(model.fillWorkspaceBytes, "the workspace of prepack");
    if (!memory)
      return memory.takeError();
    workspace = std::move(*memory);
  }
  ConstantReleaser releaser(model.prepack.weights);
  for (size_t i = 0; i < model.weights.sizes.size(); ++i) {
    char *target = segment->get() + model.weights.offsets[i];
    int64_t bytes = model.weights.sizes[i];
    if (!model.prepack.weights[i].dependsOnArguments())
      if (llvm::Error error = fillWeight(model.prepack.weights[i], code.get(), handle.get(), workspace.get(), target, bytes))
        return std::move(error);
    if (releaseConstants)
      releaser.release(i, model.prepack.weights[i]);
  }
  return segment;
}
