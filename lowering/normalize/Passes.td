//===- Passes.td - the passes of normalize ------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_NORMALIZE_PASSES
#define TPP_LOWERING_NORMALIZE_PASSES

include "mlir/Pass/PassBase.td"

def NormalizeLinalg : Pass<"tpp-normalize-linalg", "func::FuncOp"> {
  let summary = "Bring linalg and tensor ops that are not contractions into few forms";
  let description = [{
    Named elementwise ops become linalg.generic, softmax is decomposed, tensor.pad becomes a fill and an insert_slice, tensor.concat slices,
    unused results of a generic are dropped, constants that repeat one value become fills, and each user gets its own init.

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

def NormalizeContractions : Pass<"tpp-normalize-contractions", "func::FuncOp"> {
  let summary = "Turn every contraction and convolution on tensors into tpp.contract";
  let description = [{
    Named matmuls, linalg.contract, convolutions and generics whose body is a multiply-add become one op whose maps are linear, with
    `beta = 0` where the accumulator starts from zero. Matrix-vector products, whose contiguous dimension is reduced, stay linalg
    and are vectorized inline.

    ```mlir
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
    ```
    becomes
    ```mlir
    %0 = tpp.contract ins(%a, %b) outs(%e) {beta = 0, indexing_maps = [(m, n, k) -> (m, k), ...]}
    ```
  }];
  let options = [Option<"postOps", "post-ops", "bool", "true", "an accumulator that starts from a broadcast is a post-op">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif
