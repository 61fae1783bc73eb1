//===- TppContractOp.td - contractions of whole values ----------------------------------------------------------------------------===//
//
// Included at the end of TppOps.td.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_CONTRACT_OP
#define TPP_CONTRACT_OP

def Tpp_ContractOp : Tpp_OutOp<"contract"> {
  let summary = "A contraction of whole values with post-ops; every matmul and convolution is normalized to this op";
  let description = [{
    Computes `init[C] = post(beta * init[C] + sum of a[A] * b[B])` over a loop nest with the given `extents`. A, B and C are the first three
    `indexing_maps`. The results of a map are sums of constant multiples of the loop dimensions (the input of a convolution is read at
    `2 * oh + r`). Dimensions that C's map does not use are summed. Sums of integers are accumulated in i32 if C is i8 or a float, sums of
    floats in f32 if C is f16 or bf16, all others in the type of C. Results are rounded once. The post-op `convert` turns i32 sums into f32; then C may be f32, bf16, f16 or i8, which saturates. Integers are signed unless
    `a_unsigned`, `b_unsigned` or `c_unsigned` says otherwise (MLIR's integer types do not). `beta` is 0 (init is
    never read) or 1. B may have VNNI form: `d floordiv v` indexes one of its dimensions and `d mod v` the last, of size v; if v does not
    divide the extent of d, the last group ends with zeros. Each binary post-op takes the next of `post_operands`. Post operand i is read through map 3 + i, and is broadcast along
    dimensions that this map does not use.

    `winograd = t` (2 or 4) says that the op is a convolution with 3 x 3 filters and stride 1, and that B holds the filters as Winograd's algorithm
    F(t x t, 3 x 3) multiplies them: `[(t + 2)^2][panels][K][panel]` in f32, with zeros in columns of the last panel beyond N. No loop of the filter's taps
    indexes B, whose map is `(0, n floordiv panel, k, n mod panel)`. The sums are those of the untransformed filters, up to rounding.

    `grouped` says that the op is a convolution of groups of channels whose operands have the layouts that tpp.grouped_conv needs: A is the image.

    With `padded`, map 0 may leave the shape of A, whose elements outside of it are 0 or, if A holds 8-bit integers, `border`. Only convolutions whose kernels know the borders of images can
    have it: those with `winograd` or `grouped`.

    This op works on whole values, whereas tpp.brgemm works on a tile. Post-ops are fused into it before it is split into tiles.

    ```mlir
    %0 = tpp.contract ins(%x, %w : tensor<256x1024xf32>, tensor<16x1024x64xf32>) outs(%e : tensor<256x1024xf32>)
           post(%bias : tensor<1024xf32>) {beta = 0 : i64, extents = array<i64: 256, 16, 1024, 64>,
             indexing_maps = [affine_map<(m, n, k, i) -> (m, k)>, affine_map<(m, n, k, i) -> (n, k, i)>,
                              affine_map<(m, n, k, i) -> (m, n * 64 + i)>, affine_map<(m, n, k, i) -> (n * 64 + i)>],
             post_ops = [#tpp.post_op<binary add>, #tpp.post_op<unary relu>]} -> tensor<256x1024xf32>
    ```
  }];
  let arguments = (ins Tpp_Shaped:$a, Tpp_Shaped:$b, Tpp_Shaped:$init, Variadic<Tpp_Shaped>:$post_operands,
                       AffineMapArrayAttr:$indexing_maps, DenseI64ArrayAttr:$extents, I64Attr:$beta, Tpp_PostOpArrayAttr:$post_ops,
                       UnitAttr:$a_unsigned, UnitAttr:$b_unsigned, UnitAttr:$c_unsigned, OptionalAttr<I64Attr>:$winograd, UnitAttr:$grouped, UnitAttr:$padded,
                       OptionalAttr<I64Attr>:$border);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)` `outs` `(` $init `:` type($init) `)`
    (`post` `(` $post_operands^ `:` type($post_operands) `)`)? attr-dict (`->` type($result)^)?
  }];
  let builders = [
    // A contraction like `like` with other operands, maps, extents and, if `postOps` is not null, post-ops. The result has the type of `init`. Beta,
    // signedness, Winograd's tile, `grouped`, padding, target and packing are those of `like`.
    OpBuilder<(ins "ContractOp":$like, "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$init,
                   "::mlir::ValueRange":$postOperands, "::llvm::ArrayRef<::mlir::AffineMap>":$maps,
                   "::llvm::ArrayRef<int64_t>":$extents, CArg<"::mlir::ArrayAttr", "{}">:$postOps)>
  ];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    ::llvm::SmallVector<::mlir::AffineMap> getMaps() {
      return ::llvm::to_vector(getIndexingMaps().getAsValueRange<::mlir::AffineMapAttr>());
    }
    /// 2 * product of the extents, of the convolution also with `winograd`: one multiplication and one addition per point of the loop nest.
    int64_t getFlops();
  }];
}

#endif
