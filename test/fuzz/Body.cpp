// Evaluation and printing of elementwise bodies (Body.h).
#include "Body.h"

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

// A sum of floats whose terms the compiler may regroup: it folds (x - mean) * scale + bias of a batch norm into the contraction before it,
// x * scale + (bias - mean * scale), which rounds each term once more.
Approx regrouped(Approx a, Approx b, double sum, Type type) {
  double terms = isFloat(type) && roundTo(sum, type) != sum ? unitRoundoff(type) * (std::fabs(a.value) + std::fabs(b.value)) : 0;
  return rounded(sum, a.error + b.error + terms, type);
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
    case Op::mul: {
      double error = std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error;
      out = rounded(a.value * b.value, error, step.type);
      break;
    }
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
      out = {-a.value, a.error};
      break;
    case Op::absolute:
      out = {std::fabs(a.value), a.error};
      break;
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
    case Op::convert:
      out = rounded(a.value, a.error, step.type);
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
  default:
    return "";
  }
}

void Body::print(llvm::raw_ostream &os, llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> constants,
                 const std::string &prefix) const {
  std::vector<std::string> names(steps.size());
  size_t nextInput = 0, nextConstant = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    if (step.op == Op::input) {
      names[i] = inputs[nextInput++];
      continue;
    }
    if (step.op == Op::constant) {
      names[i] = constants[nextConstant++];
      continue;
    }
    names[i] = prefix + std::to_string(i);
    bool floating = isFloat(step.type);
    const char *type = typeName(step.type);
    if (step.op == Op::index) {
      const std::string &name = names[i];
      os << "      " << name << "n = linalg.index " << static_cast<int64_t>(step.constant) << " : index\n      " << name
         << (floating ? "i" : "") << " = arith.index_cast " << name << "n : index to " << (floating ? "i32" : type) << "\n";
      if (floating)
        os << "      " << name << " = arith.sitofp " << name << "i : i32 to " << type << "\n";
    } else if (step.op == Op::relu) {
      const std::string &zero = names[step.b];
      os << "      " << names[i] << "c = " << (floating ? "arith.cmpf ugt, " : "arith.cmpi sgt, ") << names[step.a] << ", "
         << zero << " : " << type << "\n      " << names[i] << " = arith.select " << names[i] << "c, " << names[step.a] << ", "
         << zero << " : " << type << "\n";
    } else if (step.op == Op::convert) {
      Type from = steps[step.a].type;
      const char *name = !isFloat(from) ? (floating ? "arith.sitofp" : "arith.extsi")
                                        : (typeBytes(step.type) > typeBytes(from) ? "arith.extf" : "arith.truncf");
      os << "      " << names[i] << " = " << name << " " << names[step.a] << " : " << typeName(from) << " to " << type << "\n";
    } else {
      os << "      " << names[i] << " = " << mnemonic(step.op, floating) << " " << names[step.a];
      if (step.b >= 0)
        os << ", " << names[step.b];
      os << " : " << type << "\n";
    }
  }
  os << "      linalg.yield ";
  for (size_t i = 0; i < yields.size(); ++i)
    os << (i ? ", " : "") << names[yields[i]];
  os << " : ";
  for (size_t i = 0; i < yields.size(); ++i)
    os << (i ? ", " : "") << typeName(steps[yields[i]].type);
  os << "\n";
}

std::string scalarText(double value, Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!isFloat(type)) {
    os << static_cast<int64_t>(value);
  } else {
    std::string decimal;
    llvm::raw_string_ostream(decimal) << llvm::format("%.6e", value);
    if (std::isfinite(value) && roundTo(std::stod(decimal), type) == value) {
      os << decimal;
    } else {
      uint64_t bits = 0;
      store(value, type, &bits);
      os << "0x" << llvm::utohexstr(bits, /*LowerCase=*/false, 2 * typeBytes(type));
    }
  }
  os << " : " << typeName(type);
  return text;
}

} // namespace tpp::fuzz
