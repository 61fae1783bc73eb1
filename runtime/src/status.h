// How the runtime reports failure: a status, and this thread's words about it (tpp_last_error).
#pragma once
#include "tpp/types.h"

namespace tpp {

// Records the formatted text as this thread's last error and returns `status`. Texts longer than the buffer are cut.
tpp_status fail(tpp_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

} // namespace tpp
