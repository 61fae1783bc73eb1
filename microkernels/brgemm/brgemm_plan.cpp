// Splits a brgemm into tiles (see brgemm_plan.hpp), and defines what is common to a kernel entry's targets: reject and cost.
#include "microkernels/brgemm/brgemm_plan.hpp"
#include "microkernels/brgemm/brgemm.hpp"
#include "microkernels/common/matrix.hpp"
#include "microkernels/common/typed_scalar.hpp"
#include "tpp/brgemm_cost.h"
#include "tpp/machine.hpp"

#include <algorithm>

namespace tpp {
namespace {

constexpr int64_t word = 4;

// Elements of A and B in a word; 1 for f32.
int64_t group_of(const tpp_brgemm_desc &desc) { return word / type_bytes(desc.a.type); }
// Words of a row of A, a last incomplete one included. B has as many rows of words.
int64_t words_of(const tpp_brgemm_desc &desc) { return (desc.k + group_of(desc) - 1) / group_of(desc); }
// The type of the sums.
int32_t sums_of(const tpp_brgemm_desc &desc) { return is_floating(desc.a.type) ? TPP_TYPE_f32 : TPP_TYPE_i32; }

// Calls visit(panel) with the panel width of every operand that shares the columns of C and has more than one panel.
template <class Visit> void for_each_column_panel(const tpp_brgemm_desc &desc, Visit visit) {
  if (desc.b.panel > 0 && desc.b.panel < desc.n)
    visit(desc.b.panel);
  if (desc.c.panel > 0 && desc.c.panel < desc.n)
    visit(desc.c.panel);
  for (int step = 0; step < desc.post_op_count; ++step)
    if (varies_by_column(desc.post_ops[step]) && desc.post_ops[step].form.panel > 0 && desc.post_ops[step].form.panel < desc.n)
      visit(desc.post_ops[step].form.panel);
}

// True for post-ops that are unrolled over all accumulators: those that follow most contractions in networks (scale and bias by column, residual,
// relu), with operands of the type of the sums; what is added may be bf16 if A and B are. The others run on a stack buffer, which costs a store
// and a load of the tile in L1: less than 1 % of a tile with k = 256.
bool fits_registers(const post_step &step, int32_t factors, int32_t sums) {
  if (step.mode == post_mode::unary)
    return step.kind == TPP_UNARY_relu || step.kind == TPP_UNARY_identity;
  const bool is_f32 = step.type == TPP_TYPE_f32 && sums == TPP_TYPE_f32;
  // One number for all elements: a scale, or a bound of a clamp.
  if (step.mode == post_mode::spread && step.row_stride == 0)
    return is_f32 && (step.kind == TPP_BINARY_mul || step.kind == TPP_BINARY_max || step.kind == TPP_BINARY_min);
  if (step.mode != post_mode::elements)
    return false;
  if (step.kind == TPP_BINARY_mul)
    return is_f32 && step.row_stride == 0;
  return step.kind == TPP_BINARY_add && (step.type == sums || (factors == TPP_TYPE_bf16 && step.type == TPP_TYPE_bf16));
}

const char *reject_native(const tpp_brgemm_desc &desc, int32_t a_type, int32_t b_type) {
  if (const char *reason = brgemm_reject_reason(desc))
    return reason;
  if (desc.a.type != a_type || desc.b.type != b_type)
    return "the kernel is for other types";
  const int64_t group = group_of(desc);
  if (desc.a.vnni > 1)
    return "takes no VNNI-blocked A";
  if ((desc.b.vnni > 1 ? desc.b.vnni : 1) != group)
    return group > 1 ? "needs B in VNNI form" : "takes no VNNI-blocked B";
  if (desc.a.panel > 0 && desc.a.panel < desc.k && desc.a.panel % group != 0)
    return "needs whole words in the panels of A";
  return nullptr;
}

} // namespace

void plan_brgemm(const tpp_brgemm_desc &desc, const tpp_brgemm_cost_row &row, brgemm_plan &plan) {
  const tpp_machine &machine = current_machine();
  const int64_t mr = row.mr, nr = row.nr, lanes = row.lanes, group = group_of(desc);
  const int64_t element = type_bytes(desc.a.type), c_element = type_bytes(desc.c.type);
  plan = {};
  plan.k = desc.k / group;
  plan.lda = desc.a.ld * element;
  plan.ldb = desc.b.ld * element;
  plan.ldc = desc.c.ld * c_element;
  plan.c_type = desc.c.type;
  plan.signed_a = desc.a.type == TPP_TYPE_i8;
  plan.most_shared_words = machine.l2_bytes / 2 / word / std::max<int64_t>(desc.n, 1);
  plan.a_step = word;
  plan.a_panel = plan.k;
  if (desc.a.panel == 1) { // f32 only
    plan.a_step = desc.a.panel_stride * element;
  } else if (desc.a.panel > 0 && desc.a.panel < desc.k) {
    plan.a_panel = desc.a.panel / group;
    plan.a_panel_stride = desc.a.panel_stride * element;
  }
  plan.tile_step = tpp_brgemm_tile_step(std::max<int64_t>(words_of(desc), 1));
  if (plan.a_panel < plan.k && plan.a_panel % plan.tile_step != 0) // the panels of A hold whole steps, if possible
    plan.tile_step = std::min<int64_t>(TPP_TILE_WORDS, plan.a_panel);
  plan.rest_bytes = desc.k % group * element;
  // Incomplete words are copied in any case; else only single ones are worth it.
  const int64_t most_joined = plan.rest_bytes > 0 ? TPP_TILE_WORDS / 2 : 1;
  plan.joined = plan.words() > 0 && plan.words() <= most_joined ? TPP_TILE_WORDS / plan.words() : 1;
  if (plan.k > 0 && (plan.a_panel_stride == 0 || plan.k % plan.a_panel != 0))
    plan.rest_offset = (plan.a_panel_stride == 0 ? plan.k : plan.k % plan.a_panel) * word - plan.a_panel_stride;
  plan.a_batch_stride = desc.a_batch_stride;
  plan.b_batch_stride = desc.b_batch_stride;
  plan.batch_kind = desc.batch_kind;
  plan.beta = desc.beta;

  // A comes from L2. Each row is a separate stream, or a jump per panel if A has panels: more than the hardware prefetcher tracks.
  // Shorter sums end before the prefetch pays.
  constexpr int64_t least_k = 128;
  constexpr int64_t line = TPP_LINE_BYTES, line_words = line / word;
  // Panels of a few lines are shorter than the distance.
  constexpr int64_t ahead_words = 2 * line_words;
  if (plan.k >= least_k && desc.a.panel != 1)
    plan.prefetch.a_ahead =
        plan.a_panel <= 2 * ahead_words ? (ahead_words + plan.a_panel - 1) / plan.a_panel * plan.a_panel_stride : 2 * line;

  plan.row_tiles = desc.n > 0 ? (desc.m + mr - 1) / mr : 0;
  if (plan.row_tiles > 0) {
    plan.rows = desc.m / plan.row_tiles;
    plan.taller = desc.m % plan.row_tiles;
  }

  // If many row tiles use a panel of B that does not fit L1, they prefetch the next panel from L3 or memory. The hardware prefetcher
  // may look ahead one page at most, and would leave the panel to the demand loads of its first tile. If few row tiles use it, reading B
  // itself takes all the time.
  const tpp_brgemm_fetch fetch = tpp_brgemm_fetch_of(&desc, row.mr);
  if (fetch != TPP_BRGEMM_FETCH_none)
    plan.prefetch.panel = tpp_brgemm_fetch_panel(&desc);
  plan.prefetch.uses = std::max(desc.b_uses, 1);
  plan.prefetch.own = fetch == TPP_BRGEMM_FETCH_own && plan.prefetch.uses == 1;
  plan.prefetch.most_held = static_cast<int64_t>(tpp_brgemm_most_held(&machine));
  // A hardware prefetcher that crosses pages reads long blocks at memory bandwidth; software prefetch would cost time.
  plan.prefetch.far = machine.prefetch_reach <= TPP_PAGE_BYTES;
  plan.prefetch.least = static_cast<int64_t>(tpp_brgemm_least_fetch(&machine));
  plan.prefetch.least_own = 2 * plan.prefetch.least;
  plan.prefetch.row_tiles = plan.row_tiles;

  plan.regular = true;
  for_each_column_panel(desc, [&](int64_t panel) {
    plan.panelled = true;
    if (panel % lanes != 0)
      plan.regular = false;
  });
  int64_t all_vectors = (desc.n + lanes - 1) / lanes, most = nr / lanes;
  plan.column_tiles = (all_vectors + most - 1) / most;
  if (plan.column_tiles > 0) {
    plan.vectors = all_vectors / plan.column_tiles;
    plan.wider = all_vectors % plan.column_tiles;
  }

  // Non-temporal stores pay for whole cache lines only: a line stored in two parts, far apart in time, costs more than with ordinary
  // stores.
  const int64_t line_columns = line / c_element;
  const bool whole_lines = desc.n % line_columns == 0 && plan.ldc % line == 0 && plan.vectors * lanes % line_columns == 0 &&
                           (plan.wider == 0 || lanes % line_columns == 0);
  const bool whole_panels = desc.c.panel == 0 || (desc.c.panel % line_columns == 0 && desc.c.panel_stride % line_columns == 0);
  plan.streaming = desc.streaming != 0 && desc.c.type == sums_of(desc) && plan.regular && whole_lines && whole_panels;

  plan.dots = tpp_brgemm_takes_dots(&desc, &row, &machine) != 0;
  plan.post_count = desc.post_op_count;
  bool integers = sums_of(desc) == TPP_TYPE_i32;
  for (int i = 0; i < desc.post_op_count; ++i) {
    const tpp_post_op &op = desc.post_ops[i];
    plan.post[i] = make_post_step(op, integers);
    if (op.op_class == TPP_POST_OP_unary && op.kind == TPP_UNARY_convert)
      integers = false;
    if (!plan.dots && plan.in_registers == i && fits_registers(plan.post[i], desc.a.type, sums_of(desc)))
      plan.in_registers = i + 1;
  }
  if (plan.c_type == TPP_TYPE_u8)
    plan.requantized = find_requantization(plan.post, plan.in_registers, plan.post_count);
  plan.stored_from_registers =
      plan.in_registers == plan.post_count && (plan.c_type == sums_of(desc) || plan.c_type == TPP_TYPE_bf16);
}

int64_t columns_to_boundary(const tpp_brgemm_desc &desc, int64_t col) {
  int64_t width = desc.n - col;
  for_each_column_panel(desc, [&](int64_t panel) { width = std::min(width, panel - col % panel); });
  return width;
}

// Nanoseconds that the first row tile waits for B.
static double wait_ns(const tpp_brgemm_desc &desc, const tpp_brgemm_cost_row &row) {
  return tpp_brgemm_wait_ns(static_cast<double>(desc.n) * static_cast<double>(words_of(desc) * word),
                            tpp_brgemm_expected_fetch(&desc, &row), desc.b_uses, &current_machine());
}

// The reject and cost functions of every native kernel.
#define TPP_UK_BRGEMM(types, a_type, b_type, c_type, mr, nr, lanes, target, unit, ...)                                           \
  const char *tpp_uk_brgemm_##types##_##mr##x##nr##_##target##_reject(const void *desc);                                         \
  const char *tpp_uk_brgemm_##types##_##mr##x##nr##_##target##_reject(const void *desc) {                                        \
    return reject_native(*static_cast<const tpp_brgemm_desc *>(desc), TPP_TYPE_##a_type, TPP_TYPE_##b_type);                     \
  }                                                                                                                              \
  double tpp_uk_brgemm_##types##_##mr##x##nr##_##target##_cost(const void *desc);                                                \
  double tpp_uk_brgemm_##types##_##mr##x##nr##_##target##_cost(const void *desc) {                                               \
    const tpp_brgemm_cost_row row = {mr, nr, lanes, TPP_BRGEMM_UNIT_##unit, __VA_ARGS__};                                        \
    const auto *brgemm = static_cast<const tpp_brgemm_desc *>(desc);                                                             \
    return tpp_brgemm_cost(brgemm, &row, &current_machine()) + wait_ns(*brgemm, row);                                            \
  }
#include "tpp/kernels.def"

} // namespace tpp
