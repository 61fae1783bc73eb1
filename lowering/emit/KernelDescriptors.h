// The descriptors of a compiled model's kernels: as attributes in the IR, as the C structures of tpp/types.h in its code.
#ifndef TPP_LOWERING_EMIT_KERNELDESCRIPTORS_H
#define TPP_LOWERING_EMIT_KERNELDESCRIPTORS_H

#include "mlir/IR/Attributes.h"
#include "tpp_dialect/StageAttributes.h"

#include <string>

namespace mlir::tpp {

/// A descriptor as the C entry points store it: the runtime's function that takes it, and the bytes of the structure.
struct EncodedDescriptor {
  llvm::StringRef dispatchFunction; // "tpp_dispatch_brgemm"
  std::string bytes;
};
EncodedDescriptor encodeDescriptor(Attribute descriptor);

/// The descriptor as MLIR prints it.
std::string printDescriptor(Attribute descriptor);

/// What the kernel computes in words: "brgemm 13x32x64". For reports when no runtime is there to be asked.
std::string describeDescriptor(Attribute descriptor);

} // namespace mlir::tpp

#endif
