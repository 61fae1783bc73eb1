// Operations of random programs. Each function evaluates the operation with the oracle, appends it to the program and returns its
// node, or -1 if the operation is not possible (no useful error bound).
#ifndef TPP_TEST_FUZZ_OPS_H
#define TPP_TEST_FUZZ_OPS_H

#include "Program.h"

#include <optional>

namespace tpp::fuzz {

// out[map2] = init[map2] + sum a[map0] * b[map1]
struct Contraction {
  const char *form;      // a named linalg operation without its dialect, "contract" or "generic"
  Shape domain;          // sizes of the loops
  std::string iterators; // one 'p' or 'r' per loop
  Map maps[3];
  int a, b;
  int init = -1;                       // a node, or -1 for zeros
  Type result;                         // element type of the accumulator
  bool swap = false;                   // generic only: the body multiplies and adds with swapped operands
  bool isUnsigned[2] = {false, false}; // generic only: the elements of this integer operand are extended with zeros
  int64_t tiles[3] = {1, 1,
                      1}; // mmt4d only: of rows, columns and steps. The operands are packed into tiles, and the result unpacked
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
  int filter = -1;                           // not for pools
  int init = -1;                             // not for pools; a node, or -1 for zeros
  std::optional<Type> result = std::nullopt; // element type of the accumulator; that of the input if not given
  int64_t sizes[2] = {1, 1};                 // for pools only
  int64_t strides[2] = {1, 1}, dilations[2] = {1, 1};
  // Shape of the result; empty if the window does not fit the image.
  Shape shape(const Program &program) const;
};
int addWindow(Program &program, const Window &window);

// A convolution with 3 x 3 filters whose taps are as far apart as its outputs. Pixels are numbered in steps of that distance.
struct WinogradWindow {
  int64_t images, channels, features, height, width; // height and width of the result
  std::function<double(int64_t n, int64_t c, int64_t y, int64_t x)> pixel;
  std::function<double(int64_t f, int64_t c, int64_t y, int64_t x)> filter;
  std::function<int64_t(int64_t n, int64_t f, int64_t y, int64_t x)> result; // the element's number
};
// Adds what Winograd's algorithm may be off by, for tiles of 2 x 2 and of 4 x 4 outputs.
void addWinogradErrors(const WinogradWindow &window, std::vector<double> &errors);

struct Elementwise {
  Shape domain;
  std::vector<int> inputs;
  std::vector<Map> maps; // one per input; results have the identity map
  Body body;
  bool named = false;          // print linalg.add, linalg.exp etc. if the body is one such step on identity maps
  bool innerConstants = false; // constants are inside the body instead of captured
  bool onTensors = false;      // print arith and math ops on whole tensors if all maps are identities
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
int addConcat(Program &program, int dim, const std::vector<int> &inputs);

// An offset of a slice: a constant, or computed at run time if it has a node.
struct Offset {
  int64_t value;
  int node = -1;       // an index tensor
  int64_t element = 0; // which of its elements
  int64_t added = 0;   // is added to the element
  int64_t limit = -1;  // if not negative, the sum is limited to [0, limit], as exporters write it
  Offset(int64_t value) : value(value) {}
};
using Offsets = std::vector<Offset>;
// Dimensions marked in `dropped` have size 1 and are removed from the result's shape.
int addSlice(Program &program, int input, const Offsets &offsets, const Shape &sizes, const Shape &strides,
             const std::vector<bool> &dropped = {});
// `sizes`: sizes of the source, dropped dimensions included.
int addInsert(Program &program, int source, int destination, const Offsets &offsets, const Shape &sizes, const Shape &strides);
// A tensor of this shape with the elements of `input`, `strides` apart from `low` on, and zeros elsewhere.
int addSpread(Program &program, int input, const Shape &shape, const Shape &low, const Shape &strides);

// Reads elements of a tensor at computed places.
struct Gather {
  // The place in one dimension of the source: the index of a loop, forwards or backwards, or an element of an index tensor.
  struct Place {
    int loop;
    bool backwards = false;
    int node = -1; // an index tensor, read through `map`
    Map map = {};
    enum class Range { given, clamped, wrapped } range = Range::given; // wrapped: a negative index counts from the end
  };
  int source;
  Shape domain;
  std::vector<Place> places;
  Body body;            // of one input, the element
  bool asserts = false; // the body asserts that indices are in range
};
int addGather(Program &program, const Gather &gather);

} // namespace tpp::fuzz

#endif
