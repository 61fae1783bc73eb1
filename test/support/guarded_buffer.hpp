// Memory between two inaccessible pages: a kernel that reads or writes outside its operand, on the guarded side, faults at once.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace tpp_test {

// Position of the usable bytes: they end at the page after them (`behind` catches accesses past the end) or start at the page
// before them.
enum class guard { behind, before };

class guarded_buffer {
public:
  explicit guarded_buffer(size_t bytes, guard side = guard::behind) : bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t inner = (bytes + page - 1) / page * page + (bytes == 0 ? page : 0);
    mapped_ = inner + 2 * page;
    base_ = map(page, inner);
    data_ = static_cast<char *>(base_) + page + (side == guard::behind ? inner - bytes : 0);
  }
  ~guarded_buffer() {
    if (base_ != nullptr && mapped_ <= largest_kept)
      unused_mappings()[mapped_].push_back(base_);
    else if (base_ != nullptr)
      munmap(base_, mapped_);
  }
  guarded_buffer(guarded_buffer &&other) noexcept
      : base_(other.base_), data_(other.data_), bytes_(other.bytes_), mapped_(other.mapped_) {
    other.base_ = nullptr;
  }
  guarded_buffer(const guarded_buffer &) = delete;
  guarded_buffer &operator=(const guarded_buffer &) = delete;

  template <class T = char> T *as() { return reinterpret_cast<T *>(data_); }
  template <class T = char> const T *as() const { return reinterpret_cast<const T *>(data_); }
  size_t bytes() const { return bytes_; }

private:
  // Mappings of small buffers that are gone, by size: tests make thousands of them, and mapping one takes longer than filling it.
  static constexpr size_t largest_kept = 256 << 10;
  static std::map<size_t, std::vector<void *>> &unused_mappings() {
    static thread_local std::map<size_t, std::vector<void *>> mappings;
    return mappings;
  }

  // Zeroed memory between two inaccessible pages.
  static void *map(size_t page, size_t inner) {
    std::vector<void *> &unused = unused_mappings()[inner + 2 * page];
    const bool is_new = unused.empty();
    void *base = is_new ? mmap(nullptr, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : unused.back();
    // The owner of an old one may have made it read-only.
    if (base == MAP_FAILED || mprotect(static_cast<char *>(base) + page, inner, PROT_READ | PROT_WRITE) != 0)
      std::abort();
    if (!is_new) {
      unused.pop_back();
      std::memset(static_cast<char *>(base) + page, 0, inner);
    }
    return base;
  }

  void *base_ = nullptr;
  char *data_ = nullptr;
  size_t bytes_ = 0;
  size_t mapped_ = 0;
};

} // namespace tpp_test
