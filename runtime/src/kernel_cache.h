// The cache of dispatched kernels: one open-addressing table from descriptors to kernels, read without locks.
//
// A hit must stay under 30 ns, and copying a descriptor into canonical form costs more than that. So the keys are descriptors as
// callers wrote them: several spellings of one meaning are several entries with one kernel, the canonical spelling among them.
// Only valid descriptors get in, so a hit needs no validation either.
//
// Nothing is ever freed (compiled code keeps the kernels' addresses), which is also what makes reading without locks simple: a
// table that was outgrown stays valid for the readers still in it.
#pragma once
#include "tpp/microkernels.hpp"

#include <atomic>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace tpp {

// A kernel with what tpp_kernel_name and the cache need to know of it.
struct kernel_record {
  const char *name;
  tpp_provider provider;
  // Spellings in the cache. Bounded, so that a caller who leaves noise in fields without meaning cannot fill memory; further
  // spellings find their kernel the slow way. Guarded by the lock of those who insert.
  int spellings;
  microkernel kernel;
};

// The record that a handle given out by dispatch is part of.
const kernel_record &record_of(const tpp_kernel *kernel);

// The bytes of a descriptor that tell it from others (see key_bytes) with their hash. A multiple of 8; refers to the descriptor.
struct cache_key {
  const void *data;
  size_t bytes;
  operation op;
  uint64_t hash;
};

// A sum of widening products of pairs of words, each pair with constants of its own: no product waits for another, where a
// chained hash would spend most of a hit's time on latency.
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
  // The odd constants are wyhash's.
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
  // Null when the key is not in the cache. Safe from any thread at any time.
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
  // Adds a copy of the key for a record that stays alive from now on. False when memory is short. Callers hold a lock among
  // themselves, and have looked for the key under it.
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
    table *outgrown; // keeps older tables reachable; readers may still be in them
    std::atomic<const entry *> slots[1];
  };
  static table *make_table(size_t capacity);
  static void place(table &into, const entry *what);

  std::atomic<table *> current{nullptr};
  size_t count = 0;
};

} // namespace tpp
