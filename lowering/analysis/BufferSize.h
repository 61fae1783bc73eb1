// The buffer of a view, and the bytes it takes: one answer for the planner, the weights segment and the tools that fill buffers.
#ifndef TPP_LOWERING_ANALYSIS_BUFFERSIZE_H
#define TPP_LOWERING_ANALYSIS_BUFFERSIZE_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir::tpp {

/// What all offsets in the workspace and in the weights segment are multiples of: a cache line, and a whole AVX-512 register.
inline constexpr int64_t kSegmentAlignment = 64;

/// Bytes of one element as compiled code lays it out: i1 takes a byte, index eight. Empty for a type that has no such size.
std::optional<int64_t> getElementBytes(Type elementType);

/// Bytes of a tensor or memref; empty when its shape is not static, its elements have no size, or the product overflows 62 bits.
std::optional<int64_t> getBufferBytes(ShapedType type);

/// The buffer that a view shows part of, the workspace's parts taken for buffers of their own.
Value getBuffer(Value view);

/// Whether `accepts` holds for every operation that uses a buffer, itself or through views of it.
bool allUsers(Value buffer, function_ref<bool(Operation *)> accepts);

} // namespace mlir::tpp

#endif
