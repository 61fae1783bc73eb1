// One tile of the native f32 brgemm, for the target being compiled: up to MR rows by NV vectors held in registers over all of k
// and the whole batch, post-ops applied before the only store. Contract in brgemm.hpp, split into tiles in brgemm_plan.hpp.
#if defined(TPP_MICROKERNELS_BRGEMM_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_TILE_INL_H
#undef TPP_MICROKERNELS_BRGEMM_TILE_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_TILE_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_call.hpp"
#include "microkernels/brgemm/brgemm_finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Accumulators of a tile. NR only fixes the vector's width: lanes(NR) = min(the target's, NR).
template <int MR, int NR, int NV, bool Masked> struct brgemm_tile {
  using D = hn::CappedTag<float, NR>;
  using V = hn::Vec<D>;

  // Row i of A is reached from every third row's pointer, one register each: x86 adds an index once or twice (lda * 1, lda * 2),
  // so 13 rows need five pointers and never spill.
  static constexpr int groups = (MR + 2) / 3;

  V acc[MR][NV];

  static HWY_INLINE V load(const char *at, int v, int tail) {
    if (Masked && v == NV - 1)
      return load_first(D(), floats(at), tail);
    return hn::LoadU(D(), floats(at));
  }

  HWY_INLINE void clear() {
    TPP_UNROLL for (int i = 0; i < MR; ++i) { TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = hn::Zero(D()); }
  }

  HWY_INLINE void load_c(const brgemm_call &call, int64_t ldc) {
    TPP_UNROLL for (int i = 0; i < MR; ++i) {
      TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = load(call.c + i * ldc + call.c_offset[v], v, call.tail);
    }
  }

  // One step of k: the row of B at `b`, the column of A at the row pointers + `at` bytes.
  HWY_INLINE void step(const char *const (&a)[groups], int64_t at, int64_t lda, const char *b, const int64_t (&b_offset)[NV],
                       int tail) {
    V y[NV];
    TPP_UNROLL for (int v = 0; v < NV; ++v) y[v] = load(b + b_offset[v], v, tail);
    TPP_UNROLL for (int i = 0; i < MR; ++i) {
      const V x = hn::Set(D(), *floats(a[i / 3] + (i % 3) * lda + at));
      TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = hn::MulAdd(x, y[v], acc[i][v]);
    }
  }

  // `count` steps from one panel of A.
  HWY_INLINE const char *multiply(const char *a, int64_t count, int64_t lda, int64_t a_step, const char *b, int64_t ldb,
                                  const int64_t (&b_offset)[NV], int tail) {
    const char *rows[groups];
    TPP_UNROLL for (int g = 0; g < groups; ++g) rows[g] = a + 3 * g * lda;
    if (a_step == static_cast<int64_t>(sizeof(float))) {
      constexpr int64_t size = sizeof(float);
      for (; count >= 4; count -= 4) {
        step(rows, 0, lda, b, b_offset, tail);
        b += ldb;
        step(rows, size, lda, b, b_offset, tail);
        b += ldb;
        step(rows, 2 * size, lda, b, b_offset, tail);
        b += ldb;
        step(rows, 3 * size, lda, b, b_offset, tail);
        b += ldb;
        TPP_UNROLL for (int g = 0; g < groups; ++g) rows[g] += 4 * size;
      }
    }
    for (; count > 0; --count) {
      step(rows, 0, lda, b, b_offset, tail);
      b += ldb;
      TPP_UNROLL for (int g = 0; g < groups; ++g) rows[g] += a_step;
    }
    return b;
  }

  HWY_INLINE void sum(const brgemm_call &call, const brgemm_plan &plan) {
    int64_t b_offset[NV];
    TPP_UNROLL for (int v = 0; v < NV; ++v) b_offset[v] = call.b_offset[v];
    const int64_t batch = plan.k > 0 ? call.args->batch : 0;
    for (int64_t entry = 0; entry < batch; ++entry) {
      const char *a = batch_entry(call.args->a, call.args->a_batch, plan.batch_kind, plan.a_batch_stride, entry) + call.a_offset;
      const char *b = batch_entry(call.args->b, call.args->b_batch, plan.batch_kind, plan.b_batch_stride, entry);
      for (int64_t left = plan.k; left > 0; left -= plan.a_panel, a += plan.a_panel_stride)
        b = multiply(a, HWY_MIN(left, plan.a_panel), plan.lda, plan.a_step, b, plan.ldb, b_offset, call.tail);
    }
  }

  // The leading post-ops, each unrolled over all accumulators.
  HWY_INLINE void post(const brgemm_call &call, const brgemm_plan &plan) {
    for (int s = 0; s < plan.in_registers; ++s) {
      const brgemm_post_step &step = plan.post[s];
      const char *operand = call.post[s];
      const int64_t stride = step.row_stride;
      const bool add = step.kind == TPP_BINARY_add;
      if (step.mode == post_mode::unary) {
        if (step.kind == TPP_UNARY_relu) {
          TPP_UNROLL for (int i = 0; i < MR; ++i) { TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = relu(D(), acc[i][v]); }
        }
      } else if (step.mode == post_mode::elements) {
        const int64_t *offset = call.post_offset[s];
        if (add) {
          TPP_UNROLL for (int i = 0; i < MR; ++i) {
            TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] =
                hn::Add(acc[i][v], load(operand + i * stride + offset[v], v, call.tail));
          }
        } else {
          TPP_UNROLL for (int i = 0; i < MR; ++i) {
            TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] =
                hn::Mul(acc[i][v], load(operand + i * stride + offset[v], v, call.tail));
          }
        }
      } else if (add) {
        TPP_UNROLL for (int i = 0; i < MR; ++i) {
          const V x = hn::Set(D(), *floats(operand + i * stride));
          TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = hn::Add(acc[i][v], x);
        }
      } else {
        TPP_UNROLL for (int i = 0; i < MR; ++i) {
          const V x = hn::Set(D(), *floats(operand + i * stride));
          TPP_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = hn::Mul(acc[i][v], x);
        }
      }
    }
  }

  HWY_INLINE void store_c(const brgemm_call &call, int64_t ldc) {
    TPP_UNROLL for (int i = 0; i < MR; ++i) {
      TPP_UNROLL for (int v = 0; v < NV; ++v) {
        float *to = reinterpret_cast<float *>(call.c + i * ldc + call.c_offset[v]);
        if (Masked && v == NV - 1)
          store_first(D(), acc[i][v], to, call.tail);
        else
          hn::StoreU(acc[i][v], D(), to);
      }
    }
  }

  static void run(const brgemm_call &call) {
    const brgemm_plan &plan = *call.plan;
    brgemm_tile tile;
    if (plan.beta != 0)
      tile.load_c(call, plan.ldc);
    else
      tile.clear();
    tile.sum(call, plan);
    tile.post(call, plan);
    if (plan.in_registers == plan.post_count) {
      tile.store_c(call, plan.ldc);
      return;
    }
    HWY_ALIGN float buffer[MR * NR];
    TPP_UNROLL for (int i = 0; i < MR; ++i) {
      TPP_UNROLL for (int v = 0; v < NV; ++v) hn::Store(tile.acc[i][v], D(), buffer + i * NR + v * hn::MaxLanes(D()));
    }
    finish_tile<NR>(call, buffer, MR, NV);
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif
