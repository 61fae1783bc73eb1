// Times the kernels of a call with two clock readings for each invocation.
#ifndef TPP_LOWERING_COMPILE_KERNELTIMES_H
#define TPP_LOWERING_COMPILE_KERNELTIMES_H

#include "lowering/compile/CompileModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::tpp {

/// One invocation of a kernel. Times are in seconds since the start of the call.
struct Invocation {
  size_t slot;   // index into CompileReport::slots
  int64_t batch; // the kernel's argument; only that of a brgemm counts its batch entries
  double begin, end;

  /// Multiplications and additions, over all entries of the batch.
  double countFlops(ArrayRef<CompileReport::Slot> slots) const {
    return double(slots[slot].flopsOfEntry) * (slots[slot].isBatched ? double(batch) : 1);
  }
};

/// The invocations of the fastest of several calls.
struct KernelTimes {
  size_t calls = 0; // that were timed
  double seconds = 0;
  std::vector<std::vector<Invocation>> threads; // of each thread that had some, in the order of time
};

/// The time of the kernels that compute the same and have the same name, which may differ in strides and post-ops.
struct KernelTime {
  std::string what, name, provider; // of a slot
  std::string flopsType;
  int64_t calls = 0;
  double seconds = 0; // over all threads
  double flops = 0;
};

/// Calls a model until the calls took `leastSeconds`, and at least three times. The model's kernels are replaced by timing wrappers meanwhile; a
/// wrapper adds about 50 ns to an invocation. No other call of the model may run. `disturb` runs before each call and says whether it may have
/// displaced the model's data from the caches; then one call is not timed. It is given the seconds of timed calls since it last said so.
/// The first error of `call` ends the timing.
llvm::Expected<KernelTimes> timeKernels(LoadedModel &model, llvm::function_ref<llvm::Error()> call, double leastSeconds,
                                        llvm::function_ref<bool(double)> disturb);

/// Sums up the times of each kernel over all threads, the longest first.
std::vector<KernelTime> sumKernelTimes(const KernelTimes &times, ArrayRef<CompileReport::Slot> slots);

} // namespace mlir::tpp

#endif
