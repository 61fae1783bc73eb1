// Elementwise operations and reductions of random programs (Generator.h).
#include "Generator.h"

#include <algorithm>

namespace tpp::fuzz {

int Generator::map(std::vector<int> inputs, std::vector<Map> maps, Body body) {
  for (int input : inputs)
    if (input < 0) // an earlier operation was not possible
      return -1;
  Elementwise spec;
  // The size of each loop comes from the inputs that use it.
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
  spec.named = random.chance(40), spec.innerConstants = random.chance(20), spec.onTensors = random.chance(15);
  return addElementwise(program, spec);
}

int Generator::unary(int x, Body body) { return x < 0 ? -1 : map({x}, {identityMap(tensor(x).shape.size())}, std::move(body)); }

int Generator::bias(int x) {
  const Shape shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (shape.empty())
    return -1;
  // A bias along the last dimension, or along any subset of the dimensions (none: a single element).
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
  if (random.chance(40)) { // as exporters write it in two steps: a materialized broadcast, then an addition
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

int appendActivation(Body &body, int a, Random &random, bool exactOnly) {
  Type type = body.steps[a].type;
  if (!isFloat(type))
    return random.chance(50) ? body.relu(a)
                             : body.binary(Op::add, a, body.constant(static_cast<double>(random.between(-4, 4)), type));
  // Narrow types compute in f32, as exporters write it.
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
    step = appendActivation(body, step, random, integral && random.chance(80));
  body.yields = {step};
  return unary(x, body);
}

int Generator::residual(int x) {
  int y = valueLike(x, random.chance(20));
  Map other = identityMap(tensor(x).shape.size());
  if (y < 0 && tensor(x).shape.size() == 2) // a value of the transposed shape, read through a transposing map
    for (int candidate : values)
      if (tensor(candidate).type == tensor(x).type && tensor(candidate).shape == Shape{tensor(x).shape[1], tensor(x).shape[0]})
        y = candidate, other = {1, 0};
  if (y < 0)
    y = source(tensor(x).type, tensor(x).shape);
  static constexpr Op ops[] = {Op::add, Op::add, Op::add, Op::sub, Op::mul, Op::maximum};
  Body body;
  int a = body.input(tensor(x).type), b = body.input(tensor(x).type);
  if (!isFloat(tensor(x).type) && random.chance(50))
    body.yields = {body.binary(Op::quotient, a, body.binary(Op::maximum, b, body.constant(1, tensor(x).type)))};
  else
    body.yields = {body.binary(ops[random.below(6)], a, b)};
  if (random.chance(30))
    body.yields = {appendActivation(body, body.yields[0], random, integral)};
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
  int first = appendActivation(body, a, random, integral),
      second = appendActivation(body, random.chance(50) ? a : first, random, integral);
  body.yields = {first, second};
  int node = unary(x, body);
  if (node >= 0)
    add(node + 1);
  return node;
}

// Combines x with a value that has size 1 in one dimension and the constant 0 there in its map, as exporters write keep-dims
// broadcasts.
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

// A power with an integer exponent: one for all elements, or one for each.
int Generator::integerPower(int x) {
  Type type = tensor(x).type;
  if (!isFloat(type))
    return -1;
  static constexpr int64_t exponents[] = {2, 2, 3, 3, 4, 5, 1, 0, -1, -1, -2, -3};
  int64_t most = tensor(x).largest() > 20 ? 2 : 5;
  bool isVariable = random.chance(30);
  int64_t exponent = std::min(exponents[random.below(12)], most);
  Type integer = random.chance(50) ? Type::i32 : Type::i64;
  Body body;
  int base = body.input(type), given = isVariable ? body.input(integer) : body.constant(static_cast<double>(exponent), integer);
  bool mayBeNegative = isVariable ? random.chance(50) : exponent < 0;
  if (mayBeNegative)
    base = body.binary(Op::maximum, base, body.constant(random.chance(50) ? 0.5 : 1, type));
  body.yields = {body.binary(Op::power, base, given)};
  Map identity = identityMap(tensor(x).shape.size());
  if (!isVariable)
    return map({x}, {identity}, body);
  // The exponents have the shape of x, or of a part of its dimensions.
  Map kept;
  Shape shape;
  bool isWhole = random.chance(50);
  for (int dim : identity)
    if (isWhole || random.chance(50)) {
      kept.push_back(dim);
      shape.push_back(tensor(x).shape[dim]);
    }
  Tensor powers(integer, shape);
  for (int64_t i = 0; i < powers.size(); ++i)
    powers.setExact(i, static_cast<double>(random.between(mayBeNegative ? -3 : 0, most)));
  int node = random.chance(50) ? program.constant(std::move(powers), /*asResource=*/false) : program.argument(std::move(powers));
  return map({x, node}, {identity, kept}, body);
}

// Adds to x the index of its element along one or two dimensions, perhaps clamped to 3; or takes the maximum of both.
int Generator::indices(int x) {
  const Shape &shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (shape.empty() || (type != Type::f32 && type != Type::f64 && type != Type::i32))
    return -1;
  int rank = static_cast<int>(shape.size());
  Body body;
  int a = body.input(type), first = body.index(static_cast<int>(random.below(rank)), type);
  if (random.chance(50)) // of two dimensions
    first = body.binary(random.chance(50) ? Op::add : Op::sub, first, body.index(static_cast<int>(random.below(rank)), type));
  if (random.chance(50))
    first = body.binary(Op::minimum, first, body.constant(3, type));
  body.yields = {body.binary(random.chance(70) ? Op::add : Op::maximum, a, first)};
  return unary(x, body);
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

} // namespace tpp::fuzz
