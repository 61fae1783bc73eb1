// Element offsets in an operand (tpp_matrix). Shared by all references and kernels.
#pragma once
#include "tpp/microkernels.hpp"

#include <algorithm>

namespace tpp {

// Elements from the operand's pointer to column `col` of row 0 (plain rows, no VNNI).
inline int64_t column_offset(const tpp_matrix &form, int64_t col) {
  if (form.panel <= 0 || col < form.panel)
    return col;
  return col / form.panel * form.panel_stride + col % form.panel;
}

// Columns from `col` to the end of its panel, at most cols - col.
inline int64_t columns_in_panel(const tpp_matrix &form, int64_t col, int64_t cols) {
  return form.panel > 0 ? std::min(cols - col, form.panel - col % form.panel) : cols - col;
}

// Elements from the operand's pointer to element (row, col), in any layout.
inline int64_t element_offset(const tpp_matrix &form, int64_t row, int64_t col) {
  int64_t panel = form.panel > 0 ? col / form.panel : 0;
  int64_t within = form.panel > 0 ? col % form.panel : col;
  int64_t start = panel * form.panel_stride;
  if (form.vnni <= 1)
    return start + row * form.ld + within;
  return start + row / form.vnni * form.ld + within * form.vnni + row % form.vnni;
}

// Elements from the operand's pointer to the element that is broadcast to (row, col).
inline int64_t broadcast_offset(const tpp_matrix &form, int32_t broadcast, int64_t row, int64_t col) {
  bool fixed_row = broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar;
  bool fixed_col = broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar;
  return element_offset(form, fixed_row ? 0 : row, fixed_col ? 0 : col);
}

} // namespace tpp
