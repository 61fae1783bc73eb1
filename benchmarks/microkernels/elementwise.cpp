// Measures every unary, binary, reduce and Winograd kernel of the registry, for every kind it accepts, on operands in L1, or in L2 for Winograd's.
//
// Names: <kind>/<types>/<M>x<N>/<kernel>/t1, where <types> is the type of the inputs, then that of the output; one word if they are equal. Each kernel is measured with
// the types of `all_types` that it accepts; the reference, which accepts all, with f32 only. These kernels are bound by the arithmetic of their
// kind or by L1. The share printed is of the measured read bandwidth of L1; every byte read or written counts once. Answers are compared with
// the reference kernel. winograd_input_4/f32/13x32: 13 tiles of 4 x 4 outputs and 32 channels, inside an image.
#include "benchmarks/support/harness.hpp"
#include "benchmarks/support/peak.hpp"
#include "tpp/microkernels.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <memory>
#include <sstream>

using namespace tpp;
using namespace tpp::bench;

namespace {

struct kind {
  operation op;
  int32_t value;
  const char *name;
};
constexpr kind kinds[] = {
#define TPP_UNARY_KIND(name, value, group, formula, special_values) {operation::unary, value, #name},
#define TPP_BINARY_KIND(name, value, formula, special_values) {operation::binary, value, #name},
#define TPP_REDUCE_KIND(name, value, formula, special_values) {operation::reduce, value, "reduce_" #name},
#include "tpp/kinds.def"
    // The value is the tile.
    {operation::winograd_input, 2, "winograd_input_2"},
    {operation::winograd_input, 4, "winograd_input_4"},
    {operation::winograd_output, 2, "winograd_output_2"},
    {operation::winograd_output, 4, "winograd_output_4"},
};
bool is_winograd(const kind &what) { return what.op == operation::winograd_input || what.op == operation::winograd_output; }

struct shape {
  int64_t m, n;
};
constexpr shape shapes[] = {{32, 32}, {64, 64}, {13, 32}};

struct element_types {
  tpp_type in, out;
};
constexpr element_types all_types[] = {
    {TPP_TYPE_f32, TPP_TYPE_f32},  {TPP_TYPE_bf16, TPP_TYPE_bf16}, {TPP_TYPE_f16, TPP_TYPE_f16}, {TPP_TYPE_bf16, TPP_TYPE_f32},
    {TPP_TYPE_f32, TPP_TYPE_bf16}, {TPP_TYPE_f16, TPP_TYPE_f32},   {TPP_TYPE_f32, TPP_TYPE_f16}, {TPP_TYPE_i32, TPP_TYPE_f32},
    {TPP_TYPE_f32, TPP_TYPE_i32},  {TPP_TYPE_i8, TPP_TYPE_f32},    {TPP_TYPE_f32, TPP_TYPE_i8},  {TPP_TYPE_u8, TPP_TYPE_f32},
    {TPP_TYPE_f32, TPP_TYPE_u8},   {TPP_TYPE_i8, TPP_TYPE_i8}};

std::string types_word(const element_types &types) {
  return types.in == types.out ? name_of(types.in) : std::string(name_of(types.in)) + name_of(types.out);
}

tpp_matrix plain(tpp_type type, int64_t cols) { return {type, 0, cols, 0, 0}; }

// The tiles of a point, and a cache line of padding: at distances of 4 KiB, all points of a tile would be in one set of L1.
int64_t winograd_point_stride(const shape &size) { return size.m * size.n + 16; }

// Elements of Winograd's operands: the pixels of one row of tiles (or of their outputs), and the points of these tiles.
int64_t winograd_pixels(const kind &what, const shape &size) {
  const int64_t tile = what.value, border = what.op == operation::winograd_input ? 2 : 0;
  return (tile + border) * (tile * size.m + border) * size.n;
}
int64_t winograd_points(const kind &what, const shape &size) {
  return int64_t{what.value + 2} * (what.value + 2) * winograd_point_stride(size);
}

// Whole tiles inside an image, without post-ops.
void describe_winograd(const kind &what, const element_types &types, const shape &size, microkernel &kernel) {
  const auto fill = [&](auto &desc, int64_t border, int64_t &point_stride, int64_t &row_stride) {
    desc.struct_size = sizeof desc;
    desc.tiles = size.m;
    desc.channels = size.n;
    desc.tile = what.value;
    desc.height = what.value + border;
    desc.width = what.value * size.m + border;
    desc.in = plain(types.in, size.n);
    desc.out = plain(types.out, size.n);
    point_stride = winograd_point_stride(size);
    row_stride = desc.width * size.n;
  };
  if (tpp_winograd_input_desc &desc = kernel.desc.winograd_input; what.op == operation::winograd_input)
    fill(desc, 2, desc.out_point_stride, desc.in_row_stride);
  if (tpp_winograd_output_desc &desc = kernel.desc.winograd_output; what.op == operation::winograd_output)
    fill(desc, 0, desc.in_point_stride, desc.out_row_stride);
}

// A microkernel whose descriptor is set. `axis` is used by reductions only. A reduction over columns has an output of one column.
std::unique_ptr<microkernel> describe(const kind &what, const element_types &types, const shape &size, int32_t axis) {
  auto kernel = std::make_unique<microkernel>();
  std::memset(kernel.get(), 0, sizeof *kernel);
  if (what.op == operation::unary) {
    tpp_unary_desc &desc = kernel->desc.unary;
    desc.struct_size = sizeof desc;
    desc.m = size.m;
    desc.n = size.n;
    desc.in = plain(types.in, what.value == TPP_UNARY_transpose ? size.m : size.n);
    desc.out = plain(types.out, size.n);
    desc.kind = what.value;
  } else if (what.op == operation::binary) {
    tpp_binary_desc &desc = kernel->desc.binary;
    desc.struct_size = sizeof desc;
    desc.m = size.m;
    desc.n = size.n;
    desc.in0 = desc.in1 = plain(types.in, size.n);
    desc.out = plain(types.out, size.n);
    desc.kind = what.value;
  } else if (is_winograd(what)) {
    describe_winograd(what, types, size, *kernel);
  } else {
    tpp_reduce_desc &desc = kernel->desc.reduce;
    desc.struct_size = sizeof desc;
    desc.m = size.m;
    desc.n = size.n;
    desc.in = plain(types.in, size.n);
    desc.out = plain(types.out, axis == TPP_REDUCE_over_rows ? size.n : 1);
    desc.kind = what.value;
    desc.axis = axis;
  }
  return kernel;
}

struct operands {
  buffer a, b, c;
  tpp_args args{};

