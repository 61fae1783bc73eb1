// Runs of operations on buffers that are computed for some images of a batch at a time.
#ifndef TPP_LOWERING_TILE_IMAGERUNS_H
#define TPP_LOWERING_TILE_IMAGERUNS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Block.h"
#include "tpp/machine.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tpp {

/// An operation that computes each image of its output from that image of its operands. Only the output is written.
struct ImageOp {
  Operation *op;
  SmallVector<AffineMap> maps; // of its operands, over the loops of its computation
  unsigned loop;               // over images; it alone indexes a dimension of the output
  int64_t extent;              // of this loop: a multiple of the number of images
  unsigned output;             // the operand that is written
  /// For each operand: the buffer that holds its images one after the other, as equal parts; null for others, which the run does not write. They are read
  /// whole, or cut along the loop.
  SmallVector<Value> buffers;
};

/// Consecutive operations for which a loop computes `group` of the `images` of a batch at a time.
struct ImageRun {
  SmallVector<ImageOp> ops;
  int64_t images = 0, group = 0;
  double savedNs = 0, workNs = 0; // estimated, of one call on one thread: what the loop saves, and the arithmetic

  int64_t countGroups() const { return images / group; }
  /// The buffers between the operations of the run, which nothing else uses.
  llvm::SetVector<Value> getInner() const;
};

/// The runs of `block` for which such a loop is estimated to be faster: L2 holds what is between its operations for a group of images, but not for all.
/// They are in the order of the block.
SmallVector<ImageRun> planImageRuns(Block &block, const tpp_machine &machine, int64_t threads);

} // namespace mlir::tpp

#endif
