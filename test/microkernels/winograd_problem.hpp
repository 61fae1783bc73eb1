// Shared by the tests of winograd_input and winograd_output.
#pragma once
#include "image_problem.hpp"

namespace tpp_test::winograd {

using namespace image;

// The tile of a kernel, from its name.
inline int32_t tile_of(row_pointer row) { return std::string(row->name).find("_f32_2_") != std::string::npos ? 2 : 4; }

class WinogradTest : public testing::TestWithParam<row_pointer> {
protected:
  std::mt19937 random{11};
  int turn = 0;

  int32_t tile() const { return tile_of(GetParam()); }
  int64_t lanes() const { return elementwise::lanes(GetParam(), TPP_TYPE_f32); }
  guard next_side() { return turn++ % 2 == 0 ? guard::behind : guard::before; }
};

} // namespace tpp_test::winograd
