// Interleaves two or three rows of elements, and deinterleaves them: conversions between planar and interleaved channels of an image.

#if defined(TPP_MICROKERNELS_RELAYOUT_CHANNELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_CHANNELS_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_CHANNELS_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_CHANNELS_INL_H
#endif

#include "microkernels/relayout/squares-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace relayout {

// Converts between kCount (2 or 3) rows of elements and one row in which the kCount elements of each point are adjacent. Works on kPoints
// points at a time, through a staging buffer if the output is streamed.
template <int kBytes, int kCount> class Channels : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kLanes;
  using typename Base::D;
  using typename Base::T;
  using typename Base::V;

public:
  // Interleaves kCount rows of the input. `in_step`: bytes between rows.
  static HWY_NOINLINE void Join(const char *in, int64_t in_step, char *out, int64_t points, bool streaming) {
    HWY_ALIGN char stage[kCount * kPoints * kBytes];
    for (int64_t i = 0; i < points; i += kPoints, in += kPoints * kBytes, out += kCount * kPoints * kBytes) {
      const int64_t run = HWY_MIN(kPoints, points - i);
      JoinPoints(in, in_step, streaming ? stage : out, run);
      if (streaming)
        StreamBytes(stage, out, static_cast<size_t>(run * kCount * kBytes));
    }
  }
  // Deinterleaves into kCount rows of the output. `out_step`: bytes between rows.
  static HWY_NOINLINE void Split(const char *in, char *out, int64_t out_step, int64_t points, bool streaming) {
    constexpr int64_t stage_step = kPoints * kBytes;
    HWY_ALIGN char stage[kCount * stage_step];
    for (int64_t i = 0; i < points; i += kPoints, in += kCount * kPoints * kBytes, out += kPoints * kBytes) {
      const int64_t run = HWY_MIN(kPoints, points - i);
      SplitPoints(in, streaming ? stage : out, streaming ? stage_step : out_step, run);
      for (int64_t c = 0; c < kCount && streaming; ++c)
        StreamBytes(stage + c * stage_step, out + c * out_step, static_cast<size_t>(run * kBytes));
    }
  }

private:
  static constexpr int64_t kPoints = 16 * kLanes;

  static HWY_INLINE void JoinPoints(const char *in, int64_t in_step, char *out, int64_t points) {
    const auto row = [=](int64_t c) HWY_ATTR { return reinterpret_cast<const T *>(in + c * in_step); };
    T *to = reinterpret_cast<T *>(out);
    int64_t p = 0;
    for (; p + kLanes <= points; p += kLanes) {
      const V first = hn::LoadU(D(), row(0) + p), second = hn::LoadU(D(), row(1) + p);
      if constexpr (kCount == 2)
        hn::StoreInterleaved2(first, second, D(), to + p * kCount);
      else
        hn::StoreInterleaved3(first, second, hn::LoadU(D(), row(2) + p), D(), to + p * kCount);
    }
    for (; p < points; ++p)
      for (int64_t c = 0; c < kCount; ++c)
        to[p * kCount + c] = row(c)[p];
  }
  static HWY_INLINE void SplitPoints(const char *in, char *out, int64_t out_step, int64_t points) {
    const T *from = reinterpret_cast<const T *>(in);
    const auto row = [=](int64_t c) HWY_ATTR { return reinterpret_cast<T *>(out + c * out_step); };
    int64_t p = 0;
    for (; p + kLanes <= points; p += kLanes) {
      V v[3];
      if constexpr (kCount == 2)
        hn::LoadInterleaved2(D(), from + p * kCount, v[0], v[1]);
      else
        hn::LoadInterleaved3(D(), from + p * kCount, v[0], v[1], v[2]);
      for (int64_t c = 0; c < kCount; ++c)
        hn::StoreU(v[c], D(), row(c) + p);
    }
    for (; p < points; ++p)
      for (int64_t c = 0; c < kCount; ++c)
        row(c)[p] = from[p * kCount + c];
  }
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif
