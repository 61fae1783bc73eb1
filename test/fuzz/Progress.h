// Shows how far a run of many seeds is, on stderr.
#ifndef TPP_TEST_FUZZ_PROGRESS_H
#define TPP_TEST_FUZZ_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace tpp::fuzz {

class Progress {
public:
  explicit Progress(int64_t total);
  // Rewrites one line if stderr is a terminal, else prints a line every few seconds. Call it often.
  void show(int64_t done, int64_t failures);
  // Removes the line from a terminal.
  void clear();
  // What other output to stderr has to begin with while a line is shown, in any process.
  static const char *lineStart();

private:
  using Clock = std::chrono::steady_clock;
  int64_t total;
  Clock::time_point start = Clock::now(), next;
};

// "812/2000 done, 1 failure, 11.3 seeds/s, 1 min 45 s left"
std::string progressText(int64_t done, int64_t total, int64_t failures, double seconds);

} // namespace tpp::fuzz

#endif
