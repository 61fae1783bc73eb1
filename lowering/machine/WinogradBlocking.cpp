// See WinogradBlocking.h.
#include "lowering/machine/WinogradBlocking.h"
#include "lowering/machine/Cost.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tpp {

namespace {

// Cycles for each tile and vector of channels.
constexpr std::pair<int64_t, double> inputCycles[] = {
#define TPP_UK_WINOGRAD_INPUT(tile, cycles) {tile, cycles},
#include "tpp/kernels.def"
};
constexpr std::pair<int64_t, double> outputCycles[] = {
#define TPP_UK_WINOGRAD_OUTPUT(tile, cycles) {tile, cycles},
#include "tpp/kernels.def"
};

double getCycles(ArrayRef<std::pair<int64_t, double>> table, int64_t tile) {
  return llvm::find_if(table, [&](auto entry) { return entry.first == tile; })->second;
}

// Nanoseconds in which `threads` threads together read `bytes` from memory: each at the rate of one thread, until they saturate it. How many threads
// that takes is an assumption, measured with two only.
double estimateReadNs(int64_t bytes, const tpp_machine &machine, int64_t threads) {
  constexpr int64_t mostReaders = 4;
  return static_cast<double>(bytes) / (machine.memory_gbs * static_cast<double>(std::min(threads, mostReaders)));
}

class Chooser {
public:
  Chooser(const ContractionInfo &contraction, const WinogradConvolution &convolution, int64_t tile, int64_t panel,
          int64_t threads)
      : contraction(getWinogradProducts(contraction)), machine(contraction.target.getMachine()), tile(tile), panel(panel),
        points(getWinogradPoints(tile)), threads(threads), tileRows(llvm::divideCeil(convolution.height.extent, tile)),
        tileColumns(llvm::divideCeil(convolution.width.extent, tile)), k(convolution.k.extent), n(convolution.n.extent) {
    for (const ContractionDim &dim : convolution.images)
      images *= dim.extent;
    filterBytes = points * k * llvm::alignTo(n, panel) * elementBytes;
    inputTileNs = estimateTransformNs(getCycles(inputCycles, tile), k, /*read=*/tile * tile, /*written=*/points);
    outputTileNs = estimateTransformNs(getCycles(outputCycles, tile), n, /*read=*/points, /*written=*/tile * tile);
  }

  WinogradBlocking choose() {
    for (int64_t columns = tileColumns; columns > 0;) {
      consider(1, columns, /*shared=*/false);
      // The next smaller number of columns that divides a row of tiles into one more block.
      int64_t parts = llvm::divideCeil(tileColumns, columns);
      columns = columns == 1 ? 0 : std::min<int64_t>(columns - 1, llvm::divideCeil(tileColumns, parts + 1));
    }
    for (int64_t rows = 2; rows <= tileRows; ++rows)
      consider(rows, tileColumns, /*shared=*/false);
    if (threads > 1)
      consider(tileRows, tileColumns, /*shared=*/true);
    return best;
  }

private:
  static constexpr int64_t elementBytes = sizeof(float);
  static constexpr double leastWait = 0.1; // the share of the products' time from which reading the filters counts as waiting

  // A transform of one tile with `channels` channels. `read` and `written` count numbers of a channel that pass between L1 and L2, written ones twice.
  double estimateTransformNs(double cycles, int64_t channels, int64_t read, int64_t written) const {
    double vectors = static_cast<double>(llvm::divideCeil(channels, contraction.getLanes()));
    return vectors *
           (cycles / machine.clock_ghz + static_cast<double>((read + 2 * written) * machine.vector_bytes) / machine.l2_gbs);
  }

