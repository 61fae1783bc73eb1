// What LLVM's JSON parser does not tell: keys that an object has twice (it keeps one of them), and on which lines things stand.
#ifndef TPP_DIALECT_JSONPLACES_H
#define TPP_DIALECT_JSONPLACES_H

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::tpp {

struct JsonPlaces {
  std::string repeatedKey; // the first that its object has already; empty: there is none
  int64_t repeatedLine = 0;
  std::vector<int64_t> entryLines; // where each entry of a list begins
};

/// Looks through `text`, which the parser has accepted. The entries are those of list `list` of the outermost object.
JsonPlaces findJsonPlaces(StringRef text, StringRef list);

} // namespace mlir::tpp

#endif
