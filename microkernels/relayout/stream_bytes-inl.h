// Copies bytes with non-temporal stores, for outputs that do not fit the caches (tpp_unary_desc::streaming).
//
// An ordinary store first reads the line it overwrites. A large copy therefore moves three bytes per byte of payload with ordinary
// stores, and two with non-temporal ones. Only whole lines gain. A partial line is stored as usual, because its two parts would go to
// memory separately.

#if defined(TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_STREAM_BYTES_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/first_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

constexpr size_t kLineBytes = 64;
using LineTag = hwy::HWY_NAMESPACE::CappedTag<uint8_t, kLineBytes>;

// Byte offset of `to` in its cache line.
HWY_INLINE size_t OffsetInLine(const char *to) { return reinterpret_cast<uintptr_t>(to) % kLineBytes; }

// Stores part of a line with ordinary stores.
HWY_INLINE void StorePart(const char *source, char *target, size_t bytes) {
  namespace hn = hwy::HWY_NAMESPACE;
  const LineTag d;
  const size_t N = hn::Lanes(d);
  const auto *from = reinterpret_cast<const uint8_t *>(source);
  auto *to = reinterpret_cast<uint8_t *>(target);
  for (; bytes >= N; bytes -= N, from += N, to += N)
    hn::StoreU(hn::LoadU(d, from), d, to);
  if (const first_lanes<LineTag> tail(bytes); bytes > 0)
    tail.store(tail.load(from), to);
}

// Copies whole lines to a cache-line aligned target with non-temporal stores. After its last call, the caller calls hwy::FlushStream(),
// so that every thread that synchronizes with this one sees the bytes.
HWY_INLINE void StreamLines(const char *source, char *target, size_t lines) {
  namespace hn = hwy::HWY_NAMESPACE;
  const LineTag d;
  const auto *from = reinterpret_cast<const uint8_t *>(source);
  auto *to = reinterpret_cast<uint8_t *>(target);
  for (; lines > 0; --lines, from += kLineBytes, to += kLineBytes)
    for (size_t i = 0; i < kLineBytes; i += hn::Lanes(d))
      hn::Stream(hn::LoadU(d, from + i), d, to + i);
}

// Copies any number of bytes to any address: whole lines with StreamLines, partial lines at the ends with StorePart.
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
