// The description of one contraction that all stages share: its loop dimensions with their strides and roles, and its operands.
//
// It is built from a tpp.contract, or from maps and types, by getContractionInfo (lowering/analysis/Contractions.h). A packing strategy
// receives it as its input.
#ifndef TPP_DIALECT_CONTRACTIONINFO_H
#define TPP_DIALECT_CONTRACTIONINFO_H

#include "tpp_dialect/StridedDim.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

/// The role of a loop dimension. Reduction (K): C does not use it. Row (M): A and C use it. Column (N): B and C.
/// Batch: all three, or C alone.
enum class DimensionRole { Batch, Row, Column, Reduction };

/// One loop dimension and its stride in each operand, in elements; 0 if the operand does not use it. Operand 0 is A, 1 is B, 2 is C; the
/// operands of post-ops follow.
struct ContractionDim : StridedDim {
  int64_t a() const { return strides[0]; }
  int64_t b() const { return strides[1]; }
  int64_t c() const { return strides[2]; }
  DimensionRole getRole() const;

  bool grouped =
      false; // B has VNNI form: groups of consecutive steps are adjacent, and its stride is that of a group divided by the steps of one
};

/// How a map reads an operand in VNNI form: `loop floordiv factor` indexes dimension `group`, and `loop mod factor` the last dimension. No other
/// index depends on the loop. If `factor` does not divide the loop's extent, the last group ends with zeros.
struct VnniForm {
  unsigned loop = 0, group = 0;
  int64_t factor = 1;
};
/// nullopt if the map does not read an operand in VNNI form.
std::optional<VnniForm> getVnniForm(AffineMap map);

/// The type in which a contraction of elements of type `a` into elements of type `c` accumulates: f32 for f16 and bf16; i32 for integers whose sums
/// are converted to a floating-point type or to 8 bits; else `c`. Sums are rounded to `c` once, at the end.
Type getAccumulatorType(Type a, Type c);

/// A contraction, in terms of A, B and C. B is the operand that has C's contiguous dimension; it may be either operand of the op.
struct ContractionInfo {
  struct Operand {
    Type elementType;
    bool isUnsigned = false; // of a signless integer type: its elements are unsigned
    bool isConstant = false; // depends on constants only, so that it is relaid out once, before the first call
    int64_t vnni = 1;        // the factor of its VNNI form; 1: plain
    int64_t offset = 0;      // of the element at the start of all loops, in elements
    int64_t elements = 0;    // of the whole value

    int64_t getElementBytes() const { return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8); }
    int64_t getBytes() const { return elements * getElementBytes(); }
  };

  SmallVector<ContractionDim> dims;  // the op's loops, in order
  SmallVector<Operand, 3> operands;  // A, B, C, operands of post-ops
  bool swapped = false;              // A is the op's operand `b`, and B its operand `a`
  std::optional<unsigned> columnDim; // the dimension of extent > 1 along which C is contiguous, if there is one
  int64_t beta = 0;                  // 1: the contraction adds to C
  SmallVector<PostOpAttr, 0> postOps;
  TargetAttr target;

  const Operand &a() const { return operands[0]; }
  const Operand &b() const { return operands[1]; }
  const Operand &c() const { return operands[2]; }
  /// Exchanges A and B, without changing the dimension of the columns.
  void swapInputs();
  /// The position of A (0), B (1) or C (2) among the op's operands.
  unsigned getOpOperand(unsigned operand) const { return swapped && operand < 2 ? 1 - operand : operand; }

  Type getAccumulatorType() const { return tpp::getAccumulatorType(a().elementType, c().elementType); }
  /// The VNNI factor that the target's kernels need of an operand B with this element type; 1: plain.
  int64_t getVnniFactor() const;
  /// Accumulators in a vector of the target.
  int64_t getLanes() const;
  /// Columns of a panel of B and of a task unless a strategy chooses others: four vectors of accumulators, the widest register tile of 32 registers and
  /// two tiles of 16. Register tiles read one panel after the other: in a wider one, the lines that a tile reads map to few L1 sets. One row reads B
  /// only once: four cache lines, to read it in long runs (docs/decisions/costs.md).
  int64_t getDefaultColumns() const;
  /// The product of the extents of all dimensions with this role.
  int64_t getExtent(DimensionRole role) const;
  /// The extent of the dimension that panels of B split: columnDim. 1 if C has no contiguous dimension.
  int64_t getColumns() const { return columnDim ? dims[*columnDim].extent : 1; }
};

} // namespace mlir::tpp

#endif
