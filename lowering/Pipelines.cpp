// The pipelines users name, put together from the stages (see Pipelines.h).
#include "lowering/Pipelines.h"
#include "lowering/Passes.h"
#include "lowering/layout/PackableOpInterface.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tpp {

// TOSA to linalg on tensors, calls inlined, linalg in few forms.
static void buildNormalizePipeline(OpPassManager &pm, const DefaultOptions &options) {
  SelectEntryOptions entryOptions;
  entryOptions.entry = options.entry;
  pm.addPass(createSelectEntry(entryOptions));
  if (options.target != "host") {
    SetTargetOptions targetOptions;
    targetOptions.target = options.target;
    pm.addPass(createSetTarget(targetOptions));
  }
  if (options.packing != "default") {
    SetPackingOptions packingOptions;
    packingOptions.packing = options.packing;
    pm.addPass(createSetPacking(packingOptions));
  }
  pm.addPass(createLocalizeStrategies());
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  TosaToLinalgOptions tosaOptions;
  TosaToLinalgNamedOptions namedOptions;
  tosa::addTosaToLinalgPasses(pm, tosaOptions, namedOptions, std::nullopt);
  // What has no linalg form: constants, rescales, slices, reshapes.
  TosaToArithPassOptions arithOptions;
  arithOptions.includeApplyRescale = true;
  pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  pm.addPass(createTosaToArithPass(arithOptions));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createNormalizeLinalg());
}

// libxsmm's kernels have neither post-ops nor transpositions: asked for alone, it computes contractions and vector code the rest.
static bool fusesPostOps(const DefaultOptions &options) { return options.provider != "xsmm"; }

// Contractions in the layouts of their values.
static void buildLayoutPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildNormalizePipeline(pm, options);
  NormalizeContractionsOptions contractionOptions;
  contractionOptions.postOps = fusesPostOps(options);
  pm.addNestedPass<func::FuncOp>(createNormalizeContractions(contractionOptions));
  pm.addPass(createCanonicalizerPass());

  if (options.packing != "none")
    pm.addNestedPass<func::FuncOp>(createPropagateLayouts());
  // The consumers that are a kind each; behind the fusion of the rest (a decomposed gelu is several generics) once more.
  if (fusesPostOps(options)) {
    pm.addNestedPass<func::FuncOp>(createFusePostOps());
    pm.addNestedPass<func::FuncOp>(createFoldScales());
  }
}

void buildContractionPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildLayoutPipeline(pm, options);
  pm.addPass(createOutlinePrepack());
  pm.addNestedPass<func::FuncOp>(createFuseElementwise());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (fusesPostOps(options))
    pm.addNestedPass<func::FuncOp>(createFusePostOps());
}

void buildDefaultTensorPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildLayoutPipeline(pm, options);
  pm.addNestedPass<func::FuncOp>(createAssignLayouts());
  pm.addPass(createOutlinePrepack());

  pm.addNestedPass<func::FuncOp>(createFuseElementwise());
  pm.addNestedPass<func::FuncOp>(createPushIntoJoins());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (fusesPostOps(options))
    pm.addNestedPass<func::FuncOp>(createFusePostOps());
  pm.addNestedPass<func::FuncOp>(createReadThroughRelays());
  pm.addNestedPass<func::FuncOp>(createSkipPaddedTaps());
  pm.addNestedPass<func::FuncOp>(createNormalizeLinalg());
  pm.addNestedPass<func::FuncOp>(createCountMoves());
}

void buildDefaultBufferPipeline(OpPassManager &pm, const DefaultOptions &options) {
  pm.addNestedPass<func::FuncOp>(createLowerRelayouts());
  pm.addPass(createCanonicalizerPass());
  buildBufferizePipeline(pm);
  TileContractionsOptions tileOptions;
  tileOptions.threads = options.threads;
  pm.addPass(createTileContractions(tileOptions));
  if (fusesPostOps(options))
    pm.addNestedPass<func::FuncOp>(createTileRelayouts());
  pm.addNestedPass<func::FuncOp>(createVectorizeLinalg());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createFuseRowLoops());
  pm.addNestedPass<func::FuncOp>(createStreamResults());
  BindKernelsOptions bindOptions;
  bindOptions.provider = options.provider;
  pm.addNestedPass<func::FuncOp>(createBindKernels(bindOptions));
}

void buildDefaultPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildDefaultTensorPipeline(pm, options);
  buildDefaultBufferPipeline(pm, options);
}

void buildLoopsTensorPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildNormalizePipeline(pm, options);
  pm.addPass(createOutlinePrepack());
  pm.addNestedPass<func::FuncOp>(createCountMoves());
}

void buildLoopsBufferPipeline(OpPassManager &pm, const DefaultOptions &options) {
  pm.addNestedPass<func::FuncOp>(createLowerRelayouts());
  pm.addPass(createCanonicalizerPass());
  buildBufferizePipeline(pm);
  pm.addPass(createTileContractions());
  pm.addNestedPass<func::FuncOp>(createLowerTppToLoops());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
}

void buildLoopsPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildLoopsTensorPipeline(pm, options);
  buildLoopsBufferPipeline(pm, options);
}

void registerTpp(DialectRegistry &registry) {
  registerTppDialect(registry);
  registerLayoutModels(registry);
}

void registerTppPasses() { registerTppLoweringPasses(); }

void registerTppPipelines() {
  PassPipelineRegistration<DefaultOptions>("tpp-default", "Compile to kernels, vectors and parallel loops: all stages but emit",
                                           buildDefaultPipeline);
  PassPipelineRegistration<DefaultOptions>("tpp-loops", "Compile to plain loops: the executable specification",
                                           buildLoopsPipeline);
  PassPipelineRegistration<DefaultOptions>("tpp-default-tensors", "The stages of tpp-default on tensors",
                                           buildDefaultTensorPipeline);
  PassPipelineRegistration<DefaultOptions>("tpp-default-buffers", "The stages of tpp-default from bufferize on",
                                           buildDefaultBufferPipeline);
  PassPipelineRegistration<DefaultOptions>("tpp-loops-tensors", "The stages of tpp-loops on tensors", buildLoopsTensorPipeline);
  PassPipelineRegistration<DefaultOptions>("tpp-emit", "From bound buffers to the LLVM dialect with C entry points",
                                           buildEmitPipeline);
}

} // namespace mlir::tpp
