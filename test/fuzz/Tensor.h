// Tensors of the random programs' oracle: every element is a value and a bound on its error.
//
// A fuzzer that compares two pipelines of one compiler is blind to what they do wrong together, and a fixed tolerance is either
// blind or noisy. So the generator evaluates each operation as it creates it, in double, and carries for each element how far a
// correct evaluation (any order of additions, fused or rounded at each step) may be away. Small integers come out with a bound of
// zero: such results must be equal bit for bit.
#ifndef TPP_TEST_FUZZ_TENSOR_H
#define TPP_TEST_FUZZ_TENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tpp::fuzz {

enum class Type { f32, f64, bf16, f16, i32, i8 };

const char *typeName(Type type);
int64_t typeBytes(Type type);
bool isFloat(Type type);
// Half the distance between 1 and the next larger value: the largest relative error of one rounding. f64's is doubled, for the
// oracle rounds too.
double unitRoundoff(Type type);
// Below this, results lose relative precision; a bound that is not zero never falls under it.
double smallestNormal(Type type);
// Integers up to this magnitude are exact.
double exactIntegers(Type type);

// The value's nearest neighbour in the type (to nearest even; integers wrap around).
double roundTo(double value, Type type);
// Bytes of one element as the type stores it, and back.
void store(double value, Type type, void *to);
double load(Type type, const void *from);

struct Approx {
  double value, error;
};

// What one rounding to `type` leaves of a result whose exact evaluation lies within `error` of `value`.
Approx rounded(double value, double error, Type type);

using Shape = std::vector<int64_t>;

int64_t elementCount(llvm::ArrayRef<int64_t> shape);

struct Tensor {
  Type type;
  Shape shape;
  std::vector<double> value, error;

  Tensor(Type type, Shape shape) : type(type), shape(std::move(shape)), value(elementCount(this->shape)), error(value.size()) {}
  int64_t size() const { return static_cast<int64_t>(value.size()); }
  void set(int64_t i, Approx x) { value[i] = x.value, error[i] = x.error; }
  Approx get(int64_t i) const { return {value[i], error[i]}; }
  // Exactly the values, rounded to the type, with no error: what an argument or constant holds.
  void setExact(int64_t i, double x) { value[i] = roundTo(x, type), error[i] = 0; }
  double largest() const;
  double smallest() const;
  double largestError() const;
  std::string typeText() const; // tensor<3x4xf32>
};

// For each dimension of an operand the loop that indexes it, or -1 for the constant 0.
using Map = std::vector<int>;

Map identityMap(size_t rank);
std::string mapText(size_t loops, const Map &map);

// How an operand is walked: elements per step of each loop.
struct Access {
  std::vector<int64_t> strides;
  int64_t offset = 0;
};
std::vector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);
Access accessOf(const Map &map, llvm::ArrayRef<int64_t> shape, size_t loops);

// Calls `visit` with every operand's element offset, for each point of the iteration domain, the last loop fastest.
void forEachPoint(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<Access> operands,
                  llvm::function_ref<void(const int64_t *)> visit);

} // namespace tpp::fuzz

#endif
