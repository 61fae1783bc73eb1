// Allocates memory for the data of compiled models: weights, workspaces, arguments and results. Does not depend on MLIR's IR.
#ifndef TPP_LOWERING_COMPILE_ALIGNEDMEMORY_H
#define TPP_LOWERING_COMPILE_ALIGNEDMEMORY_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace mlir::tpp {

struct FreeAligned {
  size_t mappedBytes = 0; // of memory from mmap; 0: it is from aligned_alloc

  void operator()(char *memory) const;
};
using AlignedMemory = std::unique_ptr<char[], FreeAligned>;

/// Allocates `bytes` (may be 0) of uninitialized memory, aligned to 64 bytes, without touching its pages. From 512 KiB on, the memory is
/// aligned to 2 MiB and huge pages are requested: a kernel walks through a panel of a few hundred KiB for each tile, which has more small
/// pages than the first-level TLB holds. On failure, the error says that the memory is for `what`.
llvm::Expected<AlignedMemory> allocateAligned(int64_t bytes, const llvm::Twine &what);

/// The same with zeros. From 512 KiB on, pages that are not touched cost neither time nor memory.
llvm::Expected<AlignedMemory> allocateZeroed(int64_t bytes, const llvm::Twine &what);

/// Allocates all pages of `bytes` bytes of such memory if these are 512 KiB or more; their content stays. Other threads may use the memory meanwhile.
void touchPages(char *memory, int64_t bytes);

} // namespace mlir::tpp

#endif
