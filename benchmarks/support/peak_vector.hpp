// Interface between peak_vector.cpp (Highway, compiled once per target) and peak.cpp.
#pragma once
#include <cstddef>

namespace tpp::bench {

// Runs one burst of f32 multiply-adds on the best target of this machine. Returns its number of floating-point operations.
double fma_burst();
float read_all(const float *data, size_t count);

} // namespace tpp::bench
