// Data movement of random programs (Ops.h): transposes, broadcasts, reshapes, padding and concatenation.
#include "Ops.h"

#include <algorithm>

namespace tpp::fuzz {

static std::string listedGroups(const std::vector<std::vector<int>> &groups) {
  std::string text = "[";
  for (const std::vector<int> &group : groups)
    text += (text.size() > 1 ? ", " : "") + listed(group);
  return text + "]";
}

int addTranspose(Program &program, int input, const std::vector<int> &permutation) {
  const Tensor &x = program.tensor(input);
  Shape shape;
  for (int dim : permutation)
    shape.push_back(x.shape[dim]);
  Tensor result(x.type, shape);
  // Dimension permutation[i] of the input is indexed by loop i.
  Map map(x.shape.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    map[permutation[i]] = static_cast<int>(i);
  moveElements(shape, accessOf(map, x.shape, shape.size()), Access{rowMajorStrides(shape)}, x, result);
  Node::Printer print = [=, like = Tensor(x.type, shape),
                         from = x.typeText()](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    std::string init = emitter.empty(like);
    emitter.stream() << "    " << name << " = linalg.transpose ins(" << names[0] << " : " << from << ") outs(" << init << " : "
                     << like.typeText() << ") permutation = " << listed(permutation) << "\n";
  };
  return program.operation("transpose", std::move(result), {input}, std::move(print));
}

int addBroadcast(Program &program, int input, const Shape &shape, const std::vector<int> &addedDims) {
  const Tensor &x = program.tensor(input);
  Tensor result(x.type, shape);
  Map map;
  for (size_t i = 0; i < shape.size(); ++i)
    if (std::find(addedDims.begin(), addedDims.end(), static_cast<int>(i)) == addedDims.end())
      map.push_back(static_cast<int>(i));
  moveElements(shape, accessOf(map, x.shape, shape.size()), Access{rowMajorStrides(shape)}, x, result);
  Node::Printer print = [=, like = Tensor(x.type, shape),
                         from = x.typeText()](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    std::string init = emitter.empty(like);
    emitter.stream() << "    " << name << " = linalg.broadcast ins(" << names[0] << " : " << from << ") outs(" << init << " : "
                     << like.typeText() << ") dimensions = " << listed(addedDims) << "\n";
  };
  return program.operation("broadcast", std::move(result), {input}, std::move(print));
}

static int addReshape(Program &program, const char *what, int input, const Shape &shape,
                      const std::vector<std::vector<int>> &groups) {
  const Tensor &x = program.tensor(input);
  Tensor result = x;
  result.shape = shape;
  bool expands = shape.size() > x.shape.size();
  std::string from = x.typeText(), to = result.typeText();
  Node::Printer print = [=](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    emitter.stream() << "    " << name << " = tensor." << what << " " << names[0] << " " << listedGroups(groups)
                     << (expands ? " output_shape " + listed(shape) : "") << " : " << from << " into " << to << "\n";
  };
  return program.operation(what, std::move(result), {input}, std::move(print));
}

int addExpand(Program &program, int input, const Shape &shape, const std::vector<std::vector<int>> &groups) {
  return addReshape(program, "expand_shape", input, shape, groups);
}

int addCollapse(Program &program, int input, const std::vector<std::vector<int>> &groups) {
  Shape shape;
  for (const std::vector<int> &group : groups) {
    shape.push_back(1);
    for (int dim : group)
      shape.back() *= program.tensor(input).shape[dim];
  }
  return addReshape(program, "collapse_shape", input, shape, groups);
}

int addPad(Program &program, int input, const Shape &low, const Shape &high, double value) {
  const Tensor &x = program.tensor(input);
  Shape shape(x.shape);
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] += low[i] + high[i];
  Tensor result(x.type, shape);
  value = roundTo(value, x.type);
  std::fill(result.value.begin(), result.value.end(), value);
  moveElements(x.shape, Access{rowMajorStrides(x.shape)}, slicedAccess(shape, low, Shape(shape.size(), 1)), x, result);
  Node::Printer print = [=, type = x.type, from = x.typeText(),
                         to = result.typeText()](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    std::string scalar = emitter.scalar(value, type), indices;
    for (size_t i = 0; i < low.size(); ++i)
      indices += (i ? ", " : "") + name + "i" + std::to_string(i) + ": index";
    emitter.stream() << "    " << name << " = tensor.pad " << names[0] << " low" << listed(low) << " high" << listed(high)
                     << " {\n    ^bb0(" << indices << "):\n      tensor.yield " << scalar << " : " << typeName(type)
                     << "\n    } : " << from << " to " << to << "\n";
  };
  return program.operation("pad", std::move(result), {input}, std::move(print));
}

int addConcat(Program &program, int dim, const std::vector<int> &inputs) {
  Shape shape = program.tensor(inputs[0]).shape;
  shape[dim] = 0;
  for (int input : inputs)
    shape[dim] += program.tensor(input).shape[dim];
  Tensor result(program.tensor(inputs[0]).type, shape);
  Shape offsets(shape.size(), 0);
  std::string types;
  for (int input : inputs) {
    const Tensor &x = program.tensor(input);
    moveElements(x.shape, Access{rowMajorStrides(x.shape)}, slicedAccess(shape, offsets, Shape(shape.size(), 1)), x, result);
    offsets[dim] += x.shape[dim];
    types += (types.empty() ? "" : ", ") + x.typeText();
  }
  Node::Printer print = [=, to = result.typeText()](Emitter &emitter, llvm::ArrayRef<std::string> names,
                                                    const std::string &name) {
    emitter.stream() << "    " << name << " = tensor.concat dim(" << dim << ") ";
    for (size_t i = 0; i < names.size(); ++i)
      emitter.stream() << (i ? ", " : "") << names[i];
    emitter.stream() << " : (" << types << ") -> " << to << "\n";
  };
  return program.operation("concat", std::move(result), inputs, std::move(print));
}

} // namespace tpp::fuzz
