// Slices, insertions and gathers of random programs, at constant and at computed places (Generator.h).
#include "Generator.h"

#include <algorithm>

namespace tpp::fuzz {

int Generator::slice(int x) {
  Shape shape = tensor(x).shape, sizes, strides;
  if (shape.empty())
    return -1;
  Offsets offsets;
  bool isComputed = random.chance(40);
  for (int64_t dim : shape) {
    strides.push_back(random.chance(20) ? 2 : 1);
    if (isComputed && random.chance(60)) {
      sizes.push_back(random.between(1, (dim - 1) / strides.back() + 1));
      offsets.push_back(offset(dim - (sizes.back() - 1) * strides.back() - 1));
      continue;
    }
    offsets.emplace_back(random.below(dim));
    sizes.push_back(random.between(1, (dim - offsets.back().value - 1) / strides.back() + 1));
  }
  std::vector<bool> dropped;
  if (random.chance(30)) // drops some dimensions of size 1
    for (size_t i = 0; i < sizes.size(); ++i) {
      dropped.push_back(random.chance(40));
      if (dropped[i])
        sizes[i] = 1;
    }
  return addSlice(program, x, offsets, sizes, strides, dropped);
}

int Generator::insert(int x) {
  Shape shape = tensor(x).shape, strides;
  if (shape.empty())
    return -1;
  // Inserts another value into a part of x, or x into a part of another value.
  bool isDestination = random.chance(30), isComputed = random.chance(40);
  Shape sizes = shape, source;
  Offsets offsets;
  for (size_t i = 0; i < shape.size(); ++i) {
    strides.push_back(random.chance(15) ? 2 : 1);
    offsets.emplace_back(random.below(isDestination ? shape[i] : 3));
    int64_t start = offsets[i].value;
    if (isDestination)
      sizes[i] = random.between(1, (shape[i] - start - 1) / strides[i] + 1);
    else
      shape[i] = start + (shape[i] - 1) * strides[i] + 1 + random.below(4);
    if (isComputed && random.chance(60))
      offsets[i] = offset(shape[i] - (sizes[i] - 1) * strides[i] - 1);
    if (sizes[i] != 1 || random.chance(50)) // the source may omit dimensions of size 1
      source.push_back(sizes[i]);
  }
  if (isDestination)
    return addInsert(program, weight(tensor(x).type, source, 1), x, offsets, sizes, strides);
  return addInsert(program, x, weight(tensor(x).type, shape, 1), offsets, sizes, strides);
}

// A key-value cache: x is inserted at a computed position; queries are multiplied with all rows. Perhaps also with the values, whose
// cache is updated at the same position.
int Generator::cache(int x) {
  const Shape shape = tensor(x).shape;
  size_t rank = shape.size();
  Type type = tensor(x).type;
  if (rank < 2 || rank > 3)
    return -1;
  int64_t batch = rank == 3 ? shape[0] : 1, rows = shape[rank - 2], depth = shape[rank - 1], length = rows + random.below(30);
  if (batch * length * depth > maxElements / 4)
    return -1;
  Shape whole = shape;
  whole[rank - 2] = length;
  Offsets at(rank, 0);
  at[rank - 2] = offset(length - rows);
  Shape ones(rank, 1);
  auto matrix = [&](int64_t first, int64_t second) { return rank == 3 ? Shape{batch, first, second} : Shape{first, second}; };
  auto multiply = [&](int a, int b, int64_t k, int64_t n, bool transposes) {
    int64_t m = tensor(a).shape[rank - 2];
    if (rank == 2)
      return contract({"matmul", {m, n, k}, "ppr", {{0, 2}, transposes ? Map{1, 2} : Map{2, 1}, {0, 1}}, a, b, -1, type});
    Map mapB = transposes ? Map{0, 2, 3} : Map{0, 3, 2};
    return contract({"batch_matmul", {batch, m, n, k}, "pppr", {{0, 1, 3}, mapB, {0, 1, 2}}, a, b, -1, type});
  };
  int keys = addInsert(program, x, weight(type, whole, 1), at, shape, ones);
  int queries = random.chance(30) ? x : weight(type, matrix(size(16), depth), static_cast<double>(depth));
  int scores = multiply(queries, keys, depth, length, /*transposes=*/true);
  if (random.chance(40))
    add(keys); // may be a result of the program
  if (scores < 0 || tensor(scores).type != type || !isUseful(scores) || random.chance(50))
    return scores;
  int rowsOfValues = random.chance(50) ? x : weight(type, shape, 1);
  int contents = addInsert(program, rowsOfValues, weight(type, whole, static_cast<double>(length)), at, shape, ones);
  return multiply(scores, contents, length, depth, /*transposes=*/false);
}

int Generator::gather(int x) {
  const Shape shape = tensor(x).shape;
  size_t rank = shape.size();
  if (rank == 0 || rank > 4)
    return -1;
  // Up to two dimensions get their indices from index tensors of one shape, whose loops are at the first one's place.
  std::vector<bool> gathered(rank);
  for (int64_t count = random.below(10) < 7 ? 1 : random.below(3); count > 0; --count)
    gathered[random.chance(40) ? 0 : random.below(static_cast<int64_t>(rank))] = true;
  Shape indices(random.below(std::min<int64_t>(3, static_cast<int64_t>(maxRank - rank) + 2)));
  for (int64_t &dim : indices)
    dim = size(16);
  Gather gather{x, {}, {}, {}};
  Map loops;
  for (size_t i = 0; i < rank; ++i) {
    if (gathered[i]) {
      if (loops.empty()) // perhaps again for an index tensor of one element, which has no loops
        for (int64_t dim : indices) {
          loops.push_back(static_cast<int>(gather.domain.size()));
          gather.domain.push_back(dim);
        }
      gather.places.push_back({-1});
      continue;
    }
    gather.places.push_back({static_cast<int>(gather.domain.size()), random.chance(15)});
    gather.domain.push_back(shape[i]);
  }
  if (elementCount(gather.domain) > maxElements)
    return -1;
  std::vector<int> order = identityMap(gather.domain.size()); // loop i is at position order[i]
  if (random.chance(30))
    random.shuffle(order);
  Shape domain = gather.domain;
  for (size_t i = 0; i < order.size(); ++i)
    gather.domain[order[i]] = domain[i];
  for (int &loop : loops)
    loop = order[loop];
  for (size_t i = 0; i < rank; ++i) {
    Gather::Place &place = gather.places[i];
    if (!gathered[i]) {
      place.loop = order[place.loop];
      continue;
    }
    using Range = Gather::Place::Range;
    int64_t kind = random.below(10);
    place.range = kind < 6 ? Range::given : (kind < 8 ? Range::clamped : Range::wrapped);
    int64_t low = kind < 6 ? 0 : (kind < 8 ? -2 : -shape[i]), high = shape[i] - 1 + (place.range == Range::clamped ? 3 : 0);
    place.node = indexTensor(indices, low, high);
    place.map = loops;
  }
  int element = gather.body.input(tensor(x).type);
  gather.body.yields = {random.chance(30) ? appendActivation(gather.body, element, random, integral) : element};
  gather.asserts = random.chance(20);
  return addGather(program, gather);
}

} // namespace tpp::fuzz
