//===- WinogradOutput.td - tpp.winograd_output and its descriptor -----------------------------------------------------------===//

#ifndef TPP_OPERATIONS_WINOGRADOUTPUT
#define TPP_OPERATIONS_WINOGRADOUTPUT

include "TileOps.td"

def Tpp_WinogradOutputDescAttr : Tpp_DescAttr<"WinogradOutput", "winograd_output"> {
  let summary = "The parameters of a winograd_output kernel that are fixed at dispatch (tpp_winograd_output_desc)";
  let parameters = (ins "int64_t":$tile, "int64_t":$tiles, "int64_t":$channels, "int64_t":$height, "int64_t":$width, "MatrixAttr":$in,
                        "MatrixAttr":$out, "int64_t":$in_point_stride, "int64_t":$out_row_stride,
                        Tpp_DefaultEnum<Tpp_Provider, "Auto">:$provider, OptionalParameter<"::mlir::ArrayAttr">:$post_ops,
                        OptionalArrayRefParameter<"int64_t">:$post_row_strides);
  let extraClassDeclaration = [{
    /// The post-ops as attributes; empty if there are none.
    ::llvm::SmallVector<PostOpAttr> getPostOpList() const;
  }];
}

def Tpp_WinogradOutputOp : Tpp_OutOp<"winograd_output"> {
  let summary = "The output transform of Winograd's algorithm for a run of tiles, with post-ops";
  let description = [{
    Transforms products back to pixels, for F(tile x tile, 3 x 3) (the formula is in `tpp/types.h`), and applies post-ops. `in` is
    `[points][tiles][channels]`; `out` is an image `[height][width][channels]` of at most `tile` rows and `tile` pixels for each tile, of which every
    pixel is computed. The points are f32, the image is f32 or bf16, rounded after the post-ops.

    Each binary post-op takes the next of the `post` operands, of f32, bf16 or f16. Its first dimension is the height; its broadcast is that of a
    row of pixels: `none` `[height][width][channels]`, `row` `[height][channels]`, `col` `[height][width]`, `scalar` `[height]`. On memrefs, a
    stride of 0 broadcasts along the height.

    ```mlir
    %0 = tpp.winograd_output tile = 4 ins(%m : tensor<36x14x64xf32>) post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>]
           post(%bias : tensor<4x64xf32>) outs(%c : tensor<4x56x64xf32>) -> tensor<4x56x64xf32>
    ```
  }];
  let arguments = (ins I64Attr:$tile, Tpp_Shaped:$in, Tpp_Shaped:$out, Variadic<Tpp_Shaped>:$post_operands,
                       OptionalAttr<Tpp_PostOpArrayAttr>:$post_ops);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `tile` `=` $tile `ins` `(` $in `:` type($in) `)` (`post_ops` `=` $post_ops^)? (`post` `(` $post_operands^ `:` type($post_operands) `)`)?
    `outs` `(` $out `:` type($out) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [OpBuilder<(ins "int64_t":$tile, "::mlir::Value":$in, "::mlir::Value":$out, CArg<"::mlir::ArrayAttr", "{}">:$postOps,
                                 CArg<"::mlir::ValueRange", "{}">:$postOperands)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    /// The post-ops; empty if there are none.
    ::llvm::SmallVector<PostOpAttr> getPostOpList();
  }];
}

#endif
