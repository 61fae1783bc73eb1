/* Teams of threads from OpenMP, in C or C++. Compile the file that includes it with OpenMP (-fopenmp), of any compiler.
 *
 * A program that uses OpenMP itself saves the switch between two sets of threads this way. It then runs the parallel loops of compiled models
 * as it does its own: OMP_PROC_BIND, OMP_WAIT_POLICY and so on hold for both. */
#ifndef TPP_OPENMP_H
#define TPP_OPENMP_H

#ifndef _OPENMP
#error "tpp/openmp.h needs OpenMP: compile this file with -fopenmp"
#endif

#include "tpp/tpp.h"

#include <omp.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline void tpp_openmp_run(void *user, int32_t threads, tpp_thread_function function, void *argument) {
  (void)user;
#pragma omp parallel num_threads(threads)
  function(argument, omp_get_thread_num(), omp_get_num_threads());
}

/* Installs OpenMP as the source of threads (tpp_set_threading). */
static inline tpp_status tpp_use_openmp(void) {
  const tpp_threading threading = {sizeof(tpp_threading), tpp_openmp_run, 0}; /* NOLINT(modernize-use-nullptr): also C */
  return tpp_set_threading(&threading);
}

#ifdef __cplusplus
}
#endif
#endif
