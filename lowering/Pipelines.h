// The lowering as sub-pipelines, one per stage (docs/architecture.md), and the two pipelines users name.
//
//   normalize  linalg/TOSA on tensors (or memrefs)  -> tpp.contract for contractions, linalg for the rest
//   layout     decides layouts; constants' arithmetic and packs go to @NAME_prepack; weights become arguments `tpp.weight = N`
//   fuse       post-ops into tpp.contract, elementwise chains into one linalg.generic   (folder tile/, on values)
//   bufferize  tensors -> memrefs, results -> out arguments, intermediates -> one workspace argument `tpp.workspace`
//   tile       tpp.contract -> scf.forall over tpp.brgemm tiles; other linalg -> scf.forall over vector code (folder tile/, on buffers)
//   bind       tpp ops -> tpp.dispatch + tpp.invoke
//   emit       loops -> OpenMP -> LLVM dialect, C entry points
//
// A parallel loop is an scf.forall without results on buffers. Its attribute `tpp.work_ns` (i64, optional) estimates the
// nanoseconds of one thread for the whole loop; emit keeps loops with too little work sequential.
#ifndef TPP_LOWERING_PIPELINES_H
#define TPP_LOWERING_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::tpp {

struct DefaultOptions : public PassPipelineOptions<DefaultOptions> {
  Option<std::string> entry{*this, "entry", llvm::cl::desc("function to compile; others are inlined or dropped"),
                            llvm::cl::init("")};
  Option<int64_t> threads{*this, "threads", llvm::cl::desc("threads that share parallel loops"), llvm::cl::init(1)};
  Option<std::string> provider{*this, "provider", llvm::cl::desc("auto, xsmm, native or reference"), llvm::cl::init("auto")};
  Option<std::string> packing{
      *this, "packing",
      llvm::cl::desc("strategy of the module: default (what the module says, else the cost model), none, an "
                     "attribute, or a .json file of records"),
      llvm::cl::init("default")};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("machine to compile for: host (what the module says, else this one), a name, an "
                                            "attribute, or a file that holds one"),
                             llvm::cl::init("host")};
};

// From a model to tpp.dispatch/tpp.invoke and loops over vector code on buffers: everything but emit. The module then holds @NAME
// (and @NAME_prepack lowered the same way where keepPrepack is set; else it has been left on tensors, for the compiler driver to
// split off with takePrepack, see emit/CompileModel.h).
void buildDefaultPipeline(OpPassManager &pm, const DefaultOptions &options);

// The executable specification: the same meaning, plain loops; no layout, no microkernels, no vectors.
void buildLoopsPipeline(OpPassManager &pm, const DefaultOptions &options);

// Stages 1-3 of each (on tensors): the module afterwards is @NAME and @NAME_prepack, both on tensors. Then the rest, which runs
// on any module of functions on tensors: the driver runs it on @NAME's module and on the split-up prepack module.
void buildDefaultTensorPipeline(OpPassManager &pm, const DefaultOptions &options);
void buildDefaultBufferPipeline(OpPassManager &pm, const DefaultOptions &options);
void buildLoopsTensorPipeline(OpPassManager &pm, const DefaultOptions &options);
void buildLoopsBufferPipeline(OpPassManager &pm, const DefaultOptions &options);

// From a model to its contractions as packing strategies are asked about them, in the layouts of their values, and with the post-ops that
// are fused into them later: what a tuner takes them from. Nothing is packed; what depends on constants only is in @NAME_prepack.
void buildContractionPipeline(OpPassManager &pm, const DefaultOptions &options);

// emit/: buffers to the LLVM dialect with the C entry points (written in emit/Emit.cpp).
void buildEmitPipeline(OpPassManager &pm, const DefaultOptions &options);
// bufferize/: see there.
void buildBufferizePipeline(OpPassManager &pm);

// The dialect, and how ops of other dialects are bufferized and laid out: what a tool calls before it makes a context.
void registerTpp(DialectRegistry &registry);
void registerTppPasses();
void registerTppPipelines();

} // namespace mlir::tpp

#endif
