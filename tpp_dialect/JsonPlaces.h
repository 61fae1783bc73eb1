// Information about a JSON text that LLVM's JSON parser does not provide: repeated keys of an object (the parser keeps one of them), and
// line numbers.
#ifndef TPP_DIALECT_JSONPLACES_H
#define TPP_DIALECT_JSONPLACES_H

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::tpp {

struct JsonPlaces {
  std::string repeatedKey; // the first key that occurs twice in one object; empty if there is none
  int64_t repeatedLine = 0;
  std::vector<int64_t> entryLines; // the line on which each entry of the list begins
};

/// Scans `text`, which LLVM's parser must have accepted. `entryLines` is for the list with key `list` of the outermost object.
JsonPlaces findJsonPlaces(StringRef text, StringRef list);

} // namespace mlir::tpp

#endif
