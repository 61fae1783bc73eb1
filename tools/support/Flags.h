// Command-line parser of the project's tools: a table of flags, strict parsing, one precise message per error.
//
// Why not llvm::cl: tpp-info is built without LLVM. In tpp-run, llvm::cl would also silently accept every option that libLLVM
// registers. Standard C++ only. Functions return an error as text; an empty string means success.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tpp::tools {

// One entry of a tool's flag table. `value` is the placeholder shown in the help ("N", "FILE"). It is null for a switch without a
// value, and in brackets ("[FILE]") if the value is optional.
struct Flag {
  const char *name; // with its dashes: "--threads", "-o"
  const char *value;
  const char *help;
};

struct ParsedFlag {
  std::string name, value;
};

struct ParsedLine {
  std::vector<ParsedFlag> flags; // in the order given; each at most once
  std::vector<std::string> positional;

  // The value of a flag, or null if the flag was not given.
  const std::string *find(const char *name) const;
};

// Parses `--flag=value`, `--flag value`, `--switch` and positional arguments. `--` ends the flags; "-" is a positional argument.
// Rejects flags that are not in the table (suggesting a similar one), missing or empty values, values of switches, and
// repeated flags.
std::string parseLine(const std::vector<std::string> &arguments, const std::vector<Flag> &table, ParsedLine &parsed);

// Parse the whole of `text` as a decimal integer, or as a finite real number, in [least, most]. `what` names the flag in messages.
// `value` changes only on success.
std::string parseInteger(const std::string &what, const std::string &text, int64_t least, int64_t most, int64_t &value);
std::string parseReal(const std::string &what, const std::string &text, double least, double most, double &value);

// Checks that `text` is one of `choices`. The error message lists them.
std::string parseChoice(const std::string &what, const std::string &text, const std::vector<std::string> &choices);

// Splits `text` at commas and appends the parts to `parts`. An empty part is an error.
std::string splitList(const std::string &what, const std::string &text, std::vector<std::string> &parts);

// Formats the table as aligned help text, one flag per line.
std::string flagHelp(const std::vector<Flag> &table);

} // namespace tpp::tools
