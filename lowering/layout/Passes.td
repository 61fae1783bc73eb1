//===- Passes.td - the passes of layout ---------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_LAYOUT_PASSES
#define TPP_LOWERING_LAYOUT_PASSES

include "mlir/Pass/PassBase.td"

def PropagateLayouts : Pass<"tpp-propagate-layouts", "func::FuncOp"> {
  let summary = "Choose the layout of every value of a function at once";
  let description = [{
    Ops that implement PackableOpInterface tie the dimensions of their operands and results; contractions say which of them would best
    lie innermost. What costs least by the tables of kernels.def, bytes moved at the program's edges counted, is chosen for all values at
    once, and all ops change at once. A convolution on NCHW becomes one on NHWC:

    ```mlir
    %0 = tpp.contract ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x64x54x54xf32>) {...}
    // becomes
    %0 = tpp.contract ins(%x, %w : tensor<1x56x56x64xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x54x54x64xf32>) {...}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::affine::AffineDialect"];
}

def FoldScales : Pass<"tpp-fold-scales", "func::FuncOp"> {
  let summary = "Fold scales by constants into the constant operand of a contraction";
  let description = [{
    The post-ops that add, subtract, multiply and divide by constants along the columns of a constant operand (batch normalization after a
    convolution) become one multiplication of that operand, which is made once, and one bias:

    ```mlir
    tpp.contract ins(%x, %w) post(%mean, %rstd, %gamma, %beta) {post_ops = [sub, mul, mul, add, relu]}
    // becomes, with %scaled = %w * (%rstd * %gamma) and %shift = (0 - %mean) * %rstd * %gamma + %beta
    tpp.contract ins(%x, %scaled) post(%shift) {post_ops = [add, relu]}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def AssignLayouts : Pass<"tpp-assign-layouts", "func::FuncOp"> {
  let summary = "Give each contraction operands whose layout brgemm can read";
  let description = [{
    The operand that holds the output's contiguous dimension (B) is put in panels along it, [N/64][K][64] for panels of 64 columns, where
    the strategy that governs the contraction says so (attribute `tpp.packing`, docs/packing-strategies.md); of constants a linalg.pack is
    inserted, which tpp-outline-prepack moves out of the function. What was chosen is left on the contraction:

    ```mlir
    tpp.contract ins(%x, %panels : ...) ... {..., tpp.chosen_packing = #tpp.packing<panel = 64, by = "cost model">}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif
