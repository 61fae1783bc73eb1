// tpp-info: lists the kernels in this build of TPP and which of them this machine can run, and measures this machine. Needs no LLVM.
#include "../support/Flags.h"
#include "Info.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tpp::info {

int fail(const std::string &message) {
  std::fprintf(stderr, "tpp-info: error: %s\n", message.c_str());
  return 1;
}

bool takesNothing(const char *command, const Arguments &arguments) {
  if (!arguments.empty())
    fail(std::string("'") + command + "' takes no arguments, '" + arguments[0] + "' is given");
  return arguments.empty();
}

namespace {

int printAll(const Arguments &arguments) {
  for (auto *print : {printHost, printProviders, printTargets, printKernels}) {
    if (int status = print(arguments))
      return status;
    std::printf("\n");
  }
  std::printf("tpp-info brgemm --m=M --n=N --k=K prints which kernel is selected for a shape, and why.\n");
  return 0;
}

struct Command {
  const char *name, *help;
  int (*run)(const Arguments &);
};

const Command commands[] = {
    {"all", "host, providers, targets and kernels (the default)", printAll},
    {"host", "CPU, cores and caches of this machine", printHost},
    {"machine", "the figures that costs are computed from, as a machine file", printMachine},
    {"providers", "providers of kernels in this build, and whether each works on this machine", printProviders},
    {"targets", "instruction sets with kernels, and whether this machine supports them", printTargets},
    {"kernels", "all microkernels", printKernels},
    {"brgemm", "candidates for one shape, their costs or why they are rejected, and the choice (brgemm --help)", explainBrgemm},
};

const std::vector<tools::Flag> flags = {
    {"--calibrate", nullptr, "measure the figures of this machine, in half a minute, and print a machine file"},
    {"-o", "FILE", "write the machine file of --calibrate to FILE"},
    {"--help", nullptr, "print this help"},
};

int help() {
  std::printf(
      "usage: tpp-info [command] [flags]\n\nLists the kernels in this build, and which of them this machine can run.\n\n");
  for (const Command &command : commands)
    std::printf("  %-12s%s\n", command.name, command.help);
  std::printf("\n%s", tools::flagHelp(flags).c_str());
  std::printf(
      "\n  tpp-info brgemm --m=64 --n=64 --k=512 --post=bias,relu    which kernel is selected, and what do the others cost?\n");
  return 0;
}

int runFlags(const Arguments &words) {
  tools::ParsedLine line;
  const std::string problem = tools::parseLine(words, flags, line);
  if (!problem.empty())
    return fail(problem);
  if (line.find("--help"))
    return help();
  if (!line.positional.empty())
    return fail("'" + line.positional[0] + "' is superfluous");
  if (line.find("--calibrate"))
    return calibrate(line.find("-o"));
  return line.find("-o") ? fail("-o has an effect only with --calibrate") : printAll({});
}

int runWords(const Arguments &words) {
  if (words.empty())
    return printAll({});
  if (words[0] == "-h")
    return help();
  if (words[0].rfind('-', 0) == 0)
    return runFlags(words);
  for (const Command &command : commands)
    if (words[0] == command.name)
      return command.run(Arguments(words.begin() + 1, words.end()));
  return fail("unknown command '" + words[0] + "' (see --help)");
}

int main(const Arguments &words) {
  const int status = runWords(words);
  if (status == 0 && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    return fail(std::string("stdout: cannot write: ") + std::strerror(errno));
  return status;
}

} // namespace
} // namespace tpp::info

int main(int argc, char **argv) { return tpp::info::main(tpp::info::Arguments(argv + 1, argv + argc)); }
