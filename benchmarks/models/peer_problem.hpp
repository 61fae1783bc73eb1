// A problem that bench-peers gives to each peer: a matmul or an MLP, its data, and what the answer must be.
#pragma once
#include "benchmarks/support/harness.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tpp::bench {

// The layers of a problem: a matmul is one layer without bias and relu.
struct problem {
  std::string name; // up to the peer
  int m = 0;
  std::vector<int> widths;
  bool is_mlp = false;
  bool constant = false;     // the weights never change: what a peer makes of them is no part of its time
  bool transposed_a = false; // the input is stored k x m
  bool transposed_b = false; // the weights are stored n x k
  std::unique_ptr<buffer> input;
  std::vector<std::unique_ptr<buffer>> weights, biases;

  size_t layers() const { return widths.size() - 1; }
  int k(size_t layer) const { return widths[layer]; }
  int n(size_t layer) const { return widths[layer + 1]; }
  double flops() const;
};

// The problem of a command line's words, with its data. Ends the program with a message when they say none.
problem make_problem(const std::vector<std::string> &words);

// Compares some rows with a computation in double; a text when an element of `output` differs.
std::string wrong(const problem &work, const float *output);

} // namespace tpp::bench
