// Binding of tpp.unary: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tpp;

Attribute tpp::describeKernel(UnaryOp op, Provider provider, FormReader &forms) {
  if (movesBits(op.getKind()))
    forms.acceptMovedTypes();
  bool transposes = op.getKind() == UnaryKind::Transpose;
  int64_t vnni = op.getOutDims().vnni >= 0 ? cast<MemRefType>(op.getOut().getType()).getDimSize(op.getOutDims().vnni) : 0;
  // The last group of rows of a VNNI-blocked output may be partial, so the sizes come from the input.
  auto [m, n] = vnni ? getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn())) : getTileSizes(op.getOut(), op.getOutDims());
  MatrixAttr out = forms.tile("out", op.getOut(), m, n, op.getOutDims(), vnni);
  // zero has no input, but the descriptor needs a valid form: that of the output.
  MatrixAttr in = op.getIn() ? forms.broadcast("in", op.getIn(), op.getBroadcast(), transposes ? n : m, transposes ? m : n) : out;
  if (!in || !out)
    return {};
  return UnaryDescAttr::get(op.getContext(), op.getKind(), m, n, in, out, op.getBroadcast(), provider, op.getStreaming(),
                            op.getAlphaAttr());
}

void tpp::createInvoke(OpBuilder &builder, UnaryOp op, Value kernel) { createPlainInvoke(builder, op, kernel); }

/// vnni_pack: copies every element of the input and fills a partial last group of rows with zeros.
static void lowerVnniPack(UnaryOp op, LoopBuilder &loops) {
  TileDims dims = op.getOutDims();
  auto [rows, cols] = getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn()));
  loops.loopNest2d(rows, cols, [&](Value i, Value j) {
    Value x = loops.load(op.getIn(), loops.at(op.getIn(), Broadcast::None, i, j));
    loops.store(x, op.getOut(), loops.at(op.getOut(), dims, i, j));
  });
  int64_t vnni = cast<MemRefType>(op.getOut().getType()).getDimSize(dims.vnni);
  Type element = getElementTypeOrSelf(op.getOut());
  loops.loopNest2d(llvm::alignTo(rows, vnni) - rows, cols, [&, rows = rows](Value i, Value j) {
    Value zero = arith::ConstantOp::create(loops.builder, loops.loc, loops.builder.getZeroAttr(element));
    Value row = arith::AddIOp::create(loops.builder, loops.loc, i, loops.index(rows));
    loops.store(zero, op.getOut(), loops.at(op.getOut(), dims, row, j));
  });
}

void tpp::lowerToLoops(UnaryOp op, LoopBuilder &loops) {
  UnaryKind kind = op.getKind();
  if (kind == UnaryKind::VnniPack)
    return lowerVnniPack(op, loops);
  auto [rows, cols] = getTileSizes(op.getOut(), getVerifiedTileDims(op.getOut()));
  Type out = getElementTypeOrSelf(op.getOut());
  Type in = op.getIn() ? getElementTypeOrSelf(op.getIn()) : out;
  // Kinds that move or convert elements keep the input's type. Formulas on floats are computed in f32 or f64.
  bool formula = kind == UnaryKind::Zero || (!movesBits(kind) && kind != UnaryKind::Convert);
  Type compute = formula ? getComputeType({in, out}) : in;
  loops.loopNest2d(rows, cols, [&](Value i, Value j) {
    Value x;
    if (kind == UnaryKind::Zero)
      x = arith::ConstantOp::create(loops.builder, loops.loc, loops.builder.getZeroAttr(compute));
    else if (kind == UnaryKind::Transpose)
      x = loops.load(op.getIn(), loops.at(op.getIn(), Broadcast::None, j, i));
    else
      x = loops.load(op.getIn(), loops.at(op.getIn(), op.getBroadcast(), i, j));
    x = convertScalar(loops.builder, loops.loc, x, compute);
    loops.store(createUnary(loops.builder, loops.loc, kind, x, op.getAlphaAttr()), op.getOut(),
                loops.at(op.getOut(), Broadcast::None, i, j));
  });
}
