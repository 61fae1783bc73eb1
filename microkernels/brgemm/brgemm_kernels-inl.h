// The native brgemm kernels, for the target being compiled: the loops over tiles, and the table of tile functions.
#if defined(TPP_MICROKERNELS_BRGEMM_KERNELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_KERNELS_INL_H
#undef TPP_MICROKERNELS_BRGEMM_KERNELS_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_KERNELS_INL_H
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_amx-inl.h"
#include "microkernels/brgemm/brgemm_dots-inl.h"
#include "microkernels/brgemm/brgemm_tile-inl.h"
#include "microkernels/common/matrix.hpp"

#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

using tile_function = void (*)(brgemm_call &, int64_t tiles);

// All tile functions of one kernel entry: 1..MR rows by 1..NV vectors, with a whole or a partial last vector.
template <class Dot, int MR, int NV, class Indices> struct brgemm_tiles;
template <class Dot, int MR, int NV, size_t... I> struct brgemm_tiles<Dot, MR, NV, std::index_sequence<I...>> {
  static_assert(NV >= 1 && NV <= brgemm_most_vectors, "a tile is 1 to brgemm_most_vectors vectors wide");
  static constexpr tile_function table[] = {&brgemm_tile<Dot, I / (2 * NV) + 1, I / 2 % NV + 1, I % 2 == 1>::run...};
};
template <class Dot, int MR, int NR> struct brgemm_row {
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(typename Dot::D()));
  static constexpr int NV = NR / lanes;
  static_assert(NR <= brgemm_most_columns, "post-ops have a buffer for as many columns");
  using tiles = brgemm_tiles<Dot, MR, NV, std::make_index_sequence<size_t{2} * MR * NV>>;

  static tile_function tile(int64_t rows, int vectors, int tail) {
    return tiles::table[((rows - 1) * NV + vectors - 1) * 2 + (tail < lanes ? 1 : 0)];
  }

  // Byte offsets of each vector's first column in one operand. A column of B in VNNI form is as wide as a group.
  static void offsets(const tpp_matrix &form, bool panelled, int64_t col, int vectors, int64_t *out) {
    const int64_t width = form.vnni > 1 ? form.vnni : 1;
    for (int v = 0; v < vectors; ++v) {
      int64_t at = col + v * lanes;
      out[v] = (panelled ? element_offset(form, 0, at) : at * width) * type_bytes(form.type);
    }
  }

  // Starts the prefetch for columns [col, col + width), if their block of B is worth it.
  static void enter(const tpp_brgemm_desc &desc, brgemm_call &call, int64_t col, int64_t width) {
    const brgemm_plan &plan = *call.plan;
    constexpr int64_t word = 4;
    const int64_t column = plan.words() * word; // bytes of a column of B
    const int64_t batch = call.args->batch, panel = plan.prefetch.panel, in_panel = panel != 0 ? col % panel : 0;
    const int64_t block = width > panel ? width : panel, bytes = block * column;
    const bool is_whole = panel != 0 && width % panel == 0, is_part = in_panel + width <= panel;
    brgemm_prefetch::column_tile tile = {};
    if ((is_whole || is_part) && bytes * batch >= plan.prefetch.least &&
        (batch <= 1 || (block >= desc.n && plan.b_batch_stride == bytes))) {
      tile.block = static_cast<const char *>(call.args->b) + (col - in_panel) * column;
      tile.block_bytes = is_whole ? bytes * batch : 0;
      tile.row_bytes = width * word;
      tile.next = tile.block + (bytes + in_panel * column) * batch;
      tile.next_bytes = width * column * batch;
      if (plan.prefetch.uses > 1)
        brgemm_prefetch::take_share(plan.prefetch, call.args->b_use, bytes * batch, tile);
    }
    call.prefetch.enter(plan.prefetch, tile, plan.words() * batch);
  }

  // Points `call` at the first row tile of columns [col, col + width). Returns the number of vectors.
  static int start(const tpp_brgemm_desc &desc, brgemm_call &call, int64_t col, int64_t width) {
    const brgemm_plan &plan = *call.plan;
    const int vectors = static_cast<int>((width + lanes - 1) / lanes);
    call.tail = static_cast<int>(width - (vectors - 1) * lanes);
    call.c = static_cast<char *>(call.args->c);
    call.a_offset = 0;
    offsets(desc.b, plan.panelled, col, vectors, call.b_offset);
    offsets(desc.c, plan.panelled, col, vectors, call.c_offset);
    for (int s = 0; s < plan.post_count; ++s) {
      call.post[s] = static_cast<const char *>(call.args->post[s]);
      if (plan.post[s].mode == post_mode::elements)
        offsets(desc.post_ops[s].form, plan.panelled, col, vectors, call.post_offset[s]);
    }
    if (plan.in_registers < plan.post_count)
      load_row_operands(typename Dot::D(), call, vectors);
    return vectors;
  }

  // Runs the row tiles [from, to). `call` must be at tile `from`.
  static void rows(brgemm_call &call, int vectors, int64_t from, int64_t to) {
    const brgemm_plan &plan = *call.plan;
    if (const int64_t taller = HWY_MIN(to, plan.taller); from < taller) {
      run(call, plan.rows + 1, vectors, taller - from);
      from = taller;
    }
    if (from < to)
      run(call, plan.rows, vectors, to - from);
  }
  static void run(brgemm_call &call, int64_t rows, int vectors, int64_t tiles) {
    if constexpr (Dot::in_tiles)
      brgemm_amx<Dot, MR, NR>::run(call, rows, vectors, tiles);
    else
      tile(rows, vectors, call.tail)(call, tiles);
  }

  // Runs all row tiles of columns [col, col + width).
  static void columns(const microkernel &kernel, brgemm_call &call, int64_t col, int64_t width) {
    const tpp_brgemm_desc &desc = kernel.desc.brgemm;
    const int vectors = start(desc, call, col, width);
    HWY_ALIGN float words[Dot::splits ? split_buffer_size : 1];
    call.split_words = words;
    enter(desc, call, col, width);
    for (int64_t tile = 0, next; tile < call.plan->row_tiles; tile = next) {
      next = call.prefetch.phase(tile);
      rows(call, vectors, tile, next);
    }
  }

  // Columns of column tile `t`, with `left` columns from its first one on. The split must be regular.
  static int64_t width_of(const brgemm_plan &plan, int64_t t, int64_t left) {
    return HWY_MIN((plan.vectors + (t < plan.wider ? 1 : 0)) * lanes, left);
  }

  // Few columns and no long sum: splits each row tile's words of A once for all column tiles, into up to two buffers. Column tiles are then the inner
  // loop, and B is not prefetched: all of it is read for each row tile.
  static constexpr int64_t most_column_tiles = 4, split_buffers = 2;
  static_assert((most_column_tiles + 1) * sizeof(brgemm_call) + split_buffers * split_buffer_size * sizeof(float) <= 88 << 10,
                "an invocation takes at most 96 KiB of the stack (docs/c-abi.md)");
  static bool splits_once(const brgemm_plan &plan, int64_t batch) {
    return Dot::splits && plan.regular && plan.column_tiles > 1 && plan.column_tiles <= most_column_tiles && plan.words() > 0 &&
           plan.words() * batch <=
               HWY_MIN(split_buffers * split_words_most<Dot>(plan.rows + (plan.taller > 0 ? 1 : 0)), plan.most_shared_words);
  }
  static void columns_of_split_rows(const tpp_brgemm_desc &desc, const brgemm_call &call) {
    const brgemm_plan &plan = *call.plan;
    HWY_ALIGN float words[split_buffers * split_buffer_size];
    brgemm_call calls[most_column_tiles];
    int vectors[most_column_tiles];
    const int64_t sum_words = plan.words() * call.args->batch;
    int64_t col = 0;
    for (int64_t t = 0; t < plan.column_tiles; ++t) {
      const int64_t width = width_of(plan, t, desc.n - col);
      calls[t].plan = call.plan, calls[t].args = call.args, calls[t].streaming = call.streaming;
      vectors[t] = start(desc, calls[t], col, width);
      calls[t].prefetch.enter(plan.prefetch, {}, 0);
      calls[t].prefetch.phase(0);
      calls[t].split_words = words, calls[t].is_split = true;
      col += width;
    }
    for (int64_t row_tile = 0; row_tile < plan.row_tiles; ++row_tile) {
      const int64_t rows = plan.rows + (row_tile < plan.taller ? 1 : 0);
      float *to = words;
      for (int64_t first = 0; first < sum_words; to += split_buffer_size)
        first += split_rows<Dot>(calls[0], rows, first, to);
      for (int64_t t = 0; t < plan.column_tiles; ++t)
        tile(rows, vectors[t], calls[t].tail)(calls[t], 1);
    }
  }

  // Computes `width` <= N columns of C as sums along k.
  template <int N> static void dots(const tpp_brgemm_desc &desc, brgemm_call &call, int64_t col, int64_t width) {
    if (width == N) {
      brgemm_dots<lanes, N>::run(desc, call, col);
    } else if constexpr (N > 1) {
      dots<N - 1>(desc, call, col, width);
    }
  }

  static void all_dots(const tpp_brgemm_desc &desc, brgemm_call &call) {
    int64_t groups = tpp_brgemm_dots_groups(&desc, lanes);
    for (int64_t col = 0, width; col < desc.n; col += width, --groups) {
      width = (desc.n - col + groups - 1) / groups;
      start(desc, call, col, width);
      dots<lanes / 2>(desc, call, col, width);
    }
  }

  static void entry(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const tpp_brgemm_desc &desc = kernel.desc.brgemm;
    brgemm_call call;
    call.plan = reinterpret_cast<const brgemm_plan *>(kernel.state);
    call.args = args;
    if (call.plan->row_tiles == 0)
      return;
    call.streaming = call.plan->streaming && reinterpret_cast<uintptr_t>(args->c) % brgemm_prefetch::line == 0;
    if constexpr (Dot::group == 1) {
      if (call.plan->dots)
        return all_dots(desc, call);
    }
    if constexpr (Dot::splits) {
      if (splits_once(*call.plan, args->batch)) {
        columns_of_split_rows(desc, call);
        if (call.streaming)
          hwy::FlushStream();
        return;
      }
    }
    int64_t col = 0;
    if (!call.plan->regular) {
      while (col < desc.n) {
        int64_t width = HWY_MIN(columns_to_boundary(desc, col), static_cast<int64_t>(NR));
        columns(kernel, call, col, width);
        col += width;
      }
      return;
    }
    for (int64_t t = 0; t < call.plan->column_tiles; ++t) {
      const int64_t width = width_of(*call.plan, t, desc.n - col);
      columns(kernel, call, col, width);
      col += width;
    }
    if (call.streaming)
      hwy::FlushStream();
  }

  // Leaves the registers of AMX released: whoever uses them next configures them.
  static void entry_in_tiles(const tpp_kernel *self, const tpp_args *args) {
    entry(self, args);
#if HWY_TARGET == HWY_AVX3
    amx::release();
#endif
  }

  static void prepare(microkernel *kernel, const tpp_brgemm_cost_row &row) {
    plan_brgemm(kernel->desc.brgemm, row, *reinterpret_cast<brgemm_plan *>(kernel->state));
    kernel->head.entry = Dot::in_tiles ? &entry_in_tiles : &entry;
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif
