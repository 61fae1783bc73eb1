// The tpp dialect: what a user of it includes for the dialect, its attributes, types and enumerations (ops: TppOps.h).
#ifndef TPP_DIALECT_TPPDIALECT_H
#define TPP_DIALECT_TPPDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "tpp_dialect/StageAttributes.h"

#include <memory>
#include <string>

namespace mlir::tpp {
class TunedPackings;
class TunedPackingFiles;
} // namespace mlir::tpp

#include "tpp_dialect/TppDialect.h.inc"
#include "tpp_dialect/TppEnums.h.inc"

namespace mlir::tpp {

/// How one contraction is laid out and cut: what a packing strategy chooses. B is the operand that holds the dimension along which C is
/// contiguous. Later fields have defaults as well, so that strategies written today keep compiling.
struct Packing {
  int64_t panel = 0;   // columns of a panel of B; as wide as the columns where they are fewer. 0: B stays as it lies
  int64_t k = 0;       // steps of the sum in one pass; passes follow one another and add to C; 0: one pass
  int64_t rows = 0;    // of a task; 0: so many that their block of A stays in half of the second-level cache
  int64_t columns = 0; // of a task, in one panel; 0: 64
  // Of tasks. Rows: all columns of a block of rows one after the other; Columns: all rows of a block of columns; Blocked: one of the two within
  // groups that a cache holds; Curve: a Hilbert curve over both
  LoopOrder order = LoopOrder::Auto;
  std::string by;     // who chose, for reports; "": the attribute itself
  std::string remark; // what the user should know, given as a remark at the op; "": nothing
};

/// What a strategy is asked (tpp_dialect/PackingProblem.h).
struct PackingProblem;

} // namespace mlir::tpp

#include "tpp_dialect/TppInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tpp_dialect/TppAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tpp_dialect/TppTypes.h.inc"

namespace mlir::tpp {

/// The row of kinds.def for an MLIR type, nullopt where there is none. Signless i8 is i8, or u8 when `isUnsigned`.
std::optional<ElementType> getElementType(Type type, bool isUnsigned = false);

/// Whether a kind moves bit patterns, so that elements of any type of its size will do (kinds.def's group).
bool movesBits(UnaryKind kind);

/// Whether a brgemm may apply a kind to its accumulators.
bool isPostOp(UnaryKind kind);

/// leaky_relu has a finite f32 alpha, no other kind has one.
LogicalResult verifyAlpha(function_ref<InFlightDiagnostic()> emitError, UnaryKind kind, FloatAttr alpha);

/// A row of kinds.def for the kinds that move bit patterns: that of the MLIR type, or any of its size in
/// memory. nullopt where it does not lie in 1, 2, 4 or 8 bytes.
std::optional<ElementType> getMovedElementType(Type type);

/// Makes the tile ops bufferizable by one-shot bufferize.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

/// Registers the dialect with everything above: what a tool calls.
void registerTppDialect(DialectRegistry &registry);

} // namespace mlir::tpp

#endif
