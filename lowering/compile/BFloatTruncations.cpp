// Expands conversions to bfloat in LLVM IR (see BFloatTruncations.h).
#include "lowering/compile/BFloatTruncations.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace mlir;

/// Rounds a double to a float by rounding to odd: towards zero, with the last bit set if the result is not exact. A second rounding to
/// bfloat then gives the same result as a single rounding.
static llvm::Value *roundToOdd(llvm::IRBuilder<> &builder, llvm::Value *number) {
  llvm::Type *type = number->getType(), *floats = type->getWithNewType(builder.getFloatTy()),
             *words = type->getWithNewType(builder.getInt32Ty());
  llvm::Value *nearest = builder.CreateFPTrunc(number, floats), *back = builder.CreateFPExt(nearest, type);
  llvm::Value *isLarger = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                                                builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number));
  llvm::Value *bits = builder.CreateSub(builder.CreateBitCast(nearest, words), builder.CreateZExt(isLarger, words));
  bits = builder.CreateOr(bits, builder.CreateZExt(builder.CreateFCmpONE(back, number), words));
  return builder.CreateBitCast(bits, floats);
}

/// Rounds a float to the nearest bfloat, ties to even. NaN stays NaN.
static llvm::Value *roundToBFloat(llvm::IRBuilder<> &builder, llvm::Value *number) {
  llvm::Type *type = number->getType(), *words = type->getWithNewType(builder.getInt32Ty());
  auto word = [&](uint32_t value) { return llvm::ConstantInt::get(words, value); };
  llvm::Value *bits = builder.CreateBitCast(number, words), *high = builder.CreateLShr(bits, word(16));
  llvm::Value *isOdd = builder.CreateAnd(high, word(1));
  llvm::Value *rounded = builder.CreateLShr(builder.CreateAdd(bits, builder.CreateAdd(isOdd, word(0x7fff))), word(16));
  llvm::Value *isNan = builder.CreateFCmpUNO(number, number);
  llvm::Value *result = builder.CreateSelect(isNan, builder.CreateOr(high, word(0x40)), rounded);
  result = builder.CreateTrunc(result, type->getWithNewType(builder.getInt16Ty()));
  return builder.CreateBitCast(result, type->getWithNewType(builder.getBFloatTy()));
}

void tpp::expandBFloatTruncations(llvm::Module &code, const llvm::TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return;
  const llvm::MCSubtargetInfo &processor = *machine.getMCSubtargetInfo();
  bool fromFloat = processor.checkFeatures("+avx512bf16") || processor.checkFeatures("+avxneconvert");
  for (llvm::Function &function : code)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *truncation = llvm::dyn_cast<llvm::FPTruncInst>(&instruction);
      if (!truncation || !truncation->getType()->getScalarType()->isBFloatTy())
        continue;
      llvm::Value *number = truncation->getOperand(0);
      llvm::Type *from = number->getType()->getScalarType();
      if (!from->isDoubleTy() && !(from->isFloatTy() && !fromFloat))
        continue;
      llvm::IRBuilder<> builder(truncation);
      if (from->isDoubleTy())
        number = roundToOdd(builder, number);
      truncation->replaceAllUsesWith(fromFloat ? builder.CreateFPTrunc(number, truncation->getType())
                                               : roundToBFloat(builder, number));
      truncation->eraseFromParent();
    }
}
