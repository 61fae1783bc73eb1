// Squares of elements of 1, 2, 4 or 8 bytes that are turned in registers: what transpositions are made of.

#if defined(TPP_MICROKERNELS_RELAYOUT_SQUARES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_SQUARES_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_SQUARES_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_SQUARES_INL_H
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace relayout {
namespace hn = hwy::HWY_NAMESPACE;

// A vector is a row of 128-bit blocks. Block b of vector r is loaded from row b * kBlock + r of the input, kBlock elements of it; a
// square is turned within the blocks, and then vector c holds column c of kLanes rows: with 512 bits a whole line of the output. That the
// blocks come from memory where they belong saves all shuffles between blocks, half of those that a square of kLanes rows takes.
template <int kBytes> struct Squares {
  using T = hwy::UnsignedFromSize<kBytes>;
  using D = hn::CappedTag<T, 64 / kBytes>;
  using V = hn::Vec<D>;
  static constexpr int64_t kLanes = hn::MaxLanes(D()), kBlock = 16 / kBytes, kBlocks = kLanes / kBlock;
  static_assert(kBlocks == 1 || kBlocks == 2 || kBlocks == 4, "vectors of 128, 256 or 512 bits");
  // Bytes of a vector, which is what squares take of a row.
  static constexpr int64_t kVector = kLanes * kBytes;

  // Interleaving the halves of a list of kBlock vectors log2(kBlock) times turns the square in each block.
  template <int64_t kStep = 1> static HWY_INLINE void Turn(V (&v)[kBlock]) {
    if constexpr (kStep < kBlock) {
      const D d;
      V next[kBlock];
      HWY_UNROLL(16)
      for (int64_t i = 0; i < kBlock / 2; ++i) {
        next[2 * i] = hn::InterleaveLower(d, v[i], v[i + kBlock / 2]);
        next[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kBlock / 2]);
      }
      HWY_UNROLL(16)
      for (int64_t i = 0; i < kBlock; ++i)
        v[i] = next[i];
      Turn<2 * kStep>(v);
    }
  }

  // One block from each of kBlocks rows, kBlock rows apart.
  static HWY_INLINE V LoadBlocks(const char *in, int64_t step) {
    const hn::CappedTag<T, kBlock> block;
    const auto load = [&](int64_t b) HWY_ATTR { return hn::LoadU(block, reinterpret_cast<const T *>(in + b * kBlock * step)); };
    if constexpr (kBlocks == 1) {
      return load(0);
    } else if constexpr (kBlocks == 2) {
      return hn::Combine(D(), load(1), load(0));
    } else {
      const hn::Half<D> half;
      return hn::Combine(D(), hn::Combine(half, load(3), load(2)), hn::Combine(half, load(1), load(0)));
    }
  }

  static HWY_INLINE void PrefetchToSecondLevel(const char *line) { __builtin_prefetch(line, 0, 2); }
  static HWY_INLINE void PrefetchForWrite(const char *line, int64_t step, int64_t lines) {
    for (int64_t c = 0; c < lines; ++c)
      __builtin_prefetch(line + c * step, 1, 3);
  }

  // kLanes x kBlock of the input.
  static HWY_INLINE void Square(const char *in, int64_t in_step, V (&v)[kBlock]) {
    HWY_UNROLL(16)
    for (int64_t r = 0; r < kBlock; ++r)
      v[r] = LoadBlocks(in + r * in_step, in_step);
    Turn(v);
  }
  static HWY_INLINE void Square(const char *in, int64_t in_step, char *out, int64_t out_step) {
    V v[kBlock];
    Square(in, in_step, v);
    HWY_UNROLL(16)
    for (int64_t c = 0; c < kBlock; ++c)
      hn::StoreU(v[c], D(), reinterpret_cast<T *>(out + c * out_step));
  }
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif
