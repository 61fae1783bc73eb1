//===- Passes.td - the passes of fuse -----------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_FUSE_PASSES
#define TPP_LOWERING_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def FusePostOps : Pass<"tpp-fuse-post-ops", "func::FuncOp"> {
  let summary = "Fuse elementwise consumers into tpp.contract as post-ops";
  let description = [{
    A linalg.generic that is the only user of a contraction and whose body is a chain of unary and binary kinds (bias, activation,
    residual, scale; activations also in the decomposed forms that exporters write) becomes the contraction's post-ops.
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"tpp-fuse-elementwise", "func::FuncOp"> {
  let summary = "Fuse chains of elementwise linalg.generic ops";
  let description = [{
    Upstream's elementwise fusion, reshapes between ops included, for producers with one user. Ops that read what their output held before are
    left alone (upstream would lose that value).
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def PushIntoJoins : Pass<"tpp-push-into-joins", "func::FuncOp"> {
  let summary = "Let the only reader of a concatenation compute in parts, where parts would be copied";
  let description = [{
    An elementwise op, or a sum or pool along other dimensions, that alone reads a chain of tensor.insert_slice is done for each part, and the
    results are put together. Only where a part cannot be computed in its place: an argument, a constant, part of several values.

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
  let summary = "Let linalg.generic read the source of what was only moved";
  let description = [{
    A transposition or broadcast whose result an op reads, through reshapes and slices, is composed into the op's map, where the loads stay
    contiguous:

    ```mlir
    %t = linalg.transpose ins(%x : tensor<197x12x64xf32>) outs(%e : tensor<12x197x64xf32>) permutation = [1, 0, 2]
    %0 = linalg.generic {indexing_maps = [(h, s, d) -> (h, s, d), ...], ...} ins(%t) ...
    // becomes
    %0 = linalg.generic {indexing_maps = [(h, s, d) -> (s, h, d), ...], ...} ins(%x) ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SkipPaddedTaps : Pass<"tpp-skip-padded-taps", "func::FuncOp"> {
  let summary = "Let contractions read a value without its border of zeros, where the border would be a copy";
  let description = [{
    A pad whose source cannot be computed into the middle of it (an argument) is not made when all that reads it are contractions: each becomes
    several, one for each combination of filter taps that lie in the source, with the taps chosen by offsets in the maps. Products of padding
    with infinite or NaN weights, which would be NaN, are left out with the rest. Stays as it is where an output reads nothing but padding, or
    where the estimate says that the copy costs less.

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

#endif
