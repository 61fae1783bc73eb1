// A random program: a list of operations, each already evaluated by the oracle, that prints itself as a function on tensors.
//
// Because each node carries its value and error bound, any node can be cut: replaced by an argument that holds its value. What
// follows stays correct within the bounds already computed, so a failing program is shrunk by choosing another result and cutting
// nodes, without evaluating again.
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

// What operations print to: statements, shared initial values, and constants that go to the function's head or the module's
// resources.
class Emitter {
public:
  explicit Emitter(bool shareInits) : shareInits(shareInits), os(body) {}

  llvm::raw_ostream &stream() { return os; }
  std::string fresh(const char *stem) { return "%" + std::string(stem) + std::to_string(counter++); }
  // A scalar constant, one per value and type.
  std::string scalar(double value, Type type);
  std::string constantTensor(const Tensor &tensor, bool asResource);
  // tensor.empty, and the same filled. Shared between users when the program says so, as torch-mlir's exports have it.
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
  // Prints the operation, defining `name` (or `name`:2 when two results are told of).
  using Printer = std::function<void(Emitter &emitter, llvm::ArrayRef<std::string> operands, const std::string &name)>;

  Kind kind;
  const char *what; // the generator's name of the operation, for statistics
  Tensor tensor;    // its value and bound
  std::vector<int> operands;
  Printer print;
  int primary = -1;        // the node whose operation this is the second result of
  bool hasSecond = false;  // there is such a node
  bool asResource = false; // a constant's form
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

  const Tensor &tensor(int node) const { return nodes[node].tensor; }
  int argument(Tensor tensor);
  int constant(Tensor tensor, bool asResource);
  int operation(const char *what, Tensor tensor, std::vector<int> operands, Node::Printer print);
  // The second result of the last operation.
  int secondResult(Tensor tensor);
  std::vector<int> users(int node) const;

  Selection everything() const { return {results, {}}; }
  // The nodes that the selection's function takes, in the order of its arguments.
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
