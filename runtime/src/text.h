// A growing text, for log lines and for messages that list candidates. If allocation fails, the text is truncated; nothing is thrown,
// because no exception may cross the C ABI.
#pragma once
#include <stddef.h>

namespace tpp {

class text {
public:
  text() = default;
  text(const text &) = delete;
  text &operator=(const text &) = delete;
  ~text();

  void append(const char *format, ...) __attribute__((format(printf, 2, 3)));
  // The text so far; "" before the first append.
  const char *c_str() const { return data ? data : ""; }

private:
  char *data = nullptr;
  size_t length = 0;
  size_t capacity = 0;
};

} // namespace tpp
