/* The C API of the compiler, libtpp_compiler: compiles a program in MLIR into this process and calls it.
 *
 *   tpp_compile_options options = TPP_COMPILE_OPTIONS;
 *   tpp_model *model = NULL;
 *   if (tpp_compile_file("model.mlir", &options, &model) != TPP_STATUS_OK) {
 *     puts(tpp_compiler_last_error());
 *     return 1;
 *   }
 *   void *workspace = aligned_alloc(64, (tpp_model_workspace_bytes(model) + 64) / 64 * 64);
 *   void *values[] = {input, output};
 *   tpp_model_run(model, workspace, values);
 *   free(workspace);
 *   tpp_model_destroy(model);
 *
 * Every function that can fail returns a tpp_status; tpp_compiler_last_error returns the reason. Nothing exits, throws or prints, except that
 * the process ends if memory for the compiler's own data runs out. All functions may be called from several threads at the same time, also
 * to compile, except where a comment says otherwise. */
#ifndef TPP_COMPILER_H
#define TPP_COMPILER_H

#include "tpp/types.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TPP_COMPILER_API __attribute__((visibility("default")))
#else
#define TPP_COMPILER_API
#endif

/* Major version of the ABI, part of the library's SONAME. Structures that the caller fills start with their size, so that a later library can
 * tell which fields it gets. Those that the library fills may grow at their end: do not copy them or put them into arrays. */
#define TPP_COMPILER_ABI_VERSION 0

/* The ABI version of the loaded library. */
TPP_COMPILER_API int tpp_compiler_abi_version(void);

/* What compiled code depends on besides the program, the options and the files that options name, as text: the version of the library, a hash of
 * its file, and the target that programs without one are compiled for (tpp_get_machine). For the keys of caches: with equal texts, equal inputs make
 * equal models. Null if the library's file cannot be read or the machine cannot be used; valid as long as the library. */
TPP_COMPILER_API const char *tpp_compiler_identity(void);

/* The reason of this thread's last failed call of a function of this library, as text; "" if none failed. Valid until the thread calls
 * another function that can fail. */
TPP_COMPILER_API const char *tpp_compiler_last_error(void);

/* ---- compiling -------------------------------------------------------------------------------------------------------------- */

typedef enum tpp_severity {
  TPP_SEVERITY_error = 0,
  TPP_SEVERITY_warning = 1,
  TPP_SEVERITY_remark = 2,
  TPP_SEVERITY_note = 3
} tpp_severity;

/* What the compiler says about the program. A note belongs to the diagnostic before it. */
typedef struct tpp_diagnostic {
  tpp_severity severity;
  const char *message;
  const char *file; /* of the program's text, or that its debug information names; the program's name if there is no position */
  int64_t line;     /* from 1; 0 if there is no position */
  int64_t column;   /* from 1; 0 if there is no position */
} tpp_diagnostic;

/* Receives diagnostics during a compilation, one at a time, in the thread that called tpp_compile or in another while tpp_compile waits: do
 * not hold a lock that the function needs. It must not throw or jump out. The diagnostic and its texts are valid during the call only. */
typedef void (*tpp_diagnose_function)(void *user, const tpp_diagnostic *diagnostic);

