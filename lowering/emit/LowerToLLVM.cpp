//===- LowerToLLVM.cpp - buffers, kernels and teams to the LLVM dialect ------------------------------------------------------===//
//
// Upstream's conversion patterns under one type converter (bare pointers at function boundaries), and the two operations that are
// ours: a dispatch is a load from the compiled model's handle table, an invocation fills a tpp_args and calls the handle's first
// word.
//
// The argument block is filled by a small internal function for each set of operands, because a stack slot made inside a loop
// would grow the stack with every iteration; LLVM inlines it and moves the slot to the start of the caller.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/emit/KernelDescriptors.h"
#include "tpp/types.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERTOLLVM
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

//===- tpp.dispatch ----------------------------------------------------------------------------------------------------------===//

/// Replaces a dispatch by a load of its slot: the model is { weights, handles... }.
static void lowerDispatch(tpp::DispatchOp dispatch, Value model) {
  OpBuilder builder(dispatch);
  Location loc = dispatch.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  int64_t slot = dispatch->getAttrOfType<IntegerAttr>(tpp::kSlotAttr).getInt();
  Value address = LLVM::GEPOp::create(builder, loc, pointer, pointer, model, ArrayRef<LLVM::GEPArg>{int32_t(1 + slot)});
  auto handle = LLVM::LoadOp::create(builder, loc, pointer, address);
  handle.setInvariant(true);
  Value kernel = UnrealizedConversionCastOp::create(builder, loc, dispatch.getType(), handle.getResult()).getResult(0);
  dispatch.replaceAllUsesWith(kernel);
  dispatch.erase();
}

//===- tpp.invoke ------------------------------------------------------------------------------------------------------------===//

/// The fields of tpp_args.
enum Field { A, B, C, Batch, ABatch, BBatch, Post, BUse };

/// Those that an invocation sets, in the order of its helper's parameters.
static SmallVector<SmallVector<int32_t>> getArgumentFields(tpp::InvokeOp invoke) {
  SmallVector<SmallVector<int32_t>> fields;
  for (size_t i = 0; i < invoke.getInputs().size(); ++i)
    fields.push_back({int32_t(i == 0 ? A : B)});
  if (invoke.getBatch())
    fields.push_back({Batch});
  if (invoke.getBUse())
    fields.push_back({BUse});
  for (size_t i = 0; i < invoke.getOffsets().size(); ++i)
    fields.push_back({int32_t(i == 0 ? ABatch : BBatch)});
  for (size_t i = 0; i < invoke.getPostOperands().size(); ++i)
    fields.push_back({Post, int32_t(invoke.getPostSlots() ? (*invoke.getPostSlots())[i] : i)});
  fields.push_back({C});
  return fields;
}

static std::string getHelperName(tpp::InvokeOp invoke) {
  std::string name = "tpp_invoke";
  for (const SmallVector<int32_t> &field : getArgumentFields(invoke)) {
    static constexpr const char *names[] = {"a", "b", "c", "batch", "a_batch", "b_batch", "post", "b_use"};
    name += std::string("_") + names[field[0]];
    if (field.size() > 1)
      name += std::to_string(field[1]);
  }
  return name;
}

