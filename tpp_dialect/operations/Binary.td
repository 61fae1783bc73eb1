//===- Binary.td - tpp.binary and its descriptor ----------------------------------------------------------------------------===//

#ifndef TPP_OPERATIONS_BINARY
#define TPP_OPERATIONS_BINARY

include "TileOps.td"

def Tpp_BinaryDescAttr : Tpp_DescAttr<"Binary", "binary"> {
  let summary = "The parameters of a binary kernel that are fixed at dispatch (tpp_binary_desc)";
  let parameters = (ins EnumParameter<Tpp_BinaryKind>:$kind, "int64_t":$m, "int64_t":$n, "MatrixAttr":$in0, "MatrixAttr":$in1,
                        "MatrixAttr":$out,
                        Tpp_DefaultEnum<Tpp_Broadcast, "None">:$broadcast0,
                        Tpp_DefaultEnum<Tpp_Broadcast, "None">:$broadcast1,
                        Tpp_DefaultEnum<Tpp_Provider, "Auto">:$provider);
}

def Tpp_BinaryOp : Tpp_OutOp<"binary"> {
  let summary = "A binary kind on every pair of elements of two tiles";
  let description = [{
    Computes `out = kind(lhs, rhs)`. Each input has its own broadcast.

    ```mlir
    %0 = tpp.binary add rhs row ins(%x, %bias : tensor<13x32xf32>, tensor<32xf32>) outs(%o : tensor<13x32xf32>) -> tensor<13x32xf32>
    ```
  }];
  let arguments = (ins Tpp_BinaryKindAttr:$kind,
                       DefaultValuedAttr<Tpp_BroadcastAttr, "::mlir::tpp::Broadcast::None">:$lhs_broadcast,
                       DefaultValuedAttr<Tpp_BroadcastAttr, "::mlir::tpp::Broadcast::None">:$rhs_broadcast,
                       Tpp_Shaped:$lhs, Tpp_Shaped:$rhs, Tpp_Shaped:$out);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `` $kind (`lhs` `` $lhs_broadcast^)? (`rhs` `` $rhs_broadcast^)? `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $out `:` type($out) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [OpBuilder<(ins "BinaryKind":$kind, "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$out,
                                 CArg<"Broadcast", "Broadcast::None">:$lhsBroadcast,
                                 CArg<"Broadcast", "Broadcast::None">:$rhsBroadcast)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
  }];
  let hasCanonicalizer = 1;
}

#endif
