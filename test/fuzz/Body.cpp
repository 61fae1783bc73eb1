// Evaluation and printing of elementwise bodies (Body.h).
#include "Body.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

namespace tpp::fuzz {

namespace {
// Allowed error of exp, tanh, erf and roots, in units of 2u relative to the result (libm 1; MLIR's polynomials and Highway's at
// most 4). For erf the same number of u is added relative to 1, because erf's polynomials are absolute approximations.
constexpr double functionUlps = 8;
// Keeps values below f16's largest value, and stops unbounded growth.
constexpr double largestMagnitude = 3e4;

// The result of a function: the propagated error (a bound of |f(x + error) - f(x)|) plus the implementation's own error and one
// rounding.
Approx approximated(double value, double propagated, Type type) {
  double own = functionUlps * 2 * unitRoundoff(type) * std::fabs(value);
  return {value, propagated + own + smallestNormal(type)};
}

Products operator+(Products a, Products b) { return {a.count + b.count, a.magnitude + b.magnitude}; }

// The error of a sum of products that is exact, if its partial sums are rounded: another term was added first, or each product was scaled.
double inexactProducts(Approx x, Type type) {
  return x.error == 0 ? (x.products.count + 2) * x.products.magnitude * unitRoundoff(type) : 0;
}

// A sum of floats whose terms the compiler may regroup. It folds (x - mean) * scale + bias of a batch norm into the contraction before
// it, x * scale + (bias - mean * scale): with two scales, this rounds the mean's term three times more, by each scale and in the sum.
// And a contraction may begin with the other term: each of its additions then rounds that, too.
Approx regrouped(Approx a, Approx b, double sum, Type type) {
  double terms = 0;
  auto isInteger = [](Approx x) { return x.value == std::nearbyint(x.value); };
  bool partialsRound = (a.products.count > 0 && !isInteger(b)) || (b.products.count > 0 && !isInteger(a));
  if (isFloat(type) && (a.error > 0 || b.error > 0 || partialsRound || roundTo(sum, type) != sum))
    terms = unitRoundoff(type) * ((3 + b.products.count) * std::fabs(a.value) + (3 + a.products.count) * std::fabs(b.value)) +
            inexactProducts(a, type) + inexactProducts(b, type);
  Approx result = rounded(sum, a.error + b.error + terms, type);
  result.products = a.products + b.products;
  return result;
}

// A product of numbers, one of which may be a contraction, whose constant the compiler then multiplies by the other. Powers of two
// round none of its products; integers do not if their sum stays exact.
Approx scaled(Approx a, Approx b, Type type) {
  double error = std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error;
  Products products = {a.products.count + b.products.count,
                       std::fabs(b.value) * a.products.magnitude + std::fabs(a.value) * b.products.magnitude};
  double scale = a.products.count > 0 ? b.value : a.value;
  int exponent = 0;
  bool isPower = std::fabs(std::frexp(scale, &exponent)) == 0.5;
  if (!isPower && !(scale == std::nearbyint(scale) && products.magnitude <= exactIntegers(type)))
    error += std::fabs(b.value) * inexactProducts(a, type) + std::fabs(a.value) * inexactProducts(b, type);
  Approx result = rounded(a.value * b.value, error, type);
  result.products = products;
  return result;
}

// x^n by multiplications in any order; a negative power is the reciprocal of a positive one or a power of the reciprocal: at most
// 2 |n| + 2 roundings. Returns false if there is no useful bound.
bool power(Approx x, int64_t n, Type type, Approx &out) {
  double least = std::fabs(x.value) - x.error, largest = std::fabs(x.value) + x.error, count = std::fabs(n);
  if (n < 0 && least < 0.2)
    return false;
  double value = std::pow(x.value, n);
  bool isInteger = x.error == 0 && x.value == std::nearbyint(x.value);
  if (n == 1 || (isInteger && std::fabs(value) <= exactIntegers(type) && (n >= 0 || std::fabs(x.value) == 1))) {
    out = {value, x.error};
    return true;
  }
  double propagated = n == 0 ? 0 : count * std::pow(n > 0 ? largest : least, n - 1) * x.error;
  double rounding = unitRoundoff(type) * (std::fabs(value) + propagated) + smallestNormal(type);
  out = {value, propagated + (2 * count + 2) * rounding};
  return true;
}
} // namespace

int Body::sigmoid(int a) {
  Type type = steps[a].type;
  int exponential = unary(Op::exp, unary(Op::negate, a));
  int one = constant(1, type);
  return binary(Op::div, one, binary(Op::add, exponential, one));
}

int Body::gelu(int a) {
  Type type = steps[a].type;
  int scaled = binary(Op::div, a, constant(1.41421356, type));
  int shifted = binary(Op::add, unary(Op::erf, scaled), constant(1, type));
  return binary(Op::mul, a, binary(Op::mul, shifted, constant(0.5, type)));
}

bool Body::evaluate(const Approx *inputs, Approx *results) const {
  Approx values[32];
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    Approx a = step.a >= 0 ? values[step.a] : Approx{0, 0}, b = step.b >= 0 ? values[step.b] : Approx{0, 0};
    Approx &out = values[i];
    switch (step.op) {
    case Op::input:
    case Op::index:
      out = *inputs++;
      break;
    case Op::constant:
      out = {step.constant, 0};
      break;
    case Op::add:
      out = regrouped(a, b, a.value + b.value, step.type);
      break;
    case Op::sub:
      out = regrouped(a, b, a.value - b.value, step.type);
      break;
    case Op::mul:
      out = scaled(a, b, step.type);
      break;
    case Op::div: {
      double room = std::fabs(b.value) - b.error;
      if (room < 1e-3)
        return false;
      // One more rounding, because an implementation may multiply by a reciprocal.
      double quotient = a.value / b.value;
      out = rounded(quotient, (a.error + std::fabs(quotient) * b.error) / room + unitRoundoff(step.type) * std::fabs(quotient),
                    step.type);
      break;
    }
    case Op::quotient:
      if (a.error != 0 || b.error != 0 || b.value == 0)
        return false;
      out = {std::floor(a.value / b.value), 0};
      break;
    case Op::maximum:
      out = {std::fmax(a.value, b.value), std::fmax(a.error, b.error)};
      break;
    case Op::minimum:
      out = {std::fmin(a.value, b.value), std::fmax(a.error, b.error)};
      break;
    case Op::relu:
      out = {std::fmax(a.value, 0.0), a.error};
      break;
    case Op::negate:
      out = {-a.value, a.error, a.products};
      break;
    case Op::absolute:
      out = {std::fabs(a.value), a.error};
      break;
    case Op::round: {
      double value = std::nearbyint(a.value);
      double below = value - std::nearbyint(a.value - a.error), above = std::nearbyint(a.value + a.error) - value;
      out = {value, std::fmax(below, above)};
      break;
    }
    case Op::tanh:
      out = approximated(std::tanh(a.value), a.error, step.type);
      break;
    case Op::exp:
      if (std::fabs(a.value) + a.error > 60)
        return false;
      out = approximated(std::exp(a.value), std::exp(a.value) * std::expm1(a.error), step.type);
      break;
    case Op::erf:
      out = approximated(std::erf(a.value), 1.13 * a.error + functionUlps * unitRoundoff(step.type), step.type);
      break;
    case Op::sqrt:
    case Op::rsqrt: {
      double least = a.value - a.error;
      if (least < 1e-3)
        return false;
      bool inverse = step.op == Op::rsqrt;
      double slope = 0.5 / (inverse ? least * std::sqrt(least) : std::sqrt(least));
      out = approximated(inverse ? 1 / std::sqrt(a.value) : std::sqrt(a.value), slope * a.error, step.type);
      break;
    }
    case Op::power:
      if (!power(a, static_cast<int64_t>(b.value), step.type, out))
        return false;
      break;
    case Op::convert:
      // Floats that become integers are integers, and in range.
      out = isFloat(steps[step.a].type) && !isFloat(step.type) ? Approx{a.value, std::floor(a.error)}
                                                               : rounded(a.value, a.error, step.type);
      break;
    }
    if (!std::isfinite(out.value) || std::fabs(out.value) > largestMagnitude * (isFloat(step.type) ? 1 : 1e4))
      return false;
  }
  for (int index : yields)
    *results++ = values[index];
  return true;
}

