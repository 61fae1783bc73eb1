// See WinogradBlocking.h.
#include "lowering/machine/WinogradBlocking.h"
#include "lowering/machine/Cost.h"
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

// Elements between rows of `channels` elements. Rows begin at cache lines, and not a power of two apart: those would share few sets of L1.
int64_t getRowStride(int64_t channels) {
  constexpr int64_t line = 16;
  return llvm::alignTo(channels, line) + line;
}

// Nanoseconds in which `threads` threads together read `bytes` from memory: each at the rate of one thread, until they saturate it.
double estimateReadNs(int64_t bytes, const tpp_machine &machine, int64_t threads) {
  constexpr int64_t mostReaders = 4;
  return static_cast<double>(bytes) / (machine.memory_gbs * static_cast<double>(std::min(threads, mostReaders)));
}

class Chooser {
public:
  Chooser(const ContractionInfo &contraction, const WinogradConvolution &convolution, int64_t tile, int64_t panel,
          int64_t threads)
      : contraction(contraction), machine(contraction.target.getMachine()), tile(tile), panel(panel),
        points(getWinogradPoints(tile)), threads(threads), tileRows(llvm::divideCeil(convolution.height.extent, tile)),
        tileColumns(llvm::divideCeil(convolution.width.extent, tile)), k(convolution.k.extent), n(convolution.n.extent) {
    for (const ContractionDim &dim : convolution.images)
      images *= dim.extent;
    filterBytes = points * k * llvm::alignTo(n, panel) * elementBytes;
    double lanes = static_cast<double>(contraction.getLanes());
    auto vectors = [&](int64_t channels) { return std::ceil(static_cast<double>(channels) / lanes); };
    inputNs = getCycles(inputCycles, tile) * vectors(k) / machine.clock_ghz;
    outputNs = getCycles(outputCycles, tile) * vectors(n) / machine.clock_ghz;
  }

  WinogradBlocking choose() {
    for (int64_t parts = 1; parts <= tileColumns; ++parts)
      consider(1, llvm::divideCeil(tileColumns, parts), /*shared=*/false);
    for (int64_t rows = 2; rows <= tileRows; ++rows)
      consider(rows, tileColumns, /*shared=*/false);
    if (threads > 1)
      consider(tileRows, tileColumns, /*shared=*/true);
    return best;
  }

private:
  static constexpr int64_t elementBytes = sizeof(float);

  void consider(int64_t rows, int64_t columns, bool shared) {
    int64_t tiles = rows * columns;
    double blockTiles = static_cast<double>(tiles);
    double blocks = static_cast<double>(images) * static_cast<double>(tileRows * tileColumns) / blockTiles;
    double products = static_cast<double>(points) * estimatePoint(tiles);
    double transforms = blockTiles * (inputNs + outputNs);
    int64_t scratch = points * tiles * (getRowStride(k) + getRowStride(n)) * elementBytes;
    // Transformed pixels and products that L2 does not hold are written to the next level and read from it. L2 also holds filters and pixels.
    double moves = scratch * 4 > machine.l2_bytes * 3 ? 2 * static_cast<double>(scratch) / machine.l3_gbs : 0;
    // Threads with blocks of their own each read all filters.
    double fromMemory = estimateReadNs(filterBytes, machine, shared ? threads : 1);
    double again = filterBytes + scratch <= machine.l2_bytes ? 0
                   : filterBytes * 2 <= machine.l3_bytes     ? static_cast<double>(filterBytes) / machine.l3_gbs
                                                             : fromMemory;
    WinogradBlocking blocking;
    blocking.tile = tile, blocking.rows = rows, blocking.columns = columns, blocking.shared = shared;
    blocking.pixelStride = getRowStride(k), blocking.productStride = getRowStride(n);
    blocking.productNs = blocks * products;
    blocking.inputNs = blocks * blockTiles * inputNs, blocking.outputNs = blocks * blockTiles * outputNs;
    double team = static_cast<double>(threads);
    if (shared) {
      // Half of the products and of the transformed pixels are on other cores.
      double exchanged = static_cast<double>(scratch) / machine.l3_gbs;
      blocking.ns = std::max(products / team, fromMemory) + (blocks - 1) * std::max(products / team, again) +
                    blocks * ((transforms + moves + exchanged) / team + 3 * machine.barrier_ns);
    } else {
      double rounds = std::max(1.0, std::ceil(blocks - 1e-9) / team);
      if (threads > 1)
        rounds = std::ceil(rounds - 1e-9);
      blocking.ns = std::max(products, fromMemory) + (rounds - 1) * std::max(products, again) + rounds * (transforms + moves);
    }
    if (best.ns == 0 || blocking.ns < best.ns)
      best = blocking;
  }

  // The products of one point of a block.
  double estimatePoint(int64_t tiles) const {
    double ns = static_cast<double>(n / panel) * estimateBrgemmNs(contraction, tiles, panel, k);
    return n % panel == 0 ? ns : ns + estimateBrgemmNs(contraction, tiles, n % panel, k);
  }

  const ContractionInfo &contraction;
  tpp_machine machine;
  int64_t tile, panel, points, threads, tileRows, tileColumns, k, n, images = 1, filterBytes = 0;
  double inputNs, outputNs; // of one tile
  WinogradBlocking best;
};

} // namespace

WinogradBlocking chooseWinogradBlocking(const ContractionInfo &contraction, const WinogradConvolution &convolution, int64_t tile,
                                        int64_t panel, int64_t threads) {
  return Chooser(contraction, convolution, tile, panel, threads).choose();
}

int64_t getWinogradPanel(const ContractionInfo &contraction, const WinogradConvolution &convolution) {
  return std::max<int64_t>(2, std::min(convolution.n.extent, contraction.getDefaultColumns()));
}

double estimateDirectConvolutionNs(const ContractionInfo &contraction, int64_t threads) {
  tpp_machine machine = contraction.target.getMachine();
  return std::max(estimateContraction(contraction).ns / static_cast<double>(threads),
                  estimateReadNs(contraction.b().getBytes(), machine, threads));
}

} // namespace mlir::tpp
