// See torch_call.h.
#include "torch_call.h"

#include <nanobind/stl/string.h>

#include <utility>

namespace tpp::python {

TorchCall::TorchCall(nb::object model, const Positions &inputs, const Positions &weights, nb::list tensors,
                     const Results &results, Mutated mutated, const Returned &returned, nb::list constants)
    : owner(std::move(model)), model(nb::cast<Model &>(owner)), tensors(std::move(tensors)), mutated(std::move(mutated)),
      constants(std::move(constants)) {
  for (const auto &[position, is_copied] : inputs)
    this->inputs.push_back({position, is_copied});
  for (const auto &[position, is_copied] : weights)
    this->weights.push_back({position, is_copied});
  for (const auto &[shape, stride, dtype] : results)
    this->results.push_back({shape, stride, dtype});
  for (const auto &[origin, index, view] : returned)
    this->returned.push_back({origin, index, view});
  nb::object torch = nb::module_::import_("torch");
  empty_strided = torch.attr("empty_strided");
  cpu = torch.attr("device")("cpu");
  // Of the class: without a lookup in each call.
  data_ptr = torch.attr("_C").attr("TensorBase").attr("data_ptr");
  version = torch.attr("_C").attr("TensorBase").attr("_version");
  get_version = reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(version.ptr()), Py_tp_descr_get));
  keywords = nb::make_tuple("dtype", "device");
}

nb::list TorchCall::call(const nb::list &arguments) {
  std::vector<void *> pointers;
  pointers.reserve(inputs.size() + results.size());
  std::vector<nb::object> kept;
  for (const TorchInput &input : inputs)
    pointers.push_back(address_of(item(arguments, input.position), input.is_copied, kept));
  std::vector<nb::object> made;
  made.reserve(results.size());
  for (const TorchResult &result : results) {
    PyObject *given[] = {result.shape.ptr(), result.stride.ptr(), result.dtype.ptr(), cpu.ptr()};
    made.push_back(nb::steal(PyObject_Vectorcall(empty_strided.ptr(), given, 2, keywords.ptr())));
    if (!made.back().is_valid())
      throw nb::python_error();
    pointers.push_back(address(made.back().ptr()));
  }
  // Another thread may pack other weights between the look and the run: then the run refuses, and this thread packs its own.
  if (packed_request != request || !are_weights_packed(arguments) || !model.run(pointers, packing))
    model.pack_and_run([&] { return prepare_packing(arguments, kept); }, [&] { packed_request = request_at_work; }, pointers);
  for (const auto &[position, result] : mutated)
    nb::object(arguments[position]).attr("copy_")(made[result]);
  nb::list values;
  for (const TorchReturned &each : returned) {
    nb::object tensor = each.origin == Origin::result     ? made[each.index]
                        : each.origin == Origin::argument ? nb::object(arguments[each.index])
                                                          : nb::object(constants[each.index]);
    values.append(each.view.is_none() ? tensor : view_of(tensor, each.view));
  }
  return values;
}

nb::object TorchCall::view_of(const nb::object &tensor, const nb::object &view) const {
  const auto offset = nb::cast<int64_t>(tensor.attr("storage_offset")()) + nb::cast<int64_t>(view[2]);
  return tensor.attr("as_strided")(view[0], view[1], offset);
}

void TorchCall::forget() { ++request; }

// A borrowed element of a list.
PyObject *TorchCall::item(const nb::list &list, size_t index) {
  PyObject *found = PyList_GetItem(list.ptr(), static_cast<Py_ssize_t>(index));
  if (!found)
    throw nb::python_error();
  return found;
}

void *TorchCall::address(PyObject *tensor) const {
  PyObject *given[] = {tensor};
  PyObject *value = PyObject_Vectorcall(data_ptr.ptr(), given, 1, nullptr);
  if (!value)
    throw nb::python_error();
  void *address = PyLong_AsVoidPtr(value);
  Py_DECREF(value);
  return address;
}

void *TorchCall::address_of(PyObject *tensor, bool is_copied, std::vector<nb::object> &kept) const {
  if (is_copied) {
    kept.push_back(nb::borrow(tensor).attr("contiguous")());
    tensor = kept.back().ptr();
  }
  return address(tensor);
}

PyObject *TorchCall::weight(const nb::list &arguments, size_t index) const {
  const size_t position = weights[index].position, count = nb::len(arguments);
  return position < count ? item(arguments, position) : item(tensors, position - count);
}

TorchCall::Seen TorchCall::look_at(PyObject *tensor) const {
  PyObject *number = get_version(version.ptr(), tensor, reinterpret_cast<PyObject *>(Py_TYPE(tensor)));
  if (!number)
    PyErr_Clear(); // an inference tensor counts no versions
  const Seen seen = {address(tensor), number ? PyLong_AsLongLong(number) : 0};
  Py_XDECREF(number);
  return seen;
}

bool TorchCall::are_weights_packed(const nb::list &arguments) const {
  for (size_t i = 0; i < weights.size(); ++i)
    if (look_at(weight(arguments, i)) != seen[i])
      return false;
  return true;
}

// The addresses of the weights, unless they are packed already. Called while nobody else packs or runs.
std::optional<std::vector<void *>> TorchCall::prepare_packing(const nb::list &arguments, std::vector<nb::object> &kept) {
  if (packed_request == request && packing == model.get_packings() && are_weights_packed(arguments))
    return std::nullopt;
  packed_request = 0; // until the packing has succeeded
  request_at_work = request;
  std::vector<Seen> now;
  std::vector<void *> pointers;
  nb::list shared;
  for (size_t i = 0; i < weights.size(); ++i) {
    PyObject *tensor = weight(arguments, i);
    now.push_back(look_at(tensor));
    pointers.push_back(address_of(tensor, weights[i].is_copied, kept));
    shared.append(nb::borrow(tensor).attr("detach")());
  }
  seen = std::move(now);
  storages = std::move(shared);
  packing = model.get_packings() + 1;
  return pointers;
}

} // namespace tpp::python
