//===- Passes.td - the passes of normalize ------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline. Pass VerbObject has the flag tpp-verb-object and is defined in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_NORMALIZE_PASSES
#define TPP_LOWERING_NORMALIZE_PASSES

include "mlir/Pass/PassBase.td"

def NormalizeLinalg : Pass<"tpp-normalize-linalg", "func::FuncOp"> {
  let summary = "Normalize linalg and tensor ops that are not contractions to few forms";
  let description = [{
    - Named elementwise ops become linalg.generic.
    - Softmax is decomposed.
    - tensor.pad becomes linalg.fill and tensor.insert_slice; tensor.concat becomes a chain of tensor.insert_slice.
    - Slices that drop dimensions in a form that upstream cannot infer from strides become a slice and a reshape.
    - Unused operands and results of a linalg.generic are removed.
    - Splat constants become fills; resource constants of up to 1 KiB become plain constants.
    - Each user of a tensor.empty or linalg.fill gets a copy of its own.

    ```mlir
    %0 = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %0 = linalg.generic {...} ins(%a, %b) outs(%e) { ^bb0(%x, %y, %o): %s = arith.addf %x, %y  linalg.yield %s }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def WidenAccumulators : Pass<"tpp-widen-accumulators", "func::FuncOp"> {
  let summary = "Accumulate sums of bf16 and f16 elements in f32";
  let description = [{
    A linalg op that adds to an output of bf16 or f16 along reduction loops becomes one that adds to f32. Its result is rounded once, by a second op. A
    product that is added is computed in f32, too. Named ops become generics.

    ```mlir
    %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %0 = linalg.matmul ins(%a, %b : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%z : tensor<8x16xbf16>) -> tensor<8x16xbf16>
    ```
    becomes
    ```mlir
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %s = linalg.generic ... ins(%a, %b) outs(%z) { ... arith.extf ... arith.mulf ... arith.addf ... } -> tensor<8x16xf32>
    %0 = linalg.generic ... ins(%s) outs(%e) { ... arith.truncf ... } -> tensor<8x16xbf16>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def NormalizeContractions : Pass<"tpp-normalize-contractions", "func::FuncOp"> {
  let summary = "Turn every contraction and convolution on tensors into tpp.contract";
  let description = [{
    Named matmuls, linalg.contract, convolutions and generics whose body is a multiply-add become tpp.contract, whose maps are linear.
    `beta` is 0 if the accumulator starts from zero. Relayouts of operands (transposes, broadcasts, slices, reshapes) and a transposition of
    the result become part of the maps. Element types without a kernel stay linalg, and so do matrix-vector products that reduce along the
    contiguous dimension of a matrix that is not constant. Both are vectorized inline.

    ```mlir
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
    ```
    becomes
    ```mlir
    %0 = tpp.contract ins(%a, %b) outs(%e) {beta = 0, indexing_maps = [(m, n, k) -> (m, k), ...]}
    ```
  }];
  let options = [Option<"postOps", "post-ops", "bool", "true", "turn an accumulator that is a broadcast (a bias) into a post-op">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif
