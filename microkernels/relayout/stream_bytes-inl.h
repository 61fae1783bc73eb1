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

constexpr size_t kLineBytes = 64;
using LineTag = hwy::HWY_NAMESPACE::CappedTag<uint8_t, kLineBytes>;

// Bytes from the start of the line that holds `to`.
HWY_INLINE size_t OffsetInLine(const char *to) { return reinterpret_cast<uintptr_t>(to) % kLineBytes; }

// A part of a line, through the caches.
HWY_INLINE void StorePart(const char *source, char *target, size_t bytes) {
  namespace hn = hwy::HWY_NAMESPACE;
  const LineTag d;
  const size_t N = hn::Lanes(d);
  const auto *from = reinterpret_cast<const uint8_t *>(source);
  auto *to = reinterpret_cast<uint8_t *>(target);
  for (; bytes >= N; bytes -= N, from += N, to += N)
    hn::StoreU(hn::LoadU(d, from), d, to);
  if (bytes > 0)
    StoreFirst(LoadFirst(d, from, bytes), d, to, bytes);
}

// Whole lines to the start of a line, past the caches. The caller calls hwy::FlushStream() behind its last ones, so that who synchronizes
// with this thread sees the bytes.
HWY_INLINE void StreamLines(const char *source, char *target, size_t lines) {
  namespace hn = hwy::HWY_NAMESPACE;
  const LineTag d;
  const auto *from = reinterpret_cast<const uint8_t *>(source);
  auto *to = reinterpret_cast<uint8_t *>(target);
  for (; lines > 0; --lines, from += kLineBytes, to += kLineBytes)
    for (size_t i = 0; i < kLineBytes; i += hn::Lanes(d))
      hn::Stream(hn::LoadU(d, from + i), d, to + i);
}

// Any bytes: whole lines as StreamLines, the parts of lines at the ends as StorePart.
HWY_INLINE void StreamBytes(const char *from, char *to, size_t bytes) {
  if (const size_t offset = OffsetInLine(to); offset != 0) {
    const size_t head = HWY_MIN(bytes, kLineBytes - offset);
    StorePart(from, to, head);
    from += head, to += head, bytes -= head;
  }
  const size_t whole = bytes / kLineBytes * kLineBytes;
  StreamLines(from, to, whole / kLineBytes);
  if (whole < bytes)
    StorePart(from + whole, to + whole, bytes - whole);
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif
