// Reporting of failures: a status, and a text of the calling thread (tpp_last_error).
#pragma once
#include "tpp/types.h"

namespace tpp {

// Stores the formatted text as this thread's last error and returns `status`. Longer texts than the buffer are truncated.
tpp_status fail(tpp_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

} // namespace tpp
