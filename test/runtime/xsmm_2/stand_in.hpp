// What the stand-in of libxsmm 2.x remembers and can be told, for tests.
#pragma once
#include "libxsmm.h"

#include <vector>

namespace stand_in {

// One call of libxsmm_dispatch_brgemm.
struct request {
  libxsmm_gemm_shape shape;
  libxsmm_bitfield flags, prefetch;
  libxsmm_gemm_batch_reduce_config batch;
};

// All that were granted, in order; a kernel runs the request that made it.
extern std::vector<request> granted;
extern int initializations, verbosity;
extern bool refuses; // every dispatch from now on

} // namespace stand_in
