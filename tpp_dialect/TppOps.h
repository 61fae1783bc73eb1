// The ops of the tpp dialect, and the positions of a tile's dimensions in an operand's shape.
#ifndef TPP_DIALECT_TPPOPS_H
#define TPP_DIALECT_TPPOPS_H

#include "tpp_dialect/TppDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <array>

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

/// The points of a tile in Winograd's algorithm F(tile x tile, 3 x 3).
inline int64_t getWinogradPoints(int64_t tile) { return (tile + 2) * (tile + 2); }

/// Whether kernels convolve images and filters of type `in` (channels of which form groups) to elements of type `out`; `converts`: after the post-op convert.
bool hasGroupedConvTypes(Type in, Type out, bool converts);
constexpr llvm::StringLiteral kGroupedConvTypes =
    "f32 x f32 -> f32, bf16 x bf16 -> f32 or bf16, i8 x i8 -> i32 (f32, bf16, f16 or i8 after the post-op convert)";

/// The attributes of tpp.grouped_conv: pairs for rows and columns, and the input and output channels of a group.
struct GroupedConvShape {
  std::array<int64_t, 2> taps;
  std::array<int64_t, 2> steps = {1, 1};
  std::array<int64_t, 2> dilations = {1, 1};
  std::array<int64_t, 2> before = {0, 0};
  std::array<int64_t, 2> group = {1, 1};
  int64_t border = 0;
  bool inUnsigned = false, outUnsigned = false;
};

} // namespace mlir::tpp

#include "tpp_dialect/TileOpInterfaces.h.inc"
#define GET_OP_CLASSES
#include "tpp_dialect/TppOps.h.inc"

namespace mlir::tpp {

/// Whether `op` is an operation of operations.def on a tile: tpp.brgemm, tpp.unary and so on.
bool isTileOp(Operation *op);

/// Calls `function` with a tile op as its class.
template <typename Function> auto visitTileOp(Operation *op, Function function) {
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  if (auto tileOp = dyn_cast<Name##Op>(op))                                                                                      \
    return function(tileOp);
#include "tpp/operations.def"
  llvm_unreachable("a tile op is one of operations.def");
}

} // namespace mlir::tpp

#endif
