// See text.h.
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

namespace tpp {

text::~text() { free(data); }

void text::append(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int wanted = vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  if (wanted > 0) {
    const size_t needed = length + static_cast<size_t>(wanted) + 1;
    if (needed > capacity) {
      const size_t larger = needed < 512 ? 1024 : 2 * needed;
      if (char *grown = static_cast<char *>(realloc(data, larger))) {
        data = grown;
        capacity = larger;
      }
    }
    if (needed <= capacity) {
      vsnprintf(data + length, capacity - length, format, again);
      length = needed - 1;
    }
  }
  va_end(again);
}

} // namespace tpp
