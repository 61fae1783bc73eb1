// Data movement, and blocks of matrix operations in the form that exporters write (Generator.h).
#include "Generator.h"

#include <cmath>

namespace tpp::fuzz {

int Generator::transpose(int x) {
  size_t rank = tensor(x).shape.size();
  if (rank < 2)
    return -1;
  std::vector<int> permutation = identityMap(rank);
  random.shuffle(permutation);
  return addTranspose(program, x, permutation);
}

int Generator::expand(int x) {
  Shape shape = tensor(x).shape, result;
  if (shape.empty() || shape.size() >= maxRank)
    return -1;
  size_t split = random.below(static_cast<int64_t>(shape.size()));
  int64_t outer = divisorOf(shape[split]);
  std::vector<std::vector<int>> groups;
  for (size_t i = 0; i < shape.size(); ++i) {
    int at = static_cast<int>(result.size());
    groups.push_back(i == split ? std::vector<int>{at, at + 1} : std::vector<int>{at});
    result.push_back(i == split ? outer : shape[i]);
    if (i == split)
      result.push_back(shape[i] / outer);
  }
  return addExpand(program, x, result, groups);
}

int Generator::collapse(int x) {
  size_t rank = tensor(x).shape.size();
  if (rank < 2)
    return -1;
  size_t first = random.below(static_cast<int64_t>(rank - 1)),
         last = first + 1 + random.below(static_cast<int64_t>(rank - first - 1));
  std::vector<std::vector<int>> groups;
  for (size_t i = 0; i < rank; ++i) {
    if (i <= first || i > last)
      groups.emplace_back();
    groups.back().push_back(static_cast<int>(i));
  }
  return addCollapse(program, x, groups);
}

int Generator::broadcast(int x) {
  Shape shape = tensor(x).shape;
  if (shape.size() > 2)
    return -1;
  int at = static_cast<int>(random.below(static_cast<int64_t>(shape.size()) + 1));
  shape.insert(shape.begin() + at, size(12));
  return addBroadcast(program, x, shape, {at});
}

int Generator::pad(int x) {
  size_t rank = tensor(x).shape.size();
  if (rank == 0)
    return -1;
  Shape low(rank), high(rank);
  for (size_t i = 0; i < rank; ++i)
    low[i] = random.below(3), high[i] = random.below(4);
  return addPad(program, x, low, high, random.chance(60) ? 0 : 1);
}

int Generator::concat(int x) {
  Shape shape = tensor(x).shape;
  if (shape.empty())
    return -1;
  int dim = static_cast<int>(random.below(static_cast<int64_t>(shape.size())));
  int other = valueLike(x, /*allowSame=*/true);
  if (random.chance(60)) {
    shape[dim] = size(9);
    other = weight(tensor(x).type, shape, 1);
  }
  if (other < 0)
    other = x;
  std::vector<int> inputs{x, other};
  if (random.chance(30))
    std::swap(inputs[0], inputs[1]);
  if (random.chance(20))
    inputs.push_back(x);
  return addConcat(program, dim, inputs);
}

int Generator::softmax(int x) {
  Shape shape = tensor(x).shape;
  Type type = tensor(x).type;
  size_t rank = shape.size();
  if (rank == 0 || !isFloat(type) || typeBytes(type) < 4)
    return -1;
  size_t dim = random.chance(80) ? rank - 1 : random.below(static_cast<int64_t>(rank));
  Reduce reduce{x, std::vector<bool>(rank), false, Reduction::max};
  reduce.reduced[dim] = true;
  reduce.indexRider = random.chance(60);
  Map narrow; // map of the reduced value: the reduced dimension is dropped
  for (size_t i = 0; i < rank; ++i)
    if (i != dim)
      narrow.push_back(static_cast<int>(i));
  int largest = addReduce(program, reduce);
  Body subtract, exponential, divide;
  int a = subtract.input(type), b = subtract.input(type);
  subtract.yields = {subtract.binary(Op::sub, a, b)};
  if (random.chance(30)) // one operation for subtraction and exp
    subtract.yields = {subtract.unary(Op::exp, subtract.yields[0])};
  int e = map({x, largest}, {identityMap(rank), narrow}, subtract);
  if (e >= 0 && subtract.steps.size() == 3) {
    exponential.yields = {exponential.unary(Op::exp, exponential.input(type))};
    e = unary(e, exponential);
  }
  if (e < 0)
    return -1;
  bool keepDims = random.chance(70);
  int sum = addReduce(program, {e, reduce.reduced, keepDims, Reduction::sum});
  Map sumMap = keepDims ? identityMap(rank) : narrow;
  if (keepDims)
    sumMap[dim] = -1;
  a = divide.input(type), b = divide.input(type);
  divide.yields = {divide.binary(Op::div, a, b)};
  return map({e, sum}, {identityMap(rank), sumMap}, divide);
}

// The variance is computed in f64, as torch-mlir writes it.
int Generator::layerNorm(int x) {
  Shape shape = tensor(x).shape;
  size_t rank = shape.size();
  if (rank == 0 || shape.back() < 2 || tensor(x).type != Type::f32)
    return -1;
  double count = static_cast<double>(shape.back());
  std::vector<bool> lastDim(rank);
  lastDim.back() = true;
  Map identity = identityMap(rank), row = identity;
  row.back() = -1;
  auto mean = [&](int value) {
    if (value < 0)
      return -1;
    int sum = addReduce(program, {value, lastDim, true, Reduction::sum});
    Body divide;
    int a = divide.input(tensor(value).type);
    divide.yields = {divide.binary(Op::div, a, divide.constant(count, tensor(value).type))};
    return unary(sum, divide);
  };
  auto combine = [&](Op op, int value, int other, const Map &otherMap) {
    if (value < 0 || other < 0)
      return -1;
    Body body;
    int a = body.input(tensor(value).type), b = body.input(tensor(value).type);
    body.yields = {body.binary(op, a, b)};
    return map({value, other}, {identity, otherMap}, body);
  };
  Body widen, invert;
  widen.yields = {widen.convert(widen.input(Type::f32), Type::f64)};
  int wide = unary(x, widen);
  int centered = combine(Op::sub, wide, mean(wide), row);
  int squares = combine(Op::mul, centered, centered, identity);
  if (squares < 0)
    return -1;
  int variance = mean(squares);
  int narrow = invert.convert(invert.input(Type::f64), Type::f32);
  invert.yields = {invert.unary(Op::rsqrt, invert.binary(Op::add, narrow, invert.constant(0.0078125, Type::f32)))};
  int inverse = unary(variance, invert);
  int average = mean(x);
  if (inverse < 0 || average < 0)
    return -1;
  int scaled = combine(Op::mul, combine(Op::sub, x, average, row), inverse, row);
  Map column{static_cast<int>(rank) - 1};
  return combine(Op::add, combine(Op::mul, scaled, weight(Type::f32, {shape.back()}, 1), column),
                 weight(Type::f32, {shape.back()}, 1), column);
}

// nn.Linear: transposed weights, a broadcast bias, an addition, and perhaps relu.
int Generator::linear(int x) {
  Shape shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (shape.size() != 2 || !isFloat(type) || typeBytes(type) < 4)
    return -1;
  int64_t outputs = size();
  int transposed = addTranspose(program, operand(type, {outputs, shape[1]}, static_cast<double>(shape[1])), {1, 0});
  int product = addContraction(
      program, {"matmul", {shape[0], outputs, shape[1]}, "ppr", {{0, 2}, {2, 1}, {0, 1}}, x, transposed, -1, type});
  Body copy, sum;
  copy.yields = {copy.input(type)};
  int row = addElementwise(program, {{shape[0], outputs}, {weight(type, {outputs}, 1)}, {{1}}, copy});
  int a = sum.input(type), b = sum.input(type);
  sum.yields = {sum.binary(Op::add, a, b)};
  int result = map({product, row}, {{0, 1}, {0, 1}}, sum);
  if (result < 0 || random.chance(30))
    return result;
  Body relu;
  relu.yields = {relu.relu(relu.input(type))};
  return unary(result, relu);
}

// Hides some columns of each row of scores, but not that of its own number: later ones, those outside of a window, or random ones.
int Generator::mask(int scores) {
  const Shape shape = tensor(scores).shape;
  const int64_t rows = shape[shape.size() - 2], columns = shape.back(), kind = random.below(3), width = 1 + random.below(columns);
  Tensor hidden(Type::f32, {rows, columns});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      const bool isHidden = i != j && (kind == 0 ? j > i : kind == 1 ? std::abs(i - j) >= width : random.chance(50));
      hidden.setExact(i * columns + j, isHidden ? -1e32 : 0);
    }
  int added = random.chance(70) ? program.constant(std::move(hidden), random.chance(50)) : program.argument(std::move(hidden));
  Body sum;
  int a = sum.input(Type::f32), b = sum.input(Type::f32);
  sum.yields = {sum.binary(Op::add, a, b)};
  Map last = {static_cast<int>(shape.size()) - 2, static_cast<int>(shape.size()) - 1};
  return map({scores, added}, {identityMap(shape.size()), last}, sum);
}

