// Every rule that a descriptor of unary can break.
#include "bad_descriptors.hpp"

#include <limits>

namespace {

using namespace validation;

TEST(UnaryValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_unary_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 103, this version knows 112", [](d &x) { x.struct_size = 103; }},
      {TPP_STATUS_INVALID_SIZE, "m is -4, must not be negative", [](d &x) { x.m = -4; }},
      {TPP_STATUS_INVALID_SIZE, "n is -1, must not be negative", [](d &x) { x.n = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "unary kind 1000 is unknown", [](d &x) { x.kind = 1000; }},
      {TPP_STATUS_UNKNOWN_KIND, "in: broadcast -1 is unknown", [](d &x) { x.broadcast = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider -1 is unknown", [](d &x) { x.provider = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "streaming is 5, must be 0 or 1", [](d &x) { x.streaming = 5; }},
      {TPP_STATUS_UNKNOWN_KIND, "in.type 20 is unknown", [](d &x) { x.in.type = 20; }},
      {TPP_STATUS_UNKNOWN_KIND, "out.type 20 is unknown", [](d &x) { x.out.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in.ld is 0, must be at least 1", [](d &x) { x.in.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 5, must be at least 6: rows of an output must not overlap",
       [](d &x) { x.out.ld = 5; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 7, must be at least 8: panels of an output must not overlap",
       [](d &x) { x.out = {TPP_TYPE_f32, 0, 2, 2, 7}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 7, must be at least 8: panels of an output must not overlap",
       [](d &x) { x.out = {TPP_TYPE_bf16, 2, 4, 2, 7}; }},
      {TPP_STATUS_OVERFLOW, "the extent of out does not fit in 63 bits", [](d &x) { x.out.ld = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of in does not fit in 63 bits", [](d &x) { x.in.ld = INT64_MAX; }},
      {TPP_STATUS_INVALID_ARGUMENT, "transpose takes no broadcast, got row",
       [](d &x) {
         x.kind = TPP_UNARY_transpose;
         x.broadcast = TPP_BROADCAST_row;
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "alpha is 0.5, must be finite for leaky_relu and 0 for other kinds",
       [](d &x) { x.alpha = 0.5f; }},
      {TPP_STATUS_INVALID_ARGUMENT, "alpha is inf, must be finite for leaky_relu and 0 for other kinds",
       [](d &x) {
         x.kind = TPP_UNARY_leaky_relu;
         x.alpha = std::numeric_limits<float>::infinity();
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "reserved is 1, must be 0", [](d &x) { x.reserved = 1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "vnni_pack makes out.vnni of 2 or 4 from in.vnni of 0 or 1, got 0 from 0",
       [](d &x) { x.kind = TPP_UNARY_vnni_pack; }},
      {TPP_STATUS_INVALID_ARGUMENT, "transpose keeps the element type, got f32 -> i32",
       [](d &x) {
         x.kind = TPP_UNARY_transpose;
         x.out.type = TPP_TYPE_i32;
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "identity keeps the element type, got bf16 -> f32",
       [](d &x) {
         x.kind = TPP_UNARY_identity;
         x.in.type = TPP_TYPE_bf16;
       }},
  };
  expect_failures(tpp::unary(TPP_UNARY_relu, TPP_TYPE_f32, 4, 6), tpp_dispatch_unary, cases);
}

} // namespace
