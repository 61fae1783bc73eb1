// tpp-info machine and --calibrate: print the figures that costs are computed from, those in use and those that are measured.
#include "tpp/machine.hpp"
#include "Calibrate.h"
#include "Info.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <utility>

namespace tpp::info {

int printMachine(const Arguments &arguments) {
  if (!takesNothing("machine", arguments))
    return 1;
  const tpp_machine &machine = current_machine();
  if (const std::string problem = current_machine_problem(); !problem.empty())
    return fail(problem);
  const char *path = std::getenv("TPP_MACHINE");
  if (path && *path)
    std::printf("# from the file %s, which the environment variable TPP_MACHINE names\n", path);
  else
    std::printf("# from the entry '%s' of tpp/machines.def; caches and cores from the operating system\n", machine.name);
  std::fputs(write_machine(machine).c_str(), stdout);
  return 0;
}

namespace {

// Text for a file, or for stdout. A regular file is replaced only when all of the text has been written; until then the text is in FILE.tmp.
// Functions return an empty text, or the problem.
class Output {
public:
  explicit Output(const std::string *path) : path(path ? *path : "stdout"), stream(path ? nullptr : stdout) {}
  ~Output() {
    if (stream && stream != stdout)
      std::fclose(stream);
    if (!temporary.empty())
      std::remove(temporary.c_str());
  }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  std::string open() {
    if (stream)
      return "";
    struct stat info;
    const bool isDevice =
        lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode); // or a link, such as /dev/stdout, or a folder
    const std::string name = isDevice ? path : path + ".tmp";
    stream = std::fopen(name.c_str(), "w");
    if (stream && !isDevice)
      temporary = name;
    return stream ? "" : problem();
  }

  std::string write(const std::string &text) {
    return std::fputs(text.c_str(), stream) < 0 || std::fflush(stream) != 0 ? problem() : "";
  }

  std::string close() {
    if (stream == stdout)
      return "";
    std::FILE *closing = std::exchange(stream, nullptr);
    if (std::fclose(closing) != 0 || (!temporary.empty() && std::rename(temporary.c_str(), path.c_str()) != 0))
      return problem();
    temporary.clear();
    return "";
  }

private:
  std::string problem() const { return path + ": cannot write: " + std::strerror(errno); }

  std::string path;
  std::FILE *stream;
  std::string temporary; // the name of a file to remove; empty if there is none
};

// The comment at the begin of a machine file.
std::string heading() {
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::tm local;
  if (localtime_r(&now, &local))
    std::strftime(date, sizeof date, "%Y-%m-%d", &local);
  return "# The machine of " + cpuName() + ", measured by tpp-info --calibrate on " + date +
         ".\n"
         "# For the compiler: --target=FILE. For compiler and runtime: the environment variable TPP_MACHINE=FILE.\n";
}

} // namespace

// The heading is written first, so that a file that cannot be written is reported before half a minute of measurements.
int calibrate(const std::string *path) {
  Output output(path);
  tpp_machine machine;
  std::string problem = output.open();
  if (problem.empty())
    problem = output.write(heading());
  if (problem.empty())
    problem = measureMachine(&machine);
  if (problem.empty())
    problem = output.write(write_machine(machine));
  if (problem.empty())
    problem = output.close();
  return problem.empty() ? 0 : fail(problem);
}

} // namespace tpp::info
