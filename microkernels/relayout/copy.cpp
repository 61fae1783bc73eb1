// The native identity and zero kernels of kernels.def (TPP_UK_COPY), compiled once per target. They copy bit patterns between any two
// layouts; an identity whose operands have different panels is a pack or an unpack. Contract in unary/unary.hpp.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/relayout/copy.cpp"
#include "hwy/foreach_target.h"

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"
#include "microkernels/unary/native.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <int kBytes> struct Copy {
  using T = hwy::UnsignedFromSize<kBytes>;
  using D = hn::ScalableTag<T>;

  static HWY_INLINE void Row(const T *in, T *out, size_t cols) {
    const D d;
    const size_t N = hn::Lanes(d);
    size_t j = 0;
    for (; j + 4 * N <= cols; j += 4 * N) {
      const auto v0 = hn::LoadU(d, in + j), v1 = hn::LoadU(d, in + j + N);
      const auto v2 = hn::LoadU(d, in + j + 2 * N), v3 = hn::LoadU(d, in + j + 3 * N);
      hn::StoreU(v0, d, out + j);
      hn::StoreU(v1, d, out + j + N);
      hn::StoreU(v2, d, out + j + 2 * N);
      hn::StoreU(v3, d, out + j + 3 * N);
    }
    for (; j + N <= cols; j += N)
      hn::StoreU(hn::LoadU(d, in + j), d, out + j);
    if (const first_lanes<D> tail(cols - j); j < cols)
      tail.store(tail.load(in + j), out + j);
  }

  // Rows of exactly one vector, as in packing into panels. A row takes a third of the time it takes in Row's loops.
  static HWY_INLINE void VectorRows(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows) {
    for (; rows > 0; --rows, in += in_step, out += out_step)
      hn::StoreU(hn::LoadU(D(), reinterpret_cast<const T *>(in)), D(), reinterpret_cast<T *>(out));
  }

  // Copies rows with non-temporal stores. Rows with gaps between them are pieces of longer rows (of a panel, of an attention head), and
  // the piece after each is mostly copied next. It is prefetched here, because the hardware prefetcher follows few rows at once (32 pages
  // on Intel processors).
  static HWY_INLINE void StreamRows(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, size_t bytes) {
    constexpr size_t longest = 1024; // the hardware prefetches the lines of longer rows
    const size_t ahead = bytes <= longest && in_step > static_cast<int64_t>(bytes) ? bytes : 0;
    for (; rows > 0; --rows, in += in_step, out += out_step) {
      for (size_t i = 0; i < ahead; i += kLineBytes)
        __builtin_prefetch(in + bytes + i, 0, 2);
      StreamBytes(in, out, bytes);
    }
  }

  // Copies rows that consist of pieces, where the pieces of a source row are closer together than its rows (a row that is packed into
  // panels). Reads the source in address order. Returns false if the operands have no such pieces.
  static HWY_INLINE bool StreamPieces(const char *in, char *out, const unary_plan &plan, int64_t rows, int64_t cols) {
    const int64_t piece = std::min(plan.in.panel, plan.out.panel);
    const auto step = [&](const walked_operand &operand) { return operand.panel < cols ? operand.panel_step : piece * kBytes; };
    const auto has_pieces = [&](const walked_operand &operand) { return operand.panel == piece || operand.panel >= cols; };
    if (piece >= cols || cols % piece != 0 || !has_pieces(plan.in) || !has_pieces(plan.out) || step(plan.in) >= plan.in.row_step)
      return false;
    for (int64_t i = 0; i < rows; ++i)
      StreamRows(in + i * plan.in.row_step, step(plan.in), out + i * plan.out.row_step, step(plan.out), cols / piece,
                 static_cast<size_t>(piece) * kBytes);
    return true;
  }

  static HWY_INLINE void Fill(hn::Vec<D> v, T *out, size_t cols) {
    const D d;
    const size_t N = hn::Lanes(d);
    size_t j = 0;
    for (; j + N <= cols; j += N)
      hn::StoreU(v, d, out + j);
    if (j < cols)
      first_lanes<D>(cols - j).store(v, out + j);
  }

  template <bool kZero> static void Entry(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const unary_plan *>(kernel.state);
    const bool streaming = !kZero && !plan.in.splat() && kernel.desc.unary.streaming != 0;
    if (streaming && StreamPieces(static_cast<const char *>(args->a), static_cast<char *>(args->c), plan, kernel.desc.unary.m,
                                  kernel.desc.unary.n))
      return hwy::FlushStream();
    for (segment_walk<2> segment(kernel.desc.unary.n, plan.in, plan.out); !segment.done(); segment.advance()) {
      const char *from = kZero ? nullptr : static_cast<const char *>(args->a) + segment.offset(0);
      char *to = static_cast<char *>(args->c) + segment.offset(1);
      auto [rows, cols] = segment.rows_of(kernel.desc.unary.m);
      if (streaming) {
        StreamRows(from, plan.in.row_step, to, plan.out.row_step, rows, static_cast<size_t>(cols) * kBytes);
        continue;
      }
      if (!kZero && !plan.in.splat() && cols == static_cast<int64_t>(hn::Lanes(D()))) {
        VectorRows(from, plan.in.row_step, to, plan.out.row_step, rows);
        rows = 0;
      }
      for (int64_t i = 0; i < rows; ++i) {
        T *row = reinterpret_cast<T *>(to + i * plan.out.row_step);
        if constexpr (kZero) {
          Fill(hn::Zero(D()), row, static_cast<size_t>(cols));
        } else {
          const T *source = reinterpret_cast<const T *>(from + i * plan.in.row_step);
          if (plan.in.splat())
            Fill(hn::Set(D(), *source), row, static_cast<size_t>(cols));
          else
            Row(source, row, static_cast<size_t>(cols));
        }
      }
    }
    if (streaming)
      hwy::FlushStream();
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_COPY_DEFINE(name, cycles, KIND, bytes)                                                                            \
  TPP_UK_FUNCTIONS(name, tpp_unary_desc, native_unary_reject(desc, TPP_UNARY_##KIND, type_bytes(desc.out.type) == (bytes)),      \
                   native_unary_cost(desc, cycles *bytes / 4),                                                                   \
                   native_unary_prepare(kernel, HWY_NAMESPACE::Copy<bytes>::Entry<TPP_UNARY_##KIND == TPP_UNARY_zero>))
#define TPP_UK_COPY(kind, types, bytes, ...)                                                                                     \
  TPP_UK_PER_TARGET(TPP_UK_COPY_DEFINE, tpp_uk_unary_##kind##_##types, __VA_ARGS__, kind, bytes)
#include "tpp/kernels.def"
#undef TPP_UK_COPY_DEFINE
} // namespace tpp
