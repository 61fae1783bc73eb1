// Draws functions on tensors: which ops are computed together, which layout each value has, and which data is still moved.
//
// There is one node for each contraction of the program (even if it is computed in several parts), for each move, and for each group of
// other ops with a single result used outside the group (a softmax, a normalization). A reshape or slice is part of an edge: the label
// shows the shape that the user reads. Constants and ops that only prepare a buffer are omitted.
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

// Ops whose result is their operand, or a part of it, with another shape.
bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp>(op);
}

// Ops that get no node: constants, ops on scalars, buffers to write to.
bool isHidden(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp, linalg::FillOp>(op) ||
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

//===- the text of a node ------------------------------------------------------------------------------------------------------===//

// "convolution 3x3, stride 2" if an operand's map adds a loop of the output and a reduction loop (the tap); else "contraction".
std::string getContractionTitle(ContractOp op) {
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
    return "contraction";
  return "convolution " + taps + (strides.empty() ? "" : ", stride " + strides);
}

// "12 x (128 x 64 x 32)": batch x (rows x columns x reduction size). A batch of 1 is omitted.
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
    // The kind: "add" of "#tpp.post_op<binary add row, ...>".
    StringRef parameters = StringRef(text).split('<').second.split(' ').second;
    names +=
        (names.empty() ? "then " : ", ") + parameters.take_until([](char c) { return c == ' ' || c == '>' || c == ','; }).str();
  }
  return names;
}

// The names of the ops that a group computes with, each once: "sub, exp, div".
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
    drawing.layouts = {"the program's layout"};
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

  // Collects the ops that compute with a value, directly or through views.
  static void collectUsers(Value value, llvm::SetVector<Operation *> &users) {
    for (Operation *user : value.getUsers()) {
      if (isView(user))
        collectUsers(user->getResult(0), users);
      else
        users.insert(user);
    }
  }

  // Called for each op, from the last to the first. An op joins the group of its users if they all are in the same group; else it starts
  // a new group.
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

  // If `op` computes a part of a contraction of the program: the insertion of its result, which has the same location. Else null.
  static tensor::InsertSliceOp getInsertOfPart(Operation *op) {
    if (!isa<ContractOp>(op) || !op->hasOneUse())
      return {};
    auto insert = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
    return insert && insert.getSource() == op->getResult(0) && insert.getLoc() == op->getLoc() ? insert : tensor::InsertSliceOp();
  }

  // Whether `user` inserts into the result of `insert`. Such a chain of insertions is one concatenation.
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

  // The node that computes a value, directly or through views; nullopt for constants and buffers without content.
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
      notes = describeContraction(group, node);
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

  // Describes a contraction, or the parts of one by the largest part. Returns further text for the tooltip.
  static std::string describeContraction(ArrayRef<Operation *> group, Drawing::Node &node) {
    auto parts = llvm::map_to_vector(llvm::make_filter_range(group, llvm::IsaPred<ContractOp>),
                                     [](Operation *op) { return cast<ContractOp>(op); });
    int64_t flops = 0;
    ContractOp largest = parts.front();
    for (ContractOp part : parts) {
      flops += part.getFlops();
      if (part.getFlops() > largest.getFlops())
        largest = part;
    }
    node.kind = Drawing::Kind::Contraction;
    node.lines = {getContractionTitle(largest), getProductSize(largest), getPostOps(largest)};
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

  // Describes a pad or a concatenation. Only copies of constants and arguments count as moves. A computed source may be computed in
  // place; bufferization decides that later.
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
  llvm::DenseMap<Operation *, SmallVector<Operation *>> groups; // of each root: the group's ops in program order
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
      llvm::Expected<Drawing> drawing = drawLayouts(func);
      if (!drawing)
        return func.emitOpError(llvm::toString(drawing.takeError()));
      place(*drawing);
      drawings.push_back(std::move(*drawing));
    }
    if (drawings.empty())
      return getOperation().emitError("there is no function to draw");
    if (llvm::Error error = writeFile(file, [&](raw_ostream &stream) { writeSvg(drawings, stream); }))
      return getOperation().emitError(llvm::toString(std::move(error)));
    return success();
  }
};

} // namespace

llvm::Expected<Drawing> drawLayouts(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return llvm::createStringError("has unstructured control flow, which is not drawn");
  bool hasTensors = func.walk([](Operation *op) {
                          return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ? WalkResult::interrupt()
                                                                                                : WalkResult::advance();
                        })
                        .wasInterrupted();
  if (!hasTensors)
    return llvm::createStringError("has no tensors: run tpp-layout-graph after tpp-default-tensors, before bufferization");
  return GraphBuilder(func).build();
}

} // namespace mlir::tpp
