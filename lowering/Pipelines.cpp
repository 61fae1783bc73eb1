// The pipelines as tables: one line per pass. A comment gives the reason where a pass is repeated or its place matters.
#include "lowering/Pipelines.h"
#include "lowering/Passes.h"
#include "lowering/bufferize/StaticSubsets.h"
#include "lowering/layout/PackableOpInterface.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tpp {

#define GEN_PASS_REGISTRATION
#include "lowering/Passes.h.inc"

namespace {

// Adds passes on the module, and passes on each function.
struct Stages {
  OpPassManager &pm;

  void module(std::unique_ptr<Pass> pass) { pm.addPass(std::move(pass)); }
  void function(std::unique_ptr<Pass> pass) { pm.addNestedPass<func::FuncOp>(std::move(pass)); }
  void canonicalize() {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled); // control flow is structured: there are no blocks to merge
    module(createCanonicalizerPass(config));
  }
  void simplify() {
    canonicalize();
    module(createCSEPass());
  }
};

} // namespace

// libxsmm's kernels have neither post-ops nor transpositions. If it is the only provider, vector code does that work.
static bool fusesPostOps(const DefaultOptions &options) { return options.provider != "xsmm"; }

//===- on tensors ------------------------------------------------------------------------------------------------------------===//

static void setup(Stages stages, const DefaultOptions &options) {
  stages.module(createSelectEntry(SelectEntryOptions{options.entry}));
  stages.function(
      createLiftControlFlowToSCFPass()); // blocks and branches become loops and conditions, which the inliner can place in others
  if (options.target != "host")
    stages.module(createSetTarget(SetTargetOptions{options.target}));
  if (options.packing != "default")
    stages.module(createSetPacking(SetPackingOptions{options.packing}));
  stages.module(createLocalizeStrategies()); // before inlining, which loses the attributes of called functions
  stages.module(createKeepSlices());         // before the first canonicalizer, which is in the inliner
  stages.module(createInlinerPass());
  stages.module(createSymbolDCEPass()); // the inlined functions
  stages.module(createBoxScalars());    // after inlining: then nothing calls the functions whose types change
}

// TOSA to linalg on tensors; linalg in few forms. The reference computes on packed values where the program does.
enum class Packs { Absorbed, Kept };
static void normalize(Stages stages, const DefaultOptions &options, Packs packs = Packs::Absorbed) {
  stages.function(createTosaToSCFPass()); // control flow and scatter; first, as the next passes refuse what they have no form for
  tosa::addTosaToLinalgPasses(stages.pm, TosaToLinalgOptions(), TosaToLinalgNamedOptions(), std::nullopt);
  // TOSA ops without a linalg form: slices and reshapes, then constants and rescales.
  stages.function(createTosaToTensorPass());
  stages.module(createKeepSlices()); // again: of pads in TOSA
  TosaToArithPassOptions arithOptions;
  arithOptions.includeApplyRescale = true;
  stages.module(createTosaToArithPass(arithOptions));
  stages.function(createConvertElementwiseToLinalgPass()); // arith and math ops on tensors
  stages.simplify();
  if (packs == Packs::Absorbed)
    stages.function(createAbsorbPacks());    // first: what follows looks for computations on unpacked values
  stages.function(createFoldConstants());    // indices, for the checks
  stages.function(createInsertAssertions()); // before slices are read in place, when their own ops are gone
  stages.function(createFoldQuantization()); // before pads are decomposed and splats become fills
  if (options.precision == "int8" || options.recordRanges) {
    QuantizeContractionsOptions quantizeOptions;
    quantizeOptions.ranges.assign(options.ranges.begin(), options.ranges.end());
    quantizeOptions.record = options.recordRanges;
    stages.function(createQuantizeContractions(quantizeOptions)); // after contractions of quantized values have been folded
    stages.function(createFoldQuantization());                    // again: of what has just been quantized
  }
  stages.function(createNormalizeLinalg());
  stages.function(createWidenAccumulators()); // after softmax is decomposed, which sums
}

