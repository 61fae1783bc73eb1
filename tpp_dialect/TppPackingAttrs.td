//===- TppPackingAttrs.td - targets, packings and the strategies that choose them -----------------------------------------------===//
//
// Included at the end of TppAttrs.td.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_PACKING_ATTRS
#define TPP_PACKING_ATTRS

include "TppInterfaces.td"

def Tpp_TargetAttr : Tpp_Attr<"Target", "target"> {
  let summary = "What the lowering knows of a machine";
  let description = [{
    `#tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 1048576, 33554432], vnni = {bf16 = 2, i8 = 4},
    cores = 2>`: caches in bytes from the first level on, VNNI factor per element type of kinds.def (absent: not grouped). `isa` is avx512,
    avx2, sse4, neon or portable; `cpu`, LLVM's name of the processor that code is emitted for (absent: any of that ISA).

    As the attribute `tpp.target` of an op, a function or a module it is the machine that they are compiled for; the nearest counts.
    Without one it is the host.
  }];
  let parameters = (ins "::mlir::StringAttr":$isa, OptionalParameter<"::mlir::StringAttr">:$cpu, "int64_t":$vector_bits,
                        "int64_t":$registers, "::mlir::DenseI64ArrayAttr":$caches,
                        OptionalParameter<"::mlir::DictionaryAttr">:$vnni, "int64_t":$cores);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Rows that a VNNI group of this element type holds; 1 where rows are not grouped.
    int64_t getVnniFactor(ElementType type) const;
    /// Bytes of a cache level, 1 being the first; of the last one where there are fewer.
    int64_t getCacheBytes(unsigned level) const;
    /// The instruction sets that a target can have.
    static ::llvm::ArrayRef<::llvm::StringRef> getIsas();
  }];
}

class Tpp_PackingParameters<dag more> {
  dag all = !con((ins "int64_t":$panel, DefaultValuedParameter<"int64_t", "0">:$k, DefaultValuedParameter<"int64_t", "0">:$rows,
                      DefaultValuedParameter<"int64_t", "0">:$columns, Tpp_DefaultEnum<Tpp_LoopOrder, "Auto">:$order), more);
}

def Tpp_PackingAttr : Tpp_Attr<"Packing", "packing"> {
  let summary = "How one contraction is laid out and cut";
  let description = [{
    The parameters are the fields of `struct Packing` (TppDialect.h). tpp-assign-layouts leaves it on each contraction as
    `tpp.chosen_packing`; `by` tells which strategy chose it.

    `#tpp.packing<panel = 64, rows = 256, order = columns, by = "fixed sizes">`
  }];
  let parameters = Tpp_PackingParameters<(ins OptionalParameter<"::mlir::StringAttr">:$by)>.all;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    Packing getPacking() const;
    static PackingAttr get(::mlir::MLIRContext *context, const Packing &packing);
  }];
}

def Tpp_PackingFixedAttr : Tpp_Attr<"PackingFixed", "packing_fixed"> {
  let summary = "A strategy: these sizes, whatever the contraction";
  let description = [{
    `small_batch` and `matrix_vector` are for contractions of 2 to 31 rows, and of one; where they are left out, and for all others, the
    other parameters count.

    `#tpp.packing_fixed<panel = 64, rows = 256, small_batch = <panel = 32>, matrix_vector = <panel = 0>>`
  }];
  let parameters = Tpp_PackingParameters<(ins OptionalParameter<"PackingAttr">:$small_batch,
                                              OptionalParameter<"PackingAttr">:$matrix_vector)>.all;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let traits = [DeclareAttrInterfaceMethods<Tpp_PackingStrategyAttrInterface>];
}

def Tpp_PackingCostModelAttr : Tpp_Attr<"PackingCostModel", "packing_cost_model"> {
  let summary = "A strategy: what measurements say is fastest; the default";
  let description = [{
    B in panels of 64 columns, or of 32 where only those divide its columns, when it is constant, or when it is large and at least 128 rows
    share it; rows, columns and order by the target's second-level cache.
  }];
  let assemblyFormat = "";
  let traits = [DeclareAttrInterfaceMethods<Tpp_PackingStrategyAttrInterface>];
}

def Tpp_PackingTunedAttr : Tpp_Attr<"PackingTuned", "packing_tuned"> {
  let summary = "A strategy: the first record of a file that fits the contraction, else the cost model";
  let description = [{
    The file's form is in docs/packing-strategies.md. It is read once for each context; a contraction without a record gets a remark.

    `#tpp.packing_tuned<"records.json">`
  }];
  let parameters = (ins StringRefParameter<"JSON file of records">:$file);
  let assemblyFormat = "`<` $file `>`";
  let genVerifyDecl = 1;
  let traits = [DeclareAttrInterfaceMethods<Tpp_PackingStrategyAttrInterface>];
}

#endif
