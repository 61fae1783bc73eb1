// Post-ops of the tiles of images: tpp.winograd_output and tpp.grouped_conv.
#ifndef TPP_LOWERING_TILE_IMAGEPOSTOPS_H
#define TPP_LOWERING_TILE_IMAGEPOSTOPS_H

#include "tpp_dialect/ContractionInfo.h"

namespace mlir::tpp {

/// The strides of an operand along the rows, columns and channels of C.
struct ImageStrides {
  int64_t row = 0, column = 0, channel = 0;
};

/// The post-ops of a tile, with views of their operands.
struct ImagePostOps {
  SmallVector<Attribute> postOps;
  SmallVector<Value> operands;
};

/// The post-ops of a contraction for a tile of rows x columns x channels outputs, `sizes`. `getStrides` gives the strides of operand i of the
/// contraction; `makeView` makes a view of it at the tile.
ImagePostOps makeImagePostOps(const ContractionInfo &contraction, ArrayRef<int64_t> sizes,
                              function_ref<ImageStrides(unsigned)> getStrides,
                              function_ref<Value(unsigned, ArrayRef<int64_t>, ArrayRef<int64_t>)> makeView);

} // namespace mlir::tpp

#endif
