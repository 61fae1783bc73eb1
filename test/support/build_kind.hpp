// How the code under test was compiled.
#pragma once

namespace tpp_test {

// With AddressSanitizer, many kernels are compiled without optimization (microkernels/CMakeLists.txt) and run up to a hundred times more
// slowly. Tests of every combination of sizes leave most combinations to the other builds there.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TPP_TEST_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef TPP_TEST_ADDRESS_SANITIZER
inline constexpr bool kernels_are_optimized = false;
#else
inline constexpr bool kernels_are_optimized = true;
#endif

// Combinations of sizes that a test tries: all of them, or every third one.
class combinations {
public:
  bool leave_out() { return count_++ % 3 != 0 && !kernels_are_optimized; }

private:
  int count_ = 0;
};

} // namespace tpp_test
