// Shared by the tests of grouped_conv: descriptors of blocks, their operands in guarded memory, and the comparison of a kernel with the reference.
#pragma once
#include "image_problem.hpp"
#include "microkernels/grouped_conv/grouped_conv.hpp"
#include "support/build_kind.hpp"

namespace tpp_test::grouped_conv {

using namespace image;

using desc_type = tpp_grouped_conv_desc;

// A plain, contiguous block of outputs; `top` to `right` are the pixels of its window that are outside of the input.
struct shape {
  int64_t height = 3, width = 5, channels = 8;
  int64_t inputs = 1, outputs = 1; // of a group
  int64_t tap_rows = 3, tap_cols = 3, row_step = 1, col_step = 1, row_dilation = 1, col_dilation = 1;
  int64_t top = 0, left = 0, bottom = 0, right = 0;
};

inline int64_t in_channels(const desc_type &desc) { return desc.channels / desc.group_outputs * desc.group_inputs; }
inline int64_t filter_rows(const desc_type &desc) { return desc.tap_rows * desc.tap_cols * desc.group_inputs; }
inline int64_t window(int64_t outputs, int64_t step, int64_t taps, int64_t dilation) {
  return (std::max<int64_t>(outputs, 1) - 1) * step + (taps - 1) * dilation + 1;
}

// Types of a problem. Integer sums that are not i32 in the end are converted by their first post-op.
struct operand_types {
  int32_t in, filter, out;
};
inline bool of_integers(int32_t type) { return !tpp::is_floating(type); }
// All that the operation takes.
constexpr operand_types all_operand_types[] = {
    {TPP_TYPE_f32, TPP_TYPE_f32, TPP_TYPE_f32},    {TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_f32},
    {TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_bf16}, {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_i32},
    {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_f32},      {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_bf16},
    {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_f16},      {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_i8},
    {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_u8},       {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_i32},
    {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_f32},      {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_bf16},
    {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_f16},      {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_i8},
    {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_u8}};

// Whether a step may be applied to sums of i32, with an operand of i32.
inline bool takes_integers(const tpp_post_op &op) {
  return op.op_class == TPP_POST_OP_unary ? op.kind == TPP_UNARY_relu || op.kind == TPP_UNARY_identity
                                          : op.kind != TPP_BINARY_div;
}
// Changes the types of a problem of f32, whose post-ops then apply to i32 if the output is i32, and else to f32. False if they cannot. The operand of
// step `alias`, which is the output, gets its type.
inline bool set_types(desc_type &desc, operand_types types, int *alias = nullptr) {
  desc.in.type = types.in, desc.filter.type = types.filter, desc.out.type = types.out;
  if (alias != nullptr && *alias >= 0)
    desc.post_ops[*alias].form.type = types.out;
  if (!of_integers(types.in))
    return true;
  if (types.out == TPP_TYPE_i32) {
    for (int32_t s = 0; s < desc.post_op_count; ++s) {
      if (!takes_integers(desc.post_ops[s]))
        return false;
      desc.post_ops[s].form.type = TPP_TYPE_i32;
    }
    return true;
  }
  if (desc.post_op_count == TPP_MAX_POST_OPS)
    return false;
  for (int32_t s = desc.post_op_count++; s > 0; --s) {
    desc.post_ops[s] = desc.post_ops[s - 1];
    desc.post_row_strides[s] = desc.post_row_strides[s - 1];
  }
  desc.post_ops[0] = {TPP_POST_OP_unary, TPP_UNARY_convert, 0, 0, {}};
  desc.post_row_strides[0] = 0;
  if (alias != nullptr && *alias >= 0)
    ++*alias;
  return true;
}

inline desc_type describe(const shape &of) {
  desc_type desc{};
  desc.struct_size = sizeof desc;
  desc.height = of.height, desc.width = of.width, desc.channels = of.channels;
  desc.group_inputs = of.inputs, desc.group_outputs = of.outputs;
  desc.tap_rows = of.tap_rows, desc.tap_cols = of.tap_cols;
  desc.row_step = of.row_step, desc.col_step = of.col_step;
  desc.row_dilation = of.row_dilation, desc.col_dilation = of.col_dilation;
  const int64_t rows = window(of.height, of.row_step, of.tap_rows, of.row_dilation);
  const int64_t cols = window(of.width, of.col_step, of.tap_cols, of.col_dilation);
  desc.top = std::min(of.top, rows), desc.left = std::min(of.left, cols);
  desc.in_height = std::max<int64_t>(rows - desc.top - of.bottom, 0);
  desc.in_width = std::max<int64_t>(cols - desc.left - of.right, 0);
  desc.in = plain(in_channels(desc));
  desc.filter = desc.out = plain(of.channels);
  desc.in_row_stride = desc.in_width * in_channels(desc);
  desc.out_row_stride = of.width * of.channels;
  return desc;
}

inline std::string text(const desc_type &desc) {
  const auto pair = [](int64_t a, int64_t b) { return std::to_string(a) + "x" + std::to_string(b); };
  return "taps " + pair(desc.tap_rows, desc.tap_cols) + " to " + pair(desc.height, desc.width) + "x" +
         std::to_string(desc.channels) + " groups " + pair(desc.group_inputs, desc.group_outputs) + " steps " +
         pair(desc.row_step, desc.col_step) + " dilations " + pair(desc.row_dilation, desc.col_dilation) + " of " +
         pair(desc.in_height, desc.in_width) + " after " + pair(desc.top, desc.left) + " " + elementwise::text(desc.in) +
         elementwise::text(desc.filter) + elementwise::text(desc.out) + " border " + std::to_string(desc.border) +
         text_of_post_ops(desc);
}

// Groups of all kinds, with a number of channels.
struct grouping {
  int64_t inputs, outputs;
};
constexpr grouping groupings[] = {{2, 2}, {4, 4}, {8, 8}, {16, 16}, {32, 32}, {24, 24}, {5, 5},
                                  {3, 5}, {1, 2}, {1, 3}, {4, 2},   {1, 16},  {16, 1}};

class GroupedConvTest : public testing::TestWithParam<row_pointer> {
protected:
  std::mt19937 random{17};
  int turn = 0;
  std::vector<operand_types> types; // those that the kernel takes

