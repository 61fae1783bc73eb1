// Eight threads dispatch and invoke at once: each shape gets one kernel, every result is right, each thread keeps its own error
// text. Meant to run under ThreadSanitizer (preset tsan).
#include "naive.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace {

constexpr int thread_count = 8, shape_count = 48;

tpp_brgemm_desc shape(int index) {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 1 + index % 7, 3 + index % 33, 2 + index % 5);
  desc.a.ld += index; // makes every descriptor different
  desc.a_batch_stride = 4 * desc.m * desc.a.ld;
  desc.batch_kind = index % 3 ? TPP_BATCH_stride : TPP_BATCH_address;
  return desc;
}

void check_result(const tpp_brgemm_desc &desc, const tpp_kernel *kernel, unsigned seed) {
  std::mt19937 random(seed);
  const std::vector<char> a = naive::random_elements(TPP_TYPE_f32, 2 * desc.m * desc.a.ld, random);
  const std::vector<char> b = naive::random_elements(TPP_TYPE_f32, 2 * desc.k * desc.n, random);
  std::vector<char> actual(static_cast<size_t>(4 * desc.m * desc.n)), expected = actual;
  const void *const a_table[] = {a.data(), a.data() + desc.a_batch_stride};
  const void *const b_table[] = {b.data(), b.data() + desc.b_batch_stride};
  tpp_args args = {};
  args.a = a.data();
  args.b = b.data();
  args.c = actual.data();
  args.batch = 2;
  args.a_batch = a_table;
  args.b_batch = b_table;
  tpp_invoke(kernel, &args);
  args.c = expected.data();
  naive::brgemm(desc, args);
  EXPECT_EQ(expected, actual);
}

TEST(ConcurrencyTest, EightThreadsDispatchAndInvoke) {
  std::array<std::array<const tpp_kernel *, shape_count>, thread_count> kernels = {};
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t)
    threads.emplace_back([&, t] {
      ++ready;
      while (ready < thread_count) // start together, so that cache misses collide
        std::this_thread::yield();
      for (int round = 0; round < 3; ++round)
        for (int i = 0; i < shape_count; ++i) {
          const int index = (i * 7 + t * 5) % shape_count;
          tpp_brgemm_desc desc = shape(index);
          const tpp_kernel *kernel = nullptr;
          ASSERT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
          if (round == 0)
            kernels[t][index] = kernel;
          EXPECT_EQ(kernels[t][index], kernel);
          check_result(desc, kernel, static_cast<unsigned>(index));
          desc.m = -t - 1; // an error text that only this thread gets
          ASSERT_EQ(TPP_STATUS_INVALID_SIZE, tpp_dispatch_brgemm(&desc, &kernel));
          EXPECT_EQ("m is " + std::to_string(-t - 1) + ", must not be negative", tpp_last_error());
        }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 1; t < thread_count; ++t)
    EXPECT_EQ(kernels[0], kernels[t]);
}

// Many threads share one kernel and one set of batch tables. Kernels must not write to the tables; libxsmm's own address kernels
// do.
TEST(ConcurrencyTest, ThreadsShareKernelAndTables) {
  for (const tpp_provider provider : {TPP_PROVIDER_native, TPP_PROVIDER_reference, TPP_PROVIDER_xsmm}) {
    if (provider == TPP_PROVIDER_xsmm && !TPP_TEST_HAS_XSMM)
      continue;
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 30, 80, 24);
    desc.batch_kind = TPP_BATCH_address;
    desc.provider = provider;
    const tpp_kernel *kernel = nullptr;
    ASSERT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
    std::mt19937 random(3);
    const std::vector<char> a = naive::random_elements(TPP_TYPE_f32, 2 * desc.m * desc.k, random);
    const std::vector<char> b = naive::random_elements(TPP_TYPE_f32, 2 * desc.k * desc.n, random);
    const void *const a_table[] = {a.data() + 4 * desc.m * desc.k, a.data()};
    const void *const b_table[] = {b.data() + 4 * desc.k * desc.n, b.data()};
    std::vector<char> expected(static_cast<size_t>(4 * desc.m * desc.n));
    tpp_args args = {};
    args.batch = 2;
    args.a_batch = a_table;
    args.b_batch = b_table;
    args.c = expected.data();
    naive::brgemm(desc, args);
    std::vector<std::thread> threads;
    for (int t = 0; t < thread_count; ++t)
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round) {
          std::vector<char> actual(expected.size());
          tpp_args own = args;
          own.c = actual.data();
          tpp_invoke(kernel, &own);
          ASSERT_EQ(expected, actual);
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  }
}

TEST(ConcurrencyTest, LogMayChangeWhileOthersDispatch) {
  static std::atomic<int> lines{0};
  std::atomic<bool> stop{false};
  std::thread changer([&] {
    while (!stop) {
      tpp_set_log([](void *, const char *) { ++lines; }, nullptr);
      tpp_set_log(nullptr, nullptr);
    }
  });
  for (int i = 0; i < 200; ++i) {
    tpp::kernel kernel;
    EXPECT_EQ(TPP_STATUS_OK, tpp::dispatch(tpp::brgemm(TPP_TYPE_f32, 1, 1000 + i, 1), kernel)) << tpp_last_error();
  }
  stop = true;
  changer.join();
}

} // namespace