static const char *mnemonic(Op op, bool isFloat) {
  switch (op) {
  case Op::add:
    return isFloat ? "arith.addf" : "arith.addi";
  case Op::sub:
    return isFloat ? "arith.subf" : "arith.subi";
  case Op::mul:
    return isFloat ? "arith.mulf" : "arith.muli";
  case Op::div:
    return "arith.divf";
  case Op::quotient:
    return "arith.floordivsi";
  case Op::maximum:
    return isFloat ? "arith.maximumf" : "arith.maxsi";
  case Op::minimum:
    return isFloat ? "arith.minimumf" : "arith.minsi";
  case Op::tanh:
    return "math.tanh";
  case Op::exp:
    return "math.exp";
  case Op::erf:
    return "math.erf";
  case Op::sqrt:
    return "math.sqrt";
  case Op::rsqrt:
    return "math.rsqrt";
  case Op::negate:
    return "arith.negf";
  case Op::absolute:
    return isFloat ? "math.absf" : "math.absi";
  case Op::round:
    return "math.roundeven";
  case Op::power:
    return "math.fpowi";
  default:
    return "";
  }
}

static const char *conversionName(Type from, Type to) {
  if (isFloat(from) && isFloat(to))
    return typeBytes(to) > typeBytes(from) ? "arith.extf" : "arith.truncf";
  if (isFloat(from))
    return to == Type::u8 ? "arith.fptoui" : "arith.fptosi";
  if (isFloat(to))
    return from == Type::u8 ? "arith.uitofp" : "arith.sitofp";
  return from == Type::u8 ? "arith.extui" : "arith.extsi";
}

