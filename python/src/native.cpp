// tpp._native: the C API of the compiler (tpp/compiler.h) for Python. The package's public classes are in ../tpp.
#include "compilation.h"
#include "model.h"
#include "torch_call.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tpp::python;

NB_MODULE(_native, module) {
  nb::set_leak_warnings(false); // PyTorch keeps compiled graphs until the process ends
  module.doc() = "The C API of TPP's compiler; use the package tpp.";

  nb::class_<Value>(module, "Value")
      .def_ro("type", &Value::type)
      .def_prop_ro("shape", [](const Value &value) { return nb::tuple(nb::cast(value.shape)); })
      .def_ro("is_weight", &Value::is_weight)
      .def_ro("is_written", &Value::is_written);

  nb::class_<Model>(module, "Model")
      .def("__call__", &Model::call, "inputs"_a, "out"_a = nb::none())
      .def("pack", &Model::pack, "weights"_a)
      .def("touch_weights", &Model::touch_weights)
      .def("save", &Model::save, "path"_a)
      .def("report", &Model::report)
      .def("drawing", &Model::drawing)
      .def("profile", &Model::profile, "inputs"_a, nb::kw_only(), "seconds"_a)
      .def_prop_ro("arguments", &Model::get_arguments)
      .def_prop_ro("results", &Model::get_results);

  nb::enum_<Origin>(module, "Origin")
      .value("result", Origin::result)
      .value("argument", Origin::argument)
      .value("constant", Origin::constant);

  nb::class_<TorchCall>(module, "TorchCall", nb::is_weak_referenceable())
      .def(nb::init<nb::object, const TorchCall::Positions &, const TorchCall::Positions &, nb::list, const TorchCall::Results &,
                    TorchCall::Mutated, const TorchCall::Returned &, nb::list>(),
           nb::kw_only(), "model"_a, "inputs"_a, "weights"_a, "tensors"_a, "results"_a, "mutated"_a, "returned"_a, "constants"_a)
      .def("__call__", &TorchCall::call, "arguments"_a)
      .def_prop_ro_static("_boxed_call", [](nb::handle) { return true; })
      .def("forget", &TorchCall::forget)
      .def_prop_ro("model", &TorchCall::get_model);

  module.def("compile", &compile, nb::rv_policy::take_ownership, nb::kw_only(), "program"_a = nb::bytes("", 0), "path"_a = "",
             "name"_a = "", "entry"_a = "", "target"_a = "", "packing"_a = "", "provider"_a = "", "precision"_a = "",
             "winograd"_a = "", "denormals"_a = "", "threads"_a = 1, "reference"_a = false, "drawing"_a = false,
             "weights"_a = std::vector<int64_t>());
  module.def("load", &Model::load, nb::rv_policy::take_ownership, "path"_a);
  module.def("identity", &tpp_compiler_identity);
  // The name of a status of the C API.
  module.def("status_name", [](int status) {
    switch (status) {
#define TPP_STATUS(NAME, number, text)                                                                                           \
  case number:                                                                                                                   \
    return #NAME;
#include "tpp/kinds.def"
    }
    return "unknown status";
  });
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&wait_for_compilations));
  module.attr("__version__") = TPP_PROJECT_VERSION;
}
