// A compiled graph of torch.compile. Tensors are used through Python: nothing depends on PyTorch's ABI.
#ifndef TPP_PYTHON_TORCH_CALL_H
#define TPP_PYTHON_TORCH_CALL_H

#include "model.h"

#include <tuple>

namespace tpp::python {

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

// What a graph returns: a tensor or, if `view` is not None, a view of it: sizes, strides and the offset from the tensor's own.
enum class Origin { result, argument, constant };
struct TorchReturned {
  Origin origin;
  size_t index;
  nb::object view;
};

class TorchCall {
public:
  using Positions = std::vector<std::tuple<size_t, bool>>;                   // position and is_copied
  using Results = std::vector<std::tuple<nb::tuple, nb::tuple, nb::object>>; // the members of TorchResult
  using Mutated = std::vector<std::tuple<size_t, size_t>>;                   // an argument and the result that is copied to it
  using Returned = std::vector<std::tuple<Origin, size_t, nb::object>>;      // the members of TorchReturned

  // Positions of `weights` are those of the arguments, and after them of `tensors`.
  TorchCall(nb::object model, const Positions &inputs, const Positions &weights, nb::list tensors, const Results &results,
            Mutated mutated, const Returned &returned, nb::list constants);

  nb::list call(const nb::list &arguments);

  // The next call packs all weights, whether PyTorch counted a change or not.
  void forget();

  nb::object get_model() const { return owner; }

private:
  struct Seen {
    void *address;
    int64_t version;
    bool operator==(const Seen &other) const { return address == other.address && version == other.version; }
    bool operator!=(const Seen &other) const { return !(*this == other); }
  };

  static PyObject *item(const nb::list &list, size_t index);
  void *address(PyObject *tensor) const;
  void *address_of(PyObject *tensor, bool is_copied, std::vector<nb::object> &kept) const;
  PyObject *weight(const nb::list &arguments, size_t index) const; // borrowed
  Seen look_at(PyObject *tensor) const;
  bool are_weights_packed(const nb::list &arguments) const;
  std::optional<std::vector<void *>> prepare_packing(const nb::list &arguments, std::vector<nb::object> &kept);
  nb::object view_of(const nb::object &tensor, const nb::object &view) const;

  nb::object owner;
  Model &model;
  std::vector<TorchInput> inputs, weights;
  nb::list tensors; // weights that are no arguments
  std::vector<TorchResult> results;
  Mutated mutated;
  std::vector<TorchReturned> returned;
  nb::list constants; // what is returned as it is

  // Of the packed weights, which may be those of any of several modules that share the graph. Read and written with the GIL.
  std::vector<Seen> seen;
  nb::list storages;    // tensors that share the weights' memory, so that no other tensor can get their addresses
  uint64_t packing = 0; // of the model
  // Requests to pack, by forget() and the first one: the last, the one that the packed weights answer (0: none), and that of the packing at work.
  uint64_t request = 1, packed_request = 0, request_at_work = 0;

  nb::object empty_strided, cpu, data_ptr, version, keywords;
  descrgetfunc get_version = nullptr;
};

} // namespace tpp::python

#endif
