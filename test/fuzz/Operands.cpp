// Operands of the operations of random programs: weights, what is computed from weights, initial values, index tensors and offsets
// (Generator.h).
#include "Generator.h"

#include <algorithm>
#include <cmath>

namespace tpp::fuzz {

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

int Generator::operand(Type type, const Shape &shape, double fanIn) {
  int node = -1;
  int64_t kind = shape.empty() ? 0 : random.below(100);
  if (kind >= 93)
    node = convertedOperand(type, shape, fanIn);
  else if (kind >= 87)
    node = gatheredOperand(type, shape, fanIn);
  else if (kind >= 80)
    node = slicedOperand(type, shape, fanIn);
  else if (kind >= 65)
    node = broadcastOperand(type, shape, fanIn);
  return node >= 0 ? node : weight(type, shape, fanIn);
}

int Generator::directBroadcast(Type type, const Shape &shape, double fanIn) {
  std::vector<int> added;
  for (int i = 0; i < static_cast<int>(shape.size()); ++i)
    if (random.chance(50))
      added.push_back(i);
  if (added.empty())
    added = {static_cast<int>(random.below(static_cast<int64_t>(shape.size())))};
  Shape kept;
  for (int i = 0; i < static_cast<int>(shape.size()); ++i)
    if (std::find(added.begin(), added.end(), i) == added.end())
      kept.push_back(shape[i]);
  int from = -1;
  for (int node : values)
    if (tensor(node).shape == kept && tensor(node).type == type && random.chance(50))
      from = node;
  return addBroadcast(program, from >= 0 ? from : weight(type, kept, fanIn), shape, added);
}

int Generator::broadcastOperand(Type type, const Shape &shape, double fanIn) {
  size_t rank = shape.size();
  int64_t kind = rank == 0 ? -1 : random.below(100);
  if (kind < 0)
    return -1;
  if (kind < 20 && rank >= 2) { // broadcast, then transpose
    std::vector<int> permutation = identityMap(rank);
    random.shuffle(permutation);
    Shape before(rank);
    for (size_t i = 0; i < rank; ++i)
      before[permutation[i]] = shape[i];
    return addTranspose(program, directBroadcast(type, before, fanIn), permutation);
  }
  std::vector<std::vector<int>> groups;
  Shape other;
  size_t at = random.below(static_cast<int64_t>(rank));
  if (kind < 40 &&
      rank < maxRank) { // broadcast in the shape with one dimension split, then collapse; repeated heads for instance
    int64_t outer = divisorOf(shape[at]);
    for (size_t i = 0; i < rank; ++i) {
      groups.push_back({static_cast<int>(other.size())});
      other.push_back(i == at ? outer : shape[i]);
      if (i == at) {
        groups.back().push_back(static_cast<int>(other.size()));
        other.push_back(shape[i] / outer);
      }
    }
    return addCollapse(program, directBroadcast(type, other, fanIn), groups);
  }
  if (kind < 55 && at + 1 < rank) { // broadcast in the shape with two dimensions merged, then expand
    for (size_t i = 0; i < rank; ++i) {
      if (i == at + 1) {
        other.back() *= shape[i];
        groups.back().push_back(static_cast<int>(i));
        continue;
      }
      groups.push_back({static_cast<int>(i)});
      other.push_back(shape[i]);
    }
    return addExpand(program, directBroadcast(type, other, fanIn), shape, groups);
  }
  return directBroadcast(type, shape, fanIn);
}

// A part of a larger weight, at offsets of which some are computed.
int Generator::slicedOperand(Type type, const Shape &shape, double fanIn) {
  Shape larger = shape;
  Offsets offsets;
  for (int64_t &size : larger) {
    int64_t rest = random.chance(50) ? 0 : random.between(1, 6);
    size += rest;
    offsets.push_back(random.chance(65) ? offset(rest) : Offset(random.below(rest + 1)));
  }
  if (elementCount(larger) > maxElements)
    return -1;
  return addSlice(program, weight(type, larger, fanIn), offsets, shape, Shape(shape.size(), 1));
}

// Rows of a table, as of an embedding.
int Generator::gatheredOperand(Type type, const Shape &shape, double fanIn) {
  Shape table = shape;
  size_t dim = random.chance(70) ? 0 : random.below(static_cast<int64_t>(shape.size()));
  table[dim] = random.between(1, 12);
  Gather gather{weight(type, table, fanIn), shape, {}, {}};
  for (size_t i = 0; i < shape.size(); ++i)
    gather.places.push_back({static_cast<int>(i)});
  gather.places[dim].node = indexTensor({shape[dim]}, 0, table[dim] - 1);
  gather.places[dim].map = {static_cast<int>(dim)};
  gather.body.yields = {gather.body.input(type)};
  return addGather(program, gather);
}

// A weight of another type that is converted: a narrower float, or small integers with a scale.
int Generator::convertedOperand(Type type, const Shape &shape, double fanIn) {
  Type from = type == Type::f64 ? Type::f32 : (type == Type::i32 ? Type::i8 : Type::bf16);
  if (type == Type::i8)
    return -1;
  if (isFloat(type) && random.chance(50))
    from = typeBytes(type) > 2 && random.chance(60) ? Type::i8 : Type::f16;
  if (typeBytes(type) == 2)
    from = Type::f32;
  Body body;
  int step = body.convert(body.input(from), type);
  if (isFloat(type) && !isFloat(from)) {
    int64_t exponent = std::lround(std::log2(std::max(1.0, fanIn)) / 2);
    step = body.binary(Op::mul, step, body.constant(std::ldexp(1.0, static_cast<int>(-exponent)), type));
  }
  body.yields = {step};
  return unary(weight(from, shape, fanIn), body);
}

int Generator::init(Type type, const Shape &shape) {
  if (random.chance(65))
    return -1;
  for (int node : values)
    if (tensor(node).shape == shape && tensor(node).type == type && random.chance(50))
      return node;
  if (shape.empty() || random.chance(30))
    return weight(type, shape, 1);
  if (random.chance(40))
    return broadcastOperand(type, shape, 1);
  int kept = static_cast<int>(random.below(static_cast<int64_t>(shape.size())));
  std::vector<int> added;
  for (int i = 0; i < static_cast<int>(shape.size()); ++i)
    if (i != kept)
      added.push_back(i);
  int row = weight(type, {shape[kept]}, 1);
  return added.empty() ? row : addBroadcast(program, row, shape, added);
}

int64_t Generator::divisorOf(int64_t size) {
  std::vector<int64_t> divisors;
  for (int64_t i = 1; i <= size; ++i)
    if (size % i == 0)
      divisors.push_back(i);
  return divisors[random.below(static_cast<int64_t>(divisors.size()))];
}

int Generator::indexTensor(const Shape &shape, int64_t low, int64_t high) {
  static constexpr Type types[] = {Type::i64, Type::i64, Type::i32, Type::i32, Type::index};
  Tensor tensor(types[random.below(5)], shape);
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.setExact(i, static_cast<double>(random.between(low, high)));
  return random.chance(35) ? program.constant(std::move(tensor), /*asResource=*/false) : program.argument(std::move(tensor));
}

Offset Generator::offset(int64_t limit) {
  Offset result(random.below(limit + 1));
  Shape shape(random.below(3), 1); // of one to three elements
  if (!shape.empty())
    shape[0] = random.between(1, 3);
  result.element = random.below(elementCount(shape));
  result.added = random.chance(25) ? random.between(-2, 3) : 0;
  result.limit = random.chance(30) ? limit : -1;
  int64_t wanted = result.value - result.added;
  if (result.limit >= 0) { // perhaps out of range
    wanted += result.value == limit ? random.below(4) : 0;
    wanted -= result.value == 0 ? random.below(4) : 0;
  }
  bool isComputed = random.chance(20);
  result.node = indexTensor(shape, 0, limit);
  program.nodes[result.node].tensor.setExact(result.element, static_cast<double>(wanted - isComputed));
  if (isComputed) {
    Type type = tensor(result.node).type;
    Body body;
    int step = body.input(type);
    body.yields = {body.binary(Op::add, step, body.constant(1, type))};
    result.node = unary(result.node, body);
  }
  return result;
}

} // namespace tpp::fuzz