  operands(size_t count, const element_types &types)
      : a(count, 3, 1, types.in), b(count, 3, 2, types.in), c(count, 0, 0, types.out) {
    for (size_t i = 0; i < count; ++i)
      if (b.get(i) == 0)
        b.set(i, 1); // used as divisors
    args.a = a.data();
    args.b = b.data();
    args.c = c.data();
  }
  bool beyond_numbers() const {
    for (size_t i = 0; i < c.size(); ++i)
      if (!std::isfinite(c.get(i)))
        return true;
    return false;
  }
  void make_positive() {
    for (size_t i = 0; i < a.size(); ++i)
      a.set(i, static_cast<int>(std::abs(a.get(i))) + 1);
  }
};

const microkernel_row *find_reference(const void *desc, operation op) {
  size_t count = 0;
  const microkernel_row *rows = microkernel_rows(&count);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].op == op && rows[i].provider == TPP_PROVIDER_reference && !rows[i].reject(desc))
      return &rows[i];
  return nullptr;
}

// The tests check each kernel's error bound. This loose bound detects wrong kernels only.
std::string difference(const buffer &got, const buffer &want, tpp_type type) {
  const double digits = type == TPP_TYPE_bf16 ? 0x1p-7 : type == TPP_TYPE_f16 ? 0x1p-10 : 64 * static_cast<double>(FLT_EPSILON);
  for (size_t i = 0; i < want.size(); ++i) {
    double bound = digits * std::max(1.0, std::abs(want.get(i)));
    if (!(std::abs(got.get(i) - want.get(i)) <= bound))
      return "wrong answer at element " + std::to_string(i) + ": " + std::to_string(got.get(i)) + " instead of " +
             std::to_string(want.get(i));
  }
  return "";
}

