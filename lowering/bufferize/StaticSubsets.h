// Compares slices with constant bounds in constant time, for one-shot bufferization.
#ifndef TPP_LOWERING_BUFFERIZE_STATICSUBSETS_H
#define TPP_LOWERING_BUFFERIZE_STATICSUBSETS_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::tpp {

/// Registers models of SubsetOpInterface for tensor.extract_slice and tensor.insert_slice. One-shot bufferization asks for each pair of slices of
/// a buffer whether they are equal or disjoint. Upstream's models solve inequalities for every answer, also where all bounds are constants. With
/// the 500 concatenated tensors of a DenseNet, that is half the time of bufferization. The answers of these models are the same.
///
/// The model that is registered first counts: call this before upstream's registration functions.
void registerStaticSubsetModels(DialectRegistry &registry);

} // namespace mlir::tpp

#endif
