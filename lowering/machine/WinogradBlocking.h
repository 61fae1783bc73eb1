// How a convolution is computed by Winograd's algorithm, and how long that takes.
#ifndef TPP_LOWERING_MACHINE_WINOGRADBLOCKING_H
#define TPP_LOWERING_MACHINE_WINOGRADBLOCKING_H

#include "lowering/analysis/Winograd.h"

namespace mlir::tpp {

// A block of tiles is transformed, multiplied and transformed back before the next one.
struct WinogradBlocking {
  int64_t tile = 4;
  int64_t rows = 1, columns = 1;              // of a block, in tiles
  int64_t pixelStride = 0, productStride = 0; // elements between tiles of a point in the two scratch buffers
  bool shared = false;          // the threads compute each block together; otherwise each thread has blocks of its own
  bool waitsForFilters = false; // a thread reads the filters once or slowly, so that it pays to prefetch them
  double inputNs = 0, productNs = 0, outputNs = 0; // of the whole convolution on one thread, without waiting for filters
  double ns = 0;                                   // estimated, on all threads
};

// The fastest blocking of `convolution`, which `contraction` describes, for tiles of `tile` x `tile` outputs and filters in panels of `panel` columns.
WinogradBlocking chooseWinogradBlocking(const ContractionInfo &contraction, const WinogradConvolution &convolution, int64_t tile,
                                        int64_t panel, int64_t threads);

// The tile, 2 or 4, for which the fastest blocking is estimated to take the least time, in nanoseconds. nullopt if that is not below `limit`.
struct WinogradTile {
  int64_t tile;
  double ns;
};
std::optional<WinogradTile> chooseWinogradTile(const ContractionInfo &contraction, const WinogradConvolution &convolution,
                                               int64_t panel, int64_t threads, double limit);

// The share of the time of the direct computation below which Winograd's algorithm is used: the transformed filters need more memory, and the code for
// them is longer.
inline constexpr double kWorthwhileWinograd = 0.9;

// Elements from one row of `elements` elements of a scratch buffer to the next, and from one point to the next: an odd number of cache lines. Rows that
// are accessed together would share few sets of L1 otherwise.
int64_t getWinogradStride(int64_t elements);

// Columns of a panel of transformed filters.
int64_t getWinogradPanel(const ContractionInfo &contraction, const WinogradConvolution &convolution);

// The convolution's estimated time on `threads` threads without Winograd's algorithm, in nanoseconds. As in a blocking, the filters come from memory.
double estimateDirectConvolutionNs(const ContractionInfo &contraction, int64_t threads);

} // namespace mlir::tpp

#endif
