//===- BufferSize.cpp - sizes and underlying buffers of values ---------------------------------------------------------------===//

#include "lowering/analysis/BufferSize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

std::optional<int64_t> tpp::getElementBytes(Type elementType) {
  if (elementType.isIndex())
    return 8;
  if (elementType.isIntOrFloat())
    return llvm::PowerOf2Ceil(llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8));
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    std::optional<int64_t> part = getElementBytes(complex.getElementType());
    return part ? std::optional<int64_t>(2 * *part) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<int64_t> tpp::getBufferBytes(ShapedType type) {
  std::optional<int64_t> bytes = getElementBytes(type.getElementType());
  if (!bytes || !type.hasStaticShape())
    return std::nullopt;
  // Check for empty tensors first: their other sizes may be so large that the product overflows.
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(*bytes, size, *bytes) || *bytes >= int64_t(1) << 62)
      return std::nullopt;
  return bytes;
}

int64_t tpp::getValueBytes(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type ? getBufferBytes(type).value_or(0) : 0;
}

Value tpp::getBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<memref::ViewOp>(view.getOperation()))
      break;
    value = view.getViewSource();
  }
  return value;
}

bool tpp::isDistinct(Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp, memref::GetGlobalOp>(buffer.getDefiningOp());
}

bool tpp::allUsers(Value buffer, function_ref<bool(Operation *)> accepts) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    return isa<ViewLikeOpInterface>(user) ? llvm::all_of(user->getResults(), [&](Value view) { return allUsers(view, accepts); })
                                          : accepts(user);
  });
}
