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
  nb::object expanded; // the shape of the result if dimensions of extent 1 are repeated in it, else None
};

// What a graph returns, and the arguments that it changes.
enum class Origin { result, argument, constant };

class TorchCall {
public:
  using Positions = std::vector<std::tuple<size_t, bool>>;                               // position and is_copied
  using Results = std::vector<std::tuple<nb::tuple, nb::tuple, nb::object, nb::object>>; // the members of TorchResult
  using Mutated = std::vector<std::tuple<size_t, size_t>>; // an argument and the result that is copied to it
  using Returned = std::vector<std::tuple<Origin, size_t>>;

  // Positions of `weights` are those of the arguments, and after them of `tensors`.
  TorchCall(nb::object model, const Positions &inputs, const Positions &weights, nb::list tensors, const Results &results,
            Mutated mutated, Returned returned, nb::list constants);

  nb::list call(const nb::list &arguments);

  // The next call packs all weights, whether PyTorch counted a change or not.
  void forget();

private:
  struct Seen {
    void *address;
    int64_t version;
    bool operator==(const Seen &other) const { return address == other.address && version == other.version; }
  };

  void *address(const nb::object &tensor) const;
  void *address_of(nb::object tensor, bool is_copied, std::vector<nb::object> &kept) const;
  nb::object weight(const nb::list &arguments, size_t index) const;
  void pack_changed(const nb::list &arguments);

  nb::object owner;
  Model &model;
  std::vector<TorchInput> inputs, weights;
  nb::list tensors; // weights that are no arguments
  std::vector<TorchResult> results;
  Mutated mutated;
  Returned returned;
  nb::list constants; // what is returned as it is
  std::vector<Seen> seen;
  nb::object empty_strided, data_ptr, version, dtype_key;
};

} // namespace tpp::python

#endif
