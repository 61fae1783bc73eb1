// Bodies of elementwise operations: short straight-line programs over scalars. A body can be printed as MLIR and evaluated with
// error bounds.
#ifndef TPP_TEST_FUZZ_BODY_H
#define TPP_TEST_FUZZ_BODY_H

#include "Tensor.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tpp::fuzz {

enum class Op {
  input,
  constant,
  add,
  sub,
  mul,
  div,
  quotient, // of integers, rounded down
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
  round, // to the nearest even integer
  power, // with an integer exponent
  convert,
  index // of loop number `constant`
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
  // Call after all inputs.
  int index(int loop, Type type) { return push({Op::index, -1, -1, type, static_cast<double>(loop)}); }
  int constant(double value, Type type) { return push({Op::constant, -1, -1, type, roundTo(value, type)}); }
  int unary(Op op, int a) { return push({op, a, -1, steps[a].type}); }
  int binary(Op op, int a, int b) { return push({op, a, b, steps[a].type}); }
  // max(a, 0) as exporters write it, as compare and select: NaN passes through.
  int relu(int a) {
    int zero = constant(0, steps[a].type);
    return push({Op::relu, a, zero, steps[a].type});
  }
  int convert(int a, Type type) { return steps[a].type == type ? a : push({Op::convert, a, -1, type}); }
  // sigmoid: 1 / (1 + exp(-a)). gelu: as exporters decompose it.
  int sigmoid(int a);
  int gelu(int a);

  // `inputs` has one entry per input step, then one per index step; `results` one per yield. Returns false if no useful bound
  // exists (division by nearly zero, root of a negative value, overflow).
  bool evaluate(const Approx *inputs, Approx *results) const;

  // Prints the statements and the linalg.yield. Inputs and constants are given by name, in order; steps get new names that start
  // with `prefix`.
  void print(llvm::raw_ostream &os, llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> constants,
             const std::string &prefix) const;
  // Prints the statements on tensors of a shape instead of scalars; the last step is `result`.
  bool canPrintOnTensors() const;
  void printOnTensors(llvm::raw_ostream &os, const Shape &shape, llvm::ArrayRef<std::string> inputs,
                      llvm::ArrayRef<std::string> constants, const std::string &result) const;

private:
  void printSteps(llvm::raw_ostream &os, llvm::function_ref<std::string(const char *element)> typeText,
                  llvm::ArrayRef<std::string> names) const;
  // The names of inputs and constants; steps get new names.
  std::vector<std::string> stepNames(llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> constants,
                                     const std::string &prefix) const;
  int push(Step step) {
    steps.push_back(step);
    return static_cast<int>(steps.size()) - 1;
  }
};

// Exact MLIR text of a scalar constant, without its type (`1.500000e+00`, `0x7F800000`, `3`) and with it (`3 : i32`).
std::string valueText(double value, Type type);
std::string scalarText(double value, Type type);

} // namespace tpp::fuzz

#endif