// Everything before operands are packed: each contraction is a tpp.contract whose operands have the layouts of their values.
static void propagateLayouts(Stages stages, const DefaultOptions &options) {
  NormalizeContractionsOptions contractionOptions;
  contractionOptions.postOps = fusesPostOps(options);
  stages.function(createFindMasked()); // before contractions take what follows them
  stages.function(createNormalizeContractions(contractionOptions));
  stages.canonicalize();                           // drops the relayouts that became part of the contractions' maps
  stages.function(createGeneralizeContractions()); // before layouts are chosen: they are chosen for what is left
  stages.function(createRaiseGathers());
  LowerPrecisionOptions precisionOptions;
  precisionOptions.type = options.precision;
  precisionOptions.silent = true;
  const bool lowers = options.precision != "program" && options.precision != "int8";
  if (lowers) // before layouts are chosen, whose costs depend on the precision
    stages.function(createLowerPrecision(precisionOptions));
  if (options.packing != "none") {
    stages.function(createSplitRemainders()); // before layouts are chosen: tiles must divide the dimensions that they cut
    stages.function(createPropagateLayouts(PropagateLayoutsOptions{options.winograd != "off" && fusesPostOps(options)}));
  }
  RaiseGathersOptions gatherOptions;
  gatherOptions.joins = true;
  stages.function(
      createRaiseGathers(gatherOptions)); // again: joins, of which it matters whether the innermost dimension is joined
  stages.function(createLowerGathers());
  if (fusesPostOps(options)) {
    contractionOptions.depthwise = true;
    stages.function(createNormalizeContractions(contractionOptions)); // again: those that have become channels-last
  }
  precisionOptions.silent = false;
  if (lowers) // again: depthwise convolutions, and contractions whose layouts kernels now read
    stages.function(createLowerPrecision(precisionOptions));
  if (fusesPostOps(options)) {
    stages.function(createFusePostOps()); // before tpp-assign-layouts: packing depends on what follows a contraction
    stages.function(createFoldScales());  // scales that follow as post-ops, or precede, are multiplied into the weights
  }
}

// Fusion on tensors. It follows the layouts, so that relayouts, too, are fused.
static void fuse(Stages stages, const DefaultOptions &options) {
  stages.module(createOutlinePrepack()); // first: constants must not be fused with values of a call
  stages.function(createFuseElementwise());
  stages.function(createPushIntoJoins()); // after fusion: it applies to the one op that is left as a reader
  stages.simplify();
  if (fusesPostOps(options))
    stages.function(createFusePostOps()); // again: decomposed activations are one op only after fusion
  stages.function(createReadThroughRelays());
  stages.function(createReadPadding());
  stages.function(createSkipPaddedTaps()); // of the pads that are left
  stages.function(createCombineScales());  // before integers are narrowed: it removes most of them
  // Importers dequantize 8-bit integers in 64 bits, of which a vector holds few.
  arith::ArithIntRangeNarrowingOptions narrowing;
  narrowing.bitwidthsSupported = {32};
  stages.function(arith::createArithIntRangeNarrowing(narrowing));
  stages.function(createNormalizeLinalg()); // again: the passes since create fills, pads and generics with unused operands
  stages.function(createCountMoves());      // before bufferize, where copies of the program and of the lowering look alike
}

void buildContractionPipeline(OpPassManager &pm, const DefaultOptions &options) {
  Stages stages{pm};
  setup(stages, options);
  normalize(stages, options);
  propagateLayouts(stages, options);
  fuse(stages, options);
}

void buildDefaultTensorPipeline(OpPassManager &pm, const DefaultOptions &options) {
  Stages stages{pm};
  setup(stages, options);
  normalize(stages, options);
  propagateLayouts(stages, options);
  if (fusesPostOps(options)) // after scales are folded into the filters
    stages.function(createUseWinograd(UseWinogradOptions{options.winograd, options.threads}));
  stages.function(createUseGroupedConvs());
  stages.function(createAssignLayouts());
  GeneralizeContractionsOptions generalizeOptions;
  generalizeOptions.laidOut = true;
  stages.function(
      createGeneralizeContractions(generalizeOptions)); // again: those whose operands could not be packed as their kernels need
  fuse(stages, options);
}

void buildLoopsTensorPipeline(OpPassManager &pm, const DefaultOptions &options) {
  Stages stages{pm};
  setup(stages, options);
  normalize(stages, {}, Packs::Kept); // in the precision of the program
  stages.module(createOutlinePrepack());
  stages.function(createCountMoves());
}

//===- on buffers ------------------------------------------------------------------------------------------------------------===//

enum class Bands { Fused, None };
static void bufferize(Stages stages, int64_t threads, Bands bands) {
  stages.function(createLowerRelayouts()); // packs become reshapes and transposes, which can be bufferized
  stages.canonicalize();
  stages.module(createCheckOps()); // what is left is lowered by bufferization, or by nothing
  stages.function(createProtectArguments());
  stages.function(createPlaceJoins());
  stages.module(bufferization::createEmptyTensorEliminationPass()); // computes parts of a concatenation in place
  stages.module(createCreateGlobals());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  // A loop may write a carried tensor to a new buffer in each iteration. tpp-plan-workspace reports buffers that it cannot place.
  options.allowReturnAllocsFromLoops = true;
  stages.module(bufferization::createOneShotBufferizePass(options));
  stages.simplify(); // forwards casts, so that tpp-move-results finds the buffers of the results
  stages.module(createMoveResults());
  stages.simplify(); // removes the copies and allocations that are left without users
  stages.function(createPlaceCopied());
  if (bands == Bands::Fused) { // before tpp-plan-workspace: they make buffers smaller
    stages.module(createSplitRows(SplitRowsOptions{threads}));
    stages.module(createSplitBatch(SplitBatchOptions{threads}));
    stages.module(createFuseBands(FuseBandsOptions{threads})); // of the images that are computed together
  }
  TileWinogradOptions winogradOptions;
  winogradOptions.threads = threads;
  stages.module(createTileWinograd(winogradOptions)); // before tpp-plan-workspace: it allocates scratch buffers
  stages.module(createPlanWorkspace());
  stages.function(createCountMoves()); // again: bufferization has added copies
  stages.canonicalize();
}

