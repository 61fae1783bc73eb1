// Chains of contractions whose intermediate values are computed in bands: some rows of the last value, and what they need of the values before.
#ifndef TPP_LOWERING_TILE_BANDS_H
#define TPP_LOWERING_TILE_BANDS_H

#include "mlir/IR/Block.h"
#include "tpp/machine.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {

/// A dimension of a contraction's output and the dimension of its image from which it is computed. Output i reads the image's elements
/// i * step + start to i * step + start + reach, inclusive. Those outside of 0 to inExtent - 1 are padding.
struct BandAxis {
  unsigned loop, outDim, inDim; // of the contraction; of the shapes of output and image
  int64_t outExtent, inExtent;
  int64_t step, start, reach;

  /// Whether output i reads element i and no other.
  bool isPointwise() const { return step == 1 && start == 0 && reach == 0 && outExtent == inExtent; }
};

/// A contraction of a chain. Its image is the output of the one before, a buffer that nothing else uses; that of the first is its operand A or B.
struct BandStage {
  ContractOp op;
  unsigned image; // the operand: 0 or 1
  BandAxis rows;
  SmallVector<BandAxis> images; // dimensions that are computed one index at a time
};

/// The rows that one stage computes for a band, and those that it reads: `before` rows that do not exist, then `inRows` that do.
struct BandRows {
  int64_t first, rows;
  int64_t before, inFirst, inRows;
};

/// How a chain is computed: `blockRows` rows of the last output at a time. The last band of an image may have fewer.
struct BandPlan {
  SmallVector<BandStage> stages;
  int64_t blockRows = 0;
  double savedNs = 0, workNs = 0; // estimated, of one call on one thread: what bands save, and the arithmetic of all bands

  int64_t countBands() const { return llvm::divideCeil(stages.back().rows.outExtent, blockRows); } // of an image
  int64_t countImages() const;
  /// What each stage computes for a band of an image.
  SmallVector<BandRows> getRows(int64_t band) const;
  /// The first band of each run of bands of an image that differ in their position only, in ascending order.
  SmallVector<int64_t> getRuns() const;
};

/// The chains of `block` for which bands are estimated to be faster: large values between are not written to L3 and read from it, which takes longer than
/// computing the rows twice that two bands need. Each contraction is in one chain at most.
SmallVector<BandPlan> planBands(Block &block, const tpp_machine &machine, int64_t threads);

} // namespace mlir::tpp

#endif
