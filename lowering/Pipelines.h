// The pipelines that users name (tpp-default, tpp-loops) and the sub-pipelines they consist of. Each stage is a folder of lowering/
// (docs/architecture.md):
//
//   setup      selects the entry function; sets the target and the packing strategy
//   normalize  linalg/TOSA on tensors -> tpp.contract for contractions, linalg for the rest
//   layout     chooses the layout of every value and packs operands of contractions
//   prepack    operations on constants -> @NAME_prepack; its results become arguments `tpp.weight = N` of @NAME
//   fuse       post-ops into tpp.contract, elementwise chains into one linalg.generic (on tensors)
//   bufferize  tensors -> memrefs, results -> out arguments, intermediates -> one workspace argument `tpp.workspace`
//   tile       tpp.contract -> scf.forall over tpp.brgemm tiles
//   rows       other linalg -> scf.forall over vector code
//   bind       tpp ops -> tpp.dispatch + tpp.invoke
//   emit       loops -> teams of threads, LLVM dialect, C entry points
//
// A parallel loop is an scf.forall without results on buffers. Its attribute `tpp.work_ns` (i64, optional) estimates the
// single-thread time of the whole loop in nanoseconds; emit keeps loops with too little work sequential.
#ifndef TPP_LOWERING_PIPELINES_H
#define TPP_LOWERING_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::tpp {

struct DefaultOptions : public PassPipelineOptions<DefaultOptions> {
  Option<std::string> entry{*this, "entry", llvm::cl::desc("function to compile; the others are inlined or dropped"),
                            llvm::cl::init("")};
  Option<int64_t> threads{*this, "threads", llvm::cl::desc("number of threads that execute parallel loops"), llvm::cl::init(1)};
  Option<std::string> provider{*this, "provider", llvm::cl::desc("auto, xsmm, native or reference"), llvm::cl::init("auto")};
  Option<std::string> precision{*this, "precision",
                                llvm::cl::desc("precision of contractions of f32 values: program (f32), bf16 with sums in f32, "
                                               "or int8 with sums in i32 for contractions with one constant operand"),
                                llvm::cl::init("program")};
  Option<std::string> winograd{
      *this, "winograd",
      llvm::cl::desc("Winograd's algorithm for 3 x 3 convolutions: auto (where it is estimated to be faster), always or off"),
      llvm::cl::init("auto")};
  Option<std::string> denormals{*this, "denormals",
                                llvm::cl::desc("denormal numbers in calls: keep, or zero (compute with zeros instead)"),
                                llvm::cl::init("keep")};
  ListOption<double> ranges{*this, "ranges", llvm::cl::desc("int8: smallest and largest element of each quantized value")};
  Option<bool> recordRanges{*this, "record-ranges",
                            llvm::cl::desc("return the ranges of the values that int8 quantizes as additional results"),
                            llvm::cl::init(false)};
  Option<std::string> packing{
      *this, "packing",
      llvm::cl::desc("packing strategy of the module: default (the module's tpp.packing, else the cost model), none, an "
                     "attribute, or a .json file of tuning records"),
      llvm::cl::init("default")};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("machine to compile for: host (the module's tpp.target, else this machine), a name, "
                                            "an attribute, or a file that contains one"),
                             llvm::cl::init("host")};
  Option<bool> hostCode{*this, "host-code",
                        llvm::cl::desc("emit: the code is compiled for this machine, though its tiles are chosen for the target"),
                        llvm::cl::init(false)};
};

// All stages except emit: from a model to tpp.dispatch, tpp.invoke and loops over vector code, on buffers. The result contains @NAME and
// @NAME_prepack, both lowered.
void buildDefaultPipeline(OpPassManager &pm, const DefaultOptions &options);

// The executable specification: lowers the same program to plain loops, without layouts, microkernels and vectors.
void buildLoopsPipeline(OpPassManager &pm, const DefaultOptions &options);

// The two halves of each pipeline. The tensor half ends with @NAME and @NAME_prepack, both on tensors. The buffer half starts at
// bufferize and accepts any module of functions on tensors. The compiler driver (compile/ModelBuilder.cpp) runs the tensor half,
// splits off the computation of the weights (takePrepack), and runs the buffer half on @NAME's module and on the split-off functions.
void buildDefaultTensorPipeline(OpPassManager &pm, const DefaultOptions &options);
void buildDefaultBufferPipeline(OpPassManager &pm, const DefaultOptions &options);
void buildLoopsTensorPipeline(OpPassManager &pm, const DefaultOptions &options);
void buildLoopsBufferPipeline(OpPassManager &pm, const DefaultOptions &options);

// The tensor half without the packing of operands (tpp-assign-layouts): from a model to the contractions that a tuner (tpp-tune) collects.
// Values have their final layouts, post-ops are fused. Operations that depend on constants only are in @NAME_prepack.
void buildContractionPipeline(OpPassManager &pm, const DefaultOptions &options);

// From the buffer half's result to the LLVM dialect with the C entry points.
void buildEmitPipeline(OpPassManager &pm, const DefaultOptions &options);

// Registers the tpp dialect and the bufferization and layout models of other dialects' ops. Call it before creating a context, and before
// upstream's functions: if several models of an interface are registered for one op, the first is used (bufferize/StaticSubsets.h).
void registerTpp(DialectRegistry &registry);
void registerTppPasses();
void registerTppPipelines();

} // namespace mlir::tpp

#endif