static void createHelper(OpBuilder &builder, tpp::InvokeOp invoke) {
  MLIRContext *context = builder.getContext();
  Location loc = UnknownLoc::get(context);
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto i64 = builder.getI64Type();
  SmallVector<SmallVector<int32_t>> fields = getArgumentFields(invoke);
  SmallVector<Type> parameters = {pointer};
  for (const SmallVector<int32_t> &field : fields)
    parameters.push_back(field[0] == Batch || field[0] == BUse ? Type(i64) : Type(pointer));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), parameters);
  auto helper = LLVM::LLVMFuncOp::create(builder, loc, getHelperName(invoke), type, LLVM::Linkage::Internal);
  helper.setPassthroughAttr(builder.getStrArrayAttr({"alwaysinline", "nounwind"}));

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(helper.addEntryBlock(builder));
  // tpp_args, field by field.
  static_assert(sizeof(tpp_args) == 7 * 8 + TPP_MAX_POST_OPS * 8, "mirror a change of tpp_args here");
  auto block = LLVM::LLVMStructType::getLiteral(
      context, {pointer, pointer, pointer, i64, pointer, pointer, LLVM::LLVMArrayType::get(pointer, TPP_MAX_POST_OPS), i64});
  Value one = LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(1));
  Value args = LLVM::AllocaOp::create(builder, loc, pointer, block, one, 8);
  for (auto [index, field] : llvm::enumerate(fields)) {
    SmallVector<LLVM::GEPArg> path = {0};
    path.append(field.begin(), field.end());
    Value address = LLVM::GEPOp::create(builder, loc, pointer, block, args, path, LLVM::GEPNoWrapFlags::inbounds);
    LLVM::StoreOp::create(builder, loc, helper.getArgument(1 + index), address);
  }
  Value kernel = helper.getArgument(0);
  auto entry = LLVM::LoadOp::create(builder, loc, pointer, kernel);
  entry.setInvariant(true);
  auto entryType = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, pointer});
  LLVM::CallOp::create(builder, loc, entryType, ValueRange{entry, kernel, args});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

namespace {
struct InvokeLowering : public ConvertOpToLLVMPattern<tpp::InvokeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tpp::InvokeOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> arguments = {adaptor.getKernel()};
    auto addBuffers = [&](ValueRange original, ValueRange converted) {
      for (auto [buffer, descriptor] : llvm::zip_equal(original, converted))
        arguments.push_back(
            MemRefDescriptor(descriptor).bufferPtr(rewriter, loc, *getTypeConverter(), cast<MemRefType>(buffer.getType())));
    };
    for (Value operand : op->getOperands())
      if (isa<UnrankedMemRefType>(operand.getType()))
        return rewriter.notifyMatchFailure(op, "operand of unknown rank");
    addBuffers(op.getInputs(), adaptor.getInputs());
    if (op.getBatch())
      arguments.push_back(adaptor.getBatch());
    if (op.getBUse())
      arguments.push_back(adaptor.getBUse());
    addBuffers(op.getOffsets(), adaptor.getOffsets());
    addBuffers(op.getPostOperands(), adaptor.getPostOperands());
    addBuffers(op.getC(), adaptor.getC());
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, TypeRange(), getHelperName(op), arguments);
    return success();
  }
};
} // namespace

//===- functions -------------------------------------------------------------------------------------------------------------===//

namespace {
/// Converts the types in the region of a team; the team stays.
struct TeamLowering : public ConvertOpToLLVMPattern<tpp::TeamOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tpp::TeamOp team, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    if (failed(rewriter.convertRegionTypes(&team.getBody(), *getTypeConverter())))
      return failure();
    rewriter.modifyOpInPlace(team, [] {});
    return success();
  }
};
} // namespace

/// What is true of the pointers a compiled function receives: results and workspace are touched by nobody else, tensor arguments
/// are only read. (`tpp.mutable` marks an argument that was a memref in the model and may be written.)
static void setPointerAttributes(func::FuncOp func) {
  OpBuilder builder(func.getContext());
  UnitAttr unit = builder.getUnitAttr();
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    auto type = dyn_cast<MemRefType>(func.getArgument(i).getType());
    if (!type)
      continue;
    bool workspace = bool(func.getArgAttr(i, tpp::kWorkspaceAttr)), result = bool(func.getArgAttr(i, tpp::kResultAttr));
    bool weights = bool(func.getArgAttr(i, tpp::kWeightsAttr)), isMutable = bool(func.getArgAttr(i, tpp::kMutableAttr));
    if (workspace || result || weights)
      func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    if (!workspace && !result && !isMutable)
      func.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), unit);
    if (workspace)
      func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(64));
    if (type.hasStaticShape() && type.getNumElements() > 0)
      func.setArgAttr(i, LLVM::LLVMDialect::getNonNullAttrName(), unit);
  }
}

