// Machine files: lines `field = value`.
#include "tpp/machine.hpp"
#include "tpp/machines.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <type_traits>

namespace tpp {
namespace {

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string strip(const std::string &text) {
  const char *blank = " \t\r";
  const size_t first = text.find_first_not_of(blank);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

// The problem of a value of a field; empty if there is none.
template <typename T> std::string range_problem(const char *field, T value, double least, double most) {
  const double v = static_cast<double>(value);
  if (v >= least && v <= most)
    return "";
  return std::string(field) + " is " + number(v) + ", must be between " + number(least) + " and " + number(most);
}

// Sets a field from text. Returns the problem.
template <typename T> std::string set_number(const char *field, const std::string &text, double least, double most, T *value) {
  char *end = nullptr;
  const double parsed = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || std::isnan(parsed))
    return std::string(field) + " is '" + text + "', must be a number";
  if (std::is_integral<T>::value && parsed != std::floor(parsed))
    return std::string(field) + " is " + text + ", must be a whole number";
  const std::string problem = range_problem(field, parsed, least, most);
  if (problem.empty())
    *value = static_cast<T>(parsed);
  return problem;
}

template <size_t kSize> std::string set_text(const char *field, const std::string &text, char (&value)[kSize]) {
  if (text.empty() || text.size() >= kSize)
    return std::string(field) + " must have 1 to " + std::to_string(kSize - 1) + " characters";
  memcpy(value, text.c_str(), text.size() + 1);
  return "";
}

bool is_isa(const std::string &name) {
#define TPP_MACHINE(id, base, label, cpu, ...)                                                                                   \
  if (name == label && std::string(#base) == "none")                                                                             \
    return true;
#include "tpp/machines.def"
  return false;
}

std::string set_field(const std::string &field, const std::string &text, tpp_machine *machine) {
  if (field == "name")
    return set_text("name", text, machine->name);
  if (field == "isa")
    return is_isa(text) ? set_text("isa", text, machine->isa)
                        : "isa is '" + text + "', must be avx512, avx2, sse4, neon or portable";
#define TPP_MACHINE_FIELD(type, name, least, most, unit, summary)                                                                \
  if (field == #name)                                                                                                            \
    return set_number(#name, text, least, most, &machine->name);
#include "tpp/machine_fields.def"
  return "there is no field '" + field + "'";
}

struct line {
  int number;
  std::string field, value;
};

} // namespace

std::string machine_problem(const tpp_machine &machine) {
  if (!memchr(machine.name, '\0', sizeof machine.name) || !memchr(machine.isa, '\0', sizeof machine.isa))
    return "name or isa does not end with a zero byte";
  if (!is_isa(machine.isa))
    return std::string("isa is '") + machine.isa + "', must be avx512, avx2, sse4, neon or portable";
#define TPP_MACHINE_FIELD(type, name, least, most, unit, summary)                                                                \
  if (std::string problem = range_problem(#name, machine.name, least, most); !problem.empty())                                   \
    return problem;
#include "tpp/machine_fields.def"
  return "";
}

std::string read_machine(const std::string &path, tpp_machine *machine) {
  std::ifstream file(path);
  if (!file)
    return path + ": the file cannot be read";
  std::vector<line> lines;
  std::string text, name, isa;
  for (int number = 1; std::getline(file, text); ++number) {
    text = strip(text.substr(0, text.find('#')));
    if (text.empty())
      continue;
    const size_t sign = text.find('=');
    if (sign == std::string::npos)
      return path + ":" + std::to_string(number) + ": this is no line 'field = value'";
    lines.push_back({number, strip(text.substr(0, sign)), strip(text.substr(sign + 1))});
    if (lines.back().field == "name")
      name = lines.back().value;
    if (lines.back().field == "isa")
      isa = lines.back().value;
  }
  if (file.bad())
    return path + ": the file cannot be read";
  tpp_machine read;
  const bool known = tpp_machine_find(name.c_str(), &read) && (isa.empty() || isa == read.isa);
  if (!known && !(is_isa(isa) && tpp_machine_find(isa.c_str(), &read)))
    return path + ": the file names no machine of this version: it needs a line 'isa = avx512' (or avx2, sse4, neon, portable)";
  for (const line &each : lines)
    if (const std::string problem = set_field(each.field, each.value, &read); !problem.empty())
      return path + ":" + std::to_string(each.number) + ": " + problem;
  *machine = read;
  return "";
}

std::string write_machine(const tpp_machine &machine) {
  std::string text = std::string("name = ") + machine.name + "\nisa = " + machine.isa + "\n";
  const auto write = [&](const char *name, double value, const std::string &unit, const char *summary) {
    std::string row = std::string(name) + " = " + number(value);
    row.resize(std::max<size_t>(row.size() + 1, 32), ' ');
    text += row + "# " + unit + (unit.empty() ? "" : " ") + summary + "\n";
  };
#define TPP_MACHINE_FIELD(type, name, least, most, unit, summary) write(#name, static_cast<double>(machine.name), unit, summary);
#include "tpp/machine_fields.def"
  return text;
}

} // namespace tpp
