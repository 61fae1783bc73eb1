// Lowers tpp.contract with Winograd's filters on buffers to loops over blocks of tiles: transform, multiply, transform back.
//
// WinogradBlocking.h chooses the blocks; this file emits them.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/WinogradBlocking.h"
#include "lowering/tile/ImagePostOps.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/TileEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_TILEWINOGRAD
#include "lowering/Passes.h.inc"

namespace {

// Emits the loops of one convolution.
class WinogradTiler {
public:
  WinogradTiler(ContractOp op, const ContractionInfo &contraction, const WinogradConvolution &convolution,
                const WinogradBlocking &blocking, int64_t threads, RewriterBase &rewriter)
      : op(op), contraction(contraction), convolution(convolution), blocking(blocking), rewriter(rewriter), loc(op.getLoc()),
        threads(threads), tile(blocking.tile), points(getWinogradPoints(tile)), k(convolution.k.extent), n(convolution.n.extent),
        blockHeight(std::min(blocking.rows * tile, convolution.height.extent)),
        blockWidth(std::min(blocking.columns * tile, convolution.width.extent)),
        blockRows(llvm::divideCeil(convolution.height.extent, blockHeight)),
        blockColumns(llvm::divideCeil(convolution.width.extent, blockWidth)), blocks(blockRows * blockColumns) {
    for (const ContractionDim &dim : convolution.images)
      blocks *= dim.extent;
    groups = blocking.shared ? 1 : std::min(threads, blocks);
    if (op.getPadded()) {
      imageRows = getImageRange(convolution.height, convolution.heightTap);
      imageColumns = getImageRange(convolution.width, convolution.widthTap);
    }
    choosePanels();
  }

  void emit() {
    emitConsecutive(
        rewriter, loc, blocks, groups, blocking.inputNs + blocking.productNs + blocking.outputNs, [&] { allocate(); },
        [&](ArrayRef<Value> ivs, AffineExpr block) { emitBlock(ivs, block); });
  }

private:
  // One call for all panels prefetches each panel while it multiplies the one before. Calls for one panel are faster otherwise
  // (docs/decisions/winograd.md).
  void choosePanels() {
    if (blocking.waitsForFilters)
      panelsOfTask = cast<MemRefType>(op.getB().getType()).getDimSize(1);
  }

  using Offsets = SmallVector<AffineExpr>; // of the operands of the contraction, in elements
  using Windows = SmallVector<std::pair<int64_t, Window>>;

  // The part of a dimension of the image that exists: `extent` pixels. The first output begins to read at pixel `start`.
  struct ImageRange {
    int64_t start = 0, extent = std::numeric_limits<int64_t>::max();
  };
  ImageRange getImageRange(const ContractionDim &dim, unsigned tap) {
    std::optional<ImageDim> image = getImageDim(op.getMaps()[0], op.getExtents(), dim.index, tap);
    if (!image)
      return {};
    return {image->start, cast<ShapedType>(op.getA().getType()).getDimSize(image->position)};
  }

  //===- loops ---------------------------------------------------------------------------------------------------------------===//

  // The iterations of one step of a block: a parallel loop of `counts` if the threads share the block, else sequential loops. `body` gets one induction
  // variable for each count.
  void emitStep(ArrayRef<int64_t> counts, double workNs, function_ref<void(ValueRange)> body) {
    if (!blocking.shared) {
      SmallVector<Value> ivs;
      OpBuilder::InsertionGuard guard(rewriter);
      for (int64_t count : counts) {
        auto loop = scf::ForOp::create(rewriter, loc, constant(0), constant(count), constant(1));
        ivs.push_back(loop.getInductionVar());
        rewriter.setInsertionPointToStart(loop.getBody());
      }
      return body(ivs);
    }
    auto forall =
        scf::ForallOp::create(rewriter, loc, getAsIndexOpFoldResult(rewriter.getContext(), counts), ValueRange(), std::nullopt);
    setWork(forall, workNs / static_cast<double>(blocks));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(forall.getTerminator());
    body(SmallVector<Value>(forall.getInductionVars()));
  }

