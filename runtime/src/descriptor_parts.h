// Parts that descriptors of several operations have: sizes, operands, broadcasts, provider. For each part, its validation, its canonical form
// and its text. The files in operations/ are composed of them.
#pragma once
#include "names.h"
#include "status.h"
#include "text.h"

#include <inttypes.h>

namespace tpp {

#define TPP_RETURN_IF_FAILED(expression)                                                                                         \
  do {                                                                                                                           \
    if (const tpp_status status_ = (expression))                                                                                 \
      return status_;                                                                                                            \
  } while (false)

// ---- checks: each failure reports the field, its value and the expected value ----

tpp_status check_size(const char *name, int64_t size);
tpp_status check_provider(int32_t provider);
tpp_status check_broadcast(const char *name, int32_t broadcast);
tpp_status check_streaming(int32_t streaming);
tpp_status check_beta(int32_t beta);
// For a size that is 0 to `most`.
tpp_status check_range(const char *name, int64_t value, int64_t most);

// For a size that is at least 1.
tpp_status check_positive(const char *name, int64_t value);

enum class role { input, output };

// One operand: its name in messages, and its rows and columns as stored, before a broadcast.
struct operand {
  const char *name;
  int64_t rows, cols;
  role access;
};

// An input that is broadcast to m x n.
operand broadcast_operand(const char *name, int64_t m, int64_t n, int32_t broadcast);

// Checks the layout of an operand; `bytes` (may be null) receives its extent. The broadcast of an input must have been checked.
tpp_status check_matrix(const tpp_matrix &form, const operand &of, int64_t *bytes = nullptr);

// Matrices of one layout, `stride` elements apart: a third dimension of an operand.
struct stack {
  const char *name;   // of the stride
  const char *layers; // what each matrix is, in the plural
  int64_t stride, count;
};

// Checks a stack of matrices of which check_matrix returned `bytes`. The layers of an output may not overlap. A sufficient condition is required,
// which allows any order of dimensions: the strides of rows, panels and layers, from the smallest to the largest, are each at least the extent of the
// dimensions with smaller strides. Dimensions of one element do not count.
tpp_status check_stack(const tpp_matrix &form, const operand &of, int64_t bytes, const stack &all);

// Checks the number of post-ops, and one of them, of an m x n result. `bytes` (may be null) receives the extent of a binary step's operand.
tpp_status check_post_op_count(int32_t count, int32_t most);
tpp_status check_post_op(const tpp_post_op &step, int32_t index, int64_t m, int64_t n, int64_t *bytes = nullptr);

// The post-ops of an image whose rows of pixels are m x n: check_post_op for each, and the strides of their operands between rows of pixels.
struct image_post_ops {
  const tpp_post_op *steps;
  const int64_t *row_strides;
  int32_t count;
};
template <typename Desc> image_post_ops image_post_ops_of(const Desc &desc) {
  return {desc.post_ops, desc.post_row_strides, desc.post_op_count};
}
tpp_status check_image_post_ops(const image_post_ops &all, int64_t height, int64_t width, int64_t channels);

// ---- canonical form ----

// Canonicalizes the layout of a rows x cols operand. It becomes plain if its panels are adjacent in each row. If there is one row, its
// width becomes the leading dimension. A valid descriptor may have any value in a stride that is never used, but kernels multiply it.
void canonicalize_matrix(tpp_matrix &form, int64_t rows, int64_t cols);
// The same for an input that is broadcast to m x n.
void canonicalize_input(tpp_matrix &form, int64_t m, int64_t n, int32_t broadcast);
// The stride of a stack, which is 0 if it is never used.
void canonicalize_stride(int64_t &stride, int64_t count, int64_t rows, int64_t cols);
void canonicalize_post_op(tpp_post_op &step, int64_t m, int64_t n);
// Both arrays have TPP_MAX_POST_OPS entries, of which the first `count` are used.
void canonicalize_image_post_ops(tpp_post_op *steps, int64_t *row_strides, int32_t count, int64_t height, int64_t width,
                                 int64_t channels);

// ---- text ----

void describe_matrix(const tpp_matrix &matrix, text &out);                   // "f32(ld 16)"
void describe_input(const tpp_matrix &matrix, int32_t broadcast, text &out); // "row f32(ld 16)"
void describe_post_op(const tpp_post_op &step, text &out);                   // " | add row f32(ld 16)"
void describe_image_post_ops(const image_post_ops &all, text &out);          // " | add row f32(ld 16) every 16"
void describe_provider(int32_t provider, text &out);                         // " provider native"; nothing for auto

} // namespace tpp
