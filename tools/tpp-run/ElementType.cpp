// Loads and stores single elements, and formats tensor types. See ElementType.h.
#include "ElementType.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

namespace tpp::run {

const ElementTypeInfo &elementTypeInfo(ElementType type) {
  static const ElementTypeInfo rows[] = {
#define ROW(name, bytes, floating, written, accepted) {#name, bytes, floating, written, accepted},
      TPP_RUN_ELEMENT_TYPES(ROW)
#undef ROW
  };
  return rows[static_cast<size_t>(type)];
}

template <typename T> static T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * int64_t(sizeof(T)), sizeof(T));
  return value;
}
template <typename T> static void store(void *data, int64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * int64_t(sizeof(T)), &value, sizeof(T));
}

static double halfToDouble(uint16_t bits) {
  int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 31)
    return mantissa ? std::nan("") : sign * HUGE_VAL;
  return sign * (exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24));
}

static uint16_t roundToBits(double value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool lossy;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lossy);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

double loadElement(ElementType type, const void *data, int64_t index) {
  switch (type) {
  case ElementType::f32:
    return load<float>(data, index);
  case ElementType::f64:
    return load<double>(data, index);
  case ElementType::f16:
    return halfToDouble(load<uint16_t>(data, index));
  case ElementType::bf16: {
    uint32_t bits = uint32_t(load<uint16_t>(data, index)) << 16;
    return load<float>(&bits, 0);
  }
  case ElementType::i1:
    return load<uint8_t>(data, index) != 0;
  case ElementType::i8:
    return load<int8_t>(data, index);
  case ElementType::i16:
    return load<int16_t>(data, index);
  case ElementType::i32:
    return load<int32_t>(data, index);
  case ElementType::i64:
  case ElementType::index:
    return static_cast<double>(load<int64_t>(data, index));
  case ElementType::ui8:
    return load<uint8_t>(data, index);
  case ElementType::ui16:
    return load<uint16_t>(data, index);
  case ElementType::ui32:
    return load<uint32_t>(data, index);
  case ElementType::ui64:
    return static_cast<double>(load<uint64_t>(data, index));
  }
  llvm_unreachable("every element type has a case");
}

void storeElement(ElementType type, void *data, int64_t index, double value) {
  switch (type) {
  case ElementType::f32:
    return store(data, index, static_cast<float>(value));
  case ElementType::f64:
    return store(data, index, value);
  case ElementType::f16:
    return store(data, index, roundToBits(value, llvm::APFloat::IEEEhalf()));
  case ElementType::bf16:
    return store(data, index, roundToBits(value, llvm::APFloat::BFloat()));
  case ElementType::i1:
    return store(data, index, static_cast<uint8_t>(value != 0));
  case ElementType::i8:
    return store(data, index, static_cast<int8_t>(value));
  case ElementType::i16:
    return store(data, index, static_cast<int16_t>(value));
  case ElementType::i32:
    return store(data, index, static_cast<int32_t>(value));
  case ElementType::i64:
  case ElementType::index:
    return store(data, index, static_cast<int64_t>(value));
  case ElementType::ui8:
    return store(data, index, static_cast<uint8_t>(value));
  case ElementType::ui16:
    return store(data, index, static_cast<uint16_t>(value));
  case ElementType::ui32:
    return store(data, index, static_cast<uint32_t>(value));
  case ElementType::ui64:
    return store(data, index, static_cast<uint64_t>(value));
  }
}

bool isRepresentable(ElementType type, double value) {
  const ElementTypeInfo &info = elementTypeInfo(type);
  if (info.floating)
    return true;
  if (type == ElementType::i1)
    return value == 0 || value == 1;
  bool isUnsigned = llvm::StringRef(info.name).starts_with("u");
  double limit = std::min(std::ldexp(1.0, int(8 * info.bytes) - !isUnsigned), std::ldexp(1.0, 53));
  return value == std::trunc(value) && value < limit && value >= (isUnsigned ? 0 : -limit);
}

int64_t TensorSpec::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

llvm::Expected<int64_t> TensorSpec::checkedBytes() const {
  // A dimension of size 0 makes the tensor empty, even if the product of the other sizes overflows.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t bytes = elementTypeInfo(element).bytes;
  for (int64_t size : shape)
    if (llvm::MulOverflow(bytes, size, bytes))
      return makeError(what + " (" + typeText() + ") is too large: its bytes do not fit in 63 bits");
  return bytes;
}

std::string TensorSpec::typeText() const {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text.append(std::to_string(size)).append("x");
  return text + elementTypeInfo(element).name + ">";
}

std::string TensorSpec::indexText(int64_t index) const {
  std::string text;
  for (size_t i = shape.size(); i-- > 0;) {
    text.insert(0, std::to_string(index % shape[i]) + (text.empty() ? "" : ","));
    index /= shape[i];
  }
  return "[" + text + "]";
}

std::string npyShapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

llvm::Error makeError(const llvm::Twine &message) { return llvm::createStringError(llvm::inconvertibleErrorCode(), message); }

} // namespace tpp::run
