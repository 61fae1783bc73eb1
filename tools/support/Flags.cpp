// Parses and prints command lines. See Flags.h.
#include "Flags.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tpp::tools {

const std::string *ParsedLine::find(const char *name) const {
  for (const ParsedFlag &flag : flags)
    if (flag.name == name)
      return &flag.value;
  return nullptr;
}

static bool isOptional(const Flag &flag) { return flag.value && flag.value[0] == '['; }

// Usage text of a flag: "--threads=N", "-o FILE", "--bench", "--profile[=FILE]".
static std::string usage(const Flag &flag) {
  std::string text = flag.name;
  if (isOptional(flag))
    text.append("[=").append(flag.value + 1);
  else if (flag.value)
    text.append(text.rfind("--", 0) == 0 ? "=" : " ").append(flag.value);
  return text;
}

// Levenshtein distance, used to suggest a flag for a misspelled one.
static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

static std::string unknownFlag(const std::string &name, const std::vector<Flag> &table) {
  std::string message = "unknown flag '" + name + "'";
  const Flag *nearest = nullptr;
  size_t best = 3; // a larger distance is unlikely to be a typing error
  for (const Flag &flag : table) {
    size_t distance = editDistance(name, flag.name);
    if (distance < best) {
      best = distance;
      nearest = &flag;
    }
  }
  return message + (nearest ? std::string(", did you mean '") + nearest->name + "'?" : " (see --help)");
}

std::string parseLine(const std::vector<std::string> &arguments, const std::vector<Flag> &table, ParsedLine &parsed) {
  bool flagsEnded = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &word = arguments[i];
    if (flagsEnded || word.empty() || word[0] != '-' || word == "-") {
      parsed.positional.push_back(word);
      continue;
    }
    if (word == "--") {
      flagsEnded = true;
      continue;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    auto row = std::find_if(table.begin(), table.end(), [&](const Flag &flag) { return name == flag.name; });
    if (row == table.end())
      return unknownFlag(name, table);
    if (parsed.find(row->name))
      return "flag '" + name + "' is given twice";
    ParsedFlag flag{name, ""};
    if (!row->value) {
      if (equals != std::string::npos)
        return "flag '" + name + "' takes no value";
    } else {
      if (equals != std::string::npos)
        flag.value = word.substr(equals + 1);
      else if (!isOptional(*row) && i + 1 < arguments.size() && (arguments[i + 1] == "-" || arguments[i + 1].rfind("--", 0) != 0))
        flag.value = arguments[++i];
      if (flag.value.empty() && (!isOptional(*row) || equals != std::string::npos))
        return "flag '" + name + "' needs a value: " + usage(*row);
    }
    parsed.flags.push_back(std::move(flag));
  }
  return "";
}

static std::string rangeError(const std::string &what, const std::string &text, const char *kind, const std::string &least,
                              const std::string &most) {
  return what + ": '" + text + "' is not " + kind + " from " + least + " to " + most;
}

static std::string shortest(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

std::string parseInteger(const std::string &what, const std::string &text, int64_t least, int64_t most, int64_t &value) {
  errno = 0;
  char *end = nullptr;
  long long parsed = std::strtoll(text.c_str(), &end, 10);
  bool clean = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-') && *end == '\0';
  if (!clean || errno == ERANGE || parsed < least || parsed > most)
    return rangeError(what, text, "an integer", std::to_string(least), std::to_string(most));
  value = parsed;
  return "";
}

std::string parseReal(const std::string &what, const std::string &text, double least, double most, double &value) {
  char *end = nullptr;
  double parsed = std::strtod(text.c_str(), &end);
  bool clean = !text.empty() && !std::isspace(static_cast<unsigned char>(text[0])) && *end == '\0';
  if (!clean || !std::isfinite(parsed) || parsed < least || parsed > most)
    return rangeError(what, text, "a number", shortest(least), shortest(most));
  value = parsed;
  return "";
}

std::string parseChoice(const std::string &what, const std::string &text, const std::vector<std::string> &choices) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end())
    return "";
  std::string message = what + ": '" + text + "' is none of";
  for (size_t i = 0; i < choices.size(); ++i)
    message.append(i ? ", " : " ").append(choices[i]);
  return message;
}

std::string splitList(const std::string &what, const std::string &text, std::vector<std::string> &parts) {
  size_t begin = 0;
  while (true) {
    size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma == std::string::npos ? comma : comma - begin));
    if (parts.back().empty())
      return std::string(what).append(": '").append(text).append("' has an empty entry");
    if (comma == std::string::npos)
      return "";
    begin = comma + 1;
  }
}

std::string flagHelp(const std::vector<Flag> &table) {
  std::string text;
  for (const Flag &flag : table) {
    std::string left = "  " + usage(flag);
    left.resize(std::max<size_t>(left.size() + 2, 34), ' ');
    text += left + flag.help + "\n";
  }
  return text;
}

} // namespace tpp::tools
