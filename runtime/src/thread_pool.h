// The runtime's own threads (tpp_set_threading).
#ifndef TPP_RUNTIME_THREAD_POOL_H
#define TPP_RUNTIME_THREAD_POOL_H

#include "tpp/tpp.h"

namespace tpp {

// A `run` of tpp_threading. A team gets, beside its caller, threads of the pool that no other team holds. The pool has one thread less than there
// are cores, or than the largest team that was wanted has.
void run_on_pool(void *user, int32_t threads, tpp_thread_function function, void *argument);

// Tells the processor that a loop waits for another core.
inline void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace tpp

#endif
