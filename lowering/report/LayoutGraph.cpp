// Draws a function on tensors: what is computed together, which layout each value has, and what is still moved.
//
// One node for each contraction of the program (however many parts it is computed in), for each move, and for each group of other ops that
// only one value leaves (a softmax, a normalization); reshapes and slices are edges with another shape, constants and what only prepares a
// buffer are left out.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Moves.h"
#include "lowering/report/Drawing.h"
#include "lowering/report/MoveReport.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LAYOUTGRAPH
#include "lowering/Passes.h.inc"

namespace {

std::string getTypeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  StringRef shape = text;
  if (shape.consume_front("tensor<"))
    shape.consume_back(">");
  return shape.str();
}

std::string getOpName(Operation *op) { return op->getName().stripDialect().str(); }

// What shows a value, or part of it, under another shape.
bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp>(op);
}

// What makes no value of its own: constants, scalars, buffers to write to.
bool isHidden(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp, linalg::FillOp>(op) ||
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

//===- what is written into a node ---------------------------------------------------------------------------------------------===//

// "convolution 3x3, stride 2" by the sums of a loop of the output and a tap in an operand's map; "product" without.
std::string getProductTitle(ContractOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  std::string taps, strides;
  for (unsigned operand : {0u, 1u}) {
    for (AffineExpr expr : maps[operand].getResults()) {
      int64_t tap = 0, stride = 0;
      for (auto [loop, extent] : llvm::enumerate(op.getExtents())) {
        if (!expr.isFunctionOfDim(loop))
          continue;
        if (!maps[2].isFunctionOfDim(loop))
          tap = extent;
        else if (auto linear = getLinearExpr(expr, op.getExtents().size()); linear && !maps[1 - operand].isFunctionOfDim(loop))
          stride = linear->coefficients[loop];
      }
      if (tap > 1 && stride > 0) {
        taps += (taps.empty() ? "" : "x") + std::to_string(tap);
        if (stride > 1)
          strides = std::to_string(stride);
      }
    }
  }
  if (taps.empty())
    return "product";
  return "convolution " + taps + (strides.empty() ? "" : ", stride " + strides);
}

// "12 x (128 x 64 x 32)": rows, columns and sums, as often as the batch says.
std::string getProductSize(ContractOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  int64_t batch = 1, rows = 1, columns = 1, sums = 1;
  for (auto [loop, extent] : llvm::enumerate(op.getExtents())) {
    bool inA = maps[0].isFunctionOfDim(loop), inB = maps[1].isFunctionOfDim(loop);
    (!maps[2].isFunctionOfDim(loop) ? sums : inA && inB ? batch : inB ? columns : rows) *= extent;
  }
  std::string size = llvm::formatv("{0} x {1} x {2}", rows, columns, sums);
  return batch == 1 ? size : llvm::formatv("{0} x ({1})", batch, size).str();
}

std::string getPostOps(ContractOp op) {
  std::string names;
  for (Attribute attr : op.getPostOps()) {
    auto postOp = cast<PostOpAttr>(attr);
    std::string text;
    llvm::raw_string_ostream(text) << postOp;
    // "#tpp.post_op<binary add row, ...>": the kind.
    StringRef parameters = StringRef(text).split('<').second.split(' ').second;
    names +=
        (names.empty() ? "then " : ", ") + parameters.take_until([](char c) { return c == ' ' || c == '>' || c == ','; }).str();
  }
  return names;
}

// The computing ops of a group, each once: "sub, exp, div".
std::string getBodyNames(ArrayRef<Operation *> group) {
  llvm::SetVector<StringRef> names;
  for (Operation *op : group) {
    if (!isa<linalg::GenericOp>(op)) {
      names.insert(op->getName().stripDialect());
      continue;
    }
    for (Operation &inner : op->getRegion(0).front().without_terminator()) {
      StringRef name = inner.getName().stripDialect();
      if (isa_and_present<FloatType>(inner.getNumResults() == 1 ? inner.getResult(0).getType() : Type()))
        name.consume_back("f");
      names.insert(name);
    }
  }
  return llvm::join(names, ", ");
}

//===- the graph -----------------------------------------------------------------------------------------------------------------===//

class GraphBuilder {
public:
  explicit GraphBuilder(func::FuncOp func) : func(func) {}

  Drawing build() {
    drawing.layouts = {"in the program's order"};
    for (Operation &op : llvm::reverse(func.getBody().front()))
      addToGroup(&op);
    for (auto [i, argument] : llvm::enumerate(func.getArguments()))
      if (isa<TensorType>(argument.getType()) && !func.getArgAttr(i, kWeightAttr) && !argument.use_empty())
        nodeOf[argument] =
            addNode({Drawing::Kind::Value, {"argument " + std::to_string(i), getTypeText(argument.getType())}, "", 0});
    for (Operation &op : func.getBody().front()) {
      if (isa<func::ReturnOp>(op))
        addResults(&op);
      else if (groups.count(&op))
        addOp(&op);
    }
    drawing.title = llvm::formatv("@{0}: {1} nodes, {2} of them moves, {3} bytes read and written", func.getName(),
                                  drawing.nodes.size(), moves, bytes);
    return std::move(drawing);
  }

private:
  static bool isGroupable(Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    return structured && !isHidden(op) && !describeMove(op);
  }

  // The ops that compute with a value, seen through views.
  static void collectUsers(Value value, llvm::SetVector<Operation *> &users) {
    for (Operation *user : value.getUsers()) {
      if (isView(user))
        collectUsers(user->getResult(0), users);
      else
        users.insert(user);
    }
  }

  // From the last op to the first: an op joins the group of its users when they are all in one, else it begins its own.
  void addToGroup(Operation *op) {
    if (isHidden(op) || isView(op) || isa<func::ReturnOp>(op))
      return;
    Operation *root = op;
    auto insert = dyn_cast<tensor::InsertSliceOp>(op);
    if (isGroupable(op) || insert) {
      llvm::SetVector<Operation *> users;
      for (Value result : op->getResults())
        collectUsers(result, users);
      Operation *common = nullptr;
      for (Operation *user : users) {
        auto it = rootOf.find(user);
        bool joins = it != rootOf.end() && (insert ? isPartOf(insert, user) : isGroupable(it->second));
        if (!joins || (common && common != it->second)) {
          common = nullptr;
          break;
        }
        common = it->second;
      }
      if (common)
        root = common;
    }
    if (auto insert = getInsertOfPart(op); insert && rootOf.count(insert))
      root = rootOf[insert];
    rootOf[op] = root;
    groups[root].insert(groups[root].begin(), op);
  }

  // The insertion of a contraction's result that stands for a part of the program's contraction; null for whole ones.
  static tensor::InsertSliceOp getInsertOfPart(Operation *op) {
    if (!isa<ContractOp>(op) || !op->hasOneUse())
      return {};
    auto insert = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
    return insert && insert.getSource() == op->getResult(0) && insert.getLoc() == op->getLoc() ? insert : tensor::InsertSliceOp();
  }

  // Insertions one after the other are one concatenation.
  static bool isPartOf(tensor::InsertSliceOp insert, Operation *user) {
    auto next = dyn_cast<tensor::InsertSliceOp>(user);
    return next && next.getDest() == insert.getResult();
  }

  unsigned addNode(Drawing::Node node) {
    drawing.nodes.push_back(std::move(node));
    return drawing.nodes.size() - 1;
  }

  unsigned getLayout(StringRef text) {
    if (text.empty())
      return 0;
    auto it = llvm::find(drawing.layouts, text);
    if (it == drawing.layouts.end())
      it = drawing.layouts.insert(it, text.str());
    return it - drawing.layouts.begin();
  }

  // The node that a value comes from, seen through views; nullopt for constants and buffers without content.
  std::optional<unsigned> getSource(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isView(op))
        break;
      value = op->getOperand(0);
    }
    auto it = nodeOf.find(value);
    return it == nodeOf.end() ? std::nullopt : std::optional<unsigned>(it->second);
  }

  void addEdge(Value value, unsigned to) {
    auto from = getSource(value);
    if (!from || *from == to ||
        llvm::any_of(drawing.edges, [&](const Drawing::Edge &edge) { return edge.from == *from && edge.to == to; }))
      return;
    drawing.edges.emplace_back();
    drawing.edges.back().from = *from;
    drawing.edges.back().to = to;
    drawing.edges.back().label = getTypeText(value.getType());
  }

  void addResults(Operation *terminator) {
    for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
      if (isa<TensorType>(value.getType()))
        addEdge(value, addNode({Drawing::Kind::Value, {"result " + std::to_string(i)}, "", 0}));
  }

  void addOp(Operation *root) {
    ArrayRef<Operation *> group = groups[root];
    unsigned id = addNode(describe(root, group));
    for (Operation *op : group) {
      for (Value result : op->getResults())
        nodeOf[result] = id;
      for (Value operand : op->getOperands())
        addEdge(operand, id);
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (inner != op && operand.getParentBlock() == root->getBlock())
            addEdge(operand, id);
      });
    }
  }

  Drawing::Node describe(Operation *root, ArrayRef<Operation *> group) {
    Drawing::Node node{Drawing::Kind::Compute, {}, "", 0};
    std::string notes;
    if (LayoutAttr layout = getNotedLayout(root->getLoc()); layout && !layout.isIdentity())
      node.layout = getLayout(getLayoutText(layout));
    if (llvm::any_of(group, llvm::IsaPred<ContractOp>)) {
      notes = describeProduct(group, node);
    } else if (std::optional<Move> move = describeMove(root)) {
      describeAsMove(*move, node);
      notes = getWord(move->reason).str() + ": " + move->note;
      if (!move->layout.empty() && move->what == "pack")
        node.layout = getLayout(move->layout);
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(root)) {
      describeInsertion(insert, group, node);
    } else if (isa<linalg::LinalgOp>(root)) {
      bool reduces = llvm::any_of(group, [](Operation *op) { return cast<linalg::LinalgOp>(op).getNumReductionLoops() > 0; });
      node.lines = {reduces ? "reduction" : "elementwise", getBodyNames(group)};
    } else {
      node.lines = {getOpName(root)};
    }
    node.lines.push_back(getLocationText(root->getLoc(), /*shortened=*/true));
    llvm::erase_if(node.lines, [](const std::string &line) { return line.empty(); });
    node.tooltip = getTypeText(root->getResult(0).getType()) + (notes.empty() ? "" : "\n" + notes);
    return node;
  }

  // A contraction, or the parts of one: the largest stands for all. Returns what is told besides.
  static std::string describeProduct(ArrayRef<Operation *> group, Drawing::Node &node) {
    auto parts = llvm::map_to_vector(llvm::make_filter_range(group, llvm::IsaPred<ContractOp>),
                                     [](Operation *op) { return cast<ContractOp>(op); });
    int64_t flops = 0;
    ContractOp largest = parts.front();
    for (ContractOp part : parts) {
      flops += part.getFlops();
      if (part.getFlops() > largest.getFlops())
        largest = part;
    }
    node.kind = Drawing::Kind::Product;
    node.lines = {getProductTitle(largest), getProductSize(largest), getPostOps(largest)};
    if (parts.size() > 1)
      node.lines.push_back(llvm::formatv("the largest of {0} parts", parts.size()));
    return llvm::formatv("{0} GFLOP, A {1}, B {2}", flops * 1e-9, getTypeText(largest.getA().getType()),
                         getTypeText(largest.getB().getType()));
  }

  void describeAsMove(const Move &move, Drawing::Node &node) {
    node.kind = Drawing::Kind::Move;
    node.lines = {move.what, std::to_string(move.bytes) + " bytes, " + getWord(move.reason).str(), move.layout};
    ++moves;
    bytes += move.bytes;
  }

  // A pad or a concatenation. Constants and what the caller gives are copied; what is computed may be computed in its place: that is decided
  // later.
  void describeInsertion(tensor::InsertSliceOp root, ArrayRef<Operation *> group, Drawing::Node &node) {
    std::string what = getMoveRemark(root.getLoc()).what;
    node.lines = {what.empty() ? "insert" : what};
    Move move;
    move.what = node.lines.front();
    for (Operation *op : group) {
      auto insert = cast<tensor::InsertSliceOp>(op);
      auto from = getSource(insert.getSource());
      bool isArgument = from && drawing.nodes[*from].kind == Drawing::Kind::Value;
      if (isArgument)
        move.reason = MoveReason::Edge;
      if (isArgument || !from)
        move.bytes += 2 * getBufferBytes(insert.getSourceType()).value_or(0);
    }
    if (move.bytes > 0)
      describeAsMove(move, node);
  }

  func::FuncOp func;
  Drawing drawing;
  llvm::DenseMap<Operation *, Operation *> rootOf;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> groups; // by root, in the program's order
  llvm::DenseMap<Value, unsigned> nodeOf;
  int64_t moves = 0, bytes = 0;
};

