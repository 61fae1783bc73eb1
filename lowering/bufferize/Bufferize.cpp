//===- Bufferize.cpp - the sub-pipeline from tensors to planned buffers ------------------------------------------------------===//
//
// Upstream's one-shot bufferization between passes of our own: before it arguments are protected and constants get their globals, after
// it results become arguments and intermediates get their place in the workspace.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/Pipelines.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tpp::buildBufferizePipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createProtectArguments());
  pm.addNestedPass<func::FuncOp>(createPlaceJoins());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(createCreateGlobals());

  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  // Loops that carry tensors written to a fresh buffer each time are legal input; tpp-plan-workspace says so where it cannot
  // place one.
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));

  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createMoveResults());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createPlanWorkspace());
  pm.addNestedPass<func::FuncOp>(createCountMoves());
  pm.addPass(createCanonicalizerPass());
}