/* A null text, a zero and an empty list mean the default. */
typedef struct tpp_compile_options {
  size_t struct_size;    /* sizeof(tpp_compile_options) */
  const char *entry;     /* function to compile; default: the only public one with a body, else @main */
  const char *target;    /* machine to choose tiles for, as for tpp-run --target; default: what the program says, else the host */
  const char *packing;   /* packing strategy, as for tpp-run --packing; default: what the program says, else by cost */
  const char *provider;  /* of kernels: auto (default), xsmm, native or reference */
  const char *precision; /* of contractions of f32 values: program (default), bf16 or int8 */
  int32_t threads;       /* of a run, at most 1024; default: 1. They come from the runtime (tpp_set_threading) */
  int32_t reference;     /* not 0: compile to plain loops, to check results against */
  const int64_t *weights; /* indices of arguments that tpp_model_prepack takes, beside those with the attribute tpp.prepack */
  int64_t weight_count;
  tpp_diagnose_function diagnose; /* default: none */
  void *user;                     /* its first argument */
  int32_t drawing;                /* not 0: also make what tpp_model_drawing returns */
  int32_t reserved;               /* 0 */
  const char *
      winograd; /* Winograd's algorithm for 3 x 3 convolutions: auto (default; where it is estimated to be faster), always or off */
  const char
      *denormals; /* numbers smaller than those with all digits: keep (default), or zero: runs compute with zeros instead */
} tpp_compile_options;
#define TPP_COMPILE_OPTIONS                                                                                                      \
  {sizeof(tpp_compile_options), NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, 0, NULL, NULL, 0, 0, NULL, NULL}

/* A compiled function. */
typedef struct tpp_model tpp_model;

/* Compiles a program: `bytes` bytes of MLIR text or bytecode at `program`, without a terminating zero; they are read during the call only.
 * `name` stands for the program in diagnostics; null: "program". `options` may be null. On failure, *model is null (unless `model` is
 * null). Statuses:
 *   NULL_POINTER, STRUCT_SIZE
 *   INVALID_ARGUMENT   provider, precision, winograd, denormals, threads or weight_count has a value that does not exist
 *   INVALID_PROGRAM    not valid MLIR; an entry, target, packing or weight that does not exist; what cannot be compiled. Diagnostics
 *                      have the positions
 *   UNSUPPORTED_CPU    the target has instructions that this processor lacks
 *   OUT_OF_MEMORY      for weights */
TPP_COMPILER_API tpp_status tpp_compile(const void *program, size_t bytes, const char *name, const tpp_compile_options *options,
                                        tpp_model **model);

/* The same for a file; FILE if it cannot be read. */
TPP_COMPILER_API tpp_status tpp_compile_file(const char *path, const tpp_compile_options *options, tpp_model **model);

/* Frees a model. No other function may be using it. Null is allowed. */
TPP_COMPILER_API void tpp_model_destroy(tpp_model *model);

/* ---- a compiled model ------------------------------------------------------------------------------------------------------- */

/* An argument or result: a dense array in row-major order, or a scalar (rank 0). */
typedef struct tpp_value {
  const char *type;      /* element type as MLIR writes it: f16, bf16, f32, f64, i1, i8 ... i64, ui8 ... ui64, index (64 bits) */
  int64_t element_bytes; /* i1 has one byte, 0 or 1 */
  int64_t rank;
  const int64_t *shape; /* `rank` extents */
  int64_t bytes;        /* of the whole array */
  int32_t is_weight;    /* an argument of tpp_model_prepack, and not of tpp_model_run */
  int32_t is_written;   /* an argument that a run may write: a memref */
} tpp_value;

/* Numbers and descriptions of arguments and results. A description is valid as long as the model; null if there is none of this index, or
 * no model. */
TPP_COMPILER_API int64_t tpp_model_argument_count(const tpp_model *model);
TPP_COMPILER_API int64_t tpp_model_result_count(const tpp_model *model);
TPP_COMPILER_API const tpp_value *tpp_model_argument(const tpp_model *model, int64_t index);
TPP_COMPILER_API const tpp_value *tpp_model_result(const tpp_model *model, int64_t index);

/* Bytes of the scratch memory that a run needs; can be 0. Runs at the same time need one workspace each. */
TPP_COMPILER_API size_t tpp_model_workspace_bytes(const tpp_model *model);

/* Computes what depends on weight arguments: before the first run of a model that has any, and again when they have changed. One pointer for
 * each weight argument, in order; they are read during this call only. Without weight arguments it does nothing, and `weights` may be null.
 * No other thread may use the model meanwhile, except in tpp_model_touch_weights. After a failure the model must be packed again. Statuses:
 * NULL_POINTER, OUT_OF_MEMORY, ASSERTION. */
