//===- StoreBFloats.cpp - represents bf16 values of the LLVM dialect as 16-bit integers -----------------------------------------===//
//
// LLVM's x86 code generator aborts on some bf16 values that its own optimizer creates (a shuffle of <74 x bfloat>: "cannot soft promote
// this operator's operand"). Arithmetic on bf16 has been lowered to f32 before this pass, so a bf16 value is only moved or converted. The
// code generator supports moves of i16 in every form.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_STOREBFLOATS
#include "lowering/Passes.h.inc"

namespace {

/// `shape` (a scalar or vector type) with another element type.
Type withElement(Type shape, Type element) {
  auto vector = dyn_cast<VectorType>(shape);
  return vector ? Type(vector.clone(element)) : element;
}

bool isOf16BitIntegers(Type type) { return getElementTypeOrSelf(type).isInteger(16); }

/// Expands a conversion from bf16: the operand becomes the high 16 bits of an f32.
void expandExtension(LLVM::FPExtOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type words = withElement(op.getArg().getType(), builder.getI32Type());
  Type floats = withElement(op.getArg().getType(), builder.getF32Type());
  TypedAttr sixteen = builder.getI32IntegerAttr(16);
  if (auto vector = dyn_cast<VectorType>(words))
    sixteen = DenseElementsAttr::get(vector, Attribute(sixteen));
  Value word = LLVM::ZExtOp::create(builder, loc, words, op.getArg());
  word = LLVM::ShlOp::create(builder, loc, word, LLVM::ConstantOp::create(builder, loc, words, sixteen));
  Value result = LLVM::BitcastOp::create(builder, loc, floats, word);
  if (floats != op.getType())
    result = LLVM::FPExtOp::create(builder, loc, op.getType(), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

/// Expands a conversion to bf16. It remains an LLVM operation, since some processors have an instruction for it (BFloatTruncations.h); its
/// result is cast to an integer immediately.
void expandTruncation(LLVM::FPTruncOp op) {
  OpBuilder builder(op);
  Type bfloats = withElement(op.getType(), builder.getBF16Type());
  Value rounded = LLVM::FPTruncOp::create(builder, op.getLoc(), bfloats, op.getArg());
  op.replaceAllUsesWith(LLVM::BitcastOp::create(builder, op.getLoc(), op.getType(), rounded).getResult());
  op.erase();
}

struct StoreBFloats : public impl::StoreBFloatsBase<StoreBFloats> {
  void runOnOperation() override {
    Type integer = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement([=](BFloat16Type) { return integer; });
    replacer.addReplacement([=](FloatAttr attr) -> std::optional<Attribute> {
      if (!attr.getType().isBF16())
        return std::nullopt;
      return IntegerAttr::get(integer, attr.getValue().bitcastToAPInt());
    });
    replacer.addReplacement([=](DenseElementsAttr attr) -> std::optional<Attribute> {
      if (!attr.getElementType().isBF16())
        return std::nullopt;
      return attr.bitcast(integer);
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);

    // The types of conversions have become integers too. These conversions are replaced below.
    SmallVector<LLVM::FPExtOp> extensions;
    SmallVector<LLVM::FPTruncOp> truncations;
    getOperation().walk([&](Operation *op) {
      if (auto extension = dyn_cast<LLVM::FPExtOp>(op); extension && isOf16BitIntegers(extension.getArg().getType()))
        extensions.push_back(extension);
      if (auto truncation = dyn_cast<LLVM::FPTruncOp>(op); truncation && isOf16BitIntegers(truncation.getType()))
        truncations.push_back(truncation);
    });
    llvm::for_each(extensions, expandExtension);
    llvm::for_each(truncations, expandTruncation);
  }
};

} // namespace
} // namespace mlir::tpp