int Generator::attention(int x) {
  Shape shape = tensor(x).shape;
  if (shape.size() != 2 || tensor(x).type != Type::f32 || shape[0] > 40 || shape[1] > 64)
    return -1;
  int64_t length = shape[0], width = shape[1], heads = width % 4 == 0 ? 4 : (width % 3 == 0 ? 3 : 1), depth = width / heads;
  auto project = [&](int value) {
    double fanIn = static_cast<double>(width) * (integral ? 1 : 2);
    int w = addTranspose(program, weight(Type::f32, {width, width}, fanIn), {1, 0});
    return addContraction(program, {"matmul", {length, width, width}, "ppr", {{0, 2}, {2, 1}, {0, 1}}, value, w, -1, Type::f32});
  };
  auto split = [&](int value, const std::vector<int> &permutation) {
    return addTranspose(program, addExpand(program, project(value), {length, heads, depth}, {{0}, {1, 2}}), permutation);
  };
  int q = split(x, {1, 0, 2}), k = split(x, {1, 2, 0}), v = split(x, {1, 0, 2});
  int scores = addContraction(
      program, {"batch_matmul", {heads, length, length, depth}, "pppr", {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}}, q, k, -1, Type::f32});
  Body scale;
  scale.yields = {scale.input(Type::f32)};
  scale.yields = {scale.binary(Op::mul, 0, scale.constant(1 / std::sqrt(static_cast<double>(depth)), Type::f32))};
  int scaled = unary(scores, scale);
  if (scaled >= 0 && random.chance(50))
    scaled = mask(scaled);
  int weights = scaled < 0 ? -1 : softmax(scaled);
  if (weights < 0)
    return -1;
  int context = addContraction(
      program,
      {"batch_matmul", {heads, length, depth, length}, "pppr", {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}}, weights, v, -1, Type::f32});
  int merged = addCollapse(program, addTranspose(program, context, {1, 0, 2}), {{0}, {1, 2}});
  Body sum;
  int a = sum.input(Type::f32), b = sum.input(Type::f32);
  sum.yields = {sum.binary(Op::add, a, b)};
  return map({merged, x}, {{0, 1}, {0, 1}}, sum);
}

} // namespace tpp::fuzz
