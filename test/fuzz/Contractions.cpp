// Contractions of random programs: named ones as exporters write them, and arbitrary ones (Generator.h).
#include "Generator.h"

#include <algorithm>

namespace tpp::fuzz {

namespace {
constexpr int64_t maxProducts = 400000; // of one contraction; the oracle needs some nanoseconds for each
} // namespace

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
  // By definition a narrow accumulator is rounded at each step, so only short sums keep a useful bound.
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
    if (choice <= 2) // A*B, as exporters write it
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
  // Each dimension of x gets a role: batch (in both operands and the result), row (not in the other operand) or reduction.
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
  if (spec.iterators.find('r') == std::string::npos) // an outer product: linalg.contract requires a reduction dimension
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

// A contraction of two values of the program over a dimension of equal size.
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

} // namespace tpp::fuzz
