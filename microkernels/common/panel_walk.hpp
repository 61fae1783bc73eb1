// Iteration over the columns of operands with panels, for native kernels.
//
// A segment is a range of columns that is contiguous in every operand: it ends at the first panel boundary of any of them. Kernels loop
// over segments, then rows, then vectors, so that a panel's address costs an addition instead of a division. If the rows of a segment are
// contiguous in every operand, the kernel processes them as one long row.
#pragma once
#include "microkernels/common/matrix.hpp"
#include "tpp/machine.hpp"

#include <algorithm>
#include <utility>

namespace tpp {

// One operand, with strides in bytes. A column or scalar broadcast is a "splat": one element for all columns of a row, with column_step
// 0.
struct walked_operand {
  int64_t row_step;    // between rows; 0 if one row is broadcast to all
  int64_t column_step; // between columns of a panel
  int64_t panel;       // columns in a panel, at least 1
  int64_t panel_step;  // between panels

  bool splat() const { return column_step == 0; }
  // True if `width` columns of consecutive rows are contiguous (or all the same element).
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

// Position of the next segment in one operand, in bytes from its pointer.
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

// Iterates over the segments of `cols` columns in several operands:
//
//   for (segment_walk<2> segment(desc.n, plan.in, plan.out); !segment.done(); segment.advance())
//     ... args->a + segment.offset(0) ... args->c + segment.offset(1) ...
//
// Operands (walked_operand) are numbered in the order given and must outlive the walk. Fold expressions over them keep all state in
// registers.
template <int kOperands, class = std::make_index_sequence<kOperands>> class segment_walk;
template <int kOperands, size_t... kEach> class segment_walk<kOperands, std::index_sequence<kEach...>> {
public:
  template <class... Operands>
  explicit segment_walk(int64_t cols, const Operands &...operands) : cursors{panel_cursor(operands)...}, left(cols) {}

  bool done() const { return left <= 0; }
  // Columns of the current segment.
  int64_t width() const { return std::min({left, cursors[kEach].columns_left()...}); }
  // Start of the current segment, in bytes from the operand's pointer.
  int64_t offset(int operand) const { return cursors[operand].offset(); }
  void advance() {
    const int64_t columns = width();
    (cursors[kEach].advance(columns), ...);
    left -= columns;
  }

  // Loop bounds of a kernel of `m` rows in the current segment: m rows of the segment's width, or one long row if the rows are contiguous
  // in every operand. No rows if there are no elements.
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

// Number of segments of `cols` columns. An estimate for costs; exact if the panels nest.
inline double segment_count(int64_t cols, std::initializer_list<const tpp_matrix *> forms) {
  int64_t width = std::max<int64_t>(cols, 1);
  for (const tpp_matrix *form : forms)
    if (form->panel > 0)
      width = std::min(width, form->panel);
  return cols > 0 ? static_cast<double>((cols - 1) / width + 1) : 0;
}

// The estimated nanoseconds of an element-wise kernel, from its cycles: per call, per row of each segment, per element.
inline double element_wise_ns(int64_t rows, int64_t cols, double segments, double of_element) {
  constexpr double of_call = 13, of_row = 2.6;
  const double of_rows = static_cast<double>(rows) * (of_row * segments + of_element * static_cast<double>(cols));
  return (of_call + of_rows) / current_machine().clock_ghz;
}

} // namespace tpp
