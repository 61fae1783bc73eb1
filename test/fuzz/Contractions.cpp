// Contractions of random programs: named ones as exporters write them, and arbitrary ones (Generator.h).
#include "Generator.h"

#include <algorithm>

namespace tpp::fuzz {

namespace {
constexpr int64_t maxProducts = 400000; // of one contraction; the oracle needs some nanoseconds for each
} // namespace

// A type that a contraction may combine with `type`; mostly itself.
Type Generator::factorType(Type type) {
  if (random.chance(85))
    return type;
  static constexpr Type narrow[] = {Type::bf16, Type::bf16, Type::f16, Type::i8};
  switch (type) {
  case Type::f64:
    return Type::f32;
  case Type::i32:
    return Type::i8;
  case Type::i8:
    return random.chance(50) ? Type::i32 : Type::f32;
  default:
    return random.chance(70) || type == Type::f32 ? narrow[random.below(4)] : Type::f32;
  }
}

int Generator::factor(Type type, const Shape &shape, double fanIn) {
  if (factorsAreQuantized && (type == Type::f32 || type == Type::i32))
    return dequantizedWeight(type, shape, fanIn);
  if (suitsWinograd && random.chance(80))
    return program.constant(randomTensor(type, shape, fanIn), random.chance(50));
  return operand(factorType(type), shape, fanIn);
}

// The element type of a contraction's result. By definition a narrow accumulator is rounded at each step, so only short sums keep a
// useful bound.
Type Generator::accumulatorType(Type a, Type b, double products) {
  if (!isFloat(a) && !isFloat(b))
    return Type::i32;
  if (a == Type::f64 || b == Type::f64)
    return Type::f64;
  bool isNarrow = a == b && typeBytes(a) == 2;
  return isNarrow && products <= 8 && random.chance(30) ? a : Type::f32;
}

int Generator::contract(Contraction spec) {
  Type a = tensor(spec.a).type, b = tensor(spec.b).type;
  double products = 1;
  for (size_t i = 0; i < spec.domain.size(); ++i)
    products *= spec.iterators[i] == 'r' ? static_cast<double>(spec.domain[i]) : 1;
  if (elementCount(spec.domain) > maxProducts || a == Type::i64 || (a == Type::i32 && isFloat(b)) ||
      (b == Type::i32 && isFloat(a)))
    return -1;
  Shape shape;
  for (int loop : spec.maps[2])
    shape.push_back(loop < 0 ? 1 : spec.domain[loop]);
  if (elementCount(shape) > maxElements)
    return -1;
  spec.result = spec.init >= 0 ? tensor(spec.init).type : accumulatorType(a, b, products);
  if (spec.init < 0)
    spec.init = init(spec.result, shape);
  spec.swap = random.chance(30);
  for (int i = 0; i < 2; ++i)
    spec.isUnsigned[i] = spec.form == llvm::StringRef("generic") && (i ? b : a) == Type::i8 && random.chance(30);
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
      spec = {"matvec", {n, k}, "pr", {{0, 1}, {1}, {0}}, factor(type, {n, k}, k), x, -1, type};
    else if (choice == 1)
      spec = {"vecmat", {n, k}, "pr", {{1}, {1, 0}, {0}}, x, factor(type, {k, n}, k), -1, type};
    else
      spec = {"dot", {k}, "r", {{0}, {0}, {}}, x, random.chance(30) ? x : factor(type, {k}, k), -1, type};
  } else if (shape.size() == 2) {
    int64_t rows = shape[0], cols = shape[1], n = size();
    int64_t choice = random.below(10);
    if (choice >= 8) { // A*B^T in tiles
      spec = {"mmt4d", {rows, n, cols}, "ppr", {{0, 2}, {1, 2}, {0, 1}}, x, factor(type, {n, cols}, cols), -1, type};
      static constexpr int64_t sizes[] = {1, 2, 3, 4, 8, 16};
      for (int64_t &tile : spec.tiles)
        tile = sizes[random.below(6)];
    } else if (choice <= 2) // A*B, as exporters write it
      spec = {"matmul", {rows, n, cols}, "ppr", {{0, 2}, {2, 1}, {0, 1}}, x, factor(type, {cols, n}, cols), -1, type};
    else if (choice == 3) // A*B^T
      spec = {"matmul", {rows, n, cols}, "ppr", {{0, 2}, {1, 2}, {0, 1}}, x, factor(type, {n, cols}, cols), -1, type};
    else if (choice == 4) // A^T*B
      spec = {"matmul", {cols, n, rows}, "ppr", {{2, 0}, {2, 1}, {0, 1}}, x, factor(type, {rows, n}, rows), -1, type};
    else if (choice == 5) // the value is the right operand
      spec = {"matmul", {n, cols, rows}, "ppr", {{0, 2}, {2, 1}, {0, 1}}, factor(type, {n, rows}, rows), x, -1, type};
    else if (choice == 6)
      spec = {"matvec", {rows, cols}, "pr", {{0, 1}, {1}, {0}}, x, factor(type, {cols}, cols), -1, type};
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
              factor(type, {batch, cols, n}, cols),
              -1,
              type};
    else if (choice == 2)
      spec = {"batch_matmul",
              {batch, rows, n, cols},
              "pppr",
              {{0, 1, 3}, {0, 2, 3}, {0, 1, 2}},
              x,
              factor(type, {batch, n, cols}, cols),
              -1,
              type};
    else
      spec = {"batch_matvec",
              {batch, rows, cols},
              "ppr",
              {{0, 1, 2}, {0, 2}, {0, 1}},
              x,
              factor(type, {batch, cols}, cols),
              -1,
              type};
  }
  return contract(spec);
}

