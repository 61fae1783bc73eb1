// Copies bytes past the caches, for outputs that do not fit them (tpp_unary_desc::streaming).
//
// An ordinary store reads the line that it overwrites: a copy of much memory moves three bytes for each byte of payload, a streaming one
// two. Only whole lines gain: a part of one is stored as usual, since two parts would each go to memory on their own.

#if defined(TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/partial_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// The caller calls hwy::FlushStream() behind its last one, so that who synchronizes with this thread sees the bytes.
HWY_INLINE void StreamBytes(const char *source, char *target, size_t bytes) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr size_t line = 64;
  const hn::CappedTag<uint8_t, line> d;
  const size_t N = hn::Lanes(d);
  const auto *from = reinterpret_cast<const uint8_t *>(source);
  auto *to = reinterpret_cast<uint8_t *>(target);
  const auto copy_some = [&](size_t count) HWY_ATTR {
    for (; count >= N; count -= N, from += N, to += N, bytes -= N)
      hn::StoreU(hn::LoadU(d, from), d, to);
    if (count > 0)
      StoreFirst(LoadFirst(d, from, count), d, to, count);
    from += count, to += count, bytes -= count;
  };
  const size_t misaligned = reinterpret_cast<uintptr_t>(to) % line;
  if (misaligned != 0)
    copy_some(HWY_MIN(bytes, line - misaligned));
  for (; bytes >= line; bytes -= line, from += line, to += line)
    for (size_t i = 0; i < line; i += N)
      hn::Stream(hn::LoadU(d, from + i), d, to + i);
  if (bytes > 0)
    copy_some(bytes);
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif
