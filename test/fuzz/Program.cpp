// Prints random programs, whole or in part (Program.h).
#include "Program.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tpp::fuzz {

std::string Emitter::scalar(double value, Type type) {
  std::string text = scalarText(value, type);
  std::string &name = scalars[text];
  if (name.empty()) {
    name = fresh("c");
    head += "    " + name + " = arith.constant " + text + "\n";
  }
  return name;
}

std::string Emitter::constantTensor(const Tensor &tensor, bool asResource) {
  std::string bytes(tensor.size() * typeBytes(tensor.type), '\0');
  for (int64_t i = 0; i < tensor.size(); ++i)
    store(tensor.value[i], tensor.type, bytes.data() + i * typeBytes(tensor.type));
  std::string name = fresh("k");
  std::string hex = llvm::toHex(bytes);
  if (asResource) {
    std::string key = "w" + name.substr(1);
    // The text of a blob begins with its alignment: four bytes, little endian.
    resources += (resources.empty() ? "      " : ",\n      ") + key + ": \"0x04000000" + hex + "\"";
    head += "    " + name + " = arith.constant dense_resource<" + key + "> : " + tensor.typeText() + "\n";
  } else {
    head += "    " + name + " = arith.constant dense<\"0x" + hex + "\"> : " + tensor.typeText() + "\n";
  }
  return name;
}

std::string Emitter::splat(double value, Type type, const Shape &shape) {
  std::string text = "dense<" + valueText(value, type) + "> : " + Tensor(type, shape).typeText();
  std::string &name = scalars[text];
  if (name.empty()) {
    name = fresh("c");
    head += "    " + name + " = arith.constant " + text + "\n";
  }
  return name;
}

std::string Emitter::empty(const Tensor &like) {
  std::string type = like.typeText();
  std::string unshared, &name = shareInits ? empties[type] : unshared;
  if (name.empty()) {
    name = fresh("e");
    os << "    " << name << " = tensor.empty() : " << type << "\n";
  }
  return name;
}

std::string Emitter::filled(const Tensor &like, double value) {
  std::string type = like.typeText(), scalarName = scalar(value, like.type);
  std::string unshared, &name = shareInits ? fills[type + scalarName] : unshared;
  if (name.empty()) {
    std::string init = empty(like);
    name = fresh("f");
    os << "    " << name << " = linalg.fill ins(" << scalarName << " : " << typeName(like.type) << ") outs(" << init << " : "
       << type << ") -> " << type << "\n";
  }
  return name;
}

int Program::argument(Tensor tensor) {
  nodes.push_back({Node::Kind::argument, "argument", std::move(tensor), {}, {}});
  return static_cast<int>(nodes.size()) - 1;
}

int Program::constant(Tensor tensor, bool asResource) {
  nodes.push_back({Node::Kind::constant, "constant", std::move(tensor), {}, {}});
  nodes.back().asResource = asResource;
  return static_cast<int>(nodes.size()) - 1;
}

int Program::operation(const char *what, Tensor tensor, std::vector<int> operands, Node::Printer print) {
  nodes.push_back({Node::Kind::operation, what, std::move(tensor), std::move(operands), std::move(print)});
  return static_cast<int>(nodes.size()) - 1;
}

int Program::secondResult(Tensor tensor) {
  int primary = static_cast<int>(nodes.size()) - 1;
  nodes.back().hasSecond = true;
  nodes.push_back({Node::Kind::operation, nodes.back().what, std::move(tensor), nodes.back().operands, {}});
  nodes.back().primary = primary;
  return primary + 1;
}

std::vector<int> Program::users(int node) const {
  std::vector<int> result;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (llvm::is_contained(nodes[i].operands, node))
      result.push_back(static_cast<int>(i));
  return result;
}

Program::Needs Program::needs(const Selection &selection) const {
  Needs result{std::vector<bool>(nodes.size()), std::vector<bool>(nodes.size())};
  for (int node : selection.results)
    result.value[node] = true;
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
    const Node &node = nodes[i];
    bool wanted = result.value[i] && !selection.cut.count(i) && node.kind == Node::Kind::operation;
    if (wanted && node.primary >= 0)
      result.operation[node.primary] = true;
    else if (wanted)
      result.operation[i] = true;
    if (result.operation[i])
      for (int operand : node.operands)
        result.value[operand] = true;
  }
  return result;
}

std::vector<int> Program::arguments(const Selection &selection) const {
  Needs need = needs(selection);
  std::vector<int> result;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (need.value[i] && (nodes[i].kind == Node::Kind::argument || selection.cut.count(static_cast<int>(i))))
      result.push_back(static_cast<int>(i));
  return result;
}

std::string Program::print(const Selection &selection) const {
  Needs need = needs(selection);
  std::vector<std::string> names(nodes.size());
  std::vector<int> taken = arguments(selection);
  std::string signature;
  for (size_t i = 0; i < taken.size(); ++i) {
    names[taken[i]] = "%arg" + std::to_string(i);
    signature += (i ? ", " : "") + names[taken[i]] + ": " + tensor(taken[i]).typeText();
  }
  Emitter emitter(shareInits);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = nodes[i];
    std::string base = "%v" + std::to_string(i);
    if (need.operation[i]) {
      std::vector<std::string> operands;
      for (int operand : node.operands)
        operands.push_back(names[operand]);
      node.print(emitter, operands, base);
    }
    if (!need.value[i] || !names[i].empty())
      continue;
    if (node.kind == Node::Kind::constant)
      names[i] = emitter.constantTensor(node.tensor, node.asResource);
    else
      names[i] = node.primary >= 0 ? "%v" + std::to_string(node.primary) + "#1" : (node.hasSecond ? base + "#0" : base);
  }
  std::string values, types;
  for (size_t i = 0; i < selection.results.size(); ++i) {
    values += (i ? ", " : "") + names[selection.results[i]];
    types += (i ? ", " : "") + tensor(selection.results[i]).typeText();
  }
  std::string text = "module {\n  func.func @main(" + signature + ") -> (" + types + ") {\n" + emitter.head + emitter.body +
                     "    return " + values + " : " + types + "\n  }\n}\n";
  if (!emitter.resources.empty())
    text += "{-#\n  dialect_resources: {\n    builtin: {\n" + emitter.resources + "\n    }\n  }\n#-}\n";
  return text;
}

} // namespace tpp::fuzz