struct LayoutGraph : public impl::LayoutGraphBase<LayoutGraph> {
  using LayoutGraphBase::LayoutGraphBase;

  LogicalResult initializeOptions(StringRef options, function_ref<LogicalResult(const Twine &)> errorHandler) override {
    return LayoutGraphBase::initializeOptions(nameFileOption(options), errorHandler);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run() {
    if (file.empty())
      return getOperation().emitError("tpp-layout-graph needs a file: --tpp-layout-graph=FILE.svg");
    std::vector<Drawing> drawings;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal() || isPrepack(func))
        continue;
      if (!func.getBody().hasOneBlock())
        return func.emitOpError("has unstructured control flow, which is not drawn");
      bool hasTensors = func.walk([](Operation *op) {
                              return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ? WalkResult::interrupt()
                                                                                                    : WalkResult::advance();
                            })
                            .wasInterrupted();
      if (!hasTensors)
        return func.emitOpError("has no tensors: the drawing stands behind tpp-default-tensors, before bufferization");
      drawings.push_back(GraphBuilder(func).build());
      place(drawings.back());
    }
    if (drawings.empty())
      return getOperation().emitError("there is no function to draw");
    if (llvm::Error error = writeFile(file, [&](raw_ostream &stream) { writeSvg(drawings, stream); }))
      return getOperation().emitError(llvm::toString(std::move(error)));
    return success();
  }
};

} // namespace
} // namespace mlir::tpp
