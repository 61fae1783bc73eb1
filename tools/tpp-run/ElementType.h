// Element types and tensor types of arguments, results and .npy files.
//
// Does not use MLIR, so that the .npy reader, the input generator and the comparison are plain functions on buffers.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tpp::run {

// Columns: name, bytes, is floating point, descriptor written to .npy files, other accepted descriptors (comma separated).
// MLIR's integers are signless, so files of either signedness are accepted for them. numpy has no bf16 type: tpp-run stores its bits as
// uint16, and ml_dtypes writes them as two-byte void.
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

// Reads the element at linear index `index` as a double. Large 64-bit integers are rounded.
double loadElement(ElementType type, const void *data, int64_t index);

// Writes the element at linear index `index`. Floating-point types narrower than double round to nearest even. Integer types truncate
// towards zero; the value must be in range.
void storeElement(ElementType type, void *data, int64_t index, double value);

// Whether storeElement accepts a value: any for floating-point types, integers in range (exact ones, at most 2^53) for the others.
bool isRepresentable(ElementType type, double value);

// Type of a dense row-major tensor of static shape. `what` names the tensor in messages: "argument #0", "result #1".
struct TensorSpec {
  ElementType element = ElementType::f32;
  std::vector<int64_t> shape;
  std::string what;

  // Number of elements; valid only if checkedBytes succeeds.
  int64_t elements() const;
  // Size of the data in bytes, or an error if it does not fit in 63 bits.
  llvm::Expected<int64_t> checkedBytes() const;
  int64_t bytes() const { return elements() * elementTypeInfo(element).bytes; }
  // The type in MLIR syntax: tensor<4x8xf32>.
  std::string typeText() const;
  // The multi-dimensional index of a linear index: [3,17].
  std::string indexText(int64_t index) const;
};

// Formats a shape as numpy does: "(4, 8)", "(3,)", "()".
std::string npyShapeText(llvm::ArrayRef<int64_t> shape);

// Creates an llvm::Error with this message.
llvm::Error makeError(const llvm::Twine &message);

} // namespace tpp::run
