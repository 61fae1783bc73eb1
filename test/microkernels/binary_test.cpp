// Compares every native binary kernel of this machine with the reference. Elements must be equal as bits or both be NaN. For
// inputs of bf16 or f16, f32 has enough digits (2 p + 2) that rounding to it first changes nothing; f32 inputs allow the next number. Covers
// sizes around the vector length, all operand forms and broadcasts, aliasing, special values, and operands that end or begin at
// an unmapped page.
#include "elementwise_problem.hpp"
#include "microkernels/binary/binary.hpp"

namespace tpp_test::elementwise {
namespace {

// Descriptors with the kind and with combinations of types that a kernel computes.
std::vector<tpp_binary_desc> native_descs(row_pointer row) {
  constexpr tpp_type f32 = TPP_TYPE_f32, bf16 = TPP_TYPE_bf16, f16 = TPP_TYPE_f16;
  constexpr tpp_type types[][3] = {{f32, f32, f32},  {bf16, bf16, bf16}, {f16, f16, f16},
                                   {f32, bf16, f16}, {bf16, f32, f32},   {f16, f32, bf16}};
  std::vector<tpp_binary_desc> descs;
  for (tpp_binary_kind kind : all_binary_kinds)
    for (auto [in0, in1, out] : types) {
      tpp_binary_desc desc{};
      desc.struct_size = sizeof(desc);
      desc.m = desc.n = desc.in0.ld = desc.in1.ld = desc.out.ld = 1;
      desc.kind = kind;
      desc.in0.type = in0, desc.in1.type = in1, desc.out.type = out;
      if (row->reject(&desc) == nullptr)
        descs.push_back(desc);
    }
  EXPECT_FALSE(descs.empty()) << row->name << " accepts nothing";
  return descs;
}

// All operands in one form; their types stay.
void set_forms(tpp_binary_desc &desc, const tpp_matrix &form) {
  for (tpp_matrix *operand : {&desc.in0, &desc.in1, &desc.out}) {
    const int32_t type = operand->type;
    *operand = form;
    operand->type = type;
  }
}

class BinaryTest : public testing::TestWithParam<row_pointer> {
protected:
  arena memory;
  std::mt19937 random{2};

  enum class alias { none, in0, in1 };

  void check(const tpp_binary_desc &desc, guard side, alias same = alias::none) {
    operand in0(desc.in0, desc.m, desc.n, desc.broadcast0), in1(desc.in1, desc.m, desc.n, desc.broadcast1),
        out(desc.out, desc.m, desc.n);
    memory.place(in0, 0, side);
    memory.place(in1, 1, side);
    memory.place(out, 2, side);
    fill(in0, random, true);
    fill(in1, random, true);
    std::memset(out.data, untouched, out.bytes);
    if (same != alias::none)
      std::memcpy(out.data, same == alias::in0 ? in0.data : in1.data, out.bytes);
    tpp_args args{};
    args.a = in0.data;
    args.b = in1.data;
    args.c = out.data;
    std::vector<char> start(out.data, out.data + out.bytes);
    tpp::binary_reference(desc, args);
    std::vector<char> want(out.data, out.data + out.bytes);
    std::copy(start.begin(), start.end(), out.data);
    if (same == alias::in0)
      args.a = out.data;
    if (same == alias::in1)
      args.b = out.data;
    if (!run_row(GetParam(), desc, args))
      return;
    const bool rounds_twice = desc.out.type != TPP_TYPE_f32 && (desc.in0.type == TPP_TYPE_f32 || desc.in1.type == TPP_TYPE_f32);
    expect_output(out, want, rounds_twice ? neighbours(desc.out.type) : nullptr,
                  std::to_string(desc.m) + "x" + std::to_string(desc.n) + " " + text(desc.in0) + text(desc.in1) + " to " +
                      text(desc.out) + " broadcasts " + std::to_string(desc.broadcast0) + " " + std::to_string(desc.broadcast1));
  }

