// See log.h. The environment is read once, at the first use, so that a later tpp_set_log overrides it.
#include "log.h"

#include "tpp/tpp.h"

#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

struct sink {
  tpp_log_function function;
  void *user;
};

std::mutex guard; // protects the two variables below
sink installed = {nullptr, nullptr};
bool environment_read = false;

void write_to_stderr(void *, const char *line) { fprintf(stderr, "tpp: %s\n", line); }

void read_environment_once() {
  if (environment_read)
    return;
  environment_read = true;
  const char *verbose = getenv("TPP_VERBOSE");
  if (verbose && *verbose && strcmp(verbose, "0") != 0)
    installed = {write_to_stderr, nullptr};
}

sink current_sink() {
  std::lock_guard<std::mutex> lock(guard);
  read_environment_once();
  return installed;
}

} // namespace

bool tpp::log_enabled() { return current_sink().function != nullptr; }

void tpp::log_lines(const char *lines) {
  const sink to = current_sink();
  if (!to.function)
    return;
  char line[512];
  while (*lines) {
    const size_t length = strcspn(lines, "\n");
    const size_t kept = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, lines, kept);
    line[kept] = 0;
    to.function(to.user, line);
    lines += length + (lines[length] == '\n');
  }
}

extern "C" void tpp_set_log(tpp_log_function function, void *user) {
  std::lock_guard<std::mutex> lock(guard);
  read_environment_once();
  installed = {function, user};
}
