// See failures.h.
#include "failures.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace tpp::python {

void raise_failure(tpp_status status, const std::string &message, const std::vector<Diagnostic> &diagnostics) {
  nb::object errors = nb::module_::import_("tpp.errors");
  nb::object error = errors.attr("make")(static_cast<int>(status), message, diagnostics);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

void check(tpp_status status) {
  if (status != TPP_STATUS_OK)
    raise_failure(status, tpp_compiler_last_error());
}

} // namespace tpp::python
