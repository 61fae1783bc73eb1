// Converts the kernel descriptors of a compiled model from attributes in the IR to the C structures of tpp/types.h, and to text.
#ifndef TPP_LOWERING_EMIT_KERNELDESCRIPTORS_H
#define TPP_LOWERING_EMIT_KERNELDESCRIPTORS_H

#include "mlir/IR/Attributes.h"
#include "tpp_dialect/StageAttributes.h"

#include <string>

namespace mlir::tpp {

/// A descriptor as the C entry points store it: the name of the runtime function that takes it, and the bytes of the structure.
struct EncodedDescriptor {
  std::string dispatchFunction; // "tpp_dispatch_brgemm"
  std::string bytes;
};
EncodedDescriptor encodeDescriptor(Attribute descriptor);

/// The descriptor as MLIR prints it.
std::string printDescriptor(Attribute descriptor);

/// A short text that says what the kernel computes: "brgemm 13x32x64". For reports; needs no runtime.
std::string describeDescriptor(Attribute descriptor);

} // namespace mlir::tpp

#endif
