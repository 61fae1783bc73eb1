// The log, enabled with tpp_set_log or TPP_VERBOSE=1.
#pragma once

namespace tpp {

// True if a log function is installed. Callers compose lines only then.
bool log_enabled();
// Passes each line of `lines` (separated by '\n') to the log function; lines are cut at 511 bytes. Must be called without a lock of the runtime: the
// log function may dispatch.
void log_lines(const char *lines);

} // namespace tpp
