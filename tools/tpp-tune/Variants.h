// Enumerates the packings of a contraction that tpp-tune compares.
#pragma once
#include "tpp_dialect/ContractionInfo.h"

#include <vector>

namespace tpp::tune {

// Returns the variants to time. The first is the cost model's choice, in which sizes may be left to the lowering. The others are the
// combinations of panel, KC, MC and NC derived from the target's vector width and cache sizes, with all sizes explicit. KC sizes
// other than the cost model's are tried with one panel width only, because their benefit hardly depends on the panel width. The index of a
// variant is its number; it depends only on the contraction and the target.
std::vector<mlir::tpp::Packing> getVariants(const mlir::tpp::ContractionInfo &contraction);

// Returns the tiles of activations to time: columns of 1, 2 and 4 vectors, with all rows and with 32 rows.
std::vector<mlir::tpp::TileSizes> getTileVariants(const mlir::tpp::ContractionInfo &contraction);

} // namespace tpp::tune
