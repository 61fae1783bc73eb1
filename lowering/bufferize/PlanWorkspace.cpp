//===- PlanWorkspace.cpp - gives every intermediate buffer an offset in one workspace ----------------------------------------===//
//
// A steady-state call of a compiled model allocates nothing: all its buffers are in one block that the caller passes in. Buffers that are never
// live at the same time share memory, which also keeps a deep model's activations in cache.
//
// Lifetimes are intervals over the operations of the function, numbered in program order with nested operations inside their parents. A buffer
// lives from its first to its last user in the block of its allocation. If a user is nested in a loop of that block, the buffer lives during the
// whole loop. A buffer allocated inside a loop holds no data at the start of an iteration. Two buffers with disjoint intervals therefore
// never hold data at the same time, even if one of them is allocated inside a loop.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/bufferize/CarriedBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PLANWORKSPACE
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
/// One dimension of a parallel loop with constant bounds.
struct LoopDim {
  Value iv;
  int64_t from = 0, step = 1, trips = 0;
};

struct Buffer {
  memref::AllocOp alloc;
  Operation *parallel = nullptr; // outermost parallel loop around the allocation
  SmallVector<LoopDim> dims;     // of the parallel loop
  int64_t bytes = 0;             // of one instance
  int64_t instances = 1;         // iterations of the parallel loop
  int64_t alignment = tpp::kSegmentAlignment;
  int64_t first = 0, last = -1; // program positions; last < first if the buffer is never used
  int64_t offset = 0;
  bool ofRows = false; // holds one element per row (sums, maxima)

  int64_t extent() const { return llvm::alignTo(bytes, alignment) * instances; }
};

/// Program positions: for every operation its own position and that of the last operation nested in it.
struct Positions {
  explicit Positions(func::FuncOp func) {
    int64_t next = 0;
    number(func, next);
  }
  DenseMap<Operation *, std::pair<int64_t, int64_t>> of;

private:
  void number(Operation *op, int64_t &next) {
    int64_t first = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &nested : block)
          number(&nested, next);
    of[op] = {first, next - 1};
  }
};
} // namespace

static Operation *outermostParallelLoop(Operation *op) {
  Operation *found = nullptr;
  for (; op && !isa<func::FuncOp>(op); op = op->getParentOp())
    if (isa<scf::ForallOp, scf::ParallelOp>(op))
      found = op;
  return found;
}

/// The dimensions of a parallel loop; nullopt if a bound is not constant.
static std::optional<SmallVector<LoopDim>> getConstantDims(Operation *loop) {
  auto like = cast<LoopLikeOpInterface>(loop);
  std::optional<SmallVector<Value>> ivs = like.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lowers = like.getLoopLowerBounds(), uppers = like.getLoopUpperBounds(),
                                           steps = like.getLoopSteps();
  if (!ivs || !lowers || !uppers || !steps)
    return std::nullopt;
  SmallVector<LoopDim> dims;
  for (auto [iv, l, u, s] : llvm::zip_equal(*ivs, *lowers, *uppers, *steps)) {
    std::optional<int64_t> from = getConstantIntValue(l), to = getConstantIntValue(u), by = getConstantIntValue(s);
    if (!from || !to || !by || *by <= 0)
      return std::nullopt;
    dims.push_back({iv, *from, *by, std::max<int64_t>(0, llvm::divideCeilSigned(*to - *from, *by))});
  }
  return dims;
}

/// The linear index of the current iteration among all iterations of a parallel loop.
static Value linearIteration(OpBuilder &builder, Location loc, ArrayRef<LoopDim> dims) {
  Value linear = arith::ConstantIndexOp::create(builder, loc, 0);
  for (const LoopDim &dim : dims) {
    Value trips = arith::ConstantIndexOp::create(builder, loc, dim.trips);
    Value start = arith::ConstantIndexOp::create(builder, loc, dim.from);
    Value step = arith::ConstantIndexOp::create(builder, loc, dim.step);
    Value trip = arith::DivUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, dim.iv, start), step);
    linear = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, linear, trips), trip);
  }
  return linear;
}

