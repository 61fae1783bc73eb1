// tpp._native: the C API of the compiler (tpp/compiler.h) for Python. The package's public classes are in ../tpp.
#include "tpp/compiler.h"
#include "tpp/tpp.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// ---- element types ---------------------------------------------------------------------------------------------------------

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

// ---- failures --------------------------------------------------------------------------------------------------------------

using Diagnostic = std::tuple<std::string, std::string, std::string, int64_t, int64_t>; // severity, message, file, line, column

// Raises tpp.Error or, for a program that cannot be compiled, tpp.CompileError (errors.py).
[[noreturn]] void raise_failure(tpp_status status, const std::string &message, const std::vector<Diagnostic> &diagnostics = {}) {
  nb::object errors = nb::module_::import_("tpp.errors");
  nb::object error = errors.attr("make")(static_cast<int>(status), message, diagnostics);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

void check(tpp_status status) {
  if (status != TPP_STATUS_OK)
    raise_failure(status, tpp_compiler_last_error());
}

[[noreturn]] void raise_type_error(const std::string &text) { throw nb::type_error(text.c_str()); }
[[noreturn]] void raise_value_error(const std::string &text) { throw nb::value_error(text.c_str()); }

// ---- values ----------------------------------------------------------------------------------------------------------------

// An argument or result of a model.
struct Value {
  explicit Value(const tpp_value &given)
      : type(given.type), shape(given.shape, given.shape + given.rank), bytes(given.bytes), is_weight(given.is_weight),
        is_written(given.is_written) {
    for (const ElementType &known : element_types)
      if (type == known.name)
        dtype = {static_cast<uint8_t>(known.code), known.bits, 1};
  }

  std::string type;
  std::vector<int64_t> shape;
  int64_t bytes;
  bool is_weight, is_written;
  nb::dlpack::dtype dtype = {0, 0, 0};
};

using Array = nb::ndarray<nb::ro>;
using WritableArray = nb::ndarray<>;

// The arrays of a call. They own what the pointers point to.
struct Call {
  std::vector<Array> inputs;
  std::vector<WritableArray> outputs;
  std::vector<void *> pointers;
};

// Whether the elements lie one after the other in row-major order.
template <typename AnyArray> bool is_dense(const AnyArray &array) {
  int64_t stride = 1;
  for (size_t i = array.ndim(); i-- > 0;) {
    if (array.shape(i) == 0)
      return true;
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
  if (array.dtype() != value.dtype && !is_bits)
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

// ---- models ----------------------------------------------------------------------------------------------------------------

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
using Workspace = std::unique_ptr<void, FreeMemory>;

struct DestroyModel {
  void operator()(tpp_model *model) const { tpp_model_destroy(model); }
};

class Model {
public:
  explicit Model(tpp_model *given) : model(given), workspace_bytes(tpp_model_workspace_bytes(given)) {
    for (int64_t i = 0; i < tpp_model_argument_count(given); ++i)
      arguments.emplace_back(*tpp_model_argument(given, i));
    for (int64_t i = 0; i < tpp_model_result_count(given); ++i)
      results.emplace_back(*tpp_model_result(given, i));
    for (const Value &argument : arguments)
      (argument.is_weight ? weight_count : input_count) += 1;
  }

  // model(*inputs, out=None): one array, or a tuple of them.
  nb::object call(const nb::args &inputs, const nb::object &out) {
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
    nb::object returned = take_outputs(out, call);
    run(call.pointers);
    return returned;
  }

  void pack(const nb::sequence &arrays) {
    const size_t given = nb::len(arrays);
    if (given != weight_count)
      raise_type_error("the model has " + std::to_string(weight_count) + " weights, " + std::to_string(given) + " are given");
    Call call;
    for (size_t i = 0, index = 0; i < arguments.size(); ++i)
      if (arguments[i].is_weight)
        take_input(arrays[index++], arguments[i], "argument", i, call);
    pack_pointers(call.pointers);
  }

  // The same by pointers to dense arrays, in the order of the weight arguments.
  void pack_pointers(const std::vector<void *> &pointers) {
    tpp_status status;
    {
      nb::gil_scoped_release release;
      std::unique_lock<std::shared_mutex> lock(weights);
      status = tpp_model_prepack(model.get(), pointers.data());
    }
    check(status);
  }

  // A call by pointers to dense arrays: inputs, then results.
  void run(const std::vector<void *> &pointers) {
    tpp_status status = TPP_STATUS_OK;
    bool out_of_memory = false;
    {
      nb::gil_scoped_release release;
      Workspace workspace = take_workspace();
      out_of_memory = workspace_bytes > 0 && !workspace;
      if (!out_of_memory) {
        std::shared_lock<std::shared_mutex> lock(weights);
        status = tpp_model_run(model.get(), workspace.get(), pointers.data());
      }
      give_back(std::move(workspace));
    }
    if (out_of_memory)
      raise_failure(TPP_STATUS_OUT_OF_MEMORY, "no memory for a workspace of " + std::to_string(workspace_bytes) + " bytes");
    check(status);
  }

  void save(const std::string &path) {
    tpp_status status;
    {
      nb::gil_scoped_release release;
      std::shared_lock<std::shared_mutex> lock(weights);
      status = tpp_model_save(model.get(), path.c_str());
    }
    check(status);
  }

  std::string report() const { return tpp_model_report(model.get()); }
  const std::vector<Value> &get_arguments() const { return arguments; }
  const std::vector<Value> &get_results() const { return results; }
  size_t get_workspace_bytes() const { return workspace_bytes; }

private:
  void take_input(nb::handle given, const Value &value, const char *kind, size_t index, Call &call) {
    Array array;
    // Lists, scalars and arrays of other packages are taken as numpy.asarray takes them; what is not dense is copied.
    if (!nb::try_cast<Array>(given, array, false) && !nb::try_cast<Array>(numpy("asarray")(given), array, false))
      raise_type_error(std::string(kind) + " " + std::to_string(index) + " is not an array");
    check_array(array, value, kind, index);
    if (!is_dense(array) && !nb::try_cast<Array>(numpy("ascontiguousarray")(given), array, false))
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

  nb::object take_outputs(const nb::object &out, Call &call) {
    if (out.is_none()) {
      nb::object empty = numpy("empty"), dtype_of = nb::module_::import_("tpp.values").attr("numpy_dtype");
      nb::list made;
      for (size_t i = 0; i < results.size(); ++i) {
        nb::object array = empty(nb::tuple(nb::cast(results[i].shape)), dtype_of(results[i].type));
        made.append(array);
        take_output(results[i].type == "bf16" ? array.attr("view")(dtype_of("ui16")) : array, results[i], "result", i, call);
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

  static nb::object numpy(const char *function) { return nb::module_::import_("numpy").attr(function); }

  // Each call that runs at the same time has a workspace of its own; calls one after the other use the same.
  Workspace take_workspace() {
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

  void give_back(Workspace workspace) {
    if (!workspace)
      return;
    std::lock_guard<std::mutex> lock(guard);
    idle.push_back(std::move(workspace));
  }

  std::unique_ptr<tpp_model, DestroyModel> model;
  size_t workspace_bytes, input_count = 0, weight_count = 0;
  std::vector<Value> arguments, results;
  std::shared_mutex weights; // written by a packing, read by everything else; never waited for with the GIL
  std::mutex guard;          // protects `idle`
  std::vector<Workspace> idle;
};

// ---- graphs of PyTorch -----------------------------------------------------------------------------------------------------

// An input of a graph: its position in the list of arguments.
struct TorchInput {
  size_t position;
  bool is_copied; // its elements do not lie densely in memory
};

// A result that the model writes to a new tensor.
struct TorchResult {
  nb::tuple shape, stride;
  nb::object dtype;
};

// What a graph returns, and the arguments that it changes.
enum class Origin { result, argument, constant };

// A compiled graph of torch.compile. Tensors are used through Python: nothing depends on PyTorch's ABI.
class TorchCall {
public:
  using Returned = std::vector<std::tuple<Origin, size_t>>;

  TorchCall(nb::object model, const std::vector<std::tuple<size_t, bool>> &inputs,
            const std::vector<std::tuple<size_t, bool>> &weights, nb::list tensors,
            const std::vector<std::tuple<nb::tuple, nb::tuple, nb::object>> &results,
            std::vector<std::tuple<size_t, size_t>> mutated, Returned returned, nb::list constants)
      : owner(std::move(model)), model(nb::cast<Model &>(owner)), tensors(std::move(tensors)), mutated(std::move(mutated)),
        returned(std::move(returned)), constants(std::move(constants)) {
    for (const auto &[position, is_copied] : inputs)
      this->inputs.push_back({position, is_copied});
    for (const auto &[position, is_copied] : weights)
      this->weights.push_back({position, is_copied});
    for (const auto &[shape, stride, dtype] : results)
      this->results.push_back({shape, stride, dtype});
    seen.resize(this->weights.size(), {0, -1});
    empty_strided = nb::module_::import_("torch").attr("empty_strided");
    data_ptr = nb::steal(PyUnicode_InternFromString("data_ptr"));
    version = nb::steal(PyUnicode_InternFromString("_version"));
    dtype_key = nb::make_tuple("dtype");
  }

  nb::list call(const nb::list &arguments) {
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
    for (const auto &[position, result] : mutated)
      nb::object(arguments[position]).attr("copy_")(made[result]);
    nb::list values;
    for (const auto &[origin, index] : returned)
      values.append(origin == Origin::result     ? made[index]
                    : origin == Origin::argument ? nb::object(arguments[index])
                                                 : constants[index]);
    return values;
  }

  // The next call packs all weights, whether PyTorch counted a change or not.
  void forget() {
    for (Seen &each : seen)
      each.version = -1;
  }

private:
  struct Seen {
    void *address;
    int64_t version;
    bool operator==(const Seen &other) const { return address == other.address && version == other.version; }
  };

  void *address(const nb::object &tensor) const {
    PyObject *given[] = {tensor.ptr()};
    nb::object value = nb::steal(PyObject_VectorcallMethod(data_ptr.ptr(), given, 1, nullptr));
    if (!value.is_valid())
      throw nb::python_error();
    return PyLong_AsVoidPtr(value.ptr());
  }

  void *address_of(nb::object tensor, bool is_copied, std::vector<nb::object> &kept) const {
    if (is_copied) {
      tensor = tensor.attr("contiguous")();
      kept.push_back(tensor);
    }
    return address(tensor);
  }

  // The weights come from the arguments, and after them from `tensors`.
  nb::object weight(const nb::list &arguments, size_t index) const {
    const size_t position = weights[index].position, count = nb::len(arguments);
    return position < count ? nb::object(arguments[position]) : nb::object(tensors[position - count]);
  }

  // Packs the weights if one of them lies elsewhere or has another version than at the last call.
  void pack_changed(const nb::list &arguments) {
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

  nb::object owner;
  Model &model;
  std::vector<TorchInput> inputs, weights;
  nb::list tensors; // weights that are no arguments
  std::vector<TorchResult> results;
  std::vector<std::tuple<size_t, size_t>> mutated; // an argument and the result that is copied to it
  Returned returned;
  nb::list constants; // what is returned as it is
  std::vector<Seen> seen;
  nb::object empty_strided, data_ptr, version, dtype_key;
};

// ---- compiling -------------------------------------------------------------------------------------------------------------

// A compilation in a thread of its own, so that an interrupt of the main thread is not delayed: the thread then ends by itself.
struct Compilation {
  std::string program, path, name, entry, target, packing, provider, precision;
  std::vector<int64_t> weights;
  int32_t threads = 1;
  bool reference = false;

  std::mutex guard; // protects what follows
  std::condition_variable changed;
  bool done = false;
  tpp_status status = TPP_STATUS_OK;
  std::unique_ptr<tpp_model, DestroyModel> model;
  std::string error;
  std::vector<Diagnostic> diagnostics;

  void run() {
    tpp_compile_options options = TPP_COMPILE_OPTIONS;
    auto text = [](const std::string &given) { return given.empty() ? nullptr : given.c_str(); };
    options.entry = text(entry);
    options.target = text(target);
    options.packing = text(packing);
    options.provider = text(provider);
    options.precision = text(precision);
    options.threads = threads;
    options.reference = reference;
    options.weights = weights.data();
    options.weight_count = static_cast<int64_t>(weights.size());
    options.user = &diagnostics;
    options.diagnose = [](void *user, const tpp_diagnostic *diagnostic) {
      static const char *const severities[] = {"error", "warning", "remark", "note"};
      static_cast<std::vector<Diagnostic> *>(user)->emplace_back(severities[diagnostic->severity], diagnostic->message,
                                                                 diagnostic->file, diagnostic->line, diagnostic->column);
    };
    tpp_model *made = nullptr;
    const tpp_status result = path.empty() ? tpp_compile(program.data(), program.size(), text(name), &options, &made)
                                           : tpp_compile_file(path.c_str(), &options, &made);
    std::lock_guard<std::mutex> lock(guard);
    status = result;
    model.reset(made);
    error = result == TPP_STATUS_OK ? "" : tpp_compiler_last_error();
    done = true;
    changed.notify_all();
  }
};

Model *compile(const nb::bytes &program, std::string path, std::string name, std::string entry, std::string target,
               std::string packing, std::string provider, std::string precision, int threads, bool reference,
               std::vector<int64_t> weights) {
  auto work = std::make_shared<Compilation>();
  work->program.assign(program.c_str(), program.size());
  work->path = std::move(path);
  work->name = std::move(name);
  work->entry = std::move(entry);
  work->target = std::move(target);
  work->packing = std::move(packing);
  work->provider = std::move(provider);
  work->precision = std::move(precision);
  work->threads = threads;
  work->reference = reference;
  work->weights = std::move(weights);
  std::thread([work] { work->run(); }).detach();
  while (true) {
    {
      nb::gil_scoped_release release;
      std::unique_lock<std::mutex> lock(work->guard);
      if (work->changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return work->done; }))
        break;
    }
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
  }
  if (work->status != TPP_STATUS_OK)
    raise_failure(work->status, work->error, work->diagnostics);
  return new Model(work->model.release());
}

Model *load(const std::string &path) {
  tpp_model *model = nullptr;
  tpp_status status;
  {
    nb::gil_scoped_release release;
    status = tpp_model_load(path.c_str(), &model);
  }
  check(status);
  return new Model(model);
}

} // namespace

NB_MODULE(_native, module) {
  module.doc() = "The C API of TPP's compiler; use the package tpp.";

  nb::class_<Value>(module, "Value")
      .def_ro("type", &Value::type)
      .def_prop_ro("shape", [](const Value &value) { return nb::tuple(nb::cast(value.shape)); })
      .def_ro("bytes", &Value::bytes)
      .def_ro("is_weight", &Value::is_weight)
      .def_ro("is_written", &Value::is_written);

  nb::class_<Model>(module, "Model")
      .def("__call__", &Model::call, "inputs"_a, "out"_a = nb::none())
      .def("pack", &Model::pack, "weights"_a)
      .def("save", &Model::save, "path"_a)
      .def("report", &Model::report)
      .def_prop_ro("arguments", &Model::get_arguments)
      .def_prop_ro("results", &Model::get_results)
      .def_prop_ro("workspace_bytes", &Model::get_workspace_bytes);

  nb::enum_<Origin>(module, "Origin")
      .value("result", Origin::result)
      .value("argument", Origin::argument)
      .value("constant", Origin::constant);

  nb::class_<TorchCall>(module, "TorchCall")
      .def(nb::init<nb::object, const std::vector<std::tuple<size_t, bool>> &, const std::vector<std::tuple<size_t, bool>> &,
                    nb::list, const std::vector<std::tuple<nb::tuple, nb::tuple, nb::object>> &,
                    std::vector<std::tuple<size_t, size_t>>, TorchCall::Returned, nb::list>(),
           nb::kw_only(), "model"_a, "inputs"_a, "weights"_a, "tensors"_a, "results"_a, "mutated"_a, "returned"_a, "constants"_a)
      .def("__call__", &TorchCall::call, "arguments"_a)
      .def("forget", &TorchCall::forget);

  module.def("compile", &compile, nb::rv_policy::take_ownership, nb::kw_only(), "program"_a = nb::bytes("", 0), "path"_a = "",
             "name"_a = "", "entry"_a = "", "target"_a = "", "packing"_a = "", "provider"_a = "", "precision"_a = "",
             "threads"_a = 1, "reference"_a = false, "weights"_a = std::vector<int64_t>());
  module.def("load", &load, nb::rv_policy::take_ownership, "path"_a);
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
  module.attr("__version__") = TPP_PROJECT_VERSION;
}
