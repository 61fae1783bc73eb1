// Shared by the tests of tpp-run's parts: files in a temporary directory, and texts of errors.
#pragma once
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <string>

namespace tpp::test {

// The error's message; "" on success.
inline std::string textOf(llvm::Error error) { return llvm::toString(std::move(error)); }
template <typename T> std::string textOf(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}

class TemporaryDirectory {
public:
  TemporaryDirectory() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tpp-run-test", path)); }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(path); }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> full(path);
    llvm::sys::path::append(full, name);
    return full.str().str();
  }
  std::string write(llvm::StringRef name, llvm::StringRef content) const {
    std::error_code error;
    llvm::raw_fd_ostream stream(file(name), error);
    EXPECT_FALSE(error);
    stream << content;
    return file(name);
  }

private:
  llvm::SmallString<128> path;
};

inline std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

} // namespace tpp::test
