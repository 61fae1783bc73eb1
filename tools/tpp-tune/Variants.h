// The packings of a contraction that are worth timing.
#pragma once
#include "tpp_dialect/PackingProblem.h"

#include <vector>

namespace tpp::tune {

// The cost model's choice first, with what it leaves to the lowering left out; then every combination of the sizes that the target's
// vectors and caches suggest, all of them given but `k`, which is the cost model's wherever there are panels. A variant's place is its number: it depends on the contraction and the target only.
std::vector<mlir::tpp::Packing> getVariants(const mlir::tpp::PackingProblem &problem);

} // namespace tpp::tune
