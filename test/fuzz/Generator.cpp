// Growth of random programs: data, choice of values and operations, choice of results (Generator.h).
#include "Generator.h"

#include <algorithm>
#include <cmath>

namespace tpp::fuzz {

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
  // Mostly values without users, so that programs are deep; the rest gives some values several users.
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

// Rejects results with a bound so wide that wrong results could pass, and results that may overflow; no operation is better.
bool Generator::isUseful(int node) const {
  const Tensor &x = tensor(node);
  double largest = x.largest(), error = x.largestError();
  return std::isfinite(largest) && std::isfinite(error) && std::isfinite(roundTo(largest + error, x.type)) &&
         (error == 0 || error < (x.type == Type::bf16 || x.type == Type::f16 ? 0.15 : 0.01) * largest);
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
  if (leaves.empty()) // no operation was possible on this source: return it
    program.results.push_back(values.back());
  if (!inner.empty() && random.chance(25))
    program.results.push_back(inner[random.below(static_cast<int64_t>(inner.size()))]);
  if (random.chance(3)) // returns one value twice
    program.results.push_back(program.results[0]);
  if (random.chance(3)) // returns an argument unchanged
    program.results.push_back(values[0]);
}

Program Generator::generate() {
  integral = random.chance(30);
  weightsAreConstant = random.chance(60);
  program.shareInits = random.chance(50);
  int64_t kind = random.below(100);
  base = kind < 64   ? Type::f32
         : kind < 70 ? Type::f64
         : kind < 80 ? Type::bf16
         : kind < 86 ? Type::f16
         : kind < 93 ? Type::i32
                     : Type::i8;
  bool ofImages = random.chance(45);
  channelsLast = random.chance(15);
  if (ofImages) {
    base = random.chance(60) ? base : Type::f32;
    suitsWinograd = random.chance(55);
    if (suitsWinograd)
      base = Type::f32, weightsAreConstant = true, channelsLast = random.chance(85);
    // The results of Winograd's algorithm are not exact: without it, those of small integers are.
    program.winograd = integral ? (random.chance(60) ? "off" : "auto") : (random.chance(60) ? "always" : "auto");
    imageSource();
  } else {
    source(base, shape());
  }

  using Layer = int (Generator::*)(int);
  struct Choice {
    Layer layer;
    int weight, ofImages; // relative frequency in programs that start from a matrix, and from an image
  };
  static constexpr Choice choices[] = {{&Generator::namedContraction, 14, 3},
                                       {&Generator::generalContraction, 12, 2},
                                       {&Generator::contractionOfTwo, 4, 1},
                                       {&Generator::broadcastContraction, 7, 2},
                                       {&Generator::bias, 9, 4},
                                       {&Generator::activation, 9, 5},
                                       {&Generator::residual, 8, 8},
                                       {&Generator::conversion, 3, 1},
                                       {&Generator::twoResults, 2, 2},
                                       {&Generator::integerPower, 3, 2},
                                       {&Generator::unitBroadcast, 3, 4},
                                       {&Generator::reduction, 5, 4},
                                       {&Generator::transpose, 5, 2},
                                       {&Generator::expand, 4, 2},
                                       {&Generator::collapse, 4, 2},
                                       {&Generator::broadcast, 3, 1},
                                       {&Generator::pad, 3, 2},
                                       {&Generator::slice, 3, 4},
                                       {&Generator::concat, 3, 4},
                                       {&Generator::insert, 3, 4},
                                       {&Generator::cache, 4, 1},
                                       {&Generator::gather, 4, 2},
                                       {&Generator::softmax, 4, 1},
                                       {&Generator::layerNorm, 2, 1},
                                       {&Generator::linear, 8, 3},
                                       {&Generator::attention, 2, 0},
                                       {&Generator::quantized, 16, 10},
                                       {&Generator::convolution, 3, 12},
                                       {&Generator::indices, 1, 3},
                                       {&Generator::pooling, 1, 6},
                                       {&Generator::resize, 1, 4},
                                       {&Generator::batchNorm, 0, 6},
                                       {&Generator::convolutionChain, 1, 16},
                                       {&Generator::residualBlock, 0, 8},
                                       {&Generator::invertedResidual, 0, 8},
                                       {&Generator::splitChannels, 0, 4},
                                       {&Generator::excite, 0, 4},
                                       {&Generator::otherOrder, 0, 5},
                                       {&Generator::padPixels, 0, 4},
                                       {&Generator::reshapeImage, 0, 7},
                                       {&Generator::poolAllPixels, 0, 4}};
  auto weightOf = [&](const Choice &choice) { return ofImages ? choice.ofImages : choice.weight; };
  int total = 0;
  for (const Choice &choice : choices)
    total += weightOf(choice);
  int64_t wanted = random.between(1, ofImages ? 3 : 6); // one image layer already consists of several operations
  bool startsWithChain = ofImages && random.chance(85);
  for (int attempts = 0; wanted > 0 && attempts < 100; ++attempts) {
    int64_t draw = random.below(total);
    const Choice *choice = choices;
    while (draw >= weightOf(*choice))
      draw -= weightOf(*choice++);
    size_t nodesBefore = program.nodes.size(), valuesBefore = values.size();
    bool orderBefore = channelsLast;
    Layer layer = choice->layer;
    if (startsWithChain && attempts < 8 && values.size() == 1)
      layer = random.chance(25) ? &Generator::invertedResidual : &Generator::convolutionChain;
    int node = (this->*layer)(anyValue());
    if (node >= 0 && isUseful(node) && tensor(node).size() <= maxElements && tensor(node).shape.size() <= maxRank) {
      add(node);
      --wanted;
    } else {
      program.nodes.erase(program.nodes.begin() + static_cast<int64_t>(nodesBefore), program.nodes.end());
      values.resize(valuesBefore);
      channelsLast = orderBefore;
    }
  }
  chooseResults();
  return std::move(program);
}

} // namespace tpp::fuzz
