// See ImagePostOps.h.
#include "lowering/bind/ImagePostOps.h"

using namespace mlir;
using namespace mlir::tpp;

// The dimensions of a post-op's operand as a matrix for one row of pixels: the height is its batch.
static TileDims getPostDims(Broadcast broadcast) {
  TileDims dims;
  dims.batch = 0;
  dims.rows = 1;
  dims.cols = broadcast == Broadcast::None ? 2 : 1;
  return dims;
}

std::optional<ImagePostOpForms> tpp::describeImagePostOps(ArrayRef<PostOpAttr> postOps, ValueRange operands, int64_t width,
                                                          int64_t channels, FormReader &forms) {
  ImagePostOpForms all;
  SmallVector<Attribute> withForms;
  auto operand = operands.begin();
  for (PostOpAttr postOp : postOps) {
    all.rowStrides.push_back(0);
    if (postOp.isBinary()) {
      Value value = *operand++;
      Broadcast broadcast = postOp.getBroadcast();
      TileDims postDims = getPostDims(broadcast);
      std::optional<int64_t> stride = forms.outerStride("post", value, postDims);
      MatrixAttr form = broadcast == Broadcast::Scalar ? forms.broadcast("post", value, broadcast, width, channels)
                                                       : forms.tile("post", value, broadcast == Broadcast::Row ? 1 : width,
                                                                    broadcast == Broadcast::Col ? 1 : channels, postDims);
      if (!form || !stride)
        return std::nullopt;
      all.rowStrides.back() = *stride;
      postOp = PostOpAttr::get(postOp.getContext(), postOp.getBinaryKind(), broadcast, form);
    }
    withForms.push_back(postOp);
  }
  if (!withForms.empty())
    all.postOps = ArrayAttr::get(withForms.front().getContext(), withForms);
  return all;
}

Value tpp::applyImagePostOps(LoopBuilder &loops, ArrayRef<PostOpAttr> postOps, ValueRange operands, Value sum,
                             const std::array<Value, 3> &at) {
  return applyPostOps(loops.builder, loops.loc, postOps, sum, [&](unsigned operand, Broadcast broadcast) {
    Indices indices = {at[0]};
    if (broadcast == Broadcast::None || broadcast == Broadcast::Col)
      indices.push_back(at[1]);
    if (broadcast == Broadcast::None || broadcast == Broadcast::Row)
      indices.push_back(at[2]);
    return loops.load(operands[operand], indices);
  });
}
