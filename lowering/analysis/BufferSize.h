// Finds the buffer that a view refers to and computes sizes in bytes. The workspace planner, the weights segment and the tools that fill buffers
// share these functions, so that they agree.
#ifndef TPP_LOWERING_ANALYSIS_BUFFERSIZE_H
#define TPP_LOWERING_ANALYSIS_BUFFERSIZE_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir::tpp {

/// Alignment of all offsets in the workspace and in the weights segment, in bytes: one cache line, which is also one AVX-512 register.
inline constexpr int64_t kSegmentAlignment = 64;

/// Bytes of one element in the memory of compiled code: i1 takes one byte, index takes eight. Empty if the type has no known size.
std::optional<int64_t> getElementBytes(Type elementType);

/// Bytes of a tensor or memref. Empty if the shape is not static, the element type has no known size, or the product is 2^62 or more.
std::optional<int64_t> getBufferBytes(ShapedType type);

/// Bytes of a tensor or memref; 0 if they are not known, and for other values.
int64_t getValueBytes(Value value);

/// The buffer that a chain of views refers to. A part of the workspace (memref.view) counts as a buffer of its own.
Value getBuffer(Value view);

/// Whether a buffer, as getBuffer() returns it, is known not to overlap other buffers.
bool isDistinct(Value buffer);

/// Whether `accepts` holds for every operation that uses a buffer, directly or through views.
bool allUsers(Value buffer, function_ref<bool(Operation *)> accepts);

} // namespace mlir::tpp

#endif
