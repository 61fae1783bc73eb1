// Compares the outputs of a call with expected values. See Tensor.h.
#include "Tensor.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

namespace tpp::run {

double defaultRelativeTolerance(ElementType type) {
  switch (type) {
  case ElementType::f64:
    return 1e-10;
  case ElementType::f32:
    return 1e-4;
  case ElementType::f16:
    return 1e-2;
  case ElementType::bf16:
    return 3e-2;
  default:
    return 0;
  }
}

static double largestFiniteMagnitude(const TensorSpec &spec, const void *data) {
  double largest = 0;
  for (int64_t i = 0, count = spec.elements(); i < count; ++i) {
    double magnitude = std::fabs(loadElement(spec.element, data, i));
    if (std::isfinite(magnitude) && magnitude > largest)
      largest = magnitude;
  }
  return largest;
}

// |x - y|, where x and y are the elements as doubles. 64-bit integers that round to the same double are compared as integers.
static double absoluteDifference(const TensorSpec &spec, const void *got, const void *expected, int64_t index, double x,
                                 double y) {
  if (x == y || (std::isnan(x) && std::isnan(y))) {
    if (elementTypeInfo(spec.element).floating || elementTypeInfo(spec.element).bytes < 8)
      return 0;
    uint64_t a, b;
    std::memcpy(&a, static_cast<const char *>(got) + index * 8, 8);
    std::memcpy(&b, static_cast<const char *>(expected) + index * 8, 8);
    return double(a > b ? a - b : b - a);
  }
  double difference = std::fabs(x - y);
  return std::isnan(difference) ? HUGE_VAL : difference;
}

Comparison compareTensors(const TensorSpec &spec, const void *got, const void *expected, const Tolerance &tolerance) {
  Comparison result;
  result.elements = spec.elements();
  result.relativeTolerance = tolerance.relative.value_or(defaultRelativeTolerance(spec.element));
  result.absoluteTolerance =
      tolerance.absolute ? *tolerance.absolute : result.relativeTolerance * largestFiniteMagnitude(spec, expected);
  double differences = 0, products = 0, squaresOfGot = 0, squaresOfExpected = 0;
  int64_t finiteElements = 0;
  for (int64_t i = 0; i < result.elements; ++i) {
    double x = loadElement(spec.element, got, i), y = loadElement(spec.element, expected, i);
    if (std::isfinite(x) && std::isfinite(y)) {
      ++finiteElements;
      differences += std::fabs(x - y);
      products += x * y, squaresOfGot += x * x, squaresOfExpected += y * y;
    }
    double absolute = absoluteDifference(spec, got, expected, i, x, y);
    if (absolute == 0)
      continue;
    bool finite = std::isfinite(y) && std::isfinite(absolute);
    if (result.absoluteAt < 0 || absolute > result.largestAbsolute) {
      result.largestAbsolute = absolute;
      result.absoluteAt = i;
    }
    // Where |expected| is below the absolute tolerance, the relative error is meaningless: after a relu it is often infinite.
    if (!finite || std::fabs(y) > result.absoluteTolerance) {
      double relative = finite ? absolute / std::fabs(y) : HUGE_VAL;
      if (result.relativeAt < 0 || relative > result.largestRelative) {
        result.largestRelative = relative;
        result.relativeAt = i;
      }
    }
    // If the expected element is infinite or NaN, so is the tolerance below: such an element must match exactly.
    if (std::isfinite(absolute) && std::isfinite(y) &&
        absolute <= result.absoluteTolerance + result.relativeTolerance * std::fabs(y))
      continue;
    if (result.failures++ == 0)
      result.firstFailure = i;
  }
  if (finiteElements > 0)
    result.meanAbsolute = differences / static_cast<double>(finiteElements);
  if (squaresOfGot > 0 && squaresOfExpected > 0)
    result.cosine = products / (std::sqrt(squaresOfGot) * std::sqrt(squaresOfExpected));
  result.passed = result.failures == 0;
  return result;
}

std::string describeComparison(const TensorSpec &spec, const Comparison &comparison, const void *got, const void *expected) {
  auto number = [](double value) { return std::isinf(value) ? std::string("infinite") : llvm::formatv("{0:e2}", value).str(); };
  std::string text = spec.what + (comparison.passed ? " equals the reference" : " DIFFERS from the reference");
  if (comparison.absoluteAt < 0)
    return text + " exactly";
  text += ": largest absolute error " + number(comparison.largestAbsolute) + " at " + spec.indexText(comparison.absoluteAt) +
          (comparison.relativeAt < 0
               ? std::string()
               : ", relative " + number(comparison.largestRelative) + " at " + spec.indexText(comparison.relativeAt)) +
          " (allowed " + number(comparison.absoluteTolerance) + " + " + number(comparison.relativeTolerance) + " * |expected|)";
  if (!comparison.passed) {
    int64_t at = comparison.firstFailure;
    llvm::raw_string_ostream(text) << "; " << comparison.failures << " of " << comparison.elements
                                   << " elements fail, the first at " << spec.indexText(at) << ": "
                                   << llvm::format("%.9g", loadElement(spec.element, got, at)) << " instead of "
                                   << llvm::format("%.9g", loadElement(spec.element, expected, at));
  }
  return text;
}

} // namespace tpp::run
