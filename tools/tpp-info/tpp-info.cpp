// tpp-info: lists the kernels in this build of TPP and which of them this machine can run. Needs no LLVM.
#include "Info.h"

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
    {"providers", "providers of kernels in this build, and whether each works on this machine", printProviders},
    {"targets", "instruction sets with kernels, and whether this machine supports them", printTargets},
    {"kernels", "all microkernels", printKernels},
    {"brgemm", "candidates for one shape, their costs or why they are rejected, and the choice (brgemm --help)", explainBrgemm},
};

int help() {
  std::printf("usage: tpp-info [command]\n\nLists the kernels in this build, and which of them this machine can run.\n\n");
  for (const Command &command : commands)
    std::printf("  %-12s%s\n", command.name, command.help);
  std::printf(
      "\n  tpp-info brgemm --m=64 --n=64 --k=512 --post=bias,relu    which kernel is selected, and what do the others cost?\n");
  return 0;
}

int main(const Arguments &words) {
  if (words.empty())
    return printAll({});
  if (words[0] == "--help" || words[0] == "-h")
    return help();
  for (const Command &command : commands)
    if (words[0] == command.name)
      return command.run(Arguments(words.begin() + 1, words.end()));
  return fail("unknown command '" + words[0] + "' (see --help)");
}

} // namespace
} // namespace tpp::info

int main(int argc, char **argv) { return tpp::info::main(tpp::info::Arguments(argv + 1, argv + argc)); }
