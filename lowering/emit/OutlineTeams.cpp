//===- OutlineTeams.cpp - the regions of teams to functions that the runtime's threads call ------------------------------------===//
//
// What a region uses of its surroundings is stored to a structure on the stack of the thread that starts the team. Constants are repeated in
// the function instead.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_OUTLINETEAMS
#include "lowering/Passes.h.inc"

namespace {

// The declaration of a function of the runtime.
LLVM::LLVMFuncOp declare(ModuleOp module, StringRef name, ArrayRef<Type> parameters) {
  if (auto existing = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return existing;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto none = LLVM::LLVMVoidType::get(module.getContext());
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(none, parameters));
}

// Repeats in the region the constants that it uses, and returns the other values that are defined outside of it.
SmallVector<Value> captureValues(TeamOp team) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(team.getBody(), used);
  SmallVector<Value> captured;
  OpBuilder builder = OpBuilder::atBlockBegin(&team.getBody().front());
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (op && (op->hasTrait<OpTrait::ConstantLike>() || isa<LLVM::AddressOfOp>(op)))
      replaceAllUsesInRegionWith(value, builder.clone(*op)->getResult(0), team.getBody());
    else
      captured.push_back(value);
  }
  return captured;
}

struct OutlineTeams : public impl::OutlineTeamsBase<OutlineTeams> {
  void runOnOperation() override {
    SmallVector<TeamOp> teams;
    getOperation().walk([&](TeamOp team) { teams.push_back(team); });
    for (auto [i, team] : llvm::enumerate(teams))
      outline(team, i);
  }

  void outline(TeamOp team, size_t number) {
    Location loc = team.getLoc();
    auto parent = team->getParentOfType<LLVM::LLVMFuncOp>();
    OpBuilder builder(team);
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i32 = builder.getI32Type(), i64 = builder.getI64Type();
    SmallVector<Value> captured = captureValues(team);
    auto frame = LLVM::LLVMStructType::getLiteral(&getContext(), llvm::to_vector(ValueRange(captured).getTypes()));
    auto field = [&](OpBuilder &at, Value base, size_t index) {
      return LLVM::GEPOp::create(at, loc, pointer, frame, base, ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    };

    // void f(void *frame, tpp_team *team, int32_t thread, int32_t threads)
    OpBuilder outside(&getContext());
    outside.setInsertionPointAfter(parent);
    auto function = LLVM::LLVMFuncOp::create(
        outside, loc, (parent.getName() + "_team" + Twine(number)).str(),
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), {pointer, pointer, i32, i32}),
        LLVM::Linkage::Internal);
    function.setDsoLocal(true);
    function.setPassthroughAttr(builder.getStrArrayAttr({"nounwind"}));
    UnitAttr unit = builder.getUnitAttr();
    for (StringRef attribute : {LLVM::LLVMDialect::getNoAliasAttrName(), LLVM::LLVMDialect::getReadonlyAttrName()})
      function.setArgAttr(0, attribute, unit);
    Block *entry = function.addEntryBlock(outside);
    OpBuilder inside = OpBuilder::atBlockEnd(entry);
    for (auto [i, value] : llvm::enumerate(captured)) {
      auto load = LLVM::LoadOp::create(inside, loc, value.getType(), field(inside, entry->getArgument(0), i));
      replaceAllUsesInRegionWith(value, load, team.getBody());
    }
    SmallVector<Value> numbers;
    for (unsigned i : {2, 3})
      numbers.push_back(LLVM::ZExtOp::create(inside, loc, i64, entry->getArgument(i)));
    for (Operation &op : llvm::make_early_inc_range(team.getBody().getOps()))
      lowerTeamOp(&op, entry->getArgument(1), pointer);
    Block *first = &team.getBody().front();
    function.getBody().getBlocks().splice(function.getBody().end(), team.getBody().getBlocks());
    for (auto [argument, value] : llvm::zip_equal(first->getArguments(), numbers))
      argument.replaceAllUsesWith(value);
    first->eraseArguments(0, 2);
    entry->getOperations().splice(entry->end(), first->getOperations());
    first->erase();

    OpBuilder start = OpBuilder::atBlockBegin(&parent.getBody().front());
    Value one = LLVM::ConstantOp::create(start, loc, i64, start.getI64IntegerAttr(1));
    Value storage = LLVM::AllocaOp::create(start, loc, pointer, frame, one);
    for (auto [i, value] : llvm::enumerate(captured))
      LLVM::StoreOp::create(builder, loc, value, field(builder, storage, i));
    Value threads = LLVM::ConstantOp::create(builder, loc, i32, team.getThreadsAttr());
    Value address = LLVM::AddressOfOp::create(builder, loc, function);
    LLVM::CallOp::create(builder, loc, declare(getOperation(), "tpp_run_team", {i32, pointer, pointer}),
                         ValueRange{threads, address, storage});
    team.erase();
  }

  void lowerTeamOp(Operation *op, Value team, Type pointer) {
    OpBuilder builder(op);
    if (isa<TeamBarrierOp>(op))
      LLVM::CallOp::create(builder, op->getLoc(), declare(getOperation(), "tpp_team_barrier", {pointer}), team);
    else if (isa<TeamEndOp>(op))
      LLVM::ReturnOp::create(builder, op->getLoc(), ValueRange());
    else
      return;
    op->erase();
  }
};

} // namespace
} // namespace mlir::tpp
