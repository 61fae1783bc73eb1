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

} // namespace mlir::tpp
