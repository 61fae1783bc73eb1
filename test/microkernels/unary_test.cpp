// Compares every native unary kernel of this machine with the reference: sizes around the vector length, forms of input and
// output, broadcasts, aliasing, operands that end or begin at an unmapped page. Inputs include special values, so the rules of
// kinds.def are tested in every lane and tail.
#include "elementwise_problem.hpp"
#include "microkernels/unary/unary.hpp"
#include "support/build_kind.hpp"
#include "tpp/transpose_sizes.hpp"

namespace tpp_test::elementwise {
namespace {

// Descriptors with the kind and each pair of types that a kernel computes.
std::vector<tpp_unary_desc> native_descs(row_pointer row) {
  std::vector<tpp_unary_desc> descs;
  tpp_unary_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.m = desc.n = desc.in.ld = desc.out.ld = 1;
  for (tpp_unary_kind kind : all_unary_kinds)
    for (tpp_type in : all_types)
      for (tpp_type out : all_types)
        for (int32_t vnni : {0, 2, 4}) {
          desc.kind = kind;
          desc.in.type = in;
          desc.out.type = out;
          desc.out.vnni = vnni;
          desc.alpha = kind == TPP_UNARY_leaky_relu ? -0.3f : 0.0f;
          if (row->reject(&desc) == nullptr)
            descs.push_back(desc);
        }
  EXPECT_FALSE(descs.empty()) << row->name << " accepts nothing";
  return descs;
}
tpp_unary_desc native_desc(row_pointer row) { return native_descs(row).front(); }

bool is_activation(const tpp_unary_desc &desc) { return accuracy_of(static_cast<tpp_unary_kind>(desc.kind)).has_value(); }

// Comparison by the kind's error bound; null for kinds whose results must have equal bits. A result that is rounded to bf16 or f16 may also be
// the next number, if it is near the middle of two.
element_check tolerance(const tpp_unary_desc &desc, const operand &in) {
  const auto allowed = accuracy_of(static_cast<tpp_unary_kind>(desc.kind));
  if (!allowed || (*allowed == 0 && desc.out.type != TPP_TYPE_f32))
    return nullptr;
  const bool is_small = desc.out.type == TPP_TYPE_bf16 || desc.out.type == TPP_TYPE_f16;
  return [bound = *allowed, next = is_small ? neighbours(desc.out.type) : element_check(), &desc, &in](int64_t i, int64_t j,
                                                                                                       double got, double want) {
    const double x = tpp::load_double(desc.in.type, in.data, in.offset(std::min(i, in.rows - 1), std::min(j, in.cols - 1)));
    return unary_error(desc.kind, x, static_cast<float>(got), want) <= bound || (next && next(i, j, got, want));
  };
}

class UnaryTest : public testing::TestWithParam<row_pointer> {
protected:
  arena memory;
  std::mt19937 random{1};

  void check(tpp_unary_desc desc, guard side, bool in_place = false) {
    const bool transpose = desc.kind == TPP_UNARY_transpose;
    operand in(desc.in, transpose ? desc.n : desc.m, transpose ? desc.m : desc.n, desc.broadcast), out(desc.out, desc.m, desc.n);
    memory.place(in, 0, side);
    memory.place(out, 1, side);
    if (transpose || desc.kind == TPP_UNARY_identity || desc.kind == TPP_UNARY_vnni_pack)
      fill_bits(in, random);
    else
      fill(in, random, true);
    std::memset(out.data, untouched, out.bytes);
    if (in_place)
      std::memcpy(out.data, in.data, out.bytes);
    std::vector<char> start(out.data, out.data + out.bytes);
    tpp_args args{};
    args.a = desc.kind == TPP_UNARY_zero ? nullptr : in.data;
    args.c = out.data;
    tpp::unary_reference(desc, args);
    std::vector<char> want(out.data, out.data + out.bytes);
    std::copy(start.begin(), start.end(), out.data);
    if (in_place)
      args.a = out.data;
    if (!run_row(GetParam(), desc, args))
      return;
    expect_output(out, want, tolerance(desc, in),
                  std::to_string(desc.m) + "x" + std::to_string(desc.n) + " " + text(desc.in) + " to " + text(desc.out) +
                      " broadcast " + std::to_string(desc.broadcast));
  }

