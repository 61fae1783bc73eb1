// Machine files: lines `field = value`.
#include "tpp/machine.hpp"
#include "tpp/machines.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>
#include <type_traits>

namespace tpp {
namespace {

// Conversions that do not depend on the process's locale.
std::string number(int64_t value) { return std::to_string(value); }
std::string number(double value) {
  char text[400]; // the largest double has 309 digits
  return std::string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr);
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
  return std::string(field) + " is " + number(value) + ", must be between " + number(least) + " and " + number(most);
}

// Sets a field from text. Returns the problem.
template <typename T> std::string set_number(const char *field, const std::string &text, double least, double most, T *value) {
  T parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size() || parsed != parsed)
    return std::string(field) + " is '" + text + "', must be a " + (std::is_integral<T>::value ? "whole " : "") + "number";
  const std::string problem = range_problem(field, parsed, least, most);
  if (problem.empty())
    *value = parsed;
  return problem;
}

template <size_t kSize> std::string set_text(const char *field, const std::string &text, char (&value)[kSize]) {
  if (text.empty() || text.size() >= kSize)
    return std::string(field) + " must have 1 to " + std::to_string(kSize - 1) + " characters";
  memcpy(value, text.c_str(), text.size() + 1);
  return "";
}

// The instruction sets, "avx512, avx2, ...".
std::string isas() {
  std::string names;
#define TPP_MACHINE(id, base, label, cpu, ...)                                                                                   \
  if (std::string(#base) == "none")                                                                                              \
    names += (names.empty() ? "" : ", ") + std::string(label);
#include "tpp/machines.def"
  return names;
}

std::string isa_problem(const std::string &name) {
#define TPP_MACHINE(id, base, label, cpu, ...)                                                                                   \
  if (name == label && std::string(#base) == "none")                                                                             \
    return "";
#include "tpp/machines.def"
  return "isa is '" + name + "', must be one of " + isas();
}

std::string set_field(const std::string &field, const std::string &text, tpp_machine *machine) {
  if (field == "name")
    return set_text("name", text, machine->name);
  if (field == "isa") {
    const std::string problem = isa_problem(text);
    return problem.empty() ? set_text("isa", text, machine->isa) : problem;
  }
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
  if (const std::string problem = isa_problem(machine.isa); !problem.empty())
    return problem;
#define TPP_MACHINE_FIELD(type, name, least, most, unit, summary)                                                                \
  if (const std::string problem = range_problem(#name, machine.name, least, most); !problem.empty())                             \
    return problem;
#include "tpp/machine_fields.def"
  if ((machine.vector_bytes & (machine.vector_bytes - 1)) != 0)
    return "vector_bytes is " + number(machine.vector_bytes) + ", must be a power of two";
  return "";
}

std::string read_machine(const std::string &path, tpp_machine *machine) {
  std::ifstream file(path);
  if (!file)
    return path + ": the file cannot be read";
  std::vector<line> lines;
  std::string text, name, isa;
  for (int number = 1; std::getline(file, text); ++number) {
    if (number == 1 && text.compare(0, 3, "\xef\xbb\xbf") == 0) // a byte order mark
      text.erase(0, 3);
    text = strip(text.substr(0, text.find('#')));
    if (text.empty())
      continue;
    const std::string where = path + ":" + std::to_string(number) + ": ";
    const size_t sign = text.find('=');
    if (sign == std::string::npos)
      return where + "expected 'field = value', got '" + text + "'";
    const line read = {number, strip(text.substr(0, sign)), strip(text.substr(sign + 1))};
    for (const line &before : lines)
      if (before.field == read.field)
        return where + read.field + " is set again; line " + std::to_string(before.number) + " sets it, too";
    if (read.field == "name")
      name = read.value;
    if (read.field == "isa")
      isa = read.value;
    lines.push_back(read);
  }
  if (file.bad())
    return path + ": the file cannot be read";

  // A name of an entry, or host, gives the other fields their values; else the instruction set does.
  tpp_machine read;
  bool is_entry = name == "host" || tpp_machine_find(name.c_str(), &read);
  if (name == "host")
    read = host_machine();
  if (!is_entry && !(isa_problem(isa).empty() && tpp_machine_find(isa.c_str(), &read)))
    for (const line &each : lines)
      if (each.field == "isa")
        return path + ":" + std::to_string(each.number) + ": " + isa_problem(isa);
  if (!is_entry && isa.empty())
    return path + ": no line 'isa = ...' (" + isas() + "), nor a 'name = ...' of an entry of tpp/machines.def";
  for (const line &each : lines) {
    if (is_entry && each.field == "isa" && each.value != read.isa)
      return path + ":" + std::to_string(each.number) + ": isa is '" + each.value + "', but the machine " + read.name + " has " +
             read.isa;
    if (is_entry && each.field == "name")
      continue; // read.name is the entry's name, not LLVM's or host
    std::string problem = set_field(each.field, each.value, &read);
    if (problem.empty() && each.field == "vector_bytes")
      problem = machine_problem(read);
    if (!problem.empty())
      return path + ":" + std::to_string(each.number) + ": " + problem;
  }
  *machine = read;
  return "";
}

std::string write_machine(const tpp_machine &machine) {
  std::string text = std::string("name = ") + machine.name + "\nisa = " + machine.isa + "\n";
  const auto write = [&](const char *name, const std::string &value, const std::string &unit, const char *summary) {
    std::string row = std::string(name) + " = " + value;
    row.resize(std::max<size_t>(row.size() + 1, 32), ' ');
    text += row + "# " + summary + (unit.empty() ? "" : ", " + unit) + "\n";
  };
#define TPP_MACHINE_FIELD(type, name, least, most, unit, summary) write(#name, number(machine.name), unit, summary);
#include "tpp/machine_fields.def"
  return text;
}

} // namespace tpp
