// An out-of-tree layout rule: once tpp-opt loads this library, linalg.softmax takes part in whole-program layout assignment
// (docs/add-a-layout-rule.md).
#include "lowering/layout/PackableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;

namespace {

struct SoftmaxModel : tpp::PackableOpInterface::ExternalModel<SoftmaxModel, linalg::SoftmaxOp> {
  // Dimension i of the input is dimension i of the output operand and of the result.
  tpp::LayoutRule getLayoutRule(Operation *op) const {
    int64_t rank = cast<linalg::SoftmaxOp>(op).getInputOperandRank();
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    return {{dims, dims, dims}, {false, false, false}};
  }

  // All three must have the same permutation of untiled dimensions.
  bool acceptsLayouts(Operation *op, ArrayRef<tpp::LayoutAttr> operands, ArrayRef<tpp::LayoutAttr> results) const {
    return operands[0].getTiles().empty() && operands[0] == operands[1] && operands[0] == results[0];
  }

  // Builds the same op; the softmax dimension moves to its position in the layout.
  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange values, ArrayRef<tpp::LayoutAttr> operands,
                                  ArrayRef<tpp::LayoutAttr>) const {
    auto softmax = cast<linalg::SoftmaxOp>(op);
    ArrayRef<int64_t> order = operands[0].getOuterPermutation();
    int64_t dimension = softmax.getDimension();
    if (!order.empty())
      dimension = llvm::find(order, dimension) - order.begin();
    auto laidOut = linalg::SoftmaxOp::create(rewriter, op->getLoc(), values[1].getType(), values[0], values[1], dimension);
    return {laidOut->getResult(0)};
  }
};

// Runs when the linalg dialect is loaded.
void attachModels(MLIRContext *context, linalg::LinalgDialect *) { linalg::SoftmaxOp::attachInterface<SoftmaxModel>(*context); }

void registerModels(DialectRegistry *registry) { registry->addExtension(attachModels); }

} // namespace

extern "C" __attribute__((visibility("default"))) DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "SoftmaxLayout", LLVM_VERSION_STRING, registerModels};
}
