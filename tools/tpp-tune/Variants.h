// The packings of a contraction that are worth timing.
#pragma once
#include "tpp_dialect/PackingProblem.h"

#include <vector>

namespace tpp::tune {

// The cost model's choice first, with what it leaves to the lowering left out; then every combination of the sizes that the target's
// vectors and caches suggest, all of them given. Other passes over the sum than the cost model's are tried in panels of one width: what a
// pass saves hardly depends on it. A variant's place is its number: it depends on the contraction and the target only.
std::vector<mlir::tpp::Packing> getVariants(const mlir::tpp::PackingProblem &problem);

} // namespace tpp::tune
