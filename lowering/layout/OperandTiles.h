// The layouts with tiles that a packing strategy chooses for operands A and C of a contraction (Packing::a and Packing::c).
#ifndef TPP_LOWERING_LAYOUT_OPERANDTILES_H
#define TPP_LOWERING_LAYOUT_OPERANDTILES_H

#include "lowering/analysis/LinearMap.h"
#include "lowering/layout/PackableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tpp {

// The position of the activations among the operands of a tpp.contract: 1 if only operand 0 is constant, else 0. Here, A is the activations.
unsigned getActivations(ContractOp op);

// The tiles that a strategy chose for the operands of a tpp.contract.
struct OperandTiles {
  unsigned a = 0;              // the position of A among the operands
  LayoutAttr aLayout, cLayout; // null: any
  MatrixTiles aTiles, cTiles;  // of these layouts
};

// Asks the strategy of each contraction of a function for tiles, and stores its answer in the op, as tpp.chosen_packing, if it chooses tiles. Fails if
// a strategy fails.
LogicalResult chooseOperandTiles(func::FuncOp func);

// The loops that the tiles of the op's strategy do not divide, each with the extent of its whole tiles.
SmallVector<std::pair<unsigned, int64_t>> getTileBoundaries(ContractOp op);

// The tiles that the op's strategy has chosen and that its operands do not have yet; nullopt if there are none.
// - Sizes are limited to the extents. A keeps its layout if it has fewer columns than a tile and its rows are not cut.
// - A dimension is cut only if a single loop of the contraction indexes it and nothing else: the channels of a convolution, but not its pixels.
// - Rows are cut only if the contraction has one row dimension.
// - C keeps its layout if A's rows are cut in tiles that do not fit.
std::optional<OperandTiles> getOperandTiles(ContractOp op);

// Marks a contraction whose operands have their tiles, and its test. Its operands A and C then keep their layouts.
void setTiled(ContractOp op);
bool isTiled(ContractOp op);

// Whether `value` is computed only from constants and tpp.prepack arguments, through about 100 values at most.
bool isConstantWithinLimit(Value value);

} // namespace mlir::tpp

#endif
