// See model.h.
#include "model.h"

#include "failures.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

namespace tpp::python {

namespace {

struct ElementType {
  const char *name; // as MLIR writes it
  nb::dlpack::dtype_code code;
  uint8_t bits;
};
constexpr ElementType element_types[] = {{"f16", nb::dlpack::dtype_code::Float, 16}, {"bf16", nb::dlpack::dtype_code::Bfloat, 16},
                                         {"f32", nb::dlpack::dtype_code::Float, 32}, {"f64", nb::dlpack::dtype_code::Float, 64},
                                         {"i1", nb::dlpack::dtype_code::Bool, 8},    {"i8", nb::dlpack::dtype_code::Int, 8},
                                         {"i16", nb::dlpack::dtype_code::Int, 16},   {"i32", nb::dlpack::dtype_code::Int, 32},
                                         {"i64", nb::dlpack::dtype_code::Int, 64},   {"ui8", nb::dlpack::dtype_code::UInt, 8},
                                         {"ui16", nb::dlpack::dtype_code::UInt, 16}, {"ui32", nb::dlpack::dtype_code::UInt, 32},
                                         {"ui64", nb::dlpack::dtype_code::UInt, 64}, {"index", nb::dlpack::dtype_code::Int, 64}};

std::string dtype_name(nb::dlpack::dtype dtype) {
  const std::string bits = std::to_string(dtype.bits);
  switch (static_cast<nb::dlpack::dtype_code>(dtype.code)) {
  case nb::dlpack::dtype_code::Float:
    return "float" + bits;
  case nb::dlpack::dtype_code::Bfloat:
    return "bfloat" + bits;
  case nb::dlpack::dtype_code::Int:
    return "int" + bits;
  case nb::dlpack::dtype_code::UInt:
    return "uint" + bits;
  case nb::dlpack::dtype_code::Bool:
    return "bool";
  case nb::dlpack::dtype_code::Complex:
    return "complex" + bits;
  default:
    return "another type of " + bits + " bits";
  }
}

std::string shape_text(const int64_t *shape, size_t rank) {
  std::string text = "(";
  for (size_t i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (rank == 1 ? ",)" : ")");
}

// Whether the elements lie one after the other in row-major order.
template <typename AnyArray> bool is_dense(const AnyArray &array) {
  if (array.size() == 0)
    return true;
  int64_t stride = 1;
  for (size_t i = array.ndim(); i-- > 0;) {
    if (array.shape(i) != 1 && array.stride(i) != stride)
      return false;
    stride *= static_cast<int64_t>(array.shape(i));
  }
  return true;
}

template <typename AnyArray> void check_array(const AnyArray &array, const Value &value, const char *kind, size_t index) {
  if (array.device_type() != nb::device::cpu::value)
    raise_value_error(std::string(kind) + " " + std::to_string(index) + " is not in the memory of the CPU");
  // NumPy has no bf16: the bits pass as uint16.
  const bool is_bits =
      value.type == "bf16" && array.dtype() == nb::dlpack::dtype{static_cast<uint8_t>(nb::dlpack::dtype_code::UInt), 16, 1};
  // An integer type of MLIR without a sign stands for both.
  const auto unsigned_code = static_cast<uint8_t>(nb::dlpack::dtype_code::UInt);
  const bool is_unsigned = value.type[0] == 'i' && value.dtype.code == static_cast<uint8_t>(nb::dlpack::dtype_code::Int) &&
                           array.dtype() == nb::dlpack::dtype{unsigned_code, value.dtype.bits, 1};
  if (array.dtype() != value.dtype && !is_bits && !is_unsigned)
    raise_type_error(std::string(kind) + " " + std::to_string(index) + " has elements of type " + dtype_name(array.dtype()) +
                     ", the model wants " + dtype_name(value.dtype));
  bool equal = array.ndim() == value.shape.size();
  for (size_t i = 0; equal && i < value.shape.size(); ++i)
    equal = static_cast<int64_t>(array.shape(i)) == value.shape[i];
  if (!equal) {
    std::vector<int64_t> shape;
    for (size_t i = 0; i < array.ndim(); ++i)
      shape.push_back(static_cast<int64_t>(array.shape(i)));
    raise_value_error(std::string(kind) + " " + std::to_string(index) + " has shape " + shape_text(shape.data(), shape.size()) +
                      ", the model wants " + shape_text(value.shape.data(), value.shape.size()));
  }
}

nb::object numpy(const char *function) { return nb::module_::import_("numpy").attr(function); }

// What NumPy makes of an array that no protocol passes: that of ml_dtypes.bfloat16 as its bits.
nb::object as_bits(nb::handle given) {
  nb::object array = numpy("asarray")(given);
  return nb::cast<std::string>(array.attr("dtype").attr("name")) == "bfloat16" ? array.attr("view")("uint16") : array;
}

void take_input(nb::handle given, const Value &value, const char *kind, size_t index, Call &call) {
  Array array;
  if (!nb::try_cast<Array>(given, array, false)) {
    // Lists and numbers are converted as NumPy does it, but not to bf16: they would become the bits of other numbers.
    nb::object converted = value.type == "bf16" ? as_bits(given) : numpy("asarray")(given, value.numpy_dtype);
    if (!nb::try_cast<Array>(converted, array, false))
      raise_type_error(std::string(kind) + " " + std::to_string(index) + " is not an array");
  }
  check_array(array, value, kind, index);
  if (!is_dense(array) &&
      !nb::try_cast<Array>(numpy("ascontiguousarray")(nb::cast(nb::ndarray<nb::numpy, nb::ro>(array))), array, false))
    raise_value_error(std::string(kind) + " " + std::to_string(index) + " is not dense, and numpy cannot copy it");
  call.pointers.push_back(const_cast<void *>(array.data()));
  call.inputs.push_back(std::move(array));
}

// An array that the model writes: it must be dense and writable.
void take_output(nb::handle given, const Value &value, const char *kind, size_t index, Call &call) {
  WritableArray array;
  if (!nb::try_cast<WritableArray>(given, array, false)) {
    Array readable;
    if (nb::try_cast<Array>(given, readable, false))
      raise_value_error(std::string(kind) + " " + std::to_string(index) + " is read-only, and the model writes it");
    raise_type_error(std::string(kind) + " " + std::to_string(index) + " is not an array");
  }
  check_array(array, value, kind, index);
  if (!is_dense(array))
    raise_value_error(std::string(kind) + " " + std::to_string(index) +
                      " is not dense in row-major order, and the model writes it");
  call.pointers.push_back(array.data());
  call.outputs.push_back(std::move(array));
}

} // namespace

Value::Value(const tpp_value &given)
    : type(given.type), shape(given.shape, given.shape + given.rank), is_weight(given.is_weight), is_written(given.is_written) {
  for (const ElementType &known : element_types)
    if (type == known.name)
      dtype = {static_cast<uint8_t>(known.code), known.bits, 1};
  numpy_shape = nb::tuple(nb::cast(shape));
  numpy_dtype = nb::module_::import_("tpp.values").attr("numpy_dtype")(type);
}

Model::Model(ModelHandle given) : model(std::move(given)), workspace_bytes(tpp_model_workspace_bytes(model.get())) {
  for (int64_t i = 0; i < tpp_model_argument_count(model.get()); ++i)
    arguments.emplace_back(*tpp_model_argument(model.get(), i));
  for (int64_t i = 0; i < tpp_model_result_count(model.get()); ++i)
    results.emplace_back(*tpp_model_result(model.get(), i));
  for (const Value &argument : arguments)
    (argument.is_weight ? weight_count : input_count) += 1;
  numpy_empty = numpy("empty");
}

Model *Model::load(const std::string &path) {
  tpp_model *loaded = nullptr;
  tpp_status status;
  {
    nb::gil_scoped_release release;
    status = tpp_model_load(path.c_str(), &loaded);
  }
  check(status);
  return new Model(ModelHandle(loaded));
}

Call Model::take_inputs(const nb::args &inputs) {
  if (inputs.size() != input_count)
    raise_type_error("the model takes " + std::to_string(input_count) + " inputs, " + std::to_string(inputs.size()) +
                     " are given");
  Call call;
  call.pointers.reserve(input_count + results.size());
  size_t index = 0;
  for (const Value &argument : arguments)
    if (!argument.is_weight) {
      if (argument.is_written)
        take_output(inputs[index], argument, "input", index, call);
      else
        take_input(inputs[index], argument, "input", index, call);
      ++index;
    }
  return call;
}

nb::object Model::call(const nb::args &inputs, const nb::object &out) {
  Call call = take_inputs(inputs);
  nb::object returned = take_outputs(out, call);
  run(call.pointers);
  return returned;
}

std::string Model::profile(const nb::args &inputs, double seconds) {
  Call call = take_inputs(inputs);
  nb::object results = take_outputs(nb::none(), call);
  tpp_status status = TPP_STATUS_OUT_OF_MEMORY;
  std::string profile;
  {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> wait(entrance);
    std::unique_lock<std::shared_mutex> lock(weights);
    Workspace workspace = take_workspace();
    const char *text = nullptr;
    if (workspace_bytes == 0 || workspace)
      status = tpp_model_profile(model.get(), workspace.get(), call.pointers.data(), seconds, &text);
    if (text)
      profile = text;
    give_back(std::move(workspace));
  }
  check_run(status);
  return profile;
}

void Model::pack(const nb::sequence &arrays) {
  const size_t given = nb::len(arrays);
  if (given != weight_count)
    raise_type_error("the model has " + std::to_string(weight_count) + " weights, " + std::to_string(given) + " are given");
  Call call;
  for (size_t i = 0, index = 0; i < arguments.size(); ++i)
    if (arguments[i].is_weight)
      take_input(arrays[index++], arguments[i], "argument", i, call);
  pack_and([&] { return call.pointers; }, nullptr, nullptr);
}

nb::object Model::take_outputs(const nb::object &out, Call &call) {
  if (out.is_none()) {
    nb::list made;
    for (size_t i = 0; i < results.size(); ++i) {
      PyObject *given[] = {results[i].numpy_shape.ptr(), results[i].numpy_dtype.ptr()};
      nb::object array = nb::steal(PyObject_Vectorcall(numpy_empty.ptr(), given, 2, nullptr));
      if (!array.is_valid())
        throw nb::python_error();
      take_output(array, results[i], "result", i, call);
      made.append(std::move(array));
    }
    return results.size() == 1 ? nb::object(made[0]) : nb::object(nb::tuple(made));
  }
  const bool is_list = nb::isinstance<nb::tuple>(out) || nb::isinstance<nb::list>(out);
  if (!is_list && results.size() != 1)
    raise_type_error("out must be a sequence of " + std::to_string(results.size()) + " arrays");
  if (!is_list) {
    take_output(out, results[0], "out", 0, call);
    return out;
  }
  if (nb::len(out) != results.size())
    raise_type_error("out has " + std::to_string(nb::len(out)) + " arrays, the model has " + std::to_string(results.size()) +
                     " results");
  for (size_t i = 0; i < results.size(); ++i)
    take_output(nb::object(out[i]), results[i], "out", i, call);
  return out;
}

void Model::touch_weights() const {
  nb::gil_scoped_release release;
  tpp_model_touch_weights(model.get());
}

void Model::pack_and_run(const Prepare &prepare, const std::function<void()> &packed, const std::vector<void *> &pointers) {
  pack_and(prepare, packed, &pointers);
}

void Model::pack_and(const Prepare &prepare, const std::function<void()> &packed, const std::vector<void *> *run_pointers) {
  tpp_status status = TPP_STATUS_OK;
  bool is_packed = false;
  {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> wait(entrance);
    std::unique_lock<std::shared_mutex> lock(weights);
    std::optional<std::vector<void *>> prepared;
    {
      nb::gil_scoped_acquire acquire;
      prepared = prepare();
    }
    if (prepared) {
      ++packings;
      status = tpp_model_prepack(model.get(), prepared->data());
      if (status == TPP_STATUS_OK && packed) {
        nb::gil_scoped_acquire acquire;
        packed();
      }
    }
    is_packed = status == TPP_STATUS_OK;
    if (is_packed && run_pointers)
      status = run_locked(*run_pointers);
  }
  is_packed ? check_run(status) : check(status);
}

bool Model::run(const std::vector<void *> &pointers, std::optional<uint64_t> packing) {
  tpp_status status;
  {
    nb::gil_scoped_release release;
    {
      std::lock_guard<std::mutex> wait(entrance);
    }
    std::shared_lock<std::shared_mutex> lock(weights);
    if (packing && *packing != packings)
      return false;
    status = run_locked(pointers);
  }
  check_run(status);
  return true;
}

void Model::check_run(tpp_status status) const {
  if (status == TPP_STATUS_OUT_OF_MEMORY)
    raise_failure(status, "no memory for a workspace of " + std::to_string(workspace_bytes) + " bytes");
  check(status);
}

tpp_status Model::run_locked(const std::vector<void *> &pointers) {
  Workspace workspace = take_workspace();
  if (workspace_bytes > 0 && !workspace)
    return TPP_STATUS_OUT_OF_MEMORY;
  const tpp_status status = tpp_model_run(model.get(), workspace.get(), pointers.data());
  give_back(std::move(workspace));
  return status;
}

void Model::save(const std::string &path) {
  tpp_status status;
  {
    nb::gil_scoped_release release;
    std::shared_lock<std::shared_mutex> lock(weights);
    status = tpp_model_save(model.get(), path.c_str());
  }
  check(status);
}

// Each call that runs at the same time has a workspace of its own; calls one after the other use the same.
Workspace Model::take_workspace() {
  if (workspace_bytes == 0)
    return nullptr;
  {
    std::lock_guard<std::mutex> lock(guard);
    if (!idle.empty()) {
      Workspace taken = std::move(idle.back());
      idle.pop_back();
      return taken;
    }
  }
  return Workspace(std::aligned_alloc(64, (workspace_bytes + 63) / 64 * 64));
}

void Model::give_back(Workspace workspace) {
  if (!workspace)
    return;
  std::lock_guard<std::mutex> lock(guard);
  idle.push_back(std::move(workspace));
}

} // namespace tpp::python
