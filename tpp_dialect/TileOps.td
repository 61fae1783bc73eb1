//===- TileOps.td - what the operations have in common ----------------------------------------------------------------------------===//
//
// An operation of operations.def consists of an op on tiles and a descriptor, both in operations/<Name>.td. TppOperations.td, which the build
// generates, includes these files.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_TILE_OPS
#define TPP_TILE_OPS

include "TppAttrs.td"
include "TileInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tpp_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef], "ranked tensor or memref">;

class Tpp_Op<string mnemonic, list<Trait> traits = []> : Op<Tpp_Dialect, mnemonic, traits>;

// An op that writes its result to its `outs` operand: tensors (the result is the updated operand) or memrefs (no result).
class Tpp_OutOp<string mnemonic, list<Trait> traits = []>
    : Tpp_Op<mnemonic, traits # [DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                 DeclareOpInterfaceMethods<ConditionallySpeculatable>,
                                 DeclareOpInterfaceMethods<Tpp_BufferUseOpInterface>]> {
  let hasVerifier = 1;
}

// The descriptor of an operation's kernels, #tpp.<name>_desc.
class Tpp_DescAttr<string className, string name>
    : AttrDef<Tpp_Dialect, className # "Desc", [DeclareAttrInterfaceMethods<Tpp_KernelDescAttrInterface>]> {
  let mnemonic = name # "_desc";
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif
