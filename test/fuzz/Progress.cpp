// The line that shows progress (Progress.h).
#include "Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <unistd.h>

namespace tpp::fuzz {

namespace {
constexpr std::chrono::milliseconds onTerminal{200}, elsewhere{5000}; // between two updates

bool isTerminal() {
  static const bool result = isatty(STDERR_FILENO) == 1;
  return result;
}

std::string duration(double seconds) {
  int64_t all = std::llround(seconds), minutes = all / 60;
  if (minutes >= 60)
    return llvm::formatv("{0} h {1} min", minutes / 60, minutes % 60);
  if (minutes > 0)
    return llvm::formatv("{0} min {1} s", minutes, all % 60);
  return llvm::formatv("{0} s", all);
}
} // namespace

std::string progressText(int64_t done, int64_t total, int64_t failures, double seconds) {
  std::string text = llvm::formatv("{0}/{1} done, {2} failure{3}", done, total, failures, failures == 1 ? "" : "s");
  if (done == 0 || seconds <= 0)
    return text;
  double rate = static_cast<double>(done) / seconds;
  return text + llvm::formatv(", {0:F1} seeds/s, {1} left", rate, duration(static_cast<double>(total - done) / rate)).str();
}

Progress::Progress(int64_t total) : total(total), next(start + (isTerminal() ? onTerminal : elsewhere)) {}

void Progress::show(int64_t done, int64_t failures) {
  Clock::time_point now = Clock::now();
  if (now < next)
    return;
  next = now + (isTerminal() ? onTerminal : elsewhere);
  std::string text = progressText(done, total, failures, std::chrono::duration<double>(now - start).count());
  llvm::errs() << lineStart() + text + (isTerminal() ? "" : "\n");
}

void Progress::clear() { llvm::errs() << lineStart(); }

const char *Progress::lineStart() { return isTerminal() ? "\r\x1b[K" : ""; }

} // namespace tpp::fuzz