  template <class Body> void for_each_size(const tpp_unary_desc &base, Body body) {
    for (int64_t m : {0, 1, 3, 18})
      for (int64_t n : widths(lanes(GetParam(), base.out.type))) {
        tpp_unary_desc desc = base;
        desc.m = m;
        desc.n = n;
        body(desc);
        if (HasFatalFailure())
          return;
      }
  }
};

TEST_P(UnaryTest, MatchesReferenceInEveryForm) {
  std::vector<tpp_unary_desc> bases = native_descs(GetParam());
  if (!is_activation(bases.front()))
    bases.resize(1); // copies know only the size of elements
  combinations tried;
  for (const tpp_unary_desc &base : bases)
    for_each_size(base, [&](tpp_unary_desc desc) {
      const bool transpose = desc.kind == TPP_UNARY_transpose;
      int turn = 0;
      for (const tpp_matrix &in : forms(desc.in.type, transpose ? desc.n : desc.m, transpose ? desc.m : desc.n))
        for (const tpp_matrix &out : forms(desc.out.type, desc.m, desc.n, desc.out.vnni)) {
          if (tried.leave_out())
            continue;
          desc.in = in;
          desc.out = out;
          check(desc, turn++ % 2 == 0 ? guard::behind : guard::before);
          if (HasFatalFailure())
            return;
        }
    });
}

// The kinds that only move data (transpose, identity, vnni_pack). Their kernels have blocked loops and a non-temporal store path,
// so larger sizes are needed to reach whole blocks, partial blocks and both edges.
class UnaryMoveTest : public UnaryTest {};
std::vector<row_pointer> rows_of(std::initializer_list<int32_t> kinds) {
  std::vector<row_pointer> rows;
  for (row_pointer row : runnable_rows(tpp::operation::unary))
    if (std::find(kinds.begin(), kinds.end(), native_desc(row).kind) != kinds.end())
      rows.push_back(row);
  return rows;
}

TEST_P(UnaryMoveTest, MatchesReferenceBeyondItsBlocks) {
  tpp_unary_desc desc = native_desc(GetParam());
  const bool transpose = desc.kind == TPP_UNARY_transpose;
  const int64_t line = lanes(GetParam(), desc.out.type);
  std::vector<std::pair<int64_t, int64_t>> sizes = {{line, line}, {2 * line + 3, 64}, {3, 131},
                                                    {131, 3},     {line - 1, 65},     {67, 2 * line + 1}};
  if (transpose) // whole blocks: few to many rows, several blocks along each side, and the remainders
    sizes.insert(sizes.end(), {{70, 193}, {9 * line + 3, 192}, {17 * line + 1, line}, {5 * line, 3 * line}, {9 * line, 576}});
  if (transpose) // two or three channels by many points (channels-inl.h), in several runs of up to 1024 points
    sizes.insert(sizes.end(), {{2, 1100}, {1100, 2}, {3, 1100}, {1100, 3}});
  combinations tried;
  for (auto [m, n] : sizes)
    for (int32_t streaming : {0, 1}) {
      desc.m = m, desc.n = n, desc.streaming = streaming;
      int turn = 0;
      std::vector<tpp_matrix> inputs = forms(desc.in.type, transpose ? n : m, transpose ? m : n);
      if (desc.kind == TPP_UNARY_vnni_pack) // contiguous along the rows, also with columns that begin anywhere in a group
        for (int64_t gap : {0, 1, 2, 3})
          inputs.push_back({desc.in.type, 0, 1, 1, m + gap});
      const bool large = m * n > 4096; // each form of the input with one of the output: all pairs are compared on the small sizes
      size_t row = 0;
      for (const tpp_matrix &in : inputs) {
        const std::vector<tpp_matrix> outputs = forms(desc.out.type, m, n, desc.out.vnni);
        for (size_t column = 0; column < outputs.size(); ++column) {
          if ((large && column != (row + static_cast<size_t>(m + streaming)) % outputs.size()) || tried.leave_out())
            continue;
          desc.in = in, desc.out = outputs[column];
          check(desc, turn++ % 2 == 0 ? guard::behind : guard::before);
          if (HasFatalFailure())
            return;
        }
        ++row;
      }
    }
}

// Transposes with non-temporal stores. Sizes span several strips and several blocks (transpose_sizes.hpp). Output rows start anywhere in a
// cache line, are contiguous or not, or start at lines. Input rows are either read in place or copied to a buffer first.
class UnaryTransposeTest : public UnaryTest {};
TEST_P(UnaryTransposeTest, StreamsRowsThatBeginAnywhere) {
  tpp_unary_desc desc = native_desc(GetParam());
  const int64_t bytes = tpp::type_bytes(desc.out.type), run = tpp::transpose_block_rows, line = 64 / bytes;
  desc.m = (bytes > 1 ? 2 : 4) * tpp::transpose_strip_columns(bytes) + lanes(GetParam(), desc.out.type) + 9, desc.streaming = 1;
  const auto multiple_of = [](int64_t unit, int64_t size) { return (size + unit - 1) / unit * unit; };
  const int64_t in_place = desc.m + 3, moved = multiple_of(1024 / bytes, desc.m), pages = multiple_of(4096 / bytes, desc.m);
  ASSERT_TRUE(tpp::transpose_reads_in_place(in_place * bytes, bytes) && !tpp::transpose_reads_in_place(moved * bytes, bytes));
  int turn = 0;
  std::vector<int64_t> sizes = {4 * run + 1, 4 * run, 3 * run, 2 * run - 1, run + 1, run - 16};
  if (kernels_are_optimized)
    sizes.insert(sizes.end(), {6 * run + 4, 6 * run + 3, 6 * run, 4 * run + 4, 4 * run - 1, 3 * run - 1, 2 * run, run, run - 1});
  for (int64_t n : sizes)
    for (int64_t in_row : {desc.m, in_place, moved, pages})
      for (int64_t out_row : {n, n + 1, multiple_of(line, n)}) {
        desc.n = n;
        desc.in = {desc.in.type, 0, in_row, 0, 0};
        desc.out = {desc.out.type, 0, out_row, 0, 0};
        check(desc, out_row % line == 0 || turn++ % 2 == 0 ? guard::before : guard::behind);
        if (HasFatalFailure())
          return;
      }
}

// Narrow inputs, also with fewer columns than a cache line has elements.
TEST_P(UnaryTransposeTest, StreamsNarrowInputs) {
  tpp_unary_desc desc = native_desc(GetParam());
  const int64_t line = 64 / tpp::type_bytes(desc.out.type);
  desc.streaming = 1;
  int turn = 0;
  for (int64_t m : {int64_t{4}, line / 2 + 1, line - 1, line, line + 1, 2 * line + 5})
    for (int64_t n :
         {int64_t{5}, tpp::transpose_block_rows, 3 * tpp::transpose_block_rows + 7, 5 * tpp::transpose_block_rows + 1})
      for (int64_t gap : {0, 1, 3})
        for (int64_t out_row : {n, n + 3, (n + line - 1) / line * line}) {
          desc.m = m, desc.n = n;
          desc.in = {desc.in.type, 0, m + gap, 0, 0};
          desc.out = {desc.out.type, 0, out_row, 0, 0};
          check(desc, out_row % line == 0 || turn++ % 2 == 0 ? guard::before : guard::behind);
          if (HasFatalFailure())
            return;
        }
}

// Copies with non-temporal stores. There are as many output rows as a cache line has elements, and each begins one element later in its
// line, so the rows begin at every offset. Row lengths are around one line and around 1024 bytes, up to which rows are prefetched. The
// operands are plain, or one of them is in panels (a pack or an unpack).
class UnaryCopyTest : public UnaryTest {};
TEST_P(UnaryCopyTest, StreamsRowsThatBeginAnywhere) {
  tpp_unary_desc desc = native_desc(GetParam());
  const int64_t line = 64 / tpp::type_bytes(desc.out.type), longest = 16 * line;
  const auto plain = [&](int64_t cols) { return tpp_matrix{desc.out.type, 0, (cols + line - 1) / line * line + 1, 0, 0}; };
  const auto panels = [&](int64_t width) { return tpp_matrix{desc.out.type, 0, width + 1, width, desc.m * (width + 1) + 1}; };
  desc.m = line, desc.streaming = 1;
  for (int64_t n : {line - 1, line, line + 1, 3 * line + 1, longest - line, longest, longest + 1, longest + 2 * line}) {
    desc.n = n;
    std::vector<std::pair<tpp_matrix, tpp_matrix>> operands = {{plain(n), plain(n)}};
    for (int64_t width : {line, 2 * line, line / 2 + 1})
      operands.insert(operands.end(), {{plain(n), panels(width)}, {panels(width), plain(n)}});
    for (const auto &[in, out] : operands)
      for (guard side : {guard::before, guard::behind}) {
        desc.in = in, desc.out = out;
        check(desc, side);
        if (HasFatalFailure())
          return;
      }
  }
}

TEST_P(UnaryTest, BroadcastsTheInput) {
  tpp_unary_desc base = native_desc(GetParam());
  if (base.kind == TPP_UNARY_transpose || base.kind == TPP_UNARY_vnni_pack) {
    base.broadcast = TPP_BROADCAST_row;
    EXPECT_NE(GetParam()->reject(&base), nullptr);
    return;
  }
  for_each_size(base, [&](tpp_unary_desc desc) {
    for (int32_t broadcast : {TPP_BROADCAST_row, TPP_BROADCAST_col, TPP_BROADCAST_scalar})
      for (const tpp_matrix &in : forms(desc.in.type, desc.m, desc.n)) {
        desc.broadcast = broadcast;
        desc.in = in;
        desc.out = forms(desc.out.type, desc.m, desc.n, desc.out.vnni)[2];
        check(desc, guard::behind);
        if (HasFatalFailure())
          return;
      }
  });
}

// Kernels that may run in place: equal types of input and output, neither transpose nor vnni_pack.
std::vector<row_pointer> in_place_rows() {
  std::vector<row_pointer> rows;
  for (row_pointer row : runnable_rows(tpp::operation::unary)) {
    tpp_unary_desc desc = native_desc(row);
    if (desc.kind != TPP_UNARY_transpose && desc.kind != TPP_UNARY_vnni_pack && desc.in.type == desc.out.type)
      rows.push_back(row);
  }
  return rows;
}
class UnaryInPlaceTest : public UnaryTest {};

TEST_P(UnaryInPlaceTest, MatchesReference) {
  tpp_unary_desc base = native_desc(GetParam());
  for_each_size(base, [&](tpp_unary_desc desc) {
    for (const tpp_matrix &form : forms(desc.in.type, desc.m, desc.n)) {
      desc.in = desc.out = form;
      check(desc, guard::behind, true);
      if (HasFatalFailure())
        return;
    }
  });
}

TEST_P(UnaryTest, RejectsWhatItDoesNotCompute) {
  tpp_unary_desc desc = native_desc(GetParam());
  if (desc.kind == TPP_UNARY_vnni_pack) {
    desc.in.vnni = 2;
    EXPECT_STREQ(GetParam()->reject(&desc), "vnni_pack takes a plain input and gives a VNNI-blocked output");
    desc.in.vnni = 0;
    desc.out.vnni = desc.out.vnni == 2 ? 4 : 2;
    EXPECT_STREQ(GetParam()->reject(&desc), "the kernel packs as many rows as 4 bytes hold");
  } else {
    desc.out.vnni = 2;
    EXPECT_STREQ(GetParam()->reject(&desc), "native unary kernels take no VNNI-blocked operand");
  }
  desc.out.vnni = 0;
  desc.kind = desc.kind == TPP_UNARY_relu ? TPP_UNARY_exp : TPP_UNARY_relu;
  EXPECT_STREQ(GetParam()->reject(&desc), "the kernel computes another kind");
}

INSTANTIATE_TEST_SUITE_P(Rows, UnaryTest, testing::ValuesIn(runnable_rows(tpp::operation::unary)), row_name);
INSTANTIATE_TEST_SUITE_P(Rows, UnaryMoveTest,
                         testing::ValuesIn(rows_of({TPP_UNARY_transpose, TPP_UNARY_identity, TPP_UNARY_vnni_pack})), row_name);
INSTANTIATE_TEST_SUITE_P(Rows, UnaryTransposeTest, testing::ValuesIn(rows_of({TPP_UNARY_transpose})), row_name);
INSTANTIATE_TEST_SUITE_P(Rows, UnaryCopyTest, testing::ValuesIn(rows_of({TPP_UNARY_identity})), row_name);
INSTANTIATE_TEST_SUITE_P(Rows, UnaryInPlaceTest, testing::ValuesIn(in_place_rows()), row_name);

// Tests of the reference itself, against values computed by hand.

template <class In, class Out> Out reference(int32_t kind, int32_t in_type, int32_t out_type, In value) {
  tpp_unary_desc desc{};
  desc.m = desc.n = desc.in.ld = desc.out.ld = 1;
  desc.kind = kind;
  desc.alpha = kind == TPP_UNARY_leaky_relu ? 0.25f : 0.0f;
  desc.in.type = in_type;
  desc.out.type = out_type;
  EXPECT_EQ(tpp::unary_reject_reason(desc), nullptr);
  Out result{};
  tpp_args args{};
  args.a = &value;
  args.c = &result;
  tpp::unary_reference(desc, args);
  return result;
}
float f32(int32_t kind, float x) { return reference<float, float>(kind, TPP_TYPE_f32, TPP_TYPE_f32, x); }

TEST(UnaryReferenceTest, KeepsTheSpecialValuesOfKindsDef) {
  const float inf = HUGE_VALF;
  for (tpp_unary_kind kind : all_unary_kinds)
    if (kind != TPP_UNARY_zero && kind != TPP_UNARY_vnni_pack) {
      EXPECT_TRUE(std::isnan(f32(kind, NAN))) << kind;
    }
  EXPECT_EQ(f32(TPP_UNARY_relu, -0.0f), 0.0f);
  EXPECT_FALSE(std::signbit(f32(TPP_UNARY_relu, -0.0f)));
  EXPECT_EQ(f32(TPP_UNARY_zero, NAN), 0.0f);
  for (int32_t kind : {TPP_UNARY_gelu, TPP_UNARY_gelu_tanh, TPP_UNARY_silu}) {
    EXPECT_EQ(f32(kind, -inf), 0.0f);
    EXPECT_TRUE(std::signbit(f32(kind, -inf))) << kind;
    EXPECT_EQ(f32(kind, inf), inf);
  }
  // In the tail, the error of gelu is large compared to the result, but the result is never beyond the exact one.
  for (const auto &[x, share] :
       {std::pair(-4.0f, 0.99), {-5.0f, 0.98}, {-5.5f, 0.9}, {-6.0f, 0.8}, {-7.0f, 0.4}, {-8.0f, 0.0}, {-9.75f, 0.0}}) {
    const double exact = tpp::scalar_unary(TPP_UNARY_gelu, static_cast<double>(x)),
                 result = static_cast<double>(f32(TPP_UNARY_gelu, x));
    EXPECT_LE(result, share * exact) << x;
    EXPECT_GE(result, 1.001 * exact) << x;
  }
  EXPECT_EQ(f32(TPP_UNARY_tanh, inf), 1.0f);
  EXPECT_EQ(f32(TPP_UNARY_tanh, -inf), -1.0f);
  EXPECT_TRUE(std::signbit(f32(TPP_UNARY_tanh, -0.0f)));
  EXPECT_EQ(f32(TPP_UNARY_sigmoid, -inf), 0.0f);
  EXPECT_EQ(f32(TPP_UNARY_sigmoid, inf), 1.0f);
  for (int32_t kind : {TPP_UNARY_log, TPP_UNARY_sqrt, TPP_UNARY_rsqrt}) {
    EXPECT_TRUE(std::isnan(f32(kind, -1.0f))) << kind;
    EXPECT_TRUE(std::isnan(f32(kind, -inf))) << kind;
  }
  EXPECT_EQ(f32(TPP_UNARY_erf, inf), 1.0f);
  EXPECT_EQ(f32(TPP_UNARY_erf, -inf), -1.0f);
  EXPECT_EQ(f32(TPP_UNARY_erf, 0.5f), 0.520499878f);
  EXPECT_EQ(f32(TPP_UNARY_log, -0.0f), -inf);
  EXPECT_EQ(f32(TPP_UNARY_log, inf), inf);
  EXPECT_EQ(f32(TPP_UNARY_log, 10.0f), 2.30258509f);
  EXPECT_EQ(f32(TPP_UNARY_sqrt, inf), inf);
  EXPECT_EQ(f32(TPP_UNARY_sqrt, 2.0f), 1.41421356f);
  EXPECT_EQ(f32(TPP_UNARY_rsqrt, -0.0f), -inf);
  EXPECT_EQ(f32(TPP_UNARY_rsqrt, inf), 0.0f);
  EXPECT_EQ(f32(TPP_UNARY_rsqrt, 4.0f), 0.5f);
  EXPECT_EQ(f32(TPP_UNARY_reciprocal, -0.0f), -inf);
  EXPECT_EQ(f32(TPP_UNARY_reciprocal, 3.0f), 0.333333343f);
  for (int32_t kind : {TPP_UNARY_erf, TPP_UNARY_sqrt, TPP_UNARY_leaky_relu})
    EXPECT_TRUE(std::signbit(f32(kind, -0.0f))) << kind;
  EXPECT_TRUE(std::signbit(f32(TPP_UNARY_reciprocal, -inf)));
  EXPECT_TRUE(std::signbit(f32(TPP_UNARY_neg, 0.0f)));
  EXPECT_FALSE(std::signbit(f32(TPP_UNARY_abs, -0.0f)));
  EXPECT_EQ(f32(TPP_UNARY_square, -3.0f), 9.0f);
  EXPECT_EQ(f32(TPP_UNARY_neg, -3.0f), 3.0f);
  EXPECT_EQ(f32(TPP_UNARY_abs, -3.0f), 3.0f);
  EXPECT_EQ(f32(TPP_UNARY_round, 2.5f), 2.0f);
  EXPECT_EQ(f32(TPP_UNARY_round, 3.5f), 4.0f);
  EXPECT_EQ(f32(TPP_UNARY_leaky_relu, 3.0f), 3.0f);
  EXPECT_EQ(f32(TPP_UNARY_leaky_relu, -3.0f), -0.75f);
  EXPECT_EQ(f32(TPP_UNARY_exp, -inf), 0.0f);
  EXPECT_EQ(f32(TPP_UNARY_exp, -87.3366f), 0.0f); // exactly 0.99994 * 2^-126
  EXPECT_GT(f32(TPP_UNARY_exp, -87.3365f), 0x1p-126f);
  EXPECT_EQ(f32(TPP_UNARY_exp, 89.0f), inf);
  EXPECT_EQ(f32(TPP_UNARY_gelu, 1.0f), 0.841344746f);
  EXPECT_EQ(f32(TPP_UNARY_gelu_tanh, 1.0f), 0.841191991f);
  EXPECT_EQ(f32(TPP_UNARY_silu, 1.0f), 0.731058579f);
}

TEST(UnaryReferenceTest, ConvertsWithOneRoundingToNearestEven) {
  auto bf16 = [](float x) { return reference<float, uint16_t>(TPP_UNARY_convert, TPP_TYPE_f32, TPP_TYPE_bf16, x); };
  EXPECT_EQ(bf16(1.0f), 0x3f80);
  EXPECT_EQ(bf16(0x1.01p0f), 0x3f80);     // halfway; the even neighbour is below
  EXPECT_EQ(bf16(0x1.03p0f), 0x3f82);     // halfway; the even neighbour is above
  EXPECT_EQ(bf16(0x1.010002p0f), 0x3f81); // just above halfway
  EXPECT_EQ(bf16(0x1.ffp127f), 0x7f80);   // overflow
  EXPECT_EQ(bf16(0x1p-133f), 1);          // the smallest subnormal
  auto f16 = [](float x) { return reference<float, uint16_t>(TPP_UNARY_convert, TPP_TYPE_f32, TPP_TYPE_f16, x); };
  EXPECT_EQ(f16(1.0f), 0x3c00);
  EXPECT_EQ(f16(65504.0f), 0x7bff);
  EXPECT_EQ(f16(65519.0f), 0x7bff);
  EXPECT_EQ(f16(65520.0f), 0x7c00);
  EXPECT_EQ(f16(-0x1p-24f), 0x8001);
  EXPECT_EQ(f16(0x1p-25f), 0);
  EXPECT_EQ(f16(0x1.8p-24f), 2);
  EXPECT_EQ(f16(0x1.ffcp-15f), 0x400 - 1 + 1);
  auto i8 = [](float x) { return reference<float, int8_t>(TPP_UNARY_convert, TPP_TYPE_f32, TPP_TYPE_i8, x); };
  EXPECT_EQ(i8(2.5f), 2);
  EXPECT_EQ(i8(-3.5f), -4);
  EXPECT_EQ(i8(1e9f), 127);
  EXPECT_EQ(i8(-HUGE_VALF), -128);
  EXPECT_EQ(i8(NAN), 0);
  EXPECT_EQ((reference<double, int32_t>(TPP_UNARY_convert, TPP_TYPE_f64, TPP_TYPE_i32, 1e10)), 2147483647);
  EXPECT_EQ((reference<int32_t, float>(TPP_UNARY_convert, TPP_TYPE_i32, TPP_TYPE_f32, 16777217)), 16777216.0f);
  // Rounding f64 to bf16 through f32 would round twice: the f32 value would be a tie.
  EXPECT_EQ((reference<double, uint16_t>(TPP_UNARY_convert, TPP_TYPE_f64, TPP_TYPE_bf16, 1.0 + 0x1p-8 + 0x1p-40)), 0x3f81);
}

TEST(UnaryReferenceTest, ReadsAndWritesVnniBlocks) {
  const float in[] = {1, 2, 3, 4, 5, 6};
  float out[8] = {};
  tpp_unary_desc desc{};
  desc.m = 3;
  desc.n = 2;
  desc.in = {TPP_TYPE_f32, 0, 2, 0, 0};
  desc.out = {TPP_TYPE_f32, 2, 4, 0, 0};
  tpp_args args{};
  args.a = in;
  args.c = out;
  tpp::unary_reference(desc, args);
  const float want[] = {1, 3, 2, 4, 5, 0, 6, 0};
  EXPECT_EQ(std::vector<float>(out, out + 8), std::vector<float>(want, want + 8));
}

TEST(UnaryReferenceTest, FillsTheLastGroupOfVnniPackWithZeros) {
  const uint16_t in[] = {1, 2, 3, 4, 5, 6};
  uint16_t out[8];
  std::memset(out, 0xff, sizeof(out));
  tpp_unary_desc desc{};
  desc.kind = TPP_UNARY_vnni_pack;
  desc.m = 3;
  desc.n = 2;
  desc.in = {TPP_TYPE_bf16, 0, 2, 0, 0};
  desc.out = {TPP_TYPE_bf16, 2, 4, 0, 0};
  tpp_args args{};
  args.a = in;
  args.c = out;
  tpp::unary_reference(desc, args);
  const uint16_t want[] = {1, 3, 2, 4, 5, 0, 6, 0};
  EXPECT_EQ(std::vector<uint16_t>(out, out + 8), std::vector<uint16_t>(want, want + 8));
}

TEST(UnaryReferenceTest, RejectsTypesThatMakeNoSense) {
  tpp_unary_desc desc{};
  desc.kind = TPP_UNARY_gelu;
  desc.in.type = TPP_TYPE_i8;
  EXPECT_STREQ(tpp::unary_reject_reason(desc), "this kind needs floating-point types");
  desc.kind = TPP_UNARY_identity;
  EXPECT_STREQ(tpp::unary_reject_reason(desc), "a kind that copies bits needs equal types; use convert");
  desc.kind = TPP_UNARY_relu;
  EXPECT_STREQ(tpp::unary_reject_reason(desc), "this kind needs floating-point types");
  desc.kind = TPP_UNARY_vnni_pack;
  EXPECT_STREQ(tpp::unary_reject_reason(desc), "vnni_pack takes a plain input and gives a VNNI-blocked output");
  desc.kind = 99;
  EXPECT_STREQ(tpp::unary_reject_reason(desc), "unary has no such kind");
}

} // namespace
} // namespace tpp_test::elementwise
