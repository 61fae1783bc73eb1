// A compiled model and the arrays that it is called with.
#ifndef TPP_PYTHON_MODEL_H
#define TPP_PYTHON_MODEL_H

#include "tpp/compiler.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace tpp::python {

namespace nb = nanobind;

// An argument or result of a model.
struct Value {
  explicit Value(const tpp_value &given);

  std::string type;
  std::vector<int64_t> shape;
  bool is_weight, is_written;
  nb::dlpack::dtype dtype = {0, 0, 0};
  nb::object numpy_shape, numpy_dtype;
};

using Array = nb::ndarray<nb::ro>;
using WritableArray = nb::ndarray<>;

// The arrays of a call. They own what the pointers point to.
struct Call {
  std::vector<Array> inputs;
  std::vector<WritableArray> outputs;
  std::vector<void *> pointers;
};

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
using Workspace = std::unique_ptr<void, FreeMemory>;

struct DestroyModel {
  void operator()(tpp_model *model) const { tpp_model_destroy(model); }
};
using ModelHandle = std::unique_ptr<tpp_model, DestroyModel>;

class Model {
public:
  explicit Model(ModelHandle given);
  static Model *load(const std::string &path);

  // model(*inputs, out=None): one array, or a tuple of them.
  nb::object call(const nb::args &inputs, const nb::object &out);

  // A call by pointers to dense arrays: inputs, then results. Returns false, and runs nothing, if the weights are no longer those of `packing`.
  bool run(const std::vector<void *> &pointers, std::optional<uint64_t> packing = std::nullopt);

  void pack(const nb::sequence &arrays);
  void touch_weights() const; // tpp_model_touch_weights

  // Packs weights that `prepare`, called with the GIL, finds by pointers to dense arrays, in the order of the weight arguments (none: they are not
  // packed), and then makes a call. No other call comes between. `packed` is called with the GIL when weights have been packed.
  using Prepare = std::function<std::optional<std::vector<void *>>()>;
  void pack_and_run(const Prepare &prepare, const std::function<void()> &packed, const std::vector<void *> &pointers);

  // The time of each kernel in the fastest of calls that take `seconds` in all, as JSON (tpp_model_profile). Other calls wait.
  std::string profile(const nb::args &inputs, double seconds);

  void save(const std::string &path);

  std::string report() const { return tpp_model_report(model.get()); }
  std::string drawing() const { return tpp_model_drawing(model.get()); }
  const std::vector<Value> &get_arguments() const { return arguments; }
  const std::vector<Value> &get_results() const { return results; }
  // Packings so far. To be read in `prepare` of pack_and_run.
  uint64_t get_packings() const { return packings; }

private:
  void pack_and(const Prepare &prepare, const std::function<void()> &packed, const std::vector<void *> *run_pointers);
  void check_run(tpp_status status) const;
  tpp_status run_locked(const std::vector<void *> &pointers);
  Call take_inputs(const nb::args &inputs);
  nb::object take_outputs(const nb::object &out, Call &call);
  Workspace take_workspace();
  void give_back(Workspace workspace);

  ModelHandle model;
  size_t workspace_bytes, input_count = 0, weight_count = 0;
  std::vector<Value> arguments, results;
  nb::object numpy_empty;
  // `weights` is written by a packing and read by everything else. Who waits to write holds `entrance`, so that new calls let it in. Neither is
  // waited for with the GIL.
  std::mutex entrance;
  std::shared_mutex weights;
  uint64_t packings = 0; // protected by `weights`
  std::mutex guard;      // protects `idle`
  std::vector<Workspace> idle;
};

} // namespace tpp::python

#endif
