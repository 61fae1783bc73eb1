// The records in which #tpp.packing_tuned looks up contractions: a JSON file in the format of docs/packing-strategies.md.
#ifndef TPP_DIALECT_TUNEDPACKINGS_H
#define TPP_DIALECT_TUNEDPACKINGS_H

#include "tpp_dialect/ContractionInfo.h"

#include "llvm/ADT/StringMap.h"

#include <array>
#include <mutex>
#include <optional>

namespace mlir::tpp {

/// A record: a filter for contractions, and their packing. An absent field of the filter matches every contraction.
struct TunedRecord {
  std::array<std::optional<int64_t>, 4> shape; // batch, m, n, k
  std::string types;                           // of A, B and C: "f32,f32,f32"; i8 stands for u8, too
  std::string isa;
  std::optional<bool> constantB;
  Packing packing;

  bool fits(const ContractionInfo &contraction) const;
};

/// The records of a file, or the problem that makes the file unusable.
class TunedPackings {
public:
  static TunedPackings read(StringRef file);
  /// `file` is the name used in messages.
  static TunedPackings parse(StringRef text, StringRef file);

  std::string problem; // empty if the file is valid
  std::vector<TunedRecord> records;

  /// The packing of the first record that fits; nullopt if there is none.
  std::optional<Packing> find(const ContractionInfo &contraction) const;
};

/// The files read so far. Thread-safe, because passes on several functions run concurrently.
class TunedPackingFiles {
public:
  const TunedPackings &get(StringRef file);

private:
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<TunedPackings>> files;
};

} // namespace mlir::tpp

#endif
