// The grouped_conv kernels of bf16 and 8-bit integers on values that only they have: integers over their whole range, borders, chains that quantize sums
// in registers and on the stack buffer, saturation, and the rounding to bf16. Results of integers are equal to the reference's bit for bit.
#include "grouped_conv_problem.hpp"

#include <climits>
#include <iterator>

namespace tpp_test::grouped_conv {
namespace {

tpp_matrix plain(int32_t type, int64_t ld) { return {type, 0, std::max<int64_t>(ld, 1), 0, 0}; }

class GroupedConvTypesTest : public GroupedConvTest {
protected:
  bool is_integer_kernel() const {
    return std::any_of(types.begin(), types.end(), [](operand_types each) { return of_integers(each.in); });
  }
  // Calls f(types) for the kernel's types with this output.
  template <class F> void for_each_types(std::initializer_list<int32_t> outs, F f) {
    for (operand_types each : types)
      for (int32_t out : outs)
        if (of_integers(each.in) && each.out == out) {
          f(each);
          if (HasFatalFailure())
            return;
        }
  }

  static int lowest(int32_t type) { return type == TPP_TYPE_u8 ? 0 : -128; }
  static int highest(int32_t type) { return type == TPP_TYPE_u8 ? 255 : 127; }
  // Bytes of all values, the extreme ones more often.
  void fill_whole_range(stacked &operand) {
    const int low = lowest(operand.form.type), high = highest(operand.form.type);
    std::uniform_int_distribution<int> value(low, high);
    for (int64_t at = 0; at < operand.elements(); ++at)
      tpp::store_double(operand.form.type, operand.data(), at, random() % 4 == 0 ? (random() % 2 ? low : high) : value(random));
  }
  // Fills the operand of step `s`, the `index`-th of the binary steps.
  template <class F> void fill_operand(problem &at, int index, F value) {
    stacked &operand = *at.operands[static_cast<size_t>(index)];
    for (int64_t element = 0; element < operand.elements(); ++element)
      tpp::store_double(operand.form.type, operand.data(), element, static_cast<double>(value()));
  }
  // Runs a problem on bytes of all values. `prepare` may change operands before.
  template <class F> void check_bytes(const desc_type &desc, F prepare) {
    ASSERT_TRUE(accepts(desc)) << GetParam()->reject(&desc) << ": " << text(desc);
    problem at(desc, random, next_side());
    fill_whole_range(at.in);
    fill_whole_range(at.filter);
    prepare(at);
    check_typed(desc, at);
  }
  void check_bytes(const desc_type &desc) {
    check_bytes(desc, [](problem &) {});
  }
  int32_t any_i32(int32_t most) { return std::uniform_int_distribution<int32_t>(-most, most)(random); }
  float any_float(float from, float to) { return std::uniform_real_distribution<float>(from, to)(random); }
};

// ---- sums ----

// Sums of all groups and filters, at the borders of images whose outside has every extreme value.
TEST_P(GroupedConvTypesTest, SumsOfIntegersAreExact) {
  for_each_types({TPP_TYPE_i32}, [&](operand_types each) {
    // One border for each filter, in turn: five, so that each meets all of the four steps and dilations.
    const int32_t borders[] = {0, 1, lowest(each.in), highest(each.in), 77};
    size_t turn = 0;
    for (const grouping &group : {grouping{1, 1}, grouping{2, 2}, grouping{4, 4}, grouping{8, 8}, grouping{32, 32},
                                  grouping{3, 5}, grouping{1, 2}, grouping{5, 5}})
      for (int64_t taps : {1, 2, 3, 4, 5, 7})
        for (int64_t step : {1, 2})
          for (int64_t dilation : {1, 2}) {
            shape of;
            of.inputs = group.inputs, of.outputs = group.outputs;
            of.channels = group.outputs == 1 ? 2 * lanes() + 3 : 3 * group.outputs;
            of.width = 13;
            of.tap_rows = of.tap_cols = taps;
            of.row_step = of.col_step = step, of.row_dilation = of.col_dilation = dilation;
            of.top = of.left = of.bottom = of.right = taps * dilation / 2;
            desc_type desc = describe(of);
            set_types(desc, each);
            desc.border = borders[turn++ % std::size(borders)];
            if (accepts(desc))
              check_bytes(desc);
            if (HasFatalFailure())
              return;
          }
  });
}

// As many products of the largest numbers as the kernels take. The reference takes more, whose sums wrap around.
TEST_P(GroupedConvTypesTest, SumsMayBeLarge) {
  for_each_types({TPP_TYPE_i32}, [&](operand_types each) {
    const bool any_size = GetParam()->provider == TPP_PROVIDER_reference;
    const int64_t most = each.in == TPP_TYPE_u8 ? 514 : 1024;
    for (int64_t inputs : {most, most + 1}) {
      shape of;
      of.inputs = inputs, of.outputs = 4, of.channels = 8;
      of.tap_rows = of.tap_cols = 1;
      desc_type desc = describe(of);
      set_types(desc, each);
      if (inputs > most && !any_size) {
        EXPECT_STREQ(GetParam()->reject(&desc), "the kernel takes filters of 8-bit integers whose sums are at most 2^24");
        continue;
      }
      check_bytes(desc, [&](problem &at) {
        at.in.fill_bytes(each.in == TPP_TYPE_u8 ? 255 : 128);
        at.filter.fill_bytes(128);
      });
      if (HasFatalFailure())
        return;
    }
  });
}

// Each border up to the whole window, so that whole rows of taps, and the whole image, may be outside.
TEST_P(GroupedConvTypesTest, EveryBorderHasItsValue) {
  for_each_types({TPP_TYPE_i32}, [&](operand_types each) {
    for (int64_t inputs : {1, 4})
      for (int64_t step : {1, 2})
        for (int64_t top : {0, 1, 2, 5})
          for (int64_t bottom : {0, 1, 3, 5})
            for (int64_t left = 0; left <= 7; ++left)
              for (int64_t right : {0, 1, 2, 6}) {
                shape of;
                of.width = 12, of.channels = inputs == 1 ? lanes() + 3 : 16;
                of.inputs = of.outputs = inputs;
                of.col_step = step;
                of.top = top, of.bottom = bottom, of.left = left, of.right = right;
                desc_type desc = describe(of);
                set_types(desc, each);
                desc.border = lowest(each.in) + 1 + static_cast<int32_t>(left);
                check_bytes(desc);
                if (HasFatalFailure())
                  return;
              }
  });
}

// An empty image: all products are those of the border.
TEST_P(GroupedConvTypesTest, TheWholeWindowMayBeOutside) {
  for_each_types({TPP_TYPE_i32}, [&](operand_types each) {
    shape of;
    of.channels = lanes() + 1, of.width = 9, of.top = of.left = 99;
    desc_type desc = describe(of);
    set_types(desc, each);
    desc.border = highest(each.in);
    check_bytes(desc);
    desc.top = desc.left = desc.in_height = desc.in_width = 0; // its canonical form
    check_bytes(desc);
  });
}

// ---- requantization ----

struct quantization {
  int offset;           // 0: none, 1: added, 2: subtracted
  int bias, zero_point; // 0: none, 1
  int32_t broadcast;    // of all operands: row or scalar
  int32_t offset_magnitude;
};
void add_quantization(desc_type &desc, const quantization &of) {
  const int64_t ld = desc.channels + 2;
  if (of.offset != 0)
    add_binary(desc, of.offset == 1 ? TPP_BINARY_add : TPP_BINARY_sub, of.broadcast, plain(TPP_TYPE_i32, ld), false);
  add_unary(desc, TPP_UNARY_convert);
  add_binary(desc, TPP_BINARY_mul, of.broadcast, plain(TPP_TYPE_f32, ld), false);
  if (of.bias != 0)
    add_binary(desc, TPP_BINARY_add, of.broadcast, plain(TPP_TYPE_f32, ld), false);
  if (of.zero_point != 0) {
    add_unary(desc, TPP_UNARY_round);
    add_binary(desc, TPP_BINARY_add, of.broadcast == TPP_BROADCAST_row ? TPP_BROADCAST_scalar : TPP_BROADCAST_row,
               plain(TPP_TYPE_f32, ld), false);
  }
}

// Every chain that runs in registers, with and without an offset that is too large for f32; images of all widths, and channels that fill no vector.
TEST_P(GroupedConvTypesTest, QuantizesSums) {
  for_each_types({TPP_TYPE_u8, TPP_TYPE_i8}, [&](operand_types each) {
    for (int64_t width : {1, 3, 7, 14, 25})
      for (int64_t channels : {lanes() - 1, 4 * lanes() + 3})
        for (int chain = 0; chain < 3 * 2 * 2 * 2 * 3; ++chain) {
          const int32_t magnitudes[] = {20000, 1 << 24, INT_MAX};
          const quantization of = {chain % 3, chain / 3 % 2, chain / 6 % 2,
                                   chain / 12 % 2 != 0 ? TPP_BROADCAST_row : TPP_BROADCAST_scalar, magnitudes[chain / 24]};
          if (of.offset == 0 && chain >= 24)
            continue;
          shape size;
          size.height = 2, size.width = width, size.channels = channels;
          size.top = size.left = size.right = 1;
          desc_type desc = describe(size);
          desc.in.type = each.in, desc.filter.type = each.filter, desc.out.type = each.out;
          desc.border = static_cast<int32_t>(width) % 2 != 0 ? highest(each.in) : 0;
          add_quantization(desc, of);
          check_bytes(desc, [&](problem &at) {
            int operand = 0;
            if (of.offset != 0)
              fill_operand(at, operand++, [&] { return any_i32(of.offset_magnitude); });
            const float largest = of.offset_magnitude > 20000 ? 1e-5f : 0.005f;
            fill_operand(at, operand++, [&] { return any_float(-largest / 4, largest); });
            if (of.bias != 0)
              fill_operand(at, operand++, [&] { return any_float(-20, 20); });
            if (of.zero_point != 0)
              fill_operand(at, operand++, [&] { return any_i32(9); });
          });
          if (HasFatalFailure())
            return;
        }
  });
}

// Offsets that f32 does not hold: added to a sum of the other sign, each of their bits counts.
TEST_P(GroupedConvTypesTest, QuantizesSumsWithLargeOffsets) {
  for_each_types({TPP_TYPE_u8, TPP_TYPE_i8}, [&](operand_types each) {
    for (int sign : {1, -1})
      for (int64_t channels : {lanes(), lanes() + 1}) {
        shape size;
        size.channels = channels, size.width = 9;
        desc_type desc = describe(size);
        desc.in.type = each.in, desc.filter.type = each.filter, desc.out.type = each.out;
        add_quantization(desc, {sign > 0 ? 1 : 2, 1, 1, TPP_BROADCAST_row, 0});
        check_bytes(desc, [&](problem &at) {
          at.in.fill_integers(random, 1, 2);
          at.filter.fill_integers(random, -4, -2);
          fill_operand(at, 0, [&] { return sign * ((1 << 24) + static_cast<int>(random() % 8)); });
          fill_operand(at, 1, [&] { return 1.0f; });
          fill_operand(at, 2, [&] { return -16777100.0f; });
          fill_operand(at, 3, [&] { return 0.0f; });
        });
        if (HasFatalFailure())
          return;
      }
  });
}

// All groups and layouts of the operands of a requantization: other types than f32, panels, an output with gaps.
TEST_P(GroupedConvTypesTest, QuantizesEveryGroupAndLayout) {
  for_each_types({TPP_TYPE_u8, TPP_TYPE_i8}, [&](operand_types each) {
    // One type and one width of panels for each group, in turn: nine pairs.
    const int32_t types_of_bias[] = {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_i8};
    size_t turn = 0;
    for (const grouping &group : groupings)
      for (int64_t panel : {0, 5, 16}) {
        const int32_t type = types_of_bias[(turn + turn / 3) % 3];
        ++turn;
        shape size;
        size.inputs = group.inputs, size.outputs = group.outputs;
        size.channels = 7 * group.outputs, size.width = 11;
        size.top = size.left = 1;
        desc_type desc = describe(size);
        desc.in.type = each.in, desc.filter.type = each.filter, desc.out.type = each.out;
        desc.out.ld += 3, desc.out_row_stride = desc.out.ld * desc.width + 1;
        desc.border = 1;
        const auto form = [&](int32_t of) {
          return panel != 0 ? tpp_matrix{of, 0, panel, panel, panel + 3} : plain(of, desc.channels);
        };
        add_binary(desc, TPP_BINARY_sub, TPP_BROADCAST_row, form(TPP_TYPE_i32), false);
        add_unary(desc, TPP_UNARY_convert);
        add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_scalar, plain(TPP_TYPE_f32, 1), false);
        add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row, form(type), false);
        add_unary(desc, TPP_UNARY_round);
        add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_scalar, plain(type, 1), false);
        if (!accepts(desc))
          continue;
        check_bytes(desc, [&](problem &at) {
          fill_operand(at, 0, [&] { return any_i32(3000); });
          fill_operand(at, 1, [&] { return any_float(0.0005f, 0.004f); });
        });
        if (HasFatalFailure())
          return;
      }
  });
}

