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

// linalg.conv_2d_nchw_fchw, or its depthwise form when the filter has three dimensions (C x R x S). `init` as above.
int addConvolution(Program &program, int input, int filter, int init, int64_t stride, int64_t dilation);
// linalg.pooling_nchw_max or _sum.
int addPooling(Program &program, int input, int64_t window, int64_t stride, bool isMax);

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
int addSlice(Program &program, int input, const Shape &offsets, const Shape &sizes, const Shape &strides);
int addInsert(Program &program, int source, int destination, const Shape &offsets, const Shape &strides);
int addConcat(Program &program, int dim, const std::vector<int> &inputs);

} // namespace tpp::fuzz

#endif
