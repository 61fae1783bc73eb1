// The cache of dispatched kernels: an open-addressing hash table from descriptors to kernels, read without locks
// (docs/decisions/kernel-cache.md).
//
// A hit must take less than 30 ns; copying a descriptor into canonical form takes longer. The keys are therefore descriptors as callers
// wrote them. Several spellings of one problem are several entries with one kernel; the canonical spelling is one of them. Only valid
// descriptors are inserted, so a hit needs no validation.
//
// Nothing is freed, because compiled code keeps the addresses of kernels. This also makes reading without locks simple: an outgrown
// table stays valid for its readers.
#pragma once
#include "tpp/microkernels.hpp"

#include <atomic>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace tpp {

// A kernel, with the data that tpp_kernel_name, tpp_kernel_provider and the cache need.
struct kernel_record {
  const char *name;
  tpp_provider provider;
  // Number of spellings in the cache. Bounded, so that a caller that leaves garbage in unused fields cannot fill memory; each dispatch of
  // a further spelling takes the slow path. Protected by the lock of insertion.
  int spellings;
  microkernel kernel;
};

// The record that contains a kernel returned by dispatch.
const kernel_record &record_of(const tpp_kernel *kernel);

// The bytes of a descriptor that belong to its key (see key_bytes), and their hash. `data` points into the descriptor. `bytes` is a
// multiple of 8.
struct cache_key {
  const void *data;
  size_t bytes;
  operation op;
  uint64_t hash;
};

// The hash is a sum of widening products of pairs of words, with different constants for each pair. The products are independent of each
// other. A chained hash would spend most of a hit's time on latency.
inline uint64_t hash_key(operation op, const void *data, size_t bytes) {
  const unsigned char *at = static_cast<const unsigned char *>(data);
  const auto word = [&](size_t i) {
    uint64_t value;
    memcpy(&value, at + 8 * i, 8);
    return value;
  };
  const auto fold = [](uint64_t a, uint64_t b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  // The constants are those of wyhash.
  uint64_t c0 = 0xa0761d6478bd642fu, c1 = 0xe7037ed1a0b428dbu, sum = bytes + static_cast<uint64_t>(op);
  size_t i = 0;
  for (const size_t words = bytes / 8; i + 1 < words; i += 2, c0 += 0x8ebc6af09c88c6e3u, c1 += 0x589965cc75374cc3u)
    sum += fold(word(i) ^ c0, word(i + 1) ^ c1);
  if (bytes / 8 % 2)
    sum += fold(word(i) ^ c0, c1);
  return fold(sum, 0x8ebc6af09c88c6e3u);
}

class kernel_cache {
public:
  constexpr kernel_cache() = default;
  // Returns null if the key is not in the cache. May be called from any thread at any time.
  const kernel_record *find(const cache_key &key) const {
    const table *in = current.load(std::memory_order_acquire);
    if (!in)
      return nullptr;
    for (size_t i = key.hash & in->mask;; i = (i + 1) & in->mask) {
      const entry *found = in->slots[i].load(std::memory_order_acquire);
      if (!found)
        return nullptr;
      if (found->hash == key.hash && found->op == key.op && found->bytes == key.bytes &&
          memcmp(found->data, key.data, key.bytes) == 0)
        return found->record;
    }
  }
  // Inserts a copy of the key, for a record that is never freed. Returns false if memory is short. Callers must hold a common lock, and
  // must have found under it that the key is absent.
  bool insert(const cache_key &key, const kernel_record *record);

private:
  struct entry {
    uint64_t hash;
    const kernel_record *record;
    size_t bytes;
    operation op;
    alignas(8) unsigned char data[sizeof(uint64_t)]; // `bytes` long
  };
  struct table {
    size_t mask;     // capacity - 1, a power of two less one
    table *outgrown; // the previous table, which may still have readers
    std::atomic<const entry *> slots[1];
  };
  static table *make_table(size_t capacity);
  static void place(table &into, const entry *what);

  std::atomic<table *> current{nullptr};
  size_t count = 0;
};

} // namespace tpp
