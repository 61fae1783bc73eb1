// Allocates aligned memory, with huge pages if possible (see AlignedMemory.h).
#include "lowering/compile/AlignedMemory.h"
#include "lowering/analysis/BufferSize.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace mlir;

static constexpr uint64_t kHugePage = uint64_t(2) << 20;

void tpp::FreeAligned::operator()(char *memory) const {
  if (mappedBytes == 0)
    std::free(memory);
  else
    munmap(memory, mappedBytes);
}

static bool wantsHugePages(int64_t bytes) { return uint64_t(bytes) >= kHugePage / 4; }

static void requestHugePages(char *memory, uint64_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE); // a failure is ignored: the memory is valid without huge pages
#endif
}

static llvm::Error makeMemoryError(int64_t bytes, const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot allocate " + llvm::Twine(bytes) + " bytes for " + what);
}

llvm::Expected<tpp::AlignedMemory> tpp::allocateAligned(int64_t bytes, const llvm::Twine &what) {
  uint64_t alignment = wantsHugePages(bytes) ? kHugePage : kSegmentAlignment;
  uint64_t size = llvm::alignTo(std::max<int64_t>(bytes, 1), alignment);
  auto *memory = static_cast<char *>(std::aligned_alloc(alignment, size));
  if (!memory)
    return makeMemoryError(bytes, what);
  if (wantsHugePages(bytes))
    requestHugePages(memory, size);
  return AlignedMemory(memory);
}

llvm::Expected<tpp::AlignedMemory> tpp::allocateZeroed(int64_t bytes, const llvm::Twine &what) {
  if (!wantsHugePages(bytes)) {
    auto memory = allocateAligned(bytes, what);
    if (memory)
      std::memset(memory->get(), 0, bytes);
    return memory;
  }
  // Mapped with room for the alignment; what is before and after it is unmapped.
  uint64_t size = llvm::alignTo(bytes, kHugePage), mapped = size + kHugePage;
  void *start = mapped > size ? mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  if (start == MAP_FAILED)
    return makeMemoryError(bytes, what);
  auto *memory = reinterpret_cast<char *>(llvm::alignTo(reinterpret_cast<uintptr_t>(start), kHugePage));
  auto before = uint64_t(memory - static_cast<char *>(start));
  if (before > 0)
    munmap(start, before);
  if (before < kHugePage)
    munmap(memory + size, kHugePage - before);
  requestHugePages(memory, size);
  return AlignedMemory(memory, FreeAligned{size});
}

void tpp::touchPages(char *memory, int64_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (wantsHugePages(bytes)) // a failure is ignored: the pages come when they are used
    madvise(memory, llvm::alignTo(bytes, kHugePage), MADV_POPULATE_WRITE);
#endif
}
