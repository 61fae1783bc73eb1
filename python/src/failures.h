// Failures of the C API as exceptions of Python.
#ifndef TPP_PYTHON_FAILURES_H
#define TPP_PYTHON_FAILURES_H

#include "tpp/compiler.h"

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <vector>

namespace tpp::python {

namespace nb = nanobind;

using Diagnostic = std::tuple<std::string, std::string, std::string, int64_t, int64_t>; // severity, message, file, line, column

// Raises the exception for a status (errors.py).
[[noreturn]] void raise_failure(tpp_status status, const std::string &message, const std::vector<Diagnostic> &diagnostics = {});

// Raises the exception of this thread's last failed call, unless the status is good.
void check(tpp_status status);

[[noreturn]] inline void raise_type_error(const std::string &text) { throw nb::type_error(text.c_str()); }
[[noreturn]] inline void raise_value_error(const std::string &text) { throw nb::value_error(text.c_str()); }

} // namespace tpp::python

#endif
