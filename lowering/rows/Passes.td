//===- Passes.td - the passes of rows -----------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_ROWS_PASSES
#define TPP_LOWERING_ROWS_PASSES

include "mlir/Pass/PassBase.td"

def VectorizeLinalg : Pass<"tpp-vectorize-linalg", "func::FuncOp"> {
  let summary = "Lower linalg on buffers to parallel loops over vector code";
  let description = [{
    Each linalg op on buffers of static shape becomes a loop nest (scf.forall over outer parallel dimensions) whose innermost
    dimension is computed in vectors of `vector-bits`, with a masked tail. Buffers of i1 are accessed as bytes. What cannot be vectorized
    becomes scalar loops and a remark, counted in the function attribute `tpp.scalar_loops`. A maximum or minimum along that dimension
    may be the zero of either sign where it finds both.

    ```mlir
    linalg.generic {...} ins(%m : memref<32xi1>) outs(%n : memref<32xi1>) { ^bb0(%x: i1, %o: i1): %r = arith.xori %x, %true  linalg.yield %r }
    ```
    becomes
    ```mlir
    %mb = builtin.unrealized_conversion_cast %m : memref<32xi1> to memref<32xi8>
    %nb = builtin.unrealized_conversion_cast %n : memref<32xi1> to memref<32xi8>
    scf.for %i = %c0 to %c32 step %c16 {
      %0 = vector.load %mb[%i] : memref<32xi8>, vector<16xi8>
      %1 = arith.cmpi ne, %0, %zeros : vector<16xi8>
      %2 = arith.xori %1, %trues : vector<16xi1>
      %3 = arith.extui %2 : vector<16xi1> to vector<16xi8>
      vector.store %3, %nb[%i] : memref<32xi8>, vector<16xi8>
    }
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512", "bits of a vector register">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def FuseRowLoops : Pass<"tpp-fuse-row-loops", "func::FuncOp"> {
  let summary = "Fuse neighbouring parallel loops over the same rows";
  let description = [{
    Loops with the same number of rows become one where the second reads or writes what the first has touched and no row meets another row:
    a softmax or a normalization then finds its rows in the first-level cache. Loops that do anything but load and store are left alone.
    Buffers that only one such loop touches, each row its own part, become a row on the stack, and the workspace shrinks to what is left.
    Reductions of a row that do not depend on one another become one loop, and one of what was stored on the stack is taken where it is stored.
    What several loops over a row read is asked for a row ahead, of long rows in several places at once.

    ```mlir
    scf.forall (%i) in (512) { ... memref.store %max, %m[%i] }
    scf.forall (%i) in (512) { %max = memref.load %m[%i] ... }
    ```
    becomes
    ```mlir
    scf.forall (%i) in (512) { ... memref.store %max, %m[%i]  %again = memref.load %m[%i] ... }
    ```
  }];
}

def StreamResults : Pass<"tpp-stream-results", "func::FuncOp"> {
  let summary = "Write results larger than the caches past them";
  let description = [{
    Vector loops that store whole lines of a `tpp.result` of more than half of the last cache, which nothing else in the function touches,
    get a second version with non-temporal stores, taken where the result starts at a line. Where such a loop is the last of several over a row,
    it becomes part of the next row's loops (OverlapRows.h).

    ```mlir
    scf.for %j = ... { vector.store %v, %y[%j] : memref<16777216xf32>, vector<16xf32> }
    ```
    becomes
    ```mlir
    scf.if %starts_at_line {
      scf.for %j = ... { vector.store %v, %y[%j] {alignment = 64 : i64, nontemporal = true} : memref<16777216xf32>, vector<16xf32> }
    } else {
      scf.for %j = ... { vector.store %v, %y[%j] : memref<16777216xf32>, vector<16xf32> }
    }
    llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()  // at the end of a parallel loop's body, if there is one
    ```
  }];
  let options = [Option<"leastBytes", "least-bytes", "int64_t", "0", "stream results of more bytes (0: than half of the target's last cache)">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::tpp::TppDialect"];
}

#endif
