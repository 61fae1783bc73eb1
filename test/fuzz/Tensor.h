// Tensors of the random programs' oracle: every element has a value and a bound on its error.
//
// Comparing two pipelines of one compiler misses the errors they share, and a fixed tolerance is either too wide or too narrow.
// So the generator evaluates each operation in double as it creates it. For each element it also computes how far a correct
// evaluation may deviate (any order of additions, with FMA or rounded at each step). Small integers get a bound of zero: such
// results must be equal.
#ifndef TPP_TEST_FUZZ_TENSOR_H
#define TPP_TEST_FUZZ_TENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tpp::fuzz {

// i64 and index are only types of indices and exponents: the oracle holds their values exactly up to 2^53. MLIR's i8 has no sign; elements
// of u8 are i8 that operations read as unsigned.
enum class Type { f32, f64, bf16, f16, i32, i8, i64, index, u8 };

const char *typeName(Type type);
int64_t typeBytes(Type type);
bool isFloat(Type type);
// Half the distance between 1 and the next larger value: the largest relative error of one rounding. Doubled for f64, because the
// oracle rounds too.
double unitRoundoff(Type type);
// Results below it lose relative precision. A bound that is not zero is at least this.
double smallestNormal(Type type);
// All integers up to this magnitude are exact.
double exactIntegers(Type type);

// Rounds to the type (nearest even; integers wrap around).
double roundTo(double value, Type type);
// Writes and reads one element in the type's representation.
void store(double value, Type type, void *to);
double load(Type type, const void *from);

// A sum of products, perhaps scaled, with other terms added: how many products, and the sum of their magnitudes.
struct Products {
  double count = 0, magnitude = 0;
};

struct Approx {
  double value, error;
  Products products = {};
};

// Rounds a result to `type` whose exact value is within `error` of `value`: the new value and bound.
Approx rounded(double value, double error, Type type);

using Shape = std::vector<int64_t>;

int64_t elementCount(llvm::ArrayRef<int64_t> shape);

struct Tensor {
  Type type;
  Shape shape;
  std::vector<double> value, error;
  std::vector<Products> products;

  Tensor(Type type, Shape shape)
      : type(type), shape(std::move(shape)), value(elementCount(this->shape)), error(value.size()), products(value.size()) {}
  int64_t size() const { return static_cast<int64_t>(value.size()); }
  void set(int64_t i, Approx x) { value[i] = x.value, error[i] = x.error, products[i] = x.products; }
  Approx get(int64_t i) const { return {value[i], error[i], products[i]}; }
  // Sets a value, rounded to the type, with error 0: arguments and constants.
  void setExact(int64_t i, double x) { value[i] = roundTo(x, type), error[i] = 0; }
  double largest() const;
  double smallest() const;
  double largestError() const;
  std::string typeText() const; // tensor<3x4xf32>
};

// For each dimension of an operand: the loop that indexes it, or -1 for the constant 0.
using Map = std::vector<int>;

Map identityMap(size_t rank);
std::string mapText(size_t loops, const Map &map);

// Strided access to an operand: elements per step of each loop.
struct Access {
  std::vector<int64_t> strides;
  int64_t offset = 0;
};
std::vector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);
Access accessOf(const Map &map, llvm::ArrayRef<int64_t> shape, size_t loops);

// Access to the part of a row-major operand that starts at `offsets` and has `strides`, in its dimensions.
Access slicedAccess(llvm::ArrayRef<int64_t> shape, const Shape &offsets, const Shape &strides);

// Calls `visit` with the element offset of every operand, for each point of the iteration domain; the last loop is the fastest.
void forEachPoint(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<Access> operands,
                  llvm::function_ref<void(const int64_t *)> visit);
// Copies elements with their bounds: out[to] = in[from].
void moveElements(llvm::ArrayRef<int64_t> domain, const Access &from, const Access &to, const Tensor &input, Tensor &output);

// [1, 2, 3]
template <class Range> std::string listed(const Range &values) {
  std::string text = "[";
  for (auto value : values)
    text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  return text + "]";
}

} // namespace tpp::fuzz

#endif
