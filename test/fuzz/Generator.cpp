// Growth of random programs: data, contractions, elementwise operations and reductions (Generator.h).
#include "Generator.h"

#include <algorithm>
#include <cmath>

namespace tpp::fuzz {

namespace {
constexpr int64_t maxElements = 40000;  // of one value
constexpr int64_t maxProducts = 400000; // of one contraction: the oracle does each in some nanoseconds
constexpr size_t maxRank = 5;
} // namespace

Tensor Generator::randomTensor(Type type, const Shape &shape, double fanIn) {
  Tensor tensor(type, shape);
  double scale = 1.7 / std::sqrt(std::max(1.0, fanIn));
  for (int64_t i = 0; i < tensor.size(); ++i) {
    double bell = random.uniform() + random.uniform() + random.uniform() + random.uniform() - 2;
    tensor.setExact(i, integral || !isFloat(type) ? static_cast<double>(random.between(-3, 3)) : bell * scale);
  }
  return tensor;
}

int Generator::source(Type type, const Shape &shape) {
  int node = program.argument(randomTensor(type, shape));
  add(node);
  return node;
}

int Generator::weight(Type type, const Shape &shape, double fanIn) {
  Tensor tensor = randomTensor(type, shape, fanIn);
  bool asConstant = random.chance(15) ? !weightsAreConstant : weightsAreConstant;
  return asConstant ? program.constant(std::move(tensor), random.chance(50)) : program.argument(std::move(tensor));
}

int64_t Generator::size(int64_t limit) {
  static constexpr int64_t round[] = {4, 8, 16, 32, 48, 64};
  int64_t kind = random.below(100), result = 1;
  if (kind < 10)
    result = 1;
  else if (kind < 35)
    result = random.between(2, 8);
  else if (kind < 55)
    result = round[random.below(6)];
  else
    result = random.between(2, 70);
  return std::min(result, limit);
}

Shape Generator::shape() {
  Shape result(random.chance(55) ? 2 : random.between(1, 4));
  for (int64_t &dim : result)
    dim = size();
  while (elementCount(result) > maxElements / 8)
    *std::max_element(result.begin(), result.end()) /= 2;
  return result;
}

int Generator::anyValue() {
  // Mostly values without users, so that programs are deep; the others give values several users.
  std::vector<int> unused;
  for (int node : values)
    if (program.users(node).empty())
      unused.push_back(node);
  const std::vector<int> &from = !unused.empty() && random.chance(75) ? unused : values;
  return from[random.below(static_cast<int64_t>(from.size()))];
}

int Generator::valueLike(int node, bool allowSame) {
  std::vector<int> found;
  for (int other : values)
    if ((allowSame || other != node) && tensor(other).shape == tensor(node).shape && tensor(other).type == tensor(node).type)
      found.push_back(other);
  return found.empty() ? -1 : found[random.below(static_cast<int64_t>(found.size()))];
}

// A bound so wide that a wrong result passes is worse than no operation.
bool Generator::isUseful(int node) const {
  const Tensor &x = tensor(node);
  double largest = x.largest(), error = x.largestError();
  return std::isfinite(largest) && std::isfinite(error) &&
         (error == 0 || error < (x.type == Type::bf16 || x.type == Type::f16 ? 0.15 : 0.01) * largest);
}

int Generator::map(std::vector<int> inputs, std::vector<Map> maps, Body body) {
  for (int input : inputs)
    if (input < 0) // an operation before was not possible
      return -1;
  Elementwise spec;
  // The domain comes from whichever inputs name each loop.
  size_t loops = 0;
  for (const Map &map : maps)
    for (int loop : map)
      loops = std::max(loops, static_cast<size_t>(loop + 1));
  spec.domain.assign(loops, 1);
  for (size_t i = 0; i < inputs.size(); ++i)
    for (size_t dim = 0; dim < maps[i].size(); ++dim)
      if (maps[i][dim] >= 0)
        spec.domain[maps[i][dim]] = tensor(inputs[i]).shape[dim];
  spec.inputs = std::move(inputs), spec.maps = std::move(maps), spec.body = std::move(body);
  spec.named = random.chance(40), spec.innerConstants = random.chance(20);
  return addElementwise(program, spec);
}

int Generator::unary(int x, Body body) { return x < 0 ? -1 : map({x}, {identityMap(tensor(x).shape.size())}, std::move(body)); }

int Generator::init(Type type, const Shape &shape) {
  if (random.chance(70))
    return -1;
  Tensor like(type, shape);
  for (int node : values)
    if (tensor(node).shape == shape && tensor(node).type == type && random.chance(50))
      return node;
  if (shape.empty() || random.chance(30))
    return weight(type, shape, 1);
  int kept = static_cast<int>(random.below(static_cast<int64_t>(shape.size())));
  std::vector<int> added;
  for (int i = 0; i < static_cast<int>(shape.size()); ++i)
    if (i != kept)
      added.push_back(i);
  int row = weight(type, {shape[kept]}, 1);
  return added.empty() ? row : addBroadcast(program, row, shape, added);
}

int Generator::contract(Contraction spec, Type type) {
  Type result = type;
  double products = 1;
  for (size_t i = 0; i < spec.domain.size(); ++i)
    products *= spec.iterators[i] == 'r' ? static_cast<double>(spec.domain[i]) : 1;
  if (type == Type::i8)
    result = Type::i32;
  // A narrow accumulator is rounded at each step by the specification: only short sums keep a useful bound.
  if ((type == Type::bf16 || type == Type::f16) && (products > 8 || random.chance(70)))
    result = Type::f32;
  if (elementCount(spec.domain) > maxProducts)
    return -1;
  Shape shape;
  for (int loop : spec.maps[2])
    shape.push_back(spec.domain[loop]);
  if (elementCount(shape) > maxElements)
    return -1;
  spec.result = result;
  spec.init = init(result, shape);
  spec.swap = random.chance(30);
  return addContraction(program, spec);
}

int Generator::namedContraction(int x) {
  const Shape shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (shape.empty() || shape.size() > 3)
    return -1;
  Contraction spec;
  if (shape.size() == 1) {
    int64_t k = shape[0], n = size();
    int64_t choice = random.below(3);
    if (choice == 0)
      spec = {"matvec", {n, k}, "pr", {{0, 1}, {1}, {0}}, weight(type, {n, k}, k), x, -1, type};
    else if (choice == 1)
      spec = {"vecmat", {n, k}, "pr", {{1}, {1, 0}, {0}}, x, weight(type, {k, n}, k), -1, type};
    else
      spec = {"dot", {k}, "r", {{0}, {0}, {}}, x, random.chance(30) ? x : weight(type, {k}, k), -1, type};
  } else if (shape.size() == 2) {
    int64_t rows = shape[0], cols = shape[1], n = size();
    int64_t choice = random.below(8);
    if (choice <= 2) // A*B, as exporters have it
      spec = {"matmul", {rows, n, cols}, "ppr", {{0, 2}, {2, 1}, {0, 1}}, x, weight(type, {cols, n}, cols), -1, type};
    else if (choice == 3) // A*B^T
      spec = {"matmul", {rows, n, cols}, "ppr", {{0, 2}, {1, 2}, {0, 1}}, x, weight(type, {n, cols}, cols), -1, type};
    else if (choice == 4) // A^T*B
      spec = {"matmul", {cols, n, rows}, "ppr", {{2, 0}, {2, 1}, {0, 1}}, x, weight(type, {rows, n}, rows), -1, type};
    else if (choice == 5) // the value is the right operand
      spec = {"matmul", {n, cols, rows}, "ppr", {{0, 2}, {2, 1}, {0, 1}}, weight(type, {n, rows}, rows), x, -1, type};
    else if (choice == 6)
      spec = {"matvec", {rows, cols}, "pr", {{0, 1}, {1}, {0}}, x, weight(type, {cols}, cols), -1, type};
    else // the value times its own transpose
      spec = {"matmul", {rows, rows, cols}, "ppr", {{0, 2}, {1, 2}, {0, 1}}, x, x, -1, type};
  } else {
    int64_t batch = shape[0], rows = shape[1], cols = shape[2], n = size();
    int64_t choice = random.below(4);
    if (choice <= 1)
      spec = {"batch_matmul",
              {batch, rows, n, cols},
              "pppr",
              {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}},
              x,
              weight(type, {batch, cols, n}, cols),
              -1,
              type};
    else if (choice == 2)
      spec = {"batch_matmul",
              {batch, rows, n, cols},
              "pppr",
              {{0, 1, 3}, {0, 2, 3}, {0, 1, 2}},
              x,
              weight(type, {batch, n, cols}, cols),
              -1,
              type};
    else
      spec = {"batch_matvec",
              {batch, rows, cols},
              "ppr",
              {{0, 1, 2}, {0, 2}, {0, 1}},
              x,
              weight(type, {batch, cols}, cols),
              -1,
              type};
  }
  return contract(spec, type);
}

