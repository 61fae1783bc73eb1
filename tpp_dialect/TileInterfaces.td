//===- TileInterfaces.td - what every kernel descriptor and every op with an `out` answers -----------------------------------------===//

#ifndef TPP_TILE_INTERFACES
#define TPP_TILE_INTERFACES

include "mlir/IR/OpBase.td"

def Tpp_KernelDescAttrInterface : AttrInterface<"KernelDescAttrInterface"> {
  let cppNamespace = "::mlir::tpp";
  let description = [{
    The descriptor of a kernel: the parameters that are fixed at dispatch. It mirrors the C structure of its operation field by field.
  }];
  let methods = [
    InterfaceMethod<"The name of the operation in operations.def: `brgemm` for `#tpp.brgemm_desc`.",
      "::llvm::StringRef", "getOperationName", (ins), [{}], [{
        return ConcreteAttr::getMnemonic().drop_back(::llvm::StringRef("_desc").size());
      }]>,
    InterfaceMethod<"The bytes of the C structure of tpp/types.h.", "std::string", "getBytes">,
    InterfaceMethod<"A short text that says what the kernel computes: `brgemm 13x32x64`.", "std::string", "getSummary">,
    InterfaceMethod<"What an invocation computes, for estimates and reports.", "::mlir::tpp::KernelWork", "getWork">,
    InterfaceMethod<"The operands that `tpp.invoke` must have besides its output.", "::mlir::tpp::KernelOperands", "getOperands">
  ];
}

def Tpp_BufferUseOpInterface : OpInterface<"BufferUseOpInterface"> {
  let cppNamespace = "::mlir::tpp";
  let description = [{
    How an op that writes its result to the buffer of its `outs` operand uses the buffers of its operands. Bufferization and the op's memory
    effects follow from it.
  }];
  let methods = [
    InterfaceMethod<"Whether the old value of the output is read (beta = 1).", "bool", "readsOut">,
    InterfaceMethod<[{
        Whether each element of an input, whose type is that of the output, is read only to compute the output element at its position,
        before that is written. Both may then share a buffer.
      }], "bool", "readsElementwise", (ins "::mlir::OpOperand &":$input)>,
    InterfaceMethod<"Whether the op needs an operand's buffer to be contiguous and row-major.",
      "bool", "needsContiguousBuffer", (ins "::mlir::OpOperand &":$operand)>
  ];
}

#endif
