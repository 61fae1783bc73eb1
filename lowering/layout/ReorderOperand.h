// Rewrites an operand of a contraction so that each loop indexes one of its dimensions.
#ifndef TPP_LOWERING_LAYOUT_REORDEROPERAND_H
#define TPP_LOWERING_LAYOUT_REORDEROPERAND_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

/// The elements of `value`, a tensor that a loop nest of `extents` reads at `map`, as a tensor with a dimension for each of `loops`, in this order. Other
/// loops are at 0. Every dimension that one loop indexes is sliced to what the loop reads. The map must be linear.
Value reorderOperand(RewriterBase &rewriter, Location loc, Value value, AffineMap map, ArrayRef<int64_t> extents,
                     ArrayRef<unsigned> loops);

} // namespace mlir::tpp

#endif
