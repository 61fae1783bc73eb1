// Binding of tpp.winograd_output: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/TileOps.h"
#include "lowering/bind/WinogradLoops.h"
#include "tpp_dialect/DescriptorParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

Attribute tpp::describeKernel(WinogradOutputOp op, Provider provider, FormReader &forms) {
  MLIRContext *context = op.getContext();
  ArrayRef<int64_t> image = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t tiles = cast<MemRefType>(op.getIn().getType()).getDimSize(1), width = image[1], channels = image[2];
  TileDims dims = getVerifiedTileDims(op.getOut(), /*batched=*/true);
  MatrixAttr in = forms.tile("in", op.getIn(), tiles, channels, dims),
             out = forms.tile("out", op.getOut(), width, channels, dims);
  std::optional<int64_t> pointStride = forms.outerStride("in", op.getIn(), dims),
                         rowStride = forms.outerStride("out", op.getOut(), dims);
  if (!in || !out || !pointStride || !rowStride)
    return {};
  SmallVector<Attribute> postOps;
  SmallVector<int64_t> rowStrides;
  auto operand = op.getPostOperands().begin();
  for (PostOpAttr postOp : op.getPostOpList()) {
    rowStrides.push_back(0);
    if (postOp.isBinary()) {
      Value value = *operand++;
      Broadcast broadcast = postOp.getBroadcast();
      TileDims postDims = getPostDims(broadcast);
      std::optional<int64_t> stride = forms.outerStride("post", value, postDims);
      MatrixAttr form = broadcast == Broadcast::Scalar ? forms.broadcast("post", value, broadcast, width, channels)
                                                       : forms.tile("post", value, broadcast == Broadcast::Row ? 1 : width,
                                                                    broadcast == Broadcast::Col ? 1 : channels, postDims);
      if (!form || !stride)
        return {};
      rowStrides.back() = *stride;
      postOp = PostOpAttr::get(context, postOp.getBinaryKind(), broadcast, form);
    }
    postOps.push_back(postOp);
  }
  return WinogradOutputDescAttr::get(context, op.getTile(), tiles, channels, image[0], width, in, out, *pointStride, *rowStride,
                                     provider, postOps.empty() ? ArrayAttr() : ArrayAttr::get(context, postOps), rowStrides);
}

void tpp::createInvoke(OpBuilder &builder, WinogradOutputOp op, Value kernel) {
  SmallVector<int64_t> slots = getOperandSlots(op.getPostOpList());
  InvokeOp::create(builder, op.getLoc(), kernel, op.getIn(), /*batch=*/Value(), /*offsets=*/ValueRange(), op.getPostOperands(),
                   op.getOut(), slots.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(slots));
}

// out[i][j] = post(sum over y, x of A[y][i] * m[y][x] * A[x][j]), for each tile and channel, and each pixel of it that exists.
void tpp::lowerToLoops(WinogradOutputOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  ArrayRef<int64_t> image = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t tile = op.getTile(), tiles = cast<MemRefType>(op.getIn().getType()).getDimSize(1);
  loops.tile(tiles, image[2], [&](Value number, Value channel) {
    Value first = arith::MulIOp::create(builder, loops.loc, number, loops.index(tile));
    SmallVector<Value> products;
    for (int64_t point = 0; point < getWinogradPoints(tile); ++point)
      products.push_back(loops.load(op.getIn(), {loops.index(point), number, channel}));
    SmallVector<Value> sums = transformTile(loops, getWinogradOutputMatrix(tile), products);
    for (size_t position = 0; position < sums.size(); ++position) {
      int64_t i = static_cast<int64_t>(position) / tile, j = static_cast<int64_t>(position) % tile;
      if (i >= image[0])
        continue;
      Value row = loops.index(i), column = arith::AddIOp::create(builder, loops.loc, first, loops.index(j));
      loops.execute(loops.isWithin(column, image[1]), [&] {
        Value result =
            applyPostOps(builder, loops.loc, op.getPostOpList(), sums[position], [&](unsigned operand, Broadcast broadcast) {
              Indices at = {row};
              if (broadcast == Broadcast::None || broadcast == Broadcast::Col)
                at.push_back(column);
              if (broadcast == Broadcast::None || broadcast == Broadcast::Row)
                at.push_back(channel);
              return loops.load(op.getPostOperands()[operand], at);
            });
        loops.store(result, op.getOut(), {row, column, channel});
      });
    }
  });
}