/// Limits for buffers that do not share memory. A buffer with one element per row saves little memory by sharing. If a row's sum reused the
/// memory of the row's maximum, loops over the same rows could also not be fused (FuseRowLoops.cpp). A row has at least `leastRow` elements. A
/// buffer of one element per row does not share memory up to 1/leastRow of the bytes of the largest buffer, other buffers up to 1/smallShare.
constexpr int64_t leastRow = 32, smallShare = 256;

/// True if `use` accesses one element in at least `leastRow` iterations: the sum of a row, or the divisor of all elements of a row.
static bool isOfRows(OpOperand &use) {
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!op)
    return false;
  AffineMap map = op.getMatchingIndexingMap(&use);
  int64_t elements = 1;
  for (auto [dim, range] : llvm::enumerate(op.getStaticLoopRanges()))
    elements *= map.isFunctionOfDim(dim) ? 1 : range;
  return elements >= leastRow;
}

/// Sets the interval in which `buffer` holds data, and `ofRows`. A buffer that a branch yields lives in the block around the branch. A buffer that
/// a loop carries from one iteration to the next would need a second instance and is refused.
static LogicalResult computeLifetime(Buffer &buffer, const BufferViewFlowAnalysis &aliases, const Positions &positions) {
  SmallVector<Operation *> users;
  for (Value alias : aliases.resolve(buffer.alloc.getResult())) {
    llvm::copy_if(alias.getUsers(), std::back_inserter(users), [](Operation *user) { return !isa<memref::DeallocOp>(user); });
    buffer.ofRows |= llvm::any_of(alias.getUses(), isOfRows);
  }
  Block *block = buffer.alloc->getBlock();
  auto escapes = [&](Operation *user) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    return !ancestor || ancestor->hasTrait<OpTrait::IsTerminator>();
  };
  while (llvm::any_of(users, escapes)) {
    Operation *parent = block->getParentOp();
    if (isa<LoopLikeOpInterface, FunctionOpInterface>(parent))
      return buffer.alloc->emitOpError(
          "escapes the loop or function it is made in; only buffers of one iteration can be planned");
    block = parent->getBlock();
  }
  for (Operation *user : users) {
    auto [first, last] = positions.of.lookup(block->findAncestorOpInBlock(*user));
    bool isFirst = buffer.last < buffer.first;
    buffer.first = isFirst ? first : std::min(buffer.first, first);
    buffer.last = isFirst ? last : std::max(buffer.last, last);
  }
  return success();
}

/// Best fit, largest buffers first: each buffer goes into the smallest sufficient gap between placed buffers that it must not overlap. Buffers
/// that are small compared with `largest` bytes share memory with no other. Returns the total bytes.
static int64_t assignOffsets(MutableArrayRef<Buffer> buffers, int64_t largest) {
  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::sort(order, [](Buffer *a, Buffer *b) { return a->extent() != b->extent() ? a->extent() > b->extent() : a < b; });

  auto shares = [&](const Buffer &buffer) { return buffer.extent() > largest / (buffer.ofRows ? leastRow : smallShare); };
  int64_t total = 0;
  SmallVector<Buffer *> placed;
  for (Buffer *buffer : order) {
    int64_t best = -1, bestGap = 0, end = 0;
    for (Buffer *other : placed) { // in order of offset
      if (shares(*buffer) && shares(*other) && (buffer->first > other->last || other->first > buffer->last))
        continue;
      int64_t start = llvm::alignTo(end, buffer->alignment), gap = other->offset - start;
      if (gap >= buffer->extent() && (best < 0 || gap < bestGap)) {
        best = start;
        bestGap = gap;
      }
      end = std::max(end, other->offset + other->extent());
    }
    buffer->offset = best >= 0 ? best : llvm::alignTo(end, buffer->alignment);
    total = std::max(total, buffer->offset + buffer->extent());
    placed.insert(llvm::upper_bound(placed, buffer, [](Buffer *a, Buffer *b) { return a->offset < b->offset; }), buffer);
  }
  return total;
}

