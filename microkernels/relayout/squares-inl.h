// Transposes squares of elements of 1, 2, 4 or 8 bytes in registers: the building block of all transpositions.

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

// A vector consists of kBlocks blocks of 128 bits, of kBlock elements each. Block b of vector r is loaded from input row b * kBlock + r.
// Each block position of the vectors then holds a square, which is transposed without crossing 128-bit blocks. Afterwards, vector c holds
// column c of kLanes rows; with 512 bits, that is a whole cache line of the output. Loading each block into its final position saves all
// shuffles across blocks: half of those of a kLanes x kLanes transposition.
template <int kBytes> struct Squares {
  using T = hwy::UnsignedFromSize<kBytes>;
  using D = hn::CappedTag<T, 64 / kBytes>;
  using V = hn::Vec<D>;
  static constexpr int64_t kLanes = hn::MaxLanes(D()), kBlock = 16 / kBytes, kBlocks = kLanes / kBlock;
  static_assert(kBlocks == 1 || kBlocks == 2 || kBlocks == 4, "vectors of 128, 256 or 512 bits");
  // Bytes of a vector: the part of each row in a square of kLanes x kLanes elements.
  static constexpr int64_t kVector = kLanes * kBytes;

  // Transposes the square in each block position: log2(kBlock) times, it interleaves the first half of the list of vectors with the
  // second.
  template <int64_t kStep = 1> static HWY_INLINE void TransposeSquare(V (&v)[kBlock]) {
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
      TransposeSquare<2 * kStep>(v);
    }
  }

  // Loads one block from each of kBlocks rows, which are kBlock rows apart. `step`: bytes between rows.
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
  static HWY_INLINE void PrefetchForWrite(const char *line) { __builtin_prefetch(line, 1, 3); }

  // Transposes kLanes rows x kBlock columns of the input. Steps are bytes between rows.
  static HWY_INLINE void Square(const char *in, int64_t in_step, V (&v)[kBlock]) {
    HWY_UNROLL(16)
    for (int64_t r = 0; r < kBlock; ++r)
      v[r] = LoadBlocks(in + r * in_step, in_step);
    TransposeSquare(v);
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