int Generator::generalContraction(int x) {
  const Shape shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (shape.empty() || shape.size() > 4)
    return -1;
  // The role of a loop says which of x, the other operand and the result vary along it:
  //   b all three, m x and the result, n the other and the result, k x and the other, r x only, s the other only, o the result only
  struct Loop {
    int64_t size;
    char role;
  };
  std::vector<Loop> loops;
  for (int64_t dim : shape)
    loops.push_back({dim, "bmmkkbmmkkr"[random.below(11)]});
  int64_t budget = maxProducts / std::max<int64_t>(1, elementCount(shape));
  for (int64_t extra = random.between(0, std::min<int64_t>(2, static_cast<int64_t>(maxRank - loops.size())));
       extra > 0 && budget > 0; --extra) {
    loops.push_back({size(budget), "nnnnnnnnnnso"[random.below(12)]});
    budget /= loops.back().size;
  }
  std::vector<int> order(loops.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  random.shuffle(order); // order[i]: the position of loop i in the domain
  Contraction spec{
      random.chance(70) ? "generic" : "contract", Shape(loops.size()), std::string(loops.size(), 'p'), {}, x, -1, -1, type};
  Map inOther, inResult;
  bool isPlain = true;
  for (size_t i = 0; i < loops.size(); ++i) {
    spec.domain[order[i]] = loops[i].size;
    llvm::StringRef role(&loops[i].role, 1);
    isPlain &= llvm::StringRef("bmnk").contains(role);
    if (llvm::StringRef("krs").contains(role))
      spec.iterators[order[i]] = 'r';
    if (llvm::StringRef("bmkr").contains(role))
      spec.maps[0].push_back(order[i]);
    if (llvm::StringRef("bnks").contains(role))
      inOther.push_back(order[i]);
    if (llvm::StringRef("bmno").contains(role))
      inResult.push_back(order[i]);
  }
  if (random.chance(50))
    random.shuffle(inOther);
  if (random.chance(50))
    random.shuffle(inResult);
  // A dimension of size 1, which the constant 0 indexes.
  for (Map *map : {&inOther, &inResult})
    if (map->size() < 4 && random.chance(5)) {
      map->insert(map->begin() + random.below(static_cast<int64_t>(map->size()) + 1), -1);
      isPlain = false;
    }
  if (inResult.size() > 4)
    return -1;
  // linalg.contract requires a reduction loop, and loops that two of the operands and the result share.
  if (!isPlain || spec.iterators.find('r') == std::string::npos)
    spec.form = "generic";
  spec.maps[1] = inOther, spec.maps[2] = inResult;
  Shape otherShape;
  double fanIn = 1;
  for (int loop : inOther)
    otherShape.push_back(loop < 0 ? 1 : spec.domain[loop]);
  for (size_t i = 0; i < loops.size(); ++i)
    fanIn *= spec.iterators[i] == 'r' ? static_cast<double>(spec.domain[i]) : 1;
  if (elementCount(otherShape) > maxElements)
    return -1;
  spec.b = factor(type, otherShape, fanIn);
  if (random.chance(30)) {
    std::swap(spec.a, spec.b);
    std::swap(spec.maps[0], spec.maps[1]);
  }
  return contract(spec);
}

// A contraction that reads a broadcast of x as one of its operands or as its accumulator, directly or through a data movement.
int Generator::broadcastContraction(int x) {
  Shape shape = tensor(x).shape;
  std::vector<int> added;
  for (int64_t count = random.chance(70) ? 1 : 2; count > 0 && shape.size() < 4; --count) {
    int at = static_cast<int>(random.below(static_cast<int64_t>(shape.size()) + 1));
    for (int &earlier : added)
      earlier += earlier >= at;
    added.push_back(at);
    shape.insert(shape.begin() + at, size(20));
  }
  if (added.empty() || elementCount(shape) > maxElements / 2)
    return -1;
  std::sort(added.begin(), added.end());
  x = addBroadcast(program, x, shape, added);
  if (random.chance(35)) {
    int moved = random.chance(50) ? transpose(x) : (random.chance(50) ? collapse(x) : expand(x));
    x = moved >= 0 ? moved : x;
  }
  int64_t kind = random.below(10);
  if (kind < 7)
    return kind < 3 ? namedContraction(x) : generalContraction(x);

  // The accumulator: each of its dimensions is one of the left operand, of the right or of both.
  shape = tensor(x).shape;
  Type type = tensor(x).type;
  if (type == Type::i8 || (isFloat(type) && typeBytes(type) < 4) || shape.size() > 4)
    return -1;
  int loops = static_cast<int>(shape.size());
  Contraction spec{"generic", shape, std::string(loops, 'p') + "r", {{}, {}, identityMap(loops)}, -1, -1, x, type};
  spec.domain.push_back(size(40));
  Shape shapes[2];
  for (int loop = 0; loop <= loops; ++loop) {
    int64_t in = loop == loops || random.chance(15) ? 2 : random.below(2);
    for (int i = 0; i < 2; ++i)
      if (in == 2 || in == i) {
        spec.maps[i].push_back(loop);
        shapes[i].push_back(spec.domain[loop]);
      }
  }
  Type narrow = type == Type::i32 ? Type::i8 : (type == Type::f64 ? Type::f32 : Type::bf16),
       types = random.chance(80) ? type : narrow;
  double k = static_cast<double>(spec.domain.back());
  spec.a = operand(types, shapes[0], 1), spec.b = operand(types, shapes[1], k);
  return contract(spec);
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
          return contract({random.chance(50) ? "matmul" : "generic",
                           {a[1 - i], b[1 - j], a[i]},
                           "ppr",
                           {mapA, mapB, {0, 1}},
                           x,
                           y,
                           -1,
                           type});
        }
  }
  return -1;
}

} // namespace tpp::fuzz