/// Bytes of the largest buffer or memref argument, not counting weights.
static int64_t findLargest(func::FuncOp func, ArrayRef<Buffer> buffers) {
  int64_t largest = 0;
  for (const Buffer &buffer : buffers)
    largest = std::max(largest, buffer.extent());
  for (BlockArgument argument : func.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()); type && !func.getArgAttr(argument.getArgNumber(), tpp::kWeightAttr))
      largest = std::max(largest, tpp::getBufferBytes(type).value_or(0));
  return largest;
}

namespace {
struct PlanWorkspace : public tpp::impl::PlanWorkspaceBase<PlanWorkspace> {
  using PlanWorkspaceBase::PlanWorkspaceBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    for (func::FuncOp func : module.getOps<func::FuncOp>())
      if (!func.isExternal() && failed(plan(func, users)))
        return signalPassFailure();
  }

  LogicalResult plan(func::FuncOp func, const SymbolUserMap &users) {
    if (!func.getBody().hasOneBlock())
      return func.emitOpError("has unstructured control flow: its buffers cannot be planned");
    for (Operation *user : users.getUsers(func))
      if (isa<CallOpInterface>(user))
        return user->emitOpError("calls function @")
               << func.getSymName() << ", which needs a workspace of its own: inline calls first";

    func.walk([](memref::DeallocOp dealloc) { dealloc.erase(); });
    tpp::placeCarriedBuffers(func);
    Positions positions(func);
    BufferViewFlowAnalysis aliases(func);
    SmallVector<Buffer> buffers;
    DenseMap<Operation *, int64_t> stackBytes;
    WalkResult collected = func.walk([&](memref::AllocOp alloc) {
      Buffer buffer;
      if (failed(describe(alloc, buffer)) || failed(computeLifetime(buffer, aliases, positions)))
        return WalkResult::interrupt();
      // Small buffers go to the stack, from where LLVM may promote them to registers.
      int64_t &stack = stackBytes[buffer.parallel];
      if (buffer.bytes <= maxStackBuffer && stack + buffer.bytes <= maxStack) {
        stack += llvm::alignTo(buffer.bytes, tpp::kSegmentAlignment);
        moveToStack(func, buffer);
      } else {
        buffers.push_back(buffer);
      }
      return WalkResult::advance();
    });
    if (collected.wasInterrupted())
      return failure();
    for (Buffer &buffer : buffers) {
      if (!buffer.parallel)
        continue;
      // Iterations run concurrently: each has its own instance, and all instances live as long as the loop.
      std::optional<SmallVector<LoopDim>> dims = getConstantDims(buffer.parallel);
      if (!dims)
        return buffer.alloc->emitOpError("needs ")
               << buffer.bytes << " bytes in each iteration of a parallel loop whose bounds are "
               << "not constant";
      buffer.dims = *dims;
      for (const LoopDim &dim : buffer.dims)
        buffer.instances *= dim.trips;
      std::tie(buffer.first, buffer.last) = positions.of.lookup(buffer.parallel);
    }

    int64_t total = assignOffsets(buffers, findLargest(func, buffers));
    addWorkspace(func, total, buffers);
    return success();
  }

