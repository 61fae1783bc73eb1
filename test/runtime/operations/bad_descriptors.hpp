// Shared by the validation tests of the operations: descriptors that break one rule each, with the expected status and error text.
#pragma once
#include "tpp/tpp.hpp"

#include <gtest/gtest.h>

namespace validation {

constexpr int64_t huge = int64_t{1} << 62; // a leading dimension that overflows an extent

template <typename Desc> struct bad {
  tpp_status status;
  const char *message;
  void (*change)(Desc &);
};

template <typename Desc, typename Dispatch, size_t N>
void expect_failures(const Desc &good, Dispatch dispatch, const bad<Desc> (&cases)[N]) {
  const tpp_kernel *kernel = nullptr;
  ASSERT_EQ(TPP_STATUS_OK, dispatch(&good, &kernel)) << tpp_last_error();
  ASSERT_NE(nullptr, kernel);
  for (const auto &each : cases) {
    Desc desc = good;
    each.change(desc);
    kernel = reinterpret_cast<const tpp_kernel *>(&desc);
    EXPECT_EQ(each.status, dispatch(&desc, &kernel)) << each.message;
    EXPECT_EQ(nullptr, kernel) << each.message;
    EXPECT_STREQ(each.message, tpp_last_error());
  }
}

} // namespace validation
