// Binding of tpp.winograd_input: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/TileOps.h"
#include "lowering/bind/WinogradLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tpp;

Attribute tpp::describeKernel(WinogradInputOp op, Provider provider, FormReader &forms) {
  ArrayRef<int64_t> image = cast<MemRefType>(op.getIn().getType()).getShape();
  int64_t tiles = cast<MemRefType>(op.getOut().getType()).getDimSize(1);
  TileDims dims = getVerifiedTileDims(op.getIn(), /*batched=*/true);
  MatrixAttr in = forms.tile("in", op.getIn(), image[1], image[2], dims);
  MatrixAttr out = forms.tile("out", op.getOut(), tiles, image[2], dims);
  std::optional<int64_t> rowStride = forms.outerStride("in", op.getIn(), dims),
                         pointStride = forms.outerStride("out", op.getOut(), dims);
  if (!in || !out || !rowStride || !pointStride)
    return {};
  return WinogradInputDescAttr::get(op.getContext(), op.getTile(), tiles, image[2], image[0], image[1], in, out, *rowStride,
                                    *pointStride, op.getTop(), op.getLeft(), provider);
}

void tpp::createInvoke(OpBuilder &builder, WinogradInputOp op, Value kernel) { createPlainInvoke(builder, op, kernel); }

// out[point] = sum over i, j of B[i][y] * d[i][j] * B[j][x], for each tile and channel.
void tpp::lowerToLoops(WinogradInputOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  ArrayRef<int64_t> image = cast<MemRefType>(op.getIn().getType()).getShape();
  int64_t tile = op.getTile(), size = tile + 2, tiles = cast<MemRefType>(op.getOut().getType()).getDimSize(1);
  loops.loopNest2d(tiles, image[2], [&](Value number, Value channel) {
    Value first = arith::MulIOp::create(builder, loops.loc, number, loops.index(tile));
    auto pixel = [&](int64_t i, int64_t j) -> Value {
      int64_t y = i - static_cast<int64_t>(op.getTop()), x = j - static_cast<int64_t>(op.getLeft());
      if (y < 0 || y >= image[0])
        return loops.constant(0);
      Value column = arith::AddIOp::create(builder, loops.loc, first, loops.index(x));
      return loops.ifElse(loops.isWithin(column, image[1]), loops.constant(0), [&] {
        Value value = loops.load(op.getIn(), {loops.index(y), column, channel});
        return convertScalar(builder, loops.loc, value, builder.getF32Type());
      });
    };
    SmallVector<Value> pixels;
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j)
        pixels.push_back(pixel(i, j));
    for (auto [point, value] : llvm::enumerate(transformTile(loops, getWinogradInputMatrix(tile), pixels)))
      loops.store(value, op.getOut(), {loops.index(point), number, channel});
  });
}
