// Helpers of the operations' descriptors: verification of the fields that several descriptors have, and their conversion to C.
#ifndef TPP_DIALECT_DESCRIPTORPARTS_H
#define TPP_DIALECT_DESCRIPTORPARTS_H

#include "tpp/types.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult verifySize(EmitError emitError, StringRef name, int64_t size);
LogicalResult verifyBeta(EmitError emitError, int64_t beta);
LogicalResult verifyStreaming(EmitError emitError, int64_t streaming);

/// The C structure of a layout.
tpp_matrix encode(MatrixAttr form);

/// The bytes of a C structure. The compiler and the runtime include the same header, so the layout in the emitted code is the one that the
/// runtime was compiled with.
template <typename Descriptor> std::string toBytes(const Descriptor &descriptor) {
  return std::string(reinterpret_cast<const char *>(&descriptor), sizeof(descriptor));
}

} // namespace mlir::tpp

#endif
