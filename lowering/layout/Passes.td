//===- Passes.td - the passes of layout ---------------------------------------------------------------------------------------===//
//
// The passes that choose the layouts of values, fold scales into weights, and pack contraction operands. One record per pass, in pipeline
// order. Pass VerbObject has the flag tpp-verb-object and is implemented in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_LAYOUT_PASSES
#define TPP_LOWERING_LAYOUT_PASSES

include "mlir/Pass/PassBase.td"

def LowerPrecision : Pass<"tpp-lower-precision", "func::FuncOp"> {
  let summary = "Compute contractions of f32 values in a lower precision";
  let description = [{
    The operands of each tpp.contract on f32 tensors are rounded to `type`; sums and post-ops stay f32. An operand is rounded once for all contractions
    that read it, and constants once in prepack. A value that a contraction computes and contractions read is stored rounded, so that other ops
    read the rounded value, too. A contraction without a kernel, or with one that is estimated to be slower than that of f32, stays f32, with a
    remark that gives the reason.

    ```mlir
    %0 = tpp.contract ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%e : tensor<8x32xf32>) {beta = 0, ...}
    ```
    becomes
    ```mlir
    %a = linalg.generic ... ins(%x) { ... arith.truncf ... } -> tensor<8x16xbf16>
    %b = linalg.generic ... ins(%w) { ... arith.truncf ... } -> tensor<16x32xbf16>
    %0 = tpp.contract ins(%a, %b : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x32xf32>) {beta = 0, ...}
    ```
  }];
  let options = [Option<"type", "type", "std::string", /*default=*/"\"bf16\"", "element type of the operands: bf16">,
                 Option<"silent", "silent", "bool", /*default=*/"false",
                        "no remarks on contractions that stay f32: the pass runs again, after layouts have changed">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def RaiseGathers : Pass<"tpp-raise-gathers", "func::FuncOp"> {
  let summary = "Turn ops that only select elements into tpp.gather";
  let description = [{
    Applies to a linalg.generic if the index along each dimension is that of the result, or an element of a list along this dimension, and cannot be out
    of range (tpp-insert-assertions has added no assertion). Resized images are such selections, and sums of them. Selections along different dimensions are
    merged.

    ```mlir
    %1 = linalg.generic ins(%rows : tensor<8xi64>) outs(...) { tensor.extract %x[%n, %c, %row, %w] } -> tensor<1x16x8x4xf32>
    %2 = linalg.generic ins(%columns : tensor<8xi64>) outs(...) { tensor.extract %1[%n, %c, %h, %column] } -> tensor<1x16x8x8xf32>
    // becomes
    %2 = tpp.gather %x at(%rows, %columns : tensor<8xi64>, tensor<8xi64>) along [2, 3] : tensor<1x16x4x4xf32> -> tensor<1x16x8x8xf32>
    ```

    With `joins`, it also applies to a join of slices of one tensor along one dimension, unless that is the innermost: a rotation (torch.roll) along two
    dimensions becomes one loop instead of four copies.
  }];
  let options = [Option<"joins", "joins", "bool", "false", "Also raise joins of slices of one tensor, after layouts have been chosen">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::arith::ArithDialect"];
}

def SplitRemainders : Pass<"tpp-split-remainders", "func::FuncOp"> {
  let summary = "Split values at the last tile boundary of a packing strategy";
  let description = [{
    Applies to loops of contractions that the tiles chosen for A and C do not divide. A loop of 197 rows in tiles of 32 becomes one of 192 rows and one of
    5, and the values that it reads and writes are stored in two parts. Other ops on these values (linalg, reshapes, slices) are split, too:

    ```mlir
    %0 = tpp.contract ins(%x, %w : tensor<197x64xf32>, tensor<64x64xf32>) ... -> tensor<197x64xf32>
    %1 = linalg.generic ins(%0) { relu } -> tensor<197x64xf32>
    // becomes
    %x0 = tensor.extract_slice %x[0, 0] [192, 64] [1, 1] {tpp.cut} : tensor<197x64xf32> to tensor<192x64xf32>
    %x1 = tensor.extract_slice %x[192, 0] [5, 64] [1, 1] {tpp.cut} : tensor<197x64xf32> to tensor<5x64xf32>
    %00 = tpp.contract ins(%x0, %w : tensor<192x64xf32>, tensor<64x64xf32>) ... -> tensor<192x64xf32>
    %01 = tpp.contract ins(%x1, %w : tensor<5x64xf32>, tensor<64x64xf32>) ... -> tensor<5x64xf32>
    %10 = linalg.generic ins(%00) { relu } -> tensor<192x64xf32>
    %11 = linalg.generic ins(%01) { relu } -> tensor<5x64xf32>
    ```

    A reduction is split only if the sum of the first part is stored without rounding. A contraction without tiles is not split.
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def PropagateLayouts : Pass<"tpp-propagate-layouts", "func::FuncOp"> {
  let summary = "Choose the layouts of all values of a function together";
  let description = [{
    Ops that implement PackableOpInterface tie the dimensions of their operands and results. Contractions say which of their dimensions are
    best innermost. The pass estimates the cost of each choice from the kernel costs in kernels.def and from the bytes moved at the arguments
    and results of the program. It chooses the cheapest layouts for all values together and then rewrites all ops. A convolution on NCHW
    becomes one on NHWC:

    ```mlir
    %0 = tpp.contract ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x64x54x54xf32>) {...}
    // becomes
    %0 = tpp.contract ins(%x, %w : tensor<1x56x56x64xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x54x54x64xf32>) {...}
    ```

    If the packing strategy of a contraction chooses tiles for A or C, these take part. A is read in its tiles in any case, and moved to them if its value
    has another layout. The contraction is marked `tpp.tiled` then.
  }];
  let options = [Option<"winograd", "winograd", "bool", "true", "Count that Winograd's algorithm computes convolutions in layouts in which it is faster">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::affine::AffineDialect"];
}

def LowerGathers : Pass<"tpp-lower-gathers", "func::FuncOp"> {
  let summary = "Turn tpp.gather into linalg.generic";
  let description = [{
    The reverse of tpp-raise-gathers, after layouts have been chosen. The ops that read the elements can then be fused.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def FoldScales : Pass<"tpp-fold-scales", "func::FuncOp"> {
  let summary = "Fold scales into the constant operand of a contraction";
  let description = [{
    Applies to the leading post-ops that add, subtract, multiply or divide by constants which vary only along loops of the constant operand
    (batch normalization after a convolution). They become one multiplication of that operand, computed once, and one bias:

    ```mlir
    tpp.contract ins(%x, %w) post(%mean, %rstd, %gamma, %beta) {post_ops = [sub, mul, mul, add, relu]}
    // becomes, with %scaled = %w * (%rstd * %gamma) and %shift = (0 - %mean) * %rstd * %gamma + %beta
    tpp.contract ins(%x, %scaled) post(%shift) {post_ops = [add, relu]}
    ```

    A weight that tpp-lower-precision rounds to bf16 is scaled before it is rounded. Other weights of 16 bits are not scaled: that would round them
    again. Instead, three or more consecutive steps by constants become one scale and one addition if C has 16 bits. If C has 8-bit integers, this holds
    for steps that contain two or more scales (a dequantization, a bias, a quantization).

    A scale of the other operand, too, is multiplied into the constant one, if that has the scale's loops. A scale that is computed in each call
    (squeeze-and-excitation) must save work: the constant operand must have at most half of the elements of the scaled one.

    ```mlir
    %scaled = linalg.generic(%x, %s) // %x[n, h, w, c] * %s[n, c], n = 1
    tpp.contract ins(%scaled, %w)
    // becomes, with %product = %w[f, c] * %s[0, c]
    tpp.contract ins(%x, %product)
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def UseWinograd : Pass<"tpp-use-winograd", "func::FuncOp"> {
  let summary = "Compute 3 x 3 convolutions of stride 1 by Winograd's algorithm";
  let description = [{
    Applies to a tpp.contract of f32 or bf16 with constant filters whose channels are contiguous, if the machine's figures say that
    F(4 x 4, 3 x 3) or F(2 x 2, 3 x 3) in f32 is faster than the direct computation in the contraction's types. The estimate includes reading the transformed filters, which are 4 or 1.8 times as large, from memory in
    each call. The filters are transformed; tpp-outline-prepack moves that out of the function. Contractions whose packing strategy is neither the cost model nor tuning records stay as
    they are (docs/decisions/winograd.md). Dilated filters see several images, each of which takes every d-th row and column.

    ```mlir
    tpp.contract ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(...) {...}
    // becomes
    tpp.contract ins(%x, %u : tensor<1x58x58x64xf32>, tensor<36x1x64x64xf32>) outs(...) {..., winograd = 4 : i64}
    ```
  }];
  let options = [Option<"mode", "mode", "std::string", /*default=*/"\"auto\"", "auto (where it is estimated to be faster), always or off">,
                 Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def UseGroupedConvs : Pass<"tpp-use-grouped-convs", "func::FuncOp"> {
  let summary = "Compute depthwise convolutions, and those of few channels a group, by kernels for groups";
  let description = [{
    Applies to a tpp.contract of f32, bf16 or 8-bit integers with constant filters whose channels are contiguous in A and in C: depthwise convolutions,
    and those whose groups have fewer output channels than a panel of brgemm. Their filters become panels of the channels of several groups; tpp-outline-prepack moves
    that out of the function. Contractions whose packing strategy is neither the cost model nor tuning records stay as they are
    (docs/decisions/grouped-convolutions.md).

    ```mlir
    tpp.contract ins(%x, %w : tensor<1x58x58x96xf32>, tensor<96x3x3xf32>) outs(...) {...}
    // becomes
    tpp.contract ins(%x, %p : tensor<1x58x58x96xf32>, tensor<2x3x3x48xf32>) outs(...) {..., grouped}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def AssignLayouts : Pass<"tpp-assign-layouts", "func::FuncOp"> {
  let summary = "Convert the operands of each contraction to layouts that brgemm can read";
  let description = [{
    B is the operand that holds the output's contiguous dimension. The pass packs B into panels along that dimension, [N/64][K][64] for panels
    of 64 columns, if the packing strategy of the contraction chooses panels (attribute `tpp.packing`, docs/packing-strategies.md). It inserts
    a linalg.pack; tpp-outline-prepack moves the pack of a constant B out of the function. An attribute of the contraction records the choice:

    ```mlir
    tpp.contract ins(%x, %panels : ...) ... {..., tpp.chosen_packing = #tpp.packing<panel = 64, by = "cost model">}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif
