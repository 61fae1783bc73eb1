// The functions of kernel_cache.h that a hit does not use.
#include "kernel_cache.h"

#include <stdlib.h>

namespace tpp {

const kernel_record &record_of(const tpp_kernel *kernel) {
  const char *head = reinterpret_cast<const char *>(kernel);
  return *reinterpret_cast<const kernel_record *>(head - offsetof(kernel_record, kernel) - offsetof(microkernel, head));
}

kernel_cache::table *kernel_cache::make_table(size_t capacity) {
  // Zeroed memory is `capacity` null pointers.
  table *made = static_cast<table *>(calloc(1, sizeof(table) + (capacity - 1) * sizeof(std::atomic<const entry *>)));
  if (made)
    made->mask = capacity - 1;
  return made;
}

void kernel_cache::place(table &into, const entry *what) {
  size_t i = what->hash & into.mask;
  while (into.slots[i].load(std::memory_order_relaxed))
    i = (i + 1) & into.mask;
  into.slots[i].store(what, std::memory_order_release);
}

bool kernel_cache::insert(const cache_key &key, const kernel_record *record) {
  entry *made = static_cast<entry *>(malloc(offsetof(entry, data) + key.bytes));
  if (!made)
    return false;
  made->hash = key.hash;
  made->record = record;
  made->bytes = key.bytes;
  made->op = key.op;
  memcpy(made->data, key.data, key.bytes);

  table *in = current.load(std::memory_order_relaxed);
  const size_t capacity = in ? in->mask + 1 : 0;
  // At most half full: probe sequences stay short, and find always reaches an empty slot.
  if (2 * (count + 1) > capacity) {
    table *larger = make_table(capacity ? 2 * capacity : 256);
    if (!larger) {
      free(made);
      return false;
    }
    for (size_t i = 0; i < capacity; ++i)
      if (const entry *moved = in->slots[i].load(std::memory_order_relaxed))
        place(*larger, moved);
    larger->outgrown = in;
    current.store(larger, std::memory_order_release);
    in = larger;
  }
  place(*in, made);
  ++count;
  return true;
}

} // namespace tpp
