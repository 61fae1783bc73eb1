//===- TppEnums.td - enumerations -------------------------------------------------------------------------------------------------===//
//
// Kinds, types, broadcasts and providers are generated from kinds.def (TppKinds.td). The enumerations in this file mirror the other C
// enumerations of tpp/types.h, except LoopOrder; TppDialect.cpp asserts that the values agree.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_ENUMS
#define TPP_ENUMS

include "mlir/IR/EnumAttr.td"
include "TppDialect.td"
include "TppKinds.td"

class Tpp_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::tpp";
  let genSpecializedAttr = 0;
}

// `none` has no counterpart in C, where a single pair of tiles is a batch of one.
def Tpp_BatchKind : Tpp_Enum<"BatchKind", "how the entries of a brgemm's batch are found", [
  I32EnumAttrCase<"Stride", 0, "stride">, I32EnumAttrCase<"Offset", 1, "offset">, I32EnumAttrCase<"Address", 2, "address">,
  I32EnumAttrCase<"None", 3, "none">
]>;
def Tpp_ReduceAxis : Tpp_Enum<"ReduceAxis", "the axis that a reduction removes", [
  I32EnumAttrCase<"OverRows", 0, "over_rows">, I32EnumAttrCase<"OverCols", 1, "over_cols">
]>;
def Tpp_PostOpClass : Tpp_Enum<"PostOpClass", "class of a post-op", [
  I32EnumAttrCase<"Unary", 0, "unary">, I32EnumAttrCase<"Binary", 1, "binary">
]>;

// The order determines which operand stays in the cache while the other one is streamed. lowering/machine/TileOrder.h defines each order.
def Tpp_LoopOrder : Tpp_Enum<"LoopOrder", "order of the loops over a contraction's tasks", [
  I32EnumAttrCase<"Auto", 0, "auto">, I32EnumAttrCase<"Rows", 1, "rows">, I32EnumAttrCase<"Columns", 2, "columns">,
  I32EnumAttrCase<"Blocked", 3, "blocked">, I32EnumAttrCase<"Curve", 4, "curve">
]>;

// As op attributes these print as the bare keyword: `tpp.unary relu ...`.
class Tpp_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<Tpp_Dialect, info, mnemonic> {
  let assemblyFormat = "$value"; // prints a leading space, so the formats of ops put an empty literal before it
}
def Tpp_UnaryKindAttr : Tpp_EnumAttr<Tpp_UnaryKind, "unary_kind">;
def Tpp_BinaryKindAttr : Tpp_EnumAttr<Tpp_BinaryKind, "binary_kind">;
def Tpp_ReduceKindAttr : Tpp_EnumAttr<Tpp_ReduceKind, "reduce_kind">;
def Tpp_BroadcastAttr : Tpp_EnumAttr<Tpp_Broadcast, "broadcast">;
def Tpp_BatchKindAttr : Tpp_EnumAttr<Tpp_BatchKind, "batch_kind">;
def Tpp_ReduceAxisAttr : Tpp_EnumAttr<Tpp_ReduceAxis, "reduce_axis">;

#endif
