//===- Profile.cpp - the time of a model's kernels ----------------------------------------------------------------------------===//
// tpp_model_profile. The timing itself is that of tpp-run --profile.

#include "lowering/capi/Model.h"

#include "lowering/compile/KernelTimes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <map>

using namespace tpp::capi;
namespace compiler = mlir::tpp;

static std::string describeTimes(const compiler::KernelTimes &times, llvm::ArrayRef<compiler::CompileReport::Slot> slots) {
  std::vector<compiler::KernelTime> kernels = compiler::sumKernelTimes(times, slots);
  double kernelSeconds = 0;
  std::map<std::pair<llvm::StringRef, llvm::StringRef>, int64_t> numbers;
  for (const auto &[number, kernel] : llvm::enumerate(kernels)) {
    kernelSeconds += kernel.seconds;
    numbers[{kernel.what, kernel.name}] = static_cast<int64_t>(number);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attribute("calls", static_cast<int64_t>(times.calls));
    json.attribute("seconds", times.seconds);
    json.attribute("kernel_seconds", kernelSeconds);
    json.attributeArray("kernels", [&] {
      for (const compiler::KernelTime &kernel : kernels)
        json.object([&] {
          json.attribute("what", kernel.what);
          json.attribute("name", kernel.name);
          json.attribute("provider", kernel.provider);
          json.attribute("calls", kernel.calls);
          json.attribute("seconds", kernel.seconds);
          if (kernel.flops > 0)
            json.attribute("gflops", kernel.flops * 1e-9 / std::max(kernel.seconds, 1e-9));
          else
            json.attribute("gflops", nullptr);
        });
    });
    json.attributeArray("threads", [&] {
      for (const auto &thread : times.threads)
        json.array([&] {
          for (const compiler::Invocation &invocation : thread) {
            const compiler::CompileReport::Slot &slot = slots[invocation.slot];
            json.array([&] {
              json.value(numbers.at({slot.what, slot.name}));
              json.value(invocation.begin);
              json.value(invocation.end);
            });
          }
        });
    });
  });
  return text;
}

tpp_status tpp_model_profile(tpp_model *model, void *workspace, void *const *values, double seconds, const char **profile) {
  if (profile)
    *profile = nullptr;
  if (!profile)
    return fail(TPP_STATUS_NULL_POINTER, "profile is null");
  if (tpp_status status = checkRun(model, workspace, values))
    return status;
  if (!std::isfinite(seconds) || seconds < 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT,
                "seconds is " + llvm::formatv("{0}", seconds).str() + ", must be a finite number of at least 0");
  auto times = compiler::timeKernels(
      *model->loaded, [&] { return model->loaded->run(workspace, llvm::ArrayRef(values, model->passed.size())); }, seconds,
      [](double) { return false; });
  if (!times)
    return fail(TPP_STATUS_ASSERTION, times.takeError());
  model->profile = describeTimes(*times, model->slots);
  *profile = model->profile.c_str();
  return TPP_STATUS_OK;
}
