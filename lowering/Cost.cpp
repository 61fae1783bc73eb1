// Estimates for the layout stage (see Cost.h).
#include "lowering/Cost.h"
#include "lowering/Target.h"
#include "tpp/brgemm_cost.h"
#include "tpp_dialect/PackingProblem.h"
#include <algorithm>

namespace mlir::tpp {

// An estimate, not a fit: transposing 1 to 12 MiB of f32 on one thread, payload counted once. In
// benchmarks/results/sapphire-rapids-vm/2026-11-22-relayouts.json transposes of 2 MiB and more move 2 to 10 GB/s, most 5 to 9, packs 5 to 12.
constexpr double moveBytesPerNs = 5;

double estimateMoveNs(int64_t bytes) { return static_cast<double>(bytes) / moveBytesPerNs; }

namespace {
struct Row {
  const char *target;
  tpp_brgemm_cost_row cost;
};
constexpr Row rows[] = {
#define TPP_UK_BRGEMM(types, a_type, b_type, c_type, mr, nr, lanes, target, call_ns, tile_ns, fma_ns, load_ns, vector_ns)        \
  {#target, {mr, nr, lanes, call_ns, tile_ns, fma_ns, load_ns, vector_ns}},
#include "tpp/kernels.def"
};
} // namespace

// Columns of a tile and rows of a task, as tpp-tile-contractions takes them.
constexpr int64_t columnBlock = 64, maxRows = 512;

double estimateContractionNs(const ContractionRoles &roles, bool constantA, bool constantB, int64_t bBytes, TargetAttr target) {
  StringRef kernels = getKernelTarget(target);
  int64_t tasks = 1, depth = roles.k.extent;
  for (const ContractionDim &dim : roles.outer)
    tasks *= dim.extent;
  for (const ContractionDim &dim : roles.reductions)
    depth *= dim.extent;
  // A reduction besides k is one more pair of addresses for each entry of the batch.
  constexpr double entryNs = 3;
  double entries = static_cast<double>(depth / std::max<int64_t>(roles.k.extent, 1));
  tpp_brgemm_desc desc = {};
  desc.k = depth;
  auto cheapest = [&](int64_t m, int64_t n) {
    double best = 0;
    desc.m = m, desc.n = n;
    for (const Row &row : rows)
      if (row.target == kernels)
        if (double ns = tpp_brgemm_cost(&desc, &row.cost); best == 0 || ns < best)
          best = ns;
    return best + entries * entryNs;
  };
  auto blocks = [](int64_t extent, int64_t block, function_ref<double(int64_t)> cost) {
    double ns = static_cast<double>(extent / block) * cost(block);
    return extent % block ? ns + cost(extent % block) : ns;
  };
  double ns = static_cast<double>(tasks) * blocks(roles.m.extent, maxRows, [&](int64_t m) {
                return blocks(roles.n.extent, columnBlock, [&](int64_t n) { return cheapest(m, n); });
              });
  // Columns of A that are not neighbours are fetched line by line for one element each, unless the next rows find theirs in lines that are
  // still at hand (an image of few channels).
  constexpr double stridedA = 1.15;
  constexpr int64_t lineElements = 16, linesAtHand = 256;
  bool rowsShareLines = roles.m.extent > 1 && roles.m.a() < lineElements && depth <= linesAtHand;
  if (!constantA && roles.k.extent > 1 && roles.k.a() != 1 && !rowsShareLines)
    ns *= stridedA;
  if (constantB)
    return ns;
  // A large B that many rows share costs a pack, whether tpp-assign-layouts will make one or not: what it saves where it makes none, rows that
  // lie apart cost (an image in NCHW, whose channels are rows; ResNet-50 in NCHW takes twice as long as channels-last). Whole rows move
  // at twice the speed. One that few rows share is transposed where its columns lie apart.
  bool neighbours = roles.n.extent <= 1 || roles.n.b() == 1;
  int64_t sharing = roles.m.extent;
  for (const ContractionDim &dim : roles.outer)
    sharing *= dim.b() == 0 ? dim.extent : 1;
  constexpr double sparseB = 1.1;
  constexpr int64_t manyRows = 128, fewBytes = 128 << 10;
  bool packed = sharing >= manyRows && bBytes > fewBytes;
  if (!neighbours || packed)
    ns += estimateMoveNs(bBytes) * (neighbours ? 0.5 : 1);
  // Where they cannot be brought together (a strided image) the result is computed along another dimension and transposed.
  if (!neighbours) {
    int64_t results = roles.m.extent * roles.n.extent;
    for (const ContractionDim &dim : roles.outer)
      results *= dim.extent;
    ns += estimateMoveNs(results * 4);
  } else if (!packed && roles.k.extent > 1 && roles.k.b() > columnBlock && bBytes > fewBytes) {
    ns *= sparseB;
  }
  return ns;
}

} // namespace mlir::tpp