  void setWork(scf::ForallOp forall, double ns) {
    forall->setAttr(kWorkNsAttr, rewriter.getI64IntegerAttr(std::max<int64_t>(1, static_cast<int64_t>(ns))));
  }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); }

  //===- blocks --------------------------------------------------------------------------------------------------------------===//

  // The scratch buffers of one block.
  void allocate() {
    int64_t tiles = blocking.rows * blocking.columns;
    auto make = [&](int64_t stride) {
      auto type = MemRefType::get({points * getWinogradStride(tiles * stride)}, rewriter.getF32Type());
      return memref::AllocOp::create(rewriter, loc, type, rewriter.getI64IntegerAttr(kSegmentAlignment)).getResult();
    };
    pixels = make(blocking.pixelStride), products = make(blocking.productStride);
  }

  void emitBlock(ArrayRef<Value> ivs, AffineExpr block) {
    Offsets offsets;
    for (const ContractionInfo::Operand &operand : contraction.operands)
      offsets.push_back(rewriter.getAffineConstantExpr(operand.offset));
    auto move = [&](const ContractionDim &dim, AffineExpr index) {
      for (auto [offset, stride] : llvm::zip_equal(offsets, dim.strides))
        offset = offset + index * stride;
    };
    AffineExpr column = blockColumns == 1 ? rewriter.getAffineConstantExpr(0) : block % blockColumns;
    AffineExpr rest = block.floorDiv(blockColumns);
    AffineExpr row = blockRows == 1 ? rewriter.getAffineConstantExpr(0) : rest % blockRows;
    rest = rest.floorDiv(blockRows);
    for (const ContractionDim &dim : llvm::reverse(convolution.images)) {
      move(dim, rest % dim.extent);
      rest = rest.floorDiv(dim.extent);
    }
    move(convolution.height, row * blockHeight);
    move(convolution.width, column * blockWidth);
    Value rowNumber = blockRows == 1 ? Value() : evaluateIndex(rewriter, loc, row, ivs),
          columnNumber = blockColumns == 1 ? Value() : evaluateIndex(rewriter, loc, column, ivs);
    emitBlocks(rewriter, loc, rowNumber, blockHeight, convolution.height.extent, [&](int64_t height) {
      emitBlocks(rewriter, loc, columnNumber, blockWidth, convolution.width.extent,
                 [&](int64_t width) { emitSteps(offsets, ivs, {row, columnNumber, height, width}); });
    });
  }

  // A block: which of those of an image, and its outputs. A null `column` means that there is only one column of blocks.
  struct Block {
    AffineExpr row;
    Value column;
    int64_t height, width;
  };

  // The three steps of a block.
  void emitSteps(const Offsets &offsets, ArrayRef<Value> ivs, const Block &block) {
    rows = llvm::divideCeil(block.height, tile), columns = llvm::divideCeil(block.width, tile);
    auto rowIv = [&](ValueRange inner) { return rows == 1 ? Value() : inner[0]; };
    Windows rowWindows = getRowWindows(block.height), columnWindows = getColumnWindows(block.width);
    emitTransforms(
        k, blocking.inputNs,
        [&](AffineExpr row, AffineExpr channel, ValueRange inner, int64_t channels) {
          SmallVector<Value> symbols = combine(ivs, inner);
          Value out = makePoints(pixels, blocking.pixelStride, row, channel, ivs, inner, channels);
          Value rowOfImage =
              blockRows == 1 ? rowIv(inner) : evaluateIndex(rewriter, loc, block.row * blocking.rows + row, symbols);
          emitWindows(rewriter, loc, rowOfImage, rowWindows, [&](Window vertical) {
            emitWindows(rewriter, loc, block.column, columnWindows, [&](Window horizontal) {
              AffineExpr first = offset(offsets, 0, row, channel, 1) + vertical.before * convolution.height.a() +
                                 horizontal.before * convolution.width.a();
              if (vertical.size == 0 || horizontal.size == 0) // an empty view has no place in the image
                first = rewriter.getAffineConstantExpr(0);
              Value image = makeView(0, first, symbols, {vertical.size, horizontal.size, channels},
                                     {convolution.height.a(), convolution.width.a(), 1});
              WinogradInputOp::create(rewriter, loc, tile, image, out, vertical.before, horizontal.before);
            });
          });
        },
        ivs.size());
    emitProducts(ivs);
    emitTransforms(
        n, blocking.outputNs,
        [&](AffineExpr row, AffineExpr channel, ValueRange inner, int64_t channels) {
          Value in = makePoints(products, blocking.productStride, row, channel, ivs, inner, channels);
          SmallVector<Value> symbols = combine(ivs, inner);
          emitBlocks(rewriter, loc, rowIv(inner), rows == 1 ? block.height : tile, block.height, [&](int64_t outputs) {
            SmallVector<int64_t> sizes = {outputs, block.width, channels};
            Value image = makeView(2, offset(offsets, 2, row, channel, 1), symbols, sizes,
                                   {convolution.height.c(), convolution.width.c(), 1});
            auto getStrides = [&](unsigned i) {
              return ImageStrides{convolution.height.strides[i], convolution.width.strides[i], convolution.n.strides[i]};
            };
            ImagePostOps post = makeImagePostOps(
                contraction, sizes, getStrides, [&](unsigned i, ArrayRef<int64_t> extents, ArrayRef<int64_t> strides) {
                  return makeView(i, offset(offsets, i, row, channel, convolution.n.strides[i]), symbols, extents, strides);
                });
            WinogradOutputOp::create(rewriter, loc, tile, in, image, rewriter.getArrayAttr(post.postOps), post.operands);
          });
        },
        ivs.size());
  }

  // What rows of tiles read of an image's rows, in all blocks of `height` outputs. Rows of tiles are counted from the first one of the image.
  Windows getRowWindows(int64_t height) const {
    Windows windows;
    for (int64_t block = 0; block < blockRows; ++block) {
      if (std::min(blockHeight, convolution.height.extent - block * blockHeight) != height)
        continue;
      for (int64_t row = 0; row * tile < height; ++row) {
        int64_t outputs = std::min(tile, height - row * tile), start = imageRows.start + block * blockHeight + row * tile;
        windows.emplace_back(block * blocking.rows + row, getWindow(start, outputs + 2, imageRows.extent));
      }
    }
    return windows;
  }
  // What blocks of `width` outputs read of a row.
  Windows getColumnWindows(int64_t width) const {
    Windows windows;
    for (int64_t block = 0; block < blockColumns; ++block)
      if (std::min(blockWidth, convolution.width.extent - block * blockWidth) == width)
        windows.emplace_back(block, getWindow(imageColumns.start + block * blockWidth, width + 2, imageColumns.extent));
    return windows;
  }

  // The transforms of a block's rows of tiles: `body` gets the row, the first channel, the induction variables that both depend on (symbols from
  // `symbol` on; the first is the row, unless there is only one), and the number of channels.
  void emitTransforms(int64_t channels, double workNs, function_ref<void(AffineExpr, AffineExpr, ValueRange, int64_t)> body,
                      unsigned symbol) {
    // If the threads share the block, there are enough tasks for each of them; their channels are whole cache lines.
    constexpr int64_t line = 16;
    int64_t parts = blocking.shared ? std::min(llvm::divideCeil(2 * threads, rows), llvm::divideCeil(channels, line)) : 1;
    int64_t part = parts == 1 ? channels : llvm::alignTo(llvm::divideCeil(channels, parts), line);
    parts = llvm::divideCeil(channels, part);
    AffineExpr row = rewriter.getAffineSymbolExpr(symbol), channel = rewriter.getAffineSymbolExpr(symbol + 1) * part;
    emitStep({rows, parts}, workNs, [&](ValueRange inner) {
      emitBlocks(rewriter, loc, parts == 1 ? Value() : inner[1], part, channels,
                 [&](int64_t count) { body(row, channel, inner, count); });
    });
  }

  // products[point] = pixels[point] * filters[point], for one point and `panelsOfTask` panels of the filters after the other.
  void emitProducts(ArrayRef<Value> ivs) {
    int64_t panels = cast<MemRefType>(op.getB().getType()).getDimSize(1),
            panel = cast<MemRefType>(op.getB().getType()).getDimSize(3);
    int64_t tasks = llvm::divideCeil(panels, panelsOfTask), width = panelsOfTask * panel, tiles = rows * columns;
    AffineExpr point = rewriter.getAffineSymbolExpr(0), task = rewriter.getAffineSymbolExpr(1);
    emitStep({points, tasks}, blocking.productNs, [&](ValueRange inner) {
      emitBlocks(rewriter, loc, tasks == 1 ? Value() : inner[1], tasks == 1 ? n : width, n, [&](int64_t count) {
        SmallVector<int64_t> sizes = {k, count}, strides = {panel, 1};
        if (count > panel)
          sizes = {static_cast<int64_t>(llvm::divideCeil(count, panel)), k, panel}, strides = {k * panel, panel, 1};
        Value a = makeStridedView(rewriter, loc, pixels, point * getWinogradStride(tiles * blocking.pixelStride), inner,
                                  {tiles, k}, {blocking.pixelStride, 1});
        Value b = makeStridedView(rewriter, loc, op.getB(), (point * panels + task * panelsOfTask) * (k * panel), inner, sizes,
                                  strides);
        Value c =
            makeStridedView(rewriter, loc, products, point * getWinogradStride(tiles * blocking.productStride) + task * width,
                            inner, {tiles, count}, {blocking.productStride, 1});
        BrgemmOp::create(rewriter, loc, a, b, c, ArrayRef<int64_t>{tiles, count, k}, BatchKind::None, /*beta=*/false);
      });
    });
  }

  //===- views ---------------------------------------------------------------------------------------------------------------===//

  static SmallVector<Value> combine(ArrayRef<Value> ivs, ValueRange inner) {
    SmallVector<Value> symbols(ivs);
    llvm::append_range(symbols, inner);
    return symbols;
  }

  // The offset of operand `i` at a row of tiles and a channel, whose stride in the operand is `channelStride`.
  AffineExpr offset(const Offsets &offsets, unsigned i, AffineExpr row, AffineExpr channel, int64_t channelStride) {
    return offsets[i] + row * (tile * convolution.height.strides[i]) + channel * channelStride;
  }

  Value makeView(unsigned i, AffineExpr offset, ArrayRef<Value> symbols, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
    return makeStridedView(rewriter, loc, op->getOperand(contraction.getOpOperand(i)), offset, symbols, sizes, strides);
  }

  // The points of a row of tiles in a scratch buffer.
  Value makePoints(Value buffer, int64_t stride, AffineExpr row, AffineExpr channel, ArrayRef<Value> ivs, ValueRange inner,
                   int64_t channels) {
    return makeStridedView(rewriter, loc, buffer, row * (columns * stride) + channel, combine(ivs, inner),
                           {points, columns, channels}, {getWinogradStride(rows * columns * stride), stride, 1});
  }

  ContractOp op;
  const ContractionInfo &contraction;
  const WinogradConvolution &convolution;
  const WinogradBlocking &blocking;
  RewriterBase &rewriter;
  Location loc;
  int64_t threads, tile, points, k, n;
  int64_t blockHeight, blockWidth, blockRows, blockColumns; // outputs of a block; blocks of an image
  int64_t blocks;                                           // of all images
  int64_t groups = 1;                                       // of consecutive blocks, one for each thread
  int64_t panelsOfTask = 1;                                 // panels of filters that one brgemm multiplies with
  ImageRange imageRows, imageColumns;
  int64_t rows = 0, columns = 0; // tiles of the current block
  Value pixels, products;        // scratch buffers: [point][tile of the block][channel]
};

