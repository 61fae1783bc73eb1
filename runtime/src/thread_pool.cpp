// Threads that wait for functions to execute: for a short time at full speed, then asleep.
//
// The pool is a list of idle workers. A team takes workers from its front and puts them back there in the same order, so that a caller who
// runs one loop after the other gets the same worker, with its caches, for each part of the work. Between the two, only the team's caller and
// the worker touch the worker, through `job`: the caller sets it, the worker clears it when the function has returned.
#include "thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include <pthread.h>
#include <signal.h>

namespace {

// Waking a sleeping thread takes about 50 us: that much and a little more is worth waiting for.
constexpr auto wait_before_sleep = std::chrono::microseconds(100);

struct team_job {
  tpp_thread_function function;
  void *argument;
  int32_t threads;
};

struct alignas(64) pool_worker {
  std::atomic<const team_job *> job{nullptr}; // to execute
  int32_t thread = 0;                         // number in the team; written before `job`
  pool_worker *next = nullptr;                // in the list of idle workers, or of the team
  std::atomic<bool> caller_sleeps{false};     // until there is no job
  std::atomic<bool> worker_sleeps{false};     // until there is one
  std::mutex mutex;                           // for sleeping
  std::condition_variable changed;            // `job`

  std::atomic<bool> &sleeps_until(bool there_is_job) { return there_is_job ? worker_sleeps : caller_sleeps; }

  void set_job(const team_job *next_job) {
    job.store(next_job);
    if (sleeps_until(next_job != nullptr).load()) {
      {
        std::lock_guard<std::mutex> lock(mutex);
      }
      changed.notify_all();
    }
  }

  // Waits until there is a job, or none.
  const team_job *wait_for_job(bool wanted) {
    auto now_there = [&] { return (job.load() != nullptr) == wanted; };
    const auto end = std::chrono::steady_clock::now() + wait_before_sleep;
    do {
      for (int i = 0; i < 64; ++i) {
        if (now_there())
          return job.load();
        tpp::pause_core();
      }
    } while (std::chrono::steady_clock::now() < end);
    std::unique_lock<std::mutex> lock(mutex);
    sleeps_until(wanted).store(true);
    changed.wait(lock, now_there);
    sleeps_until(wanted).store(false);
    return job.load();
  }

  void work() {
    while (true) {
      const team_job *given = wait_for_job(true);
      given->function(given->argument, thread, given->threads);
      set_job(nullptr);
    }
  }
};

// Workers one after the other.
struct worker_list {
  pool_worker *first = nullptr, *last = nullptr;

  void append(pool_worker *worker) {
    worker->next = nullptr;
    (last ? last->next : first) = worker;
    last = worker;
  }
  pool_worker *take_first() {
    pool_worker *taken = first;
    first = taken->next;
    last = first ? last : nullptr;
    return taken;
  }
  void prepend(const worker_list &other) {
    if (!other.first)
      return;
    other.last->next = first;
    last = first ? last : other.last;
    first = other.first;
  }
};

class thread_pool {
public:
  // Takes at most `wanted` idle workers.
  worker_list take(int32_t wanted) {
    std::lock_guard<std::mutex> lock(mutex);
    if (most == 0)
      most = std::thread::hardware_concurrency();
    most = std::max(most, static_cast<size_t>(wanted) + 1);
    worker_list taken;
    for (int32_t i = 0; i < wanted && (idle.first || (count + 1 < most && start_worker())); ++i)
      taken.append(idle.take_first());
    return taken;
  }

  void give_back(const worker_list &workers) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.prepend(workers);
  }

  // A forked process has none of the threads.
  void before_fork() { mutex.lock(); }
  void after_fork_in_parent() { mutex.unlock(); }
  void after_fork_in_child() {
    idle = {};
    count = 0;
    mutex.unlock();
  }

private:
  // Signals are for the threads of the program.
  bool start_worker() {
    auto *worker = new (std::nothrow) pool_worker;
    if (!worker)
      return false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const int failed = pthread_create(
        &thread, nullptr,
        [](void *self) -> void * {
          static_cast<pool_worker *>(self)->work();
          return nullptr;
        },
        worker);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (failed) {
      delete worker;
      return false;
    }
    pthread_detach(thread);
    idle.append(worker);
    ++count;
    return true;
  }

  std::mutex mutex; // protects the variables below
  worker_list idle;
  size_t count = 0; // of workers
  size_t most = 0;  // threads of all teams, with their callers; 0: not known yet
};

// Never destroyed: its threads may outlive everything else.
thread_pool &get_pool() {
  static thread_pool *pool = [] {
    auto *created = new thread_pool;
    pthread_atfork([] { get_pool().before_fork(); }, [] { get_pool().after_fork_in_parent(); },
                   [] { get_pool().after_fork_in_child(); });
    return created;
  }();
  return *pool;
}

} // namespace

void tpp::run_on_pool(void *, int32_t threads, tpp_thread_function function, void *argument) {
  const worker_list workers = get_pool().take(threads - 1);
  team_job job = {function, argument, 1};
  for (pool_worker *worker = workers.first; worker; worker = worker->next)
    worker->thread = job.threads++;
  for (pool_worker *worker = workers.first; worker; worker = worker->next)
    worker->set_job(&job);
  function(argument, 0, job.threads);
  for (pool_worker *worker = workers.first; worker; worker = worker->next)
    worker->wait_for_job(false);
  get_pool().give_back(workers);
}
