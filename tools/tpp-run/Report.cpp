// Writes the JSON report and the summary. See Report.h.
#include "Report.h"
#include "lowering/report/MoveReport.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

namespace tpp::run {

std::optional<double> Report::rate(double seconds) const {
  if (!time || flops == 0 || seconds <= 0)
    return std::nullopt;
  return double(flops) / seconds * 1e-9;
}

std::optional<double> Report::share(std::optional<double> gflops) const {
  if (!gflops || !peakGflops || *peakGflops <= 0)
    return std::nullopt;
  return 100 * *gflops / *peakGflops;
}

static llvm::json::Value number(std::optional<double> value) {
  if (!value || !std::isfinite(*value))
    return nullptr;
  return *value;
}

static void writeProfile(const ProfileSummary &profile, llvm::json::OStream &json) {
  json.attribute("seconds", profile.seconds);
  json.attribute("kernel_seconds", profile.kernelSeconds);
  json.attributeArray("kernels", [&] {
    for (const ProfileSummary::Kernel &kernel : profile.kernels)
      json.object([&] {
        json.attribute("what", kernel.what);
        json.attribute("name", kernel.name);
        json.attribute("provider", kernel.provider);
        json.attribute("calls", kernel.calls);
        json.attribute("seconds", kernel.seconds);
        json.attribute("gflops", number(kernel.gflops));
        json.attribute("percent_of_peak", number(kernel.percentOfPeak));
      });
  });
}

void writeJson(const Report &report, llvm::raw_ostream &stream) {
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  auto timed = [&](double Summary::*field) -> std::optional<double> {
    if (!report.time)
      return std::nullopt;
    return (*report.time).*field;
  };
  json.object([&] {
    // A file name may be invalid UTF-8, which JSON does not allow.
    json.attribute("model", llvm::json::fixUTF8(report.model));
    json.attribute("entry", report.entry);
    json.attribute("threads", report.threads);
    json.attribute("target", report.target);
    json.attribute("flops", report.flops);
    json.attribute("compile_seconds", report.compileSeconds);
    json.attribute("parse_seconds", report.parseSeconds);
    json.attribute("passes_seconds", report.passesSeconds);
    json.attribute("prepack_seconds", report.prepackSeconds);
    json.attribute("jit_seconds", report.jitSeconds);
    json.attribute("seconds_min", number(timed(&Summary::min)));
    json.attribute("seconds_median", number(timed(&Summary::median)));
    json.attribute("seconds_p95", number(timed(&Summary::p95)));
    json.attribute("gflops", number(report.gflops()));
    json.attribute("peak_gflops", number(report.peakGflops));
    json.attribute("percent_of_peak", number(report.percentOfPeak()));
    json.attribute("percent_of_peak_median", number(report.percentOfPeakMedian()));
    json.attribute("packs", report.packs);
    json.attribute("unpacks", report.unpacks);
    json.attribute("copies", report.copies);
    json.attribute("copy_bytes", report.copyBytes);
    if (report.peakAnonymousBytes)
      json.attribute("peak_anonymous_bytes", *report.peakAnonymousBytes);
    else
      json.attribute("peak_anonymous_bytes", nullptr);
    json.attribute("workspace_bytes", report.workspaceBytes);
    json.attribute("weights_bytes", report.weightsBytes);
    json.attributeArray("kernels", [&] {
      for (const KernelUse &kernel : report.kernels)
        json.object([&] {
          json.attribute("name", kernel.name);
          json.attribute("provider", kernel.provider);
          json.attribute("calls_per_run", kernel.callsPerRun);
        });
    });
    if (!report.errors.empty())
      json.attributeArray("errors", [&] {
        for (const Report::OutputError &error : report.errors)
          json.object([&] {
            json.attribute("value", error.what);
            json.attribute("max", number(error.max));
            json.attribute("mean", number(error.mean));
            json.attribute("cosine", number(error.cosine));
          });
      });
    if (report.profile)
      json.attributeObject("profile", [&] { writeProfile(*report.profile, json); });
  });
  stream << '\n';
}

llvm::Error writeJsonFile(const Report &report, llvm::StringRef path) {
  return mlir::tpp::writeFile(path, [&](llvm::raw_ostream &stream) { writeJson(report, stream); });
}

static std::string durationText(double seconds) {
  if (seconds < 1e-3)
    return llvm::formatv("{0:f2} us", seconds * 1e6).str();
  if (seconds < 1)
    return llvm::formatv("{0:f3} ms", seconds * 1e3).str();
  return llvm::formatv("{0:f3} s", seconds).str();
}

static std::string sizeText(int64_t bytes) {
  if (bytes < 1024)
    return llvm::formatv("{0} bytes", bytes).str();
  if (bytes < 1 << 20)
    return llvm::formatv("{0:f1} KiB", bytes / 1024.0).str();
  return llvm::formatv("{0:f1} MiB", bytes / 1048576.0).str();
}

static void printProfile(const ProfileSummary &profile, llvm::function_ref<void(llvm::StringRef, const llvm::Twine &)> row) {
  double all = profile.seconds * profile.threads;
  auto share = [&](double seconds) { return durationText(seconds) + llvm::formatv(" ({0:f1} %)", 100 * seconds / all).str(); };
  row("profile",
      llvm::formatv("fastest of {0} calls: {1}{2}, in kernels {3}, elsewhere {4}", profile.calls, durationText(profile.seconds),
                    profile.threads == 1 ? "" : llvm::formatv(" on {0} threads", profile.threads).str(),
                    share(profile.kernelSeconds), share(all - profile.kernelSeconds))
          .str());
  for (const ProfileSummary::Kernel &kernel : profile.kernels) {
    std::string text = llvm::formatv("  {0}: {1} in {2} calls", kernel.what, share(kernel.seconds), kernel.calls).str();
    if (kernel.gflops)
      text += llvm::formatv(", {0:f1} GFLOP/s", *kernel.gflops).str();
    if (kernel.percentOfPeak)
      text += llvm::formatv(" ({0:f1} % of peak)", *kernel.percentOfPeak).str();
    row("", text + "  " + kernel.name);
  }
}

void printSummary(const Report &report, llvm::raw_ostream &stream) {
  auto row = [&](llvm::StringRef name, const llvm::Twine &text) { stream << llvm::left_justify(name, 10) << text << '\n'; };
  row("model", report.model + "  @" + report.entry + " " + report.signature);
  row("compiled", durationText(report.compileSeconds) + " for " + report.target + ": parse " + durationText(report.parseSeconds) +
                      ", passes " + durationText(report.passesSeconds) + ", prepack " + durationText(report.prepackSeconds) +
                      ", code " + durationText(report.jitSeconds));
  row("memory", "weights " + sizeText(report.weightsBytes) + ", workspace " + sizeText(report.workspaceBytes) +
                    (report.peakAnonymousBytes ? ", anonymous at most " + sizeText(*report.peakAnonymousBytes) : std::string()));
  row("moved", llvm::formatv("packs {0}, unpacks {1}, copies {2} ({3} a call)", report.packs, report.unpacks, report.copies,
                             sizeText(report.copyBytes))
                   .str());
  for (const KernelUse &kernel : report.kernels)
    row("kernel", llvm::formatv("{0} ({1}), {2} calls", kernel.name, kernel.provider, kernel.callsPerRun).str());
  if (report.scalarLoops)
    row("scalar", llvm::formatv("{0} loops run element by element", report.scalarLoops).str());
  for (const std::string &remark : report.remarks)
    row("remark", remark);
  for (const std::string &check : report.checks)
    row("check", check);
  if (report.profile)
    printProfile(*report.profile, row);
  if (!report.time)
    return;
  row("time", llvm::formatv("min {0}, median {1}, p95 {2} ({3} calls, {4} caches, {5} thread{6})", durationText(report.time->min),
                            durationText(report.time->median), durationText(report.time->p95), report.time->count,
                            report.cold ? "cold" : "warm", report.threads, report.threads == 1 ? "" : "s")
                  .str());
  std::optional<double> gflops = report.gflops();
  if (!gflops)
    return;
  std::string speed = llvm::formatv("{0:f1} GFLOP/s", *gflops).str();
  std::optional<double> percent = report.percentOfPeak(), byMedian = report.percentOfPeakMedian();
  if (percent && byMedian && report.peakGflops)
    speed += llvm::formatv(", {0:f1} % of the {1} peak {2:f1} ({3}); by the median {4:f1} %", *percent, report.flopsType,
                           *report.peakGflops, report.peakInstruction, *byMedian)
                 .str();
  if (llvm::any_of(report.kernels, [](const KernelUse &kernel) { return llvm::StringRef(kernel.name).contains("winograd"); }))
    speed += "; Winograd's convolutions count as computed directly";
  row("speed", speed);
}

} // namespace tpp::run
