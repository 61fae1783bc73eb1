//===- TppOps.td - operations ----------------------------------------------------------------------------------------------------===//

#ifndef TPP_OPS
#define TPP_OPS

include "TppAttrs.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tpp_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef], "ranked tensor or memref">;

class Tpp_Op<string mnemonic, list<Trait> traits = []> : Op<Tpp_Dialect, mnemonic, traits>;

// An operation on tiles, which are tensors (the result is the updated `out` operand) or memrefs (no result).
class Tpp_TileOp<string mnemonic, list<Trait> traits = []>
    : Tpp_Op<mnemonic, traits # [DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                 DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

//===- tiles --------------------------------------------------------------------------------------------------------------------===//

def Tpp_BrgemmOp : Tpp_TileOp<"brgemm", [AttrSizedOperandSegments]> {
  let summary = "Batch-reduce matrix multiplication of tiles with post-ops";
  let description = [{
    Computes `c = post(beta * c + sum over b of a_b * b_b)` with `sizes = [m, n, k]`. `beta` is 0 (the tile `c` is never read) or 1.

    A tile is plain, `[rows][columns]` (memrefs: strides `[ld, 1]`, or `[1, ld]` for a transposed operand), or in panels,
    `[panels][rows][panel]`. With `b_vnni = v`, B's tile is `[k/v][n][v]` or `[panels][k/v][panel][v]`.

    `batch`:
    - `none`: one pair of tiles.
    - `stride`: A and B have a leading batch dimension of equal size, which may be dynamic.
    - `offset`: `offsets` are two tables of byte offsets. Entry b of A is the tile that starts `a_offsets[b]` bytes after the start of A. A and B
      contain all tiles, so they may be larger than a tile; a tile has their strides. On tensors, offsets refer to the contiguous row-major
      layout of the operand.

    Element types: f32 x f32 -> f32; bf16 x bf16 -> f32 or bf16; i8 x i8 -> i32 (`a_unsigned`: A is u8). Sums are accumulated in f32 or i32.
    `streaming` is a hint that a kernel may write C with non-temporal stores: the result that contains the tile does not fit the caches, and is
    not read soon.

    Post-ops are applied in order to the accumulators. Each binary post-op takes the next of the `post` operands: a vector of n (`row`) or m
    (`col`) elements, a single element (`scalar`) or a tile (`none`).

    ```mlir
    %0 = tpp.brgemm sizes = [13, 32, 64] batch = stride beta = 1
           ins(%a, %b : tensor<4x13x64xf32>, tensor<4x64x32xf32>)
           post_ops = [#tpp.post_op<binary add row>, #tpp.post_op<unary relu>] post(%bias : tensor<32xf32>)
           outs(%c : tensor<13x32xf32>) -> tensor<13x32xf32>
    ```
  }];
  let arguments = (ins
    Tpp_Shaped:$a, Tpp_Shaped:$b, Optional<Tpp_Shaped>:$a_offsets, Optional<Tpp_Shaped>:$b_offsets, Tpp_Shaped:$c,
    Variadic<Tpp_Shaped>:$post_operands,
    DenseI64ArrayAttr:$sizes,
    DefaultValuedAttr<Tpp_BatchKindAttr, "::mlir::tpp::BatchKind::None">:$batch,
    DefaultValuedAttr<I64Attr, "0">:$beta,
    DefaultValuedAttr<I64Attr, "0">:$b_vnni,
    UnitAttr:$a_unsigned,
    UnitAttr:$streaming,
    OptionalAttr<Tpp_PostOpArrayAttr>:$post_ops);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `sizes` `=` $sizes (`batch` `=` `` $batch^)? (`beta` `=` $beta^)? (`b_vnni` `=` $b_vnni^)? (`a_unsigned` $a_unsigned^)? (`streaming` $streaming^)?
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)`
    (`offsets` `(` $a_offsets^ `,` $b_offsets `:` type($a_offsets) `,` type($b_offsets) `)`)?
    (`post_ops` `=` $post_ops^)? (`post` `(` $post_operands^ `:` type($post_operands) `)`)?
    `outs` `(` $c `:` type($c) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [
    // The type of the result is that of `c`. `postOps` may be null. Offset tables are for BatchKind::Offset only.
    OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$c, "::llvm::ArrayRef<int64_t>":$sizes,
                   "BatchKind":$batch, "bool":$beta, CArg<"::mlir::ArrayAttr", "{}">:$postOps,
                   CArg<"::mlir::ValueRange", "{}">:$postOperands, CArg<"::mlir::Value", "{}">:$aOffsets,
                   CArg<"::mlir::Value", "{}">:$bOffsets, CArg<"int64_t", "0">:$bVnni)>
  ];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); }
    int64_t getM() { return getSizes()[0]; }
    int64_t getN() { return getSizes()[1]; }
    int64_t getK() { return getSizes()[2]; }
    /// The positions of the tile's dimensions in each operand's type. The op must be verified.
    TileDims getADims();
    TileDims getBDims();
    TileDims getCDims();
    /// The post-ops; empty if there are none.
    ::llvm::SmallVector<PostOpAttr> getPostOpList();
  }];
}

def Tpp_UnaryOp : Tpp_TileOp<"unary"> {
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
}

def Tpp_BinaryOp : Tpp_TileOp<"binary"> {
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
}

def Tpp_ReduceOp : Tpp_TileOp<"reduce"> {
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
  let hasCanonicalizer = 0;
}

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
  let arguments = (ins AnyAttrOf<[Tpp_BrgemmDescAttr, Tpp_UnaryDescAttr, Tpp_BinaryDescAttr, Tpp_ReduceDescAttr],
                                 "descriptor of a tpp kernel">:$desc);
  let results = (outs Tpp_KernelType:$kernel);
  let assemblyFormat = "$desc attr-dict";
}

def Tpp_InvokeOp : Tpp_Op<"invoke", [AttrSizedOperandSegments]> {
  let summary = "Run a kernel on buffers";
  let description = [{
    The operands are those of tpp_args: `ins` is a, or a and b; `outs` is c; `batch` is the number of entries of a brgemm; `offsets` are its two
    offset tables; `post` are the operands of binary post-ops, and `slots` their indices in the list of post-ops. The dispatch has fixed all
    layouts, so only the addresses of the operands are used.

    ```mlir
    tpp.invoke %k ins(%a, %b : memref<4x13x64xf32>, memref<4x64x32xf32>) batch(%n) post(%bias : memref<32xf32>) slots = [0]
      outs(%c : memref<13x32xf32>)
    ```
  }];
  let arguments = (ins Tpp_KernelType:$kernel, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$inputs, Optional<Index>:$batch,
                       Arg<Variadic<AnyMemRef>, "", [MemRead]>:$offsets, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$post_operands,
                       Arg<AnyMemRef, "", [MemRead, MemWrite]>:$c, OptionalAttr<DenseI64ArrayAttr>:$post_slots);
  let assemblyFormat = [{
    $kernel (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`batch` `(` $batch^ `)`)? (`offsets` `(` $offsets^ `:` type($offsets) `)`)?
    (`post` `(` $post_operands^ `:` type($post_operands) `)`)? (`slots` `=` $post_slots^)? `outs` `(` $c `:` type($c) `)` attr-dict
  }];
  let hasVerifier = 1;
}

include "TppContractOp.td"

#endif
