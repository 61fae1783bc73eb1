// The xsmm provider: libxsmm's JIT-compiled BRGEMM, called with TPP's argument block, through either of libxsmm's two APIs (xsmm_api.h).
//
// libxsmm is column-major. A row-major matrix is the column-major form of its transpose, so C = A B becomes C^T = B^T A^T: our B is
// libxsmm's A, our n is its m, and no data is moved.
//
// Batches by address use libxsmm's *offset* kernel with null base pointers, so that an offset is an address. The address kernel of 1.17
// writes to the caller's tables while it runs (it advances the pointers in place), but our tables are const and may be shared by threads.
#include "names.h"
#include "provider.h"
#include "tpp/brgemm_cost.h"
#include "tpp/machine.hpp"
#include "xsmm_api.h"

#include <algorithm>
#include <limits.h>
#include <mutex>
#include <string.h>

namespace tpp {
namespace {

using xsmm::level;
using xsmm::types;

// Data that an entry needs besides its arguments, stored in microkernel::state.
struct jit_state {
  xsmm::kernel code;
  // For an empty sum (C = beta * C): the size of C, and true if beta is 0.
  int64_t c_rows, c_row_bytes, c_ld_bytes;
  bool clears;
};
static_assert(sizeof(jit_state) <= sizeof(microkernel::state), "state does not fit the microkernel");
static_assert(sizeof(unsigned long long) == sizeof(int64_t), "counts and tables of int64_t are passed as unsigned long long");

const jit_state &state_of(const tpp_kernel *kernel) {
  return *reinterpret_cast<const jit_state *>(reinterpret_cast<const microkernel *>(kernel)->state);
}

// C = beta * C: the result of an empty sum. libxsmm has no kernel for k = 0, and would loop forever for batch 0.
void empty_sum_entry(const tpp_kernel *kernel, const tpp_args *args) {
  const jit_state &state = state_of(kernel);
  if (!state.clears)
    return;
  char *row = static_cast<char *>(args->c);
  for (int64_t i = 0; i < state.c_rows; ++i, row += state.c_ld_bytes)
    memset(row, 0, static_cast<size_t>(state.c_row_bytes));
}

TPP_CALLS_JIT void stride_entry(const tpp_kernel *kernel, const tpp_args *args) {
  if (__builtin_expect(args->batch <= 0, 0))
    return empty_sum_entry(kernel, args);
  xsmm::call_strided(state_of(kernel).code, args->b, args->a, args->c, &args->batch);
}

TPP_CALLS_JIT void offset_entry(const tpp_kernel *kernel, const tpp_args *args) {
  if (__builtin_expect(args->batch <= 0, 0))
    return empty_sum_entry(kernel, args);
  xsmm::call_offset(state_of(kernel).code, args->b, args->a, args->c, &args->batch, args->b_batch, args->a_batch);
}

TPP_CALLS_JIT void address_entry(const tpp_kernel *kernel, const tpp_args *args) {
  if (__builtin_expect(args->batch <= 0, 0))
    return empty_sum_entry(kernel, args);
  xsmm::call_offset(state_of(kernel).code, nullptr, nullptr, args->c, &args->batch, args->b_batch, args->a_batch);
}

// The first call initializes libxsmm and silences it: TPP's runtime prints nothing, but libxsmm would print statistics at exit if
// LIBXSMM_VERBOSE is set.
level machine_level() {
  static std::once_flag once;
  static level found = level::none;
  std::call_once(once, [] { found = xsmm::machine_level(); });
  return found;
}

const char *unavailable() { return machine_level() == level::none ? "libxsmm compiles no fast code for this machine" : nullptr; }

types types_of(const tpp_brgemm_desc &desc) {
  const int32_t a = desc.a.type, b = desc.b.type, c = desc.c.type;
  if (a == TPP_TYPE_f32 && b == TPP_TYPE_f32 && c == TPP_TYPE_f32)
    return types::f32;
  if (a == TPP_TYPE_bf16 && b == TPP_TYPE_bf16 && c == TPP_TYPE_f32)
    return types::bf16_f32;
  if (a == TPP_TYPE_bf16 && b == TPP_TYPE_bf16 && c == TPP_TYPE_bf16)
    return types::bf16_bf16;
  if (a == TPP_TYPE_u8 && b == TPP_TYPE_i8 && c == TPP_TYPE_i32)
    return types::u8_i8;
  return types::none;
}

// Rows of B in one VNNI group.
int64_t vnni_of(types of) {
  switch (of) {
  case types::bf16_f32:
  case types::bf16_bf16:
    return 2;
  case types::u8_i8:
    return 4;
  case types::f32:
  case types::none:
    break;
  }
  return 1;
}

// libxsmm uses 32-bit displacements: an operand must be smaller than 2 GiB.
bool fits_32_bits(const tpp_matrix &form, int64_t rows) {
  return form.ld <= INT_MAX / type_bytes(form.type) && rows <= INT_MAX / (form.ld * type_bytes(form.type));
}

bool stride_fits(int64_t bytes) { return bytes >= 0 && bytes <= INT_MAX; }

const char *reject(const tpp_brgemm_desc &desc) {
  const types kind = types_of(desc);
  if (kind == types::none)
    return "libxsmm has no kernel for these element types";
  if (desc.post_op_count)
    return "libxsmm has no post-ops";
  if (desc.a.panel || desc.b.panel || desc.c.panel)
    return "an operand spans panels";
  if (desc.a.vnni || desc.c.vnni)
    return "libxsmm takes VNNI groups in B only";
  const int64_t vnni = vnni_of(kind);
  if ((desc.b.vnni ? desc.b.vnni : 1) != vnni)
    return vnni > 1 ? "libxsmm needs B in VNNI groups" : "B is in VNNI groups";
  if (desc.k % vnni != 0)
    return "k is not a multiple of the VNNI group";
  if (desc.b.ld % vnni != 0)
    return "b.ld is not a multiple of the VNNI group";
  if (desc.m > 1 && desc.a.ld % vnni != 0)
    return "a.ld is not a multiple of the VNNI group";
  if (desc.m > 1 && desc.a.ld < desc.k)
    return "rows of A overlap";
  if (desc.k > vnni && desc.b.ld < desc.n * vnni)
    return "rows of B overlap";
  if (desc.m > INT_MAX || desc.n > INT_MAX || desc.k > INT_MAX || !fits_32_bits(desc.a, desc.m) ||
      !fits_32_bits(desc.b, desc.k) || !fits_32_bits(desc.c, desc.m))
    return "an operand is too large for libxsmm's 32-bit offsets";
  if (desc.batch_kind == TPP_BATCH_stride && !(stride_fits(desc.a_batch_stride) && stride_fits(desc.b_batch_stride)))
    return "a batch stride is negative or does not fit libxsmm's 32 bits";
  // The machine last, so that a bad descriptor gets the same reason on every machine.
  if (vnni_of(kind) > 1 && machine_level() < level::words)
    return "libxsmm needs AVX-512 for 16- and 8-bit operands";
  if (vnni_of(kind) == 4 && machine_level() < level::bytes)
    return "without VNNI instructions libxsmm saturates 8-bit products";
  return nullptr;
}

// Number of tiles for a C of at most 16 elements. libxsmm uses tiles of 16, eight, four or one columns and three rows. Each of them waits
// for the latency of its own sums.
int64_t small_tiles(const tpp_brgemm_desc &desc) {
  return (desc.n / 16 + desc.n % 16 / 8 + desc.n % 8 / 4 + desc.n % 4) * ((desc.m + 2) / 3);
}

// Slowdown from L1 conflict misses among rows that are read soon after each other, as a factor >= 1 (docs/decisions/costs.md): among rows of B, 64
// of its columns, unless few rows of C read B once; and among rows of A, if C or its last tile is one vector wide. Long sums leave half of the ways
// to a panel's rows.
double conflicts(const tpp_brgemm_desc &desc, int64_t steps) {
  constexpr int64_t rows = 32, columns = 64, once = 6, vector = 16, long_steps = 640;
  constexpr int64_t tile_rows = 28; // of a tile one vector wide; wider tiles have too few rows for conflict misses
  const tpp_machine &machine = current_machine();
  double factor = 1;
  if (desc.m > once && desc.n > vector && desc.b.ld > 0) {
    const int64_t width = (desc.n < columns ? desc.n : columns) * vnni_of(types_of(desc)) * type_bytes(desc.b.type);
    const int64_t ways = steps > long_steps ? (machine.l1_ways + 1) / 2 : machine.l1_ways;
    const int64_t beyond = tpp_brgemm_lines_beyond(&desc.b, ways, steps < rows ? steps : rows, width, &machine);
    factor += 0.021 * static_cast<double>(beyond);
  }
  if (const int64_t last = desc.n % columns; last > 0 && last <= vector) {
    tpp_brgemm_desc tile = desc;
    tile.n = last;
    const auto vectors = static_cast<double>((desc.n + vector - 1) / vector);
    factor += (tpp_brgemm_conflicts(&tile, tile_rows, vector, &machine) - 1) / vectors;
  }
  return factor;
}

// Counts of libxsmm's kernels, in the terms of tpp/brgemm_cost.h: cycles per call, per vector of C, per multiply-add and per load.
struct level_cost {
  int64_t lanes, tile_rows; // columns of a vector; rows of a tile
  double call, stores, multiplies, loads, rows_per_load, least_products;
};
const level_cost &cost_of_level() {
  constexpr int64_t any_number = 1000000; // of rows
  static constexpr level_cost avx512 = {16, any_number, 2, 0.26, 0.98, 2.4, 4.2, 5.2};
  static constexpr level_cost avx2 = {8, 3, 2.5, 0.83, 1, 2, any_number, 7};
  return machine_level() == level::f32 ? avx2 : avx512;
}

// Cycles in which a vector of words is multiplied. Without AVX512-BF16, libxsmm widens the words of both operands at each product.
double cycles_of_product(types of, const tpp_machine &machine) {
  constexpr double widened = 6.5; // multiply-adds
  switch (of) {
  case types::bf16_f32:
  case types::bf16_bf16:
    return machine_level() < level::dots ? widened / machine.fma_per_cycle : 1 / machine.bf16_dot_per_cycle;
  case types::u8_i8:
    return 1 / machine.i8_dot_per_cycle;
  case types::f32:
  case types::none:
    break;
  }
  return 1 / machine.fma_per_cycle;
}

// Estimated nanoseconds, by the model of tpp/brgemm_cost.h, so that costs are comparable with those of the native kernels. Each step of k takes
// the time of its multiply-adds, or of the loads of B if there are too few rows to reuse them, and at least the latency of one multiply-add for
// each tile.
//
// On hot, plain operands, libxsmm is 2 to 5 % faster than the native kernels, and more on tiny shapes. The wait for a large B is added,
// because libxsmm does not prefetch it. No wait is added for a smaller B that the native kernels prefetch: it is mostly in a near cache if
// only the matmul is computed, and weights of networks come with post-ops, which libxsmm does not compute.
double cost(const tpp_brgemm_desc &desc) {
  const tpp_machine &machine = current_machine();
  const double large_b = 2 * tpp_brgemm_least_fetch(&machine);
  const level_cost &counts = cost_of_level();
  const double vectors = static_cast<double>((desc.n + counts.lanes - 1) / counts.lanes), rows = static_cast<double>(desc.m);
  const double tile_rows = static_cast<double>(std::clamp<int64_t>(desc.m, 1, counts.tile_rows)), products = tile_rows * vectors;
  const int64_t steps = desc.k / vnni_of(types_of(desc));
  const double of_product = counts.multiplies * cycles_of_product(types_of(desc), machine);
  const double of_tile = (products < counts.least_products ? counts.least_products : products) * of_product;
  double compute = rows / tile_rows * of_tile * conflicts(desc, steps);
  if (desc.m * desc.n <= 16)
    compute = static_cast<double>(small_tiles(desc)) * counts.least_products * of_product;
  const double load =
      vectors * counts.loads / machine.loads_per_cycle * ((rows + counts.rows_per_load - 1) / counts.rows_per_load);
  const double bytes = static_cast<double>(desc.n) * static_cast<double>(desc.k * type_bytes(desc.b.type));
  const double cycles = counts.call + rows * vectors * counts.stores * (1 + desc.beta) +
                        static_cast<double>(steps) * (compute > load ? compute : load);
  return cycles / machine.clock_ghz +
         (bytes < large_b ? 0 : tpp_brgemm_wait_ns(bytes, TPP_BRGEMM_FETCH_none, desc.b_uses, &machine));
}

const char *name_of(const tpp_brgemm_desc &desc) {
  static constexpr const char *names[][3] = {
      {"xsmm_brgemm_f32f32f32_stride", "xsmm_brgemm_f32f32f32_offset", "xsmm_brgemm_f32f32f32_address"},
      {"xsmm_brgemm_bf16bf16f32_stride", "xsmm_brgemm_bf16bf16f32_offset", "xsmm_brgemm_bf16bf16f32_address"},
      {"xsmm_brgemm_bf16bf16bf16_stride", "xsmm_brgemm_bf16bf16bf16_offset", "xsmm_brgemm_bf16bf16bf16_address"},
      {"xsmm_brgemm_u8i8i32_stride", "xsmm_brgemm_u8i8i32_offset", "xsmm_brgemm_u8i8i32_address"}};
  const types kind = types_of(desc);
  return kind == types::none ? "xsmm_brgemm" : names[static_cast<int>(kind)][desc.batch_kind];
}

size_t list(operation op, const void *any, candidate *out, size_t room) {
  if (op != operation::brgemm)
    return 0;
  if (out && room > 0) {
    const auto &desc = *static_cast<const tpp_brgemm_desc *>(any);
    out[0] = {name_of(desc), TPP_PROVIDER_xsmm, reject(desc), 0, nullptr};
    if (!out[0].rejection)
      out[0].cost = cost(desc);
  }
  return 1;
}

// Translates a descriptor to libxsmm's terms.
xsmm::problem problem_of(const tpp_brgemm_desc &desc) {
  xsmm::problem problem = {};
  problem.of = types_of(desc);
  problem.m = static_cast<int>(desc.n);
  problem.n = static_cast<int>(desc.m);
  problem.k = static_cast<int>(desc.k);
  // With a single row (or VNNI group), any leading dimension is valid for us, but libxsmm requires at least the row's length.
  const auto covering = [](int64_t ld, int64_t row) { return static_cast<int>(ld > row ? ld : row); };
  problem.lda = covering(desc.b.ld / vnni_of(problem.of), desc.n);
  problem.ldb = covering(desc.a.ld, desc.k);
  problem.ldc = covering(desc.c.ld, desc.n);
  problem.strided = desc.batch_kind == TPP_BATCH_stride;
  problem.stride_a = static_cast<int>(desc.b_batch_stride);
  problem.stride_b = static_cast<int>(desc.a_batch_stride);
  problem.clears = desc.beta == 0;
  return problem;
}

const char *create(const candidate &, microkernel *kernel) {
  const tpp_brgemm_desc &desc = kernel->desc.brgemm;
  jit_state state = {};
  state.clears = desc.beta == 0;
  state.c_rows = desc.n > 0 ? desc.m : 0; // an empty C may be a null pointer
  state.c_row_bytes = desc.n * type_bytes(desc.c.type);
  state.c_ld_bytes = desc.c.ld * type_bytes(desc.c.type);
  if (desc.m == 0 || desc.n == 0 || desc.k == 0) {
    kernel->head.entry = empty_sum_entry;
  } else {
    state.code = xsmm::compile(problem_of(desc));
    if (!state.code)
      return "libxsmm could not compile it";
    static constexpr tpp_kernel_entry entries[] = {stride_entry, offset_entry, address_entry}; // by tpp_batch_kind
    kernel->head.entry = entries[desc.batch_kind];
  }
  memcpy(kernel->state, &state, sizeof state);
  return nullptr;
}

} // namespace

const provider xsmm_provider = {TPP_PROVIDER_xsmm, unavailable, list, create};

} // namespace tpp
