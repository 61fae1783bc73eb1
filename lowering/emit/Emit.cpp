//===- Emit.cpp - the sub-pipeline from buffers to the LLVM dialect ----------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/Pipelines.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tpp::buildEmitPipeline(OpPassManager &pm, const DefaultOptions &options) {
  pm.addPass(createPlaceWeights());
  pm.addNestedPass<func::FuncOp>(createExpandCopies());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createPlaceKernels());
  LowerParallelLoopsOptions loops;
  loops.threads = options.threads;
  pm.addNestedPass<func::FuncOp>(createLowerParallelLoops(loops));
  pm.addPass(createLowerAssertions());

  // What bfloats are computed with is f32, rounded after each operation; and so are functions of other small floats.
  arith::ArithEmulateUnsupportedFloatsOptions small;
  small.sourceTypeStrs = {"bf16"};
  small.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(small));
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addNestedPass<func::FuncOp>(createApproximateMath());
  // What has no approximation: LLVM's intrinsics where they exist (sqrt is an instruction), libm for the rest.
  pm.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());

  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass(VectorTransferToSCFOptions().enableFullUnroll()));
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createLowerToLLVM());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createStoreBFloats());
  EmitEntryPointsOptions entryPoints;
  entryPoints.entry = options.entry;
  pm.addPass(createEmitEntryPoints(entryPoints));
}
