// Reads and writes numpy's .npy files (format versions 1.0, 2.0 and 3.0), the only data files of tpp-run.
//
// Little-endian data only. Data in Fortran order are put into C order while reading. Every mistake in a file has its own message,
// which starts with the file's name.
#pragma once
#include "ElementType.h"

namespace tpp::run {

struct NpyHeader {
  std::string descriptor; // "<f4"
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  size_t dataOffset = 0; // where the data start in the file
};

// Parses the head of a file whose first bytes (or all of it) are `bytes`.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes, llvm::StringRef path);

// Fills data[spec.bytes()] from the file, which must hold exactly spec's shape and type.
llvm::Error readNpy(llvm::StringRef path, const TensorSpec &spec, void *data);

// Writes a version 1.0 file (2.0 when the header needs it). The file is removed again when it could not be written whole.
llvm::Error writeNpy(llvm::StringRef path, const TensorSpec &spec, const void *data);

} // namespace tpp::run
