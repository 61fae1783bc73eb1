// The operations random programs are made of. Each function evaluates the operation by the oracle, appends it to the program and
// returns its node; -1 when the operation is not possible there (a bound would be lost).
#ifndef TPP_TEST_FUZZ_OPS_H
#define TPP_TEST_FUZZ_OPS_H

#include "Program.h"

namespace tpp::fuzz {

// out[map2] = init[map2] + sum a[map0] * b[map1]
struct Contraction {
  const char *form;      // a named operation without its dialect, "contract" or "generic"
  Shape domain;          // sizes of the loops
  std::string iterators; // one 'p' or 'r' for each loop
  Map maps[3];
  int a, b;
  int init = -1;     // a node, or -1: zeros
  Type result;       // element type of the accumulator
  bool swap = false; // generic only: the body multiplies and adds with swapped operands
};
int addContraction(Program &program, const Contraction &contraction);

// out += a * b over `domain`, walked by the accesses of a, b and out; the sum's bounds with it.
Tensor accumulate(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<Access> accesses, const Tensor &a, const Tensor &b, Tensor out);

// A linalg op that moves a window over an image. Tensors' dimensions by letters: n images, h x w pixels, g groups, c channels,
// f features, m features of each channel, r x s pixels of the window.
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
  int filter = -1;           // not of pools
  int init = -1;             // not of pools: a node, or -1: zeros
  int64_t sizes[2] = {1, 1}; // of pools
  int64_t strides[2] = {1, 1}, dilations[2] = {1, 1};
  // Of the result; empty where the window does not fit the image.
  Shape shape(const Program &program) const;
};
int addWindow(Program &program, const Window &window);

struct Elementwise {
  Shape domain;
  std::vector<int> inputs;
  std::vector<Map> maps; // one for each input; results have the identity
  Body body;
  bool named = false;          // print linalg.add, linalg.exp ... where the body is one such step on identity maps
  bool innerConstants = false; // constants inside the body instead of captured ones
};
// The first result's node; a second result is the node after it.
int addElementwise(Program &program, const Elementwise &elementwise);

enum class Reduction { sum, max, min };
struct Reduce {
  int input;
  std::vector<bool> reduced; // for each dimension
  bool keepDims;             // the result keeps a reduced dimension with size 1 (a constant in the map)
  Reduction kind;
  bool named = false;      // linalg.reduce
  bool indexRider = false; // a second, unused result that follows the maximum's index, as exporters emit it
};
int addReduce(Program &program, const Reduce &reduce);

int addTranspose(Program &program, int input, const std::vector<int> &permutation);
int addBroadcast(Program &program, int input, const Shape &shape, const std::vector<int> &addedDims);
// Groups of the larger shape's dimensions, one for each dimension of the smaller.
int addExpand(Program &program, int input, const Shape &shape, const std::vector<std::vector<int>> &groups);
int addCollapse(Program &program, int input, const std::vector<std::vector<int>> &groups);
int addPad(Program &program, int input, const Shape &low, const Shape &high, double value);
// Dimensions marked in `dropped` have size 1 and are left out of the small tensor.
int addSlice(Program &program, int input, const Shape &offsets, const Shape &sizes, const Shape &strides,
             const std::vector<bool> &dropped = {});
// `sizes`: of the source, dropped dimensions included.
int addInsert(Program &program, int source, int destination, const Shape &offsets, const Shape &sizes, const Shape &strides);
int addConcat(Program &program, int dim, const std::vector<int> &inputs);

} // namespace tpp::fuzz

#endif
