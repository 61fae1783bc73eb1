// A random program: a list of operations that the oracle has already evaluated. Prints itself as a function on tensors.
//
// Each node stores its value and error bound, so any node can be cut: replaced by an argument that holds its value. All later
// nodes stay correct within the bounds already computed. A failing program is therefore shrunk by choosing another result and
// cutting nodes, without evaluating again.
#ifndef TPP_TEST_FUZZ_PROGRAM_H
#define TPP_TEST_FUZZ_PROGRAM_H

#include "Body.h"
#include "Tensor.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tpp::fuzz {

// The destination of printing: statements, shared initial values, constants at the function's start, and the module's resources.
class Emitter {
public:
  explicit Emitter(bool shareInits) : shareInits(shareInits), os(body) {}

  llvm::raw_ostream &stream() { return os; }
  std::string fresh(const char *stem) { return "%" + std::string(stem) + std::to_string(counter++); }
  // Name of a scalar constant; one per value and type.
  std::string scalar(double value, Type type);
  std::string constantTensor(const Tensor &tensor, bool asResource);
  // Name of a constant tensor with equal elements; one per value and type.
  std::string splat(double value, Type type, const Shape &shape);
  // Names of a tensor.empty, and of a filled one. Shared between users if the program says so, as in torch-mlir's exports.
  std::string empty(const Tensor &like);
  std::string filled(const Tensor &like, double value);

  std::string head, resources, body;

private:
  bool shareInits;
  int counter = 0;
  llvm::raw_string_ostream os;
  std::map<std::string, std::string> scalars, empties, fills;
};

struct Node {
  enum class Kind { argument, constant, operation };
  // Prints the operation, which defines `name` (or `name`:2 if there are two results).
  using Printer = std::function<void(Emitter &emitter, llvm::ArrayRef<std::string> operands, const std::string &name)>;

  Kind kind;
  const char *what; // the generator's name of the operation, for statistics
  Tensor tensor;    // value and error bound
  std::vector<int> operands;
  Printer print;
  int primary = -1;        // if this is a second result: the node of the operation
  bool hasSecond = false;  // a node of a second result exists
  bool asResource = false; // print a constant as a resource
};

struct Selection {
  std::vector<int> results; // nodes to return
  std::set<int> cut;        // nodes that become arguments
};

class Program {
public:
  std::vector<Node> nodes;
  std::vector<int> results;
  bool shareInits = false;
  const char *winograd = "auto"; // the compiler's option, to which the error bounds belong

  const Tensor &tensor(int node) const { return nodes[node].tensor; }
  int argument(Tensor tensor);
  int constant(Tensor tensor, bool asResource);
  int operation(const char *what, Tensor tensor, std::vector<int> operands, Node::Printer print);
  // Adds a second result to the last operation.
  int secondResult(Tensor tensor);
  std::vector<int> users(int node) const;

  Selection everything() const { return {results, {}}; }
  // Nodes that are arguments of the selection's function, in order.
  std::vector<int> arguments(const Selection &selection) const;
  std::string print(const Selection &selection) const;

private:
  struct Needs {
    std::vector<bool> value, operation;
  };
  Needs needs(const Selection &selection) const;
};

} // namespace tpp::fuzz

#endif
