// See LoopBuilder.h.
#include "lowering/bind/LoopBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tpp;

Value LoopBuilder::index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

Value LoopBuilder::constant(double value) {
  return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
}

Value LoopBuilder::isWithin(Value value, int64_t end) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value, index(end)); // a negative value is large
}

Value LoopBuilder::ifElse(Value condition, Value otherwise, function_ref<Value()> body) {
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, body());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}

void LoopBuilder::ifThen(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void LoopBuilder::loop(Value size, function_ref<void(Value)> body) {
  auto forOp = scf::ForOp::create(builder, loc, index(0), size, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  body(forOp.getInductionVar());
}

Value LoopBuilder::reduceLoop(Value size, Value init, function_ref<Value(Value, Value)> body) {
  auto forOp = scf::ForOp::create(builder, loc, index(0), size, index(1), init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  scf::YieldOp::create(builder, loc, body(forOp.getInductionVar(), forOp.getRegionIterArg(0)));
  return forOp.getResult(0);
}

void LoopBuilder::loopNest2d(int64_t rows, int64_t cols, function_ref<void(Value, Value)> body) {
  loop(index(rows), [&](Value i) { loop(index(cols), [&](Value j) { body(i, j); }); });
}

Value LoopBuilder::load(Value memref, ValueRange indices) { return memref::LoadOp::create(builder, loc, memref, indices); }

void LoopBuilder::store(Value value, Value memref, ValueRange indices) {
  value = convertScalar(builder, loc, value, cast<MemRefType>(memref.getType()).getElementType());
  memref::StoreOp::create(builder, loc, value, memref, indices);
}

Indices LoopBuilder::at(Value tile, TileDims dims, Value i, Value j, Value batch) {
  auto type = cast<MemRefType>(tile.getType());
  Indices indices(type.getRank());
  if (dims.batch >= 0)
    indices[dims.batch] = batch;
  if (dims.vnni >= 0)
    std::tie(i, indices[dims.vnni]) = divide(i, type.getDimSize(dims.vnni));
  if (dims.isPanelled())
    std::tie(indices[dims.panels], j) = divide(j, type.getDimSize(dims.cols));
  indices[dims.rows] = i;
  indices[dims.cols] = j;
  return indices;
}

Indices LoopBuilder::at(Value operand, Broadcast broadcast, Value i, Value j) {
  switch (broadcast) {
  case Broadcast::None:
    return at(operand, getVerifiedTileDims(operand), i, j);
  case Broadcast::Row:
    return {j};
  case Broadcast::Col:
    return {i};
  case Broadcast::Scalar:
    return Indices(cast<MemRefType>(operand.getType()).getRank(), index(0));
  }
  llvm_unreachable("every broadcast has a case");
}

Value LoopBuilder::shifted(Value memref, Value offsets, Value entry) {
  auto type = cast<MemRefType>(memref.getType());
  Value bytes = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), load(offsets, entry));
  Value elements = arith::DivSIOp::create(builder, loc, bytes, index(type.getElementTypeBitWidth() / 8));
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  Value offset = arith::AddIOp::create(builder, loc, metadata.getOffset(), elements);
  SmallVector<int64_t> strides;
  int64_t ignored;
  // A layout without strides cannot occur: the verifier of the op above rejects it.
  if (failed(type.getStridesAndOffset(strides, ignored)))
    strides.assign(type.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  auto shiftedType = MemRefType::get(type.getShape(), type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(builder, loc, shiftedType, memref, OpFoldResult(offset),
                                           metadata.getConstifiedMixedSizes(), metadata.getConstifiedMixedStrides());
}

std::pair<Value, Value> LoopBuilder::divide(Value value, int64_t by) {
  Value divisor = index(by);
  return {arith::DivUIOp::create(builder, loc, value, divisor), arith::RemUIOp::create(builder, loc, value, divisor)};
}
