// Every rule that a descriptor of reduce can break.
#include "bad_descriptors.hpp"

namespace {

using namespace validation;

TEST(ReduceValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_reduce_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 1, this version knows 104", [](d &x) { x.struct_size = 1; }},
      {TPP_STATUS_INVALID_SIZE, "m is -4, must not be negative", [](d &x) { x.m = -4; }},
      {TPP_STATUS_INVALID_SIZE, "n is -1, must not be negative", [](d &x) { x.n = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "reduce kind 1000 is unknown", [](d &x) { x.kind = 1000; }},
      {TPP_STATUS_UNKNOWN_KIND, "axis 2 is unknown", [](d &x) { x.axis = 2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "beta is 7, must be 0 or 1", [](d &x) { x.beta = 7; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider 100 is unknown", [](d &x) { x.provider = 100; }},
      {TPP_STATUS_UNKNOWN_KIND, "in.type 20 is unknown", [](d &x) { x.in.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 0, must be at least 1", [](d &x) { x.out.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 1, must be at least 2: panels of an output must not overlap",
       [](d &x) {
         x.axis = TPP_REDUCE_over_rows;
         x.out = {TPP_TYPE_f32, 0, 2, 2, 1};
       }},
      {TPP_STATUS_OVERFLOW, "the extent of in does not fit in 63 bits", [](d &x) { x.in.ld = INT64_MAX; }},
  };
  expect_failures(tpp::reduce(TPP_REDUCE_sum, TPP_REDUCE_over_cols, TPP_TYPE_f32, 4, 6), tpp_dispatch_reduce, cases);
}

} // namespace
