// Reads lists of positions. See FlagReader.h.
#include "FlagReader.h"

namespace tpp::tools {

void FlagReader::positions(const char *name, int64_t first, const char *what, std::vector<int64_t> &values) {
  constexpr int64_t most = 1 << 20;
  std::vector<std::string> parts;
  list(name, parts);
  for (const std::string &part : parts) {
    size_t dash = part.find('-');
    std::string lower = part.substr(0, dash), upper = dash == std::string::npos ? lower : part.substr(dash + 1);
    int64_t from = first, to = first;
    std::string wrong = parseInteger(name, lower, first, most, from);
    if (wrong.empty())
      wrong = parseInteger(name, upper, from, most, to);
    note(wrong);
    if (!wrong.empty())
      return;
    for (int64_t i = from; i <= to; ++i)
      values.push_back(i);
  }
  std::sort(values.begin(), values.end());
  auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end())
    note(std::string(name) + ": " + what + " " + std::to_string(*twice) + " is given twice");
}

} // namespace tpp::tools
