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

def TileContractions : Pass<"tpp-tile-contractions", "ModuleOp"> {
  let summary = "Lower tpp.contract on buffers to parallel loops over tpp.brgemm tiles";
  let description = [{
    Dimensions that are one run in every operand are merged; n is the one along which C is contiguous, m the longest other one of A, k the
    longest reduction. One further reduction is brgemm's batch by stride, several are a constant table of offsets. The rest are dimensions of
    one scf.forall over blocks of rows and columns, with tiles of their own size at the ends. The order of these tasks is the packing's, or
    what the caches of the target ask for: by rows, by columns, in groups of either, or along a Hilbert curve. The last two are one loop:

    ```mlir
    tpp.contract ins(%a, %b : memref<100x16xf32>, memref<16x72xf32>) outs(%c : memref<100x72xf32>) {...
      tpp.chosen_packing = #tpp.packing<panel = 0, rows = 35, columns = 16, order = curve>}
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
  let options = [Option<"threads", "threads", "int64_t", "1", "threads that share parallel loops">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "0", "second-level cache of a core; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def TileRelayouts : Pass<"tpp-tile-relayouts", "func::FuncOp"> {
  let summary = "Lower transpositions and copies on buffers to parallel loops over tpp.unary tiles";
  let description = [{
    An op that only moves elements (linalg on buffers, memref.copy), of a type of 1, 2, 4 or 8 bytes, becomes an scf.forall over tiles: `transpose`
    where source and target are contiguous along different dimensions, `identity` where rows of at least a cache line keep their
    order. Tiles of what is larger than the second-level cache are `streaming`. Broadcasts, shorter rows and narrower squares are left to
    tpp-vectorize-linalg.

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
  let options = [Option<"l2Bytes", "l2-bytes", "int64_t", "0", "second-level cache of a core; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

#endif
