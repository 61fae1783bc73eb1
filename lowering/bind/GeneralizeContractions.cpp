// Turns contractions that no kernel computes into linalg.generic ops, on tensors and on buffers.
#include "lowering/Passes.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/bind/Bind.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_GENERALIZECONTRACTIONS
#include "lowering/Passes.h.inc"

namespace {

// A tensor or a memref, read or written at a map of loops.
struct Access {
  Value value;
  AffineMap map;
};

class Generalizer {
public:
  Generalizer(ContractOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), loc(op.getLoc()), isTensor(isa<RankedTensorType>(op.getInit().getType())) {}

  // Replaces the op. Returns the reason why linalg cannot express it, and changes nothing; null if it was replaced.
  const char *rewrite() {
    SmallVector<AffineMap> maps = op.getMaps();
    for (auto [i, extent] : llvm::enumerate(op.getExtents()))
      if (maps[2].isFunctionOfDim(i))
        kept.push_back(i);
    for (AffineMap map : ArrayRef(maps).drop_front(3))
      for (unsigned i = 0; i < map.getNumDims(); ++i)
        if (map.isFunctionOfDim(i) && !llvm::is_contained(kept, i))
          return "a post-op reads an operand along a reduction";
    rewriter.setInsertionPoint(op);
    bool isEmpty = llvm::any_of(kept, [&](unsigned loop) { return op.getExtents()[loop] == 0; });
    Value result = isEmpty ? op.getInit() : createResult(createSums());
    isTensor ? rewriter.replaceOp(op, result) : rewriter.eraseOp(op);
    return nullptr;
  }

private:
  // The reductions that are not the whole index, up to a constant, of any dimension of A or B. linalg derives extents from such indices.
  SmallVector<unsigned> getUnboundReductions(ArrayRef<AffineMap> maps) {
    SmallVector<unsigned> loops;
    for (unsigned i = 0; i < op.getExtents().size(); ++i) {
      auto isIndexOf = [&](AffineMap map) {
        return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
          auto index = getLoop(expr, map.getNumDims());
          return index && index->loop == i;
        });
      };
      if (!llvm::is_contained(kept, i) && !isIndexOf(maps[0]) && !isIndexOf(maps[1]))
        loops.push_back(i);
    }
    return loops;
  }

  struct ShiftedLoop {
    unsigned loop;
    int64_t offset;
  };
  // The loop and the constant whose sum `expr` is; nullopt if it is something else.
  static std::optional<ShiftedLoop> getLoop(AffineExpr expr, unsigned loops) {
    auto linear = getLinearExpr(expr, loops);
    auto loop = linear ? dyn_cast<AffineDimExpr>(expr - linear->constant) : AffineDimExpr(nullptr);
    return loop ? std::optional(ShiftedLoop{loop.getPosition(), linear->constant}) : std::nullopt;
  }

  // Slices `value` so that each dimension indexed by one loop has that loop's extent, as linalg requires. Returns the slice and its map.
  Access slice(Value value, AffineMap map) {
    auto type = cast<ShapedType>(value.getType());
    SmallVector<OpFoldResult> offsets, sizes, strides(type.getRank(), rewriter.getIndexAttr(1));
    SmallVector<AffineExpr> exprs;
    bool isWhole = true;
    for (auto [result, size] : llvm::zip_equal(map.getResults(), type.getShape())) {
      AffineExpr expr = result;
      int64_t offset = 0, extent = size;
      if (std::optional<ShiftedLoop> index = getLoop(expr, map.getNumDims())) {
        offset = index->offset, extent = op.getExtents()[index->loop];
        expr = rewriter.getAffineDimExpr(index->loop);
      }
      exprs.push_back(expr);
      offsets.push_back(rewriter.getIndexAttr(offset));
      sizes.push_back(rewriter.getIndexAttr(extent));
      isWhole &= offset == 0 && extent == size;
    }
    if (isWhole)
      return {value, map};
    map = AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
    if (isTensor)
      return {tensor::ExtractSliceOp::create(rewriter, loc, value, offsets, sizes, strides), map};
    return {memref::SubViewOp::create(rewriter, loc, value, offsets, sizes, strides), map};
  }

  linalg::GenericOp createGeneric(ArrayRef<Access> inputs, Access output, ArrayRef<utils::IteratorType> iterators,
                                  function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
    SmallVector<Value> values;
    SmallVector<AffineMap> maps;
    for (const Access &input : inputs) {
      values.push_back(input.value);
      maps.push_back(input.map);
    }
    maps.push_back(output.map);
    return linalg::GenericOp::create(rewriter, loc, isTensor ? TypeRange{output.value.getType()} : TypeRange(), values,
                                     output.value, maps, iterators, [&](OpBuilder &builder, Location at, ValueRange arguments) {
                                       linalg::YieldOp::create(builder, at, body(builder, at, arguments));
                                     });
  }

  // Uninitialized memory whose dimensions are `loops`.
  Access createEmpty(ArrayRef<unsigned> loops, Type elementType) {
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> exprs;
    for (unsigned loop : loops) {
      shape.push_back(op.getExtents()[loop]);
      exprs.push_back(rewriter.getAffineDimExpr(loop));
    }
    AffineMap map = AffineMap::get(op.getExtents().size(), 0, exprs, op.getContext());
    if (isTensor)
      return {tensor::EmptyOp::create(rewriter, loc, shape, elementType), map};
    return {memref::AllocOp::create(rewriter, loc, MemRefType::get(shape, elementType)), map};
  }

  // The sums of products in the type of the accumulators; its dimensions are the loops of the result.
  Value createSums() {
    Type accumulator = getAccumulatorType(getElementTypeOrSelf(op.getA()), getElementTypeOrSelf(op.getInit()));
    Access output = createEmpty(kept, accumulator);
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(accumulator));
    auto fill = linalg::FillOp::create(rewriter, loc, zero, output.value);
    if (isTensor)
      output.value = fill.getResult(0);
    if (llvm::is_contained(op.getExtents(), 0))
      return output.value; // the sums of nothing
    SmallVector<utils::IteratorType> iterators;
    for (unsigned i = 0; i < op.getExtents().size(); ++i)
      iterators.push_back(llvm::is_contained(kept, i) ? utils::IteratorType::parallel : utils::IteratorType::reduction);
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<Access> inputs = {slice(op.getA(), maps[0]), slice(op.getB(), maps[1])};
    // An operand that is not read gives these loops their extents, as the window of linalg's poolings does.
    if (SmallVector<unsigned> unbound = getUnboundReductions(maps); !unbound.empty())
      inputs.push_back(createEmpty(unbound, accumulator));
    auto generic = createGeneric(inputs, output, iterators, [&](OpBuilder &builder, Location at, ValueRange arguments) {
      Value a = convertScalar(builder, at, arguments[0], accumulator, op.getAUnsigned());
      Value b = convertScalar(builder, at, arguments[1], accumulator, op.getBUnsigned());
      Value product = createBinary(builder, at, BinaryKind::Mul, a, b);
      return createBinary(builder, at, BinaryKind::Add, arguments.back(), product);
    });
    return isTensor ? generic.getResult(0) : output.value;
  }

  // Adds the initial value, applies the post-ops and rounds. The loops are those of the result.
  Value createResult(Value sums) {
    SmallVector<AffineExpr> replacements(op.getExtents().size(), rewriter.getAffineConstantExpr(0));
    for (auto [i, loop] : llvm::enumerate(kept))
      replacements[loop] = rewriter.getAffineDimExpr(i);
    auto toKept = [&](AffineMap map) { return map.replaceDimsAndSymbols(replacements, {}, kept.size(), 0); };
    SmallVector<Access> inputs = {{sums, rewriter.getMultiDimIdentityMap(kept.size())}};
    SmallVector<AffineMap> maps = op.getMaps();
    for (auto [operand, map] : llvm::zip_equal(op.getPostOperands(), ArrayRef(maps).drop_front(3))) {
      Access access = slice(operand, map);
      inputs.push_back({access.value, toKept(access.map)});
    }
    SmallVector<PostOpAttr> postOps = llvm::to_vector(op.getPostOps().getAsRange<PostOpAttr>());
    SmallVector<utils::IteratorType> iterators(kept.size(), utils::IteratorType::parallel);
    Access output = slice(op.getInit(), maps[2]);
    auto generic = createGeneric(
        inputs, {output.value, toKept(output.map)}, iterators, [&](OpBuilder &builder, Location at, ValueRange arguments) {
          Value sum = arguments[0], init = arguments.back();
          if (op.getBeta() == 1)
            sum = createBinary(builder, at, BinaryKind::Add, convertScalar(builder, at, init, sum.getType(), op.getCUnsigned()),
                               sum);
          sum = applyPostOps(builder, at, postOps, sum, [&](unsigned operand, Broadcast) { return arguments[1 + operand]; });
          return convertScalar(builder, at, sum, init.getType(), op.getCUnsigned());
        });
    if (!isTensor)
      return {};
    Value result = generic.getResult(0);
    if (auto part = output.value.getDefiningOp<tensor::ExtractSliceOp>(); part && output.value != op.getInit())
      result = tensor::InsertSliceOp::create(rewriter, loc, result, op.getInit(), part.getMixedOffsets(), part.getMixedSizes(),
                                             part.getMixedStrides());
    return result;
  }

  ContractOp op;
  RewriterBase &rewriter;
  Location loc;
  bool isTensor;
  SmallVector<unsigned> kept; // the loops of the result
};

