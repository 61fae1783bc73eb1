//===- Passes.td - the passes of fuse -----------------------------------------------------------------------------------------===//
//
// The passes that fuse ops on tensors and remove copies between them. One record per pass. Pass VerbObject has the flag tpp-verb-object and
// is implemented in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_FUSE_PASSES
#define TPP_LOWERING_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def FusePostOps : Pass<"tpp-fuse-post-ops", "func::FuncOp"> {
  let summary = "Fuse elementwise consumers into tpp.contract as post-ops";
  let description = [{
    A linalg.generic becomes post-ops of a contraction if it is the only user of the contraction and its body is a chain of unary and binary
    kinds: bias, activation, residual, scale. Activations are also recognized in the decomposed forms that exporters write. Before a store of 8-bit
    integers, a rounding and clamps that the store does anyway are dropped.
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"tpp-fuse-elementwise", "func::FuncOp"> {
  let summary = "Fuse chains of elementwise linalg.generic ops";
  let description = [{
    Applies upstream's elementwise fusion, also through reshapes, to producers with one user. Ops that read the previous value of their output
    are not fused, because upstream's patterns would lose that value.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def PushIntoJoins : Pass<"tpp-push-into-joins", "func::FuncOp"> {
  let summary = "Split the only reader of a concatenation into one op per part, if parts would be copied";
  let description = [{
    Applies to an elementwise op, or a sum or pool along other dimensions, that is the only reader of a chain of tensor.insert_slice. The op is
    applied to each part, and the results are inserted into the result. The pass rewrites only if at least one part would be copied into the
    chain: an argument, a constant, or a part of several values.

    ```mlir
    %0 = tensor.insert_slice %token into %e[0, 0] [1, 768] [1, 1] : tensor<1x768xf32> into tensor<197x768xf32>
    %1 = tensor.insert_slice %patches into %0[1, 0] [196, 768] [1, 1] : tensor<196x768xf32> into tensor<197x768xf32>
    %2 = linalg.generic {...} ins(%1, %positions : tensor<197x768xf32>, tensor<197x768xf32>) outs(%f) ...
    // becomes
    %0 = linalg.generic {...} ins(%token, %first : tensor<1x768xf32>, tensor<1x768xf32>) ...
    %1 = tensor.insert_slice %0 into %f[0, 0] [1, 768] [1, 1] ...
    %2 = linalg.generic {...} ins(%patches, %others : tensor<196x768xf32>, tensor<196x768xf32>) ...
    %3 = tensor.insert_slice %2 into %1[1, 0] [196, 768] [1, 1] ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def ReadThroughRelays : Pass<"tpp-read-through-relays", "func::FuncOp"> {
  let summary = "Let linalg.generic read the source of a transpose or broadcast directly";
  let description = [{
    If an op reads the result of a transpose or broadcast, possibly through reshapes and slices, that move is composed into the op's map. The
    pass does this only if loads that were contiguous stay contiguous:

    ```mlir
    %t = linalg.transpose ins(%x : tensor<197x12x64xf32>) outs(%e : tensor<12x197x64xf32>) permutation = [1, 0, 2]
    %0 = linalg.generic {indexing_maps = [(h, s, d) -> (h, s, d), ...], ...} ins(%t) ...
    // becomes
    %0 = linalg.generic {indexing_maps = [(h, s, d) -> (s, h, d), ...], ...} ins(%x) ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ReadPadding : Pass<"tpp-read-padding", "func::FuncOp"> {
  let summary = "Let convolutions whose kernels know the borders of images read the source of a pad";
  let description = [{
    Applies to a pad that only such convolutions read, as their images: those with Winograd's filters, and those of groups of channels. It is filled
    with zeros or, for groups of channels and images of 8-bit integers, with a constant, their zero point (`border`).
    Their maps then leave the image by the width of the border, and they get the attribute `padded`. Products of the border with infinite or NaN
    filters may then be left out. What computes the image writes it without a border: rows of pixels are one contiguous run,
    of which a contraction computes larger tiles.

    ```mlir
    %p = tensor.insert_slice %x into %zeros[0, 1, 1, 0] [1, 28, 28, 64] [1, 1, 1, 1] : tensor<1x28x28x64xf32> into tensor<1x30x30x64xf32>
    %0 = tpp.contract ins(%p, %w : ...) outs(%e : ...) {winograd = 4 : i64, ...}   // reads %p[n, h + r, w + s, k]
    // becomes
    %0 = tpp.contract ins(%x, %w : ...) outs(%e : ...) {padded, winograd = 4 : i64, ...}   // reads %x[n, h + r - 1, w + s - 1, k]
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

def SkipPaddedTaps : Pass<"tpp-skip-padded-taps", "func::FuncOp"> {
  let summary = "Let contractions read the source of zero padding, if that is estimated to be faster";
  let description = [{
    Applies to pads, and to zeros between the pixels of an image (a transposed convolution), that only contractions read. This pays if the source
    cannot be computed into the padded buffer (an argument, for example), or if many products are with padding (a large dilation). The pad is removed.
    Each contraction becomes several, one for each combination of filter taps that read the source and not the padding; offsets in the maps select the
    taps. With zeros between pixels, outputs at the same place between two pixels form one contraction. Products of padding with infinite or NaN weights,
    which would be NaN, are skipped, too. The pad stays if an output reads only padding, if the estimated cost with the copy is lower, or, without a
    copy, if less than a fifth is saved.

    ```mlir
    %p = tensor.insert_slice %x into %zeros[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x10xf32>
    %0 = tpp.contract ins(%p, %w : ...) outs(%e : tensor<8x16xf32>) {extents = array<i64: 8, 16, 4, 3>, ...}   // reads %p[c, o + t]
    // becomes
    %s0 = tensor.extract_slice %e[0, 0] [1, 16] [1, 1] ...
    %0 = tpp.contract ins(%x, %w) outs(%s0) {extents = array<i64: 1, 16, 4, 2>, ...}                          // reads %x[c, o + t], %w[t + 1]
    %r0 = tensor.insert_slice %0 into %e[0, 0] [1, 16] [1, 1] ...
    %1 = tpp.contract ins(%x, %w) ... {extents = array<i64: 6, 16, 4, 3>, ...}                                 // reads %x[c, o + t]
    %2 = tpp.contract ins(%x, %w) ... {extents = array<i64: 1, 16, 4, 2>, ...}                                 // reads %x[c, o + t + 6]
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::tensor::TensorDialect"];
}

def CombineScales : Pass<"tpp-combine-scales", "func::FuncOp"> {
  let summary = "Combine the scales of values that are rounded to 8-bit integers";
  let description = [{
    Applies to elementwise linalg.generic ops whose values are rounded to nearest even and stored as integers of 8 bits. What is rounded is often a sum of
    dequantized integers, divided by a scale: residual sums of quantized networks. It becomes one multiply-add for each value of the sum, if the
    program has two scales or more and this takes fewer operations, or if it divides: a division takes as long as ten multiplications. Zero points become
    part of the constant. The result can differ by one step (docs/numerics.md). Bounds of the rounded value become those that ignore NaN, which has no integer.

    ```mlir
    %1 = arith.mulf %a, %scale0 : f32
    %2 = arith.mulf %b, %scale1 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.divf %3, %scale2 : f32
    %5 = math.roundeven %4 : f32
    // becomes
    %1 = arith.mulf %a, %scale0_by_scale2 : f32
    %2 = math.fma %b, %scale1_by_scale2, %1 : f32
    %5 = math.roundeven %2 : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif
