// Teams of threads: from the library's pool, from a source of the caller and, where the compiler has it, from OpenMP.
#include "tpp/tpp.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using body = std::function<void(tpp_team *team, int32_t thread, int32_t threads)>;

void run_team(int32_t threads, const body &function) {
  tpp_run_team(
      threads,
      [](void *argument, tpp_team *team, int32_t thread, int32_t count) {
        (*static_cast<const body *>(argument))(team, thread, count);
      },
      const_cast<body *>(&function));
}

// Counts the calls with each thread's number; checks that each number comes once.
int32_t check_team(int32_t wanted) {
  std::vector<std::atomic<int32_t>> calls(static_cast<size_t>(wanted));
  std::atomic<int32_t> size{0};
  run_team(wanted, [&](tpp_team *, int32_t thread, int32_t threads) {
    calls[static_cast<size_t>(thread)]++;
    size = threads;
  });
  EXPECT_GE(size, 1);
  EXPECT_LE(size, wanted);
  for (int32_t i = 0; i < wanted; ++i)
    EXPECT_EQ(calls[static_cast<size_t>(i)], i < size ? 1 : 0) << "thread " << i << " of " << size;
  return size;
}

// Every thread sees, after each barrier, what all others wrote before it.
void check_barriers(int32_t wanted, int rounds) {
  std::vector<int> written(static_cast<size_t>(wanted), 0);
  std::atomic<int> wrong{0};
  run_team(wanted, [&](tpp_team *team, int32_t thread, int32_t threads) {
    for (int round = 1; round <= rounds; ++round) {
      written[static_cast<size_t>(thread)] = round;
      tpp_team_barrier(team);
      for (int32_t i = 0; i < threads; ++i)
        if (written[static_cast<size_t>(i)] != round)
          ++wrong;
      tpp_team_barrier(team);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, TeamHasTheWantedThreads) {
  for (int32_t threads : {1, 2, 3, 8, 2, 5})
    EXPECT_EQ(check_team(threads), threads);
}

TEST(Threads, OneThreadIsTheCaller) {
  const std::thread::id caller = std::this_thread::get_id();
  for (int32_t threads : {-1, 0, 1})
    run_team(threads, [&](tpp_team *team, int32_t thread, int32_t count) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(thread, 0);
      EXPECT_EQ(count, 1);
      tpp_team_barrier(team);
    });
}

TEST(Threads, BarriersOrderWrites) {
  for (int32_t threads : {1, 2, 4})
    check_barriers(threads, 500);
}

TEST(Threads, AThreadKeepsItsNumber) {
  std::array<std::set<std::thread::id>, 3> ids;
  for (int i = 0; i < 100; ++i)
    run_team(3,
             [&](tpp_team *, int32_t thread, int32_t) { ids[static_cast<size_t>(thread)].insert(std::this_thread::get_id()); });
  for (const auto &seen : ids)
    EXPECT_EQ(seen.size(), 1u);
}

TEST(Threads, SleepingThreadsWake) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(check_team(2), 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(Threads, CallerSleepsUntilALateThreadIsDone) {
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> done{false};
    run_team(2, [&](tpp_team *, int32_t thread, int32_t threads) {
      if (thread == threads - 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        done = true;
      }
    });
    EXPECT_TRUE(done);
  }
}

TEST(Threads, TeamsInTeams) {
  std::atomic<int> calls{0};
  run_team(2, [&](tpp_team *, int32_t, int32_t) { run_team(2, [&](tpp_team *, int32_t, int32_t) { ++calls; }); });
  EXPECT_GE(calls, 2);
  EXPECT_LE(calls, 4);
}

TEST(Threads, ManyCallersAtOnce) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([] {
      for (int repeat = 0; repeat < 100; ++repeat) {
        check_team(3);
        check_barriers(2, 3);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
}

// ThreadSanitizer does not allow threads after a fork of a process with threads.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TPP_TEST_NO_FORK
#endif
#endif
#ifndef TPP_TEST_NO_FORK
TEST(Threads, ForkedProcessHasItsOwn) {
  EXPECT_EQ(check_team(3), 3);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool good = check_team(3) == 3 && check_team(4) == 4;
    _exit(good ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(check_team(3), 3);
}
#endif

// Installs a source of threads, and the pool again at the end.
class Source : public ::testing::Test {
protected:
  void TearDown() override { EXPECT_EQ(tpp_set_threading(nullptr), TPP_STATUS_OK); }
};

// Starts new threads for each team, and counts the teams.
struct NewThreads {
  std::atomic<int> teams{0};
  tpp_threading threading() { return {sizeof(tpp_threading), run, this}; }
  static void run(void *user, int32_t threads, tpp_thread_function function, void *argument) {
    ++static_cast<NewThreads *>(user)->teams;
    std::vector<std::thread> others;
    for (int32_t i = 1; i < threads; ++i)
      others.emplace_back(function, argument, i, threads);
    function(argument, 0, threads);
    for (std::thread &other : others)
      other.join();
  }
};

TEST_F(Source, OfTheCaller) {
  NewThreads source;
  const tpp_threading threading = source.threading();
  ASSERT_EQ(tpp_set_threading(&threading), TPP_STATUS_OK);
  EXPECT_EQ(check_team(4), 4);
  check_barriers(3, 10);
  EXPECT_EQ(check_team(1), 1); // needs no other threads
  EXPECT_EQ(source.teams, 2);
}

// Barriers of so many threads that some count their arrivals together.
TEST_F(Source, WithHundredsOfThreads) {
  NewThreads source;
  const tpp_threading threading = source.threading();
  ASSERT_EQ(tpp_set_threading(&threading), TPP_STATUS_OK);
  for (int32_t threads : {64, 65, 66, 129, 200})
    check_barriers(threads, 3);
}

TEST_F(Source, WithFewerThreadsThanWanted) {
  const tpp_threading threading = {
      sizeof(tpp_threading), [](void *, int32_t, tpp_thread_function function, void *argument) { function(argument, 0, 1); },
      nullptr};
  ASSERT_EQ(tpp_set_threading(&threading), TPP_STATUS_OK);
  EXPECT_EQ(check_team(4), 1);
  check_barriers(4, 10);
}

TEST_F(Source, WrongArguments) {
  tpp_threading threading = {sizeof(tpp_threading) - 1, nullptr, nullptr};
  EXPECT_EQ(tpp_set_threading(&threading), TPP_STATUS_STRUCT_SIZE);
  threading.struct_size = sizeof(tpp_threading);
  EXPECT_EQ(tpp_set_threading(&threading), TPP_STATUS_NULL_POINTER);
  EXPECT_STREQ(tpp_last_error(), "threading.run is null");
  EXPECT_EQ(check_team(2), 2);
}

} // namespace