int Generator::generalContraction(int x) {
  const Shape shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (shape.empty() || shape.size() > 4)
    return -1;
  // Each dimension of x is a batch dimension (in both operands and the result), a row (not in the other) or summed over.
  struct Loop {
    int64_t size;
    char role; // b, m, n, k
  };
  std::vector<Loop> loops;
  for (int64_t dim : shape)
    loops.push_back({dim, "bmmkk"[random.below(5)]});
  int64_t budget = maxProducts / std::max<int64_t>(1, elementCount(shape));
  for (int64_t extra = random.between(0, std::min<int64_t>(2, static_cast<int64_t>(maxRank - loops.size())));
       extra > 0 && budget > 0; --extra) {
    loops.push_back({size(budget), 'n'});
    budget /= loops.back().size;
  }
  std::vector<int> order(loops.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  random.shuffle(order); // order[i]: the position of loop i in the domain
  Contraction spec{
      random.chance(70) ? "generic" : "contract", Shape(loops.size()), std::string(loops.size(), 'p'), {}, x, -1, -1, type};
  Map inOther, inResult;
  for (size_t i = 0; i < loops.size(); ++i) {
    spec.domain[order[i]] = loops[i].size;
    if (loops[i].role == 'k')
      spec.iterators[order[i]] = 'r';
    if (loops[i].role != 'n')
      spec.maps[0].push_back(order[i]);
    if (loops[i].role != 'm')
      inOther.push_back(order[i]);
    if (loops[i].role != 'k')
      inResult.push_back(order[i]);
  }
  if (random.chance(50))
    random.shuffle(inOther);
  if (random.chance(50))
    random.shuffle(inResult);
  if (inResult.size() > 4)
    return -1;
  if (spec.iterators.find('r') == std::string::npos) // an outer product: linalg.contract wants something to sum over
    spec.form = "generic";
  spec.maps[1] = inOther, spec.maps[2] = inResult;
  Shape otherShape;
  double fanIn = 1;
  for (int loop : inOther) {
    otherShape.push_back(spec.domain[loop]);
    fanIn *= spec.iterators[loop] == 'r' ? static_cast<double>(spec.domain[loop]) : 1;
  }
  if (elementCount(otherShape) > maxElements)
    return -1;
  spec.b = weight(type, otherShape, fanIn);
  if (random.chance(30)) {
    std::swap(spec.a, spec.b);
    std::swap(spec.maps[0], spec.maps[1]);
  }
  return contract(spec, type);
}

// Two values of the program, summed over a dimension of equal size.
int Generator::contractionOfTwo(int x) {
  const Shape &a = tensor(x).shape;
  Type type = tensor(x).type;
  if (a.size() != 2)
    return -1;
  for (int y : values) {
    const Shape &b = tensor(y).shape;
    if (y == x || b.size() != 2 || tensor(y).type != type)
      continue;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (a[i] == b[j]) {
          Map mapA = i ? Map{0, 2} : Map{2, 0}, mapB = j ? Map{1, 2} : Map{2, 1};
          return contract(
              {random.chance(50) ? "matmul" : "generic", {a[1 - i], b[1 - j], a[i]}, "ppr", {mapA, mapB, {0, 1}}, x, y, -1, type},
              type);
        }
  }
  return -1;
}

int Generator::bias(int x) {
  const Shape shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (shape.empty())
    return -1;
  // By columns mostly; else by any subset of the dimensions, a single element included.
  Map kept{static_cast<int>(shape.size()) - 1};
  if (random.chance(40)) {
    kept.clear();
    for (int i = 0; i < static_cast<int>(shape.size()); ++i)
      if (random.chance(50))
        kept.push_back(i);
  }
  Shape biasShape;
  for (int dim : kept)
    biasShape.push_back(shape[dim]);
  int values = weight(type, biasShape, 1);
  if (random.chance(40)) { // the exporter's two steps: a materialized broadcast, then an addition
    Body copy;
    copy.yields = {copy.input(type)};
    if (kept.size() != shape.size() && random.chance(50)) {
      std::vector<int> added;
      for (int i = 0; i < static_cast<int>(shape.size()); ++i)
        if (std::find(kept.begin(), kept.end(), i) == kept.end())
          added.push_back(i);
      values = addBroadcast(program, values, shape, added);
    } else {
      Elementwise spec{shape, {values}, {kept}, copy};
      values = addElementwise(program, spec);
    }
    kept = identityMap(shape.size());
  }
  Body body;
  int a = body.input(type), b = body.input(type);
  bool flipped = random.chance(30);
  body.yields = {
      body.binary(random.chance(75) ? Op::add : (random.chance(50) ? Op::sub : Op::mul), flipped ? b : a, flipped ? a : b)};
  return map({x, values}, {identityMap(shape.size()), kept}, body);
}

std::optional<int> appendActivation(Body &body, int a, Random &random, bool exactOnly) {
  Type type = body.steps[a].type;
  if (!isFloat(type))
    return random.chance(50) ? body.relu(a)
                             : body.binary(Op::add, a, body.constant(static_cast<double>(random.between(-4, 4)), type));
  // Narrow types compute in f32, as exporters have it.
  bool narrow = typeBytes(type) < 4;
  int x = body.convert(a, narrow ? Type::f32 : type);
  Type wide = body.steps[x].type;
  int result = -1;
  switch (random.below(exactOnly ? 6 : 12)) {
  case 0:
  case 1:
    result = body.relu(x);
    break;
  case 2:
    result = body.unary(Op::negate, x);
    break;
  case 3:
    result = body.unary(Op::absolute, x);
    break;
  case 4:
    result = body.binary(random.chance(50) ? Op::maximum : Op::minimum, x,
                         body.constant(static_cast<double>(random.between(-2, 2)), wide));
    break;
  case 5:
    result = body.binary(Op::mul, x, body.constant(random.chance(50) ? 0.5 : -2, wide));
    break;
  case 6:
    result = body.unary(Op::tanh, x);
    break;
  case 7:
    result = body.unary(Op::exp, body.binary(Op::minimum, x, body.constant(3, wide)));
    break;
  case 8:
    result = body.gelu(x);
    break;
  case 9:
    result = body.sigmoid(x);
    break;
  case 10:
    result = body.binary(Op::mul, x, body.sigmoid(x));
    break;
  default:
    result = body.unary(random.chance(50) ? Op::sqrt : Op::rsqrt,
                        body.binary(Op::add, body.unary(Op::absolute, x), body.constant(0.75, wide)));
    break;
  }
  return body.convert(result, type);
}

int Generator::activation(int x) {
  Body body;
  int step = body.input(tensor(x).type);
  for (int64_t count = random.chance(70) ? 1 : 2; count > 0; --count)
    step = *appendActivation(body, step, random, integral && random.chance(80));
  body.yields = {step};
  return unary(x, body);
}

int Generator::residual(int x) {
  int y = valueLike(x, random.chance(20));
  Map other = identityMap(tensor(x).shape.size());
  if (y < 0 && tensor(x).shape.size() == 2) // a value of the transposed shape, read through its map
    for (int candidate : values)
      if (tensor(candidate).type == tensor(x).type && tensor(candidate).shape == Shape{tensor(x).shape[1], tensor(x).shape[0]})
        y = candidate, other = {1, 0};
  if (y < 0)
    y = source(tensor(x).type, tensor(x).shape);
  static constexpr Op ops[] = {Op::add, Op::add, Op::add, Op::sub, Op::mul, Op::maximum};
  Body body;
  int a = body.input(tensor(x).type), b = body.input(tensor(x).type);
  body.yields = {body.binary(ops[random.below(6)], a, b)};
  if (random.chance(30))
    body.yields = {*appendActivation(body, body.yields[0], random, integral)};
  return map({x, y}, {identityMap(tensor(x).shape.size()), other}, body);
}

int Generator::conversion(int x) {
  Type from = tensor(x).type, to = from;
  if (isFloat(from))
    to = from == Type::f32 ? (random.chance(40) ? Type::bf16 : (random.chance(70) ? Type::f64 : Type::f16)) : Type::f32;
  else
    to = from == Type::i8 ? Type::i32 : Type::f32;
  Body body;
  body.yields = {body.convert(body.input(from), to)};
  return unary(x, body);
}

int Generator::twoResults(int x) {
  Body body;
  int a = body.input(tensor(x).type);
  int first = *appendActivation(body, a, random, integral),
      second = *appendActivation(body, random.chance(50) ? a : first, random, integral);
  body.yields = {first, second};
  int node = unary(x, body);
  if (node >= 0)
    add(node + 1);
  return node;
}

// x combined with a value whose dimension has size 1 and a constant in its map, as exporters write keep-dims broadcasts.
int Generator::unitBroadcast(int x) {
  Shape shape = tensor(x).shape;
  if (shape.empty())
    return -1;
  Map map = identityMap(shape.size());
  size_t dim = random.below(static_cast<int64_t>(shape.size()));
  map[dim] = -1, shape[dim] = 1;
  int y = -1;
  for (int node : values)
    if (tensor(node).shape == shape && tensor(node).type == tensor(x).type && node != x)
      y = node;
  if (y < 0)
    y = weight(tensor(x).type, shape, 1);
  Body body;
  int a = body.input(tensor(x).type), b = body.input(tensor(x).type);
  body.yields = {body.binary(random.chance(50) ? Op::sub : Op::mul, a, b)};
  return this->map({x, y}, {identityMap(shape.size()), map}, body);
}

int Generator::reduction(int x) {
  size_t rank = tensor(x).shape.size();
  if (rank == 0)
    return -1;
  Reduce spec{x, std::vector<bool>(rank), random.chance(50), Reduction::sum, random.chance(40), random.chance(30)};
  if (random.chance(60))
    spec.reduced[rank - 1] = true;
  else
    for (size_t i = 0; i < rank; ++i)
      spec.reduced[i] = random.chance(50);
  int64_t kind = random.below(10);
  spec.kind = kind < 6 ? Reduction::sum : (kind < 9 ? Reduction::max : Reduction::min);
  return addReduce(program, spec);
}

void Generator::chooseResults() {
  std::vector<int> leaves, inner;
  for (int node : values)
    if (program.nodes[node].kind == Node::Kind::operation)
      (program.users(node).empty() ? leaves : inner).push_back(node);
  std::reverse(leaves.begin(), leaves.end());
  if (leaves.size() > 4)
    leaves.resize(4);
  program.results = leaves;
  if (leaves.empty()) // nothing was possible on this source: hand it through
    program.results.push_back(values.back());
  if (!inner.empty() && random.chance(25))
    program.results.push_back(inner[random.below(static_cast<int64_t>(inner.size()))]);
  if (random.chance(3)) // one value twice
    program.results.push_back(program.results[0]);
  if (random.chance(3)) // an argument, unchanged
    program.results.push_back(values[0]);
}

Program Generator::generate() {
  integral = random.chance(30);
  weightsAreConstant = random.chance(60);
  program.shareInits = random.chance(50);
  int64_t kind = random.below(100);
  base = kind < 72
             ? Type::f32
             : (kind < 79 ? Type::f64 : (kind < 87 ? Type::bf16 : (kind < 95 ? Type::i32 : (kind < 98 ? Type::i8 : Type::f16))));
  source(base, shape());

  using Layer = int (Generator::*)(int);
  struct Choice {
    Layer layer;
    int weight;
  };
  static constexpr Choice choices[] = {{&Generator::namedContraction, 14},
                                       {&Generator::generalContraction, 12},
                                       {&Generator::contractionOfTwo, 4},
                                       {&Generator::bias, 9},
                                       {&Generator::activation, 9},
                                       {&Generator::residual, 8},
                                       {&Generator::conversion, 3},
                                       {&Generator::twoResults, 2},
                                       {&Generator::unitBroadcast, 3},
                                       {&Generator::reduction, 5},
                                       {&Generator::transpose, 5},
                                       {&Generator::expand, 4},
                                       {&Generator::collapse, 4},
                                       {&Generator::broadcast, 3},
                                       {&Generator::pad, 3},
                                       {&Generator::slice, 3},
                                       {&Generator::concat, 3},
                                       {&Generator::insert, 2},
                                       {&Generator::softmax, 4},
                                       {&Generator::layerNorm, 2},
                                       {&Generator::linear, 8},
                                       {&Generator::attention, 2},
                                       {&Generator::convolution, 3}};
  int total = 0;
  for (const Choice &choice : choices)
    total += choice.weight;
  int64_t wanted = random.between(1, 8);
  for (int attempts = 0; wanted > 0 && attempts < 100; ++attempts) {
    int64_t draw = random.below(total);
    const Choice *choice = choices;
    while (draw >= choice->weight)
      draw -= (choice++)->weight;
    size_t nodesBefore = program.nodes.size(), valuesBefore = values.size();
    int node = (this->*choice->layer)(anyValue());
    if (node >= 0 && isUseful(node) && tensor(node).size() <= maxElements && tensor(node).shape.size() <= maxRank) {
      add(node);
      --wanted;
    } else {
      program.nodes.erase(program.nodes.begin() + static_cast<int64_t>(nodesBefore), program.nodes.end());
      values.resize(valuesBefore);
    }
  }
  chooseResults();
  return std::move(program);
}

} // namespace tpp::fuzz
