// Runs of operations on buffers that are computed for some images of a batch at a time.
#ifndef TPP_LOWERING_TILE_IMAGERUNS_H
#define TPP_LOWERING_TILE_IMAGERUNS_H

#include "lowering/tile/OpParts.h"
#include "mlir/IR/Block.h"
#include "tpp/machine.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace mlir::tpp {

/// An operation that computes each image of its output from that image of its operands. Only the output is written.
struct ImageOp {
  Operation *op;
  BufferNest nest;
  unsigned loop; // over images; it alone indexes a dimension of the output. Its extent is a multiple of the number of images
  /// For each operand: the buffer that holds its images one after the other, as equal parts; null for others, which the run does not write. They are read
  /// whole, or cut along the loop.
  SmallVector<Value> buffers;

  int64_t getExtent() const { return nest.extents[loop]; }
  Value getOutput() const { return buffers[nest.output]; }
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
std::vector<ImageRun> planImageRuns(Block &block, const tpp_machine &machine, int64_t threads);

} // namespace mlir::tpp

#endif
