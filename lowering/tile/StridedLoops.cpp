// See StridedLoops.h.
#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tpp {

Value makeStridedView(RewriterBase &rewriter, Location loc, Value source, AffineExpr offset, ValueRange ivs,
                      ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  auto type = cast<MemRefType>(source.getType());
  SmallVector<int64_t> sourceStrides;
  int64_t base = 0;
  (void)type.getStridesAndOffset(sourceStrides, base);
  SmallVector<OpFoldResult> symbols = llvm::map_to_vector(ivs, [](Value iv) -> OpFoldResult { return iv; });
  // The offset of a reinterpret_cast counts from the start of the underlying buffer, not of the view.
  if (ShapedType::isDynamic(base)) {
    offset = offset + rewriter.getAffineSymbolExpr(symbols.size());
    symbols.push_back(memref::ExtractStridedMetadataOp::create(rewriter, loc, source).getOffset());
  } else {
    offset = offset + base;
  }
  OpFoldResult start = affine::makeComposedFoldedAffineApply(rewriter, loc, AffineMap::get(0, symbols.size(), offset), symbols);
  MLIRContext *context = rewriter.getContext();
  auto layout = StridedLayoutAttr::get(context, getConstantIntValue(start).value_or(ShapedType::kDynamic), strides);
  auto viewType = MemRefType::get(sizes, type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(rewriter, loc, viewType, source, start, getAsIndexOpFoldResult(context, sizes),
                                           getAsIndexOpFoldResult(context, strides));
}

Value evaluateIndex(RewriterBase &rewriter, Location loc, AffineExpr expr, ValueRange ivs) {
  AffineMap map = AffineMap::get(0, ivs.size(), expr);
  return getValueOrCreateConstantIndexOp(rewriter, loc,
                                         affine::makeComposedFoldedAffineApply(rewriter, loc, map, getAsOpFoldResult(ivs)));
}

Value makeConstantTable(RewriterBase &rewriter, Location loc, StringRef name, DenseIntElementsAttr values) {
  auto module = rewriter.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto type = MemRefType::get(values.getType().getShape(), values.getElementType());
  memref::GlobalOp global;
  for (auto candidate : module.getOps<memref::GlobalOp>())
    if (candidate.getConstant() && candidate.getType() == type && candidate.getInitialValue() == Attribute(values))
      global = candidate;
  if (!global) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    std::string symbol;
    for (unsigned i = 0; symbol.empty() || SymbolTable::lookupSymbolIn(module, symbol); ++i)
      symbol = (name + "_" + Twine(i)).str();
    global = memref::GlobalOp::create(rewriter, loc, rewriter.getStringAttr(symbol), rewriter.getStringAttr("private"),
                                      TypeAttr::get(type), values, rewriter.getUnitAttr(), IntegerAttr());
  }
  return memref::GetGlobalOp::create(rewriter, loc, type, global.getSymName());
}

void emitBlocks(RewriterBase &rewriter, Location loc, Value iv, int64_t block, int64_t extent, function_ref<void(int64_t)> body) {
  if (!iv || extent % block == 0)
    return body(block);
  Value last = arith::ConstantIndexOp::create(rewriter, loc, extent / block);
  Value isLast = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, iv, last);
  auto branch = scf::IfOp::create(rewriter, loc, isLast, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  body(extent % block);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  body(block);
}

Window getWindow(int64_t start, int64_t count, int64_t extent) {
  Window window;
  window.before = std::clamp<int64_t>(-start, 0, count);
  window.size = std::clamp<int64_t>(extent - start - window.before, 0, count - window.before);
  return window;
}

void emitRuns(RewriterBase &rewriter, Location loc, Value iv, ArrayRef<int64_t> runs, function_ref<void(int64_t)> body) {
  if (!iv || runs.size() == 1)
    return body(runs.front());
  Value end = arith::ConstantIndexOp::create(rewriter, loc, runs[1]);
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, iv, end);
  auto branch = scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  body(runs.front());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  emitRuns(rewriter, loc, iv, runs.drop_front(), body);
}

void emitWindows(RewriterBase &rewriter, Location loc, Value iv, ArrayRef<std::pair<int64_t, Window>> windows,
                 function_ref<void(Window)> body) {
  SmallVector<int64_t> runs;
  llvm::DenseMap<int64_t, Window> windowOf;
  for (auto [i, block] : llvm::enumerate(windows))
    if (i == 0 || !(block.second == windows[i - 1].second)) {
      runs.push_back(block.first);
      windowOf[block.first] = block.second;
    }
  emitRuns(rewriter, loc, iv, runs, [&](int64_t first) { body(windowOf.lookup(first)); });
}

void emitConsecutive(RewriterBase &rewriter, Location loc, int64_t count, int64_t threads, double workNs,
                     function_ref<void()> allocate, function_ref<void(ArrayRef<Value>, AffineExpr)> body) {
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  auto emitLoop = [&](Value first, Value last, function_ref<void(Value)> iteration) {
    auto loop = scf::ForOp::create(rewriter, loc, first, last, constant(1));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    iteration(loop.getInductionVar());
  };
  const int64_t groups = std::min(threads, count);
  if (groups == 1) {
    allocate();
    if (count == 1)
      return body({}, rewriter.getAffineConstantExpr(0));
    return emitLoop(constant(0), constant(count), [&](Value iv) { body({iv}, rewriter.getAffineSymbolExpr(0)); });
  }
  auto forall = scf::ForallOp::create(rewriter, loc, {rewriter.getIndexAttr(groups)}, ValueRange(), std::nullopt);
  forall->setAttr(kWorkNsAttr, rewriter.getI64IntegerAttr(std::max<int64_t>(1, static_cast<int64_t>(workNs))));
  rewriter.setInsertionPoint(forall.getTerminator());
  allocate();
  AffineExpr group = rewriter.getAffineSymbolExpr(0);
  Value thread = forall.getInductionVars().front();
  const int64_t each = count / groups;
  if (count % groups != 0) {
    auto evaluate = [&](AffineExpr expr) { return evaluateIndex(rewriter, loc, expr, thread); };
    Value first = evaluate((group * count).floorDiv(groups)), last = evaluate(((group + 1) * count).floorDiv(groups));
    emitLoop(first, last, [&](Value number) { body({number}, rewriter.getAffineSymbolExpr(0)); });
  } else if (each == 1) {
    body({thread}, group);
  } else {
    emitLoop(constant(0), constant(each), [&](Value iv) { body({thread, iv}, group * each + rewriter.getAffineSymbolExpr(1)); });
  }
  rewriter.setInsertionPointAfter(forall);
}

} // namespace mlir::tpp
