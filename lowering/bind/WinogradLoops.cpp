// See WinogradLoops.h.
#include "lowering/bind/WinogradLoops.h"

namespace mlir::tpp {

// matrix * tile, for a tile of matrix.columns rows, each of `width` elements.
static SmallVector<Value> multiply(LoopBuilder &loops, SmallMatrix matrix, ArrayRef<Value> tile, int64_t width) {
  SmallVector<Value> result;
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t column = 0; column < width; ++column) {
      Value sum;
      for (int64_t i = 0; i < matrix.columns; ++i) {
        double factor = matrix.at(row, i);
        if (factor == 0)
          continue;
        Value term = tile[i * width + column];
        if (factor != 1)
          term = createBinary(loops.builder, loops.loc, BinaryKind::Mul, term, loops.constant(factor));
        sum = sum ? createBinary(loops.builder, loops.loc, BinaryKind::Add, sum, term) : term;
      }
      result.push_back(sum);
    }
  return result;
}

static SmallVector<Value> transpose(ArrayRef<Value> tile, int64_t width) {
  SmallVector<Value> result;
  for (int64_t column = 0; column < width; ++column)
    for (size_t i = column; i < tile.size(); i += width)
      result.push_back(tile[i]);
  return result;
}

SmallVector<Value> transformTile(LoopBuilder &loops, SmallMatrix matrix, ArrayRef<Value> tile) {
  SmallVector<Value> rows = multiply(loops, matrix, tile, matrix.columns);
  // (matrix * rows^T)^T
  return transpose(multiply(loops, matrix, transpose(rows, matrix.columns), matrix.rows), matrix.rows);
}

} // namespace mlir::tpp
