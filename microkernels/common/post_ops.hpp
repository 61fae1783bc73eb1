// How a native kernel applies one step of a chain of post-ops to vectors: the parts of a tpp_post_op that its loops need.
#pragma once
#include "microkernels/common/matrix.hpp"

namespace tpp {

// How a post-op is applied to a vector of accumulators.
enum class post_mode : int32_t {
  unary,    // kind is a tpp_unary_kind
  elements, // binary, with a vector of the operand: broadcast none (row_stride is its ld) or row (row_stride 0)
  spread,   // binary, with one element for the whole row: broadcast col (row_stride is its ld) or scalar (row_stride 0)
};

struct post_step {
  post_mode mode;
  int32_t kind;
  int32_t type;       // of a binary step's operand
  bool of_integers;   // the step is applied to i32: sums of integers that no earlier step converts
  int64_t row_stride; // bytes

  // The kinds of all classes as one number, for a switch.
  static constexpr int32_t binary_of_floats = 0, binary_of_integers = 0x100, unary_of_floats = 0x200, unary_of_integers = 0x300;
  int32_t selector() const {
    return (mode == post_mode::unary ? unary_of_floats : binary_of_floats) + (of_integers ? binary_of_integers : 0) + kind;
  }
};

// True if the operand of a post-op has an element for every column.
inline bool varies_by_column(const tpp_post_op &op) {
  return op.op_class == TPP_POST_OP_binary && (op.broadcast == TPP_BROADCAST_none || op.broadcast == TPP_BROADCAST_row);
}

inline post_step make_post_step(const tpp_post_op &op, bool of_integers) {
  post_step step = {};
  step.mode = op.op_class == TPP_POST_OP_unary ? post_mode::unary
              : varies_by_column(op)           ? post_mode::elements
                                               : post_mode::spread;
  step.kind = op.kind;
  step.type = op.form.type;
  step.of_integers = of_integers;
  const bool by_row = op.broadcast == TPP_BROADCAST_none || op.broadcast == TPP_BROADCAST_col;
  step.row_stride = step.mode != post_mode::unary && by_row ? op.form.ld * type_bytes(op.form.type) : 0;
  return step;
}

} // namespace tpp