  template <class Body> void for_each_size(Body body) {
    for (const tpp_binary_desc &base : native_descs(GetParam()))
      for (int64_t m : {0, 1, 3})
        for (int64_t n : widths(lanes(GetParam(), TPP_TYPE_f32))) {
          tpp_binary_desc desc = base;
          desc.m = m;
          desc.n = n;
          body(desc);
          if (HasFatalFailure())
            return;
        }
  }
};

TEST_P(BinaryTest, MatchesReferenceInEveryForm) {
  for_each_size([&](tpp_binary_desc desc) {
    int turn = 0;
    for (const tpp_matrix &in0 : forms(desc.in0.type, desc.m, desc.n))
      for (const tpp_matrix &in1 : forms(desc.in1.type, desc.m, desc.n))
        for (const tpp_matrix &out : forms(desc.out.type, desc.m, desc.n)) {
          desc.in0 = in0;
          desc.in1 = in1;
          desc.out = out;
          check(desc, turn++ % 2 == 0 ? guard::behind : guard::before);
          if (HasFatalFailure())
            return;
        }
  });
}

TEST_P(BinaryTest, BroadcastsEitherInput) {
  const int32_t broadcasts[] = {TPP_BROADCAST_none, TPP_BROADCAST_row, TPP_BROADCAST_col, TPP_BROADCAST_scalar};
  for_each_size([&](tpp_binary_desc desc) {
    for (int32_t b0 : broadcasts)
      for (int32_t b1 : broadcasts)
        for (const tpp_matrix &form : forms(desc.out.type, desc.m, desc.n)) {
          desc.broadcast0 = b0;
          desc.broadcast1 = b1;
          set_forms(desc, form);
          check(desc, guard::behind);
          if (HasFatalFailure())
            return;
        }
  });
}

TEST_P(BinaryTest, RunsInPlaceOnEitherInput) {
  for_each_size([&](tpp_binary_desc desc) {
    for (const tpp_matrix &form : forms(desc.out.type, desc.m, desc.n)) {
      set_forms(desc, form);
      desc.broadcast0 = TPP_BROADCAST_none;
      desc.broadcast1 = TPP_BROADCAST_row;
      if (desc.in0.type == desc.out.type)
        check(desc, guard::behind, alias::in0);
      desc.broadcast0 = TPP_BROADCAST_none;
      desc.broadcast1 = TPP_BROADCAST_none;
      if (desc.in1.type == desc.out.type)
        check(desc, guard::behind, alias::in1);
      if (HasFatalFailure())
        return;
    }
  });
}

TEST_P(BinaryTest, RejectsWhatItDoesNotCompute) {
  tpp_binary_desc desc = native_descs(GetParam()).front();
  desc.in1.vnni = 2;
  EXPECT_STREQ(GetParam()->reject(&desc), "native binary kernels take no VNNI-blocked operand");
  desc.in1.type = TPP_TYPE_f64;
  EXPECT_STREQ(GetParam()->reject(&desc), "the kernel is for other types");
  desc.kind = desc.kind == TPP_BINARY_add ? TPP_BINARY_mul : TPP_BINARY_add;
  EXPECT_STREQ(GetParam()->reject(&desc), "the kernel computes another kind");
}

INSTANTIATE_TEST_SUITE_P(Rows, BinaryTest, testing::ValuesIn(runnable_rows(tpp::operation::binary)), row_name);

// Tests of the reference itself, against values computed by hand.

template <class T> T reference(int32_t kind, int32_t type, T x, T y) {
  tpp_binary_desc desc{};
  desc.m = desc.n = desc.in0.ld = desc.in1.ld = desc.out.ld = 1;
  desc.kind = kind;
  desc.in0.type = desc.in1.type = desc.out.type = type;
  EXPECT_EQ(tpp::binary_reject_reason(desc), nullptr);
  T result{};
  tpp_args args{};
  args.a = &x;
  args.b = &y;
  args.c = &result;
  tpp::binary_reference(desc, args);
  return result;
}

TEST(BinaryReferenceTest, KeepsTheSpecialValuesOfKindsDef) {
  for (int32_t kind : {TPP_BINARY_max, TPP_BINARY_min}) {
    EXPECT_TRUE(std::isnan(reference(kind, TPP_TYPE_f32, 1.0f, NAN)));
    EXPECT_TRUE(std::isnan(reference(kind, TPP_TYPE_f32, NAN, 1.0f)));
    for (bool swap : {false, true}) {
      float zero = reference(kind, TPP_TYPE_f32, swap ? -0.0f : 0.0f, swap ? 0.0f : -0.0f);
      EXPECT_EQ(std::signbit(zero), kind == TPP_BINARY_min);
    }
  }
  EXPECT_EQ(reference(TPP_BINARY_div, TPP_TYPE_f32, 1.0f, -0.0f), -HUGE_VALF);
  EXPECT_EQ(reference(TPP_BINARY_sub, TPP_TYPE_f64, 1.0, 0x1p-53), 1.0 - 0x1p-53);
}

TEST(BinaryReferenceTest, WrapsIntegersAround) {
  EXPECT_EQ(reference<int8_t>(TPP_BINARY_add, TPP_TYPE_i8, 127, 1), -128);
  EXPECT_EQ(reference<uint8_t>(TPP_BINARY_sub, TPP_TYPE_u8, 0, 1), 255);
  EXPECT_EQ(reference<int32_t>(TPP_BINARY_mul, TPP_TYPE_i32, 65537, 65537), 131073);
  EXPECT_EQ(reference<uint8_t>(TPP_BINARY_max, TPP_TYPE_u8, 200, 100), 200);
}

TEST(BinaryReferenceTest, RejectsTypesThatMakeNoSense) {
  tpp_binary_desc desc{};
  desc.kind = TPP_BINARY_div;
  desc.in0.type = desc.in1.type = desc.out.type = TPP_TYPE_i32;
  EXPECT_STREQ(tpp::binary_reject_reason(desc), "integer division is not supported");
  desc.out.type = TPP_TYPE_f32;
  EXPECT_STREQ(tpp::binary_reject_reason(desc),
               "binary takes floating-point types, or the same integer type for both inputs and the output");
  desc.kind = 77;
  EXPECT_STREQ(tpp::binary_reject_reason(desc), "binary has no such kind");
}

} // namespace
} // namespace tpp_test::elementwise
