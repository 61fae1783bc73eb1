// Builds the description of a contraction (tpp_dialect/ContractionInfo.h), and assigns its dimensions to those of brgemm.
#ifndef TPP_LOWERING_ANALYSIS_CONTRACTIONS_H
#define TPP_LOWERING_ANALYSIS_CONTRACTIONS_H

#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {

/// The contraction over a loop nest of `extents` that accesses its operands (two inputs, C, operands of post-ops) of these types through
/// these maps. `isConstant`, if not empty, has an entry for each input. nullopt if a map is not linear, or a type has dynamic sizes or
/// strides.
std::optional<ContractionInfo> getContractionInfo(ArrayRef<AffineMap> maps, ArrayRef<ShapedType> types, ArrayRef<int64_t> extents,
                                                  TargetAttr target, ArrayRef<bool> isConstant = {});

/// The contraction that an op computes, with its operands in other layouts: loops, maps and types differ from the op's.
std::optional<ContractionInfo> getContractionInfo(ContractOp op, ArrayRef<AffineMap> maps, ArrayRef<ShapedType> types,
                                                  ArrayRef<int64_t> extents, TargetAttr target, ArrayRef<bool> isConstant);

/// The contraction that an op computes. On tensors, `constants` tells which inputs are constant; on buffers, none is. nullopt also for an op with
/// Winograd's filters.
std::optional<ContractionInfo> getContractionInfo(ContractOp op, TargetAttr target, ConstantAnalysis &constants);
std::optional<ContractionInfo> getContractionInfo(ContractOp op, TargetAttr target);

/// The convolution that an op with Winograd's filters computes: A and C in the op's order, and a B without strides.
std::optional<ContractionInfo> getWinogradInfo(ContractOp op, TargetAttr target);

/// The multiplication, of floats or integers, whose results a linalg op adds to its only output; null for other ops.
Operation *getAccumulatedProduct(linalg::LinalgOp op);

/// Whether a scalar is the constant 0, of floats or integers.
bool isZero(Value number);

/// Whether a linalg.fill sets all elements of the tensor to zero.
bool isZeroFill(Value tensor);

/// The fewest steps of a reduction that is contiguous in A for which it is preferred as k to a longer one.
constexpr int64_t fewestContiguousSteps = 8;

/// The dimensions of a contraction as a loop nest around brgemm. Dimensions that form one contiguous run are merged first, and those of extent
/// 1 are left out. n is the dimension along which C is contiguous and which only B and C have. m is the longest dimension that only A and C
/// have; of those of at least 16 steps, the one with the smallest stride in C. k is the longest reduction; one that is contiguous in A for
/// fewestContiguousSteps or more takes precedence. A dimension that does not exist has extent 1 and strides of 0.
struct BrgemmDims {
  ContractionDim m, n, k;
  SmallVector<ContractionDim> outer;      // batch dimensions, further rows and columns; largest stride in C first
  SmallVector<ContractionDim> reductions; // other than k

  /// Steps of the whole reduction.
  int64_t getDepth() const;
};

BrgemmDims getBrgemmDims(const ContractionInfo &info);

} // namespace mlir::tpp

#endif
