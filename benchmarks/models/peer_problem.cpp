// Reads, fills and checks the problems of bench-peers.
#include "benchmarks/models/peer_problem.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tpp::bench {

namespace {

[[noreturn]] void usage_error() {
  std::fprintf(stderr, "usage: bench-peers [flags] matmul M N K [constant] [ta] [tb] | mlp BATCH WIDTH,WIDTH[,WIDTH...]\n");
  std::exit(1);
}

int positive(const std::string &text) {
  const long value = parse_integer(text, 1, 1 << 16);
  if (value < 0)
    usage_error();
  return static_cast<int>(value);
}

void parse_matmul(problem &work, const std::vector<std::string> &words) {
  work.m = positive(words[1]);
  work.widths = {positive(words[3]), positive(words[2])};
  for (size_t i = 4; i < words.size(); ++i) {
    if (words[i] == "constant")
      work.constant = true;
    else if (words[i] == "ta")
      work.transposed_a = true;
    else if (words[i] == "tb")
      work.transposed_b = true;
    else
      usage_error();
  }
  work.name = "matmul/f32/" + words[1] + "x" + words[2] + "x" + words[3] + (work.constant ? "-constant" : "") +
              (work.transposed_a ? "-ta" : "") + (work.transposed_b ? "-tb" : "");
}

void parse_mlp(problem &work, const std::vector<std::string> &words) {
  work.is_mlp = work.constant = true;
  work.m = positive(words[1]);
  work.name = "mlp/f32/" + words[1];
  for (size_t begin = 0; begin <= words[2].size();) {
    const size_t end = std::min(words[2].find(',', begin), words[2].size());
    work.widths.push_back(positive(words[2].substr(begin, end - begin)));
    work.name += "x" + std::to_string(work.widths.back());
    begin = end + 1;
  }
  if (work.widths.size() < 2)
    usage_error();
}

void make_data(problem &work) {
  work.input = std::make_unique<buffer>(static_cast<size_t>(work.m) * static_cast<size_t>(work.k(0)), 1, 1);
  for (size_t layer = 0; layer < work.layers(); ++layer) {
    const auto seed = static_cast<unsigned>(layer);
    work.weights.push_back(
        std::make_unique<buffer>(static_cast<size_t>(work.k(layer)) * static_cast<size_t>(work.n(layer)), 1, 10 + seed));
    work.biases.push_back(std::make_unique<buffer>(static_cast<size_t>(work.n(layer)), 2, 100 + seed));
  }
}

// Computes one row of the answer in double.
std::vector<double> expected_row(const problem &work, int row) {
  const auto m = static_cast<size_t>(work.m), i = static_cast<size_t>(row);
  std::vector<double> values(static_cast<size_t>(work.k(0)));
  for (size_t k = 0; k < values.size(); ++k)
    values[k] = work.input->get(work.transposed_a ? k * m + i : i * values.size() + k);
  for (size_t layer = 0; layer < work.layers(); ++layer) {
    const size_t depth = values.size();
    const float *weights = work.weights[layer]->floats();
    std::vector<double> next(static_cast<size_t>(work.n(layer)));
    for (size_t k = 0; k < depth; ++k)
      for (size_t j = 0; j < next.size(); ++j)
        next[j] += values[k] * static_cast<double>(weights[work.transposed_b ? j * depth + k : k * next.size() + j]);
    for (size_t j = 0; work.is_mlp && j < next.size(); ++j)
      next[j] = std::max(next[j] + work.biases[layer]->get(j), 0.0);
    values = std::move(next);
  }
  return values;
}

} // namespace

double problem::flops() const {
  double sum = 0;
  for (size_t layer = 0; layer < layers(); ++layer)
    sum += 2.0 * m * k(layer) * n(layer);
  return sum;
}

problem make_problem(const std::vector<std::string> &words) {
  problem work;
  if (words.size() >= 4 && words[0] == "matmul")
    parse_matmul(work, words);
  else if (words.size() == 3 && words[0] == "mlp")
    parse_mlp(work, words);
  else
    usage_error();
  make_data(work);
  return work;
}

std::string wrong(const problem &work, const float *output) {
  for (int row : {0, work.m / 2, work.m - 1}) {
    const std::vector<double> expected = expected_row(work, row);
    for (size_t j = 0; j < expected.size(); ++j)
      if (static_cast<double>(output[static_cast<size_t>(row) * expected.size() + j]) != expected[j])
        return "wrong answer in row " + std::to_string(row) + ", column " + std::to_string(j);
  }
  return "";
}

} // namespace tpp::bench
