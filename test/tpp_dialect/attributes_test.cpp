// Tests of helpers of the dialect's attributes: the shape that a layout gives a value, layouts that do not fit, a target's VNNI
// factors, tile dimensions by rank.
#include "tpp/machines.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace mlir;
using namespace mlir::tpp;

namespace {

class LayoutTest : public ::testing::Test {
protected:
  LayoutTest() { context.loadDialect<TppDialect>(); }

  LayoutAttr layout(ArrayRef<int64_t> dims, ArrayRef<int64_t> tiles, ArrayRef<int64_t> permutation = {}, int64_t vnni = 0) {
    return LayoutAttr::get(&context, dims, tiles, permutation, vnni);
  }

  std::vector<int64_t> packed(LayoutAttr layout, ArrayRef<int64_t> shape) {
    FailureOr<SmallVector<int64_t>> result = layout.getPackedShape(shape);
    EXPECT_TRUE(succeeded(result));
    return succeeded(result) ? std::vector<int64_t>(result->begin(), result->end()) : std::vector<int64_t>();
  }

  std::string refusal(LayoutAttr layout, ArrayRef<int64_t> shape) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
    EXPECT_TRUE(failed(layout.getPackedShape(shape, UnknownLoc::get(&context))));
    return message;
  }

  MLIRContext context;
};

using Shape = std::vector<int64_t>;

TEST_F(LayoutTest, IdentityKeepsTheShape) {
  LayoutAttr identity = LayoutAttr::getIdentity(&context);
  EXPECT_TRUE(identity.isIdentity());
  EXPECT_EQ(packed(identity, {7, 5}), Shape({7, 5}));
  EXPECT_EQ(packed(identity, {}), Shape({}));
}

TEST_F(LayoutTest, EmptyListsAreTheIdentity) { EXPECT_EQ(layout({}, {}), LayoutAttr::getIdentity(&context)); }

TEST_F(LayoutTest, TilesDivideRoundingUp) { EXPECT_EQ(packed(layout({1}, {16}), {13, 40}), Shape({13, 3, 16})); }

TEST_F(LayoutTest, PermutationOrdersOuterDimensions) {
  EXPECT_EQ(packed(layout({1}, {16}, {1, 0}), {64, 40}), Shape({3, 64, 16}));
  EXPECT_EQ(packed(layout({0, 1}, {8, 16}, {1, 0}), {64, 40}), Shape({3, 8, 8, 16}));
}

TEST_F(LayoutTest, VnniGroupsTheRowsOfAPanel) {
  EXPECT_EQ(packed(layout({1}, {16}, {1, 0}, 2), {7, 40}), Shape({3, 4, 16, 2}));
  EXPECT_EQ(packed(layout({0, 1}, {8, 16}, {1, 0}, 4), {64, 40}), Shape({3, 8, 2, 16, 4}));
}

TEST_F(LayoutTest, PackedTypeKeepsTheElementType) {
  auto type = RankedTensorType::get({64, 40}, BFloat16Type::get(&context));
  FailureOr<RankedTensorType> result = layout({1}, {16}, {1, 0}).getPackedType(type);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(*result, RankedTensorType::get({3, 64, 16}, BFloat16Type::get(&context)));
}

TEST_F(LayoutTest, RefusesOtherRanksWithTheReason) {
  EXPECT_NE(refusal(layout({2}, {16}), {13, 40}).find("inner_dims_pos names dimension 2"), std::string::npos);
  EXPECT_NE(refusal(layout({}, {}, {1, 0}), {13}).find("outer_dims_perm has another rank"), std::string::npos);
  EXPECT_NE(refusal(layout({}, {}, {}, 2), {13}).find("vnni needs rows and columns"), std::string::npos);
  EXPECT_TRUE(failed(layout({2}, {16}).getPackedShape({13, 40}))); // without a location no diagnostic is emitted
}

TEST_F(LayoutTest, TargetKnowsVnniFactors) {
  Builder builder(&context);
  DictionaryAttr vnni = builder.getDictionaryAttr(builder.getNamedAttr("bf16", builder.getI64IntegerAttr(2)));
  auto caches = builder.getDenseI64ArrayAttr({49152});
  auto target =
      TargetAttr::get(&context, builder.getStringAttr("avx512"), StringAttr(), 512, 32, caches, vnni, 2, DictionaryAttr());
  EXPECT_EQ(target.getVnniFactor(ElementType::Bf16), 2);
  EXPECT_EQ(target.getVnniFactor(ElementType::F32), 1);
  auto plain = TargetAttr::get(&context, builder.getStringAttr("neon"), StringAttr(), 128, 32, caches, DictionaryAttr(), 2,
                               DictionaryAttr());
  EXPECT_EQ(plain.getVnniFactor(ElementType::Bf16), 1);
}

TEST_F(LayoutTest, TargetsKeepTheFiguresOfEachMachine) {
#define TPP_MACHINE(id, base, label, cpu, ...)                                                                                   \
  for (double clock : {0.0, 1.5}) {                                                                                              \
    tpp_machine machine;                                                                                                         \
    ASSERT_TRUE(tpp_machine_find(label, &machine));                                                                              \
    machine.clock_ghz += clock;                                                                                                  \
    auto target = TargetAttr::get(&context, machine, cpu, DictionaryAttr());                                                     \
    EXPECT_EQ(target.getFigures() != nullptr, clock != 0) << label;                                                              \
    tpp_machine again = target.getMachine();                                                                                     \
    EXPECT_EQ(std::memcmp(&machine, &again, sizeof machine), 0) << label;                                                        \
  }
#include "tpp/machines.def"
}

TEST_F(LayoutTest, TileDimensionsFollowFromTheRank) {
  std::optional<TileDims> plain = getTileDims(2), full = getTileDims(5, /*batched=*/true, /*vnni=*/true);
  ASSERT_TRUE(plain && full);
  EXPECT_EQ(plain->rows, 0);
  EXPECT_EQ(plain->cols, 1);
  EXPECT_FALSE(plain->isPanelled());
  EXPECT_EQ(full->batch, 0);
  EXPECT_EQ(full->panels, 1);
  EXPECT_EQ(full->rows, 2);
  EXPECT_EQ(full->cols, 3);
  EXPECT_EQ(full->vnni, 4);
  EXPECT_FALSE(getTileDims(1));
  EXPECT_FALSE(getTileDims(4));
}

} // namespace
