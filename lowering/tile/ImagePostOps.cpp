// See ImagePostOps.h.
#include "lowering/tile/ImagePostOps.h"

namespace mlir::tpp {

ImagePostOps makeImagePostOps(const ContractionInfo &contraction, ArrayRef<int64_t> sizes,
                              function_ref<ImageStrides(unsigned)> getStrides,
                              function_ref<Value(unsigned, ArrayRef<int64_t>, ArrayRef<int64_t>)> makeView) {
  ImagePostOps result;
  unsigned i = 3;
  for (PostOpAttr postOp : contraction.postOps) {
    if (postOp.isUnary()) {
      result.postOps.push_back(postOp);
      continue;
    }
    ImageStrides strides = getStrides(i);
    bool alongColumns = strides.column != 0 && sizes[1] > 1, alongChannels = strides.channel != 0 && sizes[2] > 1;
    Broadcast broadcast =
        alongChannels ? (alongColumns ? Broadcast::None : Broadcast::Row) : (alongColumns ? Broadcast::Col : Broadcast::Scalar);
    SmallVector<int64_t> viewSizes = {sizes[0]}, viewStrides = {strides.row};
    if (alongColumns)
      viewSizes.push_back(sizes[1]), viewStrides.push_back(strides.column);
    if (alongChannels)
      viewSizes.push_back(sizes[2]), viewStrides.push_back(strides.channel);
    result.operands.push_back(makeView(i, viewSizes, viewStrides));
    result.postOps.push_back(PostOpAttr::get(postOp.getContext(), postOp.getBinaryKind(), broadcast));
    ++i;
  }
  return result;
}

} // namespace mlir::tpp
