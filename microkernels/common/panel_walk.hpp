// How native kernels walk the columns of panelled operands.
//
// A segment is a run of columns that is contiguous in every operand: it ends where the first of their panels ends. Kernels loop
// over segments, then rows, then vectors; a panel's address costs an addition, not a division. Where a segment is as wide as
// every operand's rows are apart, its rows follow each other in memory and the kernel takes them as one long row.
#pragma once
#include "microkernels/common/matrix.hpp"

#include <algorithm>
#include <utility>

namespace tpp {

// One operand in bytes. A column or scalar broadcast is "splat": one element for all columns of a row, column_step 0.
struct walked_operand {
  int64_t row_step;    // between rows; 0 where one row serves all
  int64_t column_step; // between columns of a panel
  int64_t panel;       // columns in a panel, at least 1
  int64_t panel_step;  // between panels

  bool splat() const { return column_step == 0; }
  // True when `width` columns of consecutive rows lie without a gap (or are all the same element).
  bool rows_follow(int64_t width) const { return row_step == width * column_step; }
};

inline walked_operand walk_operand(const tpp_matrix &form, int32_t broadcast, int64_t cols) {
  int64_t bytes = type_bytes(form.type);
  bool one_row = broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar;
  bool one_col = broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar;
  bool panelled = !one_col && form.panel > 0 && form.panel < cols;
  return {one_row ? 0 : form.ld * bytes, one_col ? 0 : bytes, panelled ? form.panel : std::max<int64_t>(cols, 1),
          panelled ? form.panel_stride * bytes : 0};
}

// The place of one operand's next segment, in bytes from its pointer.
class panel_cursor {
public:
  explicit panel_cursor(const walked_operand &operand) : operand(operand), left(operand.panel) {}

  int64_t offset() const { return panel_offset + (operand.panel - left) * operand.column_step; }
  int64_t columns_left() const { return left; }
  bool rows_follow(int64_t width) const { return operand.rows_follow(width); }
  void advance(int64_t columns) {
    left -= columns;
    if (left == 0) {
      panel_offset += operand.panel_step;
      left = operand.panel;
    }
  }

private:
  const walked_operand &operand;
  int64_t panel_offset = 0;
  int64_t left;
};

// The segments of `cols` columns in several operands, one after the other:
//
//   for (segment_walk<2> segment(desc.n, plan.in, plan.out); !segment.done(); segment.advance())
//     ... args->a + segment.offset(0) ... args->c + segment.offset(1) ...
//
// The operands (walked_operand) must outlive it; they are numbered as given. Folds over them leave everything in registers.
template <int kOperands, class = std::make_index_sequence<kOperands>> class segment_walk;
template <int kOperands, size_t... kEach> class segment_walk<kOperands, std::index_sequence<kEach...>> {
public:
  template <class... Operands>
  explicit segment_walk(int64_t cols, const Operands &...operands) : cursors{panel_cursor(operands)...}, left(cols) {}

  bool done() const { return left <= 0; }
  // Columns of this segment.
  int64_t width() const { return std::min({left, cursors[kEach].columns_left()...}); }
  // Where it begins, in bytes from the operand's pointer.
  int64_t offset(int operand) const { return cursors[operand].offset(); }
  void advance() {
    const int64_t columns = width();
    (cursors[kEach].advance(columns), ...);
    left -= columns;
  }

  // What a kernel of `m` rows loops over here: m rows as wide as the segment, or one long row where they follow each other in every
  // operand. No rows where there are no elements.
  struct extent {
    int64_t rows, cols;
  };
  extent rows_of(int64_t m) const {
    const int64_t columns = width();
    if (!(cursors[kEach].rows_follow(columns) && ...))
      return {m, columns};
    return {m > 0 ? 1 : 0, columns * m};
  }

private:
  panel_cursor cursors[kOperands];
  int64_t left;
};

// Segments of `cols` columns: an estimate for costs, exact where panels nest.
inline double segment_count(int64_t cols, std::initializer_list<const tpp_matrix *> forms) {
  int64_t width = std::max<int64_t>(cols, 1);
  for (const tpp_matrix *form : forms)
    if (form->panel > 0)
      width = std::min(width, form->panel);
  return cols > 0 ? static_cast<double>((cols - 1) / width + 1) : 0;
}

// The fitted cost of an element-wise kernel: a call, each row of each segment, each element.
inline double element_wise_ns(int64_t rows, int64_t cols, double segments, double ns_per_element) {
  constexpr double call_ns = 6.0, row_ns = 1.2;
  return call_ns + row_ns * static_cast<double>(rows) * segments +
         ns_per_element * static_cast<double>(rows) * static_cast<double>(cols);
}

} // namespace tpp
