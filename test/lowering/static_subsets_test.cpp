// Slices with constant bounds are compared as upstream compares them (lowering/bufferize/StaticSubsets.h).
#include "lowering/Pipelines.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace {
// Slices of %t that are equal, disjoint and overlapping, with strides, with a dropped dimension and with an unknown offset; one of %u.
constexpr const char *kSlices = R"(
func.func @main(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>, %s: tensor<4x4xf32>, %i: index) {
  %0 = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %1 = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %2 = tensor.extract_slice %t[0, 4] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %3 = tensor.extract_slice %t[4, 2] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %4 = tensor.extract_slice %t[1, 3] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %5 = tensor.extract_slice %t[0, 0] [4, 4] [2, 3] : tensor<8x16xf32> to tensor<4x4xf32>
  %6 = tensor.extract_slice %t[0, 12] [1, 4] [1, 1] : tensor<8x16xf32> to tensor<4xf32>
  %7 = tensor.extract_slice %t[0, %i] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %8 = tensor.extract_slice %u[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %9 = tensor.insert_slice %s into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
  %10 = tensor.insert_slice %s into %t[0, 8] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
  return
}
)";
} // namespace

TEST(StaticSubsetsTest, AnswersAsUpstream) {
  DialectRegistry registry;
  tpp::registerTpp(registry);
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kSlices, &context);
  ASSERT_TRUE(module);
  SmallVector<SubsetOpInterface> slices;
  module->walk([&](SubsetOpInterface slice) { slices.push_back(slice); });
  ASSERT_EQ(slices.size(), 11u);
  auto areSame = [](Value a, Value b) { return a == b; };
  int equivalent = 0, disjoint = 0;
  for (SubsetOpInterface a : slices)
    for (SubsetOpInterface b : slices) {
      bool isEquivalent = a.operatesOnEquivalentSubset(b, areSame), isDisjoint = a.operatesOnDisjointSubset(b, areSame);
      EXPECT_EQ(isEquivalent, detail::defaultOperatesOnEquivalentSubset(a, b, areSame));
      EXPECT_EQ(isDisjoint, detail::defaultOperatesOnDisjointSubset(a, b, areSame));
      equivalent += isEquivalent;
      disjoint += isDisjoint;
    }
  EXPECT_EQ(equivalent, 11 + 6); // each with itself, and 0, 1 and 9
  EXPECT_GT(disjoint, 20);
}
