// The C entry points of dispatch: a cache lookup, and after a miss validation, selection and insertion.
#include "descriptor.h"
#include "kernel_cache.h"
#include "log.h"
#include "select.h"
#include "status.h"

#include "tpp/tpp.h"

#include <mutex>

namespace tpp {
namespace {

template <typename Desc> cache_key key_of(const Desc &desc) {
  static_assert(sizeof(Desc) % 8 == 0, "keys consist of words, so a descriptor has a reserved field instead of padding");
  constexpr operation op = operation_of<Desc>::value;
  const size_t bytes = key_bytes(desc);
  return {&desc, bytes, op, hash_key(op, &desc, bytes)};
}

kernel_cache cache;
// Serializes the creation of kernels: two threads that miss on one key get the same kernel, and JITs need not be re-entrant.
std::mutex making;
// Limit of kernel_record::spellings.
constexpr int most_spellings = 8;

// Finds the kernel for a canonical descriptor, or creates it. `spelling` is the descriptor as the caller wrote it; it is added to the
// cache. The caller must hold `making`.
tpp_status find_or_make(const cache_key &canonical, const cache_key &spelling, tpp_provider wanted, text *log,
                        const kernel_record **found) {
  *found = cache.find(canonical);
  kernel_record *record = const_cast<kernel_record *>(*found);
  if (!record) {
    if (const tpp_status status = select_kernel(canonical.op, canonical.data, canonical.bytes, wanted, log, &record))
      return status;
    record->spellings = 1;
    if (!cache.insert(canonical, record)) {
      delete record;
      return fail(TPP_STATUS_OUT_OF_MEMORY, "no memory for the kernel cache");
    }
    *found = record;
  }
  // If the spelling is not added, only its next dispatch is slow.
  if (!cache.find(spelling) && record->spellings < most_spellings && cache.insert(spelling, record))
    ++record->spellings;
  return TPP_STATUS_OK;
}

// Not inlined, so that the code of a hit stays small.
template <typename Desc> __attribute__((noinline, cold)) tpp_status dispatch_miss(const Desc &desc, const tpp_kernel **kernel) {
  if (const tpp_status status = validate(desc))
    return status;
  Desc canonical = {};
  canonicalize(desc, canonical);
  text lines;
  text *log = log_enabled() ? &lines : nullptr;
  const kernel_record *found = nullptr;
  tpp_status status;
  {
    std::lock_guard<std::mutex> lock(making);
    status = find_or_make(key_of(canonical), key_of(desc), static_cast<tpp_provider>(desc.provider), log, &found);
  }
  if (log) // the lock is released: the log function may dispatch
    log_lines(log->c_str());
  if (found)
    *kernel = &found->kernel.head;
  return status;
}

template <typename Desc> tpp_status dispatch(const Desc *desc, const tpp_kernel **kernel) {
  if (!kernel)
    return fail(TPP_STATUS_NULL_POINTER, "kernel is null");
  *kernel = nullptr;
  if (!desc)
    return fail(TPP_STATUS_NULL_POINTER, "desc is null");
  if (!is_known_size(*desc))
    return fail(TPP_STATUS_STRUCT_SIZE, "struct_size is %zu, this version knows %zu", desc->struct_size, sizeof(Desc));
  if (key_bytes(*desc) != 0)
    if (const kernel_record *found = cache.find(key_of(*desc))) {
      *kernel = &found->kernel.head;
      return TPP_STATUS_OK;
    }
  return dispatch_miss(*desc, kernel);
}

} // namespace
} // namespace tpp

extern "C" {

int tpp_abi_version(void) { return TPP_ABI_VERSION; }

#define TPP_OPERATION(name, Name, formula)                                                                                       \
  tpp_status tpp_dispatch_##name(const tpp_##name##_desc *desc, const tpp_kernel **kernel) { return tpp::dispatch(desc, kernel); }
#include "tpp/operations.def"

const char *tpp_kernel_name(const tpp_kernel *kernel) { return kernel ? tpp::record_of(kernel).name : nullptr; }

tpp_provider tpp_kernel_provider(const tpp_kernel *kernel) {
  return kernel ? tpp::record_of(kernel).provider : TPP_PROVIDER_auto;
}

} // extern "C"
