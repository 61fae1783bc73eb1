// Binding of tpp.winograd_output: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/ImagePostOps.h"
#include "lowering/bind/TileOps.h"
#include "lowering/bind/WinogradLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tpp;

Attribute tpp::describeKernel(WinogradOutputOp op, Provider provider, FormReader &forms) {
  ArrayRef<int64_t> image = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t tiles = cast<MemRefType>(op.getIn().getType()).getDimSize(1), width = image[1], channels = image[2];
  TileDims dims = getVerifiedTileDims(op.getOut(), /*batched=*/true);
  MatrixAttr in = forms.tile("in", op.getIn(), tiles, channels, dims),
             out = forms.tile("out", op.getOut(), width, channels, dims);
  std::optional<int64_t> pointStride = forms.outerStride("in", op.getIn(), dims),
                         rowStride = forms.outerStride("out", op.getOut(), dims);
  if (!in || !out || !pointStride || !rowStride)
    return {};
  std::optional<ImagePostOpForms> postFields =
      describeImagePostOps(op.getPostOpList(), op.getPostOperands(), width, channels, forms);
  if (!postFields)
    return {};
  return WinogradOutputDescAttr::get(op.getContext(), op.getTile(), tiles, channels, image[0], width, in, out, *pointStride,
                                     *rowStride, provider, postFields->postOps, postFields->rowStrides);
}

void tpp::createInvoke(OpBuilder &builder, WinogradOutputOp op, Value kernel) {
  createInvokeWithPostOps(builder, op, op.getIn(), kernel);
}

// out[i][j] = post(sum over y, x of A[y][i] * m[y][x] * A[x][j]), for each tile and channel, and each pixel of it that exists.
void tpp::lowerToLoops(WinogradOutputOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  ArrayRef<int64_t> image = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t tile = op.getTile(), tiles = cast<MemRefType>(op.getIn().getType()).getDimSize(1);
  loops.loopNest2d(tiles, image[2], [&](Value number, Value channel) {
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
      loops.ifThen(loops.isWithin(column, image[1]), [&] {
        Value result = applyImagePostOps(loops, op.getPostOpList(), op.getPostOperands(), sums[position], {row, column, channel});
        loops.store(result, op.getOut(), {row, column, channel});
      });
    }
  });
}
