// See kernel_cache.h.
#include "kernel_cache.h"

#include <new>
#include <stdlib.h>
#include <string.h>

namespace tpp {

struct kernel_cache::table {
  size_t mask;     // capacity - 1, a power of two less one
  table *outgrown; // keeps older tables reachable; readers may still be in them
  std::atomic<const kernel_record *> slots[1];
};

const kernel_record &record_of(const tpp_kernel *kernel) {
  const char *head = reinterpret_cast<const char *>(kernel);
  return *reinterpret_cast<const kernel_record *>(head - offsetof(kernel_record, kernel) - offsetof(microkernel, head));
}

namespace {

uint64_t fold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

} // namespace

// Pairs of words through one widening multiplication each, in two independent chains: the latency of a single chain over the 20
// words of a brgemm would be most of a hit's time. The odd constants are wyhash's.
uint64_t hash_key(operation op, const void *key, size_t bytes) {
  constexpr uint64_t c0 = 0xa0761d6478bd642fu, c1 = 0xe7037ed1a0b428dbu, c2 = 0x8ebc6af09c88c6e3u, c3 = 0x589965cc75374cc3u;
  const unsigned char *at = static_cast<const unsigned char *>(key) + sizeof(size_t);
  size_t words = bytes / 8 - 1;
  uint64_t first = c0 ^ static_cast<uint64_t>(op), second = c1 ^ bytes;
  const auto word = [&](size_t i) {
    uint64_t value;
    memcpy(&value, at + 8 * i, 8);
    return value;
  };
  for (; words >= 4; words -= 4, at += 32) {
    first = fold(first ^ word(0), word(1) ^ c2);
    second = fold(second ^ word(2), word(3) ^ c3);
  }
  for (; words > 0; --words, at += 8)
    first = fold(first ^ word(0), c2);
  return fold(first ^ c3, second ^ c2);
}

const kernel_record *kernel_cache::find(operation op, uint64_t hash, const void *key, size_t bytes) const {
  const table *in = current.load(std::memory_order_acquire);
  if (!in)
    return nullptr;
  for (size_t i = hash & in->mask;; i = (i + 1) & in->mask) {
    const kernel_record *record = in->slots[i].load(std::memory_order_acquire);
    if (!record)
      return nullptr;
    if (record->hash == hash && record->op == op && record->key_bytes == bytes && memcmp(&record->kernel.desc, key, bytes) == 0)
      return record;
  }
}

kernel_cache::table *kernel_cache::make_table(size_t capacity) {
  // Zeroed memory is `capacity` null pointers.
  table *made = static_cast<table *>(calloc(1, sizeof(table) + (capacity - 1) * sizeof(std::atomic<const kernel_record *>)));
  if (made)
    made->mask = capacity - 1;
  return made;
}

void kernel_cache::place(table &into, const kernel_record *record) {
  size_t i = record->hash & into.mask;
  while (into.slots[i].load(std::memory_order_relaxed))
    i = (i + 1) & into.mask;
  into.slots[i].store(record, std::memory_order_release);
}

bool kernel_cache::insert(const kernel_record *record) {
  table *in = current.load(std::memory_order_relaxed);
  const size_t capacity = in ? in->mask + 1 : 0;
  // Half full at most: probes stay short, and find always meets an empty slot.
  if (2 * (count + 1) > capacity) {
    table *larger = make_table(capacity ? 2 * capacity : 256);
    if (!larger)
      return false;
    for (size_t i = 0; i < capacity; ++i)
      if (const kernel_record *moved = in->slots[i].load(std::memory_order_relaxed))
        place(*larger, moved);
    larger->outgrown = in;
    current.store(larger, std::memory_order_release);
    in = larger;
  }
  place(*in, record);
  ++count;
  return true;
}

} // namespace tpp
