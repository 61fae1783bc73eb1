/* Teams of OpenMP's threads: each thread is called once, and barriers order what they write. */
#include "tpp/openmp.h"

#include <stdio.h>

enum { most_threads = 4, rounds = 100 };

typedef struct {
  int calls[most_threads], written[most_threads], threads, outside_openmp, wrong;
} record;

static void body(void *argument, tpp_team *team, int32_t thread, int32_t threads) {
  record *seen = argument;
  seen->calls[thread]++;
  if (threads > 1 && !omp_in_parallel())
    seen->outside_openmp = 1;
  if (thread == 0)
    seen->threads = threads;
  for (int round = 1; round <= rounds; ++round) {
    seen->written[thread] = round;
    tpp_team_barrier(team);
    for (int32_t i = 0; i < threads; ++i)
      if (seen->written[i] != round)
        seen->wrong = 1;
    tpp_team_barrier(team);
  }
}

int main(void) {
  if (tpp_use_openmp() != TPP_STATUS_OK) {
    puts(tpp_last_error());
    return 1;
  }
  omp_set_dynamic(0);
  for (int threads = 1; threads <= most_threads; ++threads) {
    record seen = {0};
    tpp_run_team(threads, body, &seen);
    int good = seen.threads == threads && !seen.outside_openmp && !seen.wrong;
    for (int i = 0; i < threads; ++i)
      good = good && seen.calls[i] == 1;
    if (!good) {
      printf("%d threads wanted: %d came, outside of OpenMP %d, wrong values %d\n", threads, seen.threads, seen.outside_openmp,
             seen.wrong);
      return 1;
    }
  }
  return 0;
}