// Results that are halves, out of range, infinite or NaN.
TEST_P(GroupedConvTypesTest, StoresRoundAndSaturate) {
  for_each_types({TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_f16}, [&](operand_types each) {
    for (float scale : {0.5f, -0.5f, 0.25f, 1e6f, -1e6f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN})
      for (bool round : {false, true})
        for (int64_t channels : {2 * lanes(), lanes() + 1}) {
          shape size;
          size.channels = channels, size.width = 8, size.tap_rows = size.tap_cols = 1;
          desc_type desc = describe(size);
          desc.in.type = each.in, desc.filter.type = each.filter, desc.out.type = each.out;
          add_quantization(desc, {0, 0, round, TPP_BROADCAST_scalar, 0});
          check_bytes(desc, [&](problem &at) {
            at.in.fill_integers(random, lowest(each.in) / 8, highest(each.in));
            at.filter.fill_integers(random, -2, 3);
            fill_operand(at, 0, [&] { return scale; });
            if (round)
              fill_operand(at, 1, [&] { return 3.0f; });
          });
          if (HasFatalFailure())
            return;
        }
  });
}

// ---- other chains ----

TEST_P(GroupedConvTypesTest, IntegerStepsWithEveryBroadcast) {
  for_each_types({TPP_TYPE_i32, TPP_TYPE_i8, TPP_TYPE_bf16}, [&](operand_types each) {
    for (desc_type block : blocks())
      for (tpp_binary_kind kind : elementwise::all_binary_kinds)
        for (int32_t broadcast : broadcasts)
          for (int after : {0, 1, 2}) {
            desc_type desc = block;
            desc.in.type = each.in, desc.filter.type = each.filter, desc.out.type = each.out;
            desc.border = highest(each.in);
            add_binary(desc, kind, broadcast, TPP_TYPE_i32);
            if (after > 0)
              add_unary(desc, after == 1 ? TPP_UNARY_relu : TPP_UNARY_identity);
            if (each.out != TPP_TYPE_i32) {
              add_unary(desc, TPP_UNARY_convert);
              add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_none, TPP_TYPE_f32);
            }
            if (kind == TPP_BINARY_div) {
              EXPECT_STREQ(GetParam()->reject(&desc), "integer division is not supported");
              continue;
            }
            check_bytes(desc, [&](problem &at) { fill_operand(at, 0, [&] { return any_i32(INT_MAX); }); });
            if (HasFatalFailure())
              return;
          }
  });
}

