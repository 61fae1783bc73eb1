// Places the buffers that a loop carries from one iteration to the next.
#ifndef TPP_LOWERING_BUFFERIZE_CARRIEDBUFFERS_H
#define TPP_LOWERING_BUFFERIZE_CARRIEDBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tpp {

/// Allocates a buffer outside of the loop for each memref that an scf.for or scf.while carries. Each iteration copies the memref that it yields into
/// this buffer. The reason: after bufferization, a loop that writes its tensor to a fresh buffer yields that buffer, which would need a separate
/// instance per iteration. Leaves a memref alone if the loop yields it unchanged, or if it lacks static shape or the identity layout.
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
