// Binding of tpp.reduce: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/TileOps.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tpp;

Attribute tpp::describeKernel(ReduceOp op, Provider provider, FormReader &forms) {
  auto [m, n] = getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn()));
  MatrixAttr in = forms.tile("in", op.getIn(), m, n, getVerifiedTileDims(op.getIn()));
  MatrixAttr out =
      forms.broadcast("out", op.getOut(), op.getAxis() == ReduceAxis::OverRows ? Broadcast::Row : Broadcast::Col, m, n);
  if (!in || !out)
    return {};
  return ReduceDescAttr::get(op.getContext(), op.getKind(), op.getAxis(), m, n, in, out, op.getBeta(), provider);
}

void tpp::createInvoke(OpBuilder &builder, ReduceOp op, Value kernel) { createPlainInvoke(builder, op, kernel); }

void tpp::lowerToLoops(ReduceOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  auto [rows, cols] = getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn()));
  bool overRows = op.getAxis() == ReduceAxis::OverRows;
  int64_t results = overRows ? cols : rows, summands = overRows ? rows : cols;
  Type in = getElementTypeOrSelf(op.getIn()), out = getElementTypeOrSelf(op.getOut());
  Type compute = getComputeType({in, out});
  loops.loop(loops.index(results), [&](Value kept) {
    Value init = op.getBeta() == 1 ? convertScalar(builder, loc, loops.load(op.getOut(), kept), compute)
                                   : createReduceInit(builder, loc, op.getKind(), compute);
    Value result = loops.reduceLoop(loops.index(summands), init, [&](Value reduced, Value acc) {
      Indices at = loops.at(op.getIn(), Broadcast::None, overRows ? reduced : kept, overRows ? kept : reduced);
      Value x = convertScalar(builder, loc, loops.load(op.getIn(), at), compute);
      return createReduceStep(builder, loc, op.getKind(), acc, x);
    });
    loops.store(result, op.getOut(), kept);
  });
}