// After convert: operands of all types, with each broadcast, for each type of the output.
TEST_P(GroupedConvTypesTest, FloatStepsAfterConvert) {
  for_each_types({TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_f16, TPP_TYPE_u8, TPP_TYPE_i8}, [&](operand_types each) {
    for (desc_type block : blocks())
      for (int32_t type : {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_f16, TPP_TYPE_i32, TPP_TYPE_i8, TPP_TYPE_u8})
        for (int32_t broadcast : broadcasts) {
          desc_type desc = block;
          desc.in.type = each.in, desc.filter.type = each.filter, desc.out.type = each.out;
          add_unary(desc, TPP_UNARY_convert);
          add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_row);
          add_binary(desc, TPP_BINARY_add, broadcast, type);
          add_unary(desc, TPP_UNARY_relu);
          check_bytes(desc, [&](problem &at) { fill_operand(at, 0, [&] { return any_float(-0.01f, 0.01f); }); });
          if (HasFatalFailure())
            return;
        }
  });
}

// The quantized residual of networks: both are dequantized, added and quantized. It may be the output itself.
TEST_P(GroupedConvTypesTest, QuantizedResiduals) {
  for_each_types({TPP_TYPE_u8, TPP_TYPE_i8}, [&](operand_types each) {
    for (desc_type desc : blocks()) {
      desc.in.type = each.in, desc.filter.type = each.filter, desc.out.type = each.out;
      add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row, TPP_TYPE_i32);
      add_unary(desc, TPP_UNARY_relu);
      add_unary(desc, TPP_UNARY_convert);
      add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_scalar);
      const int residual = add_output_as_operand(desc, TPP_BINARY_add);
      add_unary(desc, TPP_UNARY_round);
      add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_scalar);
      problem at(desc, random, next_side(), residual);
      ASSERT_TRUE(accepts(desc)) << GetParam()->reject(&desc);
      fill_whole_range(at.in);
      fill_whole_range(at.filter);
      fill_operand(at, 1, [&] { return any_float(0.001f, 0.005f); });
      check_typed(desc, at);
    }
  });
}

