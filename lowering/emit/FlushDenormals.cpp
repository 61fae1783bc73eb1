//===- FlushDenormals.cpp - calls compute with zeros instead of denormal numbers ---------------------------------------------===//
//
// Each thread's control register (MXCSR of x86, FPCR of AArch64) is changed at the start of the functions that run a model's code in it, and restored
// at their end: the implementation of an entry point, and the functions of teams.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/machine/Target.h"
#include "tpp_dialect/StageAttributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FLUSHDENORMALS
#include "lowering/Passes.h.inc"

namespace {

// Reads and writes the control register of a processor.
class Control {
public:
  Control(LLVM::LLVMFuncOp function)
      : isX86(getBaselineCpu(getTarget(function)).starts_with("x86")), loc(function.getLoc()),
        builder(OpBuilder::atBlockBegin(&function.getBody().front())), type(isX86 ? builder.getI32Type() : builder.getI64Type()) {
    if (isX86) // through memory
      place = LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(function.getContext()), type, constant(1));
  }

  // Sets the bits that flush denormal numbers, and returns the value before.
  Value flush() {
    Value before;
    if (isX86) {
      call(builder, "llvm.x86.sse.stmxcsr", place);
      before = LLVM::LoadOp::create(builder, loc, type, place);
    } else {
      before = LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr("llvm.aarch64.get.fpcr"), ValueRange())
                   .getResults();
    }
    // x86: FTZ, results become zero, and DAZ, operands do. AArch64: FZ, both do, and FZ16, those of f16 do.
    Value bits = constant(isX86 ? 0x8040 : (1 << 24) + (1 << 19));
    set(builder, LLVM::OrOp::create(builder, loc, before, bits));
    return before;
  }

  void set(OpBuilder &at, Value value) {
    if (isX86)
      LLVM::StoreOp::create(at, loc, value, place);
    call(at, isX86 ? "llvm.x86.sse.ldmxcsr" : "llvm.aarch64.set.fpcr", isX86 ? place : value);
  }

private:
  Value constant(int64_t value) { return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value)); }

  void call(OpBuilder &at, StringRef intrinsic, Value operand) {
    LLVM::CallIntrinsicOp::create(at, loc, at.getStringAttr(intrinsic), ValueRange(operand));
  }

  bool isX86;
  Location loc;
  OpBuilder builder;
  Type type;
  Value place;
};

struct FlushDenormals : public impl::FlushDenormalsBase<FlushDenormals> {
  void runOnOperation() override {
    SetVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(kEntryPointAttr) && !function.isExternal())
        functions.insert(function);
    getOperation().walk([&](LLVM::CallOp call) {
      if (call.getCallee() != "tpp_run_team")
        return;
      auto address = call.getArgOperands()[1].getDefiningOp<LLVM::AddressOfOp>();
      functions.insert(getOperation().lookupSymbol<LLVM::LLVMFuncOp>(address.getGlobalName()));
    });
    for (LLVM::LLVMFuncOp function : functions)
      flush(function);
  }

  void flush(LLVM::LLVMFuncOp function) {
    Control control(function);
    Value before = control.flush();
    function.walk([&](LLVM::ReturnOp end) {
      OpBuilder atEnd(end);
      control.set(atEnd, before);
    });
  }
};

} // namespace
} // namespace mlir::tpp
