/* The runtime's C ABI: dispatch once, invoke many.
 *
 * Every function that can fail returns a tpp_status; nothing exits, throws, aborts or prints (unless TPP_VERBOSE is set or a log
 * function is installed). Dispatch is thread-safe and cached: equal descriptors give the same kernel. Invoke allocates nothing
 * and cannot fail. */
#ifndef TPP_TPP_H
#define TPP_TPP_H

#include "tpp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TPP_API __attribute__((visibility("default")))
#else
#define TPP_API
#endif

/* ABI major: the library's SONAME. Descriptors start with their size, so that they can grow within one major. */
#define TPP_ABI_VERSION 0

/* The ABI version of the loaded library. */
TPP_API int tpp_abi_version(void);

/* The kernel for a descriptor, in *kernel. On failure *kernel is null (when `kernel` is not) and tpp_last_error tells why. */
TPP_API tpp_status tpp_dispatch_brgemm(const tpp_brgemm_desc *desc, const tpp_kernel **kernel);
TPP_API tpp_status tpp_dispatch_unary(const tpp_unary_desc *desc, const tpp_kernel **kernel);
TPP_API tpp_status tpp_dispatch_binary(const tpp_binary_desc *desc, const tpp_kernel **kernel);
TPP_API tpp_status tpp_dispatch_reduce(const tpp_reduce_desc *desc, const tpp_kernel **kernel);

/* Runs a kernel. `kernel` and `args` are not checked. */
static inline void tpp_invoke(const tpp_kernel *kernel, const tpp_args *args) { kernel->entry(kernel, args); }

/* The text of a status, never null. */
TPP_API const char *tpp_status_text(tpp_status status);

/* What went wrong in the last failed call of this thread, in words ("c.ld is 3, needs at least 16"); "" when nothing did. Valid
 * until the thread's next call. */
TPP_API const char *tpp_last_error(void);

/* Makes `message` what tpp_last_error returns, and returns TPP_STATUS_ASSERTION. Compiled models call it where an assertion of the program
 * fails. A null message is an empty one. */
TPP_API tpp_status tpp_fail_assertion(const char *message);

/* Whether the processor has every feature of a comma-separated list, by LLVM's names ("avx2,fma"; tpp/cpu_features.def), and the operating
 * system saves the registers that they need. Compiled models call it before anything else. TPP_STATUS_UNSUPPORTED_CPU where a feature is
 * missing or unknown to this version (tpp_last_error says which), TPP_STATUS_NULL_POINTER for null. An empty list is satisfied. */
TPP_API tpp_status tpp_check_cpu(const char *features);

/* Name (row of kernels.def, or the provider's own) and provider of a kernel; null pointer gives null and TPP_PROVIDER_auto. */
TPP_API const char *tpp_kernel_name(const tpp_kernel *kernel);
TPP_API tpp_provider tpp_kernel_provider(const tpp_kernel *kernel);

/* Installs a function that receives, for each dispatch of a valid descriptor that is not a cache hit, a line that tells the
 * problem and a line for each candidate, the chosen one starred (null: none). It is called without a lock held and may itself
 * dispatch; a dispatch under way in another thread may still call the function that was installed before. The environment
 * variable TPP_VERBOSE=1 installs one that writes to stderr. */
typedef void (*tpp_log_function)(void *user, const char *line);
TPP_API void tpp_set_log(tpp_log_function function, void *user);

#ifdef __cplusplus
}
#endif
#endif
