// A problem that bench-peers passes to each peer: a matmul or an MLP, its data, and its expected answer.
#pragma once
#include "benchmarks/support/harness.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tpp::bench {

// A problem as a list of layers; a matmul is one layer without bias and relu.
struct problem {
  std::string name; // the result's name without the peer
  int m = 0;
  std::vector<int> widths;
  bool is_mlp = false;
  bool constant = false;     // the weights never change: a peer prepares them before its time is measured
  bool transposed_a = false; // the input is stored k x m
  bool transposed_b = false; // the weights are stored n x k
  std::unique_ptr<buffer> input;
  std::vector<std::unique_ptr<buffer>> weights, biases;

  size_t layers() const { return widths.size() - 1; }
  int k(size_t layer) const { return widths[layer]; }
  int n(size_t layer) const { return widths[layer + 1]; }
  double flops() const;
};

// Returns the problem that the command-line words describe, with its data. Exits with a message if they describe none.
problem make_problem(const std::vector<std::string> &words);

// Compares some rows with a computation in double. Returns a message if an element of `output` differs, else "".
std::string wrong(const problem &work, const float *output);

} // namespace tpp::bench
