// Recording of ranges (Calibrate.h).
#include "Calibrate.h"
#include "Execution.h"
#include "Npy.h"
#include "Tool.h"

#include <algorithm>
#include <cmath>

namespace tpp::run {

using mlir::tpp::CompiledModel;

llvm::Expected<std::vector<double>> recordRanges(Model &model, const Signature &signature, mlir::tpp::CompileOptions options,
                                                 llvm::ArrayRef<std::string> files) {
  const size_t count = signature.arguments.size();
  if (count == 0)
    return makeError("--calibrate: @" + signature.entry + " has no arguments to calibrate");
  if (files.size() % count != 0)
    return makeError("--calibrate lists " + llvm::Twine(files.size()) + " file" + (files.size() == 1 ? "" : "s") + ", and @" +
                     signature.entry + " has " + llvm::Twine(count) +
                     " arguments; give one file per argument, all files of one example before the next");
  options.recordRanges = true;
  auto compiled = CompiledModel::compile(model.module(), options);
  if (!compiled)
    return compiled.takeError();
  // The ranges are additional results, after the model's own.
  Signature recording = signature;
  TensorSpec one;
  one.what = "a range";
  one.element = ElementType::f32;
  recording.results.resize((*compiled)->results().size(), one);
  auto execution = Execution::create(std::move(*compiled), recording);
  if (!execution)
    return execution.takeError();

  std::vector<double> ranges;
  for (size_t first = 0; first < files.size(); first += count) {
    std::vector<Tensor> arguments;
    std::vector<Tensor *> pointers;
    for (size_t i = 0; i < count; ++i) {
      llvm::Expected<Tensor> tensor = readTensor(files[first + i], signature.arguments[i]);
      if (!tensor)
        return tensor.takeError();
      arguments.push_back(std::move(*tensor));
    }
    for (Tensor &argument : arguments)
      pointers.push_back(&argument);
    if (llvm::Error error = (*execution)->bind(pointers))
      return std::move(error);
    if (llvm::Error error = (*execution)->call())
      return std::move(error);
    for (size_t i = signature.results.size(), at = 0; i < recording.results.size(); ++i, ++at) {
      const double value = *static_cast<const float *>((*execution)->results[i].data());
      if (!std::isfinite(value))
        return makeError(files[first] + ": a value that would be quantized is not finite; --calibrate needs finite ranges");
      if (first == 0)
        ranges.push_back(value);
      else
        ranges[at] = at % 2 == 0 ? std::min(ranges[at], value) : std::max(ranges[at], value);
    }
  }
  return ranges;
}

} // namespace tpp::run
