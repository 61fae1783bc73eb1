//===- TppGatherOp.td - elements at listed places ---------------------------------------------------------------------------------===//

#ifndef TPP_GATHER_OP
#define TPP_GATHER_OP

include "TileOps.td"

def Tpp_GatherOp : Tpp_Op<"gather", [Pure]> {
  let summary = "Select the elements of a tensor at listed indices along some dimensions";
  let description = [{
    The result has the dimensions of the source. Along dimension `dims[i]`, its size is that of `indices[i]`, and its element j is the source's
    element `indices[i][j]`; along all other dimensions, the two are alike. Indices must be in the range of the source's dimension.

    The op exists only while layouts are chosen: `tpp-raise-gathers` creates it and `tpp-lower-gathers` removes it. It says in which layouts of the
    source and the result the same elements are selected, which the body of a linalg.generic does not.

    ```mlir
    // an image whose rows and columns are repeated
    %0 = tpp.gather %x at(%rows, %columns : tensor<8xi64>, tensor<8xi64>) along [2, 3] : tensor<1x16x4x4xf32> -> tensor<1x16x8x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<1DTensorOf<[AnyInteger, Index]>>:$indices, DenseI64ArrayAttr:$dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `at` `(` $indices `:` type($indices) `)` `along` $dims attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif
