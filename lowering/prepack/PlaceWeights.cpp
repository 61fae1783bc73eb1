//===- PlaceWeights.cpp - weights become parts of one segment ----------------------------------------------------------------===//
//
// Replaces weight arguments by views of one weights segment. Weights are not LLVM constants, because ResNet-50's weights as globals cost 35 s
// and 4 GB of compile time. They are one block outside the code, addressed as base + offset.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/prepack/PlaceWeights.h"

#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PLACEWEIGHTS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

FailureOr<tpp::WeightsLayout> tpp::layoutWeights(func::FuncOp func) {
  WeightsLayout layout;
  for (BlockArgument argument : func.getArguments()) {
    auto number = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), tpp::kWeightAttr);
    if (!number)
      continue;
    std::optional<int64_t> bytes = getBufferBytes(cast<ShapedType>(argument.getType()));
    int64_t index = number.getInt();
    if (!bytes || index < 0 || index >= int64_t(func.getNumArguments()))
      return func.emitOpError("argument ") << argument.getArgNumber() << " cannot be weight " << index << " of type "
                                           << argument.getType();
    if (size_t(index) >= layout.sizes.size())
      layout.sizes.resize(index + 1, -1);
    if (layout.sizes[index] >= 0 && layout.sizes[index] != *bytes)
      return func.emitOpError("has two arguments of different sizes that are both weight ") << index;
    layout.sizes[index] = *bytes;
  }
  for (auto [index, bytes] : llvm::enumerate(layout.sizes)) {
    if (bytes < 0)
      return func.emitOpError("has no argument that is weight ") << index;
    layout.offsets.push_back(layout.bytes);
    layout.bytes += llvm::alignTo(bytes, kSegmentAlignment);
  }
  return layout;
}

namespace {
struct PlaceWeights : public tpp::impl::PlaceWeightsBase<PlaceWeights> {
  void runOnOperation() override {
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && failed(place(func)))
        return signalPassFailure();
  }

  static LogicalResult place(func::FuncOp func) {
    FailureOr<tpp::WeightsLayout> layout = tpp::layoutWeights(func);
    if (failed(layout))
      return failure();
    OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
    func->setAttr(tpp::kWeightsBytesAttr, builder.getI64IntegerAttr(layout->bytes));
    if (layout->sizes.empty())
      return success();

    unsigned segmentIndex = func.getNumArguments();
    if (failed(func.insertArgument(segmentIndex, MemRefType::get({layout->bytes}, builder.getI8Type()),
                                   builder.getDictionaryAttr(builder.getNamedAttr(tpp::kWeightsAttr, builder.getUnitAttr())),
                                   func.getLoc())))
      return failure();
    Value segment = func.getArgument(segmentIndex);
    llvm::BitVector placed(segmentIndex + 1);
    for (unsigned i = 0; i < segmentIndex; ++i) {
      auto number = func.getArgAttrOfType<IntegerAttr>(i, tpp::kWeightAttr);
      if (!number)
        continue;
      BlockArgument argument = func.getArgument(i);
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type || !type.getLayout().isIdentity())
        return func.emitOpError("argument ") << i << " is a weight but not a buffer with the identity layout";
      Value offset = arith::ConstantIndexOp::create(builder, func.getLoc(), layout->offsets[number.getInt()]);
      argument.replaceAllUsesWith(
          memref::ViewOp::create(builder, func.getLoc(), type, segment, offset, ValueRange()).getResult());
      placed.set(i);
    }
    return func.eraseArguments(placed);
  }
};
} // namespace
