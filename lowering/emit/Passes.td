//===- Passes.td - the passes from buffers to the LLVM dialect and C entry points ---------------------------------------------===//
//
// One record per pass, in the order of the pipeline. The pass tpp-verb-object is defined in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_EMIT_PASSES
#define TPP_LOWERING_EMIT_PASSES

include "mlir/Pass/PassBase.td"

def ExpandCopies : Pass<"tpp-expand-copies", "func::FuncOp"> {
  let summary = "Turn copies between buffers that are not contiguous into loops";
  let description = [{
    Upstream lowers such a memref.copy to a call of a C library that a compiled model is not linked with. Contiguous copies are left
    alone; they become memcpy later. The pass also lowers linalg ops on buffers that earlier stages left to loops.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def PlaceKernels : Pass<"tpp-place-kernels", "ModuleOp"> {
  let summary = "Number the distinct kernels and move dispatches before the loops that use them";
  let description = [{
    Each distinct tpp.dispatch of the module gets a slot in the compiled model's handle table (attribute `tpp.slot`). A dispatch is
    moved to the function's top-level block, before the operation that contains its invocations.
  }];
}

def LowerParallelLoops : Pass<"tpp-lower-parallel-loops", "func::FuncOp"> {
  let summary = "Lower scf.forall and scf.parallel to teams of threads, or to plain loops if they have too little work";
  let description = [{
    Outermost loops become a tpp.team, in which each thread executes consecutive iterations, if their work is at least `min-work-ns` for each of
    `threads` threads. By default, sharing the loops must save several times what the team and its barriers cost on the target, and the loops of the
    function must be worth waking threads. The work is the attribute `tpp.work_ns`, else an estimate from the loop's body. All other loops become
    scf.for, and first those that reduce values, in the order of the program. With one thread, no team is created. Stack buffers of a loop body are moved to the start of the team's region or of the function.

    Consecutive loops of a block share one team if no operation between them accesses memory:

    ```mlir
    scf.forall (%i) in (8) { ... } {tpp.work_ns = 90000}
    %view = memref.view %workspace[%offset][] : ...
    scf.forall (%i) in (8) { ... %view ... } {tpp.work_ns = 90000}
    ```
    becomes
    ```mlir
    tpp.team threads(2) {
    ^bb0(%thread: index, %threads: index):
      scf.for ...  // this thread's part of the first loop
      tpp.team_barrier
      %view = memref.view %workspace[%offset][] : ...
      scf.for ...  // of the second
      tpp.team_end // waits for the others
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "1", "threads that share a parallel loop">,
    Option<"minWorkNs", "min-work-ns", "int64_t", "0", "minimum work per thread, in nanoseconds, of a parallel loop; 0: by the target">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::tpp::TppDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerAssertions : Pass<"tpp-lower-assertions", "ModuleOp"> {
  let summary = "Make a call return a status when an assertion fails";
  let description = [{
    The operations after a cf.assert in its block are executed only if the assertion holds. A failure is recorded. After the outermost loop
    in which an assertion failed, the rest of the function is skipped. The function returns the number of a failed assertion, or 0. The
    numbers start at 1 and follow the module attribute `tpp.assertions`. A function without assertions is not changed.

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

def ExpandArithmetic : Pass<"tpp-expand-arithmetic", "func::FuncOp"> {
  let summary = "Expand operations of arith and math that the LLVM dialect lacks";
  let description = [{
    Divisions that round up or down, clampf, isinf and isnormal become simpler operations; fma of bf16 is computed in f32.

    ```mlir
    %0 = math.isinf %x : vector<8xf32>
    // becomes
    %1 = math.absf %x : vector<8xf32>
    %0 = arith.cmpf oeq, %1, %infinity : vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ApproximateMath : Pass<"tpp-approximate-math", "func::FuncOp"> {
  let summary = "Replace math functions on vectors by polynomials";
  let description = [{
    exp, log, tanh, erf, sin, cos, atan, cbrt and other functions on vectors of f32 (f16 and bf16 through f32) become arithmetic. Calling libm for each
    element of a vector would be about 30 times slower. exp, log, tanh and erf have an error of at most 3 ulp for all inputs and handle
    special values (VectorMath.h); sin and cos have an error of at most 1e-7 for arguments up to 10^6. The other functions are upstream's
    approximations; functions without one are left to libm.
    x (1 + erf(x / sqrt(2))) / 2 is computed as one function. Loops over such functions are unrolled and their iterations interleaved
    (InterleaveLoops.h). Divisions of vectors by a scalar become multiplications if the target has fused multiply-add.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect",
                           "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect", "::mlir::tpp::TppDialect"];
}

def LowerMath : Pass<"tpp-lower-math", "ModuleOp"> {
  let summary = "Lower math functions to LLVM's intrinsics and to calls of libm";
  let description = [{
    What upstream's convert-math-to-llvm lowers to an intrinsic (sqrt is an instruction) becomes one, all other functions become calls of libm, as
    from convert-math-to-libm. expm1 and log1p are calls: upstream's exp(x) - 1 and log(1 + x) are inaccurate for small x.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
}

def LowerLoops : Pass<"tpp-lower-loops", "ModuleOp"> {
  let summary = "Lower loops and branches of scf to blocks";
  let description = [{
    As upstream's convert-scf-to-cf, except that a loop tests at its end whether there is another iteration, and once before the first if the bounds
    are not constant. LLVM then does not have to rotate loops, which takes a time quadratic in their number.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
}

def LowerVectors : Pass<"tpp-lower-vectors", "ModuleOp"> {
  let summary = "Lower operations on vectors to those that LLVM has";
  let description = [{
    What upstream's convert-vector-to-llvm does before it converts types: transfers become loads and stores, operations on vectors of several dimensions
    become operations on vectors of one, masks become comparisons. tpp-lower-to-llvm converts the rest.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def LowerToLLVM : Pass<"tpp-lower-to-llvm", "ModuleOp"> {
  let summary = "Lower functions on buffers, kernel invocations included, to the LLVM dialect";
  let description = [{
    Buffers of static shape become bare pointers in function signatures. The compiled model is passed to functions as their first
    argument. A dispatch becomes a load of its slot. An invocation becomes a call of a small internal function, which fills the argument
    block and calls the function whose address is the first word of the handle.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FoldDescriptors : Pass<"tpp-fold-descriptors", "ModuleOp"> {
  let summary = "Replace fields of memref descriptors by the values that were inserted";
  let description = [{
    Folds each llvm.extractvalue of a chain of llvm.insertvalue, and erases operations of the LLVM dialect that are left without users.

    ```mlir
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
    %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64)>
    %2 = llvm.insertvalue %p, %1[1] : !llvm.struct<(ptr, ptr, i64)>
    %3 = llvm.insertvalue %c0, %2[2] : !llvm.struct<(ptr, ptr, i64)>
    %4 = llvm.extractvalue %3[1] : !llvm.struct<(ptr, ptr, i64)>
    %5 = llvm.load %4 : !llvm.ptr -> f32
    // becomes
    %5 = llvm.load %p : !llvm.ptr -> f32
    ```
  }];
}

def OutlineTeams : Pass<"tpp-outline-teams", "ModuleOp"> {
  let summary = "Turn the regions of teams into functions that the runtime's threads call";
  let description = [{
    The region becomes a function `NAME_teamN`; the values that it uses are passed in a structure on the stack. A barrier becomes a call of
    tpp_team_barrier.

    ```mlir
    tpp.team threads(2) { ... }
    // becomes
    llvm.call @tpp_run_team(%threads, %function, %frame) : (i32, !llvm.ptr, !llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlushDenormals : Pass<"tpp-flush-denormals", "ModuleOp"> {
  let summary = "Compute with zeros instead of denormal numbers";
  let description = [{
    Operands and results of floating-point instructions that are denormal (for f32, smaller than 2^-126) become zero while a call runs, in each of its
    threads. Instructions that read or give denormal numbers can take 150 cycles.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StoreBFloats : Pass<"tpp-store-bfloats", "ModuleOp"> {
  let summary = "Represent bf16 values of the LLVM dialect as 16-bit integers";
  let description = [{
    Arithmetic on bf16 must have been lowered to arithmetic on f32 before; only conversions and moves may be left. The moves become moves
    of integers, which LLVM's code generator supports in every form.

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
    Creates NAME_create, NAME_workspace_bytes, NAME_run and NAME_destroy (docs/compiled-model.md). The compiled functions become internal.
    NAME_create first checks that the processor has the features that the code may use: those of the target, or with `host-code` of this
    machine.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"", "the compiled function">,
    Option<"hostCode", "host-code", "bool", "false", "the code is compiled for this machine, whatever the target">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
