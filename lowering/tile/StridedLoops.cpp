// See StridedLoops.h.
#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"

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

void emitWindows(RewriterBase &rewriter, Location loc, Value iv, ArrayRef<std::pair<int64_t, Window>> windows,
                 function_ref<void(Window)> body) {
  Window first = windows.front().second;
  ArrayRef<std::pair<int64_t, Window>> others = windows.drop_while([&](auto &block) { return block.second == first; });
  if (!iv || others.empty())
    return body(first);
  Value end = arith::ConstantIndexOp::create(rewriter, loc, others.front().first);
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, iv, end);
  auto branch = scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  body(first);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  emitWindows(rewriter, loc, iv, others, body);
}

} // namespace mlir::tpp