/// Upstream passes no buffer without elements as a bare pointer (some of its strides are zero). Nothing of it is ever touched: inside, an
/// empty stack buffer stands for it, and the pointer is passed on as that of an empty vector.
static void replaceEmptyBuffers(func::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || type.getNumElements() != 0)
      continue;
    if (!argument.use_empty())
      argument.replaceAllUsesWith(memref::AllocaOp::create(builder, argument.getLoc(), type).getResult());
    argument.setType(MemRefType::get({0}, type.getElementType()));
  }
  func.setFunctionType(builder.getFunctionType(func.getBody().getArgumentTypes(), func.getResultTypes()));
}

namespace {
struct LowerToLLVM : public tpp::impl::LowerToLLVMBase<LowerToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(prepare(module)))
      return signalPassFailure();

    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter converter(&getContext(), options);
    converter.addConversion([](tpp::KernelType type) { return LLVM::LLVMPointerType::get(type.getContext()); });

    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    SymbolTableCollection symbols;
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    populateVectorToLLVMConversionPatterns(converter, patterns, /*reassociateFPReductions=*/false,
                                           /*force32BitVectorIndices=*/true);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    patterns.add<InvokeLowering, TeamLowering>(converter);

    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    target.addLegalOp<tpp::TeamBarrierOp, tpp::TeamEndOp>(); // tpp-outline-teams
    target.addDynamicallyLegalOp<tpp::TeamOp>([&](tpp::TeamOp team) { return converter.isLegal(&team.getBody()); });
    ConversionConfig config;
    config.allowPatternRollback = false; // a third faster; a pattern that fails has changed nothing
    if (failed(applyFullConversion(module, target, std::move(patterns), config)))
      signalPassFailure();
  }

  /// Model arguments, loads of handles, helpers, and the checks that make the conversion total.
  LogicalResult prepare(ModuleOp module) {
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    llvm::StringMap<tpp::InvokeOp> helpers;
    for (func::FuncOp func : module.getOps<func::FuncOp>()) {
      // A function of another library takes memref descriptors, as code that upstream's pipelines compile does.
      // Functions of scalars that upstream's passes create (with a linkage) need no model.
      if (func.isExternal() || func->hasAttr("llvm.linkage"))
        continue;
      func->setAttr("llvm.bareptr", UnitAttr::get(&getContext()));
      func->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName()); // the C interface is that of tpp-emit-entry-points
      for (BlockArgument argument : func.getArguments())
        if (auto type = dyn_cast<MemRefType>(argument.getType());
            type && !(type.hasStaticShape() && type.getLayout().isIdentity()))
          return func.emitOpError("argument ")
                 << argument.getArgNumber() << " of type " << type << " must have static shape and the identity layout";
      setPointerAttributes(func);
      replaceEmptyBuffers(func);
      if (func.isPublic())
        func->setAttr(tpp::kEntryPointAttr, UnitAttr::get(&getContext()));
      if (failed(func.insertArgument(0, pointer, DictionaryAttr(), func.getLoc())))
        return failure();
      SmallVector<tpp::DispatchOp> dispatches;
      func.walk([&](Operation *op) {
        if (auto dispatch = dyn_cast<tpp::DispatchOp>(op))
          dispatches.push_back(dispatch);
        else if (auto invoke = dyn_cast<tpp::InvokeOp>(op))
          helpers.try_emplace(getHelperName(invoke), invoke);
      });
      for (tpp::DispatchOp dispatch : dispatches) {
        if (!dispatch->hasAttr(tpp::kSlotAttr))
          return dispatch.emitOpError("has no slot; run tpp-place-kernels first");
        lowerDispatch(dispatch, func.getArgument(0));
      }
    }
    SmallVector<StringRef> names(helpers.keys());
    llvm::sort(names);
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    for (StringRef name : names)
      createHelper(builder, helpers.lookup(name));
    return success();
  }
};
} // namespace
