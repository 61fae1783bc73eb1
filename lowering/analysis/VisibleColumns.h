// Which columns of the scores of attention a mask leaves visible.
#ifndef TPP_LOWERING_ANALYSIS_VISIBLECOLUMNS_H
#define TPP_LOWERING_ANALYSIS_VISIBLECOLUMNS_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include <optional>

namespace mlir::tpp {

/// The visible columns of a matrix of scores: of each group of rows, a range that is not empty. The program masks all other elements: they have no influence on the result,
/// provided that the values which would be computed from them are finite. The value of the attribute tpp.visible, of the contraction that computes the scores
/// and of the one that multiplies them, after a softmax of each row, with the values.
struct VisibleColumns {
  struct Range {
    int64_t begin = 0, end = 0;

    bool operator==(const Range &other) const { return begin == other.begin && end == other.end; }
  };
  enum class Role { Source, Reader }; // of the op: it computes the scores; it multiplies them
  int64_t rows = 0, columns = 0;
  int64_t groupRows = 1; // the last group may have fewer
  SmallVector<Range> groups;

  /// Those of an op in this role; null without the attribute.
  static std::optional<VisibleColumns> get(Operation *op, Role role);
  void set(Operation *op, Role role) const;

  bool operator==(const VisibleColumns &other) const {
    return rows == other.rows && columns == other.columns && groupRows == other.groupRows && groups == other.groups;
  }

  /// The columns visible in any of `count` rows from `first` on.
  Range getRange(int64_t first, int64_t count) const;
};

} // namespace mlir::tpp

#endif