TEST_P(GroupedConvTypesTest, RejectsWhatIntegersDoNotTake) {
  for_each_types({TPP_TYPE_i32}, [&](operand_types each) {
    desc_type good = describe({});
    set_types(good, each);
    desc_type desc = good;
    const auto reason = [&] { return GetParam()->reject(&desc); };
    for (int32_t type : {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_i8, TPP_TYPE_u8}) { // without convert
      desc.out.type = type;
      EXPECT_NE(reason(), nullptr);
    }
    desc = good;
    add_unary(desc, TPP_UNARY_convert);
    EXPECT_NE(reason(), nullptr); // converted to i32
    desc.out.type = TPP_TYPE_u8;
    EXPECT_EQ(reason(), nullptr);
    add_unary(desc, TPP_UNARY_convert);
    EXPECT_STREQ(reason(), "convert is a post-op of i32 sums, once");
    desc = good;
    add_unary(desc, TPP_UNARY_gelu);
    EXPECT_STREQ(reason(), "sums of integers take only identity and relu as unary post-ops");
    desc = good;
    add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row, TPP_TYPE_f32);
    EXPECT_STREQ(reason(), "a post-op's operand must be f32, bf16 or f16 (floating point) or i32 (integers)");
    desc = good;
    desc.filter.type = TPP_TYPE_u8;
    EXPECT_NE(reason(), nullptr);
  });
}

