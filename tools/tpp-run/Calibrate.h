// Ranges of the values that --precision=int8 quantizes, recorded on example inputs.
#pragma once
#include "Model.h"
#include "lowering/compile/CompileModel.h"

#include <string>
#include <vector>

namespace tpp::run {

// Runs the model on examples and returns the smallest and the largest element of each value, over all of them, as CompileOptions::ranges
// takes them. `files` has one .npy file per argument, all files of one example before the next. Fails if a range is not finite.
llvm::Expected<std::vector<double>> recordRanges(Model &model, const Signature &signature, mlir::tpp::CompileOptions options,
                                                 llvm::ArrayRef<std::string> files);

} // namespace tpp::run
