// The C entry points: a cache hit straight through, else validation, selection and insertion.
#include "canonical.h"
#include "descriptor.h"
#include "kernel_cache.h"
#include "log.h"
#include "select.h"
#include "status.h"

#include "tpp/tpp.h"

#include <mutex>

namespace tpp {
namespace {

kernel_cache cache;
// Serializes making kernels: two threads that miss on one key get one kernel, and JITs need not be re-entrant.
std::mutex making;

// The kernel for a valid canonical key that was not in the cache.
tpp_status make_kernel(operation op, uint64_t hash, const void *key, size_t bytes, tpp_provider wanted,
                       const kernel_record **found) {
  text lines;
  text *log = log_enabled() ? &lines : nullptr;
  tpp_status status = TPP_STATUS_OK;
  {
    std::lock_guard<std::mutex> lock(making);
    *found = cache.find(op, hash, key, bytes);
    if (*found)
      return TPP_STATUS_OK;
    kernel_record *made = nullptr;
    status = select_kernel(op, key, bytes, wanted, log, &made);
    if (made) {
      made->hash = hash;
      if (cache.insert(made)) {
        *found = made;
      } else {
        delete made;
        status = fail(TPP_STATUS_OUT_OF_MEMORY, "no memory for the kernel cache");
      }
    }
  }
  if (log)
    log_lines(log->c_str());
  return status;
}

// Kept out of line, so that the hit's code stays small.
template <typename Desc> __attribute__((noinline, cold)) tpp_status dispatch_miss(const Desc &desc, const tpp_kernel **kernel) {
  if (const tpp_status status = validate(desc))
    return status;
  constexpr operation op = operation_of<Desc>::value;
  Desc key = {};
  canonicalize(desc, key);
  const size_t bytes = key_bytes(desc);
  const kernel_record *found = nullptr;
  const tpp_status status =
      make_kernel(op, hash_key(op, &key, bytes), &key, bytes, static_cast<tpp_provider>(desc.provider), &found);
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
  if (desc->struct_size != sizeof(Desc))
    return fail(TPP_STATUS_STRUCT_SIZE, "struct_size is %zu, this version knows %zu", desc->struct_size, sizeof(Desc));
  if (const size_t bytes = key_bytes(*desc)) {
    constexpr operation op = operation_of<Desc>::value;
    Desc key;
    canonicalize(*desc, key);
    if (const kernel_record *found = cache.find(op, hash_key(op, &key, bytes), &key, bytes)) {
      *kernel = &found->kernel.head;
      return TPP_STATUS_OK;
    }
  }
  return dispatch_miss(*desc, kernel);
}

} // namespace
} // namespace tpp

extern "C" {

int tpp_abi_version(void) { return TPP_ABI_VERSION; }

tpp_status tpp_dispatch_brgemm(const tpp_brgemm_desc *desc, const tpp_kernel **kernel) { return tpp::dispatch(desc, kernel); }
tpp_status tpp_dispatch_unary(const tpp_unary_desc *desc, const tpp_kernel **kernel) { return tpp::dispatch(desc, kernel); }
tpp_status tpp_dispatch_binary(const tpp_binary_desc *desc, const tpp_kernel **kernel) { return tpp::dispatch(desc, kernel); }
tpp_status tpp_dispatch_reduce(const tpp_reduce_desc *desc, const tpp_kernel **kernel) { return tpp::dispatch(desc, kernel); }

const char *tpp_kernel_name(const tpp_kernel *kernel) { return kernel ? tpp::record_of(kernel).name : nullptr; }

tpp_provider tpp_kernel_provider(const tpp_kernel *kernel) {
  return kernel ? tpp::record_of(kernel).provider : TPP_PROVIDER_auto;
}

} // extern "C"
