// The ops of the tpp dialect, and the positions of a tile's dimensions in an operand's shape.
#ifndef TPP_DIALECT_TPPOPS_H
#define TPP_DIALECT_TPPOPS_H

#include "tpp_dialect/TppDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tpp {

/// Positions of a tile's dimensions in an operand's shape: [batch] [panels] rows columns [vnni]; -1 if absent.
struct TileDims {
  int batch = -1;
  int panels = -1;
  int rows = -1;
  int cols = -1; // of one panel, if there are panels
  int vnni = -1;

  bool isPanelled() const { return panels >= 0; }
};

/// The positions for an operand of rank `rank`; nullopt if no tile has that rank.
std::optional<TileDims> getTileDims(int64_t rank, bool batched = false, bool vnni = false);

/// The positions for an operand of a verified op, whose rank is valid.
TileDims getVerifiedTileDims(Value operand, bool batched = false, bool vnni = false);

} // namespace mlir::tpp

#define GET_OP_CLASSES
#include "tpp_dialect/TppOps.h.inc"

#endif
