// The xsmm provider: libxsmm 1.17's JIT-compiled BRGEMM behind our argument block.
//
// libxsmm is column-major. A row-major matrix is the column-major form of its transpose, so C = A B becomes C^T = B^T A^T: our B
// is its A, our n its m, and no data moves. Its flag values differ between releases; they appear here only, never in our types.
//
// Batches by address run on libxsmm's *offset* kernel with null base pointers, where an offset is an address. Its own address
// kernel writes to the caller's tables while it runs (it advances the pointers in place), and ours are const and may be shared by
// threads.
#include "provider.h"
#include "tpp/brgemm_cost.h"

#include <libxsmm.h>
#include <limits.h>
#include <mutex>
#include <string.h>

// A JIT-compiled function carries none of the type information that clang's -fsanitize=function looks for in front of it.
#if defined(__clang__)
#define TPP_CALLS_JIT __attribute__((no_sanitize("function")))
#else
#define TPP_CALLS_JIT
#endif

namespace tpp {
namespace {

// libxsmm's functions without their trailing "...": the code they point to takes exactly these.
using strided_function = void (*)(const void *, const void *, void *, const unsigned long long *);
using offset_function = void (*)(const void *, const void *, void *, const unsigned long long *, const void *, const void *);

// What an entry needs beyond its arguments; kept in microkernel::state.
struct jit_state {
  union {
    strided_function strided;
    offset_function offset;
  };
  // For an empty sum: what beta leaves of C.
  int64_t c_rows, c_row_bytes, c_ld_bytes;
  bool clears;
};
static_assert(sizeof(jit_state) <= sizeof(microkernel::state), "state does not fit the microkernel");
static_assert(sizeof(unsigned long long) == sizeof(int64_t), "tables of int64_t are passed as unsigned long long");

const jit_state &state_of(const tpp_kernel *kernel) {
  return *reinterpret_cast<const jit_state *>(reinterpret_cast<const microkernel *>(kernel)->state);
}

const unsigned long long *count_of(const tpp_args *args) { return reinterpret_cast<const unsigned long long *>(&args->batch); }

// C = beta * C: the result of an empty sum. libxsmm has no kernel for it (k = 0), or would loop forever (batch 0).
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
  state_of(kernel).strided(args->b, args->a, args->c, count_of(args));
}

TPP_CALLS_JIT void offset_entry(const tpp_kernel *kernel, const tpp_args *args) {
  if (__builtin_expect(args->batch <= 0, 0))
    return empty_sum_entry(kernel, args);
  state_of(kernel).offset(args->b, args->a, args->c, count_of(args), args->b_batch, args->a_batch);
}

TPP_CALLS_JIT void address_entry(const tpp_kernel *kernel, const tpp_args *args) {
  if (__builtin_expect(args->batch <= 0, 0))
    return empty_sum_entry(kernel, args);
  state_of(kernel).offset(nullptr, nullptr, args->c, count_of(args), args->b_batch, args->a_batch);
}

// The first use initializes libxsmm. It is muted: this library prints nothing, and libxsmm would print statistics at exit when
// LIBXSMM_VERBOSE is set.
int target_arch() {
  static std::once_flag once;
  static int arch = 0;
  std::call_once(once, [] {
    libxsmm_init();
    libxsmm_set_verbosity(0);
    arch = libxsmm_get_target_archid();
  });
  return arch;
}

const char *unavailable() {
  return target_arch() >= LIBXSMM_X86_AVX2 ? nullptr : "libxsmm compiles no fast code for this machine";
}

// The element types of a problem: what libxsmm calls its precision. i8 * u8 is left out: libxsmm 1.17 emits an
// instruction that its own encoder does not know (and prints about it), and the kernel computes nonsense for few rows.
enum class types { f32, bf16_f32, bf16_bf16, u8_i8, none };

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

// Rows of B that one VNNI group holds.
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

int64_t element_bytes(int32_t type) {
  switch (type) {
  case TPP_TYPE_bf16:
    return 2;
  case TPP_TYPE_i8:
  case TPP_TYPE_u8:
    return 1;
  default:
    return 4;
  }
}

// libxsmm computes with 32-bit displacements; an operand must stay below 2 GiB.
bool fits_32_bits(const tpp_matrix &form, int64_t rows) {
  return form.ld <= INT_MAX / element_bytes(form.type) && rows <= INT_MAX / (form.ld * element_bytes(form.type));
}

bool stride_fits(int64_t bytes) { return bytes >= 0 && bytes <= INT_MAX; }

const char *reject(const tpp_brgemm_desc &desc) {
  const types kind = types_of(desc);
  if (kind == types::none)
    return "libxsmm has no kernel for these element types";
  if (vnni_of(kind) > 1 && target_arch() < LIBXSMM_X86_AVX512_CORE)
    return "libxsmm needs AVX-512 for 16- and 8-bit operands";
  if (vnni_of(kind) == 4 && target_arch() < LIBXSMM_X86_AVX512_CLX)
    return "without VNNI instructions libxsmm saturates 8-bit products";
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
  return nullptr;
}

// Nanoseconds on the machine and by the model of tpp/brgemm_cost.h, so that the two compare: per step of k the multiply-adds, or B's
// vectors where there are too few rows to reuse them, and never less than one multiply-add's latency. Fitted with the native rows
// (benchmarks/support/fit_costs.py): median error 1.5 %, 90th percentile 22 %. Hot and on plain operands libxsmm is 2 to 5 % ahead of the
// native kernels, more on tiny shapes; a large B is waited for, since it is not fetched ahead.
double cost(const tpp_brgemm_desc &desc) {
  constexpr double call_ns = 1, vector_ns = 0.12, fma_ns = 0.2304, load_ns = 0.56, rows_per_load = 4.2, least_products = 5.2;
  const double vectors = static_cast<double>((desc.n + 15) / 16), rows = static_cast<double>(desc.m);
  const double steps = static_cast<double>(desc.k) / static_cast<double>(vnni_of(types_of(desc)));
  const double products = rows * vectors < least_products ? least_products : rows * vectors;
  const double compute = products * fma_ns, load = vectors * load_ns * ((rows + rows_per_load - 1) / rows_per_load);
  const double bytes = static_cast<double>(desc.n) * static_cast<double>(desc.k * element_bytes(desc.b.type));
  return call_ns + rows * vectors * vector_ns * (1 + desc.beta) + steps * (compute > load ? compute : load) +
         tpp_brgemm_wait_ns(bytes, TPP_BRGEMM_FETCH_none);
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

// Has libxsmm compile the kernel; null when it cannot. The m, n, a and b here are libxsmm's.
void *compile(const tpp_brgemm_desc &desc) {
  const types kind = types_of(desc);
  const libxsmm_blasint m = static_cast<int>(desc.n), n = static_cast<int>(desc.m), k = static_cast<int>(desc.k);
  // With a single row (or VNNI group) any leading dimension will do, but libxsmm insists on one that covers the row.
  const int64_t covering_lda = desc.b.ld / vnni_of(kind) > desc.n ? desc.b.ld / vnni_of(kind) : desc.n;
  const int64_t covering_ldb = desc.a.ld > desc.k ? desc.a.ld : desc.k;
  const int64_t covering_ldc = desc.c.ld > desc.n ? desc.c.ld : desc.n;
  const libxsmm_blasint lda = static_cast<int>(covering_lda), ldb = static_cast<int>(covering_ldb),
                        ldc = static_cast<int>(covering_ldc);
  const libxsmm_blasint stride_a = static_cast<int>(desc.b_batch_stride), stride_b = static_cast<int>(desc.a_batch_stride);
  const float alpha = 1, beta = static_cast<float>(desc.beta);
  const int integer_alpha = 1, integer_beta = desc.beta;
  const int flags = vnni_of(kind) > 1 ? LIBXSMM_GEMM_FLAG_VNNI_A : LIBXSMM_GEMM_FLAG_NONE;
  const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
  const bool strided = desc.batch_kind == TPP_BATCH_stride;

#define TPP_COMPILE(prefix, alpha, beta)                                                                                         \
  (strided ? reinterpret_cast<void *>(libxsmm_##prefix##dispatch_reducebatch_strd(m, n, k, stride_a, stride_b, &lda, &ldb, &ldc, \
                                                                                  &alpha, &beta, &flags, &prefetch))             \
           : reinterpret_cast<void *>(                                                                                           \
                 libxsmm_##prefix##dispatch_reducebatch_offs(m, n, k, &lda, &ldb, &ldc, &alpha, &beta, &flags, &prefetch)))
  switch (kind) {
  case types::f32:
    return TPP_COMPILE(smm, alpha, beta);
  case types::bf16_f32:
    return TPP_COMPILE(bsmm, alpha, beta);
  case types::bf16_bf16:
    return TPP_COMPILE(bmm, alpha, beta);
  case types::u8_i8: // its A is our signed B
    return TPP_COMPILE(subimm, integer_alpha, integer_beta);
  case types::none:
    break;
  }
#undef TPP_COMPILE
  return nullptr;
}

const char *create(const candidate &, microkernel *kernel) {
  const tpp_brgemm_desc &desc = kernel->desc.brgemm;
  jit_state state = {};
  state.clears = desc.beta == 0;
  state.c_rows = desc.n > 0 ? desc.m : 0; // an empty C may be a null pointer
  state.c_row_bytes = desc.n * element_bytes(desc.c.type);
  state.c_ld_bytes = desc.c.ld * element_bytes(desc.c.type);
  if (desc.m == 0 || desc.n == 0 || desc.k == 0) {
    kernel->head.entry = empty_sum_entry;
  } else {
    void *code = compile(desc);
    if (!code)
      return "libxsmm could not compile it";
    if (desc.batch_kind == TPP_BATCH_stride)
      state.strided = reinterpret_cast<strided_function>(code);
    else
      state.offset = reinterpret_cast<offset_function>(code);
    static constexpr tpp_kernel_entry entries[] = {stride_entry, offset_entry, address_entry}; // by tpp_batch_kind
    kernel->head.entry = entries[desc.batch_kind];
  }
  memcpy(kernel->state, &state, sizeof state);
  return nullptr;
}

} // namespace

const provider xsmm_provider = {TPP_PROVIDER_xsmm, unavailable, list, create};

} // namespace tpp
