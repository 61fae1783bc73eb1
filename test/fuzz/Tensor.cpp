// Element types, rounding and iteration for the oracle's tensors (Tensor.h).
#include "Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cfloat>
#include <cmath>
#include <cstring>

namespace tpp::fuzz {

namespace {
struct TypeRow {
  const char *name;
  int64_t bytes;
  bool isFloat;
  int precision; // bits of the significand
  int minExponent;
};
// In the order of `Type`.
constexpr TypeRow typeRows[] = {{"f32", 4, true, 24, -126}, {"f64", 8, true, 53, -1022}, {"bf16", 2, true, 8, -126},
                                {"f16", 2, true, 11, -14},  {"i32", 4, false, 31, 0},    {"i8", 1, false, 7, 0},
                                {"i64", 8, false, 53, 0},   {"index", 8, false, 53, 0},  {"i8", 1, false, 8, 0}};
const TypeRow &row(Type type) { return typeRows[static_cast<int>(type)]; }

const llvm::fltSemantics &semantics(Type type) {
  switch (type) {
  case Type::bf16:
    return llvm::APFloat::BFloat();
  case Type::f16:
    return llvm::APFloat::IEEEhalf();
  case Type::f32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}
} // namespace

const char *typeName(Type type) { return row(type).name; }
int64_t typeBytes(Type type) { return row(type).bytes; }
bool isFloat(Type type) { return row(type).isFloat; }
double unitRoundoff(Type type) { return std::ldexp(1.0, type == Type::f64 ? -52 : -row(type).precision); }
double smallestNormal(Type type) { return std::ldexp(1.0, row(type).minExponent); }
double exactIntegers(Type type) { return std::ldexp(1.0, row(type).precision); }

double roundTo(double value, Type type) {
  switch (type) {
  case Type::f64:
  case Type::i64:
  case Type::index:
    return value;
  case Type::f32:
    return static_cast<float>(value);
  case Type::i32:
    return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(value)));
  case Type::i8:
    return static_cast<int8_t>(static_cast<uint8_t>(static_cast<int64_t>(value)));
  case Type::u8:
    return static_cast<uint8_t>(static_cast<int64_t>(value));
  default: {
    llvm::APFloat number(value);
    bool losesInfo = false;
    number.convert(semantics(type), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return number.convertToDouble();
  }
  }
}

void store(double value, Type type, void *to) {
  uint64_t bits = 0;
  if (isFloat(type)) {
    llvm::APFloat number(value);
    bool losesInfo = false;
    number.convert(semantics(type), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    bits = number.bitcastToAPInt().getZExtValue();
  } else {
    bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  std::memcpy(to, &bits, typeBytes(type)); // little endian, as dense<"0x..."> requires
}

double load(Type type, const void *from) {
  if (!isFloat(type)) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, typeBytes(type));
    return type == Type::u8 ? static_cast<double>(bits) : static_cast<double>(llvm::SignExtend64(bits, 8 * typeBytes(type)));
  }
  uint64_t bits = 0;
  std::memcpy(&bits, from, typeBytes(type));
  llvm::APFloat number(semantics(type), llvm::APInt(8 * typeBytes(type), bits));
  bool losesInfo = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

Approx rounded(double value, double error, Type type) {
  if (!isFloat(type)) { // no useful bound if only some of the possible values wrap around
    bool wraps = error > 0 && (!std::isfinite(error) || roundTo(value + error, type) - roundTo(value - error, type) != 2 * error);
    return {roundTo(value, type), wraps ? INFINITY : error};
  }
  if (error == 0 && roundTo(value, type) == value)
    return {value, 0};
  return {value, error + unitRoundoff(type) * (std::fabs(value) + error) + smallestNormal(type)};
}

int64_t elementCount(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

double Tensor::largest() const {
  double result = 0;
  for (double x : value)
    result = std::max(result, std::fabs(x));
  return result;
}

double Tensor::smallest() const {
  double result = DBL_MAX;
  for (double x : value)
    result = std::min(result, x);
  return result;
}

double Tensor::largestError() const {
  double result = 0;
  for (double x : error)
    result = std::max(result, x);
  return result;
}

std::string Tensor::typeText() const {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + typeName(type) + ">";
}

Map identityMap(size_t rank) {
  Map map(rank);
  for (size_t i = 0; i < rank; ++i)
    map[i] = static_cast<int>(i);
  return map;
}

std::string mapText(size_t loops, const Map &map) {
  std::string text = "affine_map<(";
  for (size_t i = 0; i < loops; ++i)
    text += (i ? ", d" : "d") + std::to_string(i);
  text += ") -> (";
  for (size_t i = 0; i < map.size(); ++i)
    text += (i ? ", " : "") + (map[i] < 0 ? "0" : "d" + std::to_string(map[i]));
  return text + ")>";
}

std::vector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i > 1; --i)
    strides[i - 2] = strides[i - 1] * shape[i - 1];
  return strides;
}

Access accessOf(const Map &map, llvm::ArrayRef<int64_t> shape, size_t loops) {
  Access access{std::vector<int64_t>(loops, 0)};
  std::vector<int64_t> strides = rowMajorStrides(shape);
  for (size_t i = 0; i < map.size(); ++i)
    if (map[i] >= 0)
      access.strides[map[i]] += strides[i];
  return access;
}

Access slicedAccess(llvm::ArrayRef<int64_t> shape, const Shape &offsets, const Shape &strides) {
  Access access{rowMajorStrides(shape)};
  for (size_t i = 0; i < shape.size(); ++i) {
    access.offset += offsets[i] * access.strides[i];
    access.strides[i] *= strides[i];
  }
  return access;
}

void forEachPoint(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<Access> operands,
                  llvm::function_ref<void(const int64_t *)> visit) {
  if (elementCount(domain) == 0)
    return;
  std::vector<int64_t> index(domain.size(), 0), offsets;
  for (const Access &operand : operands)
    offsets.push_back(operand.offset);
  while (true) {
    visit(offsets.data());
    size_t loop = domain.size();
    while (loop > 0) {
      --loop;
      bool wraps = ++index[loop] == domain[loop];
      for (size_t i = 0; i < operands.size(); ++i)
        offsets[i] += operands[i].strides[loop] * (wraps ? 1 - domain[loop] : 1);
      if (!wraps)
        break;
      index[loop] = 0;
      if (loop == 0)
        return;
    }
    if (domain.empty())
      return;
  }
}

void moveElements(llvm::ArrayRef<int64_t> domain, const Access &from, const Access &to, const Tensor &input, Tensor &output) {
  forEachPoint(domain, {from, to}, [&](const int64_t *at) { output.set(at[1], input.get(at[0])); });
}

} // namespace tpp::fuzz
