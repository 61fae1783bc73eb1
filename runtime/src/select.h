// Selection of the kernel for a descriptor. All candidates of all providers are collected in a table, each with a reason for its
// rejection or with its cost. The cheapest candidate whose kernel can be created is selected.
#pragma once
#include "descriptor.h"
#include "kernel_cache.h"

namespace tpp {

// Creates a kernel for a valid canonical descriptor of `key_bytes` bytes. On success, *record is new and owned by the caller. `log` (may
// be null) receives the problem and the table, one line per candidate, the selected one marked with a star.
tpp_status select_kernel(operation op, const void *desc, size_t key_bytes, tpp_provider wanted, text *log,
                         kernel_record **record);

} // namespace tpp
