// Divisions in affine maps vanish for indices below their extents (lowering/analysis/Divisions.h).
#include "lowering/analysis/Divisions.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace {

class DivisionsTest : public ::testing::Test {
protected:
  // Simplifies `expr`, in three dimensions.
  AffineExpr drop(AffineExpr expr, ArrayRef<int64_t> extents) {
    return tpp::dropDivisions(AffineMap::get(3, 0, expr), extents).getResult(0);
  }

  MLIRContext context;
  AffineExpr b = getAffineDimExpr(0, &context), y = getAffineDimExpr(1, &context), x = getAffineDimExpr(2, &context);
};

TEST_F(DivisionsTest, DropsWhatIsSmallerThanTheDivisor) {
  EXPECT_EQ(drop((b * 12 + y).floorDiv(12), {2, 12, 1}), b);
  EXPECT_EQ(drop((b * 12 + y) % 12, {2, 12, 1}), y);
  EXPECT_EQ(drop((b * 12 + y).floorDiv(12), {2, 13, 1}), b + y.floorDiv(12));
}

// The index of an image, collapsed and expanded again: a division of a division.
TEST_F(DivisionsTest, DropsDivisionsThatAppearWhileOthersVanish) {
  AffineExpr pixel = (b * 6 + y) * 5 + x;
  EXPECT_EQ(drop(pixel.floorDiv(5).floorDiv(6), {2, 6, 5}), b);
  EXPECT_EQ(drop(pixel.floorDiv(5) % 6, {2, 6, 5}), y);
  EXPECT_EQ(drop(pixel % 5, {2, 6, 5}), x);
  EXPECT_EQ(drop(pixel.floorDiv(5).floorDiv(6), {2, 7, 5}), b + y.floorDiv(6));
}

} // namespace