void measure(const options &opts, const microkernel_row &row, const kind &what, const element_types &types, const shape &size,
             int32_t axis) {
  std::unique_ptr<microkernel> kernel = describe(what, types, size, axis);
  const bool reads_nothing = what.op == operation::unary && what.value == TPP_UNARY_zero;
  if (row.reject(&kernel->desc) || (reads_nothing && types.in != types.out))
    return;
  std::ostringstream name;
  name << what.name
       << (what.op != operation::reduce   ? ""
           : axis == TPP_REDUCE_over_rows ? "_over_rows"
                                          : "_over_cols")
       << "/" << types_word(types) << "/" << size.m << "x" << size.n << "/" << row.name << "/t1";
  if (!selected(opts, name.str()))
    return;

  const auto count = static_cast<size_t>(is_winograd(what) ? std::max(winograd_pixels(what, size), winograd_points(what, size))
                                                           : size.m * size.n);
  operands work(count, types), truth(count, types);
  const microkernel_row *reference = find_reference(&kernel->desc, what.op);
  if (!reference)
    return fail(name.str(), "there is no reference kernel to compare with");
  std::unique_ptr<microkernel> reference_kernel = describe(what, types, size, axis);
  reference->prepare(reference_kernel.get());
  reference_kernel->head.entry(&reference_kernel->head, &truth.args);
  if (truth.beyond_numbers()) { // logarithm, root or reciprocal: use positive numbers
    work.make_positive();
    truth.make_positive();
    reference_kernel->head.entry(&reference_kernel->head, &truth.args);
  }
  row.prepare(kernel.get());
  kernel->head.entry(&kernel->head, &work.args);
  if (std::string error = difference(work.c, truth.c, types.out); !error.empty())
    return fail(name.str(), error);

  const memory_level l1 = memory_levels().front();
  const size_t read_count = l1.bytes / sizeof(float) / 256 * 256;
  buffer read_data(read_count, 1);
  volatile float sink = 0;
  body invoke = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      kernel->head.entry(&kernel->head, &work.args);
  });
  body read = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      sink = sink + read_all(read_data.floats(), read_count);
  });
  std::vector<statistics> stats = measure_interleaved(opts, {invoke, read});
  result res;
  res.name = name.str();
  res.kernel = row.name;
  res.seconds = stats[0];
  double inputs = what.op == operation::binary ? 2 : reads_nothing ? 0 : 1;
  double outputs = what.op != operation::reduce   ? static_cast<double>(count)
                   : axis == TPP_REDUCE_over_rows ? static_cast<double>(size.n)
                                                  : static_cast<double>(size.m);
  res.bytes = inputs * static_cast<double>(count * bytes_of(types.in)) + outputs * static_cast<double>(bytes_of(types.out));
  if (is_winograd(what))
    res.bytes = static_cast<double>(winograd_pixels(what, size) + winograd_points(what, size)) * sizeof(float);
  res.peak_bytes = static_cast<double>(read_count) * sizeof(float) / stats[1].min;
  res.peak_name = std::string("read/f32/") + l1.name;
  print(res);
}

} // namespace

int main(int argc, char **argv) {
  options opts = parse_options(argc, argv);
  size_t count = 0;
  const microkernel_row *rows = microkernel_rows(&count);
  for (size_t i = 0; i < count; ++i) {
    if (!microkernel_row_runs_here(rows[i]))
      continue;
    for (const kind &what : kinds) {
      if (what.op != rows[i].op)
        continue;
      for (const element_types &types : all_types) {
        if (rows[i].provider == TPP_PROVIDER_reference && (types.in != TPP_TYPE_f32 || types.out != TPP_TYPE_f32))
          continue;
        for (const shape &size : shapes) {
          measure(opts, rows[i], what, types, size, TPP_REDUCE_over_rows);
          if (what.op == operation::reduce)
            measure(opts, rows[i], what, types, size, TPP_REDUCE_over_cols);
        }
      }
    }
  }
  return failures() != 0;
}
