// The records that #tpp.packing_tuned looks contractions up in: a JSON file, whose form docs/packing-strategies.md describes.
#ifndef TPP_DIALECT_TUNEDPACKINGS_H
#define TPP_DIALECT_TUNEDPACKINGS_H

#include "tpp_dialect/PackingProblem.h"

#include "llvm/ADT/StringMap.h"

#include <array>
#include <mutex>
#include <optional>

namespace mlir::tpp {

/// For which contractions a record is, and how they are packed. What is left out fits any.
struct TunedRecord {
  std::array<std::optional<int64_t>, 4> shape; // batch, m, n, k
  std::string types;                           // of A, B and C: "f32,f32,f32"
  std::string isa;
  std::optional<bool> constantB;
  Packing packing;

  bool fits(const PackingProblem &problem) const;
};

/// A file of records, or what is wrong with it.
class TunedPackings {
public:
  static TunedPackings read(StringRef file);
  /// `file` is a name for messages.
  static TunedPackings parse(StringRef text, StringRef file);

  std::string problem;
  std::vector<TunedRecord> records;

  /// The first record that fits.
  std::optional<Packing> find(const PackingProblem &problem) const;
};

/// Files that have been read. Passes on several functions may ask at once.
class TunedPackingFiles {
public:
  const TunedPackings &get(StringRef file);

private:
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<TunedPackings>> files;
};

} // namespace mlir::tpp

#endif
