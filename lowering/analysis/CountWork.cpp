//===- CountWork.cpp - counts of flops and kernel calls ----------------------------------------------------------------------===//

#include "lowering/analysis/CountWork.h"

#include "tpp_dialect/TppOps.h"

#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;

namespace {
/// A dimension of a loop with constant bounds and step.
struct Iterations {
  int64_t from, step, trips;
};
/// A branch: whether it is taken if the condition holds, or if it does not.
struct Branch {
  Value condition;
  bool taken;
};
} // namespace

/// Adds the induction variables that `value` depends on to `ivs`. False if it depends on anything else that is not constant.
static bool findInductionVars(Value value, const llvm::MapVector<Value, Iterations> &loops, llvm::SetVector<Value> &ivs) {
  if (loops.contains(value)) {
    ivs.insert(value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  return op && op->getNumResults() == 1 && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return findInductionVars(operand, loops, ivs); });
}

/// The value for these values of induction variables; null if it cannot be computed.
static Attribute evaluate(Value value, const llvm::DenseMap<Value, int64_t> &ivs) {
  if (auto iv = ivs.find(value); iv != ivs.end())
    return IntegerAttr::get(value.getType(), iv->second);
  Operation *op = value.getDefiningOp();
  SmallVector<Attribute> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return evaluate(operand, ivs); });
  SmallVector<OpFoldResult> results;
  if (llvm::is_contained(operands, Attribute()) || failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  return dyn_cast<Attribute>(results.front());
}

int64_t tpp::countExecutions(Operation *op) {
  llvm::MapVector<Value, Iterations> loops;
  SmallVector<Branch> branches;
  for (Operation *child = op, *parent = op->getParentOp(); parent && !isa<func::FuncOp>(parent);
       child = parent, parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      branches.push_back({branch.getCondition(), child->getParentRegion() == &branch.getThenRegion()});
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    if (!loop)
      continue;
    auto ivs = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), step = loop.getLoopSteps();
    if (!ivs || !lower || !upper || !step)
      continue;
    for (auto [iv, l, u, s] : llvm::zip_equal(*ivs, *lower, *upper, *step)) {
      std::optional<int64_t> from = getConstantIntValue(l), to = getConstantIntValue(u), by = getConstantIntValue(s);
      if (from && to && by && *by > 0)
        loops.insert({iv, {*from, *by, std::max<int64_t>(0, llvm::divideCeilSigned(*to - *from, *by))}});
    }
  }
  auto multiply = [](int64_t x, int64_t y) { return llvm::MulOverflow(x, y, x) ? std::numeric_limits<int64_t>::max() : x; };

  // The iterations of the loops that conditions depend on are counted one by one.
  constexpr int64_t mostCounted = 4096;
  llvm::SetVector<Value> counted;
  int64_t iterations = 1;
  llvm::erase_if(branches, [&](const Branch &branch) {
    llvm::SetVector<Value> all = counted;
    if (!findInductionVars(branch.condition, loops, all))
      return true;
    int64_t points = 1;
    for (Value iv : all)
      points = multiply(points, loops.find(iv)->second.trips);
    if (points > mostCounted)
      return true;
    counted = std::move(all);
    iterations = points;
    return false;
  });
  int64_t executions = 0;
  llvm::DenseMap<Value, int64_t> at;
  for (int64_t point = 0; point < iterations; ++point) {
    int64_t rest = point;
    for (Value iv : counted) {
      const Iterations &loop = loops.find(iv)->second;
      at[iv] = loop.from + rest % loop.trips * loop.step;
      rest /= loop.trips;
    }
    executions += llvm::all_of(branches, [&](const Branch &branch) {
      auto holds = dyn_cast_if_present<IntegerAttr>(evaluate(branch.condition, at));
      return !holds || holds.getValue().isZero() != branch.taken;
    });
  }
  for (const auto &[iv, loop] : loops)
    if (!counted.contains(iv))
      executions = multiply(executions, loop.trips);
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
