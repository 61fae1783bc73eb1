// Teams of threads and their barriers, over the installed source of threads.
#include "status.h"
#include "thread_pool.h"

#include "tpp/tpp.h"

#include <algorithm>
#include <atomic>
#include <new>

#include <sched.h>

namespace {

// Counts the arrivals at barriers of thread i + 1, and of those that follow it in steps of `most_counters`. On a cache line of its own: threads that
// arrive together would wait for each other's writes to a common one.
struct alignas(64) arrivals {
  std::atomic<uint32_t> count;
};
constexpr int32_t most_counters = 64;

// What the threads of a team share. At a barrier, thread 0 waits for the others, and they wait for it.
struct shared_team {
  shared_team(tpp_team_function function, void *argument, int32_t threads) : function(function), argument(argument) {
    for (int32_t i = 0; i < std::min(threads - 1, most_counters); ++i)
      arrived[i].count.store(0, std::memory_order_relaxed);
  }
  tpp_team_function function;
  void *argument;
  arrivals arrived[most_counters];             // of thread i + 1, i + 1 + most_counters, ...
  alignas(64) std::atomic<uint32_t> passed{0}; // barriers
};

// A source of threads. None is ever freed, because a team may still read it; `before` keeps earlier ones reachable for leak checkers.
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
  int32_t thread, threads;
  uint32_t barriers; // that this thread has arrived at
};

static void join_team(void *argument, int32_t thread, int32_t threads) {
  auto *shared = static_cast<shared_team *>(argument);
  tpp_team team = {shared, thread, threads, 0};
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
  shared_team shared(function, argument, threads);
  if (threads <= 1)
    return join_team(&shared, 0, 1);
  const tpp_threading &threading = installed.load()->threading;
  threading.run(threading.user, threads, join_team, &shared);
}

// Waits until `count` is `wanted`. The others are on their way, unless the system runs something else in their place.
static void wait_for(const std::atomic<uint32_t> &count, uint32_t wanted) {
  constexpr int pauses_before_yield = 4096;
  for (int i = 0; count.load(std::memory_order_acquire) != wanted; ++i)
    if (i < pauses_before_yield)
      tpp::pause_core();
    else
      sched_yield();
}

extern "C" void tpp_team_barrier(tpp_team *team) {
  if (team->threads <= 1)
    return;
  shared_team &shared = *team->shared;
  ++team->barriers;
  if (team->thread != 0) {
    shared.arrived[(team->thread - 1) % most_counters].count.fetch_add(1, std::memory_order_release);
    return wait_for(shared.passed, team->barriers);
  }
  const int32_t others = team->threads - 1;
  for (int32_t i = 0; i < std::min(others, most_counters); ++i) {
    const auto sharing = static_cast<uint32_t>((others - i + most_counters - 1) / most_counters);
    wait_for(shared.arrived[i].count, team->barriers * sharing);
  }
  shared.passed.store(team->barriers, std::memory_order_release);
}
