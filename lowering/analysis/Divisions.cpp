// Simplification of divisions in affine maps (see Divisions.h).
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/LinearMap.h"
#include "mlir/IR/AffineExpr.h"
#include <cassert>

namespace mlir::tpp {

// Returns `expr` if it is a division or remainder by a positive constant, else null.
static AffineBinaryOpExpr getDivision(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (binary.getKind() != AffineExprKind::FloorDiv && binary.getKind() != AffineExprKind::Mod))
    return nullptr;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return divisor && divisor.getValue() > 0 ? binary : AffineBinaryOpExpr(nullptr);
}

static int64_t getDivisor(AffineBinaryOpExpr division) { return cast<AffineConstantExpr>(division.getRHS()).getValue(); }

// Splits `linear` into the terms that are multiples of `divisor`, which give the quotient, and the other terms plus the constant, the remainder. Fails if the
// remainder has a negative coefficient or is not known to be in [0, divisor).
static std::optional<std::pair<AffineExpr, AffineExpr>> divide(const LinearExpr &linear, int64_t divisor,
                                                               ArrayRef<int64_t> extents, MLIRContext *context) {
  int64_t restBound = linear.constant; // the largest value of `rest`
  AffineExpr quotient = getAffineConstantExpr(0, context), rest = getAffineConstantExpr(linear.constant, context);
  for (auto [dim, coefficient] : llvm::enumerate(linear.coefficients)) {
    AffineExpr index = getAffineDimExpr(dim, context);
    if (coefficient % divisor == 0) {
      quotient = quotient + index * (coefficient / divisor);
      continue;
    }
    if (coefficient < 0)
      return std::nullopt;
    restBound += coefficient * (extents[dim] - 1);
    rest = rest + index * coefficient;
  }
  if (linear.constant < 0 || restBound >= divisor)
    return std::nullopt;
  return std::make_pair(quotient, rest);
}

static AffineExpr dropDivisions(AffineExpr expr, ArrayRef<int64_t> extents) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = dropDivisions(binary.getLHS(), extents), rhs = dropDivisions(binary.getRHS(), extents);
  AffineExpr simpler = getAffineBinaryOpExpr(binary.getKind(), lhs, rhs);
  AffineBinaryOpExpr division = getDivision(simpler);
  if (!division && getDivision(expr)) // MLIR takes multiples out of it: (12 * b + h) floordiv 12 becomes b + h floordiv 12
    return dropDivisions(simpler, extents);
  auto linear = division ? getLinearExpr(division.getLHS(), extents.size()) : std::nullopt;
  if (!linear)
    return simpler;
  auto divided = divide(*linear, getDivisor(division), extents, expr.getContext());
  if (!divided)
    return simpler;
  return division.getKind() == AffineExprKind::FloorDiv ? divided->first : divided->second;
}

AffineMap dropDivisions(AffineMap map, ArrayRef<int64_t> extents) {
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults())
    exprs.push_back(dropDivisions(expr, extents));
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs, map.getContext());
}

std::optional<std::pair<unsigned, int64_t>> findDimToSplit(AffineMap map, ArrayRef<int64_t> extents) {
  std::optional<std::pair<unsigned, int64_t>> found;
  map.walkExprs([&](AffineExpr expr) {
    AffineBinaryOpExpr division = getDivision(expr);
    auto linear = division && !found ? getLinearExpr(division.getLHS(), extents.size()) : std::nullopt;
    if (!linear)
      return;
    int64_t divisor = getDivisor(division);
    for (auto [dim, coefficient] : llvm::enumerate(linear->coefficients)) {
      if (coefficient <= 0 || coefficient >= divisor || divisor % coefficient != 0)
        continue;
      int64_t inner = divisor / coefficient;
      if (!found && extents[dim] > inner && extents[dim] % inner == 0)
        found = std::make_pair(dim, inner);
    }
  });
  return found;
}

AffineMap splitDim(AffineMap map, unsigned dim, int64_t inner) {
  assert(map.getNumSymbols() == 0 && "the new map has no symbols");
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> replacements;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    replacements.push_back(getAffineDimExpr(i, context));
  replacements[dim] = getAffineDimExpr(dim, context) * inner + getAffineDimExpr(map.getNumDims(), context);
  return map.replaceDimsAndSymbols(replacements, {}, map.getNumDims() + 1, 0);
}

} // namespace mlir::tpp