  GroupedConvTest() {
    for (operand_types each : all_operand_types) {
      desc_type desc = describe({});
      if (set_types(desc, each) && accepts(desc))
        types.push_back(each);
    }
  }
  int64_t lanes() const { return elementwise::lanes(GetParam(), TPP_TYPE_f32); }
  bool accepts(const desc_type &desc) const { return GetParam()->reject(&desc) == nullptr; }

  // Changes a problem of f32 to types that the kernel takes, and images of integers to some border. False if it takes none.
  bool choose_types(desc_type &desc, int *alias = nullptr) {
    for (int tries = 0; tries < 20; ++tries) {
      desc_type typed = desc;
      int typed_alias = alias != nullptr ? *alias : -1;
      if (types.empty() || !set_types(typed, types[random() % types.size()], &typed_alias))
        continue;
      if (of_integers(typed.in.type)) {
        const int32_t borders[] = {0, 3, typed.in.type == TPP_TYPE_i8 ? -128 : 0, typed.in.type == TPP_TYPE_i8 ? 127 : 255};
        typed.border = borders[random() % 4];
      }
      desc = typed;
      if (alias != nullptr)
        *alias = typed_alias;
      return accepts(desc);
    }
    return false;
  }
  // The same for floats only, with an output of f32.
  bool choose_floats(desc_type &desc) const {
    for (operand_types each : types)
      if (!of_integers(each.in) && each.out == TPP_TYPE_f32)
        return set_types(desc, each) && accepts(desc);
    return false;
  }

  // Operands in memory, next to a guard page. The output is `untouched`, unless it is an operand.
  struct problem {
    stacked in, filter, out;
    tpp_args args{};
    std::vector<std::unique_ptr<stacked>> operands;

    problem(const desc_type &desc, std::mt19937 &random, guard side, int alias = -1)
        : in(desc.in, desc.in_width, in_channels(desc), desc.in_row_stride, desc.in_height, side),
          filter(desc.filter, filter_rows(desc), desc.channels, 0, 1, side),
          out(desc.out, desc.width, desc.channels, desc.out_row_stride, desc.height, side) {
      in.fill_integers(random);
      filter.fill_integers(random);
      out.fill_bytes(elementwise::untouched);
      if (alias >= 0)
        out.fill_integers(random);
      args.a = in.data();
      args.b = filter.data();
      args.c = out.data();
      operands = make_post_operands(desc, args, random, side, alias);
    }
  };
  guard next_side() { return turn++ % 2 == 0 ? guard::behind : guard::before; }

  struct result {
    std::vector<char> got, want;
  };
  // The kernel runs twice: its results are the same bit for bit.
  result run(const desc_type &desc, problem &at) {
    const std::vector<char> start = at.out.copy();
    result both;
    both.got = run_on_copy(GetParam(), desc, at.args, at.out, start);
    EXPECT_EQ(both.got, run_on_copy(GetParam(), desc, at.args, at.out, start)) << text(desc);
    at.out.restore(start);
    tpp::grouped_conv_reference(desc, at.args);
    both.want = at.out.copy();
    return both;
  }
  // Operands and results in the types that the descriptor has.
  void check_typed(const desc_type &desc, problem &at) {
    const result both = run(desc, at);
    expect_equal(both.got, both.want, std::string(GetParam()->name) + ": " + text(desc), desc.out.type);
  }
  // A problem of f32 in types that the kernel takes, on small integers. The operand of step `alias` is the output itself.
  void check(desc_type desc, int alias = -1) {
    if (!choose_types(desc, &alias))
      return;
    problem at(desc, random, next_side(), alias);
    check_typed(desc, at);
  }
  // With and without a bias and relu. For types other than f32, of which there are three times as many kernels, and for kernels that are not
  // optimized: one of the two.
  void check_with_bias(desc_type desc) {
    const bool takes_f32 = std::any_of(types.begin(), types.end(), [](operand_types each) { return each.in == TPP_TYPE_f32; });
    const bool both = takes_f32 && kernels_are_optimized;
    const bool bare = both || random() % 2 == 0, biased = both || !bare;
    if (bare)
      check(desc);
    if (!biased)
      return;
    add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row, plain(desc.channels), false);
    add_unary(desc, TPP_UNARY_relu);
    check(desc);
  }
  // Blocks for tests of post-ops: depthwise and grouped, with borders, channels that fill no vector, and a loose output.
  std::vector<desc_type> blocks() const {
    std::vector<desc_type> all;
    shape of;
    of.height = 2, of.top = of.left = of.right = 1;
    of.channels = 2 * lanes() + 3;
    all.push_back(describe(of));
    of.channels = 32, of.inputs = of.outputs = 4, of.width = 7;
    all.push_back(describe(of));
    of.channels = 15, of.inputs = 3, of.outputs = 5, of.row_step = of.col_step = 2;
    all.push_back(describe(of));
    for (desc_type &desc : all) {
      desc.out.ld += 3;
      desc.out_row_stride = desc.out.ld * desc.width + 1;
    }
    return all;
  }
};

} // namespace tpp_test::grouped_conv
