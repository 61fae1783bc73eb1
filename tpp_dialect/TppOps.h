// The ops of the tpp dialect, and where a tile's dimensions are in an operand's shape.
#ifndef TPP_DIALECT_TPPOPS_H
#define TPP_DIALECT_TPPOPS_H

#include "tpp_dialect/TppDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tpp {

/// Positions, in an operand's shape, of what makes up its tile: [batch] [panels] rows columns [vnni]; -1 where absent.
struct TileDims {
  int batch = -1;
  int panels = -1;
  int rows = -1;
  int cols = -1; // of one panel, when there are panels
  int vnni = -1;

  bool isPanelled() const { return panels >= 0; }
};

/// The positions for an operand of rank `rank`; nullopt when no tile has that rank.
std::optional<TileDims> getTileDims(int64_t rank, bool batched = false, bool vnni = false);

/// The positions for an operand of an op that the verifier has passed: its rank is a tile's.
TileDims getVerifiedTileDims(Value operand, bool batched = false, bool vnni = false);

} // namespace mlir::tpp

#define GET_OP_CLASSES
#include "tpp_dialect/TppOps.h.inc"

#endif