// ---- bf16 ----

// Chains in registers with operands of either type, and results between two numbers of bf16.
TEST_P(GroupedConvTypesTest, Bf16IsRoundedOnceAfterThePostOps) {
  for (operand_types each : types) {
    if (each.in != TPP_TYPE_bf16)
      continue;
    for (int64_t width : {2, 7, 14, 23})
      for (int64_t channels : {lanes(), 2 * lanes() + 3})
        for (int chain = 0; chain < 3 * 3 * 2 * 3; ++chain) {
          const int32_t bias = chain % 3, residual = chain / 3 % 3, bound = chain / 18;
          shape of;
          of.width = width, of.channels = channels;
          of.top = of.left = of.right = 1;
          desc_type desc = describe(of);
          set_types(desc, each);
          const auto type_of = [](int choice) { return choice == 1 ? TPP_TYPE_f32 : TPP_TYPE_bf16; };
          if (bias != 0)
            add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row, type_of(bias));
          if (residual != 0)
            add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_none, type_of(residual));
          if (chain / 9 % 2 != 0)
            add_unary(desc, TPP_UNARY_relu);
          if (bound != 0)
            add_binary(desc, TPP_BINARY_min, TPP_BROADCAST_scalar, type_of(bound));
          ASSERT_TRUE(accepts(desc)) << GetParam()->reject(&desc);
          problem at(desc, random, next_side());
          at.in.fill_integers(random, -50, 50); // sums are integers, of which bf16 holds those below 256
          at.filter.fill_integers(random, -9, 9);
          if (bound != 0)
            fill_operand(at, static_cast<int>(at.operands.size()) - 1, [&] { return 301.0f; });
          check_typed(desc, at);
          if (HasFatalFailure())
            return;
        }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, GroupedConvTypesTest, testing::ValuesIn(runnable_rows(tpp::operation::grouped_conv)), row_name);

