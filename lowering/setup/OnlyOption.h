// Passes whose only option may hold spaces and equals signs, by which options are parsed (`#tpp.packing_fixed<panel = 64>`).
#ifndef TPP_LOWERING_SETUP_ONLYOPTION_H
#define TPP_LOWERING_SETUP_ONLYOPTION_H

#include "mlir/Pass/Pass.h"

namespace mlir::tpp {

// Everything behind `--tpp-PASS=` is the option's value, with or without `NAME=` in front.
inline LogicalResult readOnlyOption(StringRef text, const Twine &name, ::mlir::detail::PassOptions::Option<std::string> &option) {
  text = text.trim();
  text.consume_front((name + "=").str());
  if (!text.empty())
    option = text.str();
  return success();
}

} // namespace mlir::tpp

#endif
