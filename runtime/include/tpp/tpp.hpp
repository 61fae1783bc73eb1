// A thin C++17 wrapper of tpp.h: functions that return valid descriptors of plain operands, and kernels that are called like functions.
// Header-only; throws nothing. Every descriptor is the C structure, and each of its fields may be changed.
//
//   tpp::brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 13, 32, 64);       // plain, row-major, contiguous
//   desc.a.ld = 512;
//   tpp::add_post_op(desc, tpp::bias(TPP_TYPE_f32));
//   tpp::kernel kernel;
//   if (tpp_status status = tpp::dispatch(desc, kernel)) ... tpp_last_error() ...
//   kernel(args);
#ifndef TPP_TPP_HPP
#define TPP_TPP_HPP

#include "tpp/tpp.h"

namespace tpp {

// brgemm_desc, unary_desc and so on, one for each operation of operations.def.
#define TPP_OPERATION(name, Name, formula) using name##_desc = tpp_##name##_desc;
#include "tpp/operations.def"

// Row-major, with leading dimension `ld`.
inline tpp_matrix plain(tpp_type type, int64_t ld) { return {type, 0, ld > 0 ? ld : 1, 0, 0}; }

// In panels of `panel` columns, `panel_stride` elements apart. Inside a panel, the leading dimension is `panel`.
inline tpp_matrix panelled(tpp_type type, int64_t panel, int64_t panel_stride) { return {type, 0, panel, panel, panel_stride}; }

// The transpose of a row-major matrix with leading dimension `ld`: its rows are the columns of the operand.
inline tpp_matrix transposed(tpp_type type, int64_t ld) { return {type, 0, 1, 1, ld}; }

// C[m x n] = sum over b of A_b[m x k] * B_b[k x n], all of one type, row-major and contiguous. The entries of the batch are stored one
// after the other without gaps.
inline brgemm_desc brgemm(tpp_type type, int64_t m, int64_t n, int64_t k) {
  constexpr int64_t bytes[] = {
#define TPP_TYPE(name, value, bytes, summary) bytes,
#include "tpp/kinds.def"
  };
  brgemm_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.m = m;
  desc.n = n;
  desc.k = k;
  desc.a = plain(type, k);
  desc.b = plain(type, n);
  desc.c = plain(type, n);
  desc.a_batch_stride = m * k * bytes[type];
  desc.b_batch_stride = k * n * bytes[type];
  return desc;
}

inline unary_desc unary(tpp_unary_kind kind, tpp_type type, int64_t m, int64_t n) {
  unary_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.m = m;
  desc.n = n;
  desc.in = plain(type, kind == TPP_UNARY_transpose ? m : n);
  desc.out = plain(type, n);
  desc.kind = kind;
  return desc;
}

inline binary_desc binary(tpp_binary_kind kind, tpp_type type, int64_t m, int64_t n) {
  binary_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.m = m;
  desc.n = n;
  desc.in0 = desc.in1 = desc.out = plain(type, n);
  desc.kind = kind;
  return desc;
}

inline reduce_desc reduce(tpp_reduce_kind kind, tpp_reduce_axis axis, tpp_type type, int64_t m, int64_t n) {
  reduce_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.m = m;
  desc.n = n;
  desc.in = plain(type, n);
  desc.out = plain(type, axis == TPP_REDUCE_over_rows ? n : 1);
  desc.kind = kind;
  desc.axis = axis;
  return desc;
}

// Whole tiles inside an image: (tile + 2) x (tile * tiles + 2) pixels of f32. The points, and the tiles of a point, are stored one after the other.
inline winograd_input_desc winograd_input(int32_t tile, int64_t tiles, int64_t channels) {
  winograd_input_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.tiles = tiles;
  desc.channels = channels;
  desc.height = tile + 2;
  desc.width = tile * tiles + 2;
  desc.in = desc.out = plain(TPP_TYPE_f32, channels);
  desc.in_row_stride = desc.width * channels;
  desc.out_point_stride = tiles * channels;
  desc.tile = tile;
  return desc;
}

// Whole tiles: tile x (tile * tiles) pixels, with rows one after the other.
inline winograd_output_desc winograd_output(int32_t tile, int64_t tiles, int64_t channels) {
  winograd_output_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.tiles = tiles;
  desc.channels = channels;
  desc.height = tile;
  desc.width = tile * tiles;
  desc.in = desc.out = plain(TPP_TYPE_f32, channels);
  desc.in_point_stride = tiles * channels;
  desc.out_row_stride = desc.width * channels;
  desc.tile = tile;
  return desc;
}

// A block of height x width outputs of step 1, whose taps are all inside the input: (height + tap_rows - 1) x (width + tap_cols - 1) pixels. The filter
// has the type of the input, but i8 if that is u8; the output has the type of the sums.
inline grouped_conv_desc grouped_conv(tpp_type type, int64_t height, int64_t width, int64_t channels, int64_t tap_rows,
                                      int64_t tap_cols, int64_t group_inputs = 1, int64_t group_outputs = 1) {
  const bool of_integers = type == TPP_TYPE_u8 || type == TPP_TYPE_i8;
  grouped_conv_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.height = height;
  desc.width = width;
  desc.channels = channels;
  desc.in_height = height + tap_rows - 1;
  desc.in_width = width + tap_cols - 1;
  desc.group_inputs = group_inputs;
  desc.group_outputs = group_outputs;
  desc.tap_rows = tap_rows;
  desc.tap_cols = tap_cols;
  desc.row_step = desc.col_step = desc.row_dilation = desc.col_dilation = 1;
  const int64_t in_channels = channels / group_outputs * group_inputs;
  desc.in = plain(type, in_channels);
  desc.filter = plain(of_integers ? TPP_TYPE_i8 : type, channels);
  desc.out = plain(of_integers ? TPP_TYPE_i32 : TPP_TYPE_f32, channels);
  desc.in_row_stride = desc.in_width * in_channels;
  desc.out_row_stride = width * channels;
  return desc;
}

// The same in f32.
inline grouped_conv_desc grouped_conv(int64_t height, int64_t width, int64_t channels, int64_t tap_rows, int64_t tap_cols,
                                      int64_t group_inputs = 1, int64_t group_outputs = 1) {
  return grouped_conv(TPP_TYPE_f32, height, width, channels, tap_rows, tap_cols, group_inputs, group_outputs);
}

inline tpp_post_op activation(tpp_unary_kind kind) { return {TPP_POST_OP_unary, kind, TPP_BROADCAST_none, 0, {}}; }

inline tpp_post_op binary_step(tpp_binary_kind kind, tpp_broadcast broadcast, tpp_matrix form) {
  return {TPP_POST_OP_binary, kind, broadcast, 0, form};
}

// One value per column, contiguous.
inline tpp_post_op bias(tpp_type type) { return binary_step(TPP_BINARY_add, TPP_BROADCAST_row, plain(type, 1)); }

// Appends a post-op. Returns false if the chain is full.
inline bool add_post_op(brgemm_desc &desc, const tpp_post_op &step) {
  if (desc.post_op_count < 0 || desc.post_op_count >= TPP_MAX_POST_OPS)
    return false;
  desc.post_ops[desc.post_op_count++] = step;
  return true;
}

// The same for a winograd_output or a grouped_conv. Rows of pixels of the step's operand are `row_stride` elements apart.
template <typename Desc, typename = decltype(Desc::post_row_strides)>
bool add_post_op(Desc &desc, const tpp_post_op &step, int64_t row_stride = 0) {
  if (desc.post_op_count < 0 || desc.post_op_count >= TPP_MAX_POST_OPS)
    return false;
  desc.post_row_strides[desc.post_op_count] = row_stride;
  desc.post_ops[desc.post_op_count++] = step;
  return true;
}

// A dispatched kernel, or empty. A copy copies a pointer; kernels live until the process ends.
class kernel {
public:
  kernel() = default;
  explicit kernel(const tpp_kernel *handle) : handle_(handle) {}
  explicit operator bool() const { return handle_ != nullptr; }
  const tpp_kernel *handle() const { return handle_; }
  const char *name() const { return tpp_kernel_name(handle_); }
  tpp_provider provider() const { return tpp_kernel_provider(handle_); }
  // The kernel must not be empty.
  void operator()(const tpp_args &args) const { tpp_invoke(handle_, &args); }

private:
  const tpp_kernel *handle_ = nullptr;
};

// Sets `out` to the kernel for a descriptor, one function for each operation. On failure, `out` is empty and tpp_last_error() returns the
// reason.
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  inline tpp_status dispatch(const name##_desc &desc, kernel &out) {                                                             \
    const tpp_kernel *handle;                                                                                                    \
    const tpp_status status = tpp_dispatch_##name(&desc, &handle);                                                               \
    out = kernel(handle);                                                                                                        \
    return status;                                                                                                               \
  }
#include "tpp/operations.def"

} // namespace tpp

#endif
