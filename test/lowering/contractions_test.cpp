// The description of a contraction: which operand is B, the roles of dimensions, and the dimensions of brgemm.
#include "lowering/analysis/Contractions.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tpp;

namespace {

class ContractionInfoTest : public testing::Test {
protected:
  ContractionInfoTest() {
    context.loadDialect<TppDialect>();
    bindDims(&context, m, n, k, l);
    target = llvm::cantFail(parseTarget("avx2", &context));
  }

  RankedTensorType tensor(ArrayRef<int64_t> shape, Type type = {}) {
    return RankedTensorType::get(shape, type ? type : Float32Type::get(&context));
  }
  AffineMap map(unsigned loops, ArrayRef<AffineExpr> exprs) { return AffineMap::get(loops, 0, exprs, &context); }

  MLIRContext context;
  AffineExpr m, n, k, l;
  TargetAttr target;
};

TEST_F(ContractionInfoTest, BIsTheOperandWithTheContiguousDimensionOfC) {
  AffineMap mk = map(3, {m, k}), kn = map(3, {k, n}), mn = map(3, {m, n});
  for (bool exchanged : {false, true}) {
    AffineMap maps[] = {exchanged ? kn : mk, exchanged ? mk : kn, mn};
    ShapedType mkType = tensor({5, 7}), knType = tensor({7, 6});
    ShapedType types[] = {exchanged ? knType : mkType, exchanged ? mkType : knType, tensor({5, 6})};
    bool isConstant[] = {exchanged, !exchanged}; // the k x n operand
    auto info = getContractionInfo(maps, types, {5, 6, 7}, target, isConstant);
    ASSERT_TRUE(info);
    EXPECT_EQ(exchanged, info->swapped);
    EXPECT_EQ(exchanged ? 1u : 0u, info->getOpOperand(0));
    EXPECT_EQ(1u, info->columnDim);
    EXPECT_EQ(6, info->getColumns());
    EXPECT_TRUE(info->b().isConstant);
    EXPECT_FALSE(info->a().isConstant);
    EXPECT_EQ(42, info->b().elements);
    EXPECT_EQ(DimensionRole::Row, info->dims[0].getRole());
    EXPECT_EQ(DimensionRole::Column, info->dims[1].getRole());
    EXPECT_EQ(DimensionRole::Reduction, info->dims[2].getRole());
    EXPECT_EQ(6, info->dims[2].b());
  }
}

TEST_F(ContractionInfoTest, ADimensionOfAllOperandsIsABatch) {
  auto info = getContractionInfo({map(4, {l, m, k}), map(4, {l, k, n}), map(4, {l, m, n})},
                                 {tensor({3, 5, 7}), tensor({3, 7, 6}), tensor({3, 5, 6})}, {5, 6, 7, 3}, target);
  ASSERT_TRUE(info);
  EXPECT_EQ(DimensionRole::Batch, info->dims[3].getRole());
  EXPECT_EQ(3, info->getExtent(DimensionRole::Batch));
  EXPECT_EQ(7, info->getExtent(DimensionRole::Reduction));
}

TEST_F(ContractionInfoTest, ContiguousDimensionsAreMerged) {
  // The rows l * 5 + m of A and C are one dimension; the reduction is contiguous in A.
  auto info = getContractionInfo({map(4, {l, m, k}), map(4, {k, n}), map(4, {l, m, n})},
                                 {tensor({3, 5, 70}), tensor({70, 6}), tensor({3, 5, 6})}, {5, 6, 70, 3}, target);
  ASSERT_TRUE(info);
  BrgemmDims dims = getBrgemmDims(*info);
  EXPECT_EQ(15, dims.m.extent);
  EXPECT_EQ(70, dims.m.a());
  EXPECT_EQ(6, dims.n.extent);
  EXPECT_EQ(70, dims.k.extent);
  EXPECT_TRUE(dims.outer.empty());
  EXPECT_TRUE(dims.reductions.empty());
}

TEST_F(ContractionInfoTest, LanesAndPanelsFollowTheAccumulator) {
  auto describe = [&](Type type, Type cType) {
    return *getContractionInfo({map(3, {m, k}), map(3, {k, n}), map(3, {m, n})},
                               {tensor({5, 7}, type), tensor({7, 6}, type), tensor({5, 6}, cType)}, {5, 6, 7}, target);
  };
  Type f32 = Float32Type::get(&context), bf16 = BFloat16Type::get(&context), f64 = Float64Type::get(&context);
  EXPECT_EQ(f32, describe(bf16, bf16).getAccumulatorType());
  EXPECT_EQ(8, describe(bf16, bf16).getLanes());          // 256 bits of f32
  EXPECT_EQ(32, describe(bf16, f32).getDefaultColumns()); // four vectors
  EXPECT_EQ(2, describe(bf16, f32).a().getElementBytes());
  EXPECT_EQ(4, describe(f64, f64).getLanes());
  EXPECT_EQ(16, describe(f64, f64).getDefaultColumns());
}

TEST_F(ContractionInfoTest, KernelsAreFoundByType) {
  auto describe = [&](Type type, Type cType) {
    return *getContractionInfo({map(3, {m, k}), map(3, {k, n}), map(3, {m, n})},
                               {tensor({5, 7}, type), tensor({7, 6}, type), tensor({5, 6}, cType)}, {5, 6, 7}, target);
  };
  Type f32 = Float32Type::get(&context), f64 = Float64Type::get(&context);
  EXPECT_TRUE(hasBrgemmKernel(describe(f32, f32)));
  EXPECT_FALSE(hasBrgemmKernel(describe(f64, f64)));
  EXPECT_FALSE(hasBrgemmKernel(describe(f32, f64)));
}

TEST_F(ContractionInfoTest, AMapThatIsNotLinearHasNoDescription) {
  EXPECT_FALSE(getContractionInfo({map(3, {m, k.floorDiv(2)}), map(3, {k, n}), map(3, {m, n})},
                                  {tensor({5, 4}), tensor({7, 6}), tensor({5, 6})}, {5, 6, 7}, target));
}

} // namespace
