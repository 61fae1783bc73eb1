// Arguments and results in memory: allocation, initial contents before a call, and comparison after it.
#pragma once
#include "ElementType.h"
#include "lowering/compile/AlignedMemory.h"

#include <optional>

namespace tpp::run {

struct Tensor {
  TensorSpec spec;
  mlir::tpp::AlignedMemory memory;

  void *data() const { return memory.get(); }
};

// Bytes that this process can still allocate before the machine, or its control group, is out of memory.
int64_t availableMemoryBytes();

// Returns an error if all tensors together need more than `available` bytes. The message names the largest tensor.
llvm::Error checkMemory(llvm::ArrayRef<const TensorSpec *> tensors, int64_t available);

// Allocates the data of a tensor, without initializing it.
llvm::Expected<Tensor> allocateTensor(const TensorSpec &spec);
// A tensor with the data of a .npy file, whose shape and type must match `spec`.
llvm::Expected<Tensor> readTensor(llvm::StringRef path, const TensorSpec &spec);

// The initial contents of an argument.
struct InputSpec {
  enum class Kind { random, constant, file } kind = Kind::random;
  uint64_t seed = 0;
  double value = 0; // only for Kind::constant: of every element
  std::string path; // only for Kind::file
};

// Parses `random`, `random:SEED`, `zeros`, `ones`, a number or the name of a .npy file.
llvm::Expected<InputSpec> parseInputSpec(llvm::StringRef text);

// Fills a tensor. `argument` is its position among the arguments; random data depend on it.
//
// Random data are the same on every machine: element i is a function of (seed, argument, i), computed in integers and rounded once.
// Floating-point elements are nearly normal with mean 0 and standard deviation 1: a scaled sum of eight uniform 16-bit integers, within
// +-4.9. Integer elements are uniform: -4 to 4 for i8 and i16, 0 to 3 for the other types, which may be indices; i1 is 0 or 1.
llvm::Error fillTensor(const Tensor &tensor, const InputSpec &input, int64_t argument);

// Tolerances that the user gave; compareTensors has defaults for the others.
struct Tolerance {
  std::optional<double> relative, absolute;
};

// The result of comparing one output. An element passes if |got - expected| <= absolute + relative * |expected|, or both are NaN, or both
// are the same infinity.
struct Comparison {
  bool passed = true;
  int64_t elements = 0, failures = 0, firstFailure = -1;
  // The largest errors over all elements; infinite if only one side is NaN or infinite. Relative errors are considered only where
  // |expected| exceeds the absolute tolerance. Positions are linear indices, -1 if there is no difference.
  double largestAbsolute = 0, largestRelative = 0;
  int64_t absoluteAt = -1, relativeAt = -1;
  double absoluteTolerance = 0, relativeTolerance = 0;
  // Over the elements that are finite on both sides: the mean of |got - expected|, and the cosine of the angle between the two tensors as vectors (1
  // if one of them is zero).
  double meanAbsolute = 0, cosine = 1;
};

double defaultRelativeTolerance(ElementType type);

// Default relative tolerance: f64 1e-10, f32 1e-4, f16 1e-2, bf16 3e-2, integers 0. Default absolute tolerance: the relative one times the
// largest finite |expected| of the tensor, because a sum can be small through cancellation of large terms.
Comparison compareTensors(const TensorSpec &spec, const void *got, const void *expected, const Tolerance &tolerance);

// Describes a comparison in one line: passed or not, the largest errors and their positions.
std::string describeComparison(const TensorSpec &spec, const Comparison &comparison, const void *got, const void *expected);

} // namespace tpp::run
