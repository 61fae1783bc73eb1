// Operations of random programs. Each function evaluates the operation with the oracle, appends it to the program and returns its
// node, or -1 if the operation is not possible (no useful error bound).
#ifndef TPP_TEST_FUZZ_OPS_H
#define TPP_TEST_FUZZ_OPS_H

#include "Program.h"

namespace tpp::fuzz {

// out[map2] = init[map2] + sum a[map0] * b[map1]
struct Contraction {
  const char *form;      // a named linalg operation without its dialect, "contract" or "generic"
  Shape domain;          // sizes of the loops
  std::string iterators; // one 'p' or 'r' per loop
  Map maps[3];
  int a, b;
  int init = -1;     // a node, or -1 for zeros
  Type result;       // element type of the accumulator
  bool swap = false; // generic only: the body multiplies and adds with swapped operands
};
int addContraction(Program &program, const Contraction &contraction);

// out += a * b over `domain`; `accesses` are those of a, b and out. Also computes the error bounds of the sums.
Tensor accumulate(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<Access> accesses, const Tensor &a, const Tensor &b, Tensor out);

// A linalg op that moves a window over an image. Dimensions are letters: n images, h x w pixels, g groups, c channels, f
// features, m multipliers (features per channel), r x s pixels of the window.
struct WindowForm {
  enum class Kind { conv, grouped, depthwise, max, min, sum };
  const char *name; // without its dialect
  Kind kind;
  const char *input, *window, *output;
  bool isPool() const { return kind == Kind::max || kind == Kind::min || kind == Kind::sum; }
  bool channelsLast() const { return input[1] == 'h'; }
};
llvm::ArrayRef<WindowForm> windowForms();

struct Window {
  const WindowForm *form;
  int input;
  int filter = -1;           // not for pools
  int init = -1;             // not for pools; a node, or -1 for zeros
  int64_t sizes[2] = {1, 1}; // for pools only
  int64_t strides[2] = {1, 1}, dilations[2] = {1, 1};
  // Shape of the result; empty if the window does not fit the image.
  Shape shape(const Program &program) const;
};
int addWindow(Program &program, const Window &window);

struct Elementwise {
  Shape domain;
  std::vector<int> inputs;
  std::vector<Map> maps; // one per input; results have the identity map
  Body body;
  bool named = false;          // print linalg.add, linalg.exp etc. if the body is one such step on identity maps
  bool innerConstants = false; // constants are inside the body instead of captured
};
// Returns the first result's node; a second result is the next node.
int addElementwise(Program &program, const Elementwise &elementwise);

enum class Reduction { sum, max, min };
struct Reduce {
  int input;
  std::vector<bool> reduced; // one per dimension
  bool keepDims;             // a reduced dimension stays, with size 1 (a constant in the map)
  Reduction kind;
  bool named = false;      // print linalg.reduce
  bool indexRider = false; // adds an unused second result, the index of the maximum, as exporters emit it
};
int addReduce(Program &program, const Reduce &reduce);

int addTranspose(Program &program, int input, const std::vector<int> &permutation);
int addBroadcast(Program &program, int input, const Shape &shape, const std::vector<int> &addedDims);
// `groups`: dimensions of the larger shape, one group per dimension of the smaller one.
int addExpand(Program &program, int input, const Shape &shape, const std::vector<std::vector<int>> &groups);
int addCollapse(Program &program, int input, const std::vector<std::vector<int>> &groups);
int addPad(Program &program, int input, const Shape &low, const Shape &high, double value);
// Dimensions marked in `dropped` have size 1 and are removed from the result's shape.
int addSlice(Program &program, int input, const Shape &offsets, const Shape &sizes, const Shape &strides,
             const std::vector<bool> &dropped = {});
// `sizes`: sizes of the source, dropped dimensions included.
int addInsert(Program &program, int source, int destination, const Shape &offsets, const Shape &sizes, const Shape &strides);
int addConcat(Program &program, int dim, const std::vector<int> &inputs);

} // namespace tpp::fuzz

#endif
