// Binding of tpp.binary: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/TileOps.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tpp;

Attribute tpp::describeKernel(BinaryOp op, Provider provider, FormReader &forms) {
  auto [m, n] = getTileSizes(op.getOut(), getVerifiedTileDims(op.getOut()));
  MatrixAttr lhs = forms.broadcast("lhs", op.getLhs(), op.getLhsBroadcast(), m, n);
  MatrixAttr rhs = forms.broadcast("rhs", op.getRhs(), op.getRhsBroadcast(), m, n);
  MatrixAttr out = forms.tile("out", op.getOut(), m, n, getVerifiedTileDims(op.getOut()));
  if (!lhs || !rhs || !out)
    return {};
  return BinaryDescAttr::get(op.getContext(), op.getKind(), m, n, lhs, rhs, out, op.getLhsBroadcast(), op.getRhsBroadcast(),
                             provider);
}

void tpp::createInvoke(OpBuilder &builder, BinaryOp op, Value kernel) { createPlainInvoke(builder, op, kernel); }

void tpp::lowerToLoops(BinaryOp op, LoopBuilder &loops) {
  auto [rows, cols] = getTileSizes(op.getOut(), getVerifiedTileDims(op.getOut()));
  Type lhs = getElementTypeOrSelf(op.getLhs()), rhs = getElementTypeOrSelf(op.getRhs()), out = getElementTypeOrSelf(op.getOut());
  Type compute = getComputeType({out, lhs, rhs});
  loops.loopNest2d(rows, cols, [&](Value i, Value j) {
    Value x = loops.load(op.getLhs(), loops.at(op.getLhs(), op.getLhsBroadcast(), i, j));
    Value y = loops.load(op.getRhs(), loops.at(op.getRhs(), op.getRhsBroadcast(), i, j));
    x = convertScalar(loops.builder, loops.loc, x, compute);
    y = convertScalar(loops.builder, loops.loc, y, compute);
    loops.store(createBinary(loops.builder, loops.loc, op.getKind(), x, y), op.getOut(),
                loops.at(op.getOut(), Broadcast::None, i, j));
  });
}
