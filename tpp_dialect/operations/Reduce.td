//===- Reduce.td - tpp.reduce and its descriptor ----------------------------------------------------------------------------===//

#ifndef TPP_OPERATIONS_REDUCE
#define TPP_OPERATIONS_REDUCE

include "TileOps.td"

def Tpp_ReduceDescAttr : Tpp_DescAttr<"Reduce", "reduce"> {
  let summary = "The parameters of a reduce kernel that are fixed at dispatch (tpp_reduce_desc)";
  let parameters = (ins EnumParameter<Tpp_ReduceKind>:$kind, EnumParameter<Tpp_ReduceAxis>:$axis, "int64_t":$m, "int64_t":$n,
                        "MatrixAttr":$in, "MatrixAttr":$out, DefaultValuedParameter<"int64_t", "0">:$beta,
                        Tpp_DefaultEnum<Tpp_Provider, "Auto">:$provider);
}

def Tpp_ReduceOp : Tpp_OutOp<"reduce"> {
  let summary = "A reduction of a tile over its rows or columns";
  let description = [{
    Computes `out = kind(beta * out, kind over an axis of in)`. `over_rows` gives one value per column (a vector of n elements), `over_cols` one
    value per row (m elements). With `beta = 0`, `out` is never read.

    ```mlir
    %0 = tpp.reduce sum over_cols ins(%x : tensor<13x32xf32>) outs(%o : tensor<13xf32>) -> tensor<13xf32>
    ```
  }];
  let arguments = (ins Tpp_ReduceKindAttr:$kind, Tpp_ReduceAxisAttr:$axis, DefaultValuedAttr<I64Attr, "0">:$beta, Tpp_Shaped:$in,
                       Tpp_Shaped:$out);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `` $kind `` $axis (`beta` `=` $beta^)? `ins` `(` $in `:` type($in) `)` `outs` `(` $out `:` type($out) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [OpBuilder<(ins "ReduceKind":$kind, "ReduceAxis":$axis, "bool":$beta, "::mlir::Value":$in, "::mlir::Value":$out)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
  }];
}

#endif
