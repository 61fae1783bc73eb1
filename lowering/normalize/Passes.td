//===- Passes.td - the passes of normalize ------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline. Pass VerbObject has the flag tpp-verb-object and is defined in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_NORMALIZE_PASSES
#define TPP_LOWERING_NORMALIZE_PASSES

include "mlir/Pass/PassBase.td"

def AbsorbPacks : Pass<"tpp-absorb-packs", "func::FuncOp"> {
  let summary = "Compute on unpacked values what the program computes on packed ones";
  let description = [{
    The packs of a program are layouts, which the compiler chooses itself. A computation that reads packed values, or whose result is unpacked, reads
    and writes the unpacked values instead; packs of its result are left for other readers. Constants that are stored in tiles are unpacked, once. A
    computation stays as it is if another value in tiles would have to be moved for it.

    ```mlir
    %px = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 1] into %e0 : tensor<64x32xf32> -> tensor<8x32x8x1xf32>
    %pw = linalg.pack %w inner_dims_pos = [0, 1] inner_tiles = [16, 1] into %e1 : tensor<48x32xf32> -> tensor<3x32x16x1xf32>
    %p = linalg.mmt4d ins(%px, %pw : tensor<8x32x8x1xf32>, tensor<3x32x16x1xf32>) outs(%z : tensor<8x3x8x16xf32>) -> tensor<8x3x8x16xf32>
    %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e2 : tensor<8x3x8x16xf32> -> tensor<64x48xf32>
    ```
    becomes
    ```mlir
    %0 = linalg.generic ins(%x, %w : tensor<64x32xf32>, tensor<48x32xf32>) outs(%z0 : tensor<64x48xf32>) { mulf addf } -> tensor<64x48xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def QuantizeContractions : Pass<"tpp-quantize-contractions", "func::FuncOp"> {
  let summary = "Quantize the operands of f32 contractions with constant weights, on request";
  let description = [{
    The operands of each contraction of an f32 value and a constant are quantized to 8-bit integers and dequantized; tpp-fold-quantization then makes
    the contraction one of integers. Weights get a scale for each output channel, from their largest magnitude. The other operand gets

    - with `ranges`, one scale and zero point, from the smallest and largest value that were recorded;
    - else a scale for each row of a matrix and for each image of a batch, from the largest magnitude of the call.

    Contractions that tpp-fold-quantization does not fold (two values of the call) stay f32, with a remark; so do, without `ranges`, depthwise
    convolutions, for which finding the largest magnitude costs more than it saves.

    With `record` the pass quantizes nothing. It adds two results to the function for each value that it would quantize, its smallest and its largest
    element: the `ranges` of another run.
  }];
  let options = [ListOption<"ranges", "ranges", "double", "smallest and largest element of each quantized value, in the order that `record` gives">,
                 Option<"record", "record", "bool", /*default=*/"false", "add the ranges to the results of the function">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def FoldQuantization : Pass<"tpp-fold-quantization", "func::FuncOp"> {
  let summary = "Turn contractions of dequantized values into contractions of 8-bit integers";
  let description = [{
    - A dequantization, (integer - zero point) * scale in f32 or wider integers, moves down past reshapes, transposes, slices, pads with zero and
      maxima.
    - A quantization of a value that was dequantized with the same parameters is dropped. Values that are quantized to signed integers, and only
      dequantized again, are quantized to unsigned ones.
    - A contraction of two dequantized values becomes a sum of products of 8-bit integers in i32, minus what the zero points add, times the scales. Sums
      of weights are separate ops on constants. Sums that 32 bits may not hold stay as they are, and those of depthwise convolutions that f32, in which
      kernels add them, may not hold exactly.

    ```mlir
    %x = linalg.generic ins(%qx : tensor<8x4xi8>) ... { extui  subi %zero  sitofp  mulf %scale } -> tensor<8x4xf32>
    %w = linalg.generic ins(%qw : tensor<4x16xi8>) ... { sitofp  mulf } -> tensor<4x16xf32>
    %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
    ```
    becomes
    ```mlir
    %p = linalg.generic ins(%qx, %qw) outs(%zi : tensor<8x16xi32>) { extui  extsi  muli  addi }
    %s = linalg.generic ins(%qw) outs(%zs : tensor<16xi32>) { extsi  addi }
    %t = linalg.generic ins(%s) { muli %zero } -> tensor<16xi32>
    %0 = linalg.generic ins(%p, %t) { subi  sitofp  mulf } -> tensor<8x16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def NormalizeLinalg : Pass<"tpp-normalize-linalg", "func::FuncOp"> {
  let summary = "Normalize linalg and tensor ops that are not contractions to few forms";
  let description = [{
    - Named elementwise ops become linalg.generic.
    - Softmax is decomposed.
    - tensor.pad becomes linalg.fill and tensor.insert_slice; tensor.concat becomes a chain of tensor.insert_slice.
    - Slices that drop dimensions in a form that upstream cannot infer from strides become a slice and a reshape.
    - A transpose whose only readers are extract_slice ops is sunk below them; those of the slices can become part of what reads them.
    - Whether all elements of a row are -inf is read from their maximum, where softmax computes that.
    - Unused operands and results of a linalg.generic are removed.
    - Splat constants become fills, constants without elements tensor.empty; resource constants of up to 1 KiB become plain constants.
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

def FindMasked : Pass<"tpp-find-masked", "func::FuncOp"> {
  let summary = "Find the columns of attention's scores that a constant mask hides";
  let description = [{
    A mask adds -inf, or a number below -1e30, to scores, or selects it instead of them. After a softmax of each row, these elements are zeros, and
    the product with the values does not depend on them. If the mask is computed from constants and indices, as a causal one is, both contractions
    get the attribute `tpp.visible`: of each 16 rows, the range of columns outside of which the mask hides everything. tpp-split-rows computes
    nothing else. All ops that read masked scores are followed up to the second contraction: they reduce rows by maxima before the exponential and by
    sums after it, or compute element by element. A mask that hides a whole row is left alone, and a finite one if another that is known only in a
    call may hide the rest of a row.

    ```mlir
    %s = linalg.batch_matmul ins(%q, %k) ... // scores of 48 tokens
    %m = linalg.generic ... ins(%s, %causal) { arith.addf ... }
    ... // a softmax of %m, whose result is %p
    %o = linalg.batch_matmul ins(%p, %v) ...
    ```
    becomes
    ```mlir
    %s = linalg.batch_matmul {tpp.visible = array<i64: 0, 48, 48, 16, 0, 16, 0, 32, 0, 48>} ins(%q, %k) ...
    ...
    %o = linalg.batch_matmul {tpp.visible = array<i64: 1, 48, 48, 16, 0, 16, 0, 32, 0, 48>} ins(%p, %v) ...
    ```
  }];
}

def FoldConstants : Pass<"tpp-fold-constants", "func::FuncOp"> {
  let summary = "Evaluate elementwise ops that compute integers from small constants";
  let description = [{
    Importers compute indices of selected rows from constants: negative ones count from the end, for example. With constant indices,
    tpp-insert-assertions knows that they are in range. Results of at most 4096 integers are evaluated.

    ```mlir
    %x = arith.constant dense<[0, -1]> : tensor<2xi64>
    %0 = linalg.generic ins(%x : tensor<2xi64>) outs(...) { select(x < 0, x + 56, x) } -> tensor<2xi64>
    // becomes
    %0 = arith.constant dense<[0, 55]> : tensor<2xi64>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InsertAssertions : Pass<"tpp-insert-assertions", "func::FuncOp"> {
  let summary = "Assert that indices which depend on data are in range, and that divisors are not 0";
  let description = [{
    Applies to the indices of tensor.extract and tensor.insert, to the offsets and strides of slices, and to divisions and remainders of integers, whose
    quotient must also fit the type. No assertion is added for what holds by the ranges of loops, constants and arithmetic, or what the program itself
    asserts of an index. tpp-lower-assertions makes the call fail where one does not hold.

    ```mlir
    %v = tensor.extract %table[%i] : tensor<10xf32>
    // becomes
    %isInRange = arith.cmpi ult, %i, %c10 : index
    cf.assert %isInRange, "tensor.extract: index of dimension 0 is not in [0, 10)"
    %v = tensor.extract %table[%i] : tensor<10xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
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
  let options = [Option<"postOps", "post-ops", "bool", "true", "turn an accumulator that is a broadcast (a bias) into a post-op">,
                 Option<"depthwise", "depthwise", "bool", "false", "only depthwise convolutions on channels-last images; otherwise none of them">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