struct TileWinograd : public impl::TileWinogradBase<TileWinograd> {
  using TileWinogradBase::TileWinogradBase;

  void runOnOperation() override {
    if (failed(tileEach(
            getOperation(), threads, [](ContractOp op) { return op.getWinograd().has_value(); },
            [&](ContractOp op, int64_t team, RewriterBase &rewriter) { return tile(op, team, rewriter); })))
      signalPassFailure();
  }

  LogicalResult tile(ContractOp op, int64_t team, RewriterBase &rewriter) {
    std::optional<ContractionInfo> contraction = getWinogradInfo(op, getTarget(op));
    std::optional<WinogradConvolution> convolution = contraction ? matchWinogradConvolution(*contraction) : std::nullopt;
    auto strides = getStaticStrides(cast<ShapedType>(op.getB().getType()));
    if (!convolution || !strides || *strides != getRowMajorStrides(cast<ShapedType>(op.getB().getType()).getShape()))
      return op.emitOpError(
          "has Winograd's filters, but is no 3 x 3 convolution of stride 1 with contiguous channels and filters");
    int64_t panel = cast<ShapedType>(op.getB().getType()).getDimSize(3);
    if (op.getPadded())
      for (auto [dim, tap] :
           {std::pair(convolution->height, convolution->heightTap), std::pair(convolution->width, convolution->widthTap)})
        if (std::optional<ImageDim> image = getImageDim(op.getMaps()[0], op.getExtents(), dim.index, tap);
            !image || image->step != 1)
          return op.emitOpError("is padded, but its outputs are not neighbouring pixels of an image with rows and columns");
    WinogradBlocking blocking = chooseWinogradBlocking(*contraction, *convolution, op.getWinograd().value_or(0), panel, team);
    rewriter.setInsertionPoint(op);
    WinogradTiler(op, *contraction, *convolution, blocking, team, rewriter).emit();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace
} // namespace mlir::tpp
