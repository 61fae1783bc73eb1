// The tpp dialect: what a user of it includes for the dialect, its attributes, types and enumerations (ops: TppOps.h).
#ifndef TPP_DIALECT_TPPDIALECT_H
#define TPP_DIALECT_TPPDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "tpp_dialect/TppDialect.h.inc"
#include "tpp_dialect/TppEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tpp_dialect/TppAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tpp_dialect/TppTypes.h.inc"

namespace mlir::tpp {

/// The row of kinds.def for an MLIR type, nullopt where there is none. Signless i8 is i8, or u8 when `isUnsigned`.
std::optional<ElementType> getElementType(Type type, bool isUnsigned = false);

/// A row of kinds.def for the kinds that move bit patterns (identity, zero, transpose): that of the MLIR type, or any of its size in
/// memory. nullopt where it does not lie in 1, 2, 4 or 8 bytes.
std::optional<ElementType> getMovedElementType(Type type);

/// Makes the tile ops bufferizable by one-shot bufferize.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

/// Registers the dialect with everything above: what a tool calls.
void registerTppDialect(DialectRegistry &registry);

} // namespace mlir::tpp

#endif
