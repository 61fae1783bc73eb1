// The native vnni_pack kernels of kernels.def (TPP_UK_VNNI_PACK), compiled once per target: they interleave the four bytes of a group,
// two rows of 16-bit or four rows of 8-bit elements. Contract in unary/unary.hpp.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/relayout/vnni_pack.cpp"
#include "hwy/foreach_target.h"

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/matrix.hpp"
#include "microkernels/relayout/direct-inl.h"
#include "microkernels/relayout/streamed-inl.h"
#include "microkernels/unary/native.hpp"

#include <algorithm>

#ifndef TPP_MICROKERNELS_RELAYOUT_VNNI_PACK_ONCE
#define TPP_MICROKERNELS_RELAYOUT_VNNI_PACK_ONCE
namespace tpp {
namespace {
const char *vnni_pack_reject(const tpp_unary_desc &desc, int64_t bytes) {
  if (const char *reason = other_kind_reason(desc.kind == TPP_UNARY_vnni_pack, type_bytes(desc.out.type) == bytes))
    return reason;
  if (const char *reason = unary_reject_reason(desc))
    return reason;
  return desc.out.vnni * bytes == 4 ? nullptr : "the kernel packs as many rows as 4 bytes hold";
}

// Columns from `col` to the end of its panel, at most to `cols`.
int64_t columns_left(const tpp_matrix &form, int64_t col, int64_t cols) {
  return form.panel > 0 ? std::min(form.panel - col % form.panel, cols - col) : cols - col;
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Interleaves kGroup rows of T into one row of groups.
template <class T, int kGroup> struct VnniPack {
  static constexpr int kWord = 4;
  static_assert(sizeof(T) * kGroup == kWord, "a group is four bytes");
  // Vectors of 128 bits: interleaving wider ones takes shuffles across their blocks.
  using D = hn::CappedTag<T, 16 / sizeof(T)>;
  // Rows that are read in turn, piece by piece, and bytes of a row that are prefetched ahead: the hardware prefetcher follows few rows, not far.
  static constexpr int64_t kRows = 16, kAhead = 512;

  using V = hn::Vec<D>;

  static HWY_INLINE void Interleave(V (&v)[2]) {
    const V low = hn::InterleaveLower(D(), v[0], v[1]), high = hn::InterleaveUpper(D(), v[0], v[1]);
    v[0] = low, v[1] = high;
  }
  static HWY_INLINE void Interleave(V (&v)[4]) {
    const hn::RepartitionToWide<D> wide;
    V first[2] = {v[0], v[1]}, second[2] = {v[2], v[3]};
    Interleave(first);
    Interleave(second);
    for (int half = 0; half < 2; ++half) {
      const auto x = hn::BitCast(wide, first[half]), y = hn::BitCast(wide, second[half]);
      v[2 * half] = hn::BitCast(D(), hn::InterleaveLower(wide, x, y));
      v[2 * half + 1] = hn::BitCast(D(), hn::InterleaveUpper(wide, x, y));
    }
  }

  // The first `rows` rows of the group exist; the others are zero. kStreaming: with non-temporal stores; `to` is then aligned to a vector.
  template <bool kStreaming> static HWY_INLINE void Group(const T *const (&from)[kGroup], int rows, T *to, int64_t cols) {
    const D d;
    const auto N = static_cast<int64_t>(hn::Lanes(d));
    int64_t j = 0;
    for (; j + N <= cols; j += N) {
      V v[kGroup];
      for (int r = 0; r < kGroup; ++r)
        v[r] = r < rows ? hn::LoadU(d, from[r] + j) : hn::Zero(d);
      if (j * sizeof(T) % kLineBytes == 0)
        for (int r = 0; r < rows; ++r)
          __builtin_prefetch(reinterpret_cast<const char *>(from[r] + j) + kAhead, 0, 3);
      Interleave(v);
      for (int r = 0; r < kGroup; ++r)
        if constexpr (kStreaming)
          hn::Stream(v[r], d, to + j * kGroup + r * N);
        else
          hn::StoreU(v[r], d, to + j * kGroup + r * N);
    }
    for (; j < cols; ++j)
      for (int r = 0; r < kGroup; ++r)
        to[j * kGroup + r] = r < rows ? from[r][j] : T{0};
  }

  // Packs an input that is contiguous along its rows (panels of one column): a transposition of whole groups. `rows`: those of the input.
  static void Transposed(const tpp_matrix &in_form, const T *in, const tpp_matrix &out_form, T *out, int64_t rows, int64_t cols,
                         bool streaming) {
    const int64_t groups = rows / kGroup, left = rows % kGroup;
    const auto in_step = static_cast<int64_t>(in_form.panel_stride * sizeof(T));
    for (int64_t col = 0, width; col < cols && groups != 0; col += width) {
      width = columns_left(out_form, col, cols);
      const char *from = reinterpret_cast<const char *>(in + element_offset(in_form, 0, col));
      T *to = out + element_offset(out_form, 0, col);
      const auto out_step = static_cast<int64_t>(out_form.ld * sizeof(T));
      if (streaming)
        relayout::Streamed<kWord, transpose_block_rows, 4>::Run(from, in_step, reinterpret_cast<char *>(to), out_step, width,
                                                                groups);
      else
        relayout::Direct<kWord>::Run(from, in_step, reinterpret_cast<char *>(to), out_step, width, groups);
    }
    for (int64_t col = 0; col < cols && left != 0; ++col)
      for (int64_t r = 0; r < kGroup; ++r)
        out[element_offset(out_form, groups * kGroup, col) + r] =
            r < left ? in[element_offset(in_form, groups * kGroup + r, col)] : T{0};
    if (streaming)
      hwy::FlushStream();
  }

  static void Entry(const tpp_kernel *self, const tpp_args *args) {
    const tpp_unary_desc &desc = reinterpret_cast<const microkernel *>(self)->desc.unary;
    const T *in = static_cast<const T *>(args->a);
    T *out = static_cast<T *>(args->c);
    if (desc.in.panel == 1 && desc.in.ld == 1)
      return Transposed(desc.in, in, desc.out, out, desc.m, desc.n, desc.streaming != 0);
    // Some rows at a time, through all panels.
    for (int64_t block = 0; block < desc.m; block += kRows)
      for (int64_t col = 0, width; col < desc.n; col += width) {
        width = std::min(columns_left(desc.in, col, desc.n), columns_left(desc.out, col, desc.n));
        const T *in_col = in + element_offset(desc.in, 0, col);
        T *out_col = out + element_offset(desc.out, 0, col);
        for (int64_t row = block; row < std::min(block + kRows, desc.m); row += kGroup) {
          const int rows = static_cast<int>(std::min<int64_t>(kGroup, desc.m - row));
          const T *from[kGroup];
          for (int r = 0; r < kGroup; ++r)
            from[r] = in_col + std::min(row + r, desc.m - 1) * desc.in.ld;
          T *to = out_col + row / kGroup * desc.out.ld;
          const bool lines = (reinterpret_cast<uintptr_t>(to) | static_cast<uintptr_t>(width * 4)) % kLineBytes == 0;
          if (desc.streaming != 0 && lines)
            Group<true>(from, rows, to, width);
          else
            Group<false>(from, rows, to, width);
        }
      }
    if (desc.streaming != 0)
      hwy::FlushStream();
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_VNNI_PACK_DEFINE(name, ns, bytes)                                                                                 \
  TPP_UK_FUNCTIONS(name, tpp_unary_desc, vnni_pack_reject(desc, bytes), native_unary_cost(desc, ns),                             \
                   kernel->head.entry = (HWY_NAMESPACE::VnniPack<hwy::UnsignedFromSize<bytes>, 4 / (bytes)>::Entry))
#define TPP_UK_VNNI_PACK(types, bytes, ...)                                                                                      \
  TPP_UK_PER_TARGET(TPP_UK_VNNI_PACK_DEFINE, tpp_uk_unary_vnni_pack_##types, __VA_ARGS__, bytes)
#include "tpp/kernels.def"
#undef TPP_UK_VNNI_PACK_DEFINE
} // namespace tpp
