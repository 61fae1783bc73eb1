// The tpp dialect: the header for the dialect, its attributes, types and enumerations (ops: TppOps.h).
#ifndef TPP_DIALECT_TPPDIALECT_H
#define TPP_DIALECT_TPPDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "tpp/machine.h"
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

/// The sizes of the tiles in which a matrix is stored. A dimension with a size of 0 or 1 is not cut.
struct TileSizes {
  int64_t rows = 0, columns = 0;

  bool operator==(const TileSizes &other) const { return rows == other.rows && columns == other.columns; }
};

/// The layout and the tiling of one contraction, as chosen by a packing strategy. B is the operand that has the dimension along which C is
/// contiguous. All fields have defaults, and so will later ones, so that existing strategies keep compiling.
struct Packing {
  int64_t panel = 0; // columns of a panel of B, at most all columns. 0: B stays unpacked
  int64_t kc = 0;    // steps of a KC block of the sum; KC blocks are computed one after the other and add to C. 0: one block
  int64_t mc = 0;    // rows of a task. 0: chosen by the size of L2 (docs/packing-strategies.md)
  int64_t nc = 0;    // columns of a task, within one panel. 0: ContractionInfo::getDefaultColumns
  // Order of tasks. Rows: all columns of a block of rows, then the next rows. Columns: all rows of a block of columns, then the next columns.
  // Blocked: one of the two, within groups that fit a cache. Curve: a Hilbert curve over the grid of tasks.
  LoopOrder order = LoopOrder::Auto;
  // Tiles of A, whose columns are the steps of the sum, and of C. None: the layout that tpp-propagate-layouts chooses for the value.
  std::optional<TileSizes> a, c;
  std::string by;     // name of the chooser, for reports; "": the attribute itself
  std::string remark; // emitted as a remark at the op; "": none
};

/// The input of a strategy (tpp_dialect/ContractionInfo.h).
struct ContractionInfo;

/// What one invocation of a kernel computes.
struct KernelWork {
  int64_t flops = 0;                    // multiplications and additions of one batch entry
  std::optional<ElementType> flopsType; // of the factors; none if the kernel multiplies no matrices
  int64_t elements = 0;                 // computed without matrix products

  static KernelWork ofElements(int64_t elements) { return {0, std::nullopt, elements}; }
};

/// The operands of tpp.invoke that a kernel takes besides its output.
struct KernelOperands {
  size_t inputs = 1;
  bool batch = false;                  // the number of batch entries
  bool bUse = false;                   // the number of the invocation among those with the same B
  bool offsets = false;                // two offset tables
  SmallVector<int64_t> postSlots = {}; // the post-ops that have an operand
};

} // namespace mlir::tpp

#include "tpp_dialect/TileAttrInterfaces.h.inc"
#include "tpp_dialect/TppInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tpp_dialect/TppAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tpp_dialect/TppTypes.h.inc"

namespace mlir::tpp {

/// The entry of kinds.def for an MLIR type; nullopt if there is none. Signless i8 is i8, or u8 if `isUnsigned`.
std::optional<ElementType> getElementType(Type type, bool isUnsigned = false);

/// True if a kind only moves bit patterns (group `move` of kinds.def), so that only the size of an element matters, not its type.
bool movesBits(UnaryKind kind);

/// True if a brgemm may apply the kind to its accumulators.
bool isPostOp(UnaryKind kind);

/// Checks that leaky_relu has a finite f32 `alpha`, and other kinds none.
LogicalResult verifyAlpha(function_ref<InFlightDiagnostic()> emitError, UnaryKind kind, FloatAttr alpha);

/// The entry of kinds.def for kinds that move bit patterns: that of the MLIR type, else one of its size in memory. nullopt if an element
/// does not have 1, 2, 4 or 8 bytes.
std::optional<ElementType> getMovedElementType(Type type);
/// Whether it is f32 or bf16: an element type of images that Winograd's algorithm reads and writes.
bool isWinogradImage(Type type);

/// Registers the bufferization of tpp.contract and the tile ops.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

/// Registers the dialect and its bufferization. Tools call this function.
void registerTppDialect(DialectRegistry &registry);

} // namespace mlir::tpp

#endif
