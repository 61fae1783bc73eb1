// Element types and tensor types as tpp-run sees them: what an argument, a result or a .npy file holds.
//
// Free of MLIR, so that the .npy reader, the input generator and the comparison are plain functions on buffers.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tpp::run {

// name, bytes, is floating point, descriptor written to .npy files, other descriptors accepted from them (comma separated).
// MLIR's integers are signless: either signedness is accepted for them. bf16 has no numpy type: its bits travel as uint16, and
// ml_dtypes writes them as void of two bytes.
#define TPP_RUN_ELEMENT_TYPES(ROW)                                                                                               \
  ROW(f32, 4, true, "<f4", "")                                                                                                   \
  ROW(f64, 8, true, "<f8", "")                                                                                                   \
  ROW(f16, 2, true, "<f2", "")                                                                                                   \
  ROW(bf16, 2, true, "<u2", "<V2,|V2")                                                                                           \
  ROW(i1, 1, false, "|b1", "|u1,|i1")                                                                                            \
  ROW(i8, 1, false, "|i1", "|u1")                                                                                                \
  ROW(i16, 2, false, "<i2", "<u2")                                                                                               \
  ROW(i32, 4, false, "<i4", "<u4")                                                                                               \
  ROW(i64, 8, false, "<i8", "<u8")                                                                                               \
  ROW(ui8, 1, false, "|u1", "")                                                                                                  \
  ROW(ui16, 2, false, "<u2", "")                                                                                                 \
  ROW(ui32, 4, false, "<u4", "")                                                                                                 \
  ROW(ui64, 8, false, "<u8", "")                                                                                                 \
  ROW(index, 8, false, "<i8", "<u8")

enum class ElementType {
#define ROW(name, bytes, floating, written, accepted) name,
  TPP_RUN_ELEMENT_TYPES(ROW)
#undef ROW
};

struct ElementTypeInfo {
  const char *name;
  int64_t bytes;
  bool floating;
  const char *npyWritten;
  const char *npyAccepted;
};
const ElementTypeInfo &elementTypeInfo(ElementType type);

// The element as a double (64-bit integers lose their low bits).
double loadElement(ElementType type, const void *data, int64_t index);

// Rounds to nearest even where the type is narrower than a double; integers are truncated towards zero and must be in range.
void storeElement(ElementType type, void *data, int64_t index, double value);

// A dense, row-major tensor of static shape. `what` names it in messages: "argument #0", "result #1".
struct TensorSpec {
  ElementType element = ElementType::f32;
  std::vector<int64_t> shape;
  std::string what;

  // Product of the shape; valid once checkedBytes has succeeded.
  int64_t elements() const;
  // Bytes of the data, or an error when they do not fit 63 bits.
  llvm::Expected<int64_t> checkedBytes() const;
  int64_t bytes() const { return elements() * elementTypeInfo(element).bytes; }
  // As MLIR writes it: tensor<4x8xf32>.
  std::string typeText() const;
  // Of the element at a linear index: [3,17].
  std::string indexText(int64_t index) const;
};

// "(4, 8)", "(3,)", "()": a shape as numpy prints it.
std::string npyShapeText(llvm::ArrayRef<int64_t> shape);

// An llvm::Error with this text.
llvm::Error makeError(const llvm::Twine &message);

} // namespace tpp::run
