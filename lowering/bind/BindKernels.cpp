// Binds each tile op on buffers to a kernel. The kernel descriptor is computed from the operands' static strides. An op without a
// descriptor is lowered to scalar loops, with a remark.
#include "lowering/Passes.h"
#include "lowering/bind/Bind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_BINDKERNELS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;
using namespace mlir::tpp;

bool tpp::isTileOp(Operation *op) { return isa<BrgemmOp, UnaryOp, BinaryOp, ReduceOp>(op); }

namespace {

/// Computes the form (element type, leading dimension, panels, VNNI factor) of operands from their memref types. On failure, `why` keeps
/// the first reason.
class FormReader {
public:
  /// `moved`: elements are only moved, so only their size matters.
  FormReader(MLIRContext *context, std::string &why, bool moved = false) : context(context), why(why), moved(moved) {}

  /// The form of a tile. `rows` and `cols` are those of the operation, before rows are grouped. `vnni` > 1: groups of `vnni` rows are
  /// interleaved.
  MatrixAttr tile(StringRef name, Value operand, int64_t rows, int64_t cols, TileDims dims, int64_t vnni = 0,
                  bool isUnsigned = false) {
    std::optional<ElementType> type = elementType(name, operand, isUnsigned);
    SmallVector<int64_t> strides;
    if (!type || !staticStrides(name, operand, dims.batch, strides))
      return {};
    bool grouped = vnni > 1;
    if (grouped) {
      rows = llvm::divideCeil(rows, vnni);
      if (strides[dims.vnni] != 1)
        return refuse(name, "groups of rows are not contiguous");
    }
    // A row of a VNNI panel holds panel * vnni contiguous elements. `ld` and `panel_stride` still count elements.
    int64_t wantedColStride = grouped ? vnni : 1;
    int64_t ld = rows > 1 ? strides[dims.rows] : 0, colStride = strides[dims.cols];
    if ((rows > 1 && ld == 0) || (cols > 1 && colStride == 0))
      return refuse(name, "it is broadcast: a stride is 0");
    auto shape = cast<MemRefType>(operand.getType()).getShape();
    if (!dims.isPanelled()) {
      if (cols <= 1 || colStride == wantedColStride)
        return form(name, *type, ld, 0, 0, vnni, cols * wantedColStride);
      // Non-unit column stride: described as panels of one column.
      if (grouped)
        return refuse(name, "columns of groups are not contiguous");
      return form(name, *type, ld, 1, colStride, 0, 1);
    }
    int64_t panel = shape[dims.cols];
    if (panel > 1 && colStride != wantedColStride)
      return refuse(name, "columns of a panel are not contiguous");
    if (cols <= panel)
      return form(name, *type, ld, 0, 0, vnni, cols * wantedColStride);
    return form(name, *type, ld, panel, strides[dims.panels], vnni, panel * wantedColStride);
  }

  /// The form of an operand that may be broadcast: a tile, a vector or a single element.
  MatrixAttr broadcast(StringRef name, Value operand, Broadcast broadcast, int64_t rows, int64_t cols) {
    if (broadcast == Broadcast::None)
      return tile(name, operand, rows, cols, getVerifiedTileDims(operand));
    std::optional<ElementType> type = elementType(name, operand, false);
    SmallVector<int64_t> strides;
    if (!type)
      return {};
    if (broadcast == Broadcast::Scalar)
      return MatrixAttr::get(context, *type, 1, 0, 0, 0);
    if (!staticStrides(name, operand, /*dynamicDim=*/-1, strides))
      return {};
    if (strides[0] == 0 && (broadcast == Broadcast::Col ? rows : cols) > 1)
      return refuse(name, "it is broadcast: a stride is 0");
    if (broadcast == Broadcast::Col)
      return form(name, *type, rows > 1 ? strides[0] : 0, 0, 0, 0, 1);
    bool contiguous = cols <= 1 || strides[0] == 1;
    return contiguous ? form(name, *type, 0, 0, 0, 0, cols) : form(name, *type, 0, 1, strides[0], 0, 1);
  }

  /// The batch stride in bytes; 0 without a batch dimension or for a batch of 1.
  std::optional<int64_t> batchStride(StringRef name, Value operand, TileDims dims) {
    auto type = cast<MemRefType>(operand.getType());
    if (dims.batch < 0 || type.getDimSize(dims.batch) == 1)
      return 0;
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(strides[dims.batch])) {
      refuse(name, "its batch stride is not static");
      return std::nullopt;
    }
    return strides[dims.batch] * type.getElementTypeBitWidth() / 8;
  }

private:
  MatrixAttr refuse(StringRef name, const Twine &reason) {
    if (why.empty())
      why = ("operand '" + name + "': " + reason).str();
    return {};
  }

  std::optional<ElementType> elementType(StringRef name, Value operand, bool isUnsigned) {
    Type element = cast<MemRefType>(operand.getType()).getElementType();
    auto type = moved ? getMovedElementType(element) : getElementType(element, isUnsigned);
    if (!type)
      refuse(name, "no kernel has its element type");
    return type;
  }

