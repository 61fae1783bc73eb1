// Estimates for the layout stage (see Cost.h).
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "tpp/brgemm_cost.h"
#include "tpp_dialect/PackingProblem.h"
#include <algorithm>

namespace mlir::tpp {

// Payload that a relayout moves in a nanosecond on one thread, counted once: the geometric mean of the medians of the 17 relayouts of 2 to 64 MiB
// of f32, warm, in benchmarks/results/sapphire-rapids-vm/2026-11-22-relayouts.json. They lie between 3.9 (a transpose of 4096 squared) and 10.4
// (heads of attention), twelve of them within 30 %; packs from rows (5.6 to 6.9) are no faster than packs from columns (6.5 to 7.4).
constexpr double moveBytesPerNs = 6.5;

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

// What it costs that the columns of A are not neighbours: a cache line for each column of as many rows as share it, of which the hardware foresees
// none. The first tile of columns of C fetches them from where A lies; every other one, and every other reduction (a filter's taps), from L2. Lines that L1
// holds for the next rows cost next to nothing; where they lie in more pages than the second-level TLB knows, each fetch walks the page table.
//
// Fitted by eye to 36 products of one tile of columns (N = 64; K = 64, 256, 1024 and 2304; 125 to 4096 rows), each beside the same with A's columns
// as neighbours, on a Sapphire Rapids virtual machine. A line took 0 to 2 ns where L2 holds A and L1 the lines of a row of tiles (K = 64 and 256), 2 to 3
// where L2 holds A, 7 to 13 where it does not, and 29 to 57 with 1024 columns two or four pages apart. Noise is 30 %; a factor of two is possible.
// fromL1 is at the upper end: with 1, small 3 x 3 convolutions on NCHW are no longer made channels-last, which was 1.4 times as fast by the best of
// calls for 28 x 28 images of 64 and 128 channels, and even by the median; not studied further. `depth` is the product of all reductions.
static double estimateStridedNs(const ContractionRoles &roles, int64_t depth, TargetAttr target) {
  constexpr int64_t lineElements = 16, lineBytes = 64, pageBytes = 4096, knownPages = 2048;
  constexpr double fromL1 = 1.5, fromL2 = 3, fromBeyond = 10, walk = 40;
  // Rows whose elements are in the lines of their neighbours' (an image of few channels) find them still at hand.
  constexpr int64_t linesAtHand = 256;
  if (roles.k.extent <= 1 || roles.k.a() == 1)
    return 0;
  if (roles.m.extent > 1 && roles.m.a() < lineElements && roles.m.a() > 1 && depth <= linesAtHand)
    return 0;
  int64_t rows = roles.m.extent, passes = llvm::divideCeil(roles.n.extent, columnBlock) * (depth / roles.k.extent);
  for (const ContractionDim &dim : roles.outer)
    (dim.a() != 0 ? rows : passes) *= dim.extent;
  int64_t sharing = std::max<int64_t>(1, lineElements / std::max<int64_t>(1, roles.m.a()));
  double lines = static_cast<double>(rows) * static_cast<double>(roles.k.extent) / static_cast<double>(sharing);
  double stride = static_cast<double>(roles.k.a()) * sizeof(float);
  double pages = static_cast<double>(roles.k.extent) * std::max(1.0, stride / pageBytes);
  double walks = pages >= knownPages ? walk : 0;
  double again = roles.k.extent * lineBytes > target.getCacheBytes(1) ? fromL2 : fromL1;
  double first = lines * lineBytes > static_cast<double>(target.getCacheBytes(2)) ? fromBeyond : again;
  return lines * (first + walks + static_cast<double>(passes - 1) * (again + walks));
}

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
  // An image (B) whose pixels are not neighbours is computed with the weights' dimension as columns (tpp-assign-layouts).
  bool neighbours = roles.n.extent <= 1 || roles.n.b() == 1, swaps = constantA && !constantB && !neighbours;
  int64_t rowExtent = swaps ? roles.n.extent : roles.m.extent, columnExtent = swaps ? roles.m.extent : roles.n.extent;
  double ns = static_cast<double>(tasks) * blocks(rowExtent, maxRows, [&](int64_t m) {
                return blocks(columnExtent, columnBlock, [&](int64_t n) { return cheapest(m, n); });
              });
  if (!constantA)
    ns += estimateStridedNs(roles, depth, target);
  if (constantB)
    return ns;
  // A large B that many rows share costs a pack, whether tpp-assign-layouts will make one or not: what it saves where it makes none, rows that
  // lie apart cost (an image in NCHW, whose channels are rows; ResNet-50 in NCHW takes twice as long as channels-last). One that few rows
  // share is transposed where its columns lie apart.
  int64_t sharing = roles.m.extent;
  for (const ContractionDim &dim : roles.outer)
    sharing *= dim.b() == 0 ? dim.extent : 1;
  constexpr double sparseB = 1.1;
  constexpr int64_t manyRows = 128, fewBytes = 128 << 10;
  bool packed = sharing >= manyRows && bBytes > fewBytes;
  if (!neighbours || packed)
    ns += estimateMoveNs(bBytes);
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
