// See VisibleColumns.h. The attribute has the role, the numbers of rows, of columns and of rows in a group, then begin and end of each group.
#include "lowering/analysis/VisibleColumns.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {

std::optional<VisibleColumns> VisibleColumns::get(Operation *op, Role role) {
  auto attribute = op->getAttrOfType<DenseI64ArrayAttr>(kVisibleAttr);
  if (!attribute || attribute[0] != static_cast<int64_t>(role))
    return std::nullopt;
  ArrayRef<int64_t> numbers = attribute.asArrayRef();
  VisibleColumns visible{numbers[1], numbers[2], numbers[3], {}};
  for (size_t i = 4; i < numbers.size(); i += 2)
    visible.groups.push_back({numbers[i], numbers[i + 1]});
  return visible;
}

void VisibleColumns::set(Operation *op, Role role) const {
  SmallVector<int64_t> numbers = {static_cast<int64_t>(role), rows, columns, groupRows};
  for (const Range &range : groups)
    numbers.append({range.begin, range.end});
  op->setAttr(kVisibleAttr, DenseI64ArrayAttr::get(op->getContext(), numbers));
}

VisibleColumns::Range VisibleColumns::getRange(int64_t first, int64_t count) const {
  Range all = groups[first / groupRows];
  for (int64_t group = first / groupRows + 1; group * groupRows < first + count; ++group)
    all = {std::min(all.begin, groups[group].begin), std::max(all.end, groups[group].end)};
  return all;
}

} // namespace mlir::tpp
