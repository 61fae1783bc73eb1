// Converts the values of a parsed command line, one flag at a time. `problem` keeps the first error; later errors are dropped.
// Standard C++ only, like Flags.h.
#pragma once
#include "Flags.h"

#include <algorithm>

namespace tpp::tools {

class FlagReader {
public:
  explicit FlagReader(const ParsedLine &line) : line(line) {}
  std::string problem;

  // The single positional argument: the model's file name. Notes a problem unless there is exactly one.
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
  // Returns the index of the flag's value in `choices`, or `otherwise` if the flag was not given.
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
  // Parses a list of numbers and ranges such as "1,3-5" and returns the numbers in ascending order. The smallest valid number is
  // `first`; a repeated number is a problem. `what` names a numbered thing in messages ("argument").
  void positions(const char *name, int64_t first, const char *what, std::vector<int64_t> &values);

  void note(const std::string &text) {
    if (problem.empty())
      problem = text;
  }
  void needs(const char *flag, const char *other) {
    if (has(flag) && !has(other))
      note(std::string(flag) + " has an effect only with " + other);
  }
  void excludes(const char *flag, const char *other) {
    if (has(flag) && has(other))
      note(std::string(flag) + " and " + other + " cannot be combined");
  }

private:
  const ParsedLine &line;
};

} // namespace tpp::tools
