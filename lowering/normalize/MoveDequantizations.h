// How dequantizations move towards contractions (MoveDequantizations.cpp), for tpp-fold-quantization.
#ifndef TPP_LOWERING_NORMALIZE_MOVEDEQUANTIZATIONS_H
#define TPP_LOWERING_NORMALIZE_MOVEDEQUANTIZATIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

// Patterns that move dequantizations below relayouts, pads and maxima, drop quantizations with the same parameters, and quantize to unsigned integers.
void addDequantizationPatterns(RewritePatternSet &patterns);

// Quantizes to signed integers what is quantized to unsigned ones whose sign bits `op` flips.
void quantizeSigned(linalg::GenericOp op, RewriterBase &rewriter);

} // namespace mlir::tpp

#endif
