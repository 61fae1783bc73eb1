//===- WinogradInput.td - tpp.winograd_input and its descriptor -------------------------------------------------------------===//

#ifndef TPP_OPERATIONS_WINOGRADINPUT
#define TPP_OPERATIONS_WINOGRADINPUT

include "TileOps.td"

def Tpp_WinogradInputDescAttr : Tpp_DescAttr<"WinogradInput", "winograd_input"> {
  let summary = "The parameters of a winograd_input kernel that are fixed at dispatch (tpp_winograd_input_desc)";
  let parameters = (ins "int64_t":$tile, "int64_t":$tiles, "int64_t":$channels, "int64_t":$height, "int64_t":$width, "MatrixAttr":$in,
                        "MatrixAttr":$out, "int64_t":$in_row_stride, "int64_t":$out_point_stride,
                        DefaultValuedParameter<"int64_t", "0">:$top, DefaultValuedParameter<"int64_t", "0">:$left,
                        Tpp_DefaultEnum<Tpp_Provider, "Auto">:$provider);
}

def Tpp_WinogradInputOp : Tpp_OutOp<"winograd_input"> {
  let summary = "The input transform of Winograd's algorithm for a run of tiles";
  let description = [{
    Transforms a run of neighbouring tiles of `tile + 2` x `tile + 2` pixels, for F(tile x tile, 3 x 3) with a `tile` of 2 or 4 (the formula and the
    matrices are in `tpp/types.h`). `in` is an image `[height][width][channels]`; `out` is `[points][tiles][channels]` with `(tile + 2)^2` points.
    The first tile begins `top` rows above the image and `left` pixels before it. Pixels outside of the image are 0. Its elements are f32 or
    bf16, the points f32.

    ```mlir
    %0 = tpp.winograd_input tile = 4 ins(%x : tensor<6x58x64xf32>) outs(%o : tensor<36x14x64xf32>) -> tensor<36x14x64xf32>
    ```
  }];
  let arguments = (ins I64Attr:$tile, DefaultValuedAttr<I64Attr, "0">:$top, DefaultValuedAttr<I64Attr, "0">:$left, Tpp_Shaped:$in,
                       Tpp_Shaped:$out);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `tile` `=` $tile (`top` `=` $top^)? (`left` `=` $left^)? `ins` `(` $in `:` type($in) `)` `outs` `(` $out `:` type($out) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [OpBuilder<(ins "int64_t":$tile, "::mlir::Value":$in, "::mlir::Value":$out, CArg<"int64_t", "0">:$top,
                                 CArg<"int64_t", "0">:$left)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
  }];
}

#endif