  static LogicalResult describe(memref::AllocOp alloc, Buffer &buffer) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape())
      return alloc.emitOpError("has a size that is not known at compile time; shapes must be static");
    if (!type.getLayout().isIdentity())
      return alloc.emitOpError("has a layout other than the identity");
    std::optional<int64_t> bytes = tpp::getBufferBytes(type);
    if (!bytes)
      return alloc.emitOpError("has elements without a known size, or more bytes than fit an address space");
    buffer.alignment = std::max<int64_t>(buffer.alignment, alloc.getAlignment().value_or(0));
    buffer.alloc = alloc;
    buffer.parallel = outermostParallelLoop(alloc);
    buffer.bytes = *bytes;
    return success();
  }

  /// The block for the buffer's view or stack allocation, outside of all sequential loops: the body of its parallel loop or of the function.
  static Block *home(func::FuncOp func, const Buffer &buffer) {
    return buffer.parallel ? &buffer.parallel->getRegion(0).front() : &func.getBody().front();
  }

  static void moveToStack(func::FuncOp func, Buffer &buffer) {
    OpBuilder builder = OpBuilder::atBlockBegin(home(func, buffer));
    Value stack = memref::AllocaOp::create(builder, buffer.alloc.getLoc(), buffer.alloc.getType(),
                                           builder.getI64IntegerAttr(buffer.alignment));
    buffer.alloc.getResult().replaceAllUsesWith(stack);
    buffer.alloc.erase();
  }

  /// Bytes from the workspace's start to the first address that is a multiple of `alignment`. Callers align the workspace to kSegmentAlignment.
  static Value alignWorkspace(func::FuncOp func, Value workspace, int64_t alignment) {
    OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
    Location loc = func.getLoc();
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, workspace);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
          mask = arith::ConstantIndexOp::create(builder, loc, alignment - 1);
    return arith::AndIOp::create(builder, loc, arith::SubIOp::create(builder, loc, zero, address), mask);
  }

  static void addWorkspace(func::FuncOp func, int64_t total, MutableArrayRef<Buffer> buffers) {
    OpBuilder builder(func.getContext());
    int64_t alignment = tpp::kSegmentAlignment;
    for (const Buffer &buffer : buffers)
      alignment = std::max(alignment, buffer.alignment);
    total += alignment - tpp::kSegmentAlignment;
    auto type = MemRefType::get({total}, builder.getI8Type());
    unsigned index = func.getNumArguments();
    // Inserting an argument cannot fail for a func.func.
    (void)func.insertArgument(index, type,
                              builder.getDictionaryAttr({builder.getNamedAttr(tpp::kWorkspaceAttr, builder.getUnitAttr())}),
                              func.getLoc());
    func->setAttr(tpp::kWorkspaceBytesAttr, builder.getI64IntegerAttr(total));
    Value workspace = func.getArgument(index);
    Value base = alignment > tpp::kSegmentAlignment ? alignWorkspace(func, workspace, alignment) : Value();

    DenseMap<Operation *, Value> iterations;
    for (Buffer &buffer : buffers) {
      Location loc = buffer.alloc.getLoc();
      Block *block = home(func, buffer);
      builder.setInsertionPointToStart(block);
      if (base && block == base.getParentBlock())
        builder.setInsertionPointAfterValue(base);
      Value offset;
      if (buffer.parallel) {
        Value &iteration = iterations[buffer.parallel];
        if (!iteration)
          iteration = linearIteration(builder, buffer.parallel->getLoc(), buffer.dims);
        builder.setInsertionPointAfterValue(iteration);
        Value extent = arith::ConstantIndexOp::create(builder, loc, buffer.extent() / std::max<int64_t>(1, buffer.instances));
        Value start = arith::ConstantIndexOp::create(builder, loc, buffer.offset);
        offset = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, iteration, extent), start);
      } else {
        // Insert the view at the position of the allocation, so that the IR stays in program order.
        if (buffer.alloc->getBlock() == block)
          builder.setInsertionPoint(buffer.alloc);
        offset = arith::ConstantIndexOp::create(builder, loc, buffer.offset);
      }
      if (base)
        offset = arith::AddIOp::create(builder, loc, base, offset);
      Value view = memref::ViewOp::create(builder, loc, buffer.alloc.getType(), workspace, offset, ValueRange());
      buffer.alloc.getResult().replaceAllUsesWith(view);
      buffer.alloc.erase();
    }
  }
};
} // namespace
