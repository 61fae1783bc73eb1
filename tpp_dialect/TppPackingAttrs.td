//===- TppPackingAttrs.td - targets, packings and the strategies that choose them -----------------------------------------------===//
//
// Included at the end of TppAttrs.td.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_PACKING_ATTRS
#define TPP_PACKING_ATTRS

include "TppInterfaces.td"

def Tpp_TargetAttr : Tpp_Attr<"Target", "target"> {
  let summary = "The description of a machine to compile for";
  let description = [{
    `#tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 1048576, 33554432], vnni = {bf16 = 2, i8 = 4},
    cores = 2>`

    - `isa`: avx512, avx2, sse4, neon or portable.
    - `cpu`: LLVM's name of the processor to emit code for; absent: any processor with that ISA.
    - `caches`: sizes in bytes, from L1 on.
    - `vnni`: the VNNI factor per element type of kinds.def; absent: rows are not grouped.
    - `figures`: fields of a machine (tpp/machine_fields.def) that differ from the entry for `cpu` or, without one, for `isa`:
      `figures = {clock_ghz = 3.1, l1_ways = 12}`.

    As the attribute `tpp.target` of an op, a function or a module, it is the machine that they are compiled for. The nearest one applies;
    without one, it is the host.
  }];
  let parameters = (ins "::mlir::StringAttr":$isa, OptionalParameter<"::mlir::StringAttr">:$cpu, "int64_t":$vector_bits,
                        "int64_t":$registers, "::mlir::DenseI64ArrayAttr":$caches,
                        OptionalParameter<"::mlir::DictionaryAttr">:$vnni, "int64_t":$cores,
                        OptionalParameter<"::mlir::DictionaryAttr">:$figures);
  let builders = [
    // The target with the figures of `machine`. `cpu`: LLVM's name of its processor, or "".
    AttrBuilder<(ins "const tpp_machine &":$machine, "::llvm::StringRef":$cpu, "::mlir::DictionaryAttr":$vnni)>
  ];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Rows in a VNNI group of this element type; 1 if rows are not grouped.
    int64_t getVnniFactor(ElementType type) const;
    /// Bytes of cache level `level`, 1 for L1; of the last level if there are fewer levels.
    int64_t getCacheBytes(unsigned level) const;
    /// The figures that costs are computed from.
    tpp_machine getMachine() const;
    /// The instruction sets that a target can have.
    static ::llvm::ArrayRef<::llvm::StringRef> getIsas();
  }];
}

class Tpp_PackingParameters<dag more> {
  dag all = !con((ins "int64_t":$panel, DefaultValuedParameter<"int64_t", "0">:$kc, DefaultValuedParameter<"int64_t", "0">:$mc,
                      DefaultValuedParameter<"int64_t", "0">:$nc, Tpp_DefaultEnum<Tpp_LoopOrder, "Auto">:$order,
                      OptionalParameter<"::mlir::DenseI64ArrayAttr">:$a, OptionalParameter<"::mlir::DenseI64ArrayAttr">:$c), more);
}

def Tpp_PackingAttr : Tpp_Attr<"Packing", "packing"> {
  let summary = "The layout and the tiling of one contraction";
  let description = [{
    The parameters are the fields of `struct Packing` (TppDialect.h); `a` and `c` are the rows and columns of a tile. tpp-assign-layouts
    sets it on each contraction as `tpp.chosen_packing`; `by` names the strategy that chose it.

    `#tpp.packing<panel = 64, mc = 256, order = columns, by = "fixed sizes">`
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
  let summary = "A strategy: fixed sizes for all contractions";
  let description = [{
    `small_batch` applies to contractions with 2 to 31 rows, `matrix_vector` to contractions with one row. If they are absent, and for all
    other contractions, the other parameters apply.

    `#tpp.packing_fixed<panel = 64, mc = 256, small_batch = <panel = 32>, matrix_vector = <panel = 0>>`

    Tiles of 32 x 32 for all operands, as in tpp-mlir: `#tpp.packing_fixed<panel = 32, a = [32, 32], c = [32, 32]>`. The layouts of
    `linalg.mmt4d` with tiles of 8 x 16 x 1: `#tpp.packing_fixed<panel = 16, a = [8, 1], c = [8, 16]>`.
  }];
  let parameters = Tpp_PackingParameters<(ins OptionalParameter<"PackingAttr">:$small_batch,
                                              OptionalParameter<"PackingAttr">:$matrix_vector)>.all;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The strategy that chooses `packing` for all contractions.
    static PackingFixedAttr get(::mlir::MLIRContext *context, const Packing &packing);
  }];
  let traits = [DeclareAttrInterfaceMethods<Tpp_PackingStrategyAttrInterface>];
}

def Tpp_PackingCostModelAttr : Tpp_Attr<"PackingCostModel", "packing_cost_model"> {
  let summary = "A strategy: the choice that a cost model fitted to measurements estimates to be fastest; the default";
  let description = [{
    B is packed into panels of four vectors of columns, or of two if only those divide its columns, if it is constant, or if enough rows of A share it and its
    rows do not stay in the caches unpacked (docs/decisions/layout.md). Rows, columns and order of tasks depend on the target's L2.
  }];
  let assemblyFormat = "";
  let traits = [DeclareAttrInterfaceMethods<Tpp_PackingStrategyAttrInterface>];
}

def Tpp_PackingTunedAttr : Tpp_Attr<"PackingTuned", "packing_tuned"> {
  let summary = "A strategy: the first record of a file that fits the contraction, else the cost model";
  let description = [{
    docs/packing-strategies.md describes the format of the file. The file is read once per context. A contraction without a record gets a
    remark.

    `#tpp.packing_tuned<"records.json">`
  }];
  let parameters = (ins StringRefParameter<"JSON file of records">:$file);
  let assemblyFormat = "`<` $file `>`";
  let genVerifyDecl = 1;
  let traits = [DeclareAttrInterfaceMethods<Tpp_PackingStrategyAttrInterface>];
}

#endif
