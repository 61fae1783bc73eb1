// Selection: which kernel computes a descriptor. All candidates of all providers are laid out in a table, each rejected with a
// reason or priced, and the cheapest that can be made wins.
#pragma once
#include "descriptor.h"
#include "kernel_cache.h"

namespace tpp {

// Makes a kernel for a valid canonical descriptor of `key_bytes` bytes. On success *record is new and owned by the caller. `log`
// (may be null) receives the table, one line per candidate, the winner starred.
tpp_status select_kernel(operation op, const void *desc, size_t key_bytes, tpp_provider wanted, text *log,
                         kernel_record **record);

} // namespace tpp
