// How dequantizations move towards contractions (MoveDequantizations.cpp) and are folded into them (FoldQuantization.cpp), for the passes on
// quantized values.
#ifndef TPP_LOWERING_NORMALIZE_MOVEDEQUANTIZATIONS_H
#define TPP_LOWERING_NORMALIZE_MOVEDEQUANTIZATIONS_H

#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

// Patterns that move dequantizations below relayouts, pads and maxima, drop quantizations with the same parameters, and quantize to unsigned integers.
void addDequantizationPatterns(RewritePatternSet &patterns);

// Whether tpp-fold-quantization makes `op`, a contraction of dequantized values, one of 8-bit integers. Depthwise: it is a depthwise convolution.
enum class Foldable { No, Depthwise, Yes };
Foldable getFoldable(linalg::LinalgOp op, ConstantAnalysis &constants);

// Quantizes to signed integers what is quantized to unsigned ones whose sign bits `op` flips.
void quantizeSigned(linalg::GenericOp op, RewriterBase &rewriter);

} // namespace mlir::tpp

#endif
