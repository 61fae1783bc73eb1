// Memory for what compiled models work on: weights, workspaces, arguments and results. Knows nothing of MLIR's IR.
#ifndef TPP_LOWERING_COMPILE_ALIGNEDMEMORY_H
#define TPP_LOWERING_COMPILE_ALIGNEDMEMORY_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace mlir::tpp {

struct FreeAligned {
  void operator()(char *memory) const;
};
using AlignedMemory = std::unique_ptr<char[], FreeAligned>;

/// `bytes` (also 0) of memory that is not initialized and whose pages are not touched, aligned to 64 bytes, or from 512 KiB on to
/// 2 MiB and with a wish for huge pages: a kernel walks through a panel of a few hundred KiB for each tile, more small pages than
/// the first-level TLB holds. An error, in which `what` says what the memory is for, when there is none.
llvm::Expected<AlignedMemory> allocateAligned(int64_t bytes, const llvm::Twine &what);

} // namespace mlir::tpp

#endif
