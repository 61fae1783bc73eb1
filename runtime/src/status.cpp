// Status texts, and the per-thread error text of the last failed call.
#include "status.h"

#include "tpp/tpp.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

namespace {
// Long enough for the reasons of a whole candidate list. Per thread, so that concurrent failures do not mix.
thread_local char last_error[2048] = "";
} // namespace

tpp_status tpp::fail(tpp_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_error, sizeof last_error, format, arguments);
  va_end(arguments);
  return status;
}

extern "C" const char *tpp_last_error(void) { return last_error; }

extern "C" tpp_status tpp_fail_assertion(const char *message) {
  return tpp::fail(TPP_STATUS_ASSERTION, "%s", message ? message : "");
}

extern "C" const char *tpp_status_text(tpp_status status) {
  // A C caller may pass any int. C++ must not read an int as an enumeration that has no such value.
  int value;
  memcpy(&value, &status, sizeof value);
  switch (value) {
#define TPP_STATUS(NAME, number, text)                                                                                           \
  case number:                                                                                                                   \
    return text;
#include "tpp/kinds.def"
  }
  return "unknown status";
}
