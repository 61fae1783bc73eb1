//===- GroupedConv.td - tpp.grouped_conv and its descriptor -----------------------------------------------------------------===//

#ifndef TPP_OPERATIONS_GROUPEDCONV
#define TPP_OPERATIONS_GROUPEDCONV

include "TileOps.td"

def Tpp_GroupedConvDescAttr : Tpp_DescAttr<"GroupedConv", "grouped_conv"> {
  let summary = "The parameters of a grouped_conv kernel that are fixed at dispatch (tpp_grouped_conv_desc)";
  let parameters = (ins "int64_t":$height, "int64_t":$width, "int64_t":$channels, "int64_t":$in_height, "int64_t":$in_width,
                        DefaultValuedParameter<"int64_t", "1">:$group_inputs, DefaultValuedParameter<"int64_t", "1">:$group_outputs,
                        "int64_t":$tap_rows, "int64_t":$tap_cols,
                        DefaultValuedParameter<"int64_t", "1">:$row_step, DefaultValuedParameter<"int64_t", "1">:$col_step,
                        DefaultValuedParameter<"int64_t", "1">:$row_dilation, DefaultValuedParameter<"int64_t", "1">:$col_dilation,
                        DefaultValuedParameter<"int64_t", "0">:$top, DefaultValuedParameter<"int64_t", "0">:$left,
                        DefaultValuedParameter<"int64_t", "0">:$border, "MatrixAttr":$in,
                        "MatrixAttr":$filter, "MatrixAttr":$out, "int64_t":$in_row_stride, "int64_t":$out_row_stride,
                        Tpp_DefaultEnum<Tpp_Provider, "Auto">:$provider, OptionalParameter<"::mlir::ArrayAttr">:$post_ops,
                        OptionalArrayRefParameter<"int64_t">:$post_row_strides);
  let extraClassDeclaration = [{
    /// The post-ops as attributes; empty if there are none.
    ::llvm::SmallVector<PostOpAttr> getPostOpList() const;
  }];
}

def Tpp_GroupedConvOp : Tpp_OutOp<"grouped_conv"> {
  let summary = "A convolution of groups of channels, for a block of rows of pixels, with post-ops";
  let description = [{
    Convolves an image with a filter whose channels form groups, and applies post-ops (the formula is in `tpp/types.h`). `in` is
    `[in_height][in_width][input channels]`, `out` is `[height][width][channels]`; pixels outside of `in` are `border`. `filter` has a row for each tap
    and input channel of a group: `[taps * inputs][channels]`, or `[panels][taps * inputs][panel]`.

    Element types: f32 x f32 -> f32; bf16 x bf16 -> f32 or bf16; i8 x i8 -> i32 (`in_unsigned`: `in` is u8), or after the post-op `convert` -> f32,
    bf16, f16 or i8 (`out_unsigned`: u8). Only 8-bit images can have another `border` than 0: the integer that stands for 0.

    `taps` are the rows and columns of the filter; `steps` and `dilations` are the pixels from one output, or tap, to the next; `before` are the rows
    and columns before `in` that the first tap of the first output needs. `group` is the input and output channels of a group: `[1, 1]`, the
    default, is a depthwise convolution.

    Post-ops are those of `tpp.brgemm`, the shapes of their operands those of `tpp.winograd_output`.

    ```mlir
    %0 = tpp.grouped_conv taps = [3, 3] steps = [2, 2] before = [1, 1] ins(%x, %w : tensor<28x28x96xf32>, tensor<9x96xf32>)
           post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>] post(%bias : tensor<14x96xf32>)
           outs(%c : tensor<14x14x96xf32>) -> tensor<14x14x96xf32>
    ```
  }];
  let arguments = (ins
    DenseI64ArrayAttr:$taps,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$steps,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0}">:$before,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$group,
    DefaultValuedAttr<I64Attr, "0">:$border,
    UnitAttr:$in_unsigned,
    UnitAttr:$out_unsigned,
    Tpp_Shaped:$in, Tpp_Shaped:$filter, Tpp_Shaped:$out, Variadic<Tpp_Shaped>:$post_operands,
    OptionalAttr<Tpp_PostOpArrayAttr>:$post_ops);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `taps` `=` $taps (`steps` `=` $steps^)? (`dilations` `=` $dilations^)? (`before` `=` $before^)? (`group` `=` $group^)?
    (`border` `=` $border^)? (`in_unsigned` $in_unsigned^)? (`out_unsigned` $out_unsigned^)?
    `ins` `(` $in `,` $filter `:` type($in) `,` type($filter) `)`
    (`post_ops` `=` $post_ops^)? (`post` `(` $post_operands^ `:` type($post_operands) `)`)?
    `outs` `(` $out `:` type($out) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [
    // The type of the result is that of `out`. `postOps` may be null.
    OpBuilder<(ins "const ::mlir::tpp::GroupedConvShape &":$shape, "::mlir::Value":$in, "::mlir::Value":$filter,
                   "::mlir::Value":$out, CArg<"::mlir::ArrayAttr", "{}">:$postOps,
                   CArg<"::mlir::ValueRange", "{}">:$postOperands)>
  ];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    /// The attributes of a verified op.
    ::mlir::tpp::GroupedConvShape getConvShape();
    /// The positions of the filter's dimensions in its type. The op must be verified.
    TileDims getFilterDims();
    /// The post-ops; empty if there are none.
    ::llvm::SmallVector<PostOpAttr> getPostOpList();
  }];
}

#endif
