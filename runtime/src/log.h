// The log that a user installs with tpp_set_log or TPP_VERBOSE=1.
#pragma once

namespace tpp {

// True when somebody listens: only then are lines composed.
bool log_enabled();
// Hands each line of `lines` (separated by '\n') to the log function. Called without any lock of the runtime held, so that the
// function may itself dispatch.
void log_lines(const char *lines);

} // namespace tpp
