// Buffers that a loop hands from one iteration to the next.
#ifndef TPP_LOWERING_BUFFERIZE_CARRIEDBUFFERS_H
#define TPP_LOWERING_BUFFERIZE_CARRIEDBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tpp {

/// Gives every memref that an scf.for carries a buffer outside of the loop, into which each iteration copies what it yields. After
/// bufferization a loop that writes its tensor to a fresh buffer yields that buffer, which therefore would need a place per iteration.
///
///   %r = scf.for ... iter_args(%a = %init) {       %home = memref.alloc; memref.copy %init, %home
///     %b = memref.alloc ...                        %r = scf.for ... iter_args(%a = %home) {
///     scf.yield %b                           =>      %b = memref.alloc ...
///   }                                                memref.copy %b, %home
///                                                    scf.yield %a
///                                                  }
void placeCarriedBuffers(func::FuncOp func);

} // namespace mlir::tpp

#endif
