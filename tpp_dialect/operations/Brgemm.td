//===- Brgemm.td - tpp.brgemm and its descriptor ----------------------------------------------------------------------------===//

#ifndef TPP_OPERATIONS_BRGEMM
#define TPP_OPERATIONS_BRGEMM

include "TileOps.td"

def Tpp_BrgemmDescAttr : Tpp_DescAttr<"Brgemm", "brgemm"> {
  let summary = "The parameters of a brgemm kernel that are fixed at dispatch (tpp_brgemm_desc)";
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, "MatrixAttr":$a, "MatrixAttr":$b, "MatrixAttr":$c,
                        Tpp_DefaultEnum<Tpp_BatchKind, "Stride">:$batch_kind,
                        DefaultValuedParameter<"int64_t", "0">:$beta, DefaultValuedParameter<"int64_t", "0">:$a_batch_stride,
                        DefaultValuedParameter<"int64_t", "0">:$b_batch_stride,
                        Tpp_DefaultEnum<Tpp_Provider, "Auto">:$provider, DefaultValuedParameter<"int64_t", "0">:$streaming,
                        DefaultValuedParameter<"int64_t", "0">:$b_uses, OptionalParameter<"::mlir::ArrayAttr">:$post_ops);
  let extraClassDeclaration = [{
    /// The post-ops as attributes; empty if there are none.
    ::llvm::SmallVector<PostOpAttr> getPostOpList() const;
  }];
}

def Tpp_BrgemmOp : Tpp_OutOp<"brgemm", [AttrSizedOperandSegments]> {
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

    Element types: f32 x f32 -> f32; bf16 x bf16 -> f32 or bf16; f16 x f16 -> f32 or f16; i8 x i8 -> i32 (`a_unsigned`: A is u8; `b_unsigned`: B is u8), or after the post-op `convert` -> f32, bf16, f16 or i8 (`c_unsigned`: u8). Sums are accumulated in f32 or i32. `convert` turns i32
    sums into f32: post-ops before it have operands of i32, those after it of f32, bf16, f16, i32 or (signed) i8.
    `streaming` is a hint that a kernel may write C with non-temporal stores: the result that contains the tile does not fit the caches, and is
    not read soon. `b_use(%i of 14)` is a hint that 14 invocations, one soon after the other, have this B, of which this is number `%i`, from 0.

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
    Variadic<Tpp_Shaped>:$post_operands, Optional<Index>:$b_use,
    DenseI64ArrayAttr:$sizes,
    DefaultValuedAttr<Tpp_BatchKindAttr, "::mlir::tpp::BatchKind::None">:$batch,
    DefaultValuedAttr<I64Attr, "0">:$beta,
    DefaultValuedAttr<I64Attr, "0">:$b_vnni,
    UnitAttr:$a_unsigned,
    UnitAttr:$b_unsigned,
    UnitAttr:$c_unsigned,
    UnitAttr:$streaming,
    DefaultValuedAttr<I64Attr, "0">:$b_uses,
    OptionalAttr<Tpp_PostOpArrayAttr>:$post_ops);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `sizes` `=` $sizes (`batch` `=` `` $batch^)? (`beta` `=` $beta^)? (`b_vnni` `=` $b_vnni^)? (`a_unsigned` $a_unsigned^)?
    (`b_unsigned` $b_unsigned^)? (`c_unsigned` $c_unsigned^)? (`streaming` $streaming^)?
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)`
    (`offsets` `(` $a_offsets^ `,` $b_offsets `:` type($a_offsets) `,` type($b_offsets) `)`)?
    (`post_ops` `=` $post_ops^)? (`post` `(` $post_operands^ `:` type($post_operands) `)`)?
    `outs` `(` $c `:` type($c) `)` (`b_use` `(` $b_use^ `of` $b_uses `)`)? attr-dict (`->` type($result)^)?
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
  let hasCanonicalizer = 1;
}

#endif
