// See torch_call.h.
#include "torch_call.h"

#include <nanobind/stl/string.h>

#include <utility>

namespace tpp::python {

TorchCall::TorchCall(nb::object model, const Positions &inputs, const Positions &weights, nb::list tensors,
                     const Results &results, Mutated mutated, Returned returned, nb::list constants)
    : owner(std::move(model)), model(nb::cast<Model &>(owner)), tensors(std::move(tensors)), mutated(std::move(mutated)),
      returned(std::move(returned)), constants(std::move(constants)) {
  for (const auto &[position, is_copied] : inputs)
    this->inputs.push_back({position, is_copied});
  for (const auto &[position, is_copied] : weights)
    this->weights.push_back({position, is_copied});
  for (const auto &[shape, stride, dtype, expanded] : results)
    this->results.push_back({shape, stride, dtype, expanded});
  seen.resize(this->weights.size(), {0, -1});
  empty_strided = nb::module_::import_("torch").attr("empty_strided");
  data_ptr = nb::steal(PyUnicode_InternFromString("data_ptr"));
  version = nb::steal(PyUnicode_InternFromString("_version"));
  dtype_key = nb::make_tuple("dtype");
}

nb::list TorchCall::call(const nb::list &arguments) {
  pack_changed(arguments);
  std::vector<void *> pointers;
  pointers.reserve(inputs.size() + results.size());
  std::vector<nb::object> kept;
  for (const TorchInput &input : inputs)
    pointers.push_back(address_of(arguments[input.position], input.is_copied, kept));
  std::vector<nb::object> made;
  made.reserve(results.size());
  for (const TorchResult &result : results) {
    PyObject *given[] = {result.shape.ptr(), result.stride.ptr(), result.dtype.ptr()};
    made.push_back(nb::steal(PyObject_Vectorcall(empty_strided.ptr(), given, 2, dtype_key.ptr())));
    if (!made.back().is_valid())
      throw nb::python_error();
    pointers.push_back(address(made.back()));
  }
  model.run(pointers);
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].expanded.is_none())
      made[i] = made[i].attr("expand")(results[i].expanded);
  for (const auto &[position, result] : mutated)
    nb::object(arguments[position]).attr("copy_")(made[result]);
  nb::list values;
  for (const auto &[origin, index] : returned)
    values.append(origin == Origin::result     ? made[index]
                  : origin == Origin::argument ? nb::object(arguments[index])
                                               : constants[index]);
  return values;
}

void TorchCall::forget() {
  for (Seen &each : seen)
    each.version = -1;
}

void *TorchCall::address(const nb::object &tensor) const {
  PyObject *given[] = {tensor.ptr()};
  nb::object value = nb::steal(PyObject_VectorcallMethod(data_ptr.ptr(), given, 1, nullptr));
  if (!value.is_valid())
    throw nb::python_error();
  return PyLong_AsVoidPtr(value.ptr());
}

void *TorchCall::address_of(nb::object tensor, bool is_copied, std::vector<nb::object> &kept) const {
  if (is_copied) {
    tensor = tensor.attr("contiguous")();
    kept.push_back(tensor);
  }
  return address(tensor);
}

nb::object TorchCall::weight(const nb::list &arguments, size_t index) const {
  const size_t position = weights[index].position, count = nb::len(arguments);
  return position < count ? nb::object(arguments[position]) : nb::object(tensors[position - count]);
}

// Packs the weights if one of them lies elsewhere or has another version than at the last call.
void TorchCall::pack_changed(const nb::list &arguments) {
  bool changed = false;
  std::vector<Seen> now(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    nb::object tensor = weight(arguments, i);
    nb::object number = nb::steal(PyObject_GetAttr(tensor.ptr(), version.ptr()));
    if (!number.is_valid())
      PyErr_Clear(); // an inference tensor counts no versions
    now[i] = {address(tensor), number.is_valid() ? PyLong_AsLongLong(number.ptr()) : 0};
    changed |= !(now[i] == seen[i]);
  }
  if (!changed)
    return;
  std::vector<nb::object> kept;
  std::vector<void *> pointers;
  for (size_t i = 0; i < weights.size(); ++i)
    pointers.push_back(address_of(weight(arguments, i), weights[i].is_copied, kept));
  model.pack_pointers(pointers);
  seen = std::move(now);
}

} // namespace tpp::python
