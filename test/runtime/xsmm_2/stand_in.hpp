// State of the libxsmm 2.x stand-in that tests can read and set.
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

// All granted requests, in order. A kernel executes the request that created it.
extern std::vector<request> granted;
extern int initializations, verbosity;
extern bool refuses; // if true, every dispatch fails

} // namespace stand_in
