//===- LowerAssertions.cpp - failed assertions end a call with a status -----------------------------------------------------------===//
//
// A program may assert what must hold for its input: that every index of a gather is in range, for instance. A compiled model may neither
// end the process nor use a value that failed the check. So what follows an assertion in its block runs only where the assertion holds. A failure
// is noted in a variable of the call, and the rest of the function is skipped after the loop that failed.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERASSERTIONS
#include "lowering/Passes.h.inc"

namespace {

// "file:line:column: message"
std::string describe(cf::AssertOp op) {
  std::string text;
  if (auto file = op.getLoc()->findInstanceOf<FileLineColLoc>())
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn()) + ": ").str();
  return text + op.getMsg().str();
}

// Moves the operations of `op`'s block from `op` on, but for the terminator, into the "then" branch of a new scf.if before it. What the terminator
// takes are results of the scf.if; `getOther` gives those of its "else" branch, which is empty otherwise. Null where it gives none.
scf::IfOp guardRest(OpBuilder &builder, Operation *op, Value condition, bool withElse, function_ref<Value(Value)> getOther) {
  Block *block = op->getBlock();
  Operation *terminator = block->getTerminator();
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  SmallVector<Value> others;
  for (Value value : terminator->getOperands()) {
    others.push_back(getOther(value));
    if (!others.back())
      return {};
  }
  auto branch = scf::IfOp::create(builder, loc, terminator->getOperandTypes(), condition, /*addThenBlock=*/true,
                                  /*addElseBlock=*/withElse);
  Block *then = branch.thenBlock();
  then->getOperations().splice(then->begin(), block->getOperations(), op->getIterator(), terminator->getIterator());
  if (terminator->getNumOperands() > 0) {
    OpBuilder::atBlockEnd(then).create<scf::YieldOp>(loc, terminator->getOperands());
    OpBuilder::atBlockEnd(branch.elseBlock()).create<scf::YieldOp>(loc, others);
    terminator->setOperands(branch.getResults());
  }
  for (Block *end : {then, withElse ? branch.elseBlock() : then})
    if (end->empty() || !end->back().hasTrait<OpTrait::IsTerminator>())
      OpBuilder::atBlockEnd(end).create<scf::YieldOp>(loc);
  return branch;
}

// What a loop or branch yields where an assertion failed: what it had before, or zeros. Null for buffers.
Value getNeutral(OpBuilder &builder, Operation *parent, Value yielded, unsigned position) {
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return loop.getRegionIterArgs()[position];
  TypedAttr zero = isa<MemRefType>(yielded.getType()) ? TypedAttr() : builder.getZeroAttr(yielded.getType());
  return zero ? arith::ConstantOp::create(builder, yielded.getLoc(), zero).getResult() : Value();
}

struct LowerAssertions : public impl::LowerAssertionsBase<LowerAssertions> {
  void runOnOperation() override {
    SmallVector<StringRef> messages;
    if (auto known = getOperation()->getAttrOfType<ArrayAttr>(kAssertionsAttr))
      messages.append(known.getAsValueRange<StringAttr>().begin(), known.getAsValueRange<StringAttr>().end());
    llvm::MapVector<StringAttr, int64_t> numbers; // from 1
    for (StringRef message : messages)
      numbers.insert({StringAttr::get(&getContext(), message), numbers.size() + 1});
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && failed(lower(func, numbers)))
        return signalPassFailure();
    if (numbers.empty())
      return;
    SmallVector<Attribute> texts;
    for (auto &[text, number] : numbers)
      texts.push_back(text);
    getOperation()->setAttr(kAssertionsAttr, ArrayAttr::get(&getContext(), texts));
  }

  static LogicalResult lower(func::FuncOp func, llvm::MapVector<StringAttr, int64_t> &numbers) {
    SmallVector<cf::AssertOp> assertions;
    func.walk([&](cf::AssertOp op) { assertions.push_back(op); });
    if (assertions.empty())
      return success();
    if (!func.getBody().hasOneBlock() || func.getNumResults() != 0)
      return func.emitOpError("has an assertion beside unstructured control flow or results that are values");
    Block &body = func.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    Location loc = func.getLoc();
    auto type = MemRefType::get({}, builder.getI64Type());
    Value slot = memref::AllocaOp::create(builder, loc, type),
          zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    memref::StoreOp::create(builder, loc, zero, slot);

    llvm::SetVector<Operation *> checked; // of the function's block
    for (cf::AssertOp op : assertions) {
      if (failed(guard(builder, op, slot, numbers)))
        return failure();
      checked.insert(body.findAncestorOpInBlock(*op));
      op.erase();
    }
    // From the last on, so that each rest is moved whole.
    SmallVector<Operation *> order = llvm::to_vector(checked);
    order.erase(std::remove(order.begin(), order.end(), nullptr), order.end());
    llvm::sort(order, [](Operation *x, Operation *y) { return y->isBeforeInBlock(x); });
    for (Operation *op : order) {
      if (op->getNextNode() == body.getTerminator())
        continue;
      builder.setInsertionPointAfter(op);
      Value number = memref::LoadOp::create(builder, loc, slot);
      Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number, zero);
      guardRest(builder, holds.getDefiningOp()->getNextNode(), holds, /*withElse=*/false, [](Value) { return Value(); });
    }
    builder.setInsertionPoint(body.getTerminator());
    Value number = memref::LoadOp::create(builder, loc, slot);
    body.getTerminator()->setOperands(number);
    func.setFunctionType(builder.getFunctionType(func.getArgumentTypes(), number.getType()));
    return success();
  }

  // What follows the assertion runs where it holds; elsewhere its number is noted.
  static LogicalResult guard(OpBuilder &builder, cf::AssertOp op, Value slot, llvm::MapVector<StringAttr, int64_t> &numbers) {
    Operation *parent = op->getParentOp();
    if (!op->getParentRegion()->hasOneBlock())
      return op.emitOpError("is in unstructured control flow");
    int64_t number = numbers.insert({builder.getStringAttr(describe(op)), numbers.size() + 1}).first->second;
    unsigned position = 0;
    builder.setInsertionPoint(op);
    scf::IfOp branch = guardRest(builder, op, op.getArg(), /*withElse=*/true,
                                 [&](Value value) { return getNeutral(builder, parent, value, position++); });
    if (!branch)
      return op.emitOpError("is in a branch or loop that yields a buffer");
    builder.setInsertionPointToStart(branch.elseBlock());
    Value noted = arith::ConstantOp::create(builder, op.getLoc(), builder.getI64IntegerAttr(number));
    // Threads may fail at the same time: any of their numbers will do.
    memref::AtomicRMWOp::create(builder, op.getLoc(), arith::AtomicRMWKind::maxu, noted, slot, ValueRange());
    return success();
  }
};

} // namespace
} // namespace mlir::tpp