TPP_COMPILER_API tpp_status tpp_model_prepack(tpp_model *model, const void *const *weights);

/* Allocates the pages of the packed weights now. Without it, the first tpp_model_prepack allocates them, which can take as long as the packing. To be
 * called on another thread while the caller does something else: any function but tpp_model_destroy may use the model meanwhile. Does nothing if the
 * weights came packed from a file or have less than 512 KiB, or if Linux is older than 5.14. Statuses: NULL_POINTER. */
TPP_COMPILER_API tpp_status tpp_model_touch_weights(const tpp_model *model);

/* Runs the function. `workspace` is aligned to 64 bytes and has tpp_model_workspace_bytes; null if that is 0. `values` has a pointer for each
 * argument that is no weight, then one for each result, in order, aligned to their elements; an array without elements may be null. A
 * result or written argument overlaps no other value and not the workspace. Statuses: NULL_POINTER, INVALID_ARGUMENT (weights are not packed
 * yet, or the workspace is not aligned), ASSERTION (an assertion of the program failed; nothing that was written may be used). */
TPP_COMPILER_API tpp_status tpp_model_run(const tpp_model *model, void *workspace, void *const *values);

/* What a run does, as JSON: entry, target, flops (of contractions), packs, unpacks, copies and moved_bytes (operations that only move
 * data), scalar_loops, weights_bytes, workspace_bytes, compile_seconds, kernels ([{name, provider, calls}]), moves (as in docs/layout-report.md),
 * remarks (texts). Valid as long as the model. */
TPP_COMPILER_API const char *tpp_model_report(const tpp_model *model);

/* A drawing of the operations and the layouts of their values (docs/layout-report.md), as the text of an SVG document; "" if the options asked for
 * none, or the function cannot be drawn, because it has no tensors. Valid as long as the model. */
TPP_COMPILER_API const char *tpp_model_drawing(const tpp_model *model);

/* Times every invocation of a kernel: runs the model for `seconds` and at least three times, and sets *profile to a description of the fastest
 * run as JSON, valid until the next tpp_model_profile of this model:
 *   calls            number of runs that were timed
 *   seconds          of the fastest run; a timed invocation takes about 50 ns longer than another
 *   kernel_seconds   of its kernels, summed over threads
 *   kernels          [{what, name, provider, calls, seconds, gflops}], the longest first; gflops is null for those without multiplications
 *   threads          for each thread that invoked kernels, its invocations: [[index into kernels, begin, end]], in seconds since the start
 * `workspace` and `values` are as for tpp_model_run; each run writes the results and written arguments again. No other thread may use the model meanwhile,
 * except in tpp_model_touch_weights. Statuses: those of tpp_model_run, and INVALID_ARGUMENT for seconds that are negative or not finite. */
TPP_COMPILER_API tpp_status tpp_model_profile(tpp_model *model, void *workspace, void *const *values, double seconds,
                                              const char **profile);

/* ---- files ------------------------------------------------------------------------------------------------------------------ */

/* Writes a model to a file: code, signature, report and weights. If they are packed, so are those of the loaded model; if not, the file is small. An existing file is
 * replaced when the new one is complete. No tpp_model_prepack may run at the same time. Statuses: NULL_POINTER, FILE (cannot be written). */
TPP_COMPILER_API tpp_status tpp_model_save(const tpp_model *model, const char *path);

/* Loads a saved model without compiling it. Packed weights are mapped, so that processes that load one file share them; changes by
 * tpp_model_prepack stay in the process. While a model of a file exists, the file may be replaced or deleted, but not written to. On failure,
 * *model is null. Statuses: NULL_POINTER, FILE (cannot be read), INVALID_PROGRAM (not a saved model, incomplete, damaged, or of another version of
 * TPP), UNSUPPORTED_CPU (the code needs instructions that this processor lacks), OUT_OF_MEMORY (for weights). */
TPP_COMPILER_API tpp_status tpp_model_load(const char *path, tpp_model **model);

#ifdef __cplusplus
}
#endif
#endif
