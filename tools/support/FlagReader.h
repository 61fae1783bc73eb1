// The values of a parsed command line, flag by flag; the first problem is kept. Standard C++ only, as Flags.h.
#pragma once
#include "Flags.h"

#include <algorithm>

namespace tpp::tools {

class FlagReader {
public:
  explicit FlagReader(const ParsedLine &line) : line(line) {}
  std::string problem;

  // The one word that is no flag.
  void model(std::string &value) {
    if (line.positional.size() > 1)
      note("one model is expected, '" + line.positional[1] + "' is superfluous");
    else if (line.positional.empty())
      note("no model is given (see --help)");
    else if (line.positional[0].empty())
      note("the model's file name is empty");
    else
      value = line.positional[0];
  }
  bool has(const char *name) const { return line.find(name); }
  void text(const char *name, std::string &value) const {
    if (const std::string *given = line.find(name))
      value = *given;
  }
  template <typename Integer> void integer(const char *name, int64_t least, int64_t most, Integer &value) {
    if (const std::string *given = line.find(name)) {
      int64_t parsed = least;
      note(parseInteger(name, *given, least, most, parsed));
      value = static_cast<Integer>(parsed);
    }
  }
  template <typename Real> void real(const char *name, double least, double most, Real &value) {
    if (const std::string *given = line.find(name)) {
      double parsed = least;
      note(parseReal(name, *given, least, most, parsed));
      value = parsed;
    }
  }
  // The position of the value in `choices`, or `otherwise` when the flag was not given.
  int choice(const char *name, const std::vector<std::string> &choices, int otherwise) {
    const std::string *given = line.find(name);
    if (!given)
      return otherwise;
    note(parseChoice(name, *given, choices));
    return int(std::find(choices.begin(), choices.end(), *given) - choices.begin());
  }
  void list(const char *name, std::vector<std::string> &parts) {
    if (const std::string *given = line.find(name))
      note(splitList(name, *given, parts));
  }
  // "1,3-5": numbers of things that `what` names, counted from `first`; ascending, each once.
  void positions(const char *name, int64_t first, const char *what, std::vector<int64_t> &values);

  void note(const std::string &text) {
    if (problem.empty())
      problem = text;
  }
  void needs(const char *flag, const char *other) {
    if (has(flag) && !has(other))
      note(std::string(flag) + " has a meaning only with " + other);
  }
  void excludes(const char *flag, const char *other) {
    if (has(flag) && has(other))
      note(std::string(flag) + " and " + other + " exclude each other");
  }

private:
  const ParsedLine &line;
};

} // namespace tpp::tools
