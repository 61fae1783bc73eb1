//===- Unary.td - tpp.unary and its descriptor ------------------------------------------------------------------------------===//

#ifndef TPP_OPERATIONS_UNARY
#define TPP_OPERATIONS_UNARY

include "TileOps.td"

def Tpp_UnaryDescAttr : Tpp_DescAttr<"Unary", "unary"> {
  let summary = "The parameters of a unary kernel that are fixed at dispatch (tpp_unary_desc)";
  let parameters = (ins EnumParameter<Tpp_UnaryKind>:$kind, "int64_t":$m, "int64_t":$n, "MatrixAttr":$in, "MatrixAttr":$out,
                        Tpp_DefaultEnum<Tpp_Broadcast, "None">:$broadcast,
                        Tpp_DefaultEnum<Tpp_Provider, "Auto">:$provider, DefaultValuedParameter<"int64_t", "0">:$streaming,
                        OptionalParameter<"::mlir::FloatAttr", "leaky_relu's factor for elements <= 0, an f32">:$alpha);
}

def Tpp_UnaryOp : Tpp_OutOp<"unary"> {
  let summary = "A unary kind on every element of a tile";
  let description = [{
    Computes `out = kind(in)`. kinds.def defines the result of each kind for NaN, infinities and signed zeros. Input and output may be plain or
    in panels independently of each other.

    - `broadcast` applies to the input: `row` is a vector of n elements, `col` a vector of m elements, `scalar` a single element.
    - `identity`, `zero`, `transpose` and `vnni_pack` move bit patterns, of any element type of 1, 2, 4 or 8 bytes.
    - `zero` has no input.
    - `transpose` takes a tile with as many rows as `out` has columns.
    - `vnni_pack` writes `[ceil(m/v)][n][v]`, or the same with panels, where v elements have four bytes. Missing rows of the last group are zero.
    - `leaky_relu` has a factor `alpha` for elements <= 0.
    - `streaming` is a hint that a kernel may use non-temporal stores: the result that contains the tile does not fit the caches.

    ```mlir
    %0 = tpp.unary relu ins(%x : tensor<2x13x16xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
    %1 = tpp.unary identity broadcast row ins(%bias : tensor<32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
    %2 = tpp.unary zero outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
    %3 = tpp.unary leaky_relu alpha = 0.01 ins(%x : tensor<13x32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
    %4 = tpp.unary vnni_pack ins(%w : tensor<13x32xbf16>) outs(%v : tensor<7x32x2xbf16>) -> tensor<7x32x2xbf16>
    ```
  }];
  let arguments = (ins Tpp_UnaryKindAttr:$kind,
                       DefaultValuedAttr<Tpp_BroadcastAttr, "::mlir::tpp::Broadcast::None">:$broadcast, Optional<Tpp_Shaped>:$in,
                       Tpp_Shaped:$out, UnitAttr:$streaming, OptionalAttr<F32Attr>:$alpha);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `` $kind (`broadcast` `` $broadcast^)? (`alpha` `=` $alpha^)? (`streaming` $streaming^)? (`ins` `(` $in^ `:` type($in) `)`)? `outs` `(` $out `:` type($out) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [OpBuilder<(ins "UnaryKind":$kind, "::mlir::Value":$in, "::mlir::Value":$out,
                                 CArg<"Broadcast", "Broadcast::None">:$broadcast, CArg<"::mlir::FloatAttr", "{}">:$alpha)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    /// The positions of the output's dimensions in its type. The op must be verified.
    TileDims getOutDims();
  }];
  let hasCanonicalizer = 1;
}

#endif
