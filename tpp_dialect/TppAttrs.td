//===- TppAttrs.td - post-ops, operand layouts, layouts of values -----------------------------------------===//
//
// #tpp.matrix and #tpp.post_op mirror the C structures of tpp/types.h, as the descriptors do (operations/).
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_ATTRS
#define TPP_ATTRS

include "TppEnums.td"

class Tpp_Attr<string name, string attrMnemonic> : AttrDef<Tpp_Dialect, name> { let mnemonic = attrMnemonic; }

// An enumeration parameter that is printed only if it differs from `value`.
class Tpp_DefaultEnum<EnumAttrInfo info, string value> : EnumParameter<info> {
  let defaultValue = info.cppNamespace # "::" # info.className # "::" # value;
}

def Tpp_MatrixAttr : Tpp_Attr<"Matrix", "matrix"> {
  let summary = "The memory layout of one 2-D operand (tpp_matrix)";
  let description = [{
    Element (i, j) is stored at offset `(j / panel) * panel_stride + i * ld + j % panel`, in elements of `type`. `panel = 0` is one panel as
    wide as the operand. `vnni = v > 1` groups v consecutive rows (see tpp/types.h).

    `#tpp.matrix<type = f32, ld = 64>`, `#tpp.matrix<type = f32, ld = 16, panel = 16, panel_stride = 4096>`.
  }];
  let parameters = (ins EnumParameter<Tpp_ElementType>:$type, "int64_t":$ld, DefaultValuedParameter<"int64_t", "0">:$panel,
                        DefaultValuedParameter<"int64_t", "0">:$panel_stride, DefaultValuedParameter<"int64_t", "0">:$vnni);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tpp_PostOpAttr : Tpp_Attr<"PostOp", "post_op"> {
  let summary = "One step applied to a brgemm's accumulators before C is stored";
  let description = [{
    `#tpp.post_op<unary relu>` computes `acc = kind(acc)`; `#tpp.post_op<binary add row>` computes `acc = kind(acc, operand)`. Without a
    broadcast, the operand is a whole tile (a residual). In a descriptor, a binary post-op also has the layout of its operand:
    `#tpp.post_op<binary add row, <type = f32, ld = 32>>`.
  }];
  let parameters = (ins EnumParameter<Tpp_PostOpClass>:$op_class, "uint32_t":$kind, EnumParameter<Tpp_Broadcast>:$broadcast,
                        OptionalParameter<"MatrixAttr">:$form);
  let builders = [
    AttrBuilder<(ins "UnaryKind":$kind), [{
      return $_get($_ctxt, PostOpClass::Unary, static_cast<uint32_t>(kind), Broadcast::None, MatrixAttr());
    }]>,
    AttrBuilder<(ins "BinaryKind":$kind, "Broadcast":$broadcast, CArg<"MatrixAttr", "{}">:$form), [{
      return $_get($_ctxt, PostOpClass::Binary, static_cast<uint32_t>(kind), broadcast, form);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isUnary() const { return getOpClass() == PostOpClass::Unary; }
    bool isBinary() const { return getOpClass() == PostOpClass::Binary; }
    bool isUnary(UnaryKind kind) const { return isUnary() && getKind() == static_cast<uint32_t>(kind); }
    /// The kind of a unary (binary) post-op; the post-op must be of that class.
    UnaryKind getUnaryKind() const { return static_cast<UnaryKind>(getKind()); }
    BinaryKind getBinaryKind() const { return static_cast<BinaryKind>(getKind()); }
    ::llvm::StringRef getKindName() const;
  }];
}
def Tpp_PostOpArrayAttr : TypedArrayAttrBase<Tpp_PostOpAttr, "array of post-ops">;

def Tpp_LayoutAttr : Tpp_Attr<"Layout", "layout"> {
  let summary = "The memory layout of a value of the program";
  let description = [{
    `inner_dims_pos`, `inner_tiles` and `outer_dims_perm` have the same meaning as in `linalg.pack`. `vnni = v > 1` groups v consecutive
    rows; rows are the last but one dimension of the packed shape. The group becomes an additional last dimension: `[N/16][K][16]` with
    `vnni = 2` is `[N/16][K/2][16][2]`. The identity, `#tpp.layout`, means unpacked.

    `#tpp.layout<inner_dims_pos = [1], inner_tiles = [16], outer_dims_perm = [1, 0]>`
  }];
  let parameters = (ins OptionalParameter<"::mlir::DenseI64ArrayAttr">:$inner_dims_pos,
                        OptionalParameter<"::mlir::DenseI64ArrayAttr">:$inner_tiles,
                        OptionalParameter<"::mlir::DenseI64ArrayAttr">:$outer_dims_perm,
                        DefaultValuedParameter<"int64_t", "0">:$vnni);
  let builders = [
    // Creates canonical parameters: empty lists are absent, so that equal layouts are one attribute.
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$innerDimsPos, "::llvm::ArrayRef<int64_t>":$innerTiles,
                     CArg<"::llvm::ArrayRef<int64_t>", "{}">:$outerDimsPerm, CArg<"int64_t", "0">:$vnni), [{
      auto list = [&](::llvm::ArrayRef<int64_t> values) {
        return values.empty() ? ::mlir::DenseI64ArrayAttr() : ::mlir::DenseI64ArrayAttr::get($_ctxt, values);
      };
      return $_get($_ctxt, list(innerDimsPos), list(innerTiles), list(outerDimsPerm), vnni);
    }]>
  ];
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout of an unpacked value.
    static LayoutAttr getIdentity(::mlir::MLIRContext *context);
    bool isIdentity() const;
    ::llvm::ArrayRef<int64_t> getInnerDims() const;
    ::llvm::ArrayRef<int64_t> getTiles() const;
    ::llvm::ArrayRef<int64_t> getOuterPermutation() const;

    /// The shape of a value of static `shape` in this layout: tiled dimensions divided (rounded up), outer dimensions
    /// permuted, tiles appended, rows grouped. Fails if the layout does not fit the rank of `shape`, with a message if `loc` is given.
    ::mlir::FailureOr<::llvm::SmallVector<int64_t>> getPackedShape(::llvm::ArrayRef<int64_t> shape,
                                                                   std::optional<::mlir::Location> loc = std::nullopt) const;
    /// The same for a tensor type. The element type is unchanged.
    ::mlir::FailureOr<::mlir::RankedTensorType> getPackedType(::mlir::RankedTensorType type,
                                                             std::optional<::mlir::Location> loc = std::nullopt) const;
  }];
}

include "TppPackingAttrs.td"

#endif
