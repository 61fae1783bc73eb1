//===- TppOps.td - tpp.dispatch and tpp.invoke; includes all other ops ----------------------------------------------------------------------------------------------------===//

#ifndef TPP_OPS
#define TPP_OPS

include "TileOps.td"
include "TppOperations.td"

//===- kernels ------------------------------------------------------------------------------------------------------------------===//

def Tpp_DispatchOp : Tpp_Op<"dispatch", [Pure]> {
  let summary = "The kernel for a descriptor";
  let description = [{
    Pure: equal descriptors give the same kernel, so dispatches may be hoisted and merged. A compiled model dispatches its kernels when it is
    created.

    ```mlir
    %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>
    ```
  }];
  let arguments = (ins AnyAttrOf<[Tpp_KernelDescAttrInterface], "descriptor of a tpp kernel">:$desc);
  let results = (outs Tpp_KernelType:$kernel);
  let assemblyFormat = "$desc attr-dict";
}

def Tpp_InvokeOp : Tpp_Op<"invoke", [AttrSizedOperandSegments]> {
  let summary = "Run a kernel on buffers";
  let description = [{
    The operands are those of tpp_args: `ins` is a, or a and b; `outs` is c; `batch` is the number of entries of a brgemm, `b_use` the number of the
    invocation among those with its B; `offsets` are its two offset tables; `post` are the operands of binary post-ops, and `slots` their indices in the list of post-ops. The dispatch has fixed all
    layouts, so only the addresses of the operands are used.

    ```mlir
    tpp.invoke %k ins(%a, %b : memref<4x13x64xf32>, memref<4x64x32xf32>) batch(%n) post(%bias : memref<32xf32>) slots = [0]
      outs(%c : memref<13x32xf32>)
    ```
  }];
  let arguments = (ins Tpp_KernelType:$kernel, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$inputs, Optional<Index>:$batch,
                       Optional<Index>:$b_use, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$offsets, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$post_operands,
                       Arg<AnyMemRef, "", [MemRead, MemWrite]>:$c, OptionalAttr<DenseI64ArrayAttr>:$post_slots);
  let assemblyFormat = [{
    $kernel (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`batch` `(` $batch^ `)`)? (`b_use` `(` $b_use^ `)`)? (`offsets` `(` $offsets^ `:` type($offsets) `)`)?
    (`post` `(` $post_operands^ `:` type($post_operands) `)`)? (`slots` `=` $post_slots^)? `outs` `(` $c `:` type($c) `)` attr-dict
  }];
  let hasVerifier = 1;
}

include "TppContractOp.td"
include "TppGatherOp.td"
include "TppTeamOp.td"

#endif
