// Bodies of elementwise operations: short straight-line programs over scalars, which are both printed as MLIR and evaluated with
// error bounds.
#ifndef TPP_TEST_FUZZ_BODY_H
#define TPP_TEST_FUZZ_BODY_H

#include "Tensor.h"

#include "llvm/Support/raw_ostream.h"

namespace tpp::fuzz {

enum class Op {
  input,
  constant,
  add,
  sub,
  mul,
  div,
  maximum,
  minimum,
  relu,
  tanh,
  exp,
  erf,
  sqrt,
  rsqrt,
  negate,
  absolute,
  convert,
  index // of the loop `constant`
};

struct Step {
  Op op;
  int a = -1, b = -1; // earlier steps
  Type type;          // of the result
  double constant = 0;
};

struct Body {
  std::vector<Step> steps;
  std::vector<int> yields; // one step per result

  int input(Type type) { return push({Op::input, -1, -1, type}); }
  // After all inputs.
  int index(int loop, Type type) { return push({Op::index, -1, -1, type, static_cast<double>(loop)}); }
  int constant(double value, Type type) { return push({Op::constant, -1, -1, type, roundTo(value, type)}); }
  int unary(Op op, int a) { return push({op, a, -1, steps[a].type}); }
  int binary(Op op, int a, int b) { return push({op, a, b, steps[a].type}); }
  // max(a, 0) as exporters write it, a comparison and a selection: NaN passes.
  int relu(int a) {
    int zero = constant(0, steps[a].type);
    return push({Op::relu, a, zero, steps[a].type});
  }
  int convert(int a, Type type) { return steps[a].type == type ? a : push({Op::convert, a, -1, type}); }
  // x / (1 + exp(-x)) without the numerator, and gelu as exporters decompose it.
  int sigmoid(int a);
  int gelu(int a);

  // `inputs` has one entry for each input step, then one for each index step, `results` one for each yield. False when the bound is lost (division by about
  // zero, root of a negative number, overflow).
  bool evaluate(const Approx *inputs, Approx *results) const;

  // The statements and the linalg.yield. Inputs and constants are given by name, in order; steps get fresh names starting with
  // `prefix`.
  void print(llvm::raw_ostream &os, llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> constants,
             const std::string &prefix) const;

private:
  int push(Step step) {
    steps.push_back(step);
    return static_cast<int>(steps.size()) - 1;
  }
};

// A scalar constant's MLIR text, exact: `1.500000e+00 : f32`, `0x7F800000 : f32`, `3 : i32`.
std::string scalarText(double value, Type type);

} // namespace tpp::fuzz

#endif
