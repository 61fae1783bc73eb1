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
#include "microkernels/common/unrolled-inl.h"
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

  static constexpr int64_t kLanes = hn::MaxLanes(D()), kLine = kLineBytes / static_cast<int64_t>(sizeof(T));

  // The first kExisting rows of the group exist; the others are zero. kStreaming: with non-temporal stores; `to` is then aligned to a vector.
  template <bool kStreaming, int kExisting> static HWY_INLINE void Vectors(const T *const (&from)[kGroup], int64_t j, T *to) {
    const D d;
    V v[kGroup];
    HWY_UNROLL(4)
    for (int r = 0; r < kGroup; ++r)
      v[r] = r < kExisting ? hn::LoadU(d, from[r] + j) : hn::Zero(d);
    Interleave(v);
    HWY_UNROLL(4)
    for (int r = 0; r < kGroup; ++r)
      if constexpr (kStreaming)
        hn::Stream(v[r], d, to + j * kGroup + r * kLanes);
      else
        hn::StoreU(v[r], d, to + j * kGroup + r * kLanes);
  }
  template <bool kStreaming, int kExisting> static HWY_INLINE void Group(const T *const (&from)[kGroup], T *to, int64_t cols) {
    int64_t j = 0;
    for (; j + kLine <= cols; j += kLine) {
      HWY_UNROLL(4)
      for (int r = 0; r < kExisting; ++r)
        __builtin_prefetch(reinterpret_cast<const char *>(from[r] + j) + kAhead, 0, 3);
      HWY_UNROLL(8)
      for (int64_t i = 0; i < kLine; i += kLanes)
        Vectors<kStreaming, kExisting>(from, j + i, to);
    }
    for (; j + kLanes <= cols; j += kLanes)
      Vectors<kStreaming, kExisting>(from, j, to);
    for (; j < cols; ++j)
      for (int r = 0; r < kGroup; ++r)
        to[j * kGroup + r] = r < kExisting ? from[r][j] : T{0};
  }

  // All groups of `rows` rows, of `cols` columns of one panel. Steps are elements between rows, and between rows of groups.
  template <bool kStreaming>
  static HWY_INLINE void Groups(const T *in, int64_t in_step, T *out, int64_t out_step, int64_t rows, int64_t cols) {
    const T *from[kGroup] = {};
    for (; rows >= kGroup; rows -= kGroup, in += kGroup * in_step, out += out_step) {
      for (int r = 0; r < kGroup; ++r)
        from[r] = in + r * in_step;
      Group<kStreaming, kGroup>(from, out, cols);
    }
    for (int r = 0; r < rows; ++r) // of the last, incomplete group
      from[r] = in + r * in_step;
    if (rows == 1)
      Group<kStreaming, 1>(from, out, cols);
    if constexpr (kGroup == 4) {
      if (rows == 2)
        Group<kStreaming, 2>(from, out, cols);
      if (rows == 3)
        Group<kStreaming, 3>(from, out, cols);
    }
  }

  // Packs an input that is contiguous along its rows (panels of one column): a transposition of whole groups. `rows`: those of the input.
  static void Transposed(const tpp_matrix &in_form, const T *in, const tpp_matrix &out_form, T *out, int64_t rows, int64_t cols,
                         bool streaming) {
    const int64_t groups = rows / kGroup, left = rows % kGroup; // rows of the last, incomplete group
    const auto in_step = static_cast<int64_t>(in_form.panel_stride * sizeof(T));
    for (int64_t col = 0, width; col < cols; col += width) {
      width = columns_left(out_form, col, cols);
      const T *first = in + element_offset(in_form, 0, col);
      T *to = out + element_offset(out_form, 0, col);
      if (left != 0) {
        const T *last = first + groups * kGroup;
        T *incomplete = to + groups * out_form.ld;
        for (int64_t c = 0; c < width; ++c, last += in_form.panel_stride)
          for (int64_t r = 0; r < kGroup; ++r)
            incomplete[c * kGroup + r] = r < left ? last[r] : T{0};
      }
      if (groups == 0)
        continue;
      const char *from = reinterpret_cast<const char *>(first);
      const auto out_step = static_cast<int64_t>(out_form.ld * sizeof(T));
      if (streaming && !TPP_IS_EMULATED) // emulated vectors have no non-temporal stores
        relayout::Streamed<kWord, transpose_block_rows, 4>::Run(from, in_step, reinterpret_cast<char *>(to), out_step, width,
                                                                groups);
      else
        relayout::Direct<kWord>::Run(from, in_step, reinterpret_cast<char *>(to), out_step, width, groups);
    }
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
        const T *from = in_col + block * desc.in.ld;
        T *to = out_col + block / kGroup * desc.out.ld;
        const int64_t rows = std::min(kRows, desc.m - block);
        const bool lines = (reinterpret_cast<uintptr_t>(to) | static_cast<uintptr_t>(width * kWord) |
                            static_cast<uintptr_t>(desc.out.ld * static_cast<int64_t>(sizeof(T)))) %
                               kLineBytes ==
                           0;
        if (desc.streaming != 0 && lines)
          Groups<true>(from, desc.in.ld, to, desc.out.ld, rows, width);
        else
          Groups<false>(from, desc.in.ld, to, desc.out.ld, rows, width);
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
#define TPP_UK_VNNI_PACK_DEFINE(name, cycles, bytes)                                                                             \
  TPP_UK_FUNCTIONS(name, tpp_unary_desc, vnni_pack_reject(desc, bytes), native_unary_cost(desc, cycles *bytes / 4),              \
                   kernel->head.entry = (HWY_NAMESPACE::VnniPack<hwy::UnsignedFromSize<bytes>, 4 / (bytes)>::Entry))
#define TPP_UK_VNNI_PACK(types, bytes, ...)                                                                                      \
  TPP_UK_PER_TARGET(TPP_UK_VNNI_PACK_DEFINE, tpp_uk_unary_vnni_pack_##types, __VA_ARGS__, bytes)
#include "tpp/kernels.def"
#undef TPP_UK_VNNI_PACK_DEFINE
} // namespace tpp