std::vector<std::string> Body::stepNames(llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> constants,
                                         const std::string &prefix) const {
  std::vector<std::string> names;
  size_t nextInput = 0, nextConstant = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].op == Op::input)
      names.push_back(inputs[nextInput++]);
    else if (steps[i].op == Op::constant)
      names.push_back(constants[nextConstant++]);
    else
      names.push_back(prefix + std::to_string(i));
  }
  return names;
}

// `typeText` gives the type of operands from their element type.
void Body::printSteps(llvm::raw_ostream &os, llvm::function_ref<std::string(const char *)> typeText,
                      llvm::ArrayRef<std::string> names) const {
  std::string condition = typeText("i1");
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    if (step.op == Op::input || step.op == Op::constant)
      continue;
    bool floating = isFloat(step.type);
    const std::string &name = names[i], type = typeText(typeName(step.type));
    if (step.op == Op::index) {
      os << "      " << name << "n = linalg.index " << static_cast<int64_t>(step.constant) << " : index\n      " << name
         << (floating ? "i" : "") << " = arith.index_cast " << name << "n : index to " << (floating ? "i32" : type) << "\n";
      if (floating)
        os << "      " << name << " = arith.sitofp " << name << "i : i32 to " << type << "\n";
    } else if (step.op == Op::relu) {
      const std::string &a = names[step.a], &zero = names[step.b];
      os << "      " << name << "c = " << (floating ? "arith.cmpf ugt, " : "arith.cmpi sgt, ") << a << ", " << zero << " : "
         << type << "\n      " << name << " = arith.select " << name << "c, " << a << ", " << zero << " : "
         << (condition == "i1" ? "" : condition + ", ") << type << "\n";
    } else if (step.op == Op::convert) {
      Type from = steps[step.a].type;
      const char *conversion = conversionName(from, step.type);
      os << "      " << name << " = " << conversion << " " << names[step.a] << " : " << typeText(typeName(from)) << " to " << type
         << "\n";
    } else {
      os << "      " << name << " = " << mnemonic(step.op, floating) << " " << names[step.a];
      if (step.b >= 0)
        os << ", " << names[step.b];
      os << " : " << type << (step.op == Op::power ? ", " + typeText(typeName(steps[step.b].type)) : "") << "\n";
    }
  }
}

void Body::print(llvm::raw_ostream &os, llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> constants,
                 const std::string &prefix) const {
  std::vector<std::string> names = stepNames(inputs, constants, prefix);
  printSteps(os, [](const char *element) { return std::string(element); }, names);
  os << "      linalg.yield ";
  for (size_t i = 0; i < yields.size(); ++i)
    os << (i ? ", " : "") << names[yields[i]];
  os << " : ";
  for (size_t i = 0; i < yields.size(); ++i)
    os << (i ? ", " : "") << typeName(steps[yields[i]].type);
  os << "\n";
}

bool Body::canPrintOnTensors() const {
  Op last = steps.back().op;
  bool usesIndices = llvm::any_of(steps, [](const Step &step) { return step.op == Op::index; });
  return !usesIndices && yields.size() == 1 && yields[0] + 1 == static_cast<int>(steps.size()) && last != Op::input &&
         last != Op::constant;
}

void Body::printOnTensors(llvm::raw_ostream &os, const Shape &shape, llvm::ArrayRef<std::string> inputs,
                          llvm::ArrayRef<std::string> constants, const std::string &result) const {
  std::vector<std::string> names = stepNames(inputs, constants, result + "s");
  names.back() = result;
  std::string prefix = "tensor<";
  for (int64_t size : shape)
    prefix += std::to_string(size) + "x";
  printSteps(os, [&](const char *element) { return prefix + element + ">"; }, names);
}

std::string valueText(double value, Type type) {
  if (!isFloat(type))
    return std::to_string(static_cast<int64_t>(value));
  std::string decimal;
  llvm::raw_string_ostream(decimal) << llvm::format("%.6e", value);
  if (std::isfinite(value) && roundTo(std::stod(decimal), type) == value)
    return decimal;
  uint64_t bits = 0;
  store(value, type, &bits);
  return "0x" + llvm::utohexstr(bits, /*LowerCase=*/false, 2 * typeBytes(type));
}

std::string scalarText(double value, Type type) { return valueText(value, type) + " : " + typeName(type); }

} // namespace tpp::fuzz
