/* The C ABI of the runtime: dispatch once, invoke many times.
 *
 * Every function that can fail returns a tpp_status. Nothing exits, throws, aborts or prints, except that TPP_VERBOSE or an installed
 * log function enables log lines. Dispatch is thread-safe and cached: equal descriptors give the same kernel. An invocation allocates
 * nothing and cannot fail. */
#ifndef TPP_TPP_H
#define TPP_TPP_H

#include "tpp/machine.h"
#include "tpp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TPP_API __attribute__((visibility("default")))
#else
#define TPP_API
#endif

/* Major version of the ABI, part of the library's SONAME. Descriptors start with their size, so that they can grow within one major
 * version. */
#define TPP_ABI_VERSION 0

/* The ABI version of the loaded library. */
TPP_API int tpp_abi_version(void);

/* tpp_dispatch_brgemm, tpp_dispatch_unary and so on, one function for each operation of tpp/operations.def. Sets *kernel to the kernel for a
 * descriptor. On failure, *kernel is null (unless `kernel` is null) and tpp_last_error returns the reason. */
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  TPP_API tpp_status tpp_dispatch_##name(const tpp_##name##_desc *desc, const tpp_kernel **kernel);
#include "tpp/operations.def"

/* Invokes a kernel. `kernel` and `args` are not checked. */
static inline void tpp_invoke(const tpp_kernel *kernel, const tpp_args *args) { kernel->entry(kernel, args); }

/* The text of a status; never null. */
TPP_API const char *tpp_status_text(tpp_status status);

/* The reason of this thread's last failed call, as text ("c.ld is 3, must be at least 16"); "" if no call failed. Valid until the thread's
 * next call. */
TPP_API const char *tpp_last_error(void);

/* Sets the text of tpp_last_error to `message` and returns TPP_STATUS_ASSERTION. Compiled models call it if an assertion of the program
 * fails. A null message means an empty one. */
TPP_API tpp_status tpp_fail_assertion(const char *message);

/* Checks that the processor has every feature of a comma-separated list of LLVM's names ("avx2,fma"; tpp/cpu_features.def), and that the
 * operating system saves the registers that they need. NAME_create of a compiled model calls it first. Returns TPP_STATUS_UNSUPPORTED_CPU
 * if a feature is missing or unknown to this version (tpp_last_error names it), TPP_STATUS_NULL_POINTER for null. An empty list passes. */
TPP_API tpp_status tpp_check_cpu(const char *features);

/* Name and provider of a kernel. The name is that of an entry of kernels.def, or the provider's own. For a null pointer: null and
 * TPP_PROVIDER_auto. */
TPP_API const char *tpp_kernel_name(const tpp_kernel *kernel);
TPP_API tpp_provider tpp_kernel_provider(const tpp_kernel *kernel);

/* Installs a log function; null removes it. For each dispatch of a valid descriptor that is not a cache hit, it receives one line that
 * describes the problem and one line per candidate, the chosen one marked with a star. Lines are cut at 511 bytes. The function is called
 * without a lock held, and may itself dispatch. A dispatch in progress in another thread may still call the function that was installed
 * before. The environment variable TPP_VERBOSE=1 installs a function that writes to stderr. */
typedef void (*tpp_log_function)(void *user, const char *line);
TPP_API void tpp_set_log(tpp_log_function function, void *user);

/* ---- the machine -----------------------------------------------------------------------------------------------------------------
 * Dispatch chooses the kernel that takes the least time by an estimate for a machine: this one, with figures from tpp/machines.def and sizes from
 * the operating system, unless a machine file or the caller says otherwise. `tpp-info --calibrate -o FILE` measures the figures of this machine.
 * The environment variable TPP_MACHINE=FILE sets them for this library and for the compiler; if the file cannot be used, dispatch fails. */

/* Sets *machine to the machine that dispatch chooses for. Statuses: NULL_POINTER, STRUCT_SIZE (set machine->struct_size first), BAD_MACHINE (the
 * file that TPP_MACHINE names cannot be used). */
TPP_API tpp_status tpp_get_machine(tpp_machine *machine);

/* Sets *machine to the entry of tpp/machines.def with this name or this name of LLVM's ("zen4", "znver4"), to what the machine file with this name
 * describes, or for "host" to this machine. Statuses: NULL_POINTER, STRUCT_SIZE, BAD_MACHINE. */
TPP_API tpp_status tpp_find_machine(const char *name, tpp_machine *machine);

/* Sets the machine that dispatch chooses for, by a copy; null: as if it had never been called. Descriptors that have been dispatched keep their
 * kernels. Statuses: STRUCT_SIZE, BAD_MACHINE (a figure is out of range), OUT_OF_MEMORY. */
TPP_API tpp_status tpp_set_machine(const tpp_machine *machine);

/* ---- threads ---------------------------------------------------------------------------------------------------------------------
 * Parallel loops of compiled models run on teams of threads. By default these come from a pool of this library: its threads start with the
 * first team, wait for more work for a tenth of a millisecond and then sleep, and a forked process starts its own. */

/* Executed by each thread of a team at the same time: `thread` is 0 to `threads` - 1. */
typedef void (*tpp_thread_function)(void *argument, int32_t thread, int32_t threads);

/* Where the threads of teams come from: `run` calls function(argument, i, n) for each i from 0 to n - 1, in n threads at the same time, and
 * returns when all calls have returned. 1 <= n <= threads: it may use fewer threads than wanted, but must not call one after the other. It
 * may be called from several threads at the same time. tpp/openmp.h has one for OpenMP. */
typedef struct tpp_threading {
  size_t struct_size; /* sizeof(tpp_threading) */
  void (*run)(void *user, int32_t threads, tpp_thread_function function, void *argument);
  void *user; /* its first argument */
} tpp_threading;

/* Installs where the threads of teams come from; null: the library's pool. Teams at work go on. It is copied, and the copy
 * is kept until the process ends. Statuses: STRUCT_SIZE, NULL_POINTER (`run`), OUT_OF_MEMORY. */
TPP_API tpp_status tpp_set_threading(const tpp_threading *threading);

typedef struct tpp_team tpp_team;
typedef void (*tpp_team_function)(void *argument, tpp_team *team, int32_t thread, int32_t threads);

/* Calls `function` in each thread of a team of at most `threads`, and returns when all calls have returned. With one thread, in the
 * caller. */
TPP_API void tpp_run_team(int32_t threads, tpp_team_function function, void *argument);

/* Waits until every thread of the team has called it. */
TPP_API void tpp_team_barrier(tpp_team *team);

#ifdef __cplusplus
}
#endif
#endif
