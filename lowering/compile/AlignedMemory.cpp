// Allocates aligned memory, with huge pages if possible (see AlignedMemory.h).
#include "lowering/compile/AlignedMemory.h"
#include "lowering/analysis/BufferSize.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

using namespace mlir;

void tpp::FreeAligned::operator()(char *memory) const { std::free(memory); }

llvm::Expected<tpp::AlignedMemory> tpp::allocateAligned(int64_t bytes, const llvm::Twine &what) {
  constexpr uint64_t kHugePage = uint64_t(2) << 20;
  uint64_t alignment = uint64_t(bytes) >= kHugePage / 4 ? kHugePage : kSegmentAlignment;
  uint64_t size = llvm::alignTo(std::max<int64_t>(bytes, 1), alignment);
  auto *memory = static_cast<char *>(std::aligned_alloc(alignment, size));
  if (!memory)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "cannot allocate " + llvm::Twine(bytes) + " bytes for " + what);
#ifdef MADV_HUGEPAGE
  if (alignment == kHugePage)
    madvise(memory, size, MADV_HUGEPAGE); // a failure is ignored: the memory is valid without huge pages
#endif
  return AlignedMemory(memory);
}