  /// Gets the strides. All must be static, except that of `dynamicDim` (the batch dimension, which `batchStride` checks; -1: none).
  bool staticStrides(StringRef name, Value operand, int dynamicDim, SmallVector<int64_t> &strides) {
    int64_t offset;
    if (failed(cast<MemRefType>(operand.getType()).getStridesAndOffset(strides, offset))) {
      refuse(name, "its layout has no strides");
      return false;
    }
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (static_cast<int>(dim) != dynamicDim && ShapedType::isDynamic(stride)) {
        refuse(name, "its strides are not static");
        return false;
      }
    return true;
  }

  /// `ld` 0: there is only one row. `ld` becomes its width, the smallest value valid for outputs, whose rows must not overlap.
  MatrixAttr form(StringRef name, ElementType type, int64_t ld, int64_t panel, int64_t panelStride, int64_t vnni, int64_t width) {
    if (ld == 0)
      ld = std::max<int64_t>(width, 1);
    if (ld < 1 || panelStride < 0)
      return refuse(name, "a stride is not positive");
    return MatrixAttr::get(context, type, ld, panel, panelStride, vnni > 1 ? vnni : 0);
  }

  MLIRContext *context;
  std::string &why;
  bool moved;
};

} // namespace

static Attribute describe(BrgemmOp op, Provider provider, FormReader &forms) {
  int64_t m = op.getM(), n = op.getN(), k = op.getK();
  int64_t vnni = op.getBVnni();
  MatrixAttr a = forms.tile("a", op.getA(), m, k, op.getADims(), 0, op.getAUnsigned());
  MatrixAttr b = forms.tile("b", op.getB(), k, n, op.getBDims(), vnni);
  MatrixAttr c = forms.tile("c", op.getC(), m, n, op.getCDims());
  std::optional<int64_t> aStride = forms.batchStride("a", op.getA(), op.getADims());
  std::optional<int64_t> bStride = forms.batchStride("b", op.getB(), op.getBDims());
  if (!a || !b || !c || !aStride || !bStride)
    return {};
  SmallVector<Attribute> postOps;
  auto operand = op.getPostOperands().begin();
  for (PostOpAttr postOp : op.getPostOpList()) {
    if (postOp.isBinary()) {
      MatrixAttr form = forms.broadcast("post", *operand++, postOp.getBroadcast(), m, n);
      if (!form)
        return {};
      postOp = PostOpAttr::get(op.getContext(), postOp.getBinaryKind(), postOp.getBroadcast(), form);
    }
    postOps.push_back(postOp);
  }
  BatchKind batch = op.getBatch() == BatchKind::None ? BatchKind::Stride : op.getBatch();
  return BrgemmDescAttr::get(op.getContext(), m, n, k, a, b, c, batch, op.getBeta(), *aStride, *bStride, provider,
                             op.getStreaming(), postOps.empty() ? ArrayAttr() : ArrayAttr::get(op.getContext(), postOps));
}

std::pair<int64_t, int64_t> tpp::getTileSizes(Value tile, TileDims dims) {
  auto type = cast<MemRefType>(tile.getType());
  return {type.getDimSize(dims.rows), type.getDimSize(dims.cols) * (dims.isPanelled() ? type.getDimSize(dims.panels) : 1)};
}

static Attribute describe(UnaryOp op, Provider provider, FormReader &forms) {
  bool transposes = op.getKind() == UnaryKind::Transpose;
  int64_t vnni = op.getOutDims().vnni >= 0 ? cast<MemRefType>(op.getOut().getType()).getDimSize(op.getOutDims().vnni) : 0;
  // The last group of rows of a VNNI-blocked output may be partial, so the sizes come from the input.
  auto [m, n] = vnni ? getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn())) : getTileSizes(op.getOut(), op.getOutDims());
  MatrixAttr out = forms.tile("out", op.getOut(), m, n, op.getOutDims(), vnni);
  // zero has no input, but the descriptor needs a valid form: that of the output.
  MatrixAttr in = op.getIn() ? forms.broadcast("in", op.getIn(), op.getBroadcast(), transposes ? n : m, transposes ? m : n) : out;
  if (!in || !out)
    return {};
  return UnaryDescAttr::get(op.getContext(), op.getKind(), m, n, in, out, op.getBroadcast(), provider, op.getStreaming(),
                            op.getAlphaAttr());
}

static Attribute describe(BinaryOp op, Provider provider, FormReader &forms) {
  auto [m, n] = getTileSizes(op.getOut(), getVerifiedTileDims(op.getOut()));
  MatrixAttr lhs = forms.broadcast("lhs", op.getLhs(), op.getLhsBroadcast(), m, n);
  MatrixAttr rhs = forms.broadcast("rhs", op.getRhs(), op.getRhsBroadcast(), m, n);
  MatrixAttr out = forms.tile("out", op.getOut(), m, n, getVerifiedTileDims(op.getOut()));
  if (!lhs || !rhs || !out)
    return {};
  return BinaryDescAttr::get(op.getContext(), op.getKind(), m, n, lhs, rhs, out, op.getLhsBroadcast(), op.getRhsBroadcast(),
                             provider);
}

