// Defines the functions through which the registry knows a kernel: tpp_uk_X_reject, tpp_uk_X_cost and tpp_uk_X_prepare.
#pragma once
#include "tpp/machine.hpp"
#include "tpp/microkernels.hpp"

#include <algorithm>

// `reason`, `ns` and `fill` are expressions: of `desc`, a Desc, why the kernel cannot compute it (null if it can) and the estimated
// nanoseconds; of `kernel`, a pointer to the microkernel to fill. They are compiled for every machine, so they may not use a target's
// instructions: of a kernel that is compiled per target, only the entry point does.
#define TPP_UK_FUNCTIONS(name, Desc, reason, ns, fill)                                                                           \
  const char *name##_reject(const void *opaque);                                                                                 \
  double name##_cost(const void *opaque);                                                                                        \
  void name##_prepare(microkernel *kernel);                                                                                      \
  const char *name##_reject(const void *opaque) {                                                                                \
    const Desc &desc = *static_cast<const Desc *>(opaque);                                                                       \
    return reason;                                                                                                               \
  }                                                                                                                              \
  double name##_cost(const void *opaque) {                                                                                       \
    const Desc &desc = *static_cast<const Desc *>(opaque);                                                                       \
    return ns;                                                                                                                   \
  }                                                                                                                              \
  void name##_prepare(microkernel *kernel) { fill; }

// For entries of kernels.def with one kernel per target, in sources that Highway compiles once per target: expands
// DEFINE(stem_<target>, cycles for each 32 bits of a vector, rest...) for the target being compiled. The portable kernels may have no vectors.
#define TPP_UK_PER_TARGET(DEFINE, stem, cycles, ...)                                                                             \
  TPP_UK_HERE_avx3(DEFINE(stem##_avx3, cycles / 16.0, __VA_ARGS__))                                                              \
      TPP_UK_HERE_avx2(DEFINE(stem##_avx2, cycles / 8.0, __VA_ARGS__))                                                           \
          TPP_UK_HERE_sse4(DEFINE(stem##_sse4, cycles / 4.0, __VA_ARGS__))                                                       \
              TPP_UK_HERE_neon(DEFINE(stem##_neon, cycles / 4.0, __VA_ARGS__))                                                   \
                  TPP_UK_HERE_portable(DEFINE(stem##_portable, cycles / 1.0, __VA_ARGS__))

namespace tpp {

// Estimated nanoseconds of a reference kernel, which computes one element or one product after the other. More than those of any other kernel, so
// that it is chosen only if no other can run.
inline double reference_ns(double elements) { return (100 + 75 * elements) / current_machine().clock_ghz; }

// Null if the kernel is of the descriptor's kind and types, else the reason why it cannot compute the descriptor.
inline const char *other_kind_reason(bool same_kind, bool same_types) {
  if (!same_kind)
    return "the kernel computes another kind";
  return same_types ? nullptr : "the kernel is for other types";
}

template <size_t kCount> bool are_f32(const int32_t (&types)[kCount]) {
  return std::all_of(types, types + kCount, [](int32_t type) { return type == TPP_TYPE_f32; });
}
// Whether all types are f32, bf16 or f16, and not all f32.
template <size_t kCount> bool are_mixed_floats(const int32_t (&types)[kCount]) {
  return !are_f32(types) && std::all_of(types, types + kCount, [](int32_t type) {
    return type == TPP_TYPE_f32 || type == TPP_TYPE_bf16 || type == TPP_TYPE_f16;
  });
}

} // namespace tpp
