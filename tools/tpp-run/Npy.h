// Reads and writes numpy's .npy files (format versions 1.0, 2.0 and 3.0), the only data file format of tpp-run.
//
// Supports little-endian data only. Data in Fortran order are converted to C order when they are read. Each kind of error has its own
// message, which starts with the file's name.
#pragma once
#include "ElementType.h"

namespace tpp::run {

struct NpyHeader {
  std::string descriptor; // "<f4"
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  size_t dataOffset = 0; // position of the data in the file, in bytes
};

// Parses the header of a file. `bytes` is the start of the file, or the whole file; `path` is for messages.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes, llvm::StringRef path);

// Reads spec.bytes() bytes into `data`. The file's shape and type must match `spec`, and the file must not be longer.
llvm::Error readNpy(llvm::StringRef path, const TensorSpec &spec, void *data);

// Writes a version 1.0 file, or 2.0 if the header is too long for 1.0. Removes the file if it cannot be written completely.
llvm::Error writeNpy(llvm::StringRef path, const TensorSpec &spec, const void *data);

} // namespace tpp::run
