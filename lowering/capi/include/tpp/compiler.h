/* The C API of the compiler, libtpp_compiler: compiles a program in MLIR into this process and calls it.
 *
 *   tpp_compile_options options = TPP_COMPILE_OPTIONS;
 *   tpp_model *model = NULL;
 *   if (tpp_compile_file("model.mlir", &options, &model) != TPP_STATUS_OK)
 *     puts(tpp_compiler_last_error());
 *   void *workspace = aligned_alloc(64, tpp_model_workspace_bytes(model));
 *   void *values[] = {input, output};
 *   tpp_model_run(model, workspace, values);
 *   tpp_model_destroy(model);
 *
 * Every function that can fail returns a tpp_status, and tpp_compiler_last_error returns the reason. Nothing exits, throws, aborts or
 * prints. All functions may be called from several threads at the same time, also to compile, except where a comment says otherwise. */
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

/* Major version of the ABI, part of the library's SONAME. Structures that the caller fills start with their size, so that they can grow
 * within one major version. */
#define TPP_COMPILER_ABI_VERSION 0

/* The ABI version of the loaded library. */
TPP_COMPILER_API int tpp_compiler_abi_version(void);

/* The reason of this thread's last failed call, as text; "" if no call failed. Valid until the thread's next call. */
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

/* Receives diagnostics during a compilation, in the thread that called it or in one of the compiler's, one at a time. The diagnostic and
 * its texts are valid during the call only. */
typedef void (*tpp_diagnose_function)(void *user, const tpp_diagnostic *diagnostic);

/* A null text, a zero and an empty list mean the default. */
typedef struct tpp_compile_options {
  size_t struct_size;    /* sizeof(tpp_compile_options) */
  const char *entry;     /* function to compile; default: the only public one with a body, else @main */
  const char *target;    /* machine to choose tiles for, as for tpp-run --target; default: what the program says, else the host */
  const char *packing;   /* packing strategy, as for tpp-run --packing; default: what the program says, else by cost */
  const char *provider;  /* of kernels: auto (default), xsmm, native or reference */
  const char *precision; /* of contractions of f32 values: program (default), bf16 or int8 */
  int32_t threads;       /* OpenMP threads of a call; default: 1 */
  int32_t reference;     /* not 0: compile to plain loops, the meaning that results are compared with */
  const int64_t *weights; /* indices of arguments that tpp_model_prepack takes, beside those with the attribute tpp.prepack */
  int64_t weight_count;
  tpp_diagnose_function diagnose; /* default: none */
  void *user;                     /* its first argument */
} tpp_compile_options;
#define TPP_COMPILE_OPTIONS {sizeof(tpp_compile_options), NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, 0, NULL, NULL}

/* A compiled function. */
typedef struct tpp_model tpp_model;

/* Compiles a program: `bytes` bytes of MLIR text or bytecode at `program`, which is read during the call only. `name` stands for the
 * program in diagnostics; null: "program". `options` may be null. On failure, *model is null (unless `model` is null). Statuses:
 * NULL_POINTER, STRUCT_SIZE, INVALID_ARGUMENT (an option has no such value), UNSUPPORTED_CPU (the target's instructions are not this
 * machine's), INVALID_PROGRAM (not valid MLIR, or a function that cannot be compiled; the diagnostics say where). */
TPP_COMPILER_API tpp_status tpp_compile(const void *program, size_t bytes, const char *name, const tpp_compile_options *options,
                                        tpp_model **model);

/* The same for a file; FILE if it cannot be read. */
TPP_COMPILER_API tpp_status tpp_compile_file(const char *path, const tpp_compile_options *options, tpp_model **model);

/* Frees a model. No call may be running. Null is allowed. */
TPP_COMPILER_API void tpp_model_destroy(tpp_model *model);

/* ---- a compiled model ------------------------------------------------------------------------------------------------------- */

/* An argument or result: a dense array in row-major order, or a scalar (rank 0). */
typedef struct tpp_value {
  const char *type;      /* element type: f16, bf16, f32, f64, i1, i8, i16, i32, i64, ui8 ... ui64, index (64 bits) */
  int64_t element_bytes; /* i1 has one byte, 0 or 1 */
  int64_t rank;
  const int64_t *shape; /* `rank` extents */
  int64_t bytes;        /* of the whole array */
  int32_t is_weight;    /* an argument of tpp_model_prepack, and not of tpp_model_run */
  int32_t is_written;   /* an argument that a call may write */
} tpp_value;

/* Numbers and descriptions of arguments and results. A description is valid as long as the model; null if there is none of this index. */
TPP_COMPILER_API int64_t tpp_model_argument_count(const tpp_model *model);
TPP_COMPILER_API int64_t tpp_model_result_count(const tpp_model *model);
TPP_COMPILER_API const tpp_value *tpp_model_argument(const tpp_model *model, int64_t index);
TPP_COMPILER_API const tpp_value *tpp_model_result(const tpp_model *model, int64_t index);

/* Bytes of the scratch memory that a call needs. Calls at the same time need one each. It can be 0. */
TPP_COMPILER_API size_t tpp_model_workspace_bytes(const tpp_model *model);

/* Computes what depends on weight arguments: before the first call of a model that has any, and again when they have changed. One pointer
 * for each weight argument, in order; they are read during this call only. No other call of the model may run. */
TPP_COMPILER_API tpp_status tpp_model_prepack(tpp_model *model, const void *const *weights);

/* Calls the function. `workspace` is aligned to 64 bytes and has tpp_model_workspace_bytes. `values` has a pointer for each argument that is
 * no weight, then one for each result, in order, aligned to their elements. Results and written arguments overlap nothing else. Statuses:
 * NULL_POINTER, INVALID_ARGUMENT (weights are not packed yet, or the workspace is not aligned), ASSERTION (an assertion of the program
 * failed; nothing that was written may be used). */
TPP_COMPILER_API tpp_status tpp_model_run(const tpp_model *model, void *workspace, void *const *values);

/* What a call does, as JSON: entry, target, flops (of contractions), packs, unpacks, copies and moved_bytes (operations that only move
 * data), scalar_loops, weights_bytes, workspace_bytes, compile_seconds, kernels ([{name, provider, calls}]), remarks (texts). Valid as long
 * as the model. */
TPP_COMPILER_API const char *tpp_model_report(const tpp_model *model);

#ifdef __cplusplus
}
#endif
#endif
