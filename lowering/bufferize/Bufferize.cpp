//===- Bufferize.cpp - the sub-pipeline from tensors to planned buffers ------------------------------------------------------===//
//
// Runs upstream's one-shot bufferization between passes of this project. The passes before it protect arguments, place concatenations and
// create globals for constants. The passes after it turn results into arguments and place intermediates in the workspace.
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
  // A loop may write the tensor that it carries to a fresh buffer in each iteration. tpp-plan-workspace places such buffers, or emits an error
  // if it cannot.
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
