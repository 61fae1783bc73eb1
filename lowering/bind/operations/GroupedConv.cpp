// Binding of tpp.grouped_conv: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/ImagePostOps.h"
#include "lowering/bind/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "tpp_dialect/ContractionInfo.h"

using namespace mlir;
using namespace mlir::tpp;

Attribute tpp::describeKernel(GroupedConvOp op, Provider provider, FormReader &forms) {
  GroupedConvShape shape = op.getConvShape();
  ArrayRef<int64_t> input = cast<MemRefType>(op.getIn().getType()).getShape(),
                    image = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t width = image[1], channels = image[2];
  TileDims dims = getVerifiedTileDims(op.getOut(), /*batched=*/true);
  MatrixAttr in = forms.tile("in", op.getIn(), input[1], input[2], dims, /*vnni=*/0, shape.inUnsigned),
             filter = forms.tile("filter", op.getFilter(), shape.taps[0] * shape.taps[1] * shape.group[0], channels,
                                 op.getFilterDims()),
             out = forms.tile("out", op.getOut(), width, channels, dims, /*vnni=*/0, shape.outUnsigned);
  std::optional<int64_t> inStride = forms.outerStride("in", op.getIn(), dims),
                         outStride = forms.outerStride("out", op.getOut(), dims);
  if (!in || !filter || !out || !inStride || !outStride)
    return {};
  std::optional<ImagePostOpForms> postFields =
      describeImagePostOps(op.getPostOpList(), op.getPostOperands(), width, channels, forms);
  if (!postFields)
    return {};
  return GroupedConvDescAttr::get(op.getContext(), image[0], width, channels, input[0], input[1], shape.group[0], shape.group[1],
                                  shape.taps[0], shape.taps[1], shape.steps[0], shape.steps[1], shape.dilations[0],
                                  shape.dilations[1], shape.before[0], shape.before[1], shape.border, in, filter, out, *inStride,
                                  *outStride, provider, postFields->postOps, postFields->rowStrides);
}

void tpp::createInvoke(OpBuilder &builder, GroupedConvOp op, Value kernel) {
  createInvokeWithPostOps(builder, op, {op.getIn(), op.getFilter()}, kernel);
}

// out[i][j][n] = post(sum over y, x, c of pixel (i * step + y * dilation - before, ...) of channel c of n's group * filter[y][x][c][n]).
void tpp::lowerToLoops(GroupedConvOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  GroupedConvShape shape = op.getConvShape();
  ArrayRef<int64_t> input = cast<MemRefType>(op.getIn().getType()).getShape(),
                    image = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t inputs = shape.group[0], outputs = shape.group[1];
  // value * factor + addend
  auto scale = [&](Value value, int64_t factor, Value addend) -> Value {
    return arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, value, loops.index(factor)), addend);
  };
  // The row or column of the input that a tap of an output needs.
  auto position = [&](Value output, Value tap, size_t dim) {
    return scale(output, shape.steps[dim], scale(tap, shape.dilations[dim], loops.index(-shape.before[dim])));
  };
  Type compute = getAccumulatorType(getElementTypeOrSelf(op.getIn()), getElementTypeOrSelf(op.getOut()));
  auto number = [&](int64_t value) -> Value {
    if (isa<FloatType>(compute))
      return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(compute, static_cast<double>(value)));
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(compute, value));
  };
  auto load = [&](Value operand, ValueRange indices, bool isUnsigned) {
    return convertScalar(builder, loc, loops.load(operand, indices), compute, isUnsigned);
  };
  auto pixel = [&](Value row, Value column, Value channel) {
    Value border = number(shape.border);
    return loops.ifElse(loops.isWithin(row, input[0]), border, [&] {
      return loops.ifElse(loops.isWithin(column, input[1]), border,
                          [&] { return load(op.getIn(), {row, column, channel}, shape.inUnsigned); });
    });
  };
  loops.loop(loops.index(image[0]), [&](Value i) {
    loops.loopNest2d(image[1], image[2], [&](Value j, Value n) {
      Value group = arith::DivUIOp::create(builder, loc, n, loops.index(outputs));
      Value sum = loops.reduceLoop(loops.index(shape.taps[0]), number(0), [&](Value y, Value ofRows) {
        return loops.reduceLoop(loops.index(shape.taps[1]), ofRows, [&](Value x, Value ofTaps) {
          return loops.reduceLoop(loops.index(inputs), ofTaps, [&](Value c, Value acc) {
            Value value = pixel(position(i, y, 0), position(j, x, 1), scale(group, inputs, c));
            Value tap = scale(scale(y, shape.taps[1], x), inputs, c);
            Value factor = load(op.getFilter(), loops.at(op.getFilter(), op.getFilterDims(), tap, n), /*isUnsigned=*/false);
            return createBinary(builder, loc, BinaryKind::Add, acc, createBinary(builder, loc, BinaryKind::Mul, value, factor));
          });
        });
      });
      sum = applyImagePostOps(loops, op.getPostOpList(), op.getPostOperands(), sum, {i, j, n});
      sum = convertScalar(builder, loc, sum, getElementTypeOrSelf(op.getOut()), shape.outUnsigned);
      loops.store(sum, op.getOut(), {i, j, n});
    });
  });
}
