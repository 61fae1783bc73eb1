// Implements xsmm_2/libxsmm.h: a column-major brgemm as libxsmm's documentation and samples define it, by plain loops on small
// integers. It rejects what libxsmm rejects (a leading dimension that is too small, k that is not a multiple of the VNNI group,
// unsupported types). So the tests check the meaning of the provider's requests: flags, order of leading dimensions, byte strides
// and offsets.
#include "../naive.hpp"
#include "stand_in.hpp"

#include <array>
#include <utility>

namespace stand_in {

std::vector<request> granted;
int initializations = 0, verbosity = -1;
bool refuses = false;

namespace {

// TPP's type for a libxsmm type; `is_unsigned` makes 8-bit elements unsigned.
int32_t type_of(libxsmm_datatype type, bool is_unsigned = false) {
  switch (type) {
  case LIBXSMM_DATATYPE_F32:
    return TPP_TYPE_f32;
  case LIBXSMM_DATATYPE_BF16:
    return TPP_TYPE_bf16;
  case LIBXSMM_DATATYPE_I32:
    return TPP_TYPE_i32;
  case LIBXSMM_DATATYPE_I8:
    return is_unsigned ? TPP_TYPE_u8 : TPP_TYPE_i8;
  case LIBXSMM_DATATYPE_UNSUPPORTED:
    break;
  }
  throw std::invalid_argument("a type of no kernel");
}

int vnni_of(const request &asked) {
  if (!(asked.flags & LIBXSMM_GEMM_FLAG_VNNI_A))
    return 1;
  return asked.shape.a_in_type == LIBXSMM_DATATYPE_I8 ? 4 : 2;
}

bool is_supported(const request &asked) {
  const libxsmm_gemm_shape &s = asked.shape;
  const auto types_are = [&](libxsmm_datatype ab, libxsmm_datatype c, libxsmm_datatype sum) {
    return s.a_in_type == ab && s.b_in_type == ab && s.out_type == c && s.comp_type == sum;
  };
  const bool vnni = asked.flags & LIBXSMM_GEMM_FLAG_VNNI_A, unsigned_b = asked.flags & LIBXSMM_GEMM_FLAG_B_UNSIGNED;
  const bool types = (types_are(LIBXSMM_DATATYPE_F32, LIBXSMM_DATATYPE_F32, LIBXSMM_DATATYPE_F32) && !vnni && !unsigned_b) ||
                     (types_are(LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_F32, LIBXSMM_DATATYPE_F32) && vnni && !unsigned_b) ||
                     (types_are(LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_F32) && vnni && !unsigned_b) ||
                     (types_are(LIBXSMM_DATATYPE_I8, LIBXSMM_DATATYPE_I32, LIBXSMM_DATATYPE_I32) && vnni);
  return types && s.m > 0 && s.n > 0 && s.k > 0 && s.lda >= s.m && s.ldb >= s.k && s.ldc >= s.m && s.k % vnni_of(asked) == 0;
}

// C = beta C + sum of A_i B_i. A(i, p) is stored in VNNI groups along p; B(p, j) and C(i, j) are column-major.
void run(const request &asked, const libxsmm_gemm_param &param) {
  const libxsmm_gemm_shape &s = asked.shape;
  const int32_t a_type = type_of(s.a_in_type), c_type = type_of(s.out_type);
  const int32_t b_type = type_of(s.b_in_type, asked.flags & LIBXSMM_GEMM_FLAG_B_UNSIGNED);
  const int64_t v = vnni_of(asked);
  const auto count = *static_cast<const unsigned long long *>(param.op.tertiary);
  const auto entry = [&](const libxsmm_matrix_arg &matrix, libxsmm_blasint stride, unsigned long long index) {
    const uint64_t offset = asked.batch.br_type == LIBXSMM_GEMM_BATCH_REDUCE_STRIDE
                                ? static_cast<uint64_t>(stride) * index
                                : static_cast<const unsigned long long *>(matrix.secondary)[index];
    return reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(matrix.primary) + offset); // the base may be null
  };
  for (int64_t j = 0; j < s.n; ++j)
    for (int64_t i = 0; i < s.m; ++i) {
      const int64_t at = j * s.ldc + i;
      double sum = asked.flags & LIBXSMM_GEMM_FLAG_BETA_0 ? 0 : naive::load(c_type, param.c.primary, at);
      for (unsigned long long e = 0; e < count; ++e) {
        const void *a = entry(param.a, asked.batch.br_stride_a_hint, e), *b = entry(param.b, asked.batch.br_stride_b_hint, e);
        for (int64_t p = 0; p < s.k; ++p)
          sum += naive::load(a_type, a, (p / v * s.lda + i) * v + p % v) * naive::load(b_type, b, j * s.ldb + p);
      }
      naive::store(c_type, param.c.primary, at, sum);
    }
}

// One function per request, numbered: libxsmm's kernels take no user data, so the function itself must identify its request.
template <size_t number> void kernel(const libxsmm_gemm_param *param) { run(granted[number], *param); }

template <size_t... numbers>
constexpr std::array<libxsmm_gemmfunction, sizeof...(numbers)> kernels_of(std::index_sequence<numbers...>) {
  return {kernel<numbers>...};
}
constexpr auto kernels = kernels_of(std::make_index_sequence<1024>());

} // namespace
} // namespace stand_in

using namespace stand_in;

void libxsmm_init() { ++initializations; }
void libxsmm_set_verbosity(int level) { verbosity = level; }
int libxsmm_get_target_archid() { return LIBXSMM_X86_AVX512_CLX; }

libxsmm_gemm_shape libxsmm_create_gemm_shape(libxsmm_blasint m, libxsmm_blasint n, libxsmm_blasint k, libxsmm_blasint lda,
                                             libxsmm_blasint ldb, libxsmm_blasint ldc, libxsmm_datatype a_in_type,
                                             libxsmm_datatype b_in_type, libxsmm_datatype out_type, libxsmm_datatype comp_type) {
  return {m, n, k, lda, ldb, ldc, a_in_type, b_in_type, out_type, comp_type};
}

libxsmm_gemm_batch_reduce_config libxsmm_create_gemm_batch_reduce_config(libxsmm_gemm_batch_reduce_type br_type,
                                                                         libxsmm_blasint br_stride_a_hint,
                                                                         libxsmm_blasint br_stride_b_hint,
                                                                         unsigned char br_unroll_hint) {
  return {br_type, br_stride_a_hint, br_stride_b_hint, br_unroll_hint};
}

libxsmm_gemmfunction libxsmm_dispatch_brgemm(libxsmm_gemm_shape gemm_shape, libxsmm_bitfield gemm_flags,
                                             libxsmm_bitfield prefetch_flags, libxsmm_gemm_batch_reduce_config brgemm_config) {
  const request asked = {gemm_shape, gemm_flags, prefetch_flags, brgemm_config};
  if (refuses || granted.size() == kernels.size() || !is_supported(asked))
    return nullptr;
  granted.push_back(asked);
  return kernels[granted.size() - 1];
}
