// Arguments and results in memory: tensors, their contents before a call, and their comparison after it.
#pragma once
#include "ElementType.h"
#include "lowering/emit/AlignedMemory.h"

#include <optional>

namespace tpp::run {

struct Tensor {
  TensorSpec spec;
  mlir::tpp::AlignedMemory memory;

  void *data() const { return memory.get(); }
};

// Bytes that this process can still allocate without pushing the machine (or its control group) out of memory.
int64_t availableMemoryBytes();

// An error when all tensors together, times `copies`, do not fit `available` bytes; it names the largest.
llvm::Error checkMemory(llvm::ArrayRef<const TensorSpec *> tensors, int64_t available);

llvm::Expected<Tensor> allocateTensor(const TensorSpec &spec);

// What an argument holds before the call.
struct InputSpec {
  enum class Kind { random, zeros, ones, file } kind = Kind::random;
  uint64_t seed = 0;
  std::string path; // of a file
};

// `random`, `random:SEED`, `zeros`, `ones` or a file name, which must end in .npy.
llvm::Expected<InputSpec> parseInputSpec(llvm::StringRef text);

// Fills a tensor; `argument` is its position, which random data depend on.
//
// Random data are the same on every machine: element i is a function of (seed, argument, i) in integer arithmetic, rounded once.
// Floating point: nearly normal, mean 0, deviation 1 (the sum of eight 16-bit uniform numbers, within +-4.9). Integers: uniform,
// -4 to 4 for i8 and i16, 0 to 3 for the others, which may be used as indices.
llvm::Error fillTensor(const Tensor &tensor, const InputSpec &input, int64_t argument);

struct Tolerance {
  std::optional<double> relative, absolute;
};

// The outcome of comparing one output. An element passes when |got - expected| <= absolute + relative * |expected|, or both are
// NaN, or both are the same infinity.
struct Comparison {
  bool passed = true;
  int64_t elements = 0, failures = 0, firstFailure = -1;
  // The largest of all elements, infinite where only one side is NaN or infinite; relative ones only where |expected| is above
  // the absolute tolerance. Linear indices, -1 when there is no difference.
  double largestAbsolute = 0, largestRelative = 0;
  int64_t absoluteAt = -1, relativeAt = -1;
  double absoluteTolerance = 0, relativeTolerance = 0;
};

// Tolerances not given: relative by the type (f64 1e-10, f32 1e-4, f16 1e-2, bf16 3e-2, integers 0), absolute the relative one
// times the largest finite |expected| of the tensor, since sums cancel.
Comparison compareTensors(const TensorSpec &spec, const void *got, const void *expected, const Tolerance &tolerance);

// One line: the verdict, the largest errors and where they are.
std::string describeComparison(const TensorSpec &spec, const Comparison &comparison, const void *got, const void *expected);

} // namespace tpp::run