// Every kernel computes one input, all of its outputs, and no other.
TEST(GroupedConvKernelsTest, EachTakesTheTypesOfItsName) {
  for (row_pointer row : runnable_rows(tpp::operation::grouped_conv)) {
    const std::string name = row->name;
    for (operand_types each : all_operand_types) {
      const bool is_named = name.find(each.in == TPP_TYPE_f32    ? "_f32_"
                                      : each.in == TPP_TYPE_bf16 ? "_bf16_"
                                      : each.in == TPP_TYPE_u8   ? "_u8i8i32_"
                                                                 : "_i8i8i32_") != std::string::npos;
      desc_type desc = describe({});
      ASSERT_TRUE(set_types(desc, each));
      if (is_named)
        EXPECT_EQ(row->reject(&desc), nullptr) << name;
      else
        EXPECT_STREQ(row->reject(&desc), "the kernel is for other types") << name;
    }
  }
}

// ---- the reference itself ----

// Values computed by hand: one channel, taps 1 -2 3, and an image 100 200 between two borders of 7.
TEST(GroupedConvReferenceTest, MultipliesTheBorder) {
  shape of;
  of.height = 1, of.width = 2, of.channels = 1, of.tap_rows = 1, of.left = of.right = 1;
  desc_type desc = describe(of);
  set_types(desc, {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_i32});
  ASSERT_EQ(desc.in_width, 2);
  desc.border = 7;
  const uint8_t in[] = {100, 200};
  const int8_t filter[] = {1, -2, 3};
  int32_t out[2];
  tpp_args args{};
  args.a = in;
  args.b = filter;
  args.c = out;
  tpp::grouped_conv_reference(desc, args);
  EXPECT_EQ(out[0], 7 * 1 + 100 * -2 + 200 * 3);
  EXPECT_EQ(out[1], 100 * 1 + 200 * -2 + 7 * 3);
  desc.tap_rows = 2, desc.top = 1; // a row of taps above the image
  const int8_t filters[] = {5, 5, 5, 1, -2, 3};
  args.b = filters;
  tpp::grouped_conv_reference(desc, args);
  EXPECT_EQ(out[0], 7 * 15 + 7 * 1 + 100 * -2 + 200 * 3);
}

// 2^17 products of -128 * -128 are 2^31, which wraps around.
TEST(GroupedConvReferenceTest, SumsOfIntegersWrapAround) {
  shape of;
  of.height = of.width = of.channels = of.tap_rows = of.tap_cols = 1, of.inputs = 1 << 17;
  desc_type desc = describe(of);
  set_types(desc, {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_i32});
  const std::vector<int8_t> values(size_t{1} << 17, -128);
  int32_t out = 0;
  tpp_args args{};
  args.a = values.data();
  args.b = values.data();
  args.c = &out;
  tpp::grouped_conv_reference(desc, args);
  EXPECT_EQ(out, INT32_MIN);
}

// A sum of 257 is rounded to bf16 after 1 is added: 258, not 256 + 1.
TEST(GroupedConvReferenceTest, RoundsBf16Once) {
  shape of;
  of.height = of.width = of.channels = of.tap_rows = 1, of.tap_cols = 2;
  desc_type desc = describe(of);
  set_types(desc, {TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_bf16});
  add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
  uint16_t in[2], filter[2], out = 0;
  tpp::store_double(TPP_TYPE_bf16, in, 0, 256), tpp::store_double(TPP_TYPE_bf16, in, 1, 1);
  tpp::store_double(TPP_TYPE_bf16, filter, 0, 1), tpp::store_double(TPP_TYPE_bf16, filter, 1, 1);
  const float one = 1;
  tpp_args args{};
  args.a = in;
  args.b = filter;
  args.c = &out;
  args.post[0] = &one;
  tpp::grouped_conv_reference(desc, args);
  EXPECT_EQ(tpp::load_double(TPP_TYPE_bf16, &out, 0), 258);
}

} // namespace
} // namespace tpp_test::grouped_conv
