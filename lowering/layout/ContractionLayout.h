// The layout of one contraction's operands: all decisions of tpp-assign-layouts, as a plan that is complete before the IR changes.
#ifndef TPP_LOWERING_LAYOUT_CONTRACTIONLAYOUT_H
#define TPP_LOWERING_LAYOUT_CONTRACTIONLAYOUT_H

#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "tpp_dialect/TppOps.h"
#include <vector>

namespace mlir::tpp {

// One op that changes the layout of an operand.
struct LayoutStep {
  enum Kind {
    Slice,     // the part of the operand from element offsets[i] of dimension i on
    Expand,    // a reshape: dimension i becomes the dimensions groups[i]
    Transpose, // dimension i of the result is dimension order[i]
    // Dimension `position` is split into panels of `panel`, which become innermost, and the outer dimensions are transposed to `order`. With
    // vnni > 1, dimension `grouped` is split into groups of `vnni`, which follow the panels.
    Pack
  };
  Kind kind;
  RankedTensorType type; // of the result
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> order, offsets;
  int64_t position = 0, panel = 0, grouped = 0, vnni = 1;
};

// An operand in a new layout: the steps to it, and how the contraction reads the result.
struct PlannedOperand {
  unsigned operand = 0; // its position among the op's operands
  bool isConstant = false;
  RankedTensorType type;
  AffineMap map;
  SmallVector<LayoutStep> steps;
};

// A contraction over a range of the columns, with its operands in new layouts.
struct PlannedContraction {
  int64_t firstColumn = 0, columns = 0;
  PlannedOperand a, b;
  RankedTensorType cType; // of the computed result
  AffineMap cMap;
  SmallVector<AffineMap> postMaps; // of the operands of post-ops
  SmallVector<int64_t> extents;
  SmallVector<int64_t> restore; // the transposition from cType to the op's result; empty if there is none
  Packing packing;
  bool staysUnpacked = false; // the strategy chose panels, but B cannot be packed
};

// How a contraction is computed: as a whole, or in two parts that each compute a range of the columns, because panels of the chosen width do
// not divide the columns.
struct LayoutPlan {
  std::vector<PlannedContraction> parts;
  // With two parts: the operand that has the columns, and the dimension of the columns in it and in C.
  unsigned sliced = 0;
  int64_t slicedDim = 0, resultDim = 0;
};

// Plans the layout of a contraction on tensors, without changing the IR. The plan has no parts, and the contraction stays unchanged, if C has no
// contiguous dimension, neither operand has it, or a map is not linear. Fails if the op's packing strategy fails.
FailureOr<LayoutPlan> planLayout(ContractOp op, ConstantAnalysis &constants);

} // namespace mlir::tpp

#endif
