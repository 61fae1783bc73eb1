// Winograd's algorithm F(t x t, 3 x 3): its matrices, and the convolutions that it can compute.
//
// t x t neighbouring outputs are computed from a tile of (t + 2) x (t + 2) pixels, which is transformed to as many points. At each point, pixels are
// multiplied with filters that are transformed in advance: (t + 2)^2 multiplications for each pair of channels, instead of 9 t^2.
#ifndef TPP_LOWERING_ANALYSIS_WINOGRAD_H
#define TPP_LOWERING_ANALYSIS_WINOGRAD_H

#include "lowering/analysis/Contractions.h"

namespace mlir::tpp {

/// A matrix in row-major order.
struct SmallMatrix {
  int64_t rows, columns;
  ArrayRef<double> elements;

  double at(int64_t row, int64_t column) const { return elements[row * columns + column]; }
};
/// The matrices for a tile of 2 or 4: B^T, A^T and G of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015.
SmallMatrix getWinogradInputMatrix(int64_t tile);
SmallMatrix getWinogradOutputMatrix(int64_t tile);
SmallMatrix getWinogradFilterMatrix(int64_t tile);

/// A convolution of f32 or bf16 with 3 x 3 filters whose stride equals its dilation (mostly 1; other dilations are split into
/// such convolutions before), channels-last: the channels are contiguous in A and in C.
struct WinogradConvolution {
  ContractionDim height, width;       // of C; A moves by the same strides along the taps
  ContractionDim k, n;                // input and output channels
  SmallVector<ContractionDim> images; // further dimensions of A and C
  unsigned heightTap, widthTap;       // the loops of the taps
};
/// A dimension of an image that a loop over outputs and one over taps index together, at loop * c + tap * d + start.
struct ImageDim {
  size_t position; // in the image's shape
  int64_t start;
  int64_t step; // of the loop over outputs
};
/// nullopt if the loop indexes no dimension, or a dimension together with further loops.
std::optional<ImageDim> getImageDim(AffineMap map, ArrayRef<int64_t> extents, unsigned loop, unsigned tap);

/// nullopt for any other contraction. B may hold the filters (any strides) or transformed filters (its strides are 0).
std::optional<WinogradConvolution> matchWinogradConvolution(const ContractionInfo &contraction);
/// The contraction with the types in which Winograd's algorithm multiplies: f32, whatever the types of the images.
ContractionInfo getWinogradProducts(const ContractionInfo &contraction);

} // namespace mlir::tpp

#endif
