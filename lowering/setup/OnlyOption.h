// Option parsing for passes with a single option whose value may contain spaces and equals signs (`#tpp.packing_fixed<panel = 64>`), which
// MLIR's option parser would split.
#ifndef TPP_LOWERING_SETUP_ONLYOPTION_H
#define TPP_LOWERING_SETUP_ONLYOPTION_H

#include "mlir/Pass/Pass.h"

namespace mlir::tpp {

// Takes all text after `--tpp-PASS=` as the option's value, and drops a leading `NAME=`. Empty text leaves the default.
inline LogicalResult readOnlyOption(StringRef text, const Twine &name, ::mlir::detail::PassOptions::Option<std::string> &option) {
  text = text.trim();
  text.consume_front((name + "=").str());
  if (!text.empty())
    option = text.str();
  return success();
}

} // namespace mlir::tpp

#endif
