// The cache of dispatched kernels: one open-addressing table, read without locks, written under one mutex.
//
// A hit must stay under 30 ns, so a reader does one acquire load, a few multiplications for the hash and one comparison of the
// key. Kernels are never freed (compiled code keeps their addresses), which is also what makes reading without locks simple: a
// table that was outgrown stays valid for the readers still in it.
#pragma once
#include "tpp/microkernels.hpp"

#include <atomic>
#include <stddef.h>
#include <stdint.h>

namespace tpp {

// A kernel with what the cache and tpp_kernel_name need to know of it. kernel.desc is the canonical descriptor, the key.
struct kernel_record {
  const char *name;
  tpp_provider provider;
  operation op;
  uint64_t hash;
  size_t key_bytes;
  microkernel kernel;
};

// The record that a handle given out by dispatch is part of.
const kernel_record &record_of(const tpp_kernel *kernel);

// Keys are `bytes` long, a multiple of 8, and begin with a size_t that all keys of one operation share.
uint64_t hash_key(operation op, const void *key, size_t bytes);

class kernel_cache {
public:
  constexpr kernel_cache() = default;
  // Null when the key is not in the cache. Safe from any thread at any time.
  const kernel_record *find(operation op, uint64_t hash, const void *key, size_t bytes) const;
  // Adds a record, which stays alive from now on. False when memory is short. Callers hold a lock among themselves, and have
  // looked for the key under it.
  bool insert(const kernel_record *record);

private:
  struct table;
  static table *make_table(size_t capacity);
  static void place(table &into, const kernel_record *record);

  std::atomic<table *> current{nullptr};
  size_t count = 0;
};

} // namespace tpp