// Whether brgemm would compute one column for each call: every dimension of C that B has, A has too.
bool isDepthwise(const ContractionInfo &contraction) {
  return contraction.columnDim && contraction.dims[*contraction.columnDim].getRole() == DimensionRole::Batch &&
         contraction.getExtent(DimensionRole::Column) == 1;
}

struct GeneralizeContractions : public impl::GeneralizeContractionsBase<GeneralizeContractions> {
  using GeneralizeContractionsBase::GeneralizeContractionsBase;

  void runOnOperation() override {
    SmallVector<ContractOp> ops;
    getOperation().walk([&](ContractOp op) {
      if (llvm::is_contained(op.getExtents(), 0)) { // kernels take no empty tiles
        ops.push_back(op);
        return;
      }
      if (op.getGrouped())
        return;
      // Dynamic shapes are reported by tpp-tile-contractions.
      auto contraction = getContractionInfo(op, getTarget(op));
      if (!contraction)
        return;
      bool isLaidOut = laidOut || !op.getResult(); // the layouts of buffers are fixed
      if (isLaidOut && isDepthwise(*contraction)) {
        ops.push_back(op);
        return;
      }
      bool hasKernel = hasBrgemmKernel(*contraction);
      if (hasKernel && isLaidOut && !hasKernelLayouts(*contraction))
        op.emitRemark("becomes vector code: its operands cannot have the layouts that kernels of its element types need");
      else if (hasKernel)
        return;
      ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : ops)
      if (const char *reason = Generalizer(op, rewriter).rewrite())
        op.emitRemark("cannot become vector code: ") << reason;
  }
};

} // namespace
} // namespace mlir::tpp
