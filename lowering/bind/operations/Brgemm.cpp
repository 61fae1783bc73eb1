// Binding of tpp.brgemm: its descriptor, its invocation, its scalar loops.
#include "lowering/bind/TileOps.h"
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/DescriptorParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tpp;

Attribute tpp::describeKernel(BrgemmOp op, Provider provider, FormReader &forms) {
  int64_t m = op.getM(), n = op.getN(), k = op.getK();
  int64_t vnni = op.getBVnni();
  MatrixAttr a = forms.tile("a", op.getA(), m, k, op.getADims(), 0, op.getAUnsigned());
  MatrixAttr b = forms.tile("b", op.getB(), k, n, op.getBDims(), vnni, op.getBUnsigned());
  MatrixAttr c = forms.tile("c", op.getC(), m, n, op.getCDims(), 0, op.getCUnsigned());
  std::optional<int64_t> aStride = forms.batchStride("a", op.getA(), op.getADims());
  std::optional<int64_t> bStride = forms.batchStride("b", op.getB(), op.getBDims());
  if (!a || !b || !c || !aStride || !bStride)
    return {};
  SmallVector<Attribute> postOps;
  auto operand = op.getPostOperands().begin();
  for (PostOpAttr postOp : op.getPostOpList()) {
    if (postOp.isBinary()) {
      MatrixAttr form = forms.broadcast("post", *operand++, postOp.getBroadcast(), m, n);
      if (!form)
        return {};
      postOp = PostOpAttr::get(op.getContext(), postOp.getBinaryKind(), postOp.getBroadcast(), form);
    }
    postOps.push_back(postOp);
  }
  BatchKind batch = op.getBatch() == BatchKind::None ? BatchKind::Stride : op.getBatch();
  return BrgemmDescAttr::get(op.getContext(), m, n, k, a, b, c, batch, op.getBeta(), *aStride, *bStride, provider,
                             op.getStreaming(), op.getBUses(),
                             postOps.empty() ? ArrayAttr() : ArrayAttr::get(op.getContext(), postOps));
}

/// The number of a brgemm's batch entries.
static Value createBatchCount(OpBuilder &builder, BrgemmOp op) {
  Location loc = op.getLoc();
  Value counted = op.getBatch() == BatchKind::Stride   ? op.getA()
                  : op.getBatch() == BatchKind::Offset ? op.getAOffsets()
                                                       : Value();
  if (!counted)
    return arith::ConstantIndexOp::create(builder, loc, 1);
  int64_t size = cast<MemRefType>(counted.getType()).getDimSize(0);
  if (!ShapedType::isDynamic(size))
    return arith::ConstantIndexOp::create(builder, loc, size);
  return memref::DimOp::create(builder, loc, counted, 0);
}

void tpp::createInvoke(OpBuilder &builder, BrgemmOp op, Value kernel) {
  SmallVector<int64_t> slots = getOperandSlots(op.getPostOpList());
  SmallVector<Value> offsets;
  if (op.getBatch() == BatchKind::Offset)
    offsets = {op.getAOffsets(), op.getBOffsets()};
  InvokeOp::create(builder, op.getLoc(), kernel, ValueRange{op.getA(), op.getB()}, createBatchCount(builder, op), op.getBUse(),
                   offsets, op.getPostOperands(), op.getC(),
                   slots.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(slots));
}

void tpp::lowerToLoops(BrgemmOp op, LoopBuilder &loops) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  Type compute = getAccumulatorType(getElementTypeOrSelf(op.getA()), getElementTypeOrSelf(op.getC()));
  bool offset = op.getBatch() == BatchKind::Offset;
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(compute));
  Value count = loops.index(1);
  if (Value counted = offset ? op.getAOffsets() : op.getBatch() == BatchKind::Stride ? op.getA() : Value())
    count = memref::DimOp::create(builder, loc, counted, 0);

  loops.loopNest2d(op.getM(), op.getN(), [&](Value i, Value j) {
    Indices atC = loops.at(op.getC(), op.getCDims(), i, j);
    Value init = op.getBeta() == 1 ? convertScalar(builder, loc, loops.load(op.getC(), atC), compute, op.getCUnsigned()) : zero;
    Value acc = loops.reduceLoop(count, init, [&](Value entry, Value outer) {
      Value a = offset ? loops.shifted(op.getA(), op.getAOffsets(), entry) : op.getA();
      Value b = offset ? loops.shifted(op.getB(), op.getBOffsets(), entry) : op.getB();
      return loops.reduceLoop(loops.index(op.getK()), outer, [&](Value p, Value inner) {
        Value x = loops.load(a, loops.at(a, op.getADims(), i, p, entry)),
              y = loops.load(b, loops.at(b, op.getBDims(), p, j, entry));
        x = convertScalar(builder, loc, x, compute, op.getAUnsigned());
        y = convertScalar(builder, loc, y, compute, op.getBUnsigned());
        Value product = createBinary(builder, loc, BinaryKind::Mul, x, y);
        return createBinary(builder, loc, BinaryKind::Add, inner, product);
      });
    });
    acc = applyPostOps(builder, loc, op.getPostOpList(), acc, [&](unsigned operand, Broadcast broadcast) {
      Value source = op.getPostOperands()[operand];
      return loops.load(source, loops.at(source, broadcast, i, j));
    });
    acc = convertScalar(builder, loc, acc, getElementTypeOrSelf(op.getC()), op.getCUnsigned());
    loops.store(acc, op.getC(), atC);
  });
}