static Attribute describe(ReduceOp op, Provider provider, FormReader &forms) {
  auto [m, n] = getTileSizes(op.getIn(), getVerifiedTileDims(op.getIn()));
  MatrixAttr in = forms.tile("in", op.getIn(), m, n, getVerifiedTileDims(op.getIn()));
  MatrixAttr out =
      forms.broadcast("out", op.getOut(), op.getAxis() == ReduceAxis::OverRows ? Broadcast::Row : Broadcast::Col, m, n);
  if (!in || !out)
    return {};
  return ReduceDescAttr::get(op.getContext(), op.getKind(), op.getAxis(), m, n, in, out, op.getBeta(), provider);
}

FailureOr<Attribute> tpp::getKernelDescriptor(Operation *op, Provider provider, std::string &why) {
  if (!isTileOp(op) || !cast<DestinationStyleOpInterface>(op).hasPureBufferSemantics()) {
    why = "it is not a tile op on buffers";
    return failure();
  }
  auto unary = dyn_cast<UnaryOp>(op);
  bool moved = unary && movesBits(unary.getKind());
  FormReader forms(op->getContext(), why, moved);
  Attribute desc = TypeSwitch<Operation *, Attribute>(op).Case<BrgemmOp, UnaryOp, BinaryOp, ReduceOp>(
      [&](auto tileOp) { return describe(tileOp, provider, forms); });
  if (!desc)
    return failure();
  return desc;
}

/// The number of a brgemm's batch entries.
static Value createBatchCount(RewriterBase &rewriter, BrgemmOp op) {
  Location loc = op.getLoc();
  Value counted = op.getBatch() == BatchKind::Stride   ? op.getA()
                  : op.getBatch() == BatchKind::Offset ? op.getAOffsets()
                                                       : Value();
  if (!counted)
    return arith::ConstantIndexOp::create(rewriter, loc, 1);
  int64_t size = cast<MemRefType>(counted.getType()).getDimSize(0);
  if (!ShapedType::isDynamic(size))
    return arith::ConstantIndexOp::create(rewriter, loc, size);
  return memref::DimOp::create(rewriter, loc, counted, 0);
}

LogicalResult tpp::bindKernel(RewriterBase &rewriter, Operation *op, Provider provider, std::string &why) {
  std::optional<Attribute> desc = getKernelDescriptor(op, provider, why);
  if (!desc)
    return rewriter.notifyMatchFailure(op, why);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  Value kernel = DispatchOp::create(rewriter, loc, KernelType::get(op->getContext()), *desc);
  Value out = cast<DestinationStyleOpInterface>(op).getDpsInits()[0];
  if (auto brgemm = dyn_cast<BrgemmOp>(op)) {
    SmallVector<int64_t> slots;
    for (auto [slot, postOp] : llvm::enumerate(brgemm.getPostOpList()))
      if (postOp.isBinary())
        slots.push_back(slot);
    SmallVector<Value> offsets;
    if (brgemm.getBatch() == BatchKind::Offset)
      offsets = {brgemm.getAOffsets(), brgemm.getBOffsets()};
    InvokeOp::create(rewriter, loc, kernel, ValueRange{brgemm.getA(), brgemm.getB()}, createBatchCount(rewriter, brgemm), offsets,
                     brgemm.getPostOperands(), out, slots.empty() ? DenseI64ArrayAttr() : rewriter.getDenseI64ArrayAttr(slots));
  } else {
    InvokeOp::create(rewriter, loc, kernel, cast<DestinationStyleOpInterface>(op).getDpsInputs(), /*batch=*/Value(),
                     /*offsets=*/ValueRange(), /*post_operands=*/ValueRange(), out, DenseI64ArrayAttr());
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct BindKernels : public tpp::impl::BindKernelsBase<BindKernels> {
  using BindKernelsBase::BindKernelsBase;

  void runOnOperation() override {
    std::optional<Provider> wanted = symbolizeProvider(provider);
    if (!wanted) {
      getOperation().emitError() << "'" << provider << "' is not a provider: use auto, xsmm, native or reference";
      return signalPassFailure();
    }
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isTileOp(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    int64_t scalarLoops = 0;
    for (Operation *op : ops) {
      if (!cast<DestinationStyleOpInterface>(op).hasPureBufferSemantics()) {
        op->emitOpError() << "is on tensors; bufferize before binding kernels";
        return signalPassFailure();
      }
      std::string why;
      if (succeeded(bindKernel(rewriter, op, *wanted, why)))
        continue;
      op->emitRemark() << "no kernel, lowered to scalar loops: " << why;
      if (failed(lowerTppToLoops(rewriter, op)))
        return signalPassFailure();
      ++scalarLoops;
    }
    if (scalarLoops == 0)
      return;
    func::FuncOp func = getOperation();
    auto others = func->getAttrOfType<IntegerAttr>(kScalarLoopsAttr);
    func->setAttr(kScalarLoopsAttr, rewriter.getI64IntegerAttr(scalarLoops + (others ? others.getInt() : 0)));
  }
};
} // namespace
