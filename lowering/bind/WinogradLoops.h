// The transforms of Winograd's algorithm on scalars, for the lowering of their ops to loops.
#ifndef TPP_LOWERING_BIND_WINOGRADLOOPS_H
#define TPP_LOWERING_BIND_WINOGRADLOOPS_H

#include "lowering/analysis/Winograd.h"
#include "lowering/bind/LoopBuilder.h"

namespace mlir::tpp {

/// matrix * tile * matrix^T, where `tile` has as many rows and columns as the matrix has columns. Both are in row-major order, of f32.
SmallVector<Value> transformTile(LoopBuilder &loops, SmallMatrix matrix, ArrayRef<Value> tile);

} // namespace mlir::tpp

#endif
