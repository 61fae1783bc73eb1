//===- Passes.td - the passes of rows -----------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_ROWS_PASSES
#define TPP_LOWERING_ROWS_PASSES

include "mlir/Pass/PassBase.td"

def SplitReductions : Pass<"tpp-split-reductions", "func::FuncOp"> {
  let summary = "Split reductions of few outputs into parts that threads share";
  let description = [{
    Threads share the outputs of a linalg.generic that reduces; tpp-vectorize-linalg computes outputs that are adjacent in vectors. Where an op on tensors
    reduces many elements to so few outputs that threads would wait, it becomes two. The first has a further dimension, the parts of the outermost
    reduction. The second combines the outputs of the parts. Sums of floats are then added in another order.

    ```mlir
    linalg.generic (h, w, c) -> (c) ins(%x : tensor<112x112x32xf32>) outs(%i : tensor<32xf32>)
    ```
    becomes, for two threads,
    ```mlir
    %e = tensor.expand_shape %x [[0, 1], [2], [3]] ... into tensor<2x56x112x32xf32>
    %p = linalg.generic (p, h, w, c) -> (p, c) ins(%e) outs(%zeros : tensor<2x32xf32>)
    linalg.generic (p, c) -> (c) ins(%p) outs(%i)
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def VectorizeLinalg : Pass<"tpp-vectorize-linalg", "func::FuncOp"> {
  let summary = "Lower linalg on buffers to parallel loops over vector code";
  let description = [{
    Each linalg op on buffers of static shape becomes a loop nest (scf.forall over outer parallel dimensions). One dimension is computed in
    vectors, with a masked tail. Vectors have as many lanes as `vector-bits` hold elements of 32 bits. Buffers of i1 are accessed as bytes. An op
    that cannot be vectorized becomes scalar loops; if it has more than 64 iterations, it gets a remark and is counted in the function attribute
    `tpp.scalar_loops`. A maximum or minimum along the vector dimension may return a zero of either sign if the reduced elements include both.

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
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "0", "bits of a vector; 0: a register of the target, at least a cache line">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def FuseRowLoops : Pass<"tpp-fuse-row-loops", "func::FuncOp"> {
  let summary = "Fuse consecutive parallel loops over the same rows";
  let description = [{
    Two loops with the same number of rows are fused if the second one accesses a buffer of the first one and no row accesses data that another
    row writes. A softmax or a normalization then finds its rows in L1. Loops with effects other than loads and stores are not fused.

    Four rewrites of the body of a loop over rows follow. Independent reductions over the same elements become one loop. A buffer that only this
    loop accesses, each row its own part, becomes a stack buffer of one row, and the workspace shrinks accordingly. A reduction over such a row
    moves into the loop that stores the row. A buffer that several loops over a row read is prefetched one row ahead; long rows are prefetched in
    several streams.

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
  let summary = "Write large results with non-temporal stores";
  let description = [{
    Applies to a `tpp.result` that is larger than half of the last-level cache and that the function only stores to. Each vector loop that stores
    whole cache lines of it gets a second version with non-temporal stores, which runs if the result is line-aligned. If such a loop is the last
    of several loops over a row, its steps first move into the loops over the next row (OverlapRows.h).

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
  let options = [Option<"leastBytes", "least-bytes", "int64_t", "0", "stream results of more bytes; 0: half of the target's last-level cache">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::tpp::TppDialect"];
}

#endif
