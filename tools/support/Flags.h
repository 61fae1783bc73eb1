// Command lines of the project's tools: a table of flags, strict parsing, one precise message per mistake.
//
// Why not llvm::cl: tpp-info is built without LLVM, and inside tpp-run every option that any part of libLLVM registers would be
// accepted silently. Standard C++ only; errors are returned as text, empty when there is none.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tpp::tools {

// One row of a tool's table. `value` is the placeholder shown in the help ("N", "FILE"), null for a switch without a value, in brackets
// where it may be left out ("[FILE]").
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

  // The value of a flag, or null when it was not given.
  const std::string *find(const char *name) const;
};

// Parses `--flag=value`, `--flag value`, `--switch` and positional words; `--` ends the flags, "-" is a positional word.
// Rejects flags that are not in the table (with the nearest one as a hint), missing, empty and superfluous values, and
// repetitions.
std::string parseLine(const std::vector<std::string> &arguments, const std::vector<Flag> &table, ParsedLine &parsed);

// Reads all of `text` as a decimal integer in [least, most], or as a finite real number in [least, most]; `what` names the flag.
std::string parseInteger(const std::string &what, const std::string &text, int64_t least, int64_t most, int64_t &value);
std::string parseReal(const std::string &what, const std::string &text, double least, double most, double &value);

// `text` is one of `choices`, else a message that lists them.
std::string parseChoice(const std::string &what, const std::string &text, const std::vector<std::string> &choices);

// The parts between commas. An empty part is an error.
std::string splitList(const std::string &what, const std::string &text, std::vector<std::string> &parts);

// The table as aligned text, one flag a line.
std::string flagHelp(const std::vector<Flag> &table);

} // namespace tpp::tools
