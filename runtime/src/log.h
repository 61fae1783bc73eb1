// The log, enabled with tpp_set_log or TPP_VERBOSE=1.
#pragma once

namespace tpp {

// True if a log function is installed. Callers compose lines only then.
bool log_enabled();
// Passes each line of `lines` (separated by '\n') to the log function. The caller must hold no lock of the runtime, because the function
// may itself dispatch.
void log_lines(const char *lines);

} // namespace tpp
