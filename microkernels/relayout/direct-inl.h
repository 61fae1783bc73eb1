// Transpositions with ordinary stores, of elements of 1, 2, 4 or 8 bytes.

#if defined(TPP_MICROKERNELS_RELAYOUT_DIRECT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_DIRECT_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_DIRECT_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_DIRECT_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/relayout/squares-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace relayout {
namespace hn = hwy::HWY_NAMESPACE;

template <int kBytes> struct Direct : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using Base::kVector;
  using Base::PrefetchForWrite;
  using Base::PrefetchToSecondLevel;
  using typename Base::D;
  using typename Base::T;

  // Transposes rows x cols of the input, at most kLanes x kLanes. The input passes through a buffer, so that each of its lines is read once.
  // If the distance between rows in bytes is a power of two, more than a dozen lines share one L1 set, and each square would fetch them
  // again. Each square prefetches a few lines of the rows below, which are too far apart for the hardware prefetcher. All at once would
  // queue, and delay the loads of the squares.
  static HWY_INLINE void TransposeVectors(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows,
                                          int64_t cols, int64_t rows_below) {
    const bool whole = rows == kLanes && cols == kLanes;
    HWY_ALIGN char vectors[kLanes * kVector];
    HWY_ALIGN char stage[kLanes * kVector];
    if (HWY_LIKELY(whole))
      for (int64_t r = 0; r < kLanes; ++r)
        hn::Store(hn::LoadU(D(), reinterpret_cast<const T *>(in + r * in_step)), D(),
                  reinterpret_cast<T *>(vectors + r * kVector));
    else
      for (int64_t r = 0; r < rows; ++r)
        StorePart(in + r * in_step, vectors + r * kVector, static_cast<size_t>(cols * kBytes));
    const char *below = in + kLanes * in_step;
    for (int64_t c = 0; c < cols; c += kBlock) {
      for (int64_t r = c; r < HWY_MIN(c + kBlock, rows_below); ++r)
        PrefetchToSecondLevel(below + r * in_step);
      Base::Square(vectors + c * kBytes, kVector, whole ? out + c * out_step : stage + c * kVector, whole ? out_step : kVector);
    }
    for (int64_t c = 0; c < cols && !whole; ++c)
      StorePart(stage + c * kVector, out + c * out_step, static_cast<size_t>(rows * kBytes));
  }

  // At least kLanes rows and columns, whose input fits L1 together with the lines between its rows, and whose output fits L2: nothing is prefetched,
  // and squares read the input itself, because the few rows of one do not evict each other.
  static constexpr int64_t kInFirstLevel = 32 << 10, kOutSecondLevel = 128 << 10;
  static constexpr int64_t kFewElements = 256; // that are copied one by one if there is no whole square
  static HWY_INLINE void RunInCache(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    for (int64_t i = 0; i < rows; i += kLanes) {
      const int64_t row = HWY_MIN(i, rows - kLanes);
      for (int64_t j = 0; j < cols; j += kBlock) {
        const int64_t col = HWY_MIN(j, cols - kBlock);
        Base::Square(in + row * in_step + col * kBytes, in_step, out + col * out_step + row * kBytes, out_step);
      }
    }
  }

  // Transposes with ordinary stores: one vector of columns for all rows, then the next vector of columns. If there are enough rows and
  // columns, the last vectors of a row or column overlap the ones before.
  static HWY_INLINE void Run(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    if (rows >= kLanes && cols >= kBlock && rows * in_step <= kInFirstLevel && cols * out_step <= kOutSecondLevel)
      return RunInCache(in, in_step, out, out_step, rows, cols);
    if (rows * cols <= kFewElements && (rows < kLanes || cols < kBlock)) {
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < cols; ++c)
          std::memcpy(out + c * out_step + r * kBytes, in + r * in_step + c * kBytes, kBytes);
      return;
    }
    const int64_t height = HWY_MIN(kLanes, rows), width = HWY_MIN(kLanes, cols);
    for (int64_t j = 0; j < cols; j += kLanes)
      for (int64_t i = 0; i < rows; i += kLanes) {
        const int64_t row = HWY_MIN(i, rows - height), col = HWY_MIN(j, cols - width), below = rows - row - height;
        char *to = out + col * out_step + row * kBytes;
        for (int64_t c = 0; c < width && below > 0; ++c)
          PrefetchForWrite(to + c * out_step + kLanes * kBytes);
        TransposeVectors(in + row * in_step + col * kBytes, in_step, to, out_step, height, width, HWY_MIN(kLanes, below));
      }
  }
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif
