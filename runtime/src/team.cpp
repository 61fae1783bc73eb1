// Teams of threads and their barriers, over the installed source of threads.
#include "status.h"
#include "thread_pool.h"

#include "tpp/tpp.h"

#include <atomic>
#include <new>

#include <sched.h>

namespace {

// What the threads of a team share.
struct shared_team {
  tpp_team_function function;
  void *argument;
  alignas(64) std::atomic<int32_t> arrived{0}; // at the current barrier
  alignas(64) std::atomic<uint32_t> passed{0}; // barriers
};

// A source of threads, and the one before it. None is ever freed: a team may still read it.
struct source {
  tpp_threading threading;
  source *before;
};

constexpr tpp_threading pool = {sizeof(tpp_threading), tpp::run_on_pool, nullptr};
source first_source = {pool, nullptr};
std::atomic<source *> installed{&first_source};

} // namespace

// The team as one of its threads sees it.
struct tpp_team {
  shared_team *shared;
  int32_t threads;
};

static void join_team(void *argument, int32_t thread, int32_t threads) {
  auto *shared = static_cast<shared_team *>(argument);
  tpp_team team = {shared, threads};
  shared->function(shared->argument, &team, thread, threads);
}

extern "C" tpp_status tpp_set_threading(const tpp_threading *threading) {
  if (threading) {
    if (threading->struct_size != sizeof(tpp_threading))
      return tpp::fail(TPP_STATUS_STRUCT_SIZE, "threading.struct_size is %zu, must be %zu", threading->struct_size,
                       sizeof(tpp_threading));
    if (!threading->run)
      return tpp::fail(TPP_STATUS_NULL_POINTER, "threading.run is null");
  }
  auto *next = new (std::nothrow) source{threading ? *threading : pool, installed.load()};
  if (!next)
    return tpp::fail(TPP_STATUS_OUT_OF_MEMORY, "no memory for a source of threads");
  while (!installed.compare_exchange_weak(next->before, next))
    ;
  return TPP_STATUS_OK;
}

extern "C" void tpp_run_team(int32_t threads, tpp_team_function function, void *argument) {
  shared_team shared = {function, argument};
  if (threads <= 1)
    return join_team(&shared, 0, 1);
  const tpp_threading &threading = installed.load()->threading;
  threading.run(threading.user, threads, join_team, &shared);
}

extern "C" void tpp_team_barrier(tpp_team *team) {
  if (team->threads <= 1)
    return;
  shared_team &shared = *team->shared;
  const uint32_t before = shared.passed.load(std::memory_order_relaxed);
  if (shared.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == team->threads) {
    shared.arrived.store(0, std::memory_order_relaxed);
    shared.passed.store(before + 1, std::memory_order_release);
    return;
  }
  // The others are on their way, unless the system runs something else in their place.
  constexpr int pauses_before_yield = 4096;
  for (int i = 0; shared.passed.load(std::memory_order_acquire) == before; ++i)
    if (i < pauses_before_yield)
      tpp::pause_core();
    else
      sched_yield();
}