  void consider(int64_t rows, int64_t columns, bool shared) {
    WinogradBlocking blocking;
    blocking.tile = tile, blocking.rows = rows, blocking.columns = columns, blocking.shared = shared;
    blocking.pixelStride = getWinogradStride(k), blocking.productStride = getWinogradStride(n);
    int64_t tiles = rows * columns, count = images * llvm::divideCeil(tileRows, rows) * llvm::divideCeil(tileColumns, columns);
    double allTiles = static_cast<double>(images * tileRows * tileColumns), whole = allTiles / static_cast<double>(tiles);
    BrgemmEstimate point = estimatePoint(tiles);
    double productsNs = static_cast<double>(points) * point.ns; // of a whole block, like the times that follow
    double transformsNs = static_cast<double>(tiles) * (inputTileNs + outputTileNs);
    blocking.productNs = estimateProducts(rows, columns), blocking.inputNs = allTiles * inputTileNs,
    blocking.outputNs = allTiles * outputTileNs;

    int64_t team = shared ? threads : 1, scratch = 0; // threads that compute a block
    for (int64_t stride : {blocking.pixelStride, blocking.productStride})
      scratch += points * getWinogradStride(tiles * stride) * elementBytes;
    // Transformed pixels and products are written and read. If filters replace them in L2, they come back from the next level; if L2 does not hold
    // them, they also are written there and read from it. If the threads share a block, half of what each of them reads is on other cores.
    double scratchNs = static_cast<double>(scratch) / machine.l3_gbs;
    bool heldByL2 = filterBytes + scratch <= machine.l2_bytes * team;
    double movesNs = scratch * 4 > machine.l2_bytes * team * 3 ? 2 * scratchNs : shared || !heldByL2 ? scratchNs : 0;
    // Threads with blocks of their own each read all filters, from L3 if another thread has read them before.
    bool heldByL3 = filterBytes * 2 <= machine.l3_bytes;
    double firstNs =
        estimateReadNs(shared || heldByL3 ? filterBytes : filterBytes * threads, machine, shared || !heldByL3 ? threads : 1);
    double againNs = heldByL2   ? 0
                     : heldByL3 ? static_cast<double>(filterBytes) / (machine.l3_gbs * static_cast<double>(team))
                                : firstNs;
    // The blocks that one thread, or a team, computes one after the other. On one thread, those at the border count less, but read all filters.
    double rounds = static_cast<double>(shared ? count : llvm::divideCeil(count, threads));
    double computed = threads == 1 ? std::max(1.0, whole) : rounds;
    productsNs /= static_cast<double>(team), transformsNs /= static_cast<double>(team), movesNs /= static_cast<double>(team);
    double laterNs = threads == 1 ? blocking.productNs - productsNs : (rounds - 1) * productsNs;
    blocking.waitsForFilters = !shared && (rounds == 1 || againNs > leastWait * productsNs);
    double barriersNs = shared ? 3 * machine.barrier_ns : 0;
    // Of each panel, the first rows of tiles wait for the filters; the others are multiplied while the next panel is prefetched.
    double otherRows = 1 - static_cast<double>(point.rows) / static_cast<double>(tiles);
    auto whileReading = [&](double ns, double readNs) { return ns + std::max(0.0, readNs - otherRows * ns); };
    blocking.ns = whileReading(productsNs, firstNs) + whileReading(laterNs, (rounds - 1) * againNs) +
                  computed * (transformsNs + movesNs + barriersNs);
    if (best.ns == 0 || blocking.ns < best.ns)
      best = blocking;
  }

  // The products of all blocks, of which those at the border have fewer tiles.
  double estimateProducts(int64_t rows, int64_t columns) {
    double ns = 0;
    for (auto [height, down] : {std::pair(rows, tileRows / rows), std::pair(tileRows % rows, int64_t{1})})
      for (auto [width, across] : {std::pair(columns, tileColumns / columns), std::pair(tileColumns % columns, int64_t{1})})
        if (height * width > 0)
          ns += static_cast<double>(images * down * across * points) * estimatePoint(height * width).ns;
    return ns;
  }
  // The products of one point of a block: the time, and the rows of tiles that wait for each panel. Blocks of many shapes have as many tiles.
  BrgemmEstimate estimatePoint(int64_t tiles) {
    auto [known, isNew] = estimates.try_emplace(tiles);
    if (isNew) {
      known->second = estimateBrgemm(contraction, tiles, panel, k);
      known->second.ns *= static_cast<double>(n / panel);
      if (n % panel != 0)
        known->second.ns += estimateBrgemm(contraction, tiles, n % panel, k).ns;
    }
    return known->second;
  }

  ContractionInfo contraction; // of products
  tpp_machine machine;
  int64_t tile, panel, points, threads, tileRows, tileColumns, k, n, images = 1, filterBytes = 0;
  double inputTileNs, outputTileNs;
  llvm::SmallDenseMap<int64_t, BrgemmEstimate> estimates; // by tiles
  WinogradBlocking best;
};

} // namespace

int64_t getWinogradStride(int64_t elements) {
  constexpr int64_t line = TPP_LINE_BYTES / sizeof(float);
  return (llvm::divideCeil(elements, line) | 1) * line;
}

WinogradBlocking chooseWinogradBlocking(const ContractionInfo &contraction, const WinogradConvolution &convolution, int64_t tile,
                                        int64_t panel, int64_t threads) {
  return Chooser(contraction, convolution, tile, panel, threads).choose();
}

int64_t getWinogradPanel(const ContractionInfo &contraction, const WinogradConvolution &convolution) {
  return std::min(convolution.n.extent, getWinogradProducts(contraction).getDefaultColumns());
}

std::optional<WinogradTile> chooseWinogradTile(const ContractionInfo &contraction, const WinogradConvolution &convolution,
                                               int64_t panel, int64_t threads, double limit) {
  std::optional<WinogradTile> best;
  for (int64_t tile : {4, 2})
    if (double ns = chooseWinogradBlocking(contraction, convolution, tile, panel, threads).ns; ns < (best ? best->ns : limit))
      best = WinogradTile{tile, ns};
  return best;
}

double estimateDirectConvolutionNs(const ContractionInfo &contraction, int64_t threads) {
  tpp_machine machine = contraction.target.getMachine();
  double ns = estimateContraction(contraction).ns / static_cast<double>(threads);
  // The brgemm of one row of the image waits for the filters, which L2 holds for the other rows.
  double rows = 1;
  for (const ContractionDim &dim : getBrgemmDims(contraction).outer)
    if (dim.b() == 0)
      rows *= static_cast<double>(dim.extent);
  return std::max(ns / rows, estimateReadNs(contraction.b().getBytes(), machine, threads)) + ns - ns / rows;
}

} // namespace mlir::tpp
