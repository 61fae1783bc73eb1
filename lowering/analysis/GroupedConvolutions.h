// Convolutions of groups of channels that tpp.grouped_conv computes: depthwise ones, and those of few channels a group.
#ifndef TPP_LOWERING_ANALYSIS_GROUPEDCONVOLUTIONS_H
#define TPP_LOWERING_ANALYSIS_GROUPEDCONVOLUTIONS_H

#include "lowering/analysis/Contractions.h"

namespace mlir::tpp {

/// One dimension of the image: its rows or its columns. Output i reads pixels start + i * step + t * dilation for the taps t.
struct ImageAxis {
  ContractionDim outputs, taps;     // extent 1 and strides of 0 if there is no such loop
  std::optional<unsigned> position; // of the dimension in the image's shape
  int64_t start = 0, extent = 1;    // `extent`: of the image's dimension
  int64_t step = 1, dilation = 1;
  int64_t stride = 0; // of the image's dimension, in elements

  /// Pixels that `count` neighbouring outputs read, from the first to the last.
  int64_t getWindow(int64_t count) const { return (count - 1) * step + (taps.extent - 1) * dilation + 1; }
};

/// A convolution of f32, bf16 or 8-bit integers, channels-last: input channel group * inputs + i is contiguous in A, output channel
/// group * outputs + o in C.
struct GroupedConvolution {
  ImageAxis rows, columns;
  SmallVector<ContractionDim> groups; // outermost first
  ContractionDim inputs, outputs;     // channels of a group
  SmallVector<ContractionDim> images; // further dimensions of A and C

  int64_t countGroups() const;
  int64_t getChannels() const { return countGroups() * outputs.extent; }
  bool isDepthwise() const { return inputs.extent == 1; }
  /// The stride of an operand along the output channels.
  int64_t getChannelStride(unsigned operand) const {
    return outputs.extent > 1 ? outputs.strides[operand] : groups.back().strides[operand];
  }
  /// Whether the operands of post-ops of `contraction` can be read along the output channels with one stride, as the kernels do.
  bool hasChannelStrides(const ContractionInfo &contraction) const;
};

/// The convolution that `contraction` describes, whose operands the op accesses through `maps`, of `types`. Exchanges A and B if B is the image. nullopt
/// for any other contraction.
std::optional<GroupedConvolution> matchGroupedConvolution(ContractionInfo &contraction, ArrayRef<AffineMap> maps,
                                                          ArrayRef<ShapedType> types, ArrayRef<int64_t> extents);
/// Whether the kernels of tpp.grouped_conv are chosen for a convolution of tensors that `contraction` describes, whose operands the op accesses through
/// `maps`. They need constant filters and whole channels in the last dimensions. brgemm is as fast if the output channels of a group are a whole
/// panel (of bf16 and 8-bit integers: a vector), or if L1 does not hold the filter of one vector.
bool prefersGroupedConv(const GroupedConvolution &convolution, const ContractionInfo &contraction, ArrayRef<AffineMap> maps);
/// As matchGroupedConvolution above, for an op on tensors or buffers.
std::optional<GroupedConvolution> matchGroupedConvolution(ContractOp op, ContractionInfo &contraction);

} // namespace mlir::tpp

#endif
