//===- Passes.td - the passes of emit -----------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_EMIT_PASSES
#define TPP_LOWERING_EMIT_PASSES

include "mlir/Pass/PassBase.td"

def ExpandCopies : Pass<"tpp-expand-copies", "func::FuncOp"> {
  let summary = "Turn copies between buffers that are not contiguous into loops";
  let description = [{
    Upstream lowers such a memref.copy to a call of a C library that a compiled model does not have. Contiguous copies stay and become
    memcpy. Also turns linalg on buffers that earlier stages left into loops.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def PlaceKernels : Pass<"tpp-place-kernels", "ModuleOp"> {
  let summary = "Number the distinct kernels and move dispatches before the loops that use them";
  let description = [{
    Each distinct tpp.dispatch of the module gets a slot in the compiled model's handle table (attribute `tpp.slot`). A dispatch
    moves to the function's own block, before the operation that holds its invocations.
  }];
}

def LowerParallelLoops : Pass<"tpp-lower-parallel-loops", "func::FuncOp"> {
  let summary = "Lower scf.forall and scf.parallel to OpenMP, or to plain loops where there is too little work";
  let description = [{
    An outermost loop whose work (attribute `tpp.work_ns`, else an estimate over its body) is at least `min-work-ns` for each
    of `threads` threads becomes omp.parallel + omp.wsloop. All others become scf.for; at one thread nothing of OpenMP is left.
    Stack buffers of a body move to the thread's or the function's start.

    Loops that follow each other in a block with nothing between them that touches memory share one region:

    ```mlir
    scf.forall (%i) in (8) { ... } {tpp.work_ns = 90000}
    %view = memref.view %workspace[%offset][] : ...
    scf.forall (%i) in (8) { ... %view ... } {tpp.work_ns = 90000}
    ```
    becomes
    ```mlir
    omp.parallel num_threads(%threads : i32) {
      omp.wsloop { omp.loop_nest ... }          // with a barrier
      %view = memref.view %workspace[%offset][] : ...
      omp.wsloop nowait { omp.loop_nest ... }   // the region's end is one
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "1", "threads that share a parallel loop">,
    Option<"minWorkNs", "min-work-ns", "int64_t", "20000", "least nanoseconds of work a thread is woken for">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::omp::OpenMPDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerAssertions : Pass<"tpp-lower-assertions", "ModuleOp"> {
  let summary = "Let a failed assertion end a call with a status";
  let description = [{
    What follows a cf.assert in its block runs only where it holds. A failure is noted; after the outermost loop that failed the rest of the
    function is skipped. The function returns the number of an assertion that failed, counted from 1 in the module attribute
    `tpp.assertions`, or 0. A function without assertions stays as it is.

    ```mlir
    scf.for %i = ... {
      cf.assert %inRange, "index out of range"
      memref.store ...
    }
    // becomes
    scf.for %i = ... {
      scf.if %inRange {
        memref.store ...
      } else {
        memref.atomic_rmw maxu %c1, %failure[] : (i64, memref<i64>) -> i64
      }
    }
    %number = memref.load %failure[] : memref<i64>
    return %number : i64
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

def ApproximateMath : Pass<"tpp-approximate-math", "func::FuncOp"> {
  let summary = "Replace math functions by polynomials that vectorize";
  let description = [{
    exp, log, tanh, erf, sin, cos and others on f32 (f16 and bf16 through f32) become arithmetic; a call of libm for each element of a vector
    costs some 30 times as much. The first four keep within 3 ulp of the exact result everywhere, special values included (VectorMath.h); the
    others are upstream's approximations. What has none is left to libm. x (1 + erf(x / sqrt(2))) / 2 is computed as one function. Loops over
    functions are unrolled, and the steps of their iterations put in turns (InterleaveLoops.h). Divisions of vectors by one number become products where the target
    has fused multiply-add.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect",
                           "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect", "::mlir::tpp::TppDialect"];
}

def LowerToLLVM : Pass<"tpp-lower-to-llvm", "ModuleOp"> {
  let summary = "Lower functions on buffers, kernel invocations included, to the LLVM dialect";
  let description = [{
    Buffers of static shape become bare pointers in function signatures. Functions receive the compiled model as their first
    argument; a dispatch becomes a load of its slot, an invocation a call of a small internal function that fills the argument block and
    calls through the handle's first word.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StoreBFloats : Pass<"tpp-store-bfloats", "ModuleOp"> {
  let summary = "Make bf16 values of the LLVM dialect 16-bit integers";
  let description = [{
    Arithmetic on bf16 must have become arithmetic on f32 before; only conversions may be left. What the code generator gets to select is then
    a move of integers, which it has in every form.

    ```mlir
    %1 = llvm.fpext %0 : bf16 to f32
    // becomes
    %w = llvm.zext %0 : i16 to i32
    %s = llvm.shl %w, %c16 : i32
    %1 = llvm.bitcast %s : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitEntryPoints : Pass<"tpp-emit-entry-points", "ModuleOp"> {
  let summary = "Create the C entry points of a compiled model";
  let description = [{
    NAME_create, NAME_workspace_bytes, NAME_run and NAME_destroy (docs/compiled-model.md). The functions themselves become internal.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"", "the compiled function">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
