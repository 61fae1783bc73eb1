//===- CountWork.cpp - counts of flops and kernel calls ----------------------------------------------------------------------===//

#include "lowering/analysis/CountWork.h"

#include "tpp_dialect/TppOps.h"

#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;

int64_t tpp::countExecutions(Operation *op) {
  int64_t executions = 1;
  for (Operation *parent = op->getParentOp(); parent && !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    if (!loop)
      continue;
    auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), step = loop.getLoopSteps();
    if (!lower || !upper || !step)
      continue;
    for (auto [l, u, s] : llvm::zip_equal(*lower, *upper, *step)) {
      std::optional<int64_t> from = getConstantIntValue(l), to = getConstantIntValue(u), by = getConstantIntValue(s);
      if (from && to && by && *by > 0)
        executions = llvm::MulOverflow(executions, std::max<int64_t>(0, llvm::divideCeilSigned(*to - *from, *by)), executions)
                         ? std::numeric_limits<int64_t>::max()
                         : executions;
    }
  }
  return executions;
}

/// Multiply-adds of one execution of a contraction or convolution; 0 for other ops, pooling and dynamic shapes.
static int64_t countMultiplyAdds(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op) && !linalg::isaConvolutionOpInterface(op))
    return 0;
  if (op.getBlock()->getOps<arith::MulFOp>().empty() && op.getBlock()->getOps<arith::MulIOp>().empty())
    return 0;
  int64_t product = 1;
  for (int64_t range : op.getStaticLoopRanges())
    if (ShapedType::isDynamic(range) || llvm::MulOverflow(product, range, product))
      return 0;
  return product;
}

static std::string typeName(Type type) {
  Type element = getElementTypeOrSelf(type);
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return name;
}

namespace {
struct Counter {
  explicit Counter(ModuleOp module) : module(module) {}

  void count(func::FuncOp func, int64_t executions, int depth) {
    constexpr int kMaxDepth = 64; // of nested calls; ends recursion, which has no static count
    if (func.isExternal() || depth > kMaxDepth)
      return;
    func.walk([&](Operation *op) {
      int64_t multiplyAdds = 0;
      unsigned factor = 0; // an operand that is multiplied
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
        multiplyAdds = countMultiplyAdds(linalgOp);
      } else if (auto contract = dyn_cast<tpp::ContractOp>(op)) {
        multiplyAdds = 1;
        for (int64_t extent : contract.getExtents())
          multiplyAdds *= extent;
        factor = contract.getWinograd() ? 1 : 0; // it multiplies in the type of its filters
      } else if (auto brgemm = dyn_cast<tpp::BrgemmOp>(op)) {
        multiplyAdds = brgemm.getM() * brgemm.getN() * brgemm.getK();
        if (brgemm.getBatch() == tpp::BatchKind::Stride)
          multiplyAdds *= std::max<int64_t>(1, cast<ShapedType>(brgemm.getA().getType()).getDimSize(0));
        else if (brgemm.getBatch() == tpp::BatchKind::Offset)
          multiplyAdds *= std::max<int64_t>(1, cast<ShapedType>(brgemm.getAOffsets().getType()).getDimSize(0));
      } else if (auto call = dyn_cast<func::CallOp>(op)) {
        if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
          count(callee, executions * tpp::countExecutions(op), depth + 1);
      }
      if (multiplyAdds > 0)
        flops[typeName(op->getOperand(factor).getType())] += 2 * multiplyAdds * executions * tpp::countExecutions(op);
    });
  }

  ModuleOp module;
  std::map<std::string, int64_t> flops; // by element type
};
} // namespace

tpp::FlopCount tpp::countFlops(func::FuncOp func) {
  auto module = func->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> lowered;
  bool hasTosa = module
                     .walk([](Operation *op) {
                       return isa<tosa::TosaDialect>(op->getDialect()) ? WalkResult::interrupt() : WalkResult::advance();
                     })
                     .wasInterrupted();
  if (hasTosa) {
    // Lower a copy and drop diagnostics: the actual pipeline lowers the same ops later and reports their errors.
    lowered = module.clone();
    ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
    PassManager passes(module.getContext(), ModuleOp::getOperationName());
    passes.addNestedPass<func::FuncOp>(tosa::createTosaToLinalgNamed());
    if (failed(passes.run(*lowered)))
      return {};
    module = *lowered;
  }
  Counter counter(module);
  counter.count(module.lookupSymbol<func::FuncOp>(func.getSymName()), 1, 0);
  FlopCount result;
  int64_t most = 0;
  for (const auto &[type, flops] : counter.flops) {
    result.flops += flops;
    if (flops > most) {
      most = flops;
      result.type = type;
    }
  }
  return result;
}

std::vector<std::pair<Attribute, int64_t>> tpp::countKernelCalls(func::FuncOp func) {
  llvm::MapVector<Attribute, int64_t> calls;
  func.walk([&](tpp::InvokeOp invoke) {
    if (auto dispatch = invoke.getKernel().getDefiningOp<tpp::DispatchOp>())
      calls[dispatch.getDesc()] += countExecutions(invoke);
  });
  return {calls.begin(), calls.end()};
}
