// Every rule that a descriptor of binary can break.
#include "bad_descriptors.hpp"

namespace {

using namespace validation;

TEST(BinaryValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_binary_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 104, this version knows 136", [](d &x) { x.struct_size = 104; }},
      {TPP_STATUS_INVALID_SIZE, "m is -4, must not be negative", [](d &x) { x.m = -4; }},
      {TPP_STATUS_INVALID_SIZE, "n is -1, must not be negative", [](d &x) { x.n = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "binary kind 1000 is unknown", [](d &x) { x.kind = 1000; }},
      {TPP_STATUS_UNKNOWN_KIND, "in0: broadcast 9 is unknown", [](d &x) { x.broadcast0 = 9; }},
      {TPP_STATUS_UNKNOWN_KIND, "in1: broadcast 9 is unknown", [](d &x) { x.broadcast1 = 9; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider 100 is unknown", [](d &x) { x.provider = 100; }},
      {TPP_STATUS_UNKNOWN_KIND, "in0.type 20 is unknown", [](d &x) { x.in0.type = 20; }},
      {TPP_STATUS_INVALID_ARGUMENT, "in0.vnni is -2, must be 0, 1 or as many f32 as 4 bytes hold", [](d &x) { x.in0.vnni = -2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "out.vnni is 2, must be 0, 1 or as many f32 as 4 bytes hold", [](d &x) { x.out.vnni = 2; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in0.panel is -1, must not be negative", [](d &x) { x.in0.panel = -1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in0.panel_stride is 0, must be at least 1", [](d &x) { x.in0.panel = 2; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in1.ld is 0, must be at least 1", [](d &x) { x.in1.ld = 0; }},
      {TPP_STATUS_OVERFLOW, "the extent of in1 does not fit in 63 bits", [](d &x) { x.in1.ld = INT64_MAX; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 1, must be at least 6: rows of an output must not overlap",
       [](d &x) { x.out.ld = 1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 3, must be at least 4: panels of an output must not overlap",
       [](d &x) { x.out = {TPP_TYPE_f32, 0, 1, 1, 3}; }},
  };
  expect_failures(tpp::binary(TPP_BINARY_add, TPP_TYPE_f32, 4, 6), tpp_dispatch_binary, cases);
}

} // namespace
