//===- Passes.td - the passes of tile -----------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_TILE_PASSES
#define TPP_LOWERING_TILE_PASSES

include "mlir/Pass/PassBase.td"

def LowerRelayouts : Pass<"tpp-lower-relayouts", "func::FuncOp"> {
  let summary = "Lower linalg.pack and linalg.unpack to reshapes, transposes and fills";
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def SplitBatch : Pass<"tpp-split-batch", "ModuleOp"> {
  let summary = "Compute runs of operations on buffers for some images of a batch at a time";
  let description = [{
    A batch is the outermost dimension of an argument. Contractions, linalg ops and copies that compute each image of their output from that image of
    their operands form a run. If L2 does not hold what is between them for all images, a loop computes the whole run for a group of images, in
    buffers of the group's size. Weights are read again for each group. A run and its groups are chosen by their estimated time
    (lowering/tile/ImageRuns.h). A parallel loop gives each thread consecutive groups, and buffers of its own.

    ```mlir
    tpp.contract ins(%x, %v : memref<8x56x56x64xf32>, ...) outs(%y : memref<8x56x56x64xf32>) ...
    linalg.generic ... ins(%y : memref<8x56x56x64xf32>) outs(%z : memref<8x28x28x64xf32>) // a pooling
    ```
    becomes
    ```mlir
    scf.for %group = %c0 to %c8 step %c1 {
      %part = memref.alloc() : memref<1x56x56x64xf32>
      tpp.contract ins(%image_of_x, %v : memref<1x56x56x64xf32, strided<...>>, ...) outs(%part : ...)
      linalg.generic ... ins(%part : ...) outs(%image_of_z : memref<1x28x28x64xf32, strided<...>>)
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "0", "bytes of a core's L2 cache; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

def SplitRows : Pass<"tpp-split-rows", "ModuleOp"> {
  let summary = "Compute what is between two contractions on buffers, such as a softmax, for some rows at a time";
  let description = [{
    Attention computes scores with one contraction, a softmax of each row, and a second contraction of its result. For long sequences, the scores do not
    fit the caches. All operations from the first contraction to the second that compute each row from that row of their operands are computed for
    some rows of one head at a time, in buffers that L2 holds. Keys and values are read again for each block of rows. Where that is estimated to be
    faster, and for how many rows, is decided in lowering/tile/RowRuns.h. A parallel loop gives each thread consecutive blocks, and buffers of its own.

    ```mlir
    tpp.contract ins(%q, %k : memref<12x2048x64xf32>, memref<12x64x2048xf32>) outs(%s : memref<12x2048x2048xf32>) ...
    linalg.generic ... ins(%s : memref<12x2048x2048xf32>) outs(%p : memref<12x2048x2048xf32>) // and others: a softmax
    tpp.contract ins(%p, %v : memref<12x2048x2048xf32>, memref<12x2048x64xf32>) outs(%o : memref<12x2048x64xf32>) ...
    ```
    becomes
    ```mlir
    scf.for %block = %c0 to %c768 step %c1 {
      %rows = memref.alloc() : memref<1x32x2048xf32>
      tpp.contract ins(%rows_of_q, %head_of_k : memref<1x32x64xf32, strided<...>>, ...) outs(%rows : ...)
      linalg.generic ... ins(%rows : memref<1x32x2048xf32>) outs(%other_rows : ...)
      tpp.contract ins(%other_rows, %head_of_v : ...) outs(%rows_of_o : memref<1x32x64xf32, strided<...>>)
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "0", "bytes of a core's L2 cache; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

def FuseBands : Pass<"tpp-fuse-bands", "ModuleOp"> {
  let summary = "Compute chains of contractions on buffers in bands of rows that L2 holds";
  let description = [{
    In a chain, each tpp.contract reads the output of the one before, which nothing else reads: a convolution of single pixels that
    multiplies the number of channels, a depthwise one, and one that reduces the channels again. If L2 does not hold the values between them, a loop
    computes some rows of the last output at a time, with the rows of the other values that they need, in buffers of a band's size. Rows that two
    bands need are computed twice. A dimension before the rows is computed one index at a time. A chain is computed in bands where that is estimated
    to be faster (lowering/tile/Bands.h). A parallel loop gives each thread consecutive bands, and buffers of its own.

    ```mlir
    tpp.contract ins(%x, %v : memref<1x56x56x24xf32>, ...) outs(%e : memref<1x56x56x144xf32>) ...
    tpp.contract ins(%e, %f : ...) outs(%d : memref<1x56x56x144xf32>) {grouped, padded, ...}
    tpp.contract ins(%d, %w : ...) outs(%y : memref<1x56x56x24xf32>) ...
    ```
    becomes
    ```mlir
    %e = memref.alloc() : memref<1x10x56x144xf32>
    %d = memref.alloc() : memref<1x8x56x144xf32>
    scf.for %band = %c0 to %c7 step %c1 {
      ... // the first and the last band read 9 rows of %e: an scf.if for each
      tpp.contract ins(%rows_of_x, %v : memref<1x10x56x24xf32, strided<...>>, ...) outs(%e : ...)
      tpp.contract ins(%e, %f : ...) outs(%d : ...)
      tpp.contract ins(%d, %w : ...) outs(%rows_of_y : memref<1x8x56x24xf32, strided<...>>)
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "0", "bytes of a core's L2 cache; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def TileWinograd : Pass<"tpp-tile-winograd", "ModuleOp"> {
  let summary = "Lower tpp.contract with Winograd's filters on buffers to loops over blocks of tiles";
  let description = [{
    Three steps compute a block of tiles: tpp.winograd_input for each row of tiles, tpp.brgemm for each point and one or all panels of filters,
    tpp.winograd_output, with the post-ops, for each row of tiles. Blocks are so small that L2 holds the transformed pixels and the products,
    which are in two scratch buffers. A parallel loop gives each thread consecutive blocks and scratch buffers of its own. If there are few
    tiles, the threads share each step of one block instead, so that filters are read once.
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def TileGroupedConvs : Pass<"tpp-tile-grouped-convs", "ModuleOp"> {
  let summary = "Lower tpp.contract with `grouped` on buffers to parallel loops over tpp.grouped_conv tiles";
  let description = [{
    A task computes a block of rows of one image, of all channels or of some panels of them. Blocks at the
    borders of the image begin or end within it: what is missing is in the attributes of the tile.
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def TileContractions : Pass<"tpp-tile-contractions", "ModuleOp"> {
  let summary = "Lower tpp.contract on buffers to parallel loops over tpp.brgemm tiles";
  let description = [{
    Dimensions that are one contiguous run in every operand are merged. Strides then give each dimension its role: C is contiguous along n, m is
    the longest other dimension of A and C, k the longest reduction. One further reduction becomes brgemm's batch by stride. Several become a
    constant table of offsets, or a sequential loop if the table would have more than 128 entries. The remaining dimensions and the blocks of rows
    and columns are the loops of one scf.forall, whose iterations are called tasks. The last block of rows or columns may be smaller than the
    others. If the packing splits k into KC blocks, the first and the last block are an scf.forall each; those between are one within an scf.for.

    The packing determines the order of the tasks; if it does not, a model of the target's caches chooses one. Tasks are ordered by rows, by
    columns, in groups of either, or along a Hilbert curve. The last two orders are one loop over all tasks:

    ```mlir
    tpp.contract ins(%a, %b : memref<100x16xf32>, memref<16x72xf32>) outs(%c : memref<100x72xf32>) {...
      tpp.chosen_packing = #tpp.packing<panel = 0, mc = 35, nc = 16, order = curve>}
    ```
    becomes
    ```mlir
    %table = memref.get_global @tpp_tasks_0 : memref<15xi32>
    scf.forall (%task) in (15) {
      %entry = memref.load %table[%task]
      ... %row = %entry / 5, %column = %entry % 5
      tpp.brgemm ... // or, in the last row or column, one of a smaller size
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "0", "bytes of a core's L2 cache; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def TileRelayouts : Pass<"tpp-tile-relayouts", "func::FuncOp"> {
  let summary = "Lower transpositions and copies on buffers to parallel loops over tpp.unary tiles";
  let description = [{
    An op that only moves elements (linalg on buffers, memref.copy) of 1, 2, 4 or 8 bytes becomes an scf.forall over tiles. The tiles are
    `transpose` if source and target are contiguous along different dimensions, and `identity` if rows of at least one cache line keep their
    order. If the moved data or the target buffer is larger than L2, the tiles are `streaming`. Not tiled, but left to tpp-vectorize-linalg:
    broadcasts, shorter rows, and transpositions with a dimension of less than four elements, unless these are the channels of at least 16 points.

    ```mlir
    linalg.transpose ins(%a : memref<128x64xi8>) outs(%b : memref<64x128xi8>) permutation = [1, 0]
    ```
    becomes
    ```mlir
    scf.forall (%i) in (2) {
      %x = memref.reinterpret_cast %a ... to memref<64x64xi8, strided<[64, 1], offset: ?>>
      %y = memref.reinterpret_cast %b ... to memref<64x64xi8, strided<[128, 1], offset: ?>>
      tpp.unary transpose ins(%x) outs(%y)
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "number of threads that execute a parallel loop">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "0", "bytes of a core's L2 cache; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

#endif