void buildDefaultBufferPipeline(OpPassManager &pm, const DefaultOptions &options) {
  Stages stages{pm};
  stages.function(createSplitReductions(SplitReductionsOptions{options.threads})); // before bufferize, which places the parts
  bufferize(stages, options.threads, Bands::Fused);
  TileContractionsOptions tileOptions;
  tileOptions.threads = options.threads;
  stages.module(createTileGroupedConvs(TileGroupedConvsOptions{options.threads}));
  stages.module(createTileContractions(tileOptions));
  if (fusesPostOps(options))
    stages.function(createTileRelayouts(TileRelayoutsOptions{options.threads}));
  stages.function(createVectorizeLinalg()); // last of those that lower linalg: it takes every op that is left
  stages.simplify();
  stages.function(createFuseRowLoops());
  stages.function(createStreamResults()); // after the fusion of loops: what they write together decides
  stages.function(createBindKernels(BindKernelsOptions{options.provider}));
}

void buildLoopsBufferPipeline(OpPassManager &pm, const DefaultOptions &options) {
  Stages stages{pm};
  bufferize(stages, options.threads, Bands::None);
  stages.function(createLowerTppToLoops());
  stages.function(createConvertLinalgToLoopsPass());
}

void buildEmitPipeline(OpPassManager &pm, const DefaultOptions &options) {
  Stages stages{pm};
  stages.module(createPlaceWeights());
  stages.function(createExpandCopies());
  stages.simplify();
  stages.module(createPlaceKernels()); // after CSE: equal dispatches are one
  LowerParallelLoopsOptions loopOptions;
  loopOptions.threads = options.threads;
  stages.function(createLowerParallelLoops(loopOptions));
  stages.module(createLowerAssertions()); // after parallel loops: they collect the failures of their threads
  stages.function(createExpandArithmetic());
  ConvertMathToFuncsOptions powers; // integer powers of integers; those of floats follow
  powers.minWidthOfFPowIExponent = 128;
  stages.module(createConvertMathToFuncs(powers));
  // Small floats are computed in f32 and rounded after each operation; their math functions, too.
  arith::ArithEmulateUnsupportedFloatsOptions small;
  small.sourceTypeStrs = {"bf16"};
  small.targetTypeStr = "f32";
  stages.module(arith::createArithEmulateUnsupportedFloats(small));
  stages.module(math::createMathExtendToSupportedTypes());
  stages.function(createApproximateMath());
  stages.module(createLowerMath()); // what has no approximation
  // Vectors, memrefs and loops to the LLVM dialect.
  stages.function(createConvertVectorToSCFPass(VectorTransferToSCFOptions().enableFullUnroll()));
  stages.module(memref::createExpandStridedMetadataPass());
  stages.module(createLowerAffinePass()); // the index arithmetic that the pass before creates
  stages.module(createLowerLoops());
  stages.module(createLowerVectors());
  stages.module(createLowerToLLVM());
  stages.module(createReconcileUnrealizedCastsPass());
  stages.module(createFoldDescriptors()); // after the casts between memrefs and descriptors are gone
  stages.module(createStoreBFloats());
  stages.module(createOutlineTeams());
  if (options.denormals == "zero")
    stages.module(createFlushDenormals()); // after teams are outlined: each of their threads has a control register
  stages.module(createEmitEntryPoints(EmitEntryPointsOptions{options.entry, options.hostCode}));
}

//===- the pipelines by name -------------------------------------------------------------------------------------------------===//

void buildDefaultPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildDefaultTensorPipeline(pm, options);
  buildDefaultBufferPipeline(pm, options);
}

void buildLoopsPipeline(OpPassManager &pm, const DefaultOptions &options) {
  buildLoopsTensorPipeline(pm, options);
  buildLoopsBufferPipeline(pm, options);
}

void registerTpp(DialectRegistry &registry) {
  registerTppDialect(registry);
  registerLayoutModels(registry);
  registerStaticSubsetModels(registry);
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
